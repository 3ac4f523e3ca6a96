"""MATLAB's .mat files up to version 7, as tables."""

from __future__ import annotations

from trellislib.data.reading.mat_files import is_mat, variables
from trellislib.data.reading.named_arrays import named_table
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.table import Table

_HEAD = 512


def read_mat(source: FileLike | Source, name: str | None = None) -> Table:
    """Read a MATLAB file as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file, saved by MATLAB, Octave or SciPy as version 4, 6 or 7.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        With labels where a matrix is named as such, as `trellislib.data.reading.named_arrays.named_table` says; the
        fields of a struct count as matrices. Matrices may have a row or a column for each instance.

    Raises
    ------
    DataError
        If it is damaged or of version 7.3, or it is unclear which matrices are meant.

    Examples
    --------
    >>> import io
    >>> import numpy as np
    >>> from scipy.io import savemat
    >>> file = io.BytesIO()
    >>> savemat(file, {"data": np.array([[0.5], [0.1], [0.7]]), "target": np.array([[1, -1, 1], [-1, -1, 1]])})
    >>> table = read_mat(file)
    >>> table.labels, table.cells.tolist()
    (('label 1', 'label 2'), [[0.5, 1.0, -1.0], [0.1, -1.0, -1.0], [0.7, 1.0, 1.0]])
    """
    source = Source(source, name)
    with source.binary() as file:
        content = file.read()
    return named_table(source, variables(source, content), "A MATLAB file")


def starts_as_mat(source: FileLike | Source) -> bool:
    """Whether a file starts as MATLAB's do, of whatever version.

    Examples
    --------
    >>> starts_as_mat(b"x,y")
    False
    """
    with Source(source).binary() as file:
        return is_mat(file.peek(_HEAD)[:_HEAD])
