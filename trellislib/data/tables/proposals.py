"""Guesses for people to confirm: which columns look like labels, and which one lists them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

import numpy as np
from scipy import sparse

from trellislib.data.tables.columns import DATES, FREE_TEXT, Columns
from trellislib.data.tables.label_lists import LONGEST_LABEL, are_written_lists, is_called_list, read_lists
from trellislib.data.tables.label_values import fold
from trellislib.data.tables.long import proposed_long
from trellislib.data.tables.marks import is_marked
from trellislib.wording import agreed, quoted_names

_FEW = 10
_PREFIX = re.compile(r"(labels?|targets?|class|classes|tags?|y)(?=[_.:\- ]|\d)", re.IGNORECASE)
_INDICATOR = re.compile(r"(.+?)=.", re.DOTALL)
_SEPARATORS = "|;,@/ "
_ROWS = 2000


@dataclass(frozen=True)
class Proposal:
    """What to begin with where a person is asked which columns are labels.

    Attributes
    ----------
    labels : tuple of str
        The columns that look like labels; empty where nothing does, or one column lists them.
    split : tuple of str and str, optional
        The column that lists labels, and what separates them.
    long : tuple of str
        Where a line is about an instance and a label: the columns that name these, and one of yes and no if there is
        one.
    """

    labels: tuple[str, ...] = ()
    split: tuple[str, str] | None = None
    long: tuple[str, ...] = ()


def proposal(table: Columns) -> Proposal:
    """Guess which columns are labels, or else which one lists them.

    A line for each instance and label (`proposed_long`). Else a column that lists labels and is called tags, labels,
    genres or the like. Else columns that look like labels, if
    at least two at an end of the table have the same two values. Else a column that lists labels, whatever it is
    called. Else columns that look like labels.

    Examples
    --------
    >>> words = ("so slow", "slow and so dear", "dear", "so dear")
    >>> cells = np.array([[0, 0, 1], [1, 1, 1], [2, 1, 0], [3, 0, 0]])
    >>> proposal(Columns("survey.csv", ("comment", "fast", "cheap"), (words, None, None), cells))
    Proposal(labels=('fast', 'cheap'), split=None, long=())
    """
    if long := proposed_long(table):
        return Proposal(long=long)
    split = proposed_split(table)
    is_sure = split is not None and (is_called_list(split[0]) or lists_by_form(table, split[0]))
    if split is not None and (is_sure or not _run_at_an_end(table, _same_two)):
        return Proposal(split=split)
    return Proposal(proposed_labels(table))


def proposed_labels(table: Columns) -> tuple[str, ...]:
    """Guess which columns are labels.

    Several columns of at most ten values whose names start alike with ``label``, ``target``, ``class``, ``tag`` or
    ``y`` and a number or sign. Else the longest run of last columns that have the same two values (categories, or
    whole numbers), and then that of columns of any two. If these are shorter than two, or leave no feature, the longest
    run of last columns of at most ten values that are all numeric or all nominal. Else the first columns, by the same
    rules. Failing all that, the last column alone, or the first, if it has at most two values and its neighbour more;
    and at last all columns of at most two values, wherever they are.

    Columns that share a name before ``=`` are not trusted, for that is how features are called that were one column of
    categories; nor are those of which most cells are missing, unless they are called as labels are, or hold a mark such
    as x or nothing.

    In column order; empty where nothing fits.

    Examples
    --------
    >>> table = Columns("sky.csv", ("y_a", "y_b", "x"), (None,) * 3, np.array([[0, 1, 0], [1, 1, 1]]))
    >>> proposed_labels(table)
    ('y_a', 'y_b')
    """
    n = len(table.columns)
    n_usable = _n_usable(table)
    alike = _named_alike(table)
    if 2 <= len(alike) < n_usable:
        return tuple(table.columns[j] for j in alike)
    run = _run_at_an_end(table, _same_two, _any_two, _few_values)
    if run:
        return tuple(table.columns[j] for j in run)
    is_trusted = _trust(table)

    def two_valued(j: int) -> bool:
        return _is_two_valued(table, j) and is_trusted(j)

    for end, neighbour in ((n - 1, n - 2), (0, 1)):
        if 0 <= neighbour < n and two_valued(end) and not two_valued(neighbour):
            return (table.columns[end],)
    anywhere = [name for j, name in enumerate(table.columns) if two_valued(j)]
    return tuple(anywhere) if 2 <= len(anywhere) < n_usable else ()


def proposed_split(table: Columns) -> tuple[str, str] | None:
    """Guess which column lists labels, and what separates them.

    Lists by their form, such as ``['sea', 'sky']``, are lists. Other distinct texts of a column in the first 2,000 rows
    must list parts that recur: they name twice as many parts
    as there are, half of the parts are in several texts, one text in five has several parts, not all have the same
    number, and no part is longer than 60 characters. Between blanks, where prose has its words, four fifths of the
    parts must be in several texts, half of the texts must have several parts, and none names one twice; and the
    column must be called tags, labels, genres or the like, be the only one, or list codes, in which no part is a plain
    word. Of the columns that fit, one that is called so comes first, then the last one; of the separators, ``|``,
    ``;``, ``,``, ``@``, ``/`` and a blank, the first.

    The column and the separator; None where nothing fits.

    Examples
    --------
    >>> tags = ("sand|sea", "sea|sky|sand", "sky")
    >>> table = Columns("sky.csv", ("x", "tags"), (None, tags), np.array([[0.5, 0], [0.1, 1], [0.2, 2]]))
    >>> proposed_split(table)
    ('tags', '|')
    """
    by_form = [are_written_lists(texts or ()) for texts in table.categories]
    by_name = sorted(range(len(by_form)), key=lambda j: (not is_called_list(table.columns[j]), not by_form[j], -j))
    for j in by_name:
        separator = proposed_separator(table, j)
        if separator is not None and (separator != " " or _may_stand_between_blanks(table, j)):
            return table.columns[j], separator
    return None


def lists_by_form(table: Columns, column: str) -> bool:
    """Whether the cells of a column are lists by their form."""
    return are_written_lists(table.categories[table.find(column)] or ())


def why_no_proposal(table: Columns) -> str:
    """Return why there is no proposal, for a sentence; empty where there is one."""
    if proposal(table) != Proposal():
        return ""
    usable = [j for j, name in enumerate(table.columns) if name not in table.unusable]
    if usable and all(_is_two_valued(table, j) for j in usable):
        return "every column looks like a label, so no feature is left"
    called_so = [
        name
        for j, name in enumerate(table.columns)
        if _PREFIX.match(name) and table.categories[j] is None and table.n_values(j) > _FEW
    ]
    if called_so:
        hold = agreed(len(called_so), "holds", "hold")
        return f"{quoted_names(called_so)} {hold} continuous numbers, and no other columns look like labels"
    return "no column looks like a label"


def proposed_separator(table: Columns, j: int) -> str | None:
    """Guess what separates the labels in the cells of a column; None if it does not look as if it lists labels."""
    texts = table.categories[j]
    if not texts or table.unusable.get(table.columns[j]) == DATES:
        return None
    if are_written_lists(texts):
        return ","
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
    return recur and max(map(len, counts)) <= LONGEST_LABEL


def _named_alike(table: Columns) -> list[int]:
    """Return the columns whose names start alike, as those of labels do; none if one has many values."""
    indicators, groups = _indicators(table), defaultdict(list)
    for j, name in enumerate(table.columns):
        if j not in indicators and (prefix := _PREFIX.match(name)):
            groups[prefix[1].lower()].append(j)
    fit = [group for group in groups.values() if len(group) > 1 and all(1 <= table.n_values(j) <= _FEW for j in group)]
    return fit[0] if len(fit) == 1 else []


def _n_usable(table: Columns) -> int:
    """Return how many columns may be labels, or features: as they stand, by their words or by their dates."""
    return sum(table.unusable.get(name, "") in ("", FREE_TEXT, DATES) for name in table.columns)


def _indicators(table: Columns) -> set[int]:
    """Return the columns that share what stands before ``=`` in their names, as those that were one column do."""
    groups = defaultdict(list)
    for j, name in enumerate(table.columns):
        if match := _INDICATOR.match(name):
            groups[match[1]].append(j)
    return {j for group in groups.values() if len(group) > 1 for j in group}


def _trust(table: Columns) -> Callable[[int], bool]:
    """Return what tells whether a column may be a label, by its name and its missing cells."""
    indicators = _indicators(table)
    return lambda j: j not in indicators and (2 * table.n_missing(j) <= table.n_rows or is_marked(table, j))


def _run_at_an_end(table: Columns, *kinds: Callable[[Columns, Sequence[int]], Iterator[int]]) -> list[int]:
    """Return the last columns that are of one of some kinds, the earlier ones first, or else the first columns.

    They are at least two, and leave a feature; none where there are no such columns.
    """
    is_trusted, n = _trust(table), len(table.columns)
    for order in (range(n)[::-1], range(n)):
        for kind in kinds:
            run = list(takewhile(is_trusted, kind(table, order)))
            if 2 <= len(run) < _n_usable(table):
                return sorted(run)
    return []


def _same_two(table: Columns, order: Sequence[int]) -> Iterator[int]:
    """Yield columns as long as they have no more than two values together."""
    known: set[str] = set()
    for j in order:
        if not _is_two_valued(table, j):
            return
        categories = table.categories[j]
        known |= frozenset(map(_folded, table.present(j).tolist() if categories is None else categories))
        if len(known) > 2:
            return
        yield j


@lru_cache(maxsize=1024)
def _folded(value: float | str) -> str:
    return fold(str(value))


def _any_two(table: Columns, order: Sequence[int]) -> Iterator[int]:
    """Yield columns as long as they have no more than two values each."""
    return takewhile(lambda j: _is_two_valued(table, j), order)


def _few_values(table: Columns, order: Sequence[int]) -> Iterator[int]:
    """Yield columns as long as they have few values, and are numeric or nominal as the first is."""
    is_numeric = table.categories[order[0]] is None
    return takewhile(lambda j: (table.categories[j] is None) == is_numeric and 1 <= table.n_values(j) <= _FEW, order)


def _is_two_valued(table: Columns, j: int) -> bool:
    return table.n_values(j) in (1, 2)


def _may_stand_between_blanks(table: Columns, j: int) -> bool:
    """Whether a column may list labels between blanks, and is no prose."""
    if is_called_list(table.columns[j]) or len(table.columns) == 1:
        return True
    return not any(part.isalpha() for parts in read_lists(table.categories[j] or (), " ") for part in parts)
