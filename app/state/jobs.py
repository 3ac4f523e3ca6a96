"""Work off the script thread: it goes on while pages come and go, reports its progress, and can be cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from state.turns import TURNS
from trellislib.running.progress import CancelledError, about

CLICK = 1.5  # seconds of a click in addition to its work: the page is drawn twice, and looks once a second for the end
UNWATCHED = 1800.0  # seconds after which a job that no page looks at is ended

Work = Callable[[Callable[[int, int, str], None], Callable[[], bool]], Any]
"""Does the work, given ``progress(done, total, what)`` and ``cancelled()``, and returns its result."""


def about_wait(seconds: float) -> str:
    """Return in words about how long it takes until work of so many seconds, started by a click, is on the page."""
    return f"about {about(CLICK + seconds)}"


@dataclass
class Job:
    """One piece of work and its progress. The worker writes, pages read."""

    state: str = "waiting"  # then running, perhaps cancelling, and at last done, cancelled or failed
    done: int = 0
    total: int = 1
    what: str = ""
    result: Any = None
    error: str = ""
    started: float | None = None
    ended: float | None = None
    work: Work | None = None  # what it does until it has ended, which may keep what it has found so far
    _seen: float = field(default_factory=time.monotonic)
    _cancel: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_active(self) -> bool:
        return self.state in ("waiting", "running", "cancelling")

    @property
    def share(self) -> float:
        """How much of the work is done, from 0 to 1."""
        return min(self.done / max(self.total, 1), 1.0)

    @property
    def elapsed(self) -> float:
        """Seconds since the work began."""
        if self.started is None:
            return 0.0
        return (self.ended or time.monotonic()) - self.started

    @property
    def left(self) -> float | None:
        """Seconds that the rest will take at the pace so far; None while that is not known."""
        return self.elapsed * (1 / self.share - 1) if self.share > 0.02 else None

    @property
    def ahead(self) -> int:
        """How many others begin or end before this one, which waits for its turn."""
        return TURNS.ahead(self)

    def watch(self) -> None:
        """Say that a page looks at this job, so that it is not ended as forgotten."""
        self._seen = time.monotonic()

    def cancel(self) -> None:
        """Ask the worker to stop; it keeps what was finished. A process of its own ends within a label."""
        self._cancel.set()
        with self._lock:
            if self.state == "waiting":
                self.state = "cancelled"
            elif self.is_active:
                self.state = "cancelling"

    def run(self, work: Work) -> None:
        """Do the work, on the worker's thread, unless it was cancelled while it waited."""
        with self._lock:
            if self.state != "waiting":
                return
            self.state, self.started = "running", time.monotonic()
        try:
            self.result = work(self._progress, self._cancelled)
            outcome = "cancelled" if self._cancel.is_set() else "done"
        except CancelledError:
            outcome = "cancelled"
        except Exception as error:  # shown to the user as a sentence; the thread must not die silently
            self.error, outcome = str(error) or type(error).__name__, "failed"
        with self._lock:
            self.ended, self.state, self.work = time.monotonic(), outcome, None

    def _progress(self, done: int, total: int, what: str) -> None:
        self.done, self.total, self.what = done, total, what

    def _cancelled(self) -> bool:
        if time.monotonic() - self._seen > UNWATCHED:
            self.cancel()
        return self._cancel.is_set()


def start(work: Work, visitor: str) -> Job:
    """Start `work` on a thread of its own, when it is the visitor's turn."""
    job = Job(work=work)
    TURNS.take(visitor, job, work)
    return job
