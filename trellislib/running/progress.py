"""Progress and cancel, two plain callables handed down by whoever watches; and durations as text."""

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
    """Return the progress of one of several like parts, numbered from 0, that reports it as that of the whole."""
    if progress is None:
        return None
    report = progress
    return lambda done, total, what: report(number * total + done, of * total, what)


def duration(seconds: float) -> str:
    """Return a time as people read it.

    Examples
    --------
    >>> duration(0.31), duration(130), duration(7500), duration(0.000018)
    ('0.31 s', '2 min 10 s', '2 h 5 min', '<0.0001 s')
    """
    if 0 < seconds < 1e-4:
        return "<0.0001 s"
    if seconds < 10:
        return f"{seconds:.2g} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def about(seconds: float) -> str:
    """Return an estimate of a time, no more exact than it is.

    Examples
    --------
    >>> about(0.31), about(9.7), about(130), about(7500)
    ('0.3 s', '10 s', '2 min', '2.1 h')
    """
    if seconds < 9.5:
        return f"{seconds:.1g} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:,.2g} h"
