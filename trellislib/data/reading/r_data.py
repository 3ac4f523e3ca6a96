"""Files of R (.rda, .RData, .rds): an mldr object, or the first data frame."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from trellislib.data.dataset import DataError
from trellislib.data.reading.apart import read_apart
from trellislib.data.reading.frames import frame_table
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.table import Table
from trellislib.running.extras import require
from trellislib.wording import agreed, counted, listed

MAX_BYTES = 512 * 2**20
_STARTS = (b"RDX2\nX\n", b"RDX3\nX\n", b"X\n\0\0\0")
_OF_MLDR = (".labelcount", ".SCUMBLE")  # columns that it adds to its data
_ELSE = (
    "save an mldr object there as ARFF and XML, by mldr::write_arff(object, 'name', write.xml = TRUE), or a data frame "
    "by write.csv(frame, 'name.csv', row.names = FALSE)"
)


def starts_as_r(head: bytes) -> bool:
    """Return whether the first bytes are those of a file of R."""
    return head.startswith(_STARTS)


def read_r(source: FileLike | Source, name: str | None = None) -> Table:
    """Read a file that R's ``save`` or ``saveRDS`` wrote as a table; nothing in it is run.

    Of an mldr object the labels are those that it declares. Where there is none, it is the first data frame; the names
    of the others are in `provenance`.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        Its columns.

    Raises
    ------
    DataError
        If rdata is not installed, the file cannot be read, or it holds no data frame.
    """
    source = Source(source, name)
    require("rdata", f"{source.name}: reading R", DataError)
    # A damaged count can make the parser build what takes minutes, so that it works where it can be ended.
    return read_apart(_read, [(source.name, source.content(MAX_BYTES))])


def _read(given: list[Source]) -> Table:
    (source,) = given
    found = list(_frames(_objects(source)))
    if not found:
        raise source.error(f"it holds no data frame and no mldr object of R; {_ELSE}")
    which, frame, labels = next((one for one in found if one[2]), found[0])
    table = frame_table(frame.reset_index(drop=True), source.name)
    read = f"Read from R: {which}, {counted(len(frame), 'row')}."
    others = [other for other, *_ in found if other != which]
    more = (f"{listed(others)} in the same file {agreed(len(others), 'was', 'were')} not read.",) if others else ()
    return replace(table, provenance=(read, *more), labels=labels)


def _objects(source: Source) -> Mapping[str, Any]:
    """Return what a file holds, by name."""
    import rdata

    content = source.content(MAX_BYTES)
    try:
        with warnings.catch_warnings(action="ignore"):  # of classes that R knows, whose parts are read all the same
            found = rdata.conversion.convert(rdata.parser.parse_data(content))
    except Exception as error:  # the parser raises errors of many kinds for damaged files
        raise source.error(f"this file of R is damaged or of a kind that is not read; {_ELSE}") from error
    return found if content.startswith(b"RD") and isinstance(found, Mapping) else {"its object": found}


def _frames(objects: Mapping[str, Any]) -> Iterator[tuple[str, pd.DataFrame, tuple[str, ...] | None]]:
    """Yield the data frames, and of mldr objects also the labels."""
    for which, found in objects.items():
        if isinstance(found, pd.DataFrame):
            yield str(which), found, None
        elif isinstance(found, Mapping) and isinstance(found.get("dataset"), pd.DataFrame):
            frame = found["dataset"]
            places = _label_places(found.get("labels"), frame.shape[1])
            labels = tuple(str(frame.columns[place]) for place in places)
            yield str(which), frame.drop(columns=[one for one in _OF_MLDR if one in frame]), labels or None


def _label_places(labels: Any, n_columns: int) -> list[int]:
    """Return which columns the labels of an mldr object are, counted from 0; none where it does not say so."""
    if not isinstance(labels, pd.DataFrame) or "index" not in labels:
        return []
    places = np.asarray(labels["index"], dtype=float) - 1
    fits = np.isfinite(places).all() and (places >= 0).all() and (places < n_columns).all()
    return places.astype(int).tolist() if fits else []
