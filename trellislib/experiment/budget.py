"""What a fit may take, and the processes of their own in which fits are ended when they take more."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.data.dataset import Dataset
from trellislib.experiment.fits import Details, Outcome, fit_and_score
from trellislib.running.apart import ApartError, Worker
from trellislib.running.progress import Cancelled, Progress


@dataclass(frozen=True)
class Budget:
    """What a single fit may take; a fit that takes more does not finish.

    Parameters
    ----------
    seconds : float, optional
        Time for training, prediction and scoring. Within 60 s more its process must have begun.
    gib : float, optional
        Memory of the process that does it, all of it: Python and the data set too.

    Raises
    ------
    ValueError
        If one of them is no number above 0.

    Examples
    --------
    >>> print(Budget(seconds=86_400, gib=2))
    86,400 s and 2 GiB a fit
    """

    seconds: float | None = None
    gib: float | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "gib"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, Real) and float(value) > 0):
                raise ValueError(f"Got {name}={value!r} as the budget of a fit, but expected a number above 0.")

    def __str__(self) -> str:
        parts = [f"{self.seconds:,.6g} s"] if self.seconds else []
        parts += [f"{self.gib:,.4g} GiB"] if self.gib else []
        return f"{' and '.join(parts)} a fit" if parts else "no limit"

    def covers(self, seconds: float | None, gib: float | None) -> bool:
        """Return whether another budget allows no more than this one, in time and in memory."""
        return all(
            mine is None or (other is not None and other <= mine)
            for mine, other in ((self.seconds, seconds), (self.gib, gib))
        )


class Fitter:
    """Fits methods on one data set: here, or within a budget in processes of its own, which are used again.

    Calls may come from several threads. Where it is sent to another process, that one starts its own.

    Parameters
    ----------
    dataset : Dataset
        The data of all fits.
    budget : Budget, optional
        What each may take.
    cancelled : callable, optional
        See `trellislib.running.progress`. It stays here where the fitter is sent elsewhere.
    """

    def __init__(self, dataset: Dataset, budget: Budget | None = None, cancelled: Cancelled | None = None) -> None:
        self._idle: list[Worker] = []
        self._is_closed = False
        self.dataset = dataset
        self.budget = budget
        self.cancelled = cancelled

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_idle": [], "cancelled": None}

    def __call__(
        self, method: BaseEstimator, train: np.ndarray, test: np.ndarray, progress: Progress | None = None
    ) -> Outcome:
        """Return what came of one fit; see `trellislib.experiment.fits.fit_and_score`.

        Within a budget it is also cancelled in the middle of a label, and the row has ``memory_mib``.

        Raises
        ------
        CancelledError
            When `cancelled` answers true.
        """
        if self.budget is None:
            return fit_and_score(self.dataset, method, train, test, progress, self.cancelled)
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = Worker(self.dataset)
        details: Details = {}
        limits = {"seconds": self.budget.seconds, "gib": self.budget.gib}
        try:
            row, details = worker.call(
                fit_and_score, (method, train, test), **limits, progress=progress, cancelled=self.cancelled
            )
            if self.budget != Budget():  # without a limit nobody asks, and the row is as one of here
                row |= {"memory_mib": worker.peak / 2**20}
        except ApartError as error:
            row = {"status": f"over {error.over}" if error.over else "failed", "reason": str(error)}
            row |= {"memory_mib": error.peak / 2**20} if error.over else {}
        if worker.is_alive:
            self._idle.append(worker)
        if self._is_closed:  # by another thread, while this one waited
            self.close()
        return row, details

    def close(self) -> None:
        """End the processes that wait for the next fit; those that are in one end with it."""
        self._is_closed = True
        with suppress(IndexError):
            while True:
                self._idle.pop().end()

    def __del__(self) -> None:
        self.close()
