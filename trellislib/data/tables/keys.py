"""Two tables whose rows are matched by a column of both, which names the instances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from trellislib.data.tables.columns import Columns
from trellislib.wording import agreed, counted, quoted, quoted_names

T = TypeVar("T", bound=Columns)


def by_key(one: T, other: T) -> tuple[T, T, tuple[str, ...]]:
    """Return two tables with the rows of which both name the instance, in the order of the first.

    The key is the first column of both that has a value of its own in every row of each, and more than half of the
    values of the shorter table in common. Without one, or where its values stand in the same order, the tables stay as
    they are.

    Returns them, and what to say: how rows were matched, and which have no partner.

    Examples
    --------
    >>> import numpy as np
    >>> X = Columns("X.csv", ("id", "x"), (None, None), np.array([[7, 0.5], [8, 0.1], [9, 0.3]]))
    >>> Y = Columns("Y.csv", ("id", "sun"), (None, None), np.array([[9, 1], [7, 0]]))
    >>> X, Y, notes = by_key(X, Y)
    >>> X.cells.tolist(), Y.cells.tolist()
    ([[7.0, 0.5], [9.0, 0.3]], [[7, 0], [9, 1]])
    >>> notes[1]
    "1 row of X.csv has no partner in Y.csv and was left out: '8'."
    """
    shared = [name for name in other.columns if name in set(one.columns)]
    if len(shared) == len(other.columns):
        return one, other, ()
    for name in shared:
        ours, theirs = one.texts(one.find(name)), other.texts(other.find(name))
        if ours == theirs:
            return one, other, ()
        if None in ours or None in theirs or len(set(ours)) < len(ours) or len(set(theirs)) < len(theirs):
            continue
        common = set(ours) & set(theirs)
        if 2 * len(common) <= min(len(ours), len(theirs)):
            continue
        place = {value: i for i, value in enumerate(theirs)}
        rows = [i for i, value in enumerate(ours) if value in common]
        notes = (
            f"Rows of {other.name} and {one.name} were matched by column {quoted(name)}.",
            *_without_partner(one, other, [str(value) for value in ours if value not in common]),
            *_without_partner(other, one, [str(value) for value in theirs if value not in common]),
        )
        one = replace(one, cells=one.cells[rows])
        return one, replace(other, cells=other.cells[[place[ours[i]] for i in rows]]), notes
    return one, other, ()


def _without_partner(one: Columns, other: Columns, values: Sequence[str]) -> Iterator[str]:
    n = len(values)
    if n:
        has, was = agreed(n, ("has", "was"), ("have", "were"))
        yield (
            f"{counted(n, 'row')} of {one.name} {has} no partner in {other.name} and {was} left out: "
            f"{quoted_names(values)}."
        )
