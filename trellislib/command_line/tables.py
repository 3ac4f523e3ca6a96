"""Tables of scores, for people and for files."""

from __future__ import annotations

from collections.abc import Callable

from trellislib.experiment import COST_NAMES, COSTS, Results, higher_is_better
from trellislib.metrics import MEASURES
from trellislib.ranking import ranks
from trellislib.score_tables import as_csv, as_latex, as_markdown, as_text
from trellislib.wording import grouped

HEADLINES = ("accuracy", "hamming_score", "exact_match", "train_seconds", "test_seconds")
UNITS = dict(zip(COSTS, ("s", "s", "MiB"), strict=True))


FORMATS: dict[str, Callable[..., str]] = {"text": as_text, "markdown": as_markdown, "latex": as_latex, "csv": as_csv}


def score_name(key: str) -> str:
    """Return the heading of a table of a measure or a cost, with its direction."""
    name = MEASURES[key].name if key in MEASURES else f"{COST_NAMES[key].capitalize()} ({UNITS[key]})"
    return f"{name}, {'higher' if higher_is_better(key) else 'lower'} is better"


def score_table(results: Results, key: str, how: str = "text") -> str:
    """Return the table of a measure or a cost in one of `FORMATS`, with the ranks among those that finished.

    Data sets and methods that do not have it are left out, see `trellislib.experiment.Results.undefined`.

    Raises
    ------
    KeyError
        If no fit has that measure.
    """
    results = results.defined(key)
    scores, spreads = results.table(key), results.spread(key)
    ranked = ranks(scores, higher_is_better(key), unfinished="skip")
    return FORMATS[how](scores, ranked, spreads=spreads if spreads.notna().any(axis=None) else None)


def unfinished(results: Results) -> list[str]:
    """Return what did not finish and why, one sentence each."""
    return [
        f"{method} on {dataset}: {reason}"
        for reason, cells in results.unfinished().items()
        for dataset, method in cells
    ]


def summary(results: Results) -> str:
    """Return the tables of the headline scores, what did not finish, and what a reader should know."""
    shown = [key for key in HEADLINES if key in results.measures and results.table(key).notna().any(axis=None)]
    parts = [f"{score_name(key)}\n{score_table(results, key)}{not_on(results, key)}" for key in shown]
    for heading, lines in (("Did not finish", unfinished(results)), ("Notes", results.notes)):
        if lines:
            parts.append("\n".join([f"{heading}:", *(f"- {line}" for line in lines), ""]))
    return "\n".join(parts)


def not_on(results: Results, key: str) -> str:
    """Return the line on data sets and methods that are not in a table, or nothing."""
    without = results.undefined(key)
    left_out = without["datasets"] | without["methods"]
    return "".join(f"(not defined for {', '.join(names)}: {why})\n" for why, names in grouped(left_out))
