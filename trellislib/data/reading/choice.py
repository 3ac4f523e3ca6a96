"""The ways to name the columns of a table that are its labels, also in an XML file of Mulan."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import BinaryIO, NoReturn, cast
from xml.parsers import expat

from trellislib.data.dataset import DataError
from trellislib.data.escapes import unescape
from trellislib.data.reading.source import FileLike, Source, decoded
from trellislib.data.tables.columns import composed
from trellislib.data.tables.table import CHOSEN, Table
from trellislib.wording import counted, quoted

MAX_XML = 64 * 2**20
"""Bytes of an XML file, which is read at once; a million labels take less."""

_START = 40  # bytes of a file that is no XML that are shown


def read_mulan_xml(source: FileLike | Source, name: str | None = None) -> tuple[str, ...]:
    """Read the label names of a Mulan XML file.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The XML file, which may be packed.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    tuple of str
        In document order; a label that holds others comes before them.

    Raises
    ------
    DataError
        If it is no well-formed XML, has a DOCTYPE or entities (which are refused unread), or names no labels.

    Examples
    --------
    >>> read_mulan_xml(b'<labels><label name="animal"><label name="owl"/></label></labels>')
    ('animal', 'owl')
    """
    source = Source(source, name)
    content = source.content(MAX_XML)
    if not content.strip():
        raise source.error("the file has nothing but blanks" if content else "the file is empty (zero bytes)")
    try:
        labels = _parse(source, content, None)
    except expat.ExpatError as error:
        try:
            labels = _parse(source, decoded(content).encode(), "utf-8")  # says UTF-8, or nothing, and is not
        except expat.ExpatError:
            raise _not_well_formed(source, content, error) from error
    return tuple(dict.fromkeys(labels))


def _parse(source: Source, content: bytes, encoding: str | None) -> list[str]:
    labels: list[str] = []
    tags: list[str] = []  # the outermost one
    parser = expat.ParserCreate(encoding)

    def refuse(*_: object) -> NoReturn:
        raise source.error("a DOCTYPE or entity is not allowed in a file of label names", parser.CurrentLineNumber)

    def start(tag: str, attributes: dict[str, str]) -> None:
        if not tags:
            tags.append(tag)
        if _plain(tag) != "label":
            return
        name = next((value for key, value in attributes.items() if _plain(key) == "name"), "")
        if not name:
            raise source.error("this <label> has no name", parser.CurrentLineNumber)
        labels.append(name)

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    try:
        parser.Parse(content, True)
    except DataError:
        raise
    except (LookupError, ValueError) as error:
        raise source.error(f"this XML is in an encoding that cannot be read ({error}); save it as UTF-8") from error
    if not labels:
        raise source.error(f'this XML names no labels; expected <label name="..."> elements, not <{tags[0][:_START]}>')
    return labels


def _plain(name: str) -> str:
    """Return the name of a tag or attribute without its namespace, in lower case."""
    return name.rpartition(":")[2].lower()


def _not_well_formed(source: Source, content: bytes, error: expat.ExpatError) -> Exception:
    start = decoded(content[:_START]).lstrip().split("\n")[0]
    if start[:1].isascii() and start[:1].isprintable() and not start.startswith("<"):
        return source.error(f"this is not XML, which starts with '<', but with {start!r}")
    cause = expat.errors.messages.get(error.code, str(error))
    return source.error(f"this is not well-formed XML ({cause})", error.lineno)


LabelChoice = str | os.PathLike[str] | bytes | BinaryIO | Source | int | Sequence[str] | None


def choose_labels(table: Table, labels: LabelChoice = None) -> tuple[str, ...]:
    """Return the names of the columns that are labels.

    Parameters
    ----------
    table : Table
        What was read.
    labels : str, path, bytes, binary file, int or sequence of str, optional
        A Mulan XML file (a path to it, its bytes, or an open file), whose order is kept; a number, for the first
        so many columns or, if negative, the last; or names, of which that of a column of lists that was split stands
        for its labels. By default the labels that the file declares.

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
    names = [composed(str(name)) for name in cast("Sequence[str]", labels)]  # those of a frame may be numbers
    lists = {table.listed[0]: table.from_lists} if table.listed else {}
    return tuple(label for name in names for label in lists.get(name, (name,)))


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
        declared_by = f"the number that was given: {labels}"
    elif _is_file(labels):
        declared_by = Source(cast("FileLike", labels)).name
    else:
        declared_by = CHOSEN
    return replace(table, labels=chosen, labels_note="", labels_source=declared_by)


def _is_file(labels: LabelChoice) -> bool:
    return isinstance(labels, (str, os.PathLike, bytes, Source)) or hasattr(labels, "read")


def _by_number(table: Table, n: int) -> tuple[str, ...]:
    columns = table.unweighted.columns
    if not 0 < abs(n) <= len(columns):
        raise DataError(
            f"{table.name}: {counted(abs(n), 'label')} cannot be among {counted(len(columns), 'column')}; give a "
            f"number from 1 to {len(columns)}, or minus that for the last columns."
        )
    return columns[:n] if n > 0 else columns[n:]


def _spelt_as_in(table: Table, label: str, xml: str) -> str:
    """Return the label as the table spells it: the XML of some sets repeats the backslashes of the ARFF."""
    for spelling in (label, unescape(label), composed(label), composed(unescape(label))):
        if spelling in table.columns:
            return spelling
    nearest = table.nearest(unescape(label))
    cause = f"there is no column {quoted(label)}, which {xml} names as a label{nearest}"
    raise DataError(f"{table.name}: {cause}.", [table.name, xml])
