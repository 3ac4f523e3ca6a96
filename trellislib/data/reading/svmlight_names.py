"""The last line of an svmlight file that we wrote: what its features, labels and their two values are called.

Other programs take it for a comment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from scipy import sparse

from trellislib.data.reading.source import Source
from trellislib.data.reading.sparse_rows import SparseRows
from trellislib.data.tables.columns import unique_names
from trellislib.data.tables.table import Table

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
    columns, notes = unique_names((*names.features, *names.labels))
    return Table(
        name=source.name,
        columns=columns,
        categories=(*[None] * len(names.features), *names.values),
        cells=sparse.hstack([rows.cells(len(names.features), 1), labels], format="csr"),
        labels=columns[len(names.features) :],
        labels_source="the last comment of the file",
        provenance=(f"An svmlight file, {source.as_read}; its last comment names features and labels.",),
        notes=notes,
    )


def _are_names(names: Sequence[object]) -> bool:
    """Whether there are some, and all are texts and different."""
    return bool(names) and all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
