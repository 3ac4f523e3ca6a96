"""Any file that holds a table, told apart by what is in it."""

from __future__ import annotations

import re

from trellislib.data.arff import read_arff
from trellislib.data.choice import LabelChoice, choose_labels
from trellislib.data.dataset import Dataset
from trellislib.data.delimited import read_csv
from trellislib.data.source import FileLike, Source
from trellislib.data.table import Table

_ARFF_START = re.compile(r"\s*@(?:relation|attribute)\b", re.IGNORECASE)
_ARFF_NAME = re.compile(r"\.arff(?:\.gz)?$", re.IGNORECASE)


def load(source: FileLike | Source, labels: LabelChoice = None) -> Dataset:
    r"""Read a data set from an ARFF or CSV file.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file, which may be gzipped; an open file is read from its start.
    labels : str, path, bytes, binary file, int or sequence of str, optional
        Which columns are labels: a Mulan XML file (a path to it, its bytes, or an open file), whose order is kept; a
        number, for the first so many columns or, if negative, the last; or names. By default those that the file
        itself declares, as MEKA's ARFF files do.

    Returns
    -------
    Dataset
        Sparse where the file is.

    Raises
    ------
    DataError
        If the file cannot be read, or nothing says which columns are labels.

    Examples
    --------
    >>> data = load(b"x,sunny,warm\n0.5,1,0\n0.1,0,0\n", labels=["sunny", "warm"])
    >>> data.X.tolist(), data.Y.tolist()
    ([[0.5], [0.1]], [[1, 0], [0, 0]])
    """
    table = read_table(source)
    return table.to_dataset(choose_labels(table, labels))


def read_table(source: FileLike | Source, name: str | None = None) -> Table:
    r"""Read an ARFF or CSV file as a table.

    A file that starts as ARFF does is read as ARFF, whatever its name; one that is named .arff must be ARFF;
    anything else is read as CSV.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file, which may be gzipped; an open file is read from its start.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        Its columns, of which none is chosen to be a label yet.

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
    if _ARFF_NAME.search(source.name) or _starts_as_arff(source):
        return read_arff(source)
    return read_csv(source)


def _starts_as_arff(source: Source) -> bool:
    with source.text() as text:
        first = next((line for line in text if line.strip() and not line.lstrip().startswith("%")), "")
    return _ARFF_START.match(first) is not None
