"""Files read in a process of its own: one that takes too long or too much memory holds nobody up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from trellislib.data.dataset import DataError
from trellislib.data.reading.source import Source
from trellislib.running.apart import ApartError, Worker
from trellislib.running.memory import GIB, memory_budget
from trellislib.running.progress import Cancelled, Progress
from trellislib.wording import agreed, listed

T = TypeVar("T")

SECONDS = 4.0  # of the processor for any files, and
SECONDS_PER_MB = 10.0  # for each MB of them: tables take 0.01 to 1.4, and packed ones up to 7
LEAST_GIB = 1.0
COPIES = 30  # of the files, of which their tables and what it takes to make them may have the size
MOST_IDLE = 2  # processes that wait for the next files

_idle: list[Worker] = []
_lock = threading.Lock()


def read_apart(
    read: Callable[[list[Source]], T], files: Sequence[tuple[str, bytes]], cancelled: Cancelled | None = None
) -> T:
    r"""Return what `read` makes of files, in a process that is ended where they take too much.

    Parameters
    ----------
    read : callable
        Takes a `Source` for each file; what it returns comes from the other process.
    files : sequence of (name, content)
        Content as bytes.
    cancelled : callable, optional
        Asked twenty times a second; where it answers true or raises, the process is ended.

    Raises
    ------
    DataError
        What `read` raises, and where it takes more processor time or memory than files of this size may.
    CancelledError
        When `cancelled` answers true.

    Examples
    --------
    >>> from trellislib.data import gather
    >>> sets, errors = read_apart(gather, [("sky.csv", b"x,sunny\n0.5,1\n0.1,0\n")])
    >>> sets[0].table.columns
    ('x', 'sunny')
    """
    names = [name for name, _ in files]
    n_bytes = sum(len(content) for _, content in files)
    seconds = round(SECONDS + SECONDS_PER_MB * n_bytes / 1e6, 1)
    gib = max(LEAST_GIB, round(min(memory_budget() / GIB, LEAST_GIB + COPIES * n_bytes / GIB), 1))
    worker = _take()
    try:
        return worker.call(_read, (read, tuple(files)), processor_seconds=seconds, gib=gib, cancelled=cancelled)
    except ApartError as error:
        takes = f"{agreed(len(names), 'takes', 'take')} more than"
        if error.over == "time":
            reason = f"{takes} {seconds:g} s of the processor to read"
        elif error.over == "memory":
            reason = f"{takes} {gib:g} GiB of memory to read"
        else:
            reason = f"cannot be read: {str(error)[:1].lower()}{str(error)[1:].rstrip('.')}"
        raise DataError(f"{listed(names)}: {reason}; save {agreed(len(names), 'it', 'them')} as CSV.", names) from error
    finally:
        _give_back(worker)


def _take() -> Worker:
    """Return a process that waits, or a new one."""
    with _lock:
        while _idle:
            worker = _idle.pop()
            if worker.is_running:
                return worker
    return Worker()


def _give_back(worker: Worker) -> None:
    """Let a process wait for the next files, or end it."""
    with _lock:
        is_kept = worker.is_alive and len(_idle) < MOST_IDLE
        if is_kept:
            _idle.append(worker)
    if not is_kept:
        worker.end()


def _read(_: None, read: Callable[[list[Source]], T], files: Sequence[tuple[str, bytes]], __: Progress) -> T:
    return read([Source(content, name) for name, content in files])
