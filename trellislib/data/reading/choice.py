"""The ways to say which columns of a table are its labels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import BinaryIO, cast

from trellislib.data.dataset import DataError
from trellislib.data.escapes import unescape
from trellislib.data.reading.mulan import read_mulan_xml
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.table import CHOSEN, Table
from trellislib.wording import quoted

LabelChoice = str | os.PathLike[str] | bytes | BinaryIO | Source | int | Sequence[str] | None


def choose_labels(table: Table, labels: LabelChoice = None) -> tuple[str, ...]:
    """Return the names of the columns that are labels.

    Parameters
    ----------
    table : Table
        What was read.
    labels : str, path, bytes, binary file, int or sequence of str, optional
        A Mulan XML file (a path to it, its bytes, or an open file), whose order is kept; a number, for the first
        so many columns or, if negative, the last; or names. By default the labels that the file declares.

    Raises
    ------
    DataError
        If nothing says which columns are labels, or what does names a column that is not there.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table("sky.csv", ("x", "sunny", "warm"), (None, None, None), np.eye(3))
    >>> choose_labels(table, -2)
    ('sunny', 'warm')
    """
    if labels is None:
        return table.declared_labels()
    if isinstance(labels, Integral):
        return _by_number(table, int(labels))
    if _is_file(labels):
        xml = Source(cast("FileLike", labels))
        return tuple(_spelt_as_in(table, label, xml.name) for label in read_mulan_xml(xml))
    return tuple(map(str, cast("Sequence[str]", labels)))  # names that are numbers are those of a frame


def with_labels(table: Table, labels: LabelChoice = None) -> Table:
    """Return the table that declares the labels that were chosen, whatever its file declared.

    Parameters
    ----------
    table : Table
        What was read.
    labels : str, path, bytes, binary file, int or sequence of str, optional
        As `choose_labels` takes it; by default the table stays as it is.

    Raises
    ------
    DataError
        As `choose_labels` does.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table("sky.csv", ("x", "sunny", "warm"), (None, None, None), np.eye(3))
    >>> with_labels(table, -2).to_dataset().provenance
    ('2 labels, according to the number that was given: -2.',)
    """
    chosen = choose_labels(table, labels)
    if labels is None:
        return table
    if isinstance(labels, Integral):
        said = f"the number that was given: {labels}"
    elif _is_file(labels):
        said = Source(cast("FileLike", labels)).name
    else:
        said = CHOSEN
    return replace(table, labels=chosen, labels_note="", labels_source=said)


def _is_file(labels: LabelChoice) -> bool:
    return isinstance(labels, (str, os.PathLike, bytes, Source)) or hasattr(labels, "read")


def _by_number(table: Table, n: int) -> tuple[str, ...]:
    if not 0 < abs(n) < len(table.columns):
        raise DataError(
            f"{table.name}: {abs(n)} labels leave none of the {len(table.columns)} columns to be a feature; "
            f"give a number from 1 to {len(table.columns) - 1}, or minus that for the last columns."
        )
    return table.columns[:n] if n > 0 else table.columns[n:]


def _spelt_as_in(table: Table, label: str, xml: str) -> str:
    """Return the label as the table spells it: the XML of some sets repeats the backslashes of the ARFF."""
    for spelling in (label, unescape(label)):
        if spelling in table.columns:
            return spelling
    nearest = table.nearest(unescape(label))
    cause = f"there is no column {quoted(label)}, which {xml} names as a label{nearest}"
    raise DataError(f"{table.name}: {cause}.", [table.name, xml])
