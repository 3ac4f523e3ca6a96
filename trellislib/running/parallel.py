"""Work that is a grid: one function, many arguments, one call after another or several at once.

joblib alone decides where the calls run: here, in threads, in other processes or, inside
``joblib.parallel_config(backend="dask")``, on the workers of a Dask cluster that is already there. A call that runs
next to others does its own work serially, on one BLAS thread, so that workers are not asked for more than they have.
Results are those of one call after another, but for the last digit of a sum, which depends on how an array lies in
memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, Generic, TypeVar

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs, parallel_config
from joblib.parallel import get_active_backend

from trellislib.running.memory import GIB, limited_memory, memory_budget
from trellislib.running.progress import Cancelled, CancelledError, stop_if
from trellislib.running.threads import one_blas_thread

T = TypeVar("T")


class Shared(Generic[T]):
    """What all calls of a grid take.

    Its size is that of the arrays in it. joblib's Dask backend asks for it, and sends what is large once to a worker,
    not with every call; calls on one worker then share what the value computes once and keeps.

    Parameters
    ----------
    value : object
        What the calls take.
    """

    def __init__(self, value: T) -> None:
        self.value = value

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + _n_bytes(self.value)


def _n_bytes(thing: object, depth: int = 5) -> int:
    """Return the bytes of the arrays that are attributes of `thing`, or of its attributes, down to some depth."""
    if isinstance(thing, np.ndarray):
        return thing.nbytes
    parts = list(getattr(thing, "__dict__", {}).values()) if depth else []
    return sum(_n_bytes(part, depth - 1) for part in parts)


def jobs_at_once(n_jobs: int | None, n_calls: int) -> int:
    """Return how many of `n_calls` run at a time; 1 means one after another, here.

    `n_jobs` is as joblib counts: -1 is as many as there are; None is as ``joblib.parallel_config`` has it, else 1.
    """
    return min(effective_n_jobs(n_jobs), n_calls) if n_calls > 1 else 1


def finished(
    function: Callable[..., Any],
    shared: Shared,
    arguments: Sequence[tuple],
    n_jobs: int | None,
    *,
    prefer: str | None = None,
    cancelled: Cancelled | None = None,
) -> Iterator[tuple[int, Any]]:
    """Yield the number and the result of each call ``function(shared.value, *arguments[number])`` as it finishes.

    Parameters
    ----------
    function : callable
        What is called; for other processes it must be importable.
    shared : Shared
        What all calls take.
    arguments : sequence of tuple
        What each call takes in addition.
    n_jobs : int or None
        See `jobs_at_once`.
    prefer : {"threads", "processes"}, optional
        What serves best where no backend is chosen by ``joblib.parallel_config``.
    cancelled : callable, optional
        Asked before each call, or where several run at once, before each wait for the next to finish.

    Raises
    ------
    CancelledError
        When `cancelled` answers true; calls that have begun are given up.
    ImportError
        If the workers of a Dask cluster lack this library.
    TypeError
        If what must be sent to another process cannot be pickled.
    """
    at_once = jobs_at_once(n_jobs, len(arguments))
    if at_once == 1:
        for number, of_call in enumerate(arguments):
            stop_if(cancelled)
            yield number, function(shared.value, *of_call)
        return
    stop_if(cancelled)
    _refuse_what_dask_waits_for(shared, arguments)
    parallel = Parallel(n_jobs=at_once, prefer=prefer, return_as="generator_unordered")
    budget = memory_budget()  # which threads and processes would not know
    calls = (delayed(_call)(function, shared, number, of_call, budget) for number, of_call in enumerate(arguments))
    results = parallel(calls)
    n_left = len(arguments)
    for number, result in results:
        n_left -= 1
        yield number, result
        if n_left and cancelled is not None and cancelled():
            results.throw(CancelledError("cancelled"))  # unlike close(), joblib takes this without a warning


def _call(
    function: Callable[..., Any], shared: Shared, number: int, arguments: tuple, budget: float
) -> tuple[int, Any]:
    with parallel_config(backend="sequential"), one_blas_thread(), limited_memory(budget / GIB):
        return number, function(shared.value, *arguments)


def _refuse_what_dask_waits_for(shared: Shared, arguments: Sequence[tuple]) -> None:
    """Raise what joblib's Dask backend would not: it waits for ever for a call that cannot be sent or received."""
    backend, _ = get_active_backend()
    client = getattr(backend, "client", None)
    if client is None:
        return
    import cloudpickle  # what Dask itself needs and uses

    cloudpickle.dumps((shared, arguments), protocol=5, buffer_callback=lambda _: None)  # arrays are not copied
    try:
        client.run(import_module, __name__)
    except ImportError as error:
        raise ImportError(f"The workers of the Dask cluster must have trellislib: {error}.") from error
