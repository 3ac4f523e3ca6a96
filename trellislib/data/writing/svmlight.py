"""svmlight with any number of labels a row: features count from 1, labels from 0, and names stand in a last comment."""

from __future__ import annotations

from collections.abc import Iterator

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.svmlight import SvmlightNames
from trellislib.data.writing.names import check, column_names, stem, with_sure_values
from trellislib.data.writing.rows import LabelTexts, blocks, sparse_features, sparse_labels
from trellislib.wording import counted, quoted


def svmlight_file(data: Dataset) -> dict[str, Iterator[bytes]]:
    """Return an svmlight file; a missing cell is ``nan``.

    Raises `DataError` if a label has more than two values, or there are rows with unknown labels.
    """
    check(data)
    for label, values in zip(data.label_names, data.label_values, strict=True):
        if len(values) > 2:
            cause = f"svmlight cannot hold label {quoted(label)}, which has {len(values)} values"
            raise DataError(f"{data.name}: {cause}; choose another form.")
    if data.incomplete is not None:
        rows = counted(len(data.incomplete.Y), "row")
        raise DataError(f"{data.name}: svmlight cannot hold {rows} with unknown labels; choose another form.")
    return {f"{stem(data)}.svm": _file(with_sure_values(data, keeps_order=True))}


def _file(data: Dataset) -> Iterator[bytes]:
    no_text = LabelTexts([("", "")] * data.n_labels, "")
    for block in blocks(data):
        rows = zip(sparse_labels(block, no_text, 0), sparse_features(block, ":", 1, "nan"), strict=True)
        # a row without a cell gets a 0, for a line without anything would be no row
        yield "".join(f"{','.join(map(str.strip, y))} {' '.join(x) or '1:0'}\n" for y, x in rows).encode()
    yield f"{SvmlightNames(*column_names(data), data.label_values).line()}\n".encode()
