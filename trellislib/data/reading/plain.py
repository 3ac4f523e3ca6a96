"""CSV of nothing but plain numbers, by pandas' parser: the cells of the careful reader, several times sooner."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pandas as pd

from trellislib.data.reading.notation import MOST_EXACT
from trellislib.data.reading.source import MAX_LINE, Source

_BLOCK = 8 * 2**20  # bytes that are parsed at a time
_OF_NUMBERS = b"0123456789+-.eE,\n"
# As codes have them, not as decimals do; one pattern each, since a search for a fixed beginning is quick.
_ZERO_IN_FRONT = tuple(re.compile(before + rb"0\d") for before in (b",", b"\n", b",-", b"\n-", rb",\+", rb"\n\+"))
_IS_EXACT = tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)  # as before by round_trip only
EXACTLY: dict[str, Any] = {} if _IS_EXACT else {"float_precision": "round_trip"}
"""What has `pandas.read_csv` read floats as they were written."""


def plain_blocks(source: Source, n_above: int, n_columns: int) -> list[np.ndarray]:
    r"""Return the cells between commas below some lines, in blocks of rows; none where a cell needs a careful look.

    Plain numbers are digits with a point or an exponent, without zeros in front and with no more digits than a float
    keeps; cells may be empty. Errors are those of `Source.binary`.

    - `n_above`: How many lines stand above the rows.
    - `n_columns`: How many cells each row must have.

    Examples
    --------
    >>> [block.tolist() for block in plain_blocks(Source(b"x,y\n1,2.5\n3,\n"), 1, 2)]
    [[[1.0, 2.5], [3.0, nan]]]
    >>> plain_blocks(Source(b"x,y\n007,1\n"), 1, 2)
    []
    """
    blocks: list[np.ndarray] = []
    with source.binary() as file:
        for _ in range(n_above):
            file.readline(MAX_LINE)
        while content := file.read(_BLOCK):
            block = _cells(content + file.readline(MAX_LINE), n_columns)
            if block is None:
                return []
            blocks.append(block)
    return blocks


def _cells(content: bytes, n_columns: int) -> np.ndarray | None:
    """Return the cells of whole lines, None where they are not all plain numbers."""
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    text = b"\n%b%b" % (content, b"" if content.endswith(b"\n") else b"\n")  # lines between ends of lines
    n_rows = text.count(b"\n") - 1
    if text.translate(None, _OF_NUMBERS) or b"\n\n" in text or text.count(b",") != n_rows * (n_columns - 1):
        return None
    if any(pattern.search(text) for pattern in _ZERO_IN_FRONT):
        return None
    try:
        # Longer rows than the first are an error, and shorter ones there are none, as the commas show.
        cells = pd.read_csv(io.BytesIO(text), header=None, dtype=np.float64, engine="c", **EXACTLY).to_numpy()
    except ValueError:
        return None
    largest = np.nanmax(np.abs(cells), initial=0.0)
    return cells if cells.shape[1] == n_columns and largest < MOST_EXACT else None
