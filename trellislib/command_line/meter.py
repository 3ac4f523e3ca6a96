"""Progress on one line of a terminal, or on plain lines now and then where there is none."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

from trellislib.running.progress import duration

REDRAWN = 0.1  # seconds between two states of the line
LINES = 10.0  # seconds between two lines where there is no terminal
ESTIMATED = 0.02  # share of the work from which on the time that is left is estimated


class Meter:
    """Shows how far some work is; called as `trellislib.running.progress.Progress`.

    Parameters
    ----------
    stream : text file, optional
        Where to; by default the standard error.
    clock : callable
        Gives the time in seconds.

    Examples
    --------
    >>> Meter(sys.stdout)(1, 4, "IC on Yeast, fit 1 of 2")
    25%  IC on Yeast, fit 1 of 2
    """

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._started = clock()
        self._written = -float("inf")
        self._line = self._stream.isatty()
        self._width = 0

    def __call__(self, done: int, total: int, what: str) -> None:
        """Write it, unless something was written just before."""
        now = self._clock()
        if now - self._written < (REDRAWN if self._line else LINES):
            return
        self._written = now
        share = min(done / max(total, 1), 1.0)
        elapsed = now - self._started
        left = f"  {duration(elapsed * (1 / share - 1))} left" if share > ESTIMATED and elapsed > 1 else ""
        self._write(f"{share:.0%}  {what}{left}")

    def _write(self, text: str) -> None:
        if not self._line:
            print(text, file=self._stream, flush=True)
            return
        room = shutil.get_terminal_size().columns - 1
        text = text if len(text) <= room else f"{text[: room - 1]}…"
        print(f"\r{text.ljust(self._width)}", end="", file=self._stream, flush=True)
        self._width = len(text)

    def clear(self) -> None:
        """Leave the line empty for what comes next."""
        if self._line and self._width:
            print(f"\r{' ' * self._width}\r", end="", file=self._stream, flush=True)
            self._width = 0
