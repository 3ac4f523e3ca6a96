"""``trellislib advise``: whether label structure is worth it on files, and what to use."""

from __future__ import annotations

import argparse
from pathlib import Path

from trellislib.advice import Advice, advise
from trellislib.command_line import data_files, report
from trellislib.command_line.running import INTERRUPTED, watched
from trellislib.models import save_model, with_sets
from trellislib.running.progress import Cancelled, Progress

SHOWN = ["structure", "learner", "mean", "difference", "low", "high", "p", "folds", "train_seconds"]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add all options."""
    data_files.add_options(parser)
    parser.add_argument("--score", metavar="KEY", help="the score to decide for; by default accuracy")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="N", help="about how long it may take (60)")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="MODEL", help="keep the recommended method in a model file"
    )
    parser.add_argument(
        "--sets", action="store_true", help="calibrate prediction sets for that model by five more fits, after the time"
    )
    parser.add_argument("--report", type=Path, metavar="FILE", help="write a report, a name in .html or .pdf")


def advise_files(options: argparse.Namespace) -> int:
    """Compare, print the answer and what it rests on, and return the exit code."""
    if options.report is not None:
        report.check_name(options.report)
    data = data_files.loaded(options)

    def work(progress: Progress, cancelled: Cancelled) -> Advice:
        return advise(data, options.score, options.seconds, progress=progress, cancelled=cancelled)

    advice, is_stopped = watched(work)
    if advice is None:
        return INTERRUPTED
    print(advice)
    print()
    print(f"{advice.n_rows:,} rows in {advice.protocol}; {advice.score}:")
    table = advice.table.join(advice.contrasts.drop(columns="n"))
    print(table.loc[table["folds"] > 0, SHOWN].to_string(index=False, na_rep="", float_format="{:.3f}".format))
    for name, why in advice.table.loc[advice.table["status"] != "", "status"].items():
        print(f"- left out: {name} {why}")
    if options.report is not None:
        from trellislib.report import verdict_report  # which needs plotly

        report.write(verdict_report(advice, data), options.report)
        print(f"{options.report} has the report.")
    if options.output is not None:
        if advice.model is None:
            raise ValueError(f"{options.output}: no model was written, as no method was found; allow more --seconds.")
        save_model(advice.model, options.output)
        if options.sets:  # afterwards, for they may be refused
            save_model(with_sets(advice.model, data), options.output)
        print(f"The model is in {options.output}.")
    return INTERRUPTED if is_stopped else 0
