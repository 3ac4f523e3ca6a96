"""``trellislib predict`` and ``trellislib score``: a model file asked about new rows."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from trellislib.data import Table, read_table
from trellislib.data.reading.delimited import csv_blocks, read_csv
from trellislib.data.reading.formats import reader_of
from trellislib.data.reading.source import Source
from trellislib.data.writing.frames import WRITERS, csv_parts
from trellislib.metrics import MEASURES
from trellislib.models import Model, load_model
from trellislib.wording import counted, percent

STREAMED = 2**26
"""Bytes of a CSV file above which it is read and predicted block by block."""

BLOCK_CELLS = 2**20
BLOCK_ROWS = 10_000
MOST_NOTES = 10


def add_predict_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``predict``."""
    parser.add_argument("model", type=Path, metavar="MODEL", help="a model file, as trellislib fit writes it")
    parser.add_argument("file", type=Path, metavar="FILE", help="the new rows, in any form that fit reads")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="PATH",
        help=f"a name in {', '.join(WRITERS)}; by default CSV goes to the standard output",
    )
    parser.add_argument("--proba", action="store_true", help="also the probability of each label")
    parser.add_argument(
        "--sets",
        type=float,
        metavar="CERTAINTY",
        help="also a set for each row that holds 90 %% of its true labels with a certainty of 0.8, 0.9 or 0.95, by a "
        "model that fit --sets wrote",
    )
    parser.add_argument("--id", metavar="COLUMN", help="the column that names the rows; by default one that seems to")
    _add_version_option(parser)


def add_score_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``score``."""
    parser.add_argument("model", type=Path, metavar="MODEL", help="a model file, as trellislib fit writes it")
    parser.add_argument("file", type=Path, metavar="FILE", help="rows whose labels are known")
    parser.add_argument("--per-label", action="store_true", help="also the scores of each label")
    _add_version_option(parser)


def _add_version_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--any-version", action="store_true", help="take a model of another version of trellislib or scikit-learn"
    )


def predict_file(options: argparse.Namespace) -> int:
    """Write the predictions of new rows, say what was noticed, and return the exit code."""
    if options.output and options.output.suffix not in WRITERS:
        raise ValueError(f"{options.output}: expected a name in {', '.join(WRITERS)}.")
    model = load_model(options.model, any_version=options.any_version)
    notes: dict[str, None] = {}
    frames = _predicted(model, options, notes)
    if options.output is None:
        for part in csv_parts(frames):
            sys.stdout.write(part)
    else:
        n_rows = _replaced(options.output, frames)
        print(f"{counted(n_rows, 'row')} predicted; the labels are in {options.output}.")
    for note in list(notes)[:MOST_NOTES]:
        print(f"- {note}", file=sys.stderr)
    return 0


def score_file(options: argparse.Namespace) -> int:
    """Print the scores of a model on rows whose labels are known, and return the exit code."""
    model = load_model(options.model, any_version=options.any_version)
    scored = model.score(options.file)
    width = max(len(MEASURES[key].name) for key in scored.measures.index)
    for key, score in scored.measures.items():
        measure = MEASURES[str(key)]
        lower = "" if measure.higher_is_better else "  (lower is better)"
        print(f"{measure.name:{width}}  {score:.4f}{lower}")
    for sets in model.sets if scored.held.size else ():
        held = scored.held[sets.confidence]
        print(
            f"Sets of certainty {sets.confidence:g}: {percent(held)} hold at least {sets.share:.0%} of the true labels"
        )
    if options.per_label:
        print(f"\n{scored.per_label.round(4).to_string()}")
    for note in scored.notes:
        print(f"- {note}", file=sys.stderr)
    return 0


def _predicted(model: Model, options: argparse.Namespace, notes: dict[str, None]) -> Iterator[pd.DataFrame]:
    """Yield the predictions of one block of rows after the other, and keep what was noticed."""
    id_column = options.id
    for table in _tables(options.file, len(model.schema.columns.columns)):
        if id_column is None:  # the first rows tell, as the names of the columns must stay
            id_column = model.schema.id_column(table) or ""
        found = model.predict(table, probabilities=options.proba, id_column=id_column, sets=options.sets)
        notes.update(dict.fromkeys(found.notes))
        yield found.frame(probabilities=options.proba)


def _tables(path: Path, n_columns: int) -> Iterator[Table]:
    """Yield the file as one table, or if it is a large CSV as several."""
    source = Source(path)
    if path.is_file() and path.stat().st_size > STREAMED and reader_of(source) is read_csv:
        yield from csv_blocks(source, max(min(BLOCK_CELLS // n_columns, BLOCK_ROWS), 1))
    else:
        yield read_table(source)


def _replaced(path: Path, frames: Iterable[pd.DataFrame]) -> int:
    """Write a file once all is predicted, in place of one that is there, and return the number of rows."""
    part = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        with part.open("wb") as file:
            n_rows = WRITERS[path.suffix](file, frames)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
    return n_rows
