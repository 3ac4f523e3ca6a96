"""Progress and cancel: two plain callables, handed down by whoever watches."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called as ``progress(done, total, what)``."""

Cancelled = Callable[[], bool]
"""Asked once per label or block; work stops when it answers true."""


class CancelledError(Exception):
    """The work was cancelled by the one who asked for it."""


def stop_if(cancelled: Cancelled | None) -> None:
    """Raise `CancelledError` if `cancelled` answers true."""
    if cancelled is not None and cancelled():
        raise CancelledError("cancelled")


def part_of(progress: Progress | None, number: int, of: int) -> Progress | None:
    """Return what tells the progress of one of several like parts, the first being number 0, as that of the whole."""
    if progress is None:
        return None
    tell = progress
    return lambda done, total, what: tell(number * total + done, of * total, what)
