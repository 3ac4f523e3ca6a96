"""``trellislib run``: an experiment out of a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from trellislib.command_line.interruption import interruptible
from trellislib.command_line.meter import Meter
from trellislib.command_line.tables import summary
from trellislib.data.writing.csv_text import csv_text
from trellislib.experiment import Results, Store
from trellislib.plan import read_plan
from trellislib.running.progress import Cancelled, Progress

INTERRUPTED = 130  # the exit code after Ctrl-C, as shells have it

Work = Callable[[Progress, Cancelled], Results]


def run_file(options: argparse.Namespace) -> int:
    """Run an experiment, print what came of it, and return the exit code."""
    plan = read_plan(options.file)
    if options.csv and options.csv.suffix != ".csv":
        raise ValueError(f"{options.csv}: expected a name in .csv.")
    store = Store(options.store)
    number = store.begin(plan.title, plan.code)

    def work(progress: Progress, cancelled: Cancelled) -> Results:
        return plan.run(
            store,
            number=number,
            n_jobs=options.n_jobs,
            reuse=not options.again,
            progress=progress,
            cancelled=cancelled,
        )

    results, stopped = watched(work)
    if results is None:
        store.end(number, "cancelled")
        results = store.results([number])
    if options.csv:
        options.csv.write_bytes(csv_text(results.fits).encode())
    print(f"Run {number}, {plan.title}: {_amount(results)}, kept in {store.path}\n")
    if len(results.fits):
        print(summary(results), end="")
    if stopped:
        print(
            f"Interrupted; what was finished is kept. To go on: python -m trellislib run {options.file}"
            + (f" --store {options.store}" if options.store else ""),
            file=sys.stderr,
        )
        return INTERRUPTED
    if results.fits.empty:
        raise ValueError(" ".join(results.notes) or "There was nothing to fit.")
    return 0


def watched(work: Work) -> tuple[Results | None, bool]:
    """Do some work with its progress shown; Ctrl-C stops it.

    Parameters
    ----------
    work : callable
        Called as ``work(progress, cancelled)``.

    Returns
    -------
    results : Results or None
        What it returned; None where it was stopped in the middle.
    stopped : bool
        Whether it was interrupted.
    """
    meter = Meter()
    try:
        with interruptible() as cancelled:
            return work(meter, cancelled), cancelled()
    except KeyboardInterrupt:
        return None, True
    finally:
        meter.clear()


def _amount(results: Results) -> str:
    counts = (
        (len(results.datasets), "data set"),
        (len(results.methods), "method"),
        (len(results.fits), "fit"),
    )
    return ", ".join(f"{count:,} {what}{'s' * (count != 1)}" for count, what in counts)
