"""What all methods share: a method is a label graph, a base learner and an inference."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from trellislib.coding import LabelCoding, with_first_value
from trellislib.graphs import LabelGraph
from trellislib.inference import greedy
from trellislib.learners import Given, Learner, LeastSquares, PerLabel
from trellislib.progress import Cancelled, Progress
from trellislib.typing import Matrix

BLOCK_CELLS = 2**24  # instances are predicted in blocks of about this many label cells, to bound memory


def as_learner(estimator: BaseEstimator | None) -> Learner:
    """Return `estimator` as a learner: a learner as it is, a classifier per label, None as least squares."""
    if estimator is None:
        return LeastSquares()
    if isinstance(estimator, Learner):
        return estimator
    if not isinstance(estimator, BaseEstimator) or not is_classifier(estimator):
        raise TypeError(f"Got estimator={estimator!r}, but expected a learner of trellislib or a classifier.")
    return PerLabel(estimator)


def _gives_probabilities(method: LabelGraphClassifier) -> bool:
    if hasattr(method, "conditionals_"):
        return method.conditionals_.gives_probabilities
    learner = as_learner(method.estimator)
    return not isinstance(learner, PerLabel) or hasattr(learner.estimator, "predict_proba")


class LabelGraphClassifier(ClassifierMixin, BaseEstimator, ABC):
    """A multi-output classifier that predicts every label from the features and its parents in a label graph.

    A subclass says which graph. Binary labels and labels of more values are treated alike.

    Attributes
    ----------
    graph_ : LabelGraph
        The structure between the labels.
    conditionals_ : Conditionals
        The fitted p(y_l | x, y_parents).
    coding_ : LabelCoding
        The values of the labels, and the columns that stand for them.
    classes_ : list of ndarray, or ndarray where `y` had one dimension
        The values of each label.
    n_features_in_ : int
        Number of features seen in `fit`.
    """

    def __init__(self, estimator: BaseEstimator | None = None) -> None:
        self.estimator = estimator

    @abstractmethod
    def _label_graph(self, Y: Matrix) -> LabelGraph:
        """Return the structure between the labels `Y`, an array or CSR of shape (n_instances, n_labels)."""

    def fit(
        self,
        X: Matrix,
        y: Matrix,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Self:
        """Find the graph and fit one conditional per label.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features.
        y : {array-like, CSR} of shape (n_instances, n_labels) or (n_instances,)
            Labels. Where all of them together have two values, every label is binary even if constant here.
        progress, cancelled : callable, optional
            ``progress(done, total, what)`` is told after each label or block; ``cancelled()`` is asked before,
            and work stops with `trellislib.progress.CancelledError` when it answers true.

        Returns
        -------
        self
        """
        learner = as_learner(self.estimator)
        X, y = validate_data(self, X, y, multi_output=True, **self._accepted())
        Y = sparse.csr_array(y) if sparse.issparse(y) else y.reshape(len(y), -1)
        self.coding_ = LabelCoding.of(Y)
        self.graph_ = self._label_graph(Y)
        self.conditionals_ = learner.fit_graph(X, Y, self.coding_, self.graph_, progress=progress, cancelled=cancelled)
        self.classes_ = self.coding_.classes if y.ndim == 2 else self.coding_.classes[0]
        self._sparse_labels = sparse.issparse(y)
        return self

    def predict(self, X: Matrix) -> Matrix:
        """Predict all labels.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features.

        Returns
        -------
        {ndarray, csr_array} of shape (n_instances, n_labels) or (n_instances,)
            Values of the labels, in the order of the labels (not of the graph) and in the form that `fit` was
            given: CSR where it was CSR, one dimension where it had one.
        """
        check_is_fitted(self)
        parts = []
        for _, codes, _ in self._decided(X):
            values = self.coding_.decode(codes)
            parts.append(sparse.csr_array(values) if self._sparse_labels else values)
        values = sparse.vstack(parts, format="csr") if self._sparse_labels else np.vstack(parts)
        return values if isinstance(self.classes_, list) else values.ravel()

    @available_if(_gives_probabilities)
    def predict_proba(self, X: Matrix) -> np.ndarray | list[np.ndarray]:
        """Predict the probability of each label's values given the features and the *decided* parents.

        These are the conditionals along the greedy path, p(y_l | x, decided parents). Except for labels without
        parents they are not the marginals p(y_l | x).

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_instances, n_labels), or list of ndarray of shape (n_instances, n_values)
            Where all labels are binary, the probability of each label's second value; otherwise one array per
            label with the probability of each of its values. One such array where `y` had one dimension.
        """
        check_is_fitted(self)
        labels = range(self.coding_.n_labels)
        P = np.hstack([given.probabilities(labels, Z) for given, _, Z in self._decided(X)])
        if isinstance(self.classes_, list) and self.coding_.is_binary:
            return P.T
        starts = self.coding_.starts
        per_label = []
        for label, values in enumerate(self.coding_.classes):
            share = with_first_value(P[starts[label] : starts[label + 1]])[: len(values)]
            per_label.append((share / share.sum(axis=0)).T)
        return per_label if isinstance(self.classes_, list) else per_label[0]

    def score(self, X: Matrix, y: Matrix, sample_weight: np.ndarray | None = None) -> float:
        """Return the exact match: the share of instances whose every label is predicted right.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features.
        y : {array-like, CSR} of shape (n_instances, n_labels) or (n_instances,)
            True labels, of any number of values.
        sample_weight : array-like of shape (n_instances,), optional
            Weights of the instances.

        Returns
        -------
        float
        """
        predicted = self.predict(X)
        y = y if sparse.issparse(y) else np.asarray(y)
        if self.coding_.n_labels == 1 and y.size == predicted.size:
            y = y.reshape(predicted.shape)  # a column and a vector say the same of one label
        if y.shape != predicted.shape:
            raise ValueError(f"Got labels of shape {y.shape}, but expected {predicted.shape}.")
        wrong = predicted != y
        wrong = wrong.toarray() if sparse.issparse(wrong) else wrong.reshape(len(wrong), -1)
        return float(np.average(~wrong.any(axis=1), weights=sample_weight))

    def _decided(self, X: Matrix) -> Iterator[tuple[Given, np.ndarray, np.ndarray]]:
        """Yield the conditionals and, as `greedy` returns them, codes and columns, block by block of instances."""
        X = validate_data(self, X, reset=False, **self._accepted())
        size = max(BLOCK_CELLS // self.coding_.n_columns, 1)
        for first in range(0, X.shape[0], size):
            block = X[first : first + size]
            given = self.conditionals_.given(block)
            yield given, *greedy(given, self.graph_, self.coding_, block.shape[0])

    def _accepted(self) -> dict[str, Any]:
        """Return what is accepted as features, in the words of scikit-learn's validation."""
        allow_nan = get_tags(self).input_tags.allow_nan
        return {"accept_sparse": "csr", "ensure_all_finite": "allow-nan" if allow_nan else True}

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        learner = as_learner(self.estimator)
        base = get_tags(learner.estimator) if isinstance(learner, PerLabel) else None
        tags.input_tags.sparse = base is None or base.input_tags.sparse
        tags.input_tags.allow_nan = base is not None and base.input_tags.allow_nan
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags
