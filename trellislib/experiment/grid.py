"""The fits of one data set, one after another or several at a time, each within a budget where there is one."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

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
    """Yield the number and the outcome of each fit as it ends.

    Parameters
    ----------
    dataset : Dataset
        The data of all fits.
    grid : sequence of Fit
        What is to be fitted.
    n_jobs : int or None
        Fits at a time; see `trellislib.experiment.evaluate`.
    budget : Budget, optional
        What a fit may take. Each then runs in a process of its own, which is ended when it takes more.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`.

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
            yield from _side_by_side(fitter, grid, n_jobs, progress, cancelled)


def _one_by_one(
    fitter: Fitter, grid: Sequence[Fit], progress: Progress | None, cancelled: Cancelled | None
) -> Iterator[tuple[int, Outcome]]:
    """Fit one after another, telling progress within each."""
    share = fitter.dataset.n_labels
    for number, fit in enumerate(grid):
        stop_if(cancelled)
        step = _Step(progress, number * share, share, len(grid) * share, fit.what)
        step(0, 1, fit.what)
        yield number, fitter(fit.method, fit.train, fit.test, step)
        step(1, 1, fit.what)


def _side_by_side(
    fitter: Fitter,
    grid: Sequence[Fit],
    n_jobs: int | None,
    progress: Progress | None,
    cancelled: Cancelled | None,
) -> Iterator[tuple[int, Outcome]]:
    """Fit several at a time, telling progress as each ends."""
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


@dataclass(frozen=True)
class _Step:
    """Progress within one fit, told as progress of the whole."""

    progress: Progress | None
    before: int
    share: int
    total: int
    what: str

    def __call__(self, done: int, of: int, _: str) -> None:
        if self.progress is not None:
            self.progress(self.before + done * self.share // of, self.total, self.what)
