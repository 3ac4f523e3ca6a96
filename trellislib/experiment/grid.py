"""The fits of one data set, one after another or several at a time, each within a budget where there is one."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

from trellislib.data.dataset import Dataset
from trellislib.experiment.budget import Budget, Fitter
from trellislib.experiment.fits import Fit, Outcome
from trellislib.running.parallel import Shared, finished, jobs_at_once
from trellislib.running.progress import Cancelled, Progress, stop_if
from trellislib.running.threads import one_blas_thread


def outcomes(
    dataset: Dataset,
    grid: Sequence[Fit],
    n_jobs: int | None,
    *,
    budget: Budget | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Generator[tuple[int, Outcome], None, None]:
    """Yield the number and the outcome of each fit as it ends; parameters are those of `trellislib.experiment.run`.

    Raises
    ------
    CancelledError
        When `cancelled` answers true.
    """
    is_serial = jobs_at_once(n_jobs, len(grid)) == 1
    asked = cancelled if is_serial or budget else None  # elsewhere only as each ends
    with closing(Fitter(dataset, budget, asked)) as fitter, one_blas_thread():
        if is_serial:
            yield from _one_by_one(fitter, grid, progress, cancelled)
        else:
            yield from _several_at_a_time(fitter, grid, n_jobs, progress, cancelled)


def _one_by_one(
    fitter: Fitter, grid: Sequence[Fit], progress: Progress | None, cancelled: Cancelled | None
) -> Iterator[tuple[int, Outcome]]:
    """Fit one after another, with progress within each."""
    share = fitter.dataset.n_labels
    for number, fit in enumerate(grid):
        stop_if(cancelled)
        step = _within(progress, number * share, share, len(grid) * share, fit.what)
        step(0, 1, fit.what)
        yield number, fitter(fit.method, fit.train, fit.test, step)
        step(1, 1, fit.what)


def _several_at_a_time(
    fitter: Fitter,
    grid: Sequence[Fit],
    n_jobs: int | None,
    progress: Progress | None,
    cancelled: Cancelled | None,
) -> Iterator[tuple[int, Outcome]]:
    """Fit several at a time, with progress as each ends."""
    share = fitter.dataset.n_labels
    if progress is not None:
        progress(0, len(grid) * share, f"{len(grid)} fits")
    arguments = [(fit.method, fit.train, fit.test) for fit in grid]
    prefer = None if fitter.budget is None else "threads"  # which wait for the processes of the fits
    results = finished(Fitter.__call__, Shared(fitter), arguments, n_jobs, prefer=prefer, cancelled=cancelled)
    for n_done, (number, outcome) in enumerate(results, 1):
        if progress is not None:
            progress(n_done * share, len(grid) * share, grid[number].what)
        yield number, outcome


def _within(progress: Progress | None, before: int, share: int, total: int, what: str) -> Progress:
    """Return the progress within one fit, which reports it as that of the whole."""

    def report(done: int, of: int, _: str) -> None:
        if progress is not None:
            progress(before + done * share // of, total, what)

    return report
