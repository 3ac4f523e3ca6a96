"""What label vectors show of dependence: which sets there are, which combinations of a pair, and what implies what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.typing import Matrix
from trellislib.wording import listed

COMBINATIONS = ((1, 1), (1, 0), (0, 1), (0, 0))


def set_in_words(codes: np.ndarray, names: Sequence[str]) -> str:
    """Return the names of the labels that a label vector has.

    Parameters
    ----------
    codes : ndarray of int of shape (n_labels,)
        Label codes; any above 0 counts as having the label.
    names : sequence of str
        Names of the labels.

    Returns
    -------
    str

    Examples
    --------
    >>> set_in_words(np.array([1, 0, 1]), ["a", "b", "c"]), set_in_words(np.zeros(3, dtype=int), ["a", "b", "c"])
    ('a and c', 'no label')
    """
    has = [names[label] for label in np.flatnonzero(codes).tolist()]
    return listed(has, len(has)) or "no label"


def unseen_sets(known: np.ndarray, predicted: np.ndarray) -> np.ndarray:
    """Return which predicted label vectors are among no known ones.

    Parameters
    ----------
    known, predicted : ndarray of int of shape (n_instances, n_labels)
        Label codes; each with its own number of instances.

    Returns
    -------
    ndarray of bool of shape (n_predicted,)

    Examples
    --------
    >>> unseen_sets(np.array([[0, 1], [1, 1]]), np.array([[1, 0], [1, 1], [0, 0]])).tolist()
    [True, False, True]
    """
    seen = set(_as_bytes(known))
    return np.array([row not in seen for row in _as_bytes(predicted)], dtype=bool)


def _as_bytes(codes: np.ndarray) -> list[bytes]:
    """Return each row as bytes, which are compared fast."""
    rows = np.ascontiguousarray(codes, dtype=np.int64)
    return rows.view(f"V{rows.strides[0]}").ravel().tolist()


def implication(codes: np.ndarray, first: int, second: int) -> float:
    """Return the share of instances with one label that have another, too.

    Parameters
    ----------
    codes : ndarray of int of shape (n_instances, n_labels)
        Label codes; any above 0 counts as having the label.
    first, second : int
        The label that is given, and the one that is looked for.

    Returns
    -------
    float
        An estimate of p(y_second > 0 | y_first > 0); ``nan`` where no instance has the first.

    Examples
    --------
    >>> implication(np.array([[1, 1], [0, 1], [0, 1], [1, 0]]), 1, 0).__round__(3)
    0.333
    """
    has = codes[:, first] > 0
    return float((codes[has, second] > 0).mean()) if has.any() else float("nan")


def label_correlations(codes: np.ndarray) -> np.ndarray:
    """Return how much the labels of each pair hang together, whatever their frequencies: the phi coefficient.

    Parameters
    ----------
    codes : ndarray of int of shape (n_instances, n_labels)
        Label codes; any above 0 counts as having the label.

    Returns
    -------
    ndarray of float of shape (n_labels, n_labels)
        Correlations of the indicators, from -1, where two labels exclude each other, to 1, where they are always
        together; ``nan`` for a label that all instances have, or none.

    Examples
    --------
    >>> label_correlations(np.array([[1, 1], [1, 1], [1, 0], [0, 0]]))[0, 1].round(3)
    np.float64(0.577)
    """
    has = (codes > 0).astype(float)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.corrcoef(has, rowvar=False)


def pair_combinations(of: Mapping[str, np.ndarray], first: int, second: int) -> pd.DataFrame:
    """Count how often two labels are together, alone and absent, in several sets of label vectors.

    Parameters
    ----------
    of : mapping of str to ndarray of int of shape (n_instances, n_labels)
        Label codes by name, as of the truth and of predictions; any above 0 counts as having the label.
    first, second : int
        The two labels.

    Returns
    -------
    DataFrame
        A row per combination, (1, 1), (1, 0), (0, 1) and (0, 0), a column of counts per name.

    Examples
    --------
    >>> pair_combinations({"truth": np.array([[1, 1], [0, 1], [0, 1]])}, 0, 1)["truth"].tolist()
    [1, 0, 2, 0]
    """
    pairs = {name: codes[:, [first, second]] > 0 for name, codes in of.items()}
    return pd.DataFrame(
        {
            name: [int((pair == combination).all(axis=1).sum()) for combination in COMBINATIONS]
            for name, pair in pairs.items()
        },
        index=pd.Index(COMBINATIONS, tupleize_cols=False),
    )


def distinct_label_sets(codes: Matrix) -> tuple[Matrix, np.ndarray]:
    """Return the label sets that occur, and the number of the one that each instance has.

    Parameters
    ----------
    codes : {ndarray, csr_array} of int of shape (n_instances, n_labels)
        Label codes.

    Returns
    -------
    sets : {ndarray, csr_array} of shape (n_sets, n_labels)
        Their codes, in lexicographic order; CSR where the labels are.
    of_row : ndarray of shape (n_instances,)
        Row of `sets` of each instance.

    Examples
    --------
    >>> sets, of_row = distinct_label_sets(np.array([[1, 0], [0, 1], [1, 0]]))
    >>> sets.tolist(), of_row.tolist()
    ([[0, 1], [1, 0]], [1, 0, 1])
    """
    if not sparse.issparse(codes):
        sets, of_row = np.unique(codes, axis=0, return_inverse=True)
        return sets, of_row.ravel()
    codes = sparse.csr_array(codes, dtype=np.intp, copy=True)
    codes.sum_duplicates()
    codes.eliminate_zeros()
    # As bytes, a row's cells sort as its codes do: of two rows the one whose first cell that differs is further left,
    # or larger at the same place, is the later one, and a row that ends there is the earlier one.
    cells = np.column_stack([codes.shape[1] - codes.indices, codes.data]).astype(">u8").tobytes()
    stops = (16 * codes.indptr.astype(np.int64)).tolist()
    keys = [cells[start:stop] for start, stop in pairwise(stops)]
    first = {key: row for row, key in reversed(list(enumerate(keys)))}
    number = {key: place for place, key in enumerate(sorted(first))}
    return codes[[first[key] for key in number]], np.array([number[key] for key in keys])
