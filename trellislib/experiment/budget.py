"""What a fit may take, and the process of its own in which it is ended when it takes more."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import cloudpickle
import numpy as np
import psutil
from sklearn.base import BaseEstimator

from trellislib.data.dataset import Dataset
from trellislib.experiment.fits import Outcome, fit_and_score
from trellislib.memory import GIB
from trellislib.progress import Cancelled, CancelledError, Progress

LOOKS = 0.05  # seconds between looks at the clock and at the memory of a process
START = (
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from trellislib.experiment.worker import serve; serve()"
)


@dataclass(frozen=True)
class Budget:
    """What a single fit may take; a fit that takes more does not finish.

    Parameters
    ----------
    seconds : float, optional
        Time for training, prediction and scoring.
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
            if value is not None and not (isinstance(value, (int, float)) and value > 0):
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
    """

    def __init__(self, dataset: Dataset, budget: Budget | None = None) -> None:
        self.dataset = dataset
        self.budget = budget
        self._idle: list[_Worker] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_idle": []}

    def __call__(
        self,
        method: BaseEstimator,
        train: np.ndarray,
        test: np.ndarray,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Outcome:
        """Return what came of one fit; see `trellislib.experiment.fits.fit_and_score`.

        Within a budget it is also cancelled in the middle of a label, and the row tells ``memory_mib``.

        Raises
        ------
        CancelledError
            When `cancelled` answers true.
        """
        if self.budget is None:
            return fit_and_score(self.dataset, method, train, test, progress, cancelled)
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = _Worker(self.dataset)
        try:
            outcome = worker.fit((method, train, test, self.budget.gib), self.budget, progress, cancelled)
        except BaseException:
            worker.end()
            raise
        if worker.is_alive:
            self._idle.append(worker)
        return outcome

    def close(self) -> None:
        """End the processes that wait for the next fit."""
        while self._idle:
            self._idle.pop().end()

    def __del__(self) -> None:
        self.close()


class _Worker:
    """A process that fits; see `trellislib.experiment.worker` for its side."""

    def __init__(self, dataset: Dataset) -> None:
        self._process = subprocess.Popen([sys.executable, "-c", START], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._answers: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self.is_alive = True
        threading.Thread(target=self._listen, daemon=True).start()
        self._tell(sys.path)
        self._tell(dataset)

    def _tell(self, message: object) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        with suppress(BrokenPipeError):  # a process that has ended says so by itself
            cloudpickle.dump(message, stdin, protocol=pickle.HIGHEST_PROTOCOL)
            stdin.flush()

    def _listen(self) -> None:
        """Queue what the process says, until it ends."""
        stdout = self._process.stdout
        assert stdout is not None
        with suppress(EOFError, pickle.UnpicklingError, OSError, ValueError):
            while True:
                self._answers.put(pickle.load(stdout))
        self._answers.put(("ended", None))

    def fit(
        self, job: tuple, budget: Budget, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> Outcome:
        """Return what came of a fit; afterwards the process may have been ended."""
        self._tell(job)
        process = psutil.Process(self._process.pid)
        started = None
        peak = 0.0
        while True:
            with suppress(Empty):
                kind, content = self._answers.get(timeout=LOOKS)
                if kind == "started":
                    started = time.monotonic()
                elif kind == "progress" and progress is not None:
                    progress(*content)
                elif kind == "outcome":
                    row, of_labels = content
                    return row | {"memory_mib": max(peak, _held(process)) / 2**20}, of_labels
                elif kind == "ended":
                    return self._ended(), None
            if cancelled is not None and cancelled():
                raise CancelledError("cancelled")
            peak = max(peak, _held(process))
            if budget.gib is not None and peak > budget.gib * GIB:
                return self._over("memory", f"held more than {budget.gib:g} GiB", peak), None
            if budget.seconds is not None and started and time.monotonic() - started > budget.seconds:
                return self._over("time", f"took more than {budget.seconds:,.6g} s", peak), None

    def _ended(self) -> dict[str, Any]:
        self.end()
        code = self._process.returncode
        how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
        return {"status": "failed", "reason": f"Its process {how}, perhaps by the system for lack of memory."}

    def _over(self, what: str, reason: str, peak: float) -> dict[str, Any]:
        self.end()
        return {"status": f"over {what}", "reason": f"It {reason}.", "memory_mib": peak / 2**20}

    def end(self) -> None:
        """End the process, whatever it does."""
        self.is_alive = False
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]


def _held(process: psutil.Process) -> float:
    """Return the bytes that a process and those that it started hold."""
    try:
        return float(sum(one.memory_info().rss for one in [process, *process.children(recursive=True)]))
    except psutil.Error:  # it has just ended
        return 0.0
