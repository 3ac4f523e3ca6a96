"""Data without the labels that look wrong, so that methods can be compared on them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import DataError, Dataset, PartiallyLabelled
from trellislib.labels.matrices import dense
from trellislib.wording import counted

HOW = {"mask": "masked", "remove": "removed with their rows", "correct": "changed"}
"""What may be done with labels, and how a note calls it."""


def without(dataset: Dataset, suspicious: pd.DataFrame, how: str = "mask") -> Dataset:
    """Return a data set without some of its labels.

    Parameters
    ----------
    dataset : Dataset
        The data.
    suspicious : DataFrame
        The labels, as `suspicious_labels` lists them: ``row``, ``label`` and, to change them, ``suggested``.
    how : {"mask", "remove", "correct"}, default="mask"
        What becomes of them: they are unknown from then on, so that their rows are among `Dataset.incomplete`, unless
        no label of the row is known; or their rows are left out; or they take the suggested value.

    Returns
    -------
    Dataset
        With a note of what was done.

    Raises
    ------
    ValueError
        If `how` is none of these.
    DataError
        If there is no such row, label or value, or no row is left with all of its labels.

    Examples
    --------
    >>> from trellislib.data import simulate_room
    >>> data = simulate_room(50, width=2, random_state=0)
    >>> wrong = pd.DataFrame({"row": [3, 3, 8], "label": ["r1c1", "r2c1", "r1c1"], "suggested": ["1", "0", "0"]})
    >>> without(data, wrong)
    <Dataset 'Room 2 x 2, 3 labels masked': 48 instances and 2 partially labelled, 30 features, 4 labels>
    >>> without(data, wrong, "remove").n_instances
    48
    """
    if how not in HOW:
        raise ValueError(f"Got how={how!r}, but expected one of {', '.join(HOW)}.")
    rows, labels = _cells(dataset, suspicious)
    done = f"{counted(len(rows), 'label')} {HOW[how]}"
    named = replace(dataset, name=f"{dataset.name}, {done}", notes=(*dataset.notes, f"Of {dataset.name}, {done}."))
    if how == "correct":
        return replace(named, Y=_corrected(dataset, rows, labels, suspicious["suggested"]))
    known = np.ones(dataset.Y.shape, dtype=bool)
    known[rows, labels] = False
    n_known = known.sum(axis=1)
    kept = np.flatnonzero(n_known == dataset.n_labels)
    some = np.flatnonzero((n_known > 0) & (n_known < dataset.n_labels))
    if not len(kept):
        raise DataError(f"{dataset.name}: no row is left with all of its labels: give fewer labels.")
    return _divided(named, kept, some[: None if how == "mask" else 0], known)


def _cells(dataset: Dataset, suspicious: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and labels of a table."""
    position = {name: label for label, name in enumerate(dataset.label_names)}
    unknown = [name for name in suspicious["label"] if name not in position]
    if unknown:
        raise DataError(f"{dataset.name} has no label {unknown[0]!r}: give labels that it has.")
    rows = suspicious["row"].to_numpy(dtype=int)
    absent = rows[(rows < 0) | (rows >= dataset.n_instances)]
    if len(absent):
        raise DataError(f"{dataset.name} has no row {absent[0]}: give rows from 0 to {dataset.n_instances - 1}.")
    return rows, np.array([position[name] for name in suspicious["label"]], dtype=int)


def _corrected(
    dataset: Dataset, rows: np.ndarray, labels: np.ndarray, values: Sequence[str]
) -> np.ndarray | sparse.csr_array:
    codes = []
    for label, value in zip(labels, values, strict=True):
        if value not in dataset.label_values[label]:
            raise DataError(f"{dataset.name}: label {dataset.label_names[label]!r} has no value {value!r}.")
        codes.append(dataset.label_values[label].index(value))
    Y = sparse.lil_array(dataset.Y) if sparse.issparse(dataset.Y) else dataset.Y.copy()
    Y[rows, labels] = codes
    return sparse.csr_array(Y) if sparse.issparse(dataset.Y) else Y


def _divided(dataset: Dataset, kept: np.ndarray, moved: np.ndarray, known: np.ndarray) -> Dataset:
    """Return a data set of the rows that are `kept`, in which those that are `moved` are incomplete."""
    n_train, before = dataset.n_train, dataset.incomplete
    of_train = np.arange(dataset.n_instances) < (n_train or 0)
    parts = [PartiallyLabelled(dataset.X[moved], dense(dataset.Y[moved]), known[moved], int(of_train[moved].sum()))]
    parts += [before] if before is not None else []
    n_kept_train = int(of_train[kept].sum())
    if not 0 < n_kept_train < len(kept):
        n_kept_train = 0  # nobody divides what is left
    incomplete, order = _joined([part for part in parts if part.X.shape[0]], is_divided=bool(n_kept_train))
    of_incomplete = np.concatenate([moved, dataset.n_instances + np.arange(dataset.n_incomplete)])[order]
    columns = dataset.columns and dataset.columns.by_row(np.concatenate([kept, of_incomplete]))
    return replace(
        dataset.select(kept),
        n_train=n_kept_train or None,
        incomplete=incomplete,
        columns=columns,
    )


def _joined(parts: Sequence[PartiallyLabelled], *, is_divided: bool) -> tuple[PartiallyLabelled | None, np.ndarray]:
    """Return incomplete instances after each other, those to train on first, and their order."""
    if not parts:
        return None, np.empty(0, dtype=int)
    X = [part.X for part in parts]
    of_test = np.concatenate([np.arange(part.X.shape[0]) >= (part.n_train or 0) for part in parts])
    order = np.argsort(of_test, kind="stable")
    joined = sparse.vstack(X, format="csr") if sparse.issparse(X[0]) else np.vstack(X)
    Y, known = (np.vstack([getattr(part, name) for part in parts])[order] for name in ("Y", "known"))
    return PartiallyLabelled(joined[order], Y, known, int((~of_test).sum()) if is_divided else None), order
