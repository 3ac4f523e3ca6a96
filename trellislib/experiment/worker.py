"""The process in which a fit runs within a budget: it reads jobs, answers, and ends with whoever started it."""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
from contextlib import ExitStack
from queue import SimpleQueue
from typing import Any, BinaryIO

from trellislib.experiment.fits import fit_and_score
from trellislib.memory import limited_memory
from trellislib.threads import one_blas_thread

SAYS_PROGRESS = 0.1  # seconds between two words of progress


def serve() -> None:
    """Read a data set, then (method, train, test, GiB or None) after (method, train, test, GiB or None)."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a base learner prints must not be taken for an answer
    jobs: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, jobs), daemon=True).start()
    dataset = jobs.get()
    while True:
        method, train, test, gib = jobs.get()
        _say(answers, "started", None)
        with ExitStack() as limits:
            limits.enter_context(one_blas_thread())
            if gib is not None:
                limits.enter_context(limited_memory(gib))
            _say(answers, "outcome", fit_and_score(dataset, method, train, test, _Progress(answers)))


def _read(stdin: BinaryIO, jobs: SimpleQueue[Any]) -> None:
    """Queue what comes, and end the process when nothing can come any more, even in the middle of a fit."""
    try:
        while True:
            jobs.put(pickle.load(stdin))
    except EOFError:
        os._exit(0)


def _say(answers: BinaryIO, kind: str, content: object) -> None:
    pickle.dump((kind, content), answers, protocol=pickle.HIGHEST_PROTOCOL)
    answers.flush()


class _Progress:
    """Progress, told now and then."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._said = 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if now - self._said > SAYS_PROGRESS:
            self._said = now
            _say(self._answers, "progress", (done, total, what))
