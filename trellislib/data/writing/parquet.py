"""Parquet: a column of numbers for each feature, then one for each label; the file itself says which are labels."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.parquet import label_metadata
from trellislib.data.writing.names import check, column_names, names_about_rows, stem, with_sure_values
from trellislib.data.writing.rows import Block, blocks, dense
from trellislib.running.extras import require

_ROW_GROUP = 2**22  # cells
_WHOLE = re.compile(r"0|-?[1-9]\d{0,8}")


def parquet_file(data: Dataset) -> dict[str, Iterator[bytes]]:
    """Return a Parquet file; a missing cell is null.

    Labels are whole numbers where all of their values are, else categories.

    Raises `DataError` if there is what Parquet cannot hold, or pyarrow is not installed.
    """
    check(data)
    require("pyarrow", f"{data.name}: writing Parquet", DataError)
    return {f"{stem(data)}.parquet": _file(with_sure_values(data, keeps_order=True))}


def _file(data: Dataset) -> Iterator[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = column_names(data)
    types = [pa.int32() if _are_whole(of) else pa.dictionary(pa.int32(), pa.string()) for of in data.label_values]
    about = names_about_rows(data, (*names[0], *names[1]))
    kinds = [pa.array(one).type for one in (data.groups, data.weights) if one is not None]
    fields = [*((name, pa.float64()) for name in names[0]), *zip((*names[1], *about), (*types, *kinds), strict=True)]
    schema = pa.schema(fields, metadata=label_metadata(names[1], data.label_values))

    def columns(block: Block) -> Iterator[Any]:
        for x in dense(block.X).T:
            yield pa.array(np.asarray(x, dtype=float), pa.float64(), from_pandas=True)
        for j, (codes, of_label) in enumerate(zip(dense(block.Y).T, data.label_values, strict=True)):
            unknown = None if block.known is None else ~block.known[:, j]
            if _are_whole(of_label):
                yield pa.array(np.array(of_label, dtype=np.int32)[codes], mask=unknown)
            else:
                yield pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32(), mask=unknown), list(of_label))
        yield from map(pa.array, block.about)

    sink = _Sink()
    with pq.ParquetWriter(sink, schema) as writer:
        for block in blocks(data, _ROW_GROUP):
            writer.write_table(pa.table(list(columns(block)), schema=schema))
            yield sink.taken()
    yield sink.taken()


def _are_whole(values: tuple[str, ...]) -> bool:
    """Whether all values of a label are whole numbers as they are usually written."""
    return all(map(_WHOLE.fullmatch, values))


class _Sink(io.RawIOBase):
    """What a writer takes for a file, and of which what was written is taken again and again."""

    def __init__(self) -> None:
        super().__init__()
        self._written: list[bytes] = []
        self._n_bytes = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._n_bytes

    def write(self, content: Any) -> int:
        self._written.append(bytes(content))
        self._n_bytes += len(content)
        return len(content)

    def taken(self) -> bytes:
        """Return what was written since the last time."""
        content = b"".join(self._written)
        self._written.clear()
        return content
