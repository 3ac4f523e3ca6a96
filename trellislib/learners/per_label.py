"""Any scikit-learn classifier as base learner: one clone per label."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from trellislib.coding import LabelCoding
from trellislib.graphs import LabelGraph
from trellislib.learners.base import Conditionals, Given, Learner
from trellislib.progress import Cancelled, Progress, stop_if
from trellislib.threads import one_blas_thread
from trellislib.typing import Matrix


class PerLabel(Learner):
    """One clone of a classifier per label, fitted on the features joined with the columns of the label's parents.

    A label that is constant in training is predicted as that constant.

    Parameters
    ----------
    estimator : classifier
        Any scikit-learn classifier.
    n_jobs : int, optional
        Labels fitted at a time, as joblib counts; by default one. Threads are used, each with one BLAS thread.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from trellislib import ClassifierChain, PerLabel
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierChain(PerLabel(LogisticRegression(C=100))).fit(X, Y).predict([[0.0], [0.9]])
    array([[0, 0],
           [1, 1]])
    """

    def __init__(self, estimator: ClassifierMixin, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs

    def fit_graph(
        self,
        X: Matrix,
        Y: Matrix,
        coding: LabelCoding,
        graph: LabelGraph,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> PerLabelConditionals:
        """Fit all labels of `graph`, one by one; see `Learner.fit_graph`."""
        Z = coding.encode(Y)
        Z = sparse.csc_array(Z) if sparse.issparse(Z) else Z  # columns are taken from it, label by label
        codes = _CodeColumns(Y, coding)

        def fit(label: int) -> BaseEstimator:
            stop_if(cancelled)
            target = codes[label]
            if (target == target[0]).all():
                return _Constant(int(target[0]))
            inputs = _join(X, Z[:, coding.columns(graph.parents[label])])
            return clone(self.estimator).fit(inputs, target)

        fitted = []
        parallel = Parallel(n_jobs=self.n_jobs, prefer="threads", return_as="generator")
        jobs = (delayed(fit)(label) for label in range(coding.n_labels))
        with one_blas_thread(), closing(parallel(jobs)) as estimators:
            for estimator in estimators:
                fitted.append(estimator)
                if progress is not None:
                    progress(len(fitted), coding.n_labels, "labels")
        return PerLabelConditionals(fitted, graph, coding, hasattr(self.estimator, "predict_proba"))


class PerLabelConditionals(Conditionals):
    """The fitted classifiers, one per label.

    Attributes
    ----------
    estimators : list of classifier
        For each label, the classifier fitted on the features and the columns of its parents.
    gives_probabilities : bool
        Whether they have ``predict_proba``.
    """

    def __init__(self, estimators: list, graph: LabelGraph, coding: LabelCoding, gives_probabilities: bool) -> None:
        self.estimators = estimators
        self.graph = graph
        self.coding = coding
        self.gives_probabilities = gives_probabilities

    def given(self, X: Matrix) -> PerLabelGiven:
        """Return the conditionals of `X`."""
        return PerLabelGiven(self, X)


@dataclass(frozen=True)
class PerLabelGiven(Given):
    """The classifiers of all labels, asked about some instances."""

    fitted: PerLabelConditionals
    X: Matrix

    def decide(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return what the classifiers predict: their own rule decides, as a tuned threshold does."""
        return np.array([self.fitted.estimators[label].predict(self._inputs(label, Z)) for label in labels])

    def probabilities(self, labels: Sequence[int], Z: np.ndarray) -> np.ndarray:
        """Return the classifiers' own probabilities; 0 for a value that did not occur in training."""
        return np.vstack([self._of_label(label, Z) for label in labels])

    def _of_label(self, label: int, Z: np.ndarray) -> np.ndarray:
        estimator = self.fitted.estimators[label]
        n_values = np.diff(self.fitted.coding.starts)[label] + 1
        probabilities = np.zeros((n_values, self.X.shape[0]))
        probabilities[estimator.classes_] = estimator.predict_proba(self._inputs(label, Z)).T
        return probabilities[1:]

    def _inputs(self, label: int, Z: np.ndarray) -> Matrix:
        return _join(self.X, Z[self.fitted.coding.columns(self.fitted.graph.parents[label])].T)


class _Constant:
    """Predicts the one code that a label had in training."""

    def __init__(self, code: int) -> None:
        self.classes_ = np.array([code])

    def predict(self, X: Matrix) -> np.ndarray:
        return np.full(X.shape[0], self.classes_[0])

    def predict_proba(self, X: Matrix) -> np.ndarray:
        return np.ones((X.shape[0], 1))


class _CodeColumns:
    """The codes of one label at a time, from dense or sparse labels."""

    def __init__(self, Y: Matrix, coding: LabelCoding) -> None:
        self._Y = sparse.csc_array(Y) if sparse.issparse(Y) else Y
        self._coding = coding

    def __getitem__(self, label: int) -> np.ndarray:
        if sparse.issparse(self._Y):
            return self._Y[:, [label]].toarray().ravel().astype(np.intp)
        return self._coding.codes(self._Y, label)


def _join(X: Matrix, parents: Matrix) -> Matrix:
    """Put the columns of the parents after the features, sparse where the features are."""
    if sparse.issparse(X):
        return sparse.hstack([X, sparse.csr_array(parents)], format="csr")
    return np.hstack([X, parents.toarray() if sparse.issparse(parents) else parents])
