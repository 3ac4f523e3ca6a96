"""What is true of instances, as codes, and what became of a prediction beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from trellislib.coding import LabelCoding


def true_codes(Y: Any, coding: LabelCoding) -> np.ndarray:
    """Return the code of every true value, -1 where it is none of its label's values, as one not seen in training.

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        True values.
    coding : LabelCoding
        The values of the labels.

    Returns
    -------
    ndarray of int, of shape (n_labels, n_instances)

    Raises
    ------
    ValueError
        If there are not as many labels.

    Examples
    --------
    >>> true_codes([["sun", 2], ["hail", 1]], LabelCoding([np.array(["rain", "sun"]), np.array(["1", "2"])]))
    array([[ 1, -1],
           [ 1,  0]])
    """
    values = Y.toarray() if sparse.issparse(Y) else np.asarray(Y)
    if values.ndim != 2 or values.shape[1] != coding.n_labels:
        raise ValueError(f"Got labels of shape {values.shape}, but expected (n_instances, {coding.n_labels}).")
    codes = np.full(values.shape[::-1], -1, dtype=np.intp)
    for label, classes in enumerate(coding.classes):
        for code, value in enumerate(classes):
            codes[label, values[:, label] == value] = code
    return codes


def fates(is_right: np.ndarray | bool, would_be_right: np.ndarray | bool) -> np.ndarray:
    """Return what became of decisions, by whether they are right, and would be if all their inputs were true.

    They are right, saved (by a wrong input), an own error or dragged along (by a wrong input).

    Examples
    --------
    >>> fates(np.array([True, True, False, False]), np.array([True, False, False, True])).tolist()
    ['right', 'saved', 'own error', 'dragged along']
    """
    right, wrong = np.where(would_be_right, "right", "saved"), np.where(would_be_right, "dragged along", "own error")
    return np.where(is_right, right, wrong)
