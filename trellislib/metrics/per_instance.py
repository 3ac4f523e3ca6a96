"""The scores of each instance by itself, of which a score of all instances is the mean."""

from __future__ import annotations

import numpy as np

from trellislib.metrics.decisions import overlap, ratio
from trellislib.metrics.measures import decision_measures

EXAMPLE_WISE = ("accuracy", "hamming_score", "exact_match", "example_f1")
"""Keys of the measures that are means over instances."""


def example_wise_measures(*, binary: bool) -> list[str]:
    """Return the keys of the measures that are means over instances, where all labels are `binary` or not.

    Examples
    --------
    >>> example_wise_measures(binary=False)
    ['hamming_score', 'exact_match']
    """
    return [key for key in decision_measures(binary=binary) if key in EXAMPLE_WISE]


def per_instance_scores(measure: str, Y_true: np.ndarray, Y_pred: np.ndarray) -> np.ndarray:
    """Return the score of each instance.

    Parameters
    ----------
    measure : {"accuracy", "hamming_score", "exact_match", "example_f1"}
        Of `trellislib.metrics.MEASURES`, one that is a mean over instances.
    Y_true, Y_pred : ndarray of shape (n_instances, n_labels)
        True and predicted codes.

    Returns
    -------
    ndarray of shape (n_instances,)
        Their mean is the measure.

    Raises
    ------
    ValueError
        If it is another measure; and as of that measure.

    Examples
    --------
    >>> per_instance_scores("accuracy", np.array([[0, 0], [1, 1]]), np.array([[0, 0], [0, 1]])).tolist()
    [1.0, 0.5]
    """
    if measure not in EXAMPLE_WISE:
        raise ValueError(f"Got the measure {measure!r}, but expected one of {', '.join(EXAMPLE_WISE)}.")
    if measure == "hamming_score":
        return (Y_true == Y_pred).mean(axis=1)
    if measure == "exact_match":
        return (Y_true == Y_pred).all(axis=1).astype(float)
    both, true, pred = overlap(Y_true, Y_pred, None, axis=1)
    return ratio(2 * both, true + pred, 1.0) if measure == "example_f1" else ratio(both, true + pred - both, 1.0)
