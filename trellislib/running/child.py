"""The side of a process that works apart: it reads jobs, answers, and ends with whoever started it."""

from __future__ import annotations

import gc
import os
import pickle
import random
import signal
import threading
import time
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from typing import Any, BinaryIO

import numpy as np
import psutil

from trellislib.running.memory import limited_memory
from trellislib.running.threads import one_blas_thread
from trellislib.wording import sentence

PROGRESS_EVERY = 0.1  # seconds between two reports of progress


def serve(source: BinaryIO) -> None:
    """Read the folder and the environment, what is held, and then one (function, arguments, GiB or None) after another.

    Each of them is answered.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process ends it
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a base learner prints must not be taken for an answer
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # nor may it read the next job
    os.close(nothing)
    random.seed()  # a forked process begins with the state of the one that it comes from
    np.random.seed()
    gc.freeze()  # what is imported stays, and need not be looked through after each job
    jobs: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_read, args=(source, answers, jobs), daemon=True).start()
    folder, environment = jobs.get()
    with suppress(OSError, TypeError):
        os.chdir(folder)
    os.environ.update(environment)
    held = jobs.get()
    while True:
        function, arguments, gib = jobs.get()
        _send(answers, "started", None)
        with ExitStack() as limits:
            limits.enter_context(one_blas_thread())
            if gib is not None:
                limits.enter_context(limited_memory(gib))
            try:
                kind, content = "returned", function(held, *arguments, _Progress(answers))
            except SystemExit as error:
                kind, content = "raised", RuntimeError(f"It asked Python to exit, with code {error.code}.")
            except Exception as error:
                kind, content = "raised", error
        answers.write(_packed(kind, content))
        answers.flush()
        del function, arguments, content
        gc.collect()  # what one job leaves must not count as memory of the next


def _read(source: BinaryIO, answers: BinaryIO, jobs: SimpleQueue[Any]) -> None:
    """Queue what comes, and end the process when nothing can come any more, even in the middle of a job."""
    try:
        while True:
            jobs.put(pickle.load(source))
    except (EOFError, pickle.UnpicklingError):  # nobody is there any more, perhaps since the middle of a message
        pass
    except Exception as error:  # a module that is not there, or whatever a method raises when it is read
        with suppress(OSError):
            _send(answers, "unreadable", sentence(error))
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            process.kill()
    os._exit(0)


def _packed(kind: str, content: object) -> bytes:
    """Return an answer as it is sent; of what cannot be, or cannot be read there, an error that says so."""
    try:
        packed = pickle.dumps((kind, content), protocol=pickle.HIGHEST_PROTOCOL)
        if kind == "raised":
            pickle.loads(packed)
    except Exception as error:
        reason = content if isinstance(content, Exception) else error
        return pickle.dumps(("raised", RuntimeError(sentence(reason))))
    return packed


def _send(answers: BinaryIO, kind: str, content: object) -> None:
    pickle.dump((kind, content), answers, protocol=pickle.HIGHEST_PROTOCOL)
    answers.flush()


class _Progress:
    """Progress, reported now and then."""

    def __init__(self, answers: BinaryIO) -> None:
        self._answers = answers
        self._reported = 0.0

    def __call__(self, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if now - self._reported > PROGRESS_EVERY:
            self._reported = now
            _send(self._answers, "progress", (done, total, what))
