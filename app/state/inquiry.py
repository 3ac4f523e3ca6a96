"""A comparison that goes on as a job, and what it has found so far."""

from __future__ import annotations

from dataclasses import dataclass

from trellislib import Advice, advise
from trellislib.data import Dataset
from trellislib.running.progress import Cancelled, Progress


@dataclass(eq=False)
class Inquiry:
    """What is asked about a data set; called by the worker, read by pages."""

    data: Dataset
    score: str
    seconds: float
    advice: Advice | None = None

    def __call__(self, progress: Progress, cancelled: Cancelled) -> Advice:
        self._keep(
            advise(
                self.data,
                self.score,
                self.seconds,
                progress=progress,
                cancelled=cancelled,
                so_far=self._keep,
            )
        )
        assert self.advice is not None
        return self.advice

    def _keep(self, advice: Advice) -> None:
        self.advice = advice
