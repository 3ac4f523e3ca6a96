"""Tables of plain numbers and texts, by pandas' parser: the cells of the careful readers, several times sooner."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from trellislib.data.reading.notation import MOST_EXACT
from trellislib.data.reading.source import MAX_LINE, UTF_8, Source

_BLOCK = 8 * 2**20  # bytes that are parsed at a time
_OF_NUMBERS = b"0123456789+-.eE,\n"
_IS_EXACT = tuple(map(int, pd.__version__.split(".")[:2])) >= (3, 1)  # as before by round_trip only
EXACTLY: dict[str, Any] = {} if _IS_EXACT else {"float_precision": "round_trip"}
"""What has `pandas.read_csv` read floats as they were written."""


def plain_blocks(
    source: Source,
    n_above: int,
    n_columns: int,
    named: Mapping[int, Mapping[str, float]] | None = None,
) -> list[np.ndarray]:
    r"""Return the cells between commas below some lines, in blocks of rows; none where a cell needs a careful look.

    Plain numbers are digits with a point or an exponent, without zeros in front and with no more digits than a float
    keeps; cells may be empty. Errors are those of `Source.binary`.

    - `n_above`: How many lines stand above the rows.
    - `n_columns`: How many cells each row must have.
    - `named`: The columns of texts, and what each text is as a cell.

    Examples
    --------
    >>> [block.tolist() for block in plain_blocks(Source(b"x,y\n1,2.5\n3,\n"), 1, 2)]
    [[[1.0, 2.5], [3.0, nan]]]
    >>> plain_blocks(Source(b"x,y\n007,1\n"), 1, 2)
    []
    >>> [block.tolist() for block in plain_blocks(Source(b"red,1\nblue,2\n"), 0, 2, {0: {"blue": 0.0, "red": 1.0}})]
    [[[1.0, 1.0], [0.0, 2.0]]]
    """
    blocks: list[np.ndarray] = []
    with source.binary() as file:
        for _ in range(n_above):
            file.readline(MAX_LINE)
        while content := file.read(_BLOCK):
            block = _cells(content + file.readline(MAX_LINE), n_columns, named or {})
            if block is None or (named and source.encoding != UTF_8):
                return []
            blocks.append(block)
    return blocks


def _cells(content: bytes, n_columns: int, named: Mapping[int, Mapping[str, float]]) -> np.ndarray | None:
    """Return the cells of whole lines, None where they are not all plain."""
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    text = b"\n%b%b" % (content, b"" if content.endswith(b"\n") else b"\n")  # lines between ends of lines
    odd = text.translate(None, _OF_NUMBERS)
    if odd and (not named or any(sign in odd for sign in b'"\r\0')):
        return None
    signs = np.frombuffer(text, np.uint8)
    ends = signs == ord("\n")
    n_rows = np.count_nonzero(ends) - 1
    commas = signs == ord(",")
    if (ends[1:] & ends[:-1]).any() or np.count_nonzero(commas) != n_rows * (n_columns - 1):
        return None
    if _has_zeros_in_front(signs, ends | commas):
        return None
    frame = _parsed(text, n_columns, named)
    if frame is None or frame.shape[1] != n_columns:  # longer rows than the first; shorter ones the commas show
        return None
    numeric = [j for j in range(n_columns) if j not in named]
    numbers = (frame[numeric] if named else frame).to_numpy()
    if np.nanmax(np.abs(numbers), initial=0.0) >= MOST_EXACT:
        return None
    if not named:
        return numbers
    cells, n_odd = np.empty((n_rows, n_columns)), 0
    cells[:, numeric] = numbers
    for j, of_text in named.items():
        texts, codes = frame[j].cat.categories.tolist(), frame[j].cat.codes.to_numpy()
        if not all(isinstance(text, str) for text in texts):  # where all are numbers, pandas takes 01 for 1
            return None
        of_texts = np.array([len(text.encode().translate(None, _OF_NUMBERS)) for text in texts], dtype=np.int64)
        n_odd += int(of_texts @ np.bincount(codes, minlength=len(texts)))
        cells[:, j] = np.array([of_text[text.lstrip(" ")] for text in texts])[codes]
    return cells if n_odd == len(odd) else None  # else some of it stood in a column of numbers


def _parsed(text: bytes, n_columns: int, named: Mapping[int, Mapping[str, float]]) -> pd.DataFrame | None:
    """Return columns of floats and of categories; None where pandas refuses them."""
    how: dict[str, Any] = {"dtype": np.float64}
    if named:
        numeric = [j for j in range(n_columns) if j not in named]
        dtypes = dict.fromkeys(numeric, np.float64) | dict.fromkeys(named, "category")
        how = {"dtype": dtypes, "na_values": {j: [""] for j in numeric}, "keep_default_na": False}
    try:
        return pd.read_csv(io.BytesIO(text), header=None, engine="c", **how, **EXACTLY)
    except ValueError:
        return None


def _has_zeros_in_front(signs: np.ndarray, starts: np.ndarray) -> bool:
    """Return whether a number begins with 0 and a digit, as codes do and decimals do not.

    - `signs`: The text.
    - `starts`: Whether a cell may begin after each sign.
    """
    zeros = signs[1:-1] == ord("0")
    zeros &= (signs[2:] - np.uint8(ord("0"))) < 10
    if (zeros & starts[:-2]).any():
        return True
    signed = (signs[1:-2] == ord("-")) | (signs[1:-2] == ord("+"))
    return bool((zeros[1:] & signed & starts[:-3]).any())
