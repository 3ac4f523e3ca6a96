"""Ranks of methods on each data set, in the direction of the measure, with ties and with methods that did not finish.

Two scores that agree to 12 significant digits are tied, since a difference beyond that is rounding: a mean over folds
and one minus the mean loss are the same score, and two methods that predict the same must not be ranked by the order
in which numbers were added.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import pandas as pd

Ties = Literal["average", "competition"]
Unfinished = Literal["drop", "last", "refuse", "skip"]

DIGITS = 12  # beyond which scores, and differences of scores, are rounding


def ranks(
    scores: pd.DataFrame,
    higher_is_better: bool = True,
    *,
    ties: Ties = "average",
    unfinished: Unfinished = "drop",
) -> pd.DataFrame:
    """Rank the methods on each data set.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_methods)
        A score for each data set (row) and method (column); NaN where a method did not finish.
    higher_is_better : bool, default=True
        False for losses and times.
    ties : {"average", "competition"}, default="average"
        Tied methods share the mean of their places (1.5, 1.5, 3), as the tests need it, or the first of them
        (1, 1, 3), as the paper prints it.
    unfinished : {"drop", "last", "refuse", "skip"}, default="drop"
        What becomes of a data set where a method did not finish: it is left out; those methods are ranked after all
        that finished, tied among each other; it is an error; or only those that finished are ranked and the others
        have no rank (NaN), as the paper prints it. No test can use the last.

    Returns
    -------
    DataFrame of shape (n_datasets, n_methods)
        1 is the best. Data sets that are left out have no row.

    Raises
    ------
    ValueError
        If the table has no methods or data sets, a name twice, something that is no number, or an infinite score; if
        a method did not finish and `unfinished` is "refuse"; if no data set is left.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {"IC": [0.50, 0.61], "CT": [0.55, 0.64], "ECT": [0.55, None]}, index=["scene", "yeast"]
    ... )
    >>> ranks(scores)
            IC   CT  ECT
    scene  3.0  1.5  1.5
    >>> ranks(scores, ties="competition", unfinished="skip")
            IC   CT  ECT
    scene  3.0  1.0  1.0
    yeast  2.0  1.0  NaN
    """
    _require_one_of("ties", ties, get_args(Ties))
    table, _ = finished(scores, unfinished)
    mantissa, exponent = np.frexp(table.to_numpy())
    rounded = pd.DataFrame(np.ldexp(np.round(mantissa, DIGITS), exponent), index=table.index, columns=table.columns)
    return rounded.rank(
        axis=1,
        method="average" if ties == "average" else "min",
        ascending=not higher_is_better,
        na_option="bottom" if unfinished == "last" else "keep",
    )


def average_ranks(
    scores: pd.DataFrame,
    higher_is_better: bool = True,
    *,
    ties: Ties = "average",
    unfinished: Unfinished = "drop",
) -> pd.Series:
    """Average the ranks of each method over the data sets where it has one.

    Parameters and errors are those of `ranks`.

    Returns
    -------
    Series of shape (n_methods,)

    Examples
    --------
    >>> seconds = pd.DataFrame({"IC": [2.0, 11.0, 7.0], "CT": [3.0, 5.0, 7.0]}, index=["scene", "yeast", "enron"])
    >>> average_ranks(seconds, higher_is_better=False).to_dict()
    {'IC': 1.5, 'CT': 1.5}
    """
    return ranks(scores, higher_is_better, ties=ties, unfinished=unfinished).mean().rename("average rank")


def finished(scores: pd.DataFrame, unfinished: Unfinished) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the scores as floats without the data sets that a rule of `ranks` leaves out, and the names of these.

    Raises
    ------
    ValueError
        As of `ranks`.
    """
    _require_one_of("unfinished", unfinished, get_args(Unfinished))
    table = _checked(scores)
    missing = table.isna()
    if unfinished == "refuse" and missing.to_numpy().any():
        dataset, method = _first(missing)
        raise ValueError(
            f"{method} did not finish on {dataset}: leave out this data set or this method, or rank it last."
        )
    if unfinished != "drop":
        return table, ()
    incomplete = missing.any(axis=1)
    if incomplete.all():
        worst = missing.sum().idxmax()
        raise ValueError(
            f"No data set has a score of every method, so none is left to rank: leave out methods that did not finish "
            f"({worst} on {missing[worst].sum()} of {len(table)} data sets), or rank them last."
        )
    return table[~incomplete], tuple(table.index[incomplete])


def _checked(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the scores as floats, or say what is wrong with them."""
    if not isinstance(scores, pd.DataFrame):
        raise ValueError(f"Got scores of type {type(scores).__name__}, but expected a DataFrame (data sets x methods).")
    if scores.empty:
        n_datasets, n_methods = scores.shape
        raise ValueError(f"Got scores of {n_datasets} data sets and {n_methods} methods, but expected some of each.")
    for what, names in (("data set", scores.index), ("method", scores.columns)):
        if not names.is_unique:
            raise ValueError(f"The {what} {names[names.duplicated()][0]} is there twice: give each a name of its own.")
    is_float = (scores.dtypes == "float64").all()  # as of results, whose ranks are asked for again and again
    numbers = scores if is_float else scores.apply(pd.to_numeric, errors="coerce").astype(float)
    no_number = numbers.isna() & scores.notna()
    for wrong in (no_number, pd.DataFrame(np.isinf(numbers), index=scores.index, columns=scores.columns)):
        if wrong.to_numpy().any():
            dataset, method = _first(wrong)
            raise ValueError(
                f"Got {scores.loc[dataset, method]!s} for {method} on {dataset}, but expected a finite number, "
                f"or nothing where the method did not finish."
            )
    return numbers


def _first(cells: pd.DataFrame) -> tuple[str, str]:
    row, column = np.argwhere(cells.to_numpy())[0]
    return cells.index[row], cells.columns[column]


def _require_one_of(name: str, value: str, expected: tuple[str, ...]) -> None:
    if value not in expected:
        raise ValueError(f"Got {name}={value!r}, but expected one of {', '.join(expected)}.")
