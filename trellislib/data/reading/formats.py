"""Which reader a file needs: by what is in it first, and by its name second."""

from __future__ import annotations

import re
from collections.abc import Callable

from trellislib.data.filenames import names_data
from trellislib.data.reading.archive import members
from trellislib.data.reading.arff import read_arff
from trellislib.data.reading.delimited import read_csv
from trellislib.data.reading.excel import read_excel
from trellislib.data.reading.json_rows import read_json, starts_as_json
from trellislib.data.reading.matlab import read_mat, starts_as_mat
from trellislib.data.reading.npz import read_npz, starts_as_npz
from trellislib.data.reading.orange import read_orange, starts_as_orange
from trellislib.data.reading.parquet import read_parquet
from trellislib.data.reading.r_data import read_r, starts_as_r
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.reading.sparse_rows import read_sparse_text, starts_as_sparse_text
from trellislib.data.reading.svmlight import read_svmlight, starts_as_svmlight
from trellislib.data.tables.table import Table

Reader = Callable[[Source], Table]

_HEAD = 8
_ZIP_OR_NPY = (b"PK\x03\x04", b"PK\x05\x06", b"\x93NUMPY")
_PARQUET = re.compile(rb"PAR1[^\t\r\n -~]")  # a column may be called so
_ARFF_START = re.compile(r"\s*@(?:relation|attribute)\b", re.IGNORECASE)
_ARFF_NAME = re.compile(r"\.arff(?:\.(?:gz|bz2|xz|zip))?$", re.IGNORECASE)


def read_table(source: FileLike | Source, name: str | None = None) -> Table:
    r"""Read a file of any of the forms that are known as a table.

    ARFF, Excel, Parquet, JSON, NPZ, NPY, MATLAB, R, Orange's .tab and svmlight files are recognised by their content,
    whatever their names; a file that is named .arff must be ARFF, and any other text is read as CSV. Files may be
    packed (gzip, bzip2, xz, or a zip archive of one file).

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file; an open one is read from its start.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        Its columns. `labels` are those that the file declares, None where it declares none.

    Raises
    ------
    DataError
        If the file cannot be read; one sentence with its name, the line and the cause.

    Examples
    --------
    >>> read_table(b"x,sunny\n0.5,1\n0.1,0\n", "sky.csv").propose_labels()
    ('sunny',)
    """
    source = Source(source, name)
    held, _ = data_members(source)
    if len(held) > 1:
        raise source.error(
            f"this archive holds {len(held)} files, where one table was expected; give it to trellislib.data.load, or "
            "to gather if it holds several data sets"
        )
    return reader_of(held[0])(held[0])


def data_members(source: Source) -> tuple[list[Source], list[Source]]:
    """Return the files in an archive that may hold data by their names, and the others, such as a README.

    Where no name says so, all may; a file that is no archive is its own only member.

    Raises `DataError` if the archive is refused.
    """
    held = members(source)
    data = [member for member in held if names_data(member.name)] or held
    return data, [member for member in held if member not in data]


def reader_of(source: Source) -> Reader:
    """Return what reads a file.

    Raises `DataError` if it cannot be opened, or is plainly no data set.
    """
    with source.binary() as file:
        head = file.read(_HEAD)
    if head.startswith(_ZIP_OR_NPY):  # a zip of one file was unpacked, and one of several is no table
        return read_npz if starts_as_npz(source) else read_excel
    if _PARQUET.match(head):
        return read_parquet
    if starts_as_r(head):
        return read_r
    if starts_as_mat(source):
        return read_mat
    if starts_as_json(source):
        return read_json
    if _ARFF_NAME.search(source.name) or _starts_as_arff(source):
        return read_arff
    if starts_as_orange(source):
        return read_orange
    if starts_as_svmlight(source):
        return read_svmlight
    return read_sparse_text if starts_as_sparse_text(source) else read_csv


def _starts_as_arff(source: Source) -> bool:
    with source.text() as text:
        first = next((line for line in text if line.strip() and not line.lstrip().startswith("%")), "")
    return _ARFF_START.match(first) is not None
