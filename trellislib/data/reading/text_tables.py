"""Columns of texts under a header as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from trellislib.data.reading.cells import Cells
from trellislib.data.reading.header import column_names
from trellislib.data.tables.table import Table
from trellislib.wording import counted


def text_table(
    name: str, header: Sequence[str], read: Cells, how: str, remarks: Iterable[str] = (), notes: Iterable[str] = ()
) -> Table:
    """Return columns of texts as a table, without those that have neither a name in the header nor any value.

    - `how`: How they were read, to begin a sentence.
    - `remarks`: What else is unusual about how they were, one sentence each.
    - `notes`: What was changed beyond what `read` notes.
    """
    used = [j for j, title in enumerate(header) if title.strip() or not np.isnan(read.cells[:, j]).all()]
    used = used or list(range(len(header)))
    columns = column_names(header)[0]
    size = f"{counted(len(read.cells), 'row')} of {counted(len(used), 'column')}"
    return Table(
        name=name,
        columns=tuple(columns[j] for j in used),
        categories=tuple(read.categories[j] for j in used),
        cells=read.cells if len(used) == len(header) else read.cells[:, used],
        provenance=(f"{how}{read.numbers_note}: {size}.", *remarks),
        notes=(*column_names([header[j] for j in used])[1], *read.notes, *notes),
        unusable=read.unusable,
    )
