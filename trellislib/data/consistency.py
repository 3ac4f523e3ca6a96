"""Whether the parts of a data set fit together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from trellislib.data.cells import column_range

if TYPE_CHECKING:
    from trellislib.data.dataset import Dataset, PartiallyLabelled


def problems(data: Dataset) -> Iterator[str]:
    """Yield what does not fit together in `data`, one sentence each."""
    (n_rows, n_features), (n_label_rows, n_labels) = data.X.shape, data.Y.shape
    if n_rows != n_label_rows:
        yield f"{n_rows} rows of features but {n_label_rows} of labels."
    if n_rows == 0 or n_labels == 0:
        yield "a data set needs at least one instance and one label."
    for width, what, given, kind in (
        (n_features, "feature", data.feature_names, "feature names"),
        (n_labels, "label", data.label_names, "label names"),
        (n_labels, "label", data.label_values, "lists of label values"),
    ):
        if width != len(given):
            yield f"{width} {what} columns but {len(given)} {kind}."
    for names, what in ((data.feature_names, "features"), (data.label_names, "labels")):
        if len(set(names)) < len(names):
            yield f"two {what} have the name {Counter(names).most_common(1)[0][0]!r}."
    if data.Y.dtype.kind not in "biu":
        yield _no_code(data)
    for name, low, high, values in zip(data.label_names, *column_range(data.Y), data.label_values, strict=True):
        if low < 0 or high >= len(values):
            yield f"label {name!r} has a code outside its {len(values)} values."
    if data.columns is not None and data.columns.n_rows != n_rows + data.n_incomplete:
        yield f"{data.columns.n_rows} rows of columns for {n_rows + data.n_incomplete} instances."
    for of_rows, what in ((data.ids, "ids"), (data.groups, "groups"), (data.weights, "weights")):
        if of_rows is not None and len(of_rows) != n_rows:
            yield f"{len(of_rows)} {what} for {n_rows} rows."
    if data.groups is not None and data.groups.isna().any():
        row = int(data.groups.isna().argmax()) + 1
        yield f"row {row:,} has no group ({data.groups.name}); give every row one."
    weights = data.sample_weight
    if weights is not None and not (np.all(weights >= 0) and np.isfinite(weights).all()):
        yield "weights of rows must be numbers from 0 on."
    if data.n_train is not None and not 0 < data.n_train < n_rows:
        yield f"{data.n_train} of {n_rows} rows to train on leave none to train on, or none to test on."
    if data.incomplete is not None:
        yield from _problems_of_incomplete(data, data.incomplete)


def _problems_of_incomplete(data: Dataset, incomplete: PartiallyLabelled) -> Iterator[str]:
    """Yield what does not fit together in the instances of which some labels are known."""
    n_rows = incomplete.X.shape[0]
    for part, what, width in (
        (incomplete.X, "features", data.n_features),
        (incomplete.Y, "label codes", data.n_labels),
        (incomplete.known, "known labels", data.n_labels),
    ):
        if part.shape != (n_rows, width):
            yield f"the partially labelled rows need {what} of shape {(n_rows, width)}, but got {part.shape}."
    if incomplete.Y.dtype.kind not in "biu" or incomplete.known.dtype.kind != "b":
        yield "the partially labelled rows need integer codes, and booleans that say which are known."
    if (incomplete.n_train is None) != (data.n_train is None) or not 0 <= (incomplete.n_train or 0) <= n_rows:
        yield f"{incomplete.n_train} of {n_rows} incomplete rows to train on do not fit {data.n_train} of the others."
    for of_complete, of_incomplete, what in (
        (data.sample_weight, incomplete.weights, "weights"),
        (data.groups, incomplete.groups, "groups"),
    ):
        n_given = 0 if of_incomplete is None else len(of_incomplete)
        if n_given != (0 if of_complete is None else n_rows):
            yield f"the partially labelled rows need as many {what} as rows, and only where the others have some."
    n_known = incomplete.known.sum(axis=1)
    if not n_rows or not n_known.all() or (n_known == data.n_labels).any():
        yield "every partially labelled row must know some labels and lack others."
    codes = np.where(incomplete.known, incomplete.Y, 0)
    for name, low, high, values in zip(data.label_names, *column_range(codes), data.label_values, strict=True):
        if low < 0 or high >= len(values):
            yield f"label {name!r} has a code outside its {len(values)} values in a partially labelled row."


def _no_code(data: Dataset) -> str:
    """Say which label holds something else than integer codes."""
    cells = sparse.coo_array(data.Y)
    wrong = np.flatnonzero(cells.data != np.floor(cells.data))
    if not wrong.size:
        return f"label codes must be integers, but their type is {data.Y.dtype}."
    return f"label {data.label_names[cells.coords[1][wrong[0]]]!r} holds {cells.data[wrong[0]]}, no integer code."
