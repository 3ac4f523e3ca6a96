"""``trellislib runs``, ``results`` and ``export``: what the store has."""

from __future__ import annotations

import argparse

from trellislib.command_line.tables import not_on, score_name, score_table, unfinished
from trellislib.experiment import Results, Store
from trellislib.wording import listed

SHOWN = 5  # names of data sets or methods in a list of runs


def list_runs(options: argparse.Namespace) -> int:
    """List the runs, the newest first."""
    store = Store(options.store)
    runs = store.runs()
    if runs.empty:
        print(f"There are no runs in {store.path} yet.")
        return 0
    shown = runs.drop(columns="code").rename(columns={"n_fits": "fits"})
    for column in ("datasets", "methods"):
        shown[column] = [listed(names, SHOWN) for names in shown[column]]
    print(shown.reset_index().to_string(index=False))
    return 0


def print_results(options: argparse.Namespace) -> int:
    """Print a table of one score."""
    results = _results(options)
    table = score_table(results, options.score, options.format)
    if options.format != "text":
        print(table, end="")
        return 0
    print(score_name(options.score))
    print(table, end=not_on(results, options.score))
    for sentence in unfinished(results):
        print(f"- {sentence}")
    return 0


def export(options: argparse.Namespace) -> int:
    """Write fits to a file."""
    results = _results(options)
    Store(options.store).export(options.file, options.runs or None)
    print(f"{len(results.fits):,} fits were written to {options.file}.")
    return 0


def _results(options: argparse.Namespace) -> Results:
    store = Store(options.store)
    results = store.results(options.runs or None)
    if results.fits.empty:
        raise ValueError(f"There are no fits in {store.path} to show; run an experiment first.")
    return results
