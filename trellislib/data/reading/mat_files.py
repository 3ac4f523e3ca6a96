"""The variables of a MATLAB file, read with every size held against the bytes that are there.

SciPy's reader trusts what a file says of itself, and a single wrong byte can end the whole program. This one reads what
holds data (matrices, sparse or not, texts, lists of texts, and structs of these), and names what it leaves alone.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.reading.named_arrays import Unread
from trellislib.data.reading.packing import MAX_RATIO, MAX_UNPACKED, UNSUSPICIOUS
from trellislib.data.reading.proportion import check_parts
from trellislib.data.reading.source import Source
from trellislib.wording import quoted

_NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_MATRIX, _COMPRESSED = 14, 15
_TEXTS = {1: "latin-1", 2: "latin-1", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
_CELL, _STRUCT, _CHAR, _SPARSE, _FULL = 1, 2, 4, 5, range(6, 16)
_COMPLEX, _LOGICAL = 0x0800, 0x0200
_HEADER = 128
_ORDERS = {b"\x00\x01IM": "<", b"\x01\x00MI": ">"}  # at the end of the header: version 1, as written by either machine
_HDF5 = b"\x89HDF\r\n\x1a\n"
_DEEPEST = 3  # a list of texts in a struct in a struct

_OLD_NUMBERS = ("f8", "f4", "i4", "i2", "u2", "u1")
_OLD_FULL, _OLD_CHAR, _OLD_SPARSE = 0, 1, 2
_OLD_HEADER = 20
_LONGEST_NAME = 64


class _DamagedError(ValueError):
    """Bytes that are no MATLAB file."""


def is_mat(head: bytes) -> bool:
    """Whether the first bytes are those of a MATLAB file."""
    return head[124:_HEADER] in _ORDERS or _is_hdf5(head) or _old_order(head) is not None


def variables(source: Source, content: bytes) -> dict[str, Any]:
    """Return what a MATLAB file holds, by name.

    Parameters
    ----------
    source : Source
        The file, which messages name.
    content : bytes
        What is in it.

    Returns
    -------
    dict
        An array, a sparse array, a tuple of texts, or an `Unread`, for each variable, and as ``name.field`` for each
        field of a struct.

    Raises
    ------
    DataError
        If it is damaged, or of version 7.3.
    """
    if _is_hdf5(content[:_HEADER]) or content[512:520] == _HDF5:
        raise source.error("this MATLAB file is of version 7.3 (HDF5), which is not read; save it with -v7")
    found: dict[str, Any] = {}
    try:
        order = _old_order(content[:_OLD_HEADER])
        read = _new_variables(source, memoryview(content)) if order is None else _old_variables(content, order)
        for name, value in read:
            for key, part in _flat(name, value):
                if key in found:
                    raise source.error(f"two variables are called {quoted(key)}; save them under different names")
                found[key] = part
    except DataError:
        raise
    except (ValueError, struct.error, zlib.error) as error:
        raise source.error("the MATLAB file is damaged or cut short") from error
    return found


def _flat(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a variable, or the fields of one that is a struct."""
    if isinstance(value, dict):
        yield from ((f"{name}.{field}", part) for field, part in value.items())
    else:
        yield name, value


def _is_hdf5(head: bytes) -> bool:
    return head.startswith((_HDF5, b"MATLAB 7.3"))


def _new_variables(source: Source, content: memoryview) -> Iterator[tuple[str, Any]]:
    """Yield the variables of a file of version 5, 6 or 7: elements, each a matrix or a matrix that is packed."""
    order = _ORDERS.get(bytes(content[124:_HEADER]))
    if order is None:
        raise source.error("this is no MATLAB file")
    room = min(MAX_UNPACKED, max(UNSUSPICIOUS, MAX_RATIO * len(content)))  # what may be unpacked in all
    for kind, element in _elements(content[_HEADER:], order):
        if kind == _COMPRESSED:
            inflated = zlib.decompressobj()
            unpacked = inflated.decompress(element, max(room, 1))  # 0 would be no bound
            if inflated.unconsumed_tail:
                raise source.error("the MATLAB file unpacks to absurdly more than its size, as an archive bomb does")
            if not inflated.eof:
                raise _DamagedError
            room -= len(unpacked)
            kind, element = next(_elements(memoryview(unpacked), order), (0, element))
        if kind != _MATRIX:
            raise _DamagedError
        name, value = _matrix(element, order, _DEEPEST)
        if name:  # what has none is a workspace of functions
            yield name, value


def _elements(content: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """Yield the kind and the bytes of each element."""
    at = 0
    while at + 8 <= len(content):
        kind, size = struct.unpack(order + "II", content[at : at + 8])
        start = at + 8
        if kind >> 16:  # a small one, in the place of its size
            kind, size, start = kind & 0xFFFF, kind >> 16, at + 4
            at += 8
        else:
            at = start + size + (0 if kind == _COMPRESSED else -size % 8)
        if start + size > len(content) or (start == at - 4 and size > 4):
            raise _DamagedError
        yield kind, content[start : start + size]


def _matrix(content: memoryview, order: str, depth: int) -> tuple[str, Any]:
    """Return the name and the value of a matrix, which may be a list or a struct of others."""
    parts = _elements(content, order)
    first = next(parts, None)
    if first is None:
        return "", np.empty((0, 0))
    flags = int(_numbers(*first, order)[:1].sum())
    kind = flags & 0xFF
    if kind not in (_CELL, _STRUCT, _CHAR, _SPARSE, *_FULL):
        opaque = next((bytes(text) for of, text in parts if of == 1), b"")
        return _decoded(opaque), Unread("an object or a function of MATLAB, which is never loaded")
    dims = tuple(int(n) for n in _numbers(*_next(parts), order))
    name = _decoded(bytes(_next(parts)[1]))
    if min(dims, default=-1) < 0:
        raise _DamagedError
    if flags & _COMPLEX:
        return name, Unread("a matrix of complex numbers")
    if kind in (_CELL, _STRUCT):
        return name, (_cell if kind == _CELL else _struct)(parts, dims, order, depth)
    if kind == _CHAR:
        return name, _chars(*_next(parts), dims, order)
    if kind == _SPARSE:
        rows, starts = (_numbers(*_next(parts), order) for _ in range(2))
        of, values = _next(parts)
        if flags & _LOGICAL and len(values) == rows.size:  # bytes, though said to be floats
            of = 2
        return name, _sparse(_numbers(of, values, order), rows, starts, dims)
    return name, _shaped(_numbers(*_next(parts), order), dims)


def _next(parts: Iterator[tuple[int, memoryview]]) -> tuple[int, memoryview]:
    element = next(parts, None)
    if element is None:
        raise _DamagedError
    return element


def _numbers(kind: int, content: memoryview, order: str) -> np.ndarray:
    if kind not in _NUMBERS or len(content) % (dtype := np.dtype(order + _NUMBERS[kind])).itemsize:
        raise _DamagedError
    return np.frombuffer(content, dtype).astype(dtype.newbyteorder("="))


def _shaped(numbers: np.ndarray, dims: Sequence[int]) -> np.ndarray:
    if numbers.size != prod(dims):
        raise _DamagedError
    return numbers.reshape(dims, order="F")


def _sparse(values: np.ndarray, rows: np.ndarray, starts: np.ndarray, dims: Sequence[int]) -> sparse.csc_array:
    """Return a sparse matrix; there may be room for more cells than it has."""
    if len(dims) != 2 or starts.size != dims[1] + 1 or not 0 <= starts[-1] <= min(values.size, rows.size):
        raise _DamagedError
    n = int(starts[-1])
    matrix = sparse.csc_array((values[:n], rows[:n], starts), shape=dims)
    check_parts(matrix)
    return matrix


def _chars(kind: int, content: memoryview, dims: Sequence[int], order: str) -> tuple[str, ...]:
    """Return the rows of a matrix of characters as texts."""
    if kind not in _TEXTS or len(dims) != 2:
        raise _DamagedError
    codec = _TEXTS[kind]
    if codec in ("utf-16", "utf-32"):
        codec += "-le" if order == "<" else "-be"
    text = bytes(content).decode(codec, "replace")
    if dims[0] <= 1:
        return (text,)
    if len(text) != prod(dims):
        raise _DamagedError
    return tuple(text[row :: dims[0]].rstrip() for row in range(dims[0]))


def _cell(parts: Iterator[tuple[int, memoryview]], dims: Sequence[int], order: str, depth: int) -> Any:
    """Return a list of texts."""
    texts: list[str] = []
    for kind, element in parts:
        value = _matrix(element, order, depth - 1)[1] if kind == _MATRIX and depth else None
        if not isinstance(value, tuple) or len(value) != 1:
            return Unread("a cell array of something else than texts")
        texts += value
    if len(texts) != prod(dims):
        raise _DamagedError
    return tuple(texts)


def _struct(parts: Iterator[tuple[int, memoryview]], dims: Sequence[int], order: str, depth: int) -> Any:
    """Return the fields of a struct."""
    length = int(_numbers(*_next(parts), order).sum())
    names = bytes(_next(parts)[1])
    if prod(dims) != 1 or length <= 0 or not depth:
        return Unread("a list of structs, or one inside many others")
    fields: dict[str, Any] = {}
    for start in range(0, len(names), length):
        kind, element = _next(parts)
        if kind != _MATRIX:
            raise _DamagedError
        value = _matrix(element, order, depth - 1)[1]
        fields.update(_flat(_decoded(names[start : start + length]), value))
    return fields


def _decoded(name: bytes) -> str:
    return name.split(b"\0")[0].decode("utf-8", "replace")


def _old_order(head: bytes) -> str | None:
    """Return the order of bytes of a file of version 4, which starts with its first matrix; None if it is none."""
    for order in "<>":
        if len(head) >= _OLD_HEADER:
            kind, n_rows, n_columns, imaginary, length = struct.unpack(order + "5i", head[:_OLD_HEADER])
            thousands, rest = divmod(kind, 1000)
            fits = thousands == "<>".index(order) and rest // 10 < len(_OLD_NUMBERS) and rest % 10 <= _OLD_SPARSE
            if fits and min(n_rows, n_columns) >= 0 and imaginary in (0, 1) and 1 < length <= _LONGEST_NAME:
                return order
    return None


def _old_variables(content: bytes, order: str) -> Iterator[tuple[str, Any]]:
    """Yield the variables of a file of version 4."""
    at = 0
    while at < len(content):
        if _old_order(content[at : at + _OLD_HEADER]) != order:
            raise _DamagedError
        kind, n_rows, n_columns, imaginary, length = struct.unpack(order + "5i", content[at : at + _OLD_HEADER])
        at += _OLD_HEADER
        name = _decoded(content[at : at + length])
        at += length
        dtype = np.dtype(order + _OLD_NUMBERS[kind % 100 // 10])
        end = at + n_rows * n_columns * dtype.itemsize
        if end > len(content):
            raise _DamagedError
        numbers = np.frombuffer(content[at:end], dtype).astype(dtype.newbyteorder("="))
        at = end + imaginary * (end - at)
        if imaginary:
            yield name, Unread("a matrix of complex numbers")
        else:
            yield name, _old_value(kind % 10, _shaped(numbers, (n_rows, n_columns)))


def _old_value(kind: int, matrix: np.ndarray) -> Any:
    if kind == _OLD_FULL:
        return matrix
    if kind == _OLD_CHAR:
        if not np.isin(matrix, range(256)).all():
            raise _DamagedError
        return tuple(bytes(row.astype(np.uint8)).decode("latin-1").rstrip() for row in matrix)
    if matrix.shape[1] == 4:
        return Unread("a matrix of complex numbers")
    ends = matrix[:, :2]
    if matrix.shape[1] != 3 or not matrix.size or not np.isfinite(ends).all() or ends.min() < 1 or ends.max() > 2**31:
        raise _DamagedError
    places = ends.astype(np.int64)
    return sparse.coo_array(
        (matrix[:-1, 2], (places[:-1, 0] - 1, places[:-1, 1] - 1)), shape=tuple(places[-1].tolist())
    )
