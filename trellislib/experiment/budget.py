"""What a fit may take, and the process of its own in which it is ended when it takes more."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

import cloudpickle
import numpy as np
import psutil
from sklearn.base import BaseEstimator

from trellislib.data.dataset import Dataset
from trellislib.experiment.fits import Outcome, fit_and_score, sentence
from trellislib.running.memory import GIB
from trellislib.running.progress import Cancelled, CancelledError, Progress

STARTS = 60.0  # seconds in which a process should be there and have read what it is to do, whatever the budget
LOOKS = 0.05  # seconds between looks at the clock and at the memory of a process
LOOKS_FOR_CHILDREN = 1.0  # seconds between looks for processes that it started, for which all processes are asked
START = (
    "import os, pickle, sys; jobs = os.fdopen(os.dup(0), 'rb'); sys.path[:] = pickle.load(jobs); "
    "from trellislib.experiment.worker import serve; serve(jobs)"
)


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
        self._idle: list[_Worker] = []
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
            worker = _Worker(self.dataset)
        try:
            outcome = worker.fit((method, train, test, self.budget.gib), self.budget, progress, self.cancelled)
        except BaseException:
            worker.end()
            raise
        if worker.is_alive:
            self._idle.append(worker)
        if self._is_closed:  # by another thread, while this one waited
            self.close()
        return outcome

    def close(self) -> None:
        """End the processes that wait for the next fit; those that are in one end with it."""
        self._is_closed = True
        with suppress(IndexError):
            while True:
                self._idle.pop().end()

    def __del__(self) -> None:
        self.close()


class _Worker:
    """A process that fits; see `trellislib.experiment.worker` for its side."""

    def __init__(self, dataset: Dataset) -> None:
        self._process = subprocess.Popen([sys.executable, "-c", START], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert self._process.stdin is not None
        self._stdin = self._process.stdin
        self._memory = _Memory(self._process.pid)
        self._answers: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self.is_alive = True
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            for message in (sys.path, dataset):  # not packed first, which would hold the data twice
                with suppress(OSError):
                    cloudpickle.dump(message, self._stdin, protocol=pickle.HIGHEST_PROTOCOL)
                    self._stdin.flush()
        except BaseException:
            self.end()
            raise

    def _send(self, message: bytes) -> None:
        """Write a message, which may wait in the pipe while the process reads its first part."""
        with suppress(OSError, ValueError):  # the process has ended, which its listener finds
            self._stdin.write(message)
            self._stdin.flush()

    def _listen(self) -> None:
        """Queue the answers of the process, until it and all others that hold its pipe have ended."""
        assert self._process.stdout is not None
        with suppress(Exception), self._process.stdout as stdout:  # an answer cut short can raise anything
            while True:
                self._answers.put(pickle.load(stdout))
        self._answers.put(("ended", None))

    def fit(
        self, job: tuple, budget: Budget, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> Outcome:
        """Return what came of a fit; afterwards the process may have been ended."""
        try:
            message = cloudpickle.dumps(job, protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # whatever keeps a method from being sent is the reason why this fit failed
            reason = f"It cannot be sent to a process of its own: {sentence(error)}"
            return {"status": "failed", "reason": reason}, None
        sent = monotonic()
        threading.Thread(target=self._send, args=(message,), daemon=True).start()
        started = None
        peak = 0.0
        while True:
            was_there = self._process.poll() is None
            try:
                kind, content = self._answers.get(timeout=LOOKS)
            except Empty:  # what a process started may hold on to its pipe
                kind, content = ("waiting" if was_there else "ended"), None
            if kind == "started":
                started = monotonic()
            elif kind == "progress" and progress is not None:
                progress(*content)
            elif kind == "outcome":
                row, of_labels = content
                return row | {"memory_mib": max(peak, self._memory.held()) / 2**20}, of_labels
            elif kind == "unreadable":
                return self._ended(f"It cannot be read in a process of its own: {content}"), None
            elif kind == "ended":
                return self._ended(), None
            if cancelled is not None and cancelled():
                raise CancelledError("cancelled")
            peak = max(peak, self._memory.held())
            if budget.gib is not None and peak > budget.gib * GIB:
                return self._over("memory", f"held more than {budget.gib:g} GiB", peak), None
            if budget.seconds is None:
                continue
            if started is not None and monotonic() - started > budget.seconds:
                return self._over("time", f"took more than {budget.seconds:,.6g} s", peak), None
            if started is None and monotonic() - sent > STARTS + budget.seconds:
                reason = f"had not begun in a process of its own after {STARTS + budget.seconds:,.6g} s"
                return self._over("time", reason, peak), None

    def _ended(self, reason: str | None = None) -> dict[str, Any]:
        self.end()
        return {"status": "failed", "reason": reason or f"Its process {_how_it_ended(self._process.returncode)}."}

    def _over(self, what: str, reason: str, peak: float) -> dict[str, Any]:
        self.end()
        return {"status": f"over {what}", "reason": f"It {reason}.", "memory_mib": peak / 2**20}

    def end(self) -> None:
        """End the process and those that it started, whatever they do."""
        self.is_alive = False
        started = self._memory.children()
        self._process.kill()
        for process in started:
            with suppress(psutil.Error):
                process.kill()
        self._process.wait()
        with suppress(OSError):
            self._stdin.close()
        with suppress(RuntimeError):  # the interpreter is about to end
            self._listener.join(timeout=1)


class _Memory:
    """What a process and those that it started hold."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._children: list[psutil.Process] = []
        self._looked = monotonic()

    def held(self) -> float:
        """Return how many bytes."""
        if monotonic() - self._looked > LOOKS_FOR_CHILDREN:
            self._looked = monotonic()
            self.children()
        held = 0.0
        for process in (self._process, *self._children):
            with suppress(psutil.Error):  # it has just ended
                held += process.memory_info().rss
        return held

    def children(self) -> list[psutil.Process]:
        """Return the processes that it started, and those that these started; once it has ended, the last known."""
        with suppress(psutil.Error):
            self._children = self._process.children(recursive=True) or self._children
        return self._children


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"ended with code {code}"
    if code == -9:
        return "was ended by signal 9, perhaps by the system for lack of memory"
    with suppress(ValueError):
        return f"was ended by signal {-code} ({signal.Signals(-code).name})"
    return f"was ended by signal {-code}"
