"""``trellislib run``: an experiment out of a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from trellislib.command_line.interruption import interruptible
from trellislib.command_line.meter import Meter
from trellislib.command_line.tables import summary
from trellislib.data.writing.csv_text import csv_text
from trellislib.experiment import Results, Store
from trellislib.plan import read_plan
from trellislib.plan.archive import read_archive, require_zip, write_archive
from trellislib.running.progress import CancelledError
from trellislib.wording import counted

INTERRUPTED = 130  # the exit code after Ctrl-C, as shells have it

T = TypeVar("T")


def run_file(options: argparse.Namespace) -> int:
    """Run an experiment, print its results, and return the exit code."""
    archive = read_archive(options.file) if options.file.suffix == ".zip" else None
    plan = read_plan(options.file) if archive is None else archive.plan
    if options.archive:
        require_zip(options.archive)
    if options.csv and options.csv.suffix != ".csv":
        raise ValueError(f"{options.csv}: expected a name in .csv.")
    store = Store(options.store)
    number = store.begin(plan.title, plan.code)

    results, stopped = watched(
        partial(plan.run, store, number=number, n_jobs=options.n_jobs, reuse=not options.again and archive is None)
    )
    if results is None:
        store.end(number, "cancelled")
        results = store.results([number])
    if options.csv:
        options.csv.write_bytes(csv_text(results.fits).encode())
    print(f"Run {number}, {plan.title}: {_amount(results)}, stored in {store.path}\n")
    if len(results.fits):
        print(summary(results), end="")
    if stopped:
        print(
            f"Interrupted; what was finished is stored. To go on: python -m trellislib run {options.file}"
            + (f" --store {options.store}" if options.store else ""),
            file=sys.stderr,
        )
        return INTERRUPTED
    if archive is not None and len(results.fits):
        print("\n".join(archive.differences(results)))
    if options.archive and len(results.fits):
        write_archive(options.archive, plan, results)
        print(f"The run is in {options.archive}. Repeat it by: python -m trellislib run {options.archive}")
    if results.fits.empty:
        raise ValueError(" ".join(results.notes) or "There was nothing to fit.")
    if not results.fits["status"].eq("done").any():
        raise ValueError(f"None of {counted(len(results.fits), 'fit')} was finished: the reasons are above.")
    return 0


def watched(work: Callable[..., T]) -> tuple[T | None, bool]:
    """Return the result of ``work(progress=..., cancelled=...)``, and whether Ctrl-C stopped it.

    Its progress is shown. The result is None where it was stopped in the middle.
    """
    meter = Meter()
    try:
        with interruptible() as cancelled:
            return work(progress=meter, cancelled=cancelled), cancelled()
    except (KeyboardInterrupt, CancelledError):
        return None, True
    finally:
        meter.clear()


def _amount(results: Results) -> str:
    sizes = {"data set": results.datasets, "method": results.methods, "fit": results.fits}
    return ", ".join(counted(len(rows), what) for what, rows in sizes.items())
