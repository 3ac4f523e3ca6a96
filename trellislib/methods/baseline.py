"""Baselines that ignore the features: what every method should beat."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from sklearn.utils import Tags

from trellislib.decisions import Rule
from trellislib.inference import Inferred
from trellislib.labels.matrices import dense
from trellislib.learners import Learner, LeastSquares, Training
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.parameters import with_parameters
from trellislib.running.progress import Cancelled, Progress
from trellislib.typing import Matrix

Strategy = Literal["majority", "set", "nobody"]


@with_parameters
class Baseline(MultiOutputMethod):
    """Predicts the same labels for every instance, whatever its features.

    Probabilities are how often each value occurs in training, whichever labels are predicted.

    Parameters
    ----------
    strategy : {"majority", "set", "nobody"}, default="majority"
        Each label's most frequent value (the best without features for the Hamming score), the most frequent label set
        (for exact match), or no label at all. Ties go to the lower value, and to the first label set in lexicographic
        order.

    Attributes
    ----------
    codes_ : ndarray of shape (n_labels,)
        The codes of what is predicted.

    Examples
    --------
    >>> X, Y = [[0], [1], [2], [3], [4]], [[1, 0], [1, 0], [0, 1], [0, 1], [1, 1]]
    >>> for strategy in ("majority", "set", "nobody"):
    ...     print(strategy, Baseline(strategy).fit(X, Y).predict([[9]]))
    majority [[1 1]]
    set [[0 1]]
    nobody [[0 0]]
    """

    codes_: np.ndarray

    def __init__(self, strategy: Strategy = "majority", *, decide: str | Rule | None = None) -> None:
        self.strategy = strategy
        self.decide = decide

    def _learner(self) -> Learner:
        return LeastSquares()  # which is never fitted

    def _reads_rows(self) -> str | None:
        return type(self).__name__ if self.strategy == "set" else None

    def _fit(self, training: Training, progress: Progress | None, cancelled: Cancelled | None) -> None:
        if self.strategy not in get_args(Strategy):
            raise ValueError(f"Got strategy={self.strategy!r}, but expected one of {', '.join(get_args(Strategy))}.")
        data = training.training_set
        weight = data.weights(np.arange(data.n_instances))
        self._frequencies = np.asarray(data.columns.T @ weight / weight.sum()).reshape(-1, 1)
        if self.strategy == "set":
            sets, of_row = data.label_sets
            self.codes_ = dense(sets[[np.bincount(of_row, weight).argmax()]])[0].astype(np.intp)
        elif self.strategy == "nobody":
            self.codes_ = np.zeros(self.coding_.n_labels, dtype=np.intp)
        else:
            self.codes_ = self.coding_.decide(self._frequencies, range(self.coding_.n_labels))[:, 0]

    def _infer(self, X: Matrix) -> Inferred:
        codes = np.repeat(self.codes_[:, None], X.shape[0], axis=1)
        return Inferred(codes, self.coding_, self._probabilities(X))

    def _probabilities(self, X: Matrix) -> np.ndarray:
        return np.repeat(self._frequencies, X.shape[0], axis=1)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.classifier_tags.poor_score = True
        return tags


BASELINES: dict[str, Strategy] = {"Majority": "majority", "Most frequent set": "set", "Nobody": "nobody"}
"""The strategies by the names that tables give them."""
