"""What all methods share: a method is a label graph, a base learner and an inference."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from trellislib.coding import LabelCoding, with_first_value
from trellislib.graphs import LabelGraph
from trellislib.inference import greedy
from trellislib.learners import Learner, LeastSquares, PerLabel
from trellislib.progress import Cancelled, Progress
from trellislib.typing import Matrix

BLOCK_CELLS = 2**24  # instances are predicted in blocks of about this many label cells, to bound memory


def as_learner(estimator: BaseEstimator | None) -> Learner:
    """Return `estimator` as a learner: a learner as it is, a classifier per label, None as least squares."""
    if estimator is None:
        return LeastSquares()
    return estimator if isinstance(estimator, Learner) else PerLabel(estimator)


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
            Labels. Where all values are 0 or 1, every label is binary even if constant here.
        progress, cancelled : callable, optional
            ``progress(done, total, what)`` is told after each label or block; ``cancelled()`` is asked before,
            and work stops with `trellislib.progress.CancelledError` when it answers true.

        Returns
        -------
        self
        """
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse="csr",
            multi_output=True,
            ensure_all_finite="allow-nan" if self.__sklearn_tags__().input_tags.allow_nan else True,
        )
        Y = sparse.csr_array(y) if sparse.issparse(y) else y.reshape(len(y), -1)
        coding = LabelCoding.of(Y)
        self.graph_ = self._label_graph(Y)
        self.conditionals_ = as_learner(self.estimator).fit_graph(
            X, Y, coding, self.graph_, progress=progress, cancelled=cancelled
        )
        self.classes_ = coding.classes if y.ndim == 2 else coding.classes[0]
        self._coding = coding
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
        parts = []
        for codes, _ in self._decided(X):
            values = self._coding.decode(codes)
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
        P = np.hstack([self.conditionals_.probabilities(scores) for _, scores in self._decided(X)])
        if isinstance(self.classes_, list) and self._coding.is_binary:
            return P.T
        starts = self._coding.starts
        per_label = []
        for label, values in enumerate(self._coding.classes):
            share = with_first_value(P[starts[label] : starts[label + 1]])[: len(values)]
            per_label.append((share / share.sum(axis=0)).T)
        return per_label if isinstance(self.classes_, list) else per_label[0]

    def _decided(self, X: Matrix) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield codes and scores, as `greedy` returns them, block by block of instances."""
        check_is_fitted(self)
        allow_nan = self.__sklearn_tags__().input_tags.allow_nan
        X = validate_data(
            self, X, accept_sparse="csr", ensure_all_finite="allow-nan" if allow_nan else True, reset=False
        )
        size = max(BLOCK_CELLS // self._coding.n_columns, 1)
        for first in range(0, X.shape[0], size):
            yield greedy(self.conditionals_, self.graph_, self._coding, X[first : first + size])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        learner = as_learner(self.estimator)
        base = get_tags(learner.estimator) if isinstance(learner, PerLabel) else None
        tags.input_tags.sparse = base is None or base.input_tags.sparse
        tags.input_tags.allow_nan = base is not None and base.input_tags.allow_nan
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags
