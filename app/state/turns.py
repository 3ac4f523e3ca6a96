"""Whose work is next: visitors take turns, and each has one piece of work at a time."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from joblib import cpu_count

if TYPE_CHECKING:
    from state.jobs import Job, Work

MOST_REMEMBERED = 1000  # visitors of whom it is known when they had their last turn


@dataclass(frozen=True, eq=False)
class _Waiting:
    visitor: str
    job: Job
    work: Work


class Turns:
    """Work that waits for one of so many places.

    A visitor's second piece of work waits until everybody's first has begun, so that nobody holds up others by asking
    for much. One visitor never has two at work, whose times would be measured together.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._lock = threading.Lock()
        self._waiting: list[_Waiting] = []
        self._at_work: set[str] = set()
        self._last: dict[str, None] = {}  # visitors in the order of their last turns

    def take(self, visitor: str, job: Job, work: Work) -> None:
        """Let work wait for its turn, and begin it on a thread of its own."""
        with self._lock:
            self._waiting.append(_Waiting(visitor, job, work))
        self._begin()

    def ahead(self, job: Job) -> int:
        """Return how many pieces of work end or begin before a job that waits."""
        with self._lock:
            order = [one.job for one in self._ordered()]
            return len(self._at_work) + order.index(job) if job in order else 0

    def _begin(self) -> None:
        """Start waiting work while there are free places."""
        with self._lock:
            for one in self._ordered():
                if len(self._at_work) == self.places:
                    break
                if one.visitor not in self._at_work:
                    self._waiting.remove(one)
                    self._at_work.add(one.visitor)
                    self._last.pop(one.visitor, None)
                    self._last[one.visitor] = None
                    threading.Thread(target=self._do, args=(one,), daemon=True).start()
            while len(self._last) > MOST_REMEMBERED:
                del self._last[next(iter(self._last))]

    def _do(self, one: _Waiting) -> None:
        try:
            one.job.run(one.work)
        finally:
            with self._lock:
                self._at_work.discard(one.visitor)
            self._begin()

    def _ordered(self) -> list[_Waiting]:
        """Return the waiting work in the order of its turns: first that of visitors whose last turn is longest ago."""
        self._waiting = [one for one in self._waiting if one.job.state == "waiting"]
        last = {visitor: place for place, visitor in enumerate(self._last)}
        asked: Counter[str] = Counter()
        keys = {}
        for place, one in enumerate(self._waiting):
            asked[one.visitor] += 1
            keys[one] = (asked[one.visitor], last.get(one.visitor, -1), place)
        return sorted(self._waiting, key=keys.__getitem__)


TURNS = Turns(cpu_count())  # of this server; no page can forget it
