"""A data set from files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.choice import LabelChoice, with_labels
from trellislib.data.reading.gathering import gather
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.proposals import lists_by_form
from trellislib.data.tables.table import Table
from trellislib.wording import quoted
from trellislib.wording.arguments import given


def load(
    source: FileLike | Source | Iterable[FileLike | Source],
    labels: LabelChoice = None,
    *,
    split: str | tuple[str | None, ...] | None = None,
    ancestors: bool = False,
    long: tuple[str, ...] | None = None,
    sheet: str | None = None,
    **choices: Any,
) -> Dataset:
    r"""Read a data set from a file, or from several that belong together.

    Parameters
    ----------
    source : str, path, bytes or binary file, or sequence of them
        A file in any form that `trellislib.data.read_table` reads, packed or not; an open file is read from its start.
        Or the files of one data set, also in a zip archive: a table and the XML file that names its labels, features
        and labels, rows to train and to test on.
    labels : str, path, bytes, binary file, int or sequence of str, optional
        Which columns are labels: a Mulan XML file (a path to it, its bytes, or an open file), whose order is kept; a
        number, for the first so many columns or, if negative, the last; or names. By default those that the files
        themselves declare, as MEKA's ARFF files do.
    split : str or tuple of str, optional
        The column that lists all labels of a row, as in "sea|sky"; or the column and what stands between two labels;
        or these and what stands for no label (``(no genres listed)`` and the like by default).
        It becomes one column per label, and these are the labels, unless `labels` says otherwise: with
        ``labels=["tags", "urgent"]`` they are what column "tags" lists, and column "urgent". Lists by their form,
        such as "['sea', 'sky']" and those of JSON and Parquet, are taken apart where nothing else says what is a label.
    ancestors : bool
        Whether labels that are paths, such as ``a/b/c``, also stand for ``a`` and ``a/b``; as written otherwise.
    long : tuple of str, optional
        Where a line is about an instance and a label: the columns that name the instance and the label and, if there is
        one, that which says yes or no. Each instance becomes one row (`trellislib.data.Table.per_instance`).
    sheet : str, optional
        Of a workbook of several sheets, the title of the one that is meant; by default the first with anything in it.
    **choices
        How the table becomes a data set, as `trellislib.data.Table.to_dataset` takes it: `relevant`, `missing_labels`,
        `text`, `leave_out`, `kinds`, `groups`, `weights`,
        `drop_constant`.

    Returns
    -------
    Dataset
        Sparse where the file is.

    Raises
    ------
    DataError
        If a file cannot be read, the files are more than one data set, or nothing says which columns are labels.

    Examples
    --------
    >>> data = load(b"x,sunny,warm\n0.5,1,0\n0.1,0,0\n", labels=["sunny", "warm"])
    >>> data.X.tolist(), data.Y.tolist()
    ([[0.5], [0.1]], [[1, 0], [0, 0]])
    >>> data = load(b"x,tags\n0.5,sea|sky\n0.1,sky\n0.2,\n", split=("tags", "|"))
    >>> data.label_names, data.Y.tolist()
    (('sea', 'sky'), [[1, 1], [0, 1], [0, 0]])
    """
    table = _only_table(source, sheet)
    if long is not None:
        if not 2 <= len(long) <= 3:
            raise ValueError(f"Got {given('long', long)}, but expected two columns or three: instance, label, value.")
        table = table.per_instance(*long)
    if split is not None:
        column, *how = (split,) if isinstance(split, str) else split
        table = table.split(str(column), *how, ancestors=ancestors)
    elif labels is None and table.labels is None and (columns := table.proposal().long):
        raise DataError(
            f"{table.name}: each line seems to be about an instance and a label, not about an instance; give "
            f"{given('long', columns)}."
        )
    elif labels is None and table.labels is None and (guess := table.proposal().split):
        column, separator = guess
        if lists_by_form(table, column):
            table = table.split(column, separator, ancestors=ancestors)
            return table.to_dataset(**choices)
        raise DataError(
            f"{table.name}: nothing in the file says which columns are labels; column {quoted(column)} looks as if it "
            f"lists them, with {quoted(separator)} between two: give {given('split', guess)}."
        )
    table = with_labels(table, labels)
    if ancestors:
        table = table.with_ancestors(table.declared_labels())
    return table.to_dataset(**choices)


def _only_table(source: FileLike | Source | Iterable[FileLike | Source], sheet: str | None) -> Table:
    """Return the one table that the files are."""
    one = isinstance(source, (str, bytes, bytearray, memoryview, Source)) or hasattr(source, "read")
    sources = [source] if one or hasattr(source, "__fspath__") else source
    opened = list(map(Source, cast("Iterable[FileLike | Source]", sources)))
    for file in opened:
        file.sheet = sheet or file.sheet
    sets, errors = gather(opened)
    if errors:
        raise errors[0]
    if not sets:
        raise DataError("data: no file was given; name at least one.")
    if len(sets) > 1:
        named = ", ".join(" with ".join(found.files) for found in sets)
        raise DataError(
            f"{sets[0].files[0]}: the files are {len(sets)} data sets, not one ({named}); load each by itself."
        )
    return sets[0].table
