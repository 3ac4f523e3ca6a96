"""One BLAS thread, for as long as anybody wants it: for small products, several threads wait longer than they work.

The number of BLAS threads belongs to the process. Two pieces of work that each set and restore it would undo each
other's setting; here the first one sets it and the last one restores it. threadpoolctl lets one thread at a time
control OpenBLAS and ignores the others, so the control is taken first and given up afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from threadpoolctl import OpenBLASController, get_cached_controller

SMALL = 2**18  # multiplications of a product, below which OpenBLAS takes one thread by itself,
LARGE = 2**30  # and from which on it gains by several


class _Limit:
    """How many want one thread, and what restores the number that was before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted = 0
        self._limits: Any = None

    def take(self) -> None:
        with self._lock:
            self._wanted += 1
            if self._limits is None:
                OpenBLASController.clear_controlling_thread(force=True)
                # Of the libraries found before: to look for them takes longer than many a small fit.
                self._limits = get_cached_controller().limit(limits=1, user_api="blas")

    def leave(self) -> None:
        with self._lock:
            self._wanted -= 1
            if self._wanted == 0 and self._limits is not None:
                OpenBLASController.clear_controlling_thread(force=True)
                self._limits.restore_original_limits()
                self._limits = None
                OpenBLASController.clear_controlling_thread(force=True)


_limit = _Limit()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Run the block with one BLAS thread; the former number is restored when the last such block ends."""
    _limit.take()
    try:
        yield
    finally:
        _limit.leave()


def blas_threads_for(n_multiplications: float) -> AbstractContextManager[None]:
    """Run the block with one BLAS thread, unless its products are large enough to gain by all that there are."""
    return one_blas_thread() if SMALL <= n_multiplications < LARGE else nullcontext()
