"""ARFF, as Weka, Mulan and MEKA write it: dense and sparse, read in one pass and in blocks of rows."""

from __future__ import annotations

from itertools import chain

import numpy as np

from trellislib.data.dataset import Dataset
from trellislib.data.reading.arff_header import hinted_labels, lines_of, read_header
from trellislib.data.reading.arff_rows import Rows
from trellislib.data.reading.choice import LabelChoice, choose_labels
from trellislib.data.reading.combining import with_weights
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.tables.columns import unique_names
from trellislib.data.tables.table import Table
from trellislib.wording import counted


def load_arff(source: FileLike | Source, labels: LabelChoice = None) -> Dataset:
    r"""Read a data set from an ARFF file.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The ARFF file, which may be packed.
    labels : str, path, bytes, binary file, int or sequence of str, optional
        Which attributes are labels: a Mulan XML file (a path to it, its bytes, or an open file), which wins over
        whatever the ARFF says and gives the labels their order; a number, for the first so many attributes or, if
        negative, the last; or their names. By default those that MEKA's ``-C`` in the relation's name says.

    Returns
    -------
    Dataset
        Sparse where the file is.

    Raises
    ------
    DataError
        If the file cannot be read, or nothing says which attributes are labels.

    Examples
    --------
    >>> text = b"@relation 'sky: -C -1'\n@attribute x numeric\n@attribute sunny {0,1}\n@data\n0.5,1\n0.1,0\n"
    >>> data = load_arff(text)
    >>> data.label_names, data.Y.tolist()
    (('sunny',), [[1], [0]])
    """
    table = read_arff(source)
    return table.to_dataset(choose_labels(table, labels))


def read_arff(source: FileLike | Source, name: str | None = None) -> Table:
    r"""Read an ARFF file as a table.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The file, which may be packed.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    Table
        Sparse where the file is: a cell that is left out of a row is 0, or the first value that was declared.
        `labels` are those that MEKA's ``-C`` in the relation's name says. Weights of rows, as ``1,0,{2.5}``, are a
        column more, which `weights` names.

    Raises
    ------
    DataError
        If it is no ARFF file, or a line of it cannot be read; the message gives the line.

    Examples
    --------
    >>> table = read_arff(b"@relation sky\n@attribute colour {grey,blue}\n@data\nblue\n?\n")
    >>> table.categories, table.cells.tolist()
    ((('grey', 'blue'),), [[1.0], [nan]])
    """
    source = Source(source, name)
    with source.text() as text:
        lines = lines_of(text)
        relation, attributes = read_header(source, lines)
        rows = Rows(source, attributes)
        first = next(lines, None)
        if first is None:
            raise source.error("there are no rows after @data")
        form = "sparse" if first[1].startswith("{") else "dense"
        cells = (rows.sparse if form == "sparse" else rows.dense)(chain([first], lines))
    columns, notes = unique_names(attribute.name for attribute in attributes)
    labels, labels_source, doubt = hinted_labels(relation, columns)
    table = Table(
        name=source.name,
        columns=columns,
        categories=rows.categories(),
        cells=cells,
        labels=labels,
        labels_note=doubt,
        labels_source=labels_source,
        provenance=(
            f"Read as a {form} ARFF file {source.as_read}, of {counted(cells.shape[0], 'row')} and "
            f"{counted(len(columns), 'column')}.",
        ),
        notes=(*notes, *rows.notes()),
        unusable={c: a.unusable for c, a in zip(columns, attributes, strict=True) if a.unusable},
    )
    return with_weights(table, np.frombuffer(rows.weights)) if rows.n_weighted else table
