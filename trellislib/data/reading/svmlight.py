"""svmlight files, with one label a row or several."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trellislib.data.reading.proportion import check_columns
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.reading.sparse_rows import (
    FIRST_FIELD,
    LabelLists,
    SparseRows,
    first_lines,
    labelled_rows,
    look_like_rows,
    read_extreme,
    sizes,
)
from trellislib.data.tables.table import Table
from trellislib.wording import agreed, counted


def read_svmlight(source: FileLike | Source, name: str | None = None) -> Table:
    r"""Read an svmlight file, or one of extreme classification with its header, as a sparse table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file. A row is ``labels position:value ...``; the labels, between commas, may be numbers or names, or be
        missing. Blank lines, comments after ``#`` and ``qid:`` are left out. A first line of three numbers announces
        rows, features and labels, as `trellislib.data.reading.sparse_rows` says. A last comment as
        `trellislib.data.reading.svmlight` writes it names them.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        Features are called by their positions, labels by what is written. Where a row has several labels or none, each
        label is a column of 0 and 1; where every row has exactly one, they are the values of one column, ``label``.
        Both are declared to be labels, and `provenance` says which it was and whether positions count from 0 or 1.

    Raises
    ------
    DataError
        If a line cannot be read, or a row gives a position twice; the message gives line and column.

    Examples
    --------
    >>> table = read_svmlight(b"1,0 2:2.5 # both\n 1:3\n")
    >>> table.columns, table.labels
    (('feature 1', 'feature 2', 'label 0', 'label 1'), ('label 0', 'label 1'))
    >>> table.cells.toarray().tolist()
    [[0.0, 2.5, 1.0, 1.0], [3.0, 0.0, 0.0, 0.0]]
    """
    source = Source(source, name)
    rows = SparseRows(source)
    n_blank = 0
    names: SvmlightNames | None = None
    with source.text() as text:
        for number, line in enumerate(text, 1):
            if not line.partition("#")[0].strip():
                n_blank += not line.strip()
                names = SvmlightNames.of_line(line) or names
            elif not rows and sizes(line):
                break
            else:
                rows.add(number, line)
        else:
            if names and names.fit(rows):
                return named_table(source, rows, names)
            return _table(source, rows, n_blank)
    return read_extreme(source)


def starts_as_svmlight(source: FileLike | Source) -> bool:
    """Whether the first lines are rows of an svmlight file, after a header of extreme classification or not."""
    lines = first_lines(Source(source))
    return look_like_rows(lines[1:] if lines and len(sizes(lines[0])) == 3 else lines)


def _table(source: Source, rows: SparseRows, n_blank: int) -> Table:
    if not rows:
        raise source.error("the file has nothing but blank lines and comments")
    positions = rows.positions
    if not positions.size:
        raise source.error("no row has a feature (position:value)")
    first = int(positions.min() > 0)
    last = int(positions.max())
    features = rows.cells(last + 1 - first, first, rows.line_of_cell(int(positions.argmax())))
    lists = rows.labels()
    if not lists.texts:
        raise source.error("no row has a label; expected labels before the features, as in 1,0 2:2.5")
    several = bool((rows.n_labels_of_row != 1).any())
    names, categories, labels = (_columns if several else _values)(lists)
    check_columns(source, features.shape[1] + labels.shape[1])
    names = [*(f"feature {j}" for j in range(first, last + 1)), *names]
    provenance = (
        f"An svmlight file, {source.as_read}.",
        f"Positions count from {first}, as {'none' if first else 'one'} is 0; the largest is {last:,}, which makes "
        f"{counted(features.shape[1], 'feature')}.",
        "Some rows have several labels or none, so each label is a column of its own."
        if several
        else "Every row has exactly one label, so they are the values of one column.",
    )
    notes = _notes(rows, lists, n_blank)
    return labelled_rows(source, features, labels, names, categories, FIRST_FIELD, provenance, notes)


def _columns(lists: LabelLists) -> tuple[list[str], list[tuple[str, ...] | None], sparse.csr_array]:
    """Return the names of the labels, and a column of 0 and 1 for each."""
    texts, order = _distinct(lists.texts)
    prefix = "label " if _numbers(lists.texts) else ""
    return [prefix + text for text in texts], [None] * len(texts), lists.columns(order, len(texts))


def _values(lists: LabelLists) -> tuple[list[str], list[tuple[str, ...] | None], sparse.csr_array]:
    """Return one column, ``label``, with the labels as its values."""
    texts, order = _distinct(lists.texts)
    index = np.array(order)[lists.of_row.indices]
    numbers = _numbers(texts)
    if any(number != round(number) for number in numbers):  # measured, not chosen: refused where it becomes a label
        return ["label"], [None], sparse.csr_array(np.array(numbers)[index, None])
    return ["label"], [tuple(texts)], sparse.csr_array(index[:, None].astype(float))


def _distinct(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the labels that differ, numbers by what they are worth and in order, and which of them each text is."""
    numbers = _numbers(texts)
    if not numbers:
        distinct = sorted(texts)
        index = {text: i for i, text in enumerate(distinct)}
        return distinct, [index[text] for text in texts]
    values, order = np.unique(numbers, return_inverse=True)
    return [np.format_float_positional(value, trim="-") for value in values], order.tolist()


def _numbers(texts: Sequence[str]) -> list[float]:
    """Return what the labels are worth if all are finite numbers, else nothing."""
    try:
        numbers = [float(text) for text in texts]
    except ValueError:
        return []
    return numbers if np.isfinite(numbers).all() and not any("_" in text for text in texts) else []


def _notes(rows: SparseRows, lists: LabelLists, n_blank: int) -> list[str]:
    said = (
        (n_blank, "blank line", "left out"),
        (rows.n_queries, "query number", "left out (qid)"),
        (rows.n_unsorted, "row", "sorted, since positions were out of order"),
        (lists.n_twice, "label", "counted once, since the row names it again"),
    )
    return [f"{counted(n, what)} {agreed(n, 'was', 'were')} {done}." for n, what, done in said if n]


_MARK = "# trellislib: "
_INDEX = re.compile("[0-9]{1,9}")


@dataclass(frozen=True)
class SvmlightNames:
    """Names of the features, counted from 1 in a row, and of the labels, counted from 0.

    Attributes
    ----------
    features, labels : tuple of str
        Names of columns.
    values : tuple of tuple of str
        For each label what code 0, not in a row, and 1, in it, stand for; or the first of them only.
    """

    features: tuple[str, ...]
    labels: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]

    def line(self) -> str:
        """Return the line that says them."""
        return _MARK + json.dumps([self.features, self.labels, self.values])

    @classmethod
    def of_line(cls, line: str) -> SvmlightNames | None:
        """Return what a line says; None if it is another comment, or does not say it right."""
        if not line.startswith(_MARK):
            return None
        try:
            said = json.loads(line.removeprefix(_MARK))
        except (ValueError, RecursionError):
            return None
        if not isinstance(said, list) or len(said) != 3 or not all(isinstance(part, list) for part in said):
            return None
        features, labels, values = said
        pairs = [tuple(pair) for pair in values if isinstance(pair, list)]
        is_right = (
            _are_names(features)
            and _are_names(labels)
            and len(pairs) == len(values) == len(labels)
            and all(0 < len(pair) <= 2 and _are_names(pair) for pair in pairs)
        )
        return cls(tuple(features), tuple(labels), tuple(pairs)) if is_right else None

    def fit(self, rows: SparseRows) -> bool:
        """Whether the rows have no other features, labels and values than those."""
        positions, texts = rows.positions, rows.labels().texts
        return (
            (not positions.size or (positions.min() > 0 and positions.max() <= len(self.features)))
            and all(map(_INDEX.fullmatch, texts))
            and all(int(text) < len(self.labels) and len(self.values[int(text)]) == 2 for text in texts)
        )


def named_table(source: Source, rows: SparseRows, names: SvmlightNames) -> Table:
    """Return the table of rows whose features and labels have names, which fit them."""
    lists = rows.labels()
    labels = lists.columns(list(map(int, lists.texts)), len(names.labels))
    features, columns = rows.cells(len(names.features), 1), (*names.features, *names.labels)
    provenance = (f"An svmlight file, {source.as_read}; its last comment names features and labels.",)
    return labelled_rows(source, features, labels, columns, names.values, "the last comment of the file", provenance)


def _are_names(names: Sequence[object]) -> bool:
    """Whether there are some, and all are texts and different."""
    return bool(names) and all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
