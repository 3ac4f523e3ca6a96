"""One label of a data set at a glance, and instances of labels: in which two of them meet, or one is alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.data.dataset import Dataset
from trellislib.labels.matrices import dense

PER_CELL = 2  # instances that are shown of each pair of values
CELLS = 6  # pairs of values that are shown


def pair_examples(
    data: Dataset, one: int, other: int, *, n_cells: int = CELLS, per_cell: int = PER_CELL
) -> pd.DataFrame:
    """Return the first instances of each pair of values of two labels, but for that of both first values.

    Parameters
    ----------
    data : Dataset
        The data.
    one, other : int
        The numbers of two labels.
    n_cells : int, default=6
        How many pairs of values at most, those of the highest codes first: of binary labels both, only `one`, only
        `other`.
    per_cell : int, default=2
        How many instances of each.

    Returns
    -------
    DataFrame of shape (n_rows, 3)
        By the number of the instance, from 0: the values of both labels, and ``also``, the other labels that are off
        their first value, as by `other_labels`.

    Raises
    ------
    ValueError
        If one of them is no label of these data.

    Examples
    --------
    >>> Y = np.array([[0, 0, 1], [1, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
    >>> data = Dataset(np.zeros((5, 1)), Y, ("x",), ("sun", "warm", "dry"), (("no", "yes"),) * 3)
    >>> pair_examples(data, 0, 1).reset_index().to_numpy().tolist()
    [[1, 'yes', 'yes', 'dry'], [3, 'yes', 'yes', '(no other)'], [2, 'yes', 'no', '(no other)']]
    """
    require_label(data, one)
    require_label(data, other)
    codes = np.asarray(dense(data.Y[:, [one, other]]))
    cells = np.unique(codes[codes.any(axis=1)], axis=0)[::-1][:n_cells]
    rows = np.concatenate(
        [np.flatnonzero((codes == cell).all(axis=1))[:per_cell] for cell in cells] or [np.zeros(0, dtype=int)]
    )
    values = [
        [data.label_values[label][code] for code in codes[rows, place]] for place, label in enumerate((one, other))
    ]
    also = other_labels(data, rows, (one, other))
    columns = [data.label_names[one], data.label_names[other], "also"]
    table = pd.DataFrame(dict(enumerate([*values, also])), index=pd.Index(rows, name="row"))
    return table.set_axis(columns, axis=1)


def other_labels(data: Dataset, rows: np.ndarray, but: Sequence[int] = ()) -> list[str]:
    """Name the labels of some instances, with the value of those that have more than two; but for some labels.

    Parameters
    ----------
    data : Dataset
        The data.
    rows : ndarray of shape (n_rows,)
        The numbers of the instances.
    but : sequence of int, optional
        Labels that are not named.

    Returns
    -------
    list of str
        The labels of each that are off their first value; "(no other)" where there is none.

    Examples
    --------
    >>> values = (("no", "yes"), ("low", "mid", "high"), ("no", "yes"))
    >>> data = Dataset(np.zeros((2, 1)), np.array([[1, 2, 1], [1, 0, 0]]), ("x",), ("sun", "wind", "dry"), values)
    >>> other_labels(data, np.arange(2), but=[0])
    ['wind = high, dry', '(no other)']
    """
    return [
        ", ".join(data.value_name(int(label), int(codes[label])) for label in np.flatnonzero(codes) if label not in but)
        or "(no other)"
        for codes in np.asarray(dense(data.Y[rows]))
    ]


def require_label(data: Dataset, label: int) -> None:
    """Raise a ValueError if it is no label of these data."""
    if not 0 <= label < data.n_labels:
        raise ValueError(f"{data.name}: got the label {label}, but expected one of 0 to {data.n_labels - 1}.")


PARTNERS = 5
EXAMPLES = 5
EXAMPLE_FEATURES = 4
BLOCK_CELLS = 2**21  # of the features that are centred at a time
LEAST_VARIANCE = 1e-12  # below, a feature is constant but for rounding


@dataclass(frozen=True, eq=False)
class LabelProfile:
    """What a data set says of one label.

    As in `Statistics`, a label is *relevant* where its code is not 0.

    Attributes
    ----------
    label : int
        Its number.
    name : str
        Its name.
    n_relevant : int
        Number of instances in which it is relevant.
    frequency : float
        Their share of all instances.
    imbalance : float
        IRLbl: how many times rarer it is than the most frequent label; ``inf`` where it never occurs.
    partners : DataFrame
        The labels that depend most on it, the strongest first, by label number: ``label`` (its name), ``MI (nats)``,
        ``together`` (instances in which both are relevant), and ``phi`` where signs are given.
    examples : DataFrame
        The first instances in which it is relevant, by row number: ``with`` (the other relevant labels, as by
        `other_labels`), and the features that tell most of it: those of the largest correlation with whether it is
        relevant, positive or negative.
    """

    label: int
    name: str
    n_relevant: int
    frequency: float
    imbalance: float
    partners: pd.DataFrame
    examples: pd.DataFrame


def label_profile(
    data: Dataset,
    label: int,
    information: np.ndarray,
    signs: np.ndarray | None = None,
    *,
    n_partners: int = PARTNERS,
    n_examples: int = EXAMPLES,
    n_features: int = EXAMPLE_FEATURES,
) -> LabelProfile:
    """Return what a data set says of one label.

    Parameters
    ----------
    data : Dataset
        The data.
    label : int
        The number of the label.
    information : ndarray of shape (n_labels, n_labels)
        Mutual information of every pair, in nats.
    signs : ndarray of shape (n_labels, n_labels), optional
        Phi of every pair, where all labels are binary.
    n_partners, n_examples, n_features : int
        How many partners, instances and features are listed at most.

    Returns
    -------
    LabelProfile

    Raises
    ------
    ValueError
        If it is no label of these data.

    References
    ----------
    Charte et al., "Addressing imbalance in multilabel classification: Measures and random resampling
    algorithms", Neurocomputing 163 (2015), for IRLbl.

    Examples
    --------
    >>> Y = np.array([[1, 0, 1], [1, 1, 1], [0, 1, 0], [1, 0, 1]])
    >>> data = Dataset(np.zeros((4, 1)), Y, ("x",), ("a", "b", "c"), (("0", "1"),) * 3)
    >>> information = np.array([[0, 0.1, 0.5], [0.1, 0, 0.1], [0.5, 0.1, 0]])
    >>> profile = label_profile(data, 0, information)
    >>> profile.frequency, profile.imbalance, profile.partners["label"].tolist()
    (0.75, 1.0, ['c', 'b'])
    >>> profile.examples["with"].tolist()
    ['c', 'b, c', 'c']
    """
    require_label(data, label)
    relevant = sparse.csc_array(data.Y != 0)
    here = np.sort(relevant.indices[relevant.indptr[label] : relevant.indptr[label + 1]])
    counts = np.diff(relevant.indptr)
    together = np.asarray(relevant.tocsr()[here].sum(axis=0)).ravel()
    others = np.delete(np.arange(data.n_labels), label)
    partners = others[np.argsort(-information[label, others], kind="stable")][:n_partners]
    columns = {
        "label": [data.label_names[other] for other in partners],
        "MI (nats)": information[label, partners],
        "together": together[partners].astype(int),
    }
    if signs is not None:
        columns["phi"] = signs[label, partners]
    return LabelProfile(
        label=int(label),
        name=data.label_names[label],
        n_relevant=int(counts[label]),
        frequency=float(counts[label] / data.n_instances),
        imbalance=float(counts.max() / counts[label]) if counts[label] else float("inf"),
        partners=pd.DataFrame(columns, index=pd.Index(partners, name="number")),
        examples=_examples(data, label, here[:n_examples], n_features),
    )


def _examples(data: Dataset, label: int, rows: np.ndarray, n_features: int) -> pd.DataFrame:
    """Return instances with their other labels and the features that tell most of a label."""
    telling = _telling(data, label)[:n_features]
    features = dense(data.X[rows, :][:, telling])
    names = [data.feature_names[feature] for feature in telling]
    table = pd.DataFrame(features, columns=names, index=pd.Index(rows, name="row"))
    table.insert(0, "with", other_labels(data, rows, [label]), allow_duplicates=True)
    return table


def _telling(data: Dataset, label: int) -> np.ndarray:
    """Return all features, those first whose correlation with a label is largest; missing cells are as their mean."""
    relevant = dense(data.Y[:, [label]]).ravel() != 0
    relevant = relevant - relevant.mean()
    if sparse.issparse(data.X):
        X = sparse.csc_array(data.X, dtype=float)
        means = X.mean(axis=0)
        covariances, variances = X.T @ relevant, X.multiply(X).sum(axis=0) - len(relevant) * means**2
    else:
        sums = [_sums(block, relevant) for block in _column_blocks(data.X)]
        covariances, variances = (np.concatenate(of) for of in zip(*sums, strict=True))
    varies = variances > LEAST_VARIANCE
    tells = np.divide(np.abs(covariances), np.sqrt(np.maximum(variances, 0)), out=np.zeros(len(varies)), where=varies)
    return np.argsort(-tells.round(9), kind="stable")


def _column_blocks(X: np.ndarray) -> list[np.ndarray]:
    n_at_once = max(BLOCK_CELLS // max(len(X), 1), 1)
    return [X[:, first : first + n_at_once] for first in range(0, X.shape[1], n_at_once)] or [X]


def _sums(block: np.ndarray, relevant: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums of products of features with a label, and of their squares, both about the mean."""
    known = np.isfinite(block)
    means = block.sum(axis=0, where=known) / np.maximum(known.sum(axis=0), 1)
    centred = np.where(known, block - means, 0.0)
    return relevant @ centred, np.einsum("ij,ij->j", centred, centred)
