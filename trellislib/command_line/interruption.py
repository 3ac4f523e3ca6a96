"""Ctrl-C: the first time asks the work to stop where it can be kept, the second time stops it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from trellislib.running.progress import Cancelled

MESSAGE = b"\nStopping after the label that is being fitted; Ctrl-C again stops at once.\n"


@contextmanager
def interruptible() -> Iterator[Cancelled]:
    """Give what answers true once an interrupt came; the next one raises KeyboardInterrupt, as it does elsewhere."""
    asked = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        with suppress(OSError):  # print() must not be called while it may be at work
            os.write(2, MESSAGE)

    if threading.current_thread() is not threading.main_thread():  # where no signal arrives
        yield asked.is_set
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)
