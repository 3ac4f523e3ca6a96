"""Frames as files, in one piece or block by block: CSV, Excel and Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

import pandas as pd

from trellislib.data.dataset import DataError
from trellislib.data.reading.excel import MAX_ROWS
from trellislib.data.writing.csv_text import csv_text, without_formulas
from trellislib.running.extras import require

Frames = Iterable[pd.DataFrame]


def csv_parts(frames: Frames) -> Iterator[str]:
    """Yield the CSV of frames of the same columns, one after the other."""
    for number, frame in enumerate(frames):
        yield csv_text(frame, index=False, header=number == 0)


def write_csv(file: BinaryIO, frames: Frames) -> int:
    """Write frames of the same columns as CSV, block by block, and return the number of rows."""
    n_rows = 0

    def counting() -> Iterator[pd.DataFrame]:
        nonlocal n_rows
        for frame in frames:
            n_rows += len(frame)
            yield frame

    for part in csv_parts(counting()):
        file.write(part.encode())
    return n_rows


def write_excel(file: BinaryIO, frames: Frames) -> int:
    """Write frames as one sheet, in which nothing is a formula, and return the number of rows.

    Raises
    ------
    DataError
        If there are more rows than a sheet has.
    """
    require("openpyxl", "Writing Excel")
    frame = pd.concat(frames, ignore_index=True)
    if len(frame) >= MAX_ROWS:
        raise DataError(f"A sheet has at most {MAX_ROWS:,} rows, and these are {len(frame):,}; write CSV.")
    without_formulas(frame).to_excel(file, index=False)
    return len(frame)


def write_parquet(file: BinaryIO, frames: Frames) -> int:
    """Write frames as Parquet, columns without their zeros with them, and return the number of rows."""
    require("pyarrow", "Writing Parquet")
    frame = pd.concat(frames, ignore_index=True)
    dense = {name: frame[name].sparse.to_dense() for name in frame if isinstance(frame[name].dtype, pd.SparseDtype)}
    frame.assign(**dense).to_parquet(file, index=False)
    return len(frame)


WRITERS: dict[str, Callable[[BinaryIO, Frames], int]] = {
    ".csv": write_csv,
    ".xlsx": write_excel,
    ".parquet": write_parquet,
}
"""What writes frames, by the ending of a name."""
