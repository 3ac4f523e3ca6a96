"""The files of a data set, as commands are given them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from trellislib.data import Dataset, load
from trellislib.data.tables.recast import KINDS


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the files, and what says what their columns are."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="the data: a table, or files that belong together")
    data = parser.add_argument_group("what the columns are")
    data.add_argument(
        "--labels",
        metavar="NAMES",
        help="which columns are labels, where the files do not say: names between commas, an XML file of Mulan, or a "
        "number, for the first so many columns or with a minus the last",
    )
    data.add_argument(
        "--split",
        metavar="COLUMN[:SEPARATOR]",
        help="the column that lists the labels of each row, and what separates them, as tags:;",
    )
    data.add_argument(
        "--no-label", metavar="TEXT", help="what stands for no label in that column; '' where all of it is labels"
    )
    data.add_argument("--ancestors", action="store_true", help="labels that are paths, as a/b, stand for a, too")
    data.add_argument(
        "--long",
        metavar="ID:LABEL[:VALUE]",
        help="for a line for each instance and label: the columns that name them, and one that says yes or no",
    )
    data.add_argument("--sheet", metavar="TITLE", help="of a workbook of several sheets, the one that is meant")
    data.add_argument("--relevant", action="append", default=[], metavar="LABEL=VALUE", help="which of two values is 1")
    data.add_argument(
        "--missing-labels", choices=("set aside", "masked"), default="set aside", help="rows that lack labels"
    )
    data.add_argument(
        "--text",
        choices=("tf-idf", "leave out"),
        default="tf-idf",
        help="columns of free text: their words, by default",
    )
    data.add_argument(
        "--kind",
        action="append",
        default=[],
        metavar="COLUMN=KIND",
        help=f"what a column holds, where it is taken for something else: {', '.join(KINDS)}",
    )
    data.add_argument("--groups", metavar="COLUMN", help="the column of patients, films or the like: never divided")
    data.add_argument("--weights", metavar="COLUMN", help="the column that says how much each row counts")
    data.add_argument("--leave-out", metavar="NAMES", help="columns that are not wanted, between commas")


def loaded(options: argparse.Namespace) -> Dataset:
    """Return the data set that the files are."""
    return load(
        options.files,
        _labels(options.labels),
        split=_split(options.split, options.no_label),
        ancestors=options.ancestors,
        long=tuple(options.long.split(":")) if options.long else None,
        sheet=options.sheet,
        relevant=dict(pair(given, "--relevant") for given in options.relevant),
        missing_labels=options.missing_labels,
        text=options.text,
        kinds=dict(pair(given, "--kind") for given in options.kind),
        groups=options.groups,
        weights=options.weights,
        leave_out=_names(options.leave_out),
    )


def _labels(given: str | None) -> Any:
    """Return labels as `trellislib.data.load` takes them."""
    if given is None:
        return None
    try:
        return int(given)
    except ValueError:
        return given if Path(given).is_file() else _names(given)


def _names(given: str | None) -> list[str]:
    return [name.strip() for name in given.split(",") if name.strip()] if given else []


def _split(given: str | None, no_label: str | None) -> tuple[str | None, ...] | None:
    """Return the column that lists labels as `trellislib.data.load` takes it."""
    if given is None:
        return None
    if given.endswith("::"):
        return given[:-2], ":", no_label
    column, colon, separator = given.rpartition(":")
    return (column, separator or None, no_label) if colon else (given, None, no_label)


def pair(given: str, option: str) -> tuple[str, str]:
    """Return the name and the value of an option."""
    name, equals, value = given.partition("=")
    if not equals:
        raise ValueError(f"Got {option} {given}, but expected a name and a value, as in {option} name=value.")
    return name, value
