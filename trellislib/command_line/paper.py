"""``trellislib paper``: the paper's experiments, and its numbers next to ours."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from trellislib.command_line.running import INTERRUPTED, watched
from trellislib.command_line.tables import unfinished
from trellislib.data import Dataset, obtain, obtainable
from trellislib.data.dataset import DataError
from trellislib.experiment import Budget, Results, Store, run
from trellislib.paper import ENSEMBLES, EXPERIMENTS, LEARNERS, PaperExperiment, published_and_ours
from trellislib.paper.write_up import write_up
from trellislib.plan.section import nearest
from trellislib.running.progress import about


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options other than the store and the number of jobs."""
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help="keys of experiments; without, a list")
    parser.add_argument("--list", action="store_true", help="list the experiments and about how long each takes")
    parser.add_argument("--learner", choices=tuple(LEARNERS), default="fast", help="the base learners")
    parser.add_argument("--ensembles", choices=tuple(ENSEMBLES), default="text", help="what the ensembles are")
    parser.add_argument("--on", nargs="+", metavar="DATASET", help="data sets in place of the paper's own, as yeast")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="the folder that holds the data sets")
    parser.add_argument("--seconds", type=float, help="what a fit may take")
    parser.add_argument("--report", type=Path, metavar="FILE.md", help="also write what came of it here, as Markdown")
    parser.add_argument("--gib", type=float, help="memory that a fit may take")


def run_paper(options: argparse.Namespace) -> int:
    """Run experiments one after another, each with its tables, and return the exit code."""
    for key in options.experiments:
        if key not in EXPERIMENTS:
            raise ValueError(f"The paper has no experiment {key!r}{nearest(key, EXPERIMENTS)}.")
    here = obtainable(options.data)
    if options.list or not options.experiments:
        for key, experiment in EXPERIMENTS.items():
            datasets = experiment.plan(options.learner, here).datasets
            seconds = about(experiment.estimated_seconds(options.learner, here, options.seconds))
            print(f"{key}: {experiment.title} {experiment.source}.")
            print(
                f"    {len(datasets)} of {len(experiment.datasets)} data sets are on this machine"
                + (f"; about {seconds} with {options.learner} learners." if datasets else ", see --data.")
            )
        return 0
    limited = options.seconds is not None or options.gib is not None
    budget = Budget(options.seconds, options.gib) if limited else None
    if options.report:
        heading = f"# The paper, next to what runs here\n\nMade on {datetime.now(UTC):%Y-%m-%d} by\n\n"
        _write(options.report, f"{heading}    {_command(options.experiments, options)}\n", "w")
    return next(filter(None, (_run(key, options, here, budget) for key in options.experiments)), 0)


def _command(keys: Sequence[str], options: argparse.Namespace) -> str:
    """Return the command that runs some experiments as these options say."""
    named = {name: getattr(options, name) for name in ("learner", "ensembles", "data", "seconds", "gib")}
    given = " ".join(f"--{name} {shlex.quote(str(value))}" for name, value in named.items() if value is not None)
    on = f" --on {shlex.join(options.on)}" if options.on else ""
    return f"python -m trellislib paper {' '.join(keys)} {given}{on}"


def _section(experiment: PaperExperiment, results: Results) -> str:
    """Return what came of an experiment, and with which versions."""
    made_with = {
        ", ".join(f"{name} {number}" for name, number in json.loads(versions).items())
        for versions in results.fits["versions"].dropna()
    }
    return "\n".join([f"\n{write_up(experiment, results)}", *(f"Made with {one}.\n" for one in sorted(made_with))])


def _write(report: Path, text: str, mode: str = "a") -> None:
    try:
        with report.open(mode, encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise DataError(f"{report}: the report cannot be written ({error.strerror or error}).") from error


def _run(key: str, options: argparse.Namespace, here: set[str], budget: Budget | None) -> int:
    experiment, store = EXPERIMENTS[key], Store(options.store)
    if options.on:
        experiment = experiment.on(options.on)
    plan = experiment.plan(options.learner, here, options.ensembles)
    if not plan.datasets:
        raise DataError(
            f"{key}: none of its data sets ({', '.join(experiment.datasets)}) is on this machine; name their folder "
            "with --data."
        )
    title = experiment.run_title(options.learner, options.ensembles)
    number = store.begin(title, f"# {_command([key], options)}")
    seconds = experiment.estimated_seconds(options.learner, here, options.seconds)
    print(f"{key}: {', '.join(plan.datasets)}; about {about(seconds)}", file=sys.stderr)
    results, stopped = watched(
        partial(
            run,
            [partial(_obtained, name, options.data) for name in plan.datasets],
            plan.methods,
            plan.protocol,
            seeds=plan.seeds,
            store=store,
            number=number,
            budget=budget,
            n_jobs=options.n_jobs,
        )
    )
    if results is None:
        store.end(number, "cancelled")
        results = store.results([number])
    print(f"{experiment.title} ({experiment.source})\n{experiment.protocol}")
    for measure in experiment.measures if results.fits["status"].eq("done").any() else ():
        table = published_and_ours(experiment.published(measure), experiment.measured(results, measure))
        print(f"\n{measure}\n{table.to_string(index=False, float_format='{:.3f}'.format)}")
    print()
    for sentence in (*unfinished(results), *results.notes, experiment.differences):
        print(f"- {sentence}")
    if options.report:
        _write(options.report, _section(experiment, results))
    if stopped:
        print("Interrupted; what was finished is stored, and the same command goes on from there.", file=sys.stderr)
    return INTERRUPTED if stopped else 0


def _obtained(key: str, folder: Path | None) -> Dataset:
    data = obtain(key, folder)
    if data is None:
        raise DataError(f"{key}: this data set is not on this machine any more.")
    return data
