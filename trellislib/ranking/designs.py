"""What a test over data sets needs of a table of scores, and what to be wary of in one that has it."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pandas as pd

from trellislib.ranking.ranks import Unfinished, finished

FEW_DATASETS = 5  # with fewer, only large differences that all data sets agree on can show
_REPEAT = re.compile(r"(?P<stem>.*\w)[\s_/(\[#:-]+(?:(?:fold|split|run|repeat|rep|seed)[\s_#:-]*)?\d+[)\]]?", re.I)


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
    """Find names of data sets that look like folds or repeats of one: the same but for a number at the end.

    The number must stand apart, or follow a word such as "fold": Local400 and Local10k are two data sets.

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
    >>> fold_like(["Local400", "Local500", "TMC 2007"])
    ()
    """
    of_stem: dict[str, list[str]] = {}
    for name in names:
        match = _REPEAT.fullmatch(name.strip())
        if match:
            of_stem.setdefault(match["stem"], []).append(name)
    return next((tuple(alike) for alike in of_stem.values() if len(alike) > 1), ())
