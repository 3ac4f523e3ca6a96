"""What a test over data sets needs of a table of scores, and what to be wary of in one that has it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

import pandas as pd

from trellislib.ranking.ranks import Unfinished, finished

FEW_DATASETS = 5  # with fewer, only large differences that all data sets agree on can show
_NUMBERED = re.compile(
    r"(?P<stem>.*?\w)[\s_/(\[#:,-]+(?:(?P<word>fold|split|run|repeat|repetition|rep|seed|iteration|iter|cv|f|r|s)[\s_#:-]*)?"
    r"(?P<number>\d+)[)\]]?",
    re.I,
)
_ANY_SET = re.compile(r"(?:data\s?)?sets?|data|problems?|tasks?|domains?|[a-z]", re.I)  # what numbers tell apart
_Parts: TypeAlias = tuple[tuple[str, str], ...]


def comparable(scores: pd.DataFrame, unfinished: Unfinished, *, n_methods: int) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the scores that a test of at least so many methods can compare, and the data sets that are left out.

    Raises
    ------
    ValueError
        If there are fewer methods or only one data set, if `unfinished` is "skip", or by `trellislib.ranking.ranks`.
    """
    if unfinished == "skip":
        raise ValueError(
            "Got unfinished='skip', by which ranks on different data sets are of different numbers of methods, "
            "but a test needs one of drop, last, refuse."
        )
    table, left_out = finished(scores, unfinished)
    if table.shape[1] < 2:
        raise ValueError(f"There is only one method ({table.columns[0]}): add another to compare it with.")
    if table.shape[1] < n_methods:
        raise ValueError(
            f"There are only two methods ({', '.join(table.columns)}), and this test is for three or more: "
            f"compare two by the Wilcoxon signed-rank test (wilcoxon_holm)."
        )
    if len(table) == 1:
        without = f", since methods did not finish on {len(left_out)} other{'s' * (len(left_out) > 1)}"
        raise ValueError(
            f"There is only one data set ({table.index[0]}){without if left_out else ''}, and no test over data sets "
            f"is possible: add data sets, or compare the methods on this one by its folds."
        )
    return table, left_out


def cautions(table: pd.DataFrame) -> tuple[str, ...]:
    """Return where any test on these scores is weak, and what to do instead, a sentence each.

    Examples
    --------
    >>> cautions(pd.DataFrame({"IC": [0.5, 0.6], "CT": [0.6, 0.7]}, index=["scene", "yeast"]))
    ('2 data sets are too few for a test, ... add data sets (ten or more), or read the scores themselves.',)
    """
    found = []
    if len(table) < FEW_DATASETS:
        found.append(
            f"{len(table)} data sets are too few for a test, which sees only large differences that all of them share: "
            f"add data sets (ten or more), or read the scores themselves."
        )
    repeats = fold_like(map(str, table.index))
    if repeats:
        found.append(
            f"{repeats[0]} and {repeats[1]} look like folds or repeats of one data set, which are not independent and "
            f"make every difference look real: average them to one row per data set."
        )
    return tuple(found)


def fold_like(names: Iterable[str]) -> tuple[str, ...]:
    """Find names of data sets that look like folds or repeats of one: the same but for numbers at the end.

    A number must stand apart, or follow a word such as "fold": Local400 and Local10k are two data sets. So are set 1
    and set 2, whose names say nothing else.

    Parameters
    ----------
    names : iterable of str

    Returns
    -------
    tuple of str
        The names of the first data set that seems to be there more than once; empty where none is.

    Examples
    --------
    >>> fold_like(["scene", "yeast 1", "yeast 2"]), fold_like(["yeast_fold1", "yeast_fold2"])
    (('yeast 1', 'yeast 2'), ('yeast_fold1', 'yeast_fold2'))
    >>> fold_like(["Local400", "Local500", "TMC 2007"]), fold_like(["set 1", "set 2"])
    ((), ())
    """
    return next((tuple(name for name, _ in alike) for alike in _repeated(names).values()), ())


def folds_in(names: Iterable[str], *, sure: bool = True) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return which names are folds of a data set: its name, and the numbers of repeat and fold.

    Parameters
    ----------
    names : iterable of str
        Distinct names.
    sure : bool, default=True
        Only where the names leave no doubt: they say "fold", "repeat" or the like, have two numbers, or several data
        sets have the same numbers. Otherwise all that `fold_like` finds.

    Returns
    -------
    dict of str to (str, tuple of str)

    Examples
    --------
    >>> folds_in(["scene r1 f1", "scene r1 f2", "yeast"])
    {'scene r1 f1': ('scene', ('1', '1')), 'scene r1 f2': ('scene', ('1', '2'))}
    >>> folds_in(["art 1", "art 2"]), folds_in(["art 1", "art 2"], sure=False)["art 2"]
    ({}, ('art', ('2',)))
    """
    repeated = _repeated(names)
    numbers = [frozenset(parts for _, parts in alike) for alike in repeated.values()]
    is_shared = len(numbers) > 1 and len(set(numbers)) == 1
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for stem, alike in repeated.items():
        is_said = any(len(parts) > 1 or any(word for word, _ in parts) for _, parts in alike)
        if not sure or is_shared or is_said:
            found |= {name: (stem, tuple(number for _, number in parts)) for name, parts in alike}
    return found


def _repeated(names: Iterable[str]) -> dict[str, list[tuple[str, _Parts]]]:
    """Return the names that are the same but for what numbers them, with these parts, by what they share."""
    of_stem: dict[str, list[tuple[str, _Parts]]] = {}
    for name in names:
        stem, parts = name.strip(), list[tuple[str, str]]()
        while match := _NUMBERED.fullmatch(stem):
            stem = match["stem"]
            parts.insert(0, ((match["word"] or "").lower(), match["number"]))
        if parts:
            of_stem.setdefault(stem, []).append((name, tuple(parts)))
    return {
        stem: alike
        for stem, alike in of_stem.items()
        if len(alike) > 1 and not (_ANY_SET.fullmatch(stem) and all(len(parts) == 1 for _, parts in alike))
    }
