"""The true values of instances as codes, and whether a prediction is right by them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from trellislib.labels.coding import LabelCoding


def true_codes(Y: Any, coding: LabelCoding, n_instances: int | None = None) -> np.ndarray:
    """Return the code of every true value, -1 where it is none of its label's values, as one not seen in training.

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels), or (n_instances,) of one label
        True values. Sparse ones are made dense column by column.
    coding : LabelCoding
        The values of the labels.
    n_instances : int, optional
        How many instances there must be.

    Returns
    -------
    ndarray of int, of shape (n_labels, n_instances)

    Raises
    ------
    ValueError
        If there are not as many labels, or instances.

    Examples
    --------
    >>> true_codes([["sun", 2], ["hail", 1]], LabelCoding([np.array(["rain", "sun"]), np.array(["1", "2"])]))
    array([[ 1, -1],
           [ 1,  0]])
    """
    values = coding.shaped(Y, n_instances)
    values = sparse.csc_array(values) if sparse.issparse(values) else values
    codes = np.full(values.shape[::-1], -1, dtype=np.intp)
    for label, classes in enumerate(coding.classes):
        column = values[:, [label]].toarray()[:, 0] if sparse.issparse(values) else values[:, label]
        for code, value in enumerate(classes):
            codes[label, column == value] = code
    return codes


def outcomes(is_right: Any, would_be_right: Any, inputs_right: Any) -> np.ndarray:
    """Return the outcome of each decision: right or wrong, and by what.

    Parameters
    ----------
    is_right, would_be_right, inputs_right : bool or ndarray of bool
        Whether each decision is right, whether the most probable value would be if all inputs were true, and whether
        they are.

    Returns
    -------
    ndarray of str
        - ``right``;
        - ``lucky``: right, but only because an input is wrong;
        - ``own error``: wrong, and also if all inputs were true;
        - ``inherited error``: wrong, but right if all inputs were true;
        - ``overruled``: inputs and most probable value are right, but the inference decided otherwise, as one that
          decides jointly or by sampling may.

    Examples
    --------
    >>> right, would_be = np.array([True, True, False, False, False]), np.array([True, False, False, True, True])
    >>> outcomes(right, would_be, np.array([True, False, False, False, True])).tolist()
    ['right', 'lucky', 'own error', 'inherited error', 'overruled']
    """
    of_right = np.where(np.logical_or(would_be_right, inputs_right), "right", "lucky")
    of_wrong = np.where(would_be_right, np.where(inputs_right, "overruled", "inherited error"), "own error")
    return np.where(is_right, of_right, of_wrong)
