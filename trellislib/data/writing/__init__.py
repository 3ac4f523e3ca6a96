"""Data sets as files: what is written reads back equal.

`trellislib.data.load` reads the files back as they were written: the same features to the last bit, labels, names and
values, in the same order, and the same rows to which a label is relevant. What that takes, and what a form cannot hold:

- Names are different in a file. A feature with the name of a label becomes "name (2)"; one without a name is called by
  its position. In CSV, blanks around names and blank lines in them go.
- The second of a label's two values stays the relevant one, if need be under another name. In CSV, two values that do
  not say which is the relevant one, such as blue/grey or 1/2, are written as 0 and 1, so that the words are gone. So
  are, in every form, those that say it wrongly, such as yes/no where "no" is the relevant one.
- More than two values are in ascending order after CSV, and numbers after every form. In CSV, those that do not occur
  are gone, numbers are read as such, so that 01 becomes 1, and dates are refused.
- A feature without any value is left out on reading. Sparse features come back dense from CSV and Parquet.
- CSV does not say which columns are labels: they are the last ones, ``load(..., labels=data.label_names)``.
- svmlight says which labels of a row are relevant: labels of more than two values, and labels that are not known, are
  refused there.
- Rows of which only some labels are known stand below the others; ``load(..., missing_labels="masked")`` reads them.
- Groups and weights of rows are columns, ``load(..., groups=data.groups.name)``. In ARFF, weights stand after the rows,
  and are read without being asked for. svmlight has neither.
- Which rows are to train on is kept by Mulan's form, in two files, and by no other.
- The name, notes, provenance and true parents of a data set are in no file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.writing.arff import meka_arff, mulan_arff
from trellislib.data.writing.delimited import csv_file
from trellislib.data.writing.parquet import parquet_file
from trellislib.data.writing.svmlight import svmlight_file

_FORMS: Mapping[str, Callable[[Dataset], dict[str, Iterator[bytes]]]] = {
    "Mulan ARFF": mulan_arff,
    "MEKA ARFF": meka_arff,
    "CSV": csv_file,
    "svmlight": svmlight_file,
    "Parquet": parquet_file,
}
FORMS = tuple(_FORMS)
_IN_LOWER_CASE = {form.lower(): make for form, make in _FORMS.items()}


def written(data: Dataset, form: str) -> dict[str, bytes]:
    """Return the files that hold a data set, all at once.

    Parameters
    ----------
    data : Dataset
        The data set.
    form : {"Mulan ARFF", "MEKA ARFF", "CSV", "svmlight", "Parquet"}
        The form, in capitals or not.

    Returns
    -------
    dict of str to bytes
        The content of each file, by its name.

    Raises
    ------
    DataError
        If the form cannot hold the data set, or Parquet is asked for without pyarrow; the message says it.
    ValueError
        If there is no such form.

    Examples
    --------
    >>> import numpy as np
    >>> X, Y = np.array([[0.5], [0.1]]), np.array([[1], [0]])
    >>> data = Dataset(X, Y, ("x",), ("sunny",), (("no", "yes"),), name="sky")
    >>> print(written(data, "CSV")["sky.csv"].decode(), end="")
    "x","sunny"
    0.5,yes
    0.1,no
    """
    return {name: b"".join(blocks) for name, blocks in blocks_of(data, form).items()}


def save(data: Dataset, folder: str | os.PathLike[str], form: str) -> tuple[Path, ...]:
    """Write the files that hold a data set into a folder, a block of rows at a time, and return their paths.

    Parameters
    ----------
    data, form
        As `written` takes them; the files are named after the data set.
    folder : str or path
        Where they go; it is made if need be. Files of these names are replaced.

    Raises
    ------
    DataError, ValueError
        As `written` does, and if a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> data = Dataset(np.eye(2), np.eye(2, dtype=int), ("x", "z"), ("a", "b"), (("0", "1"),) * 2, name="sky")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in save(data, folder, "Mulan ARFF")]
    ['sky.arff', 'sky.xml']
    """
    files = blocks_of(data, form)
    paths = tuple(Path(folder) / name for name in files)
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, blocks in zip(paths, files.values(), strict=True):
            with path.open("wb") as file:
                file.writelines(blocks)
    except OSError as error:
        raise DataError(f"{data.name}: the files cannot be written to {folder} ({error.strerror or error}).") from error
    return paths


def refusal(data: Dataset, form: str) -> str:
    """Return why a form cannot hold a data set, one sentence; empty where it can."""
    try:
        blocks_of(data, form)
    except DataError as error:
        return str(error)
    return ""


def blocks_of(data: Dataset, form: str) -> dict[str, Iterator[bytes]]:
    r"""Return the files that hold a data set, by name, each as blocks of bytes that are made as they are asked for.

    Parameters and errors are those of `written`.

    Examples
    --------
    >>> import numpy as np
    >>> data = Dataset(np.eye(2), np.eye(2, dtype=int), ("x", "z"), ("a", "b"), (("0", "1"),) * 2, name="sky")
    >>> [*blocks_of(data, "CSV")["sky.csv"]]
    [b'"x","z","a","b"\n', b'1,0,1,0\n0,1,0,1\n']
    """
    make = _IN_LOWER_CASE.get(form.lower())
    if make is None:
        raise ValueError(f"Got the form {form!r}, but expected one of {', '.join(FORMS)}.")
    return make(data)
