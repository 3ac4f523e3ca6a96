"""Guesses for people to confirm: which columns look like labels, and which one lists them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import takewhile

import numpy as np
from scipy import sparse

from trellislib.data.tables.columns import DATES, Columns
from trellislib.data.tables.label_lists import read_lists

_FEW = 10
_PREFIX = re.compile(r"(labels?|targets?|class|classes|tags?|y)(?=[_.:\- ]|\d)", re.IGNORECASE)
_LISTING = re.compile(r"(labels?|tags?|genres?|topics?|categor(y|ies)|classes|keywords?|targets?|y)", re.IGNORECASE)
_SEPARATORS = "|;,/ "
_ROWS = 2000
_LONGEST_LABEL = 60


def proposed_labels(table: Columns) -> tuple[str, ...]:
    """Guess which columns are labels.

    Several columns of at most ten values whose names start alike with ``label``, ``target``, ``class``, ``tag`` or
    ``y`` and a number or sign. Else the longest run of last columns of at most two values (named values, or whole
    numbers). If that is shorter than two, or leaves no feature, the longest run of last columns of at most ten values
    that are all numeric or all nominal. Else the first columns, by the same rules. Failing all that, the last column
    alone, or the first, if it has at most two values and its neighbour more; and at last all columns of at most two
    values, wherever they are.

    Returns
    -------
    tuple of str
        In column order; empty where nothing fits.

    Examples
    --------
    >>> table = Columns("sky.csv", ("y_a", "y_b", "x"), (None,) * 3, np.array([[0, 1, 0], [1, 1, 1]]))
    >>> proposed_labels(table)
    ('y_a', 'y_b')
    """
    n = len(table.columns)
    n_usable = sum(name not in table.unusable for name in table.columns)
    two_valued, few_as = partial(_is_two_valued, table), partial(_has_few, table)
    alike = _named_alike(table)
    if 2 <= len(alike) < n_usable:
        return tuple(table.columns[j] for j in alike)
    for order in (range(n)[::-1], range(n)):
        for fits in (two_valued, partial(few_as, first=order[0])):
            run = list(takewhile(fits, order))
            if 2 <= len(run) < n_usable:
                return tuple(table.columns[j] for j in sorted(run))
    for end, neighbour in ((n - 1, n - 2), (0, 1)):
        if 0 <= neighbour < n and two_valued(end) and not two_valued(neighbour):
            return (table.columns[end],)
    anywhere = [name for j, name in enumerate(table.columns) if two_valued(j)]
    return tuple(anywhere) if 2 <= len(anywhere) < n_usable else ()


def proposed_split(table: Columns) -> tuple[str, str] | None:
    """Guess which column lists labels, and what separates them.

    The distinct texts of a column in the first 2,000 rows must list parts that recur: they name twice as many parts
    as there are, half of the parts are in several texts, one text in five has several parts, not all have the same
    number, and no part is longer than 60 characters. Between blanks, where prose has its words, four fifths of the
    parts must be in several texts, half of the texts must have several parts, and none names one twice. Of the
    columns that fit, one that is called tags, labels, genres or the like comes first, then the last one; of the
    separators, ``|``, ``;``, ``,``, ``/`` and a blank, the first.

    Returns
    -------
    tuple of str, or None
        The column and the separator; None where nothing fits.

    Examples
    --------
    >>> tags = ("sand|sea", "sea|sky|sand", "sky")
    >>> table = Columns("sky.csv", ("x", "tags"), (None, tags), np.array([[0.5, 0], [0.1, 1], [0.2, 2]]))
    >>> proposed_split(table)
    ('tags', '|')
    """
    by_name = sorted(range(len(table.columns)), key=lambda j: (not _LISTING.fullmatch(table.columns[j].strip()), -j))
    for j in by_name:
        separator = proposed_separator(table, j)
        if separator is not None:
            return table.columns[j], separator
    return None


def proposed_separator(table: Columns, j: int) -> str | None:
    """Guess what separates the labels in the cells of a column; None if it does not look as if it lists labels."""
    texts = table.categories[j]
    if not texts or table.unusable.get(table.columns[j]) == DATES:
        return None
    possible = [separator for separator in _SEPARATORS if any(separator in text.strip() for text in texts)]
    if not possible:
        return None
    cells = table.cells[:_ROWS]
    cells = sparse.csc_array(cells)[:, [j]].toarray().ravel() if table.is_sparse else cells[:, j]
    seen = [texts[int(cell)] for cell in np.unique(cells[~np.isnan(cells)])]
    return next((separator for separator in possible if _are_lists(seen, separator)), None)


def _are_lists(texts: Sequence[str], separator: str) -> bool:
    """Whether distinct texts look like lists of labels."""
    perhaps_prose = separator == " "  # about half of the words of prose occur once, and some several times in a text
    least_lists, least_shared = (0.5, 0.8) if perhaps_prose else (0.2, 0.5)
    lists = [parts for parts in read_lists(texts, separator) if parts]
    sizes = [len(parts) for parts in lists]
    n_lists = sum(size > 1 for size in sizes)
    if n_lists < max(2, least_lists * len(lists)) or len(set(sizes)) == 1:
        return False
    if perhaps_prose and any(len(set(parts)) < len(parts) for parts in lists):
        return False
    counts = Counter(part for parts in lists for part in parts)
    n_shared = sum(count > 1 for count in counts.values())
    recur = sum(sizes) >= 2 * len(counts) and n_shared >= least_shared * len(counts)
    return recur and max(map(len, counts)) <= _LONGEST_LABEL


def _named_alike(table: Columns) -> list[int]:
    """Return the columns whose names start alike, as those of labels do; none if one has many values."""
    groups = defaultdict(list)
    for j, name in enumerate(table.columns):
        if prefix := _PREFIX.match(name):
            groups[prefix[1].lower()].append(j)
    fit = [group for group in groups.values() if len(group) > 1 and all(1 <= table.n_values(j) <= _FEW for j in group)]
    return fit[0] if len(fit) == 1 else []


def _is_two_valued(table: Columns, j: int) -> bool:
    return table.n_values(j) in (1, 2)


def _has_few(table: Columns, j: int, first: int) -> bool:
    """Whether a column has few values, and is numeric or nominal as the `first` of the run is."""
    alike = (table.categories[j] is None) == (table.categories[first] is None)
    return alike and 1 <= table.n_values(j) <= _FEW
