"""A run: one comparison of methods that was started in this visit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sklearn.base import BaseEstimator

from state.jobs import Job
from trellislib.running.progress import duration


@dataclass(frozen=True)
class Run:
    """One comparison that was started here: its number, what it is called, the Python that gives it, and its job.

    Of methods that were chosen on Train, those of each data set by its digest.
    """

    number: int
    name: str
    code: str
    job: Job
    methods: Mapping[str, Mapping[str, BaseEstimator]] = field(default_factory=dict)

    @property
    def is_stored(self) -> bool:
        """Whether its fits go to the results file; the number of one that is only in memory is below 0."""
        return self.number > 0

    @property
    def title(self) -> str:
        return f"{self.number}: {self.name}" if self.is_stored else f"{self.name} (not kept)"

    @property
    def outcome(self) -> str:
        """How it ended, in a few words."""
        if self.job.state == "failed":
            return f"failed: {self.job.error}"
        seconds = duration(self.job.elapsed)
        if self.job.state == "done":
            bad = self.job.result.fits["status"] != "done"
            return f"done in {seconds}" + (f", {bad.sum()} of {len(bad)} fits did not finish" if bad.any() else "")
        n_fits = 0 if self.job.result is None else len(self.job.result.fits)
        return f"cancelled after {seconds}, {n_fits} fits kept"
