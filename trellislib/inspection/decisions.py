"""What deciding for a score does to an instance: the labels that the rule decides unlike the method by itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from trellislib.decisions import AsInferred
from trellislib.methods.base import MultiOutputMethod


@dataclass(frozen=True, eq=False)
class Decided:
    """An instance as a method decides it by itself, and for a score.

    Attributes
    ----------
    measure : str or None
        Key of the score in `trellislib.metrics.MEASURES`; None where the rule was given.
    rule : str
        What the rule does, in a few words.
    by_itself : ndarray of int of shape (n_labels,)
        Codes that the inference decides, or an ensemble's vote.
    codes : ndarray of int of shape (n_labels,)
        Codes that the method predicts.
    """

    measure: str | None
    rule: str
    by_itself: np.ndarray
    codes: np.ndarray

    @property
    def changed(self) -> list[int]:
        """The labels that the rule decides otherwise."""
        return np.flatnonzero(self.codes != self.by_itself).tolist()


def decided(method: MultiOutputMethod, X: Any) -> Decided:
    """Return what deciding for a score does to an instance.

    Parameters
    ----------
    method : MultiOutputMethod
        A fitted method with `decide`.
    X : {array-like, CSR} of shape (1, n_features)
        The features.

    Returns
    -------
    Decided

    Raises
    ------
    ValueError
        If the method does not decide for a score, or there is more than one instance.

    Examples
    --------
    >>> from trellislib import ClassifierChain
    >>> from trellislib.data import simulate_shapes
    >>> shapes = simulate_shapes(300, overlap=1.0, random_state=0)
    >>> chain = ClassifierChain(order=[0, 1, 2], decide="accuracy").fit(shapes.X, shapes.Y)
    >>> found = decided(chain, [[0.0, 0.0]])
    >>> found.by_itself.tolist(), found.codes.tolist(), found.changed
    ([0, 0, 1], [1, 1, 0], [0, 1, 2])
    >>> found.rule
    'highest expected score over the label sets seen in training'
    """
    check_is_fitted(method)
    if method.decide is None:
        raise ValueError(f"Got {type(method).__name__}(decide=None), but expected a method that decides for a score.")
    X = method._validated(X)
    if X.shape[0] != 1:
        raise ValueError(f"Got {X.shape[0]} instances, but expected one.")
    distribution, decision = method._distribution(X), method.decision_
    codes = (rule.decide(distribution)[:, 0] for rule in (AsInferred(), decision.rule.at(X)))
    return Decided(decision.measure, decision.rule.name, *codes)
