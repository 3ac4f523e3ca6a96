"""How much memory a job may take, and the error before it starts if it would take more."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from math import inf
from numbers import Real
from pathlib import Path
from typing import NamedTuple

from scipy import sparse

from trellislib.typing import Matrix

GIB = 2**30
FLOAT = 8  # bytes
VARIABLE = "TRELLISLIB_MEMORY"
CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

_limit: ContextVar[float | None] = ContextVar("memory_limit", default=None)


class MemoryBudgetError(MemoryError):
    """A job that would take more memory than it may."""


class Size(NamedTuple):
    """How large data are.

    Attributes
    ----------
    n_instances, n_features : int
        The shape of the features.
    n_columns : int
        Number of labels, or where some have more than two values the sum of their numbers of values less one.
    dense_features, dense_labels : bool
        Whether they are arrays, and not CSR.
    """

    n_instances: int
    n_features: int
    n_columns: int
    dense_features: bool = True
    dense_labels: bool = True

    @classmethod
    def of(cls, X: Matrix, Y: Matrix, n_columns: int) -> Size:
        """Return the size of features and labels with so many indicator columns."""
        return cls(X.shape[0], X.shape[1], n_columns, not sparse.issparse(X), not sparse.issparse(Y))


@dataclass(frozen=True)
class Need:
    """What a job takes at least, roughly.

    Attributes
    ----------
    n_bytes : float
        How much.
    what : str
        What takes most of it.
    instead : str
        What takes less, as advice: "use ...".
    """

    n_bytes: float
    what: str
    instead: str

    def __add__(self, other: Need) -> Need:
        """Return the need of both, in the words of the larger one."""
        larger = max(self, other, key=lambda need: need.n_bytes)
        return replace(larger, n_bytes=self.n_bytes + other.n_bytes)

    def refuse(self, who: str) -> None:
        """Raise an error in one sentence if it is more than `memory_budget`.

        Raises
        ------
        MemoryBudgetError
            If it is.
        """
        budget = memory_budget()
        if self.n_bytes > budget:
            raise MemoryBudgetError(
                f"{who} would need about {_size(self.n_bytes)} for {self.what}, more than the budget of "
                f"{_size(budget)}: {self.instead}, or raise the budget ({VARIABLE}, in GiB)."
            )


@contextmanager
def limited_memory(gib: float) -> Iterator[None]:
    """Let jobs in this block take at most so many GiB.

    Raises
    ------
    ValueError
        If it is no number above 0.

    Examples
    --------
    >>> with limited_memory(1):
    ...     Need(3 * 2**30, "a matrix of all pairs", "use a trellis").refuse("A chain")
    Traceback (most recent call last):
    trellislib.running.memory.MemoryBudgetError: A chain would need about 3 GiB for a matrix of all pairs, more than \
the budget of 1 GiB: use a trellis, or raise the budget (TRELLISLIB_MEMORY, in GiB).
    """
    if not isinstance(gib, Real) or not gib > 0:
        raise ValueError(f"Got a memory limit of {gib!r}, but expected a number of GiB above 0.")
    token = _limit.set(float(gib) * GIB)
    try:
        yield
    finally:
        _limit.reset(token)


def memory_budget() -> float:
    """Return how many bytes a job may take.

    That is the limit of `limited_memory`, else the environment variable ``TRELLISLIB_MEMORY`` (in GiB), else what the
    machine or container has; infinite where nobody knows.
    """
    limit = _limit.get()
    if limit is not None:
        return limit
    if VARIABLE in os.environ:
        try:
            return float(os.environ[VARIABLE]) * GIB
        except ValueError:
            raise ValueError(
                f"Got {VARIABLE}={os.environ[VARIABLE]!r}, but expected a number of GiB, as in {VARIABLE}=2."
            ) from None
    return min([_of_machine(), *(_of_container(Path(path)) for path in CGROUP_LIMITS)])


def _of_machine() -> float:
    try:
        return float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):  # not every system has it
        return inf


def _of_container(path: Path) -> float:
    try:
        return float(path.read_text())
    except (OSError, ValueError):  # no such limit, or "max"
        return inf


def _size(n_bytes: float) -> str:
    size, unit = (n_bytes / GIB, "GiB") if n_bytes >= GIB else (n_bytes / 2**20, "MiB")
    return f"{size:,.0f} {unit}" if size >= 10 else f"{size:.2g} {unit}"
