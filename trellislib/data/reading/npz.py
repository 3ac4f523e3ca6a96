"""NumPy's NPZ and NPY files. Pickles in them are never loaded, and headers are read before memory is spent."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import prod
from pathlib import PurePosixPath
from sys import maxunicode
from tokenize import TokenError
from typing import IO, Any
from zipfile import ZipFile

import numpy as np
from scipy import sparse

from trellislib.data.reading.named_arrays import Unread, named_table
from trellislib.data.reading.packing import counted, damage_refused, data_files, is_zip
from trellislib.data.reading.proportion import check_parts
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.table import Table

_MAGIC = b"\x93NUMPY"
_HEADERS: dict[tuple[int, int], Callable[[Any], Any]] = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_PLAIN = "biufcUS"
_SPARSE = ("csr", "csc", "coo")


def read_npz(source: FileLike | Source, name: str | None = None) -> Table:
    """Read an NPZ or NPY file as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file: `numpy.savez` of features and labels, `numpy.save` of one matrix, or `scipy.sparse.save_npz`.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        With labels where an array is named as such, as `trellislib.data.reading.named_arrays.named_table` says; one
        matrix is a table without declared labels.

    Raises
    ------
    DataError
        If it is damaged, or it is unclear which arrays are meant.

    Examples
    --------
    >>> file = io.BytesIO()
    >>> np.savez(file, X=np.array([[0.5], [0.1]]), Y=np.array([[1, 0], [0, 0]]))
    >>> read_npz(file).labels
    ('label 1', 'label 2')
    """
    source = Source(source, name)
    with _opened(source) as file:
        if file.peek(len(_MAGIC)).startswith(_MAGIC):
            content = file.read()
            with damage_refused("NPY", source.error):
                arrays = {"array": _array(io.BytesIO(content), len(content))}
            return named_table(source, arrays, "An NPY file")
        if not is_zip(file):
            raise source.error("this is no NPZ or NPY file")
        arrays = dict(_members(source, file))
    if {"format", "shape", "data"} <= set(arrays):
        with damage_refused("NPZ", source.error):
            arrays = {"matrix": _sparse(source, arrays)}
        return named_table(source, arrays, "A sparse matrix in an NPZ file")
    return named_table(source, arrays, "An NPZ file")


def starts_as_npz(source: FileLike | Source) -> bool:
    """Whether a file is an NPY file, or a zip archive of them."""
    source = Source(source)
    with _opened(source) as file:
        if not is_zip(file):
            return file.peek(len(_MAGIC)).startswith(_MAGIC)
        with damage_refused("zip", source.error), ZipFile(counted(file, source.error)[1]) as archive:
            names = archive.namelist()
    return bool(names) and all(PurePosixPath(name).suffix == ".npy" for name in names)


@contextmanager
def _opened(source: Source) -> Iterator[io.BufferedReader]:
    """Open a file so that it can be sought in, as a zip archive needs."""
    with source.binary() as file:
        yield file if file.seekable() else io.BufferedReader(io.BytesIO(file.read()))


def _members(source: Source, file: io.BufferedReader) -> Iterator[tuple[str, Any]]:
    """Yield the arrays of an NPZ file."""
    with damage_refused("NPZ", source.error), ZipFile(counted(file, source.error)[1]) as archive:
        data_files(archive, source.error)  # refuses what unpacks to too much
        for member in archive.infolist():
            path = PurePosixPath(member.filename)
            if path.suffix == ".npy":
                with archive.open(member) as content:
                    yield path.stem, _array(content, member.file_size)


def _array(file: IO[bytes], size: int) -> Any:
    """Read an array from a file of so many bytes, unless it is no array of numbers or texts."""
    version = np.lib.format.read_magic(file)
    if version not in _HEADERS:
        return Unread("an array of records with names beyond ASCII")
    try:
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # Python 2 wrote the header
            shape, in_columns, dtype = _HEADERS[version](file)
    except (RecursionError, SyntaxError, TokenError, TypeError) as error:
        raise ValueError("the header cannot be read") from error
    if dtype.hasobject:
        return Unread("a pickle, which is never loaded, since it can run code")
    if dtype.kind not in _PLAIN:
        return Unread(f"an array of {dtype.name}")
    n_bytes = prod(shape) * dtype.itemsize
    if n_bytes > size:
        raise ValueError("the header announces more than there is")
    array = np.frombuffer(bytearray(file.read(n_bytes)), dtype).astype(dtype.newbyteorder("="), copy=False)
    if dtype.kind == "S":
        array = np.char.decode(array, "utf-8", "replace")
    if dtype.kind == "U" and not _are_characters(array.view(np.uint32)):
        raise ValueError("a text holds what is no character")
    return array.reshape(shape, order="F" if in_columns else "C")


def _are_characters(codes: np.ndarray) -> bool:
    """Whether all are characters of Unicode, of which halves of pairs are none."""
    return bool(np.all(codes <= maxunicode) and not np.any((codes >= 0xD800) & (codes < 0xE000)))


def _sparse(source: Source, arrays: dict[str, Any]) -> Any:
    """Return the sparse matrix whose parts are the arrays."""
    kind = np.ravel(arrays["format"])[0]
    kind = kind.decode("ascii") if isinstance(kind, bytes) else str(kind)
    if kind not in _SPARSE:
        raise source.error(f"the sparse matrix has the form {kind[:20]!r}; save it as csr, csc or coo")
    try:
        shape = tuple(map(int, arrays["shape"]))
        if kind == "coo":
            rows, columns = arrays["coords"] if "coords" in arrays else (arrays["row"], arrays["col"])
            return sparse.coo_array((arrays["data"], (rows, columns)), shape=shape)
        parts = (arrays["data"], arrays["indices"], arrays["indptr"])
        matrix = (sparse.csr_array if kind == "csr" else sparse.csc_array)(parts, shape=shape)
        check_parts(matrix)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError("its parts do not fit together") from error
    return matrix
