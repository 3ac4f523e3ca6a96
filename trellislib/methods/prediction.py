"""From a fitted method to predictions: blocks of instances in, label values, probabilities and scores out."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from trellislib.decisions import Decision, Distribution, IndependentLabels, Rule
from trellislib.inference import Inferred
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.methods.target import texts_named
from trellislib.running.threads import blas_threads_for
from trellislib.typing import Matrix
from trellislib.wording import agreed, quoted_names

OPEN_INTERVAL = np.nextafter([0.0, 1.0], [1.0, 0.0])  # no label is certain: logarithms of probabilities are finite
BLOCK_CELLS = 2**22  # instances are predicted in blocks of about this many cells, which stay in fast memory,
FEWEST_ROWS = 1024  # but not in fewer than these, as each block costs a pass over the labels,
MOST_CELLS = 2**24  # unless they would be more cells than this


class Predictor(ClassifierMixin, BaseEstimator, ABC):
    """What a fitted method does with new instances; see `trellislib.methods.MultiOutputMethod`, which fits it."""

    decide: str | Rule | None
    coding_: LabelCoding
    decision_: Decision
    classes_: Any
    _sparse_labels: bool

    @abstractmethod
    def _infer(self, X: Matrix) -> Inferred:
        """Decide all labels of the instances `X`, which are validated."""

    @abstractmethod
    def _probabilities(self, X: Matrix) -> np.ndarray:
        """Return what `predict_proba` gives, as columns of shape (n_columns, n_instances)."""

    def _gives_probabilities(self) -> bool:
        return True

    def _distribution(self, X: Matrix) -> Distribution:
        """Return the distribution over the label vectors of the instances `X`."""
        return IndependentLabels(self._probabilities(X), self._infer(X).codes, self.coding_)

    def _cells(self) -> int:
        """Return about how many numbers are held per instance in prediction."""
        return self.coding_.n_columns

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
        X = self._validated(X)
        decided = map(self._decided, self._blocks(X))
        with blas_threads_for(X.shape[0] * X.shape[1] * self.coding_.n_columns):
            if self._sparse_labels:
                values = sparse.vstack([self.coding_.decode_sparse(codes) for codes in decided], format="csr")
            else:
                values = _joined((self.coding_.decode(codes) for codes in decided), X.shape[0])
        return values if isinstance(self.classes_, list) else values.ravel()

    def _decided(self, X: Matrix) -> np.ndarray:
        return self._infer(X).codes if self.decide is None else self.decision_.decide(self._distribution(X), X)

    def predict_frame(self, X: Matrix) -> pd.DataFrame:
        """Predict all labels as a data frame.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features. Where `fit` saw a data frame, the columns of another are found by their names, in any order, and
            a warning names those that `fit` did not see.

        Returns
        -------
        DataFrame of shape (n_instances, n_labels)
            As `predict`, with the names of the labels that `fit` saw (else their numbers) and the index of `X`.

        Examples
        --------
        >>> from trellislib import IndependentClassifiers
        >>> frame = pd.DataFrame({"wind": [0.0, 1, 2, 3], "sun": [1.0, 0, 1, 0]})
        >>> fitted = IndependentClassifiers().fit(frame, pd.DataFrame({"dry": [1, 0, 1, 0]}))
        >>> fitted.predict_frame(frame[["sun", "wind"]]).dry.tolist()
        [1, 0, 1, 0]
        """
        X = self._by_name(X)
        values = self.predict(X)
        names = getattr(self, "label_names_in_", None)
        index = X.index if isinstance(X, pd.DataFrame) else None
        if sparse.issparse(values):
            return pd.DataFrame.sparse.from_spmatrix(values, index=index, columns=names)
        return pd.DataFrame(values, index=index, columns=names)

    @available_if(lambda method: method.decide is not None or method._gives_probabilities())
    def predict_proba(self, X: Matrix) -> np.ndarray | list[np.ndarray]:
        """Predict the probability of each value of each label.

        Whose probability that is depends on the inference. Under greedy inference it is the conditional along the
        greedy path, p(y_l | x, decided parents), which except for labels without parents is not the marginal
        p(y_l | x). Under every other inference it is the marginal, exact or as estimated. Of ensembles it is the
        share of votes, or the average of the members' probabilities; of label powersets the marginal under the
        distribution of label sets.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_instances, n_labels), or list of ndarray of shape (n_instances, n_values)
            Where all labels are binary, the probability of each label's second value; otherwise one array per
            label with the probability of each of its values. One such array where `y` had one dimension.

        Examples
        --------
        The features carry no information, and the second label always equals the first, which is 1 in two rows of
        five. A greedy chain decides 0 for the first label; *given that*, the second is hardly ever 1. By itself, it
        is 1 as often as the first.

        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from trellislib import ClassifierChain, Exhaustive
        >>> X, Y = [[0.0]] * 5, [[0, 0], [0, 0], [0, 0], [1, 1], [1, 1]]
        >>> ClassifierChain(DecisionTreeClassifier()).fit(X, Y).predict_proba([[0.0]]).round(3)
        array([[0.4, 0. ]])
        >>> exact = ClassifierChain(DecisionTreeClassifier(), inference=Exhaustive())
        >>> exact.fit(X, Y).predict_proba([[0.0]]).round(3)
        array([[0.4, 0.4]])
        """
        check_is_fitted(self)
        P = self._all_probabilities(self._validated(X))
        if isinstance(self.classes_, list) and self.coding_.is_binary:
            return np.clip(P.T, *OPEN_INTERVAL)
        starts = self.coding_.starts
        per_label = []
        for label, values in enumerate(self.coding_.classes):
            share = np.maximum(with_first_value(P[starts[label] : starts[label + 1]])[: len(values)], 0.0)
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
        """
        predicted = self.predict(X)
        y = y if sparse.issparse(y) else np.asarray(y)
        if self.coding_.n_labels == 1 and y.size == predicted.size:
            y = y.reshape(predicted.shape)  # of one label a column is as good as a vector
        if y.shape != predicted.shape:
            raise ValueError(f"Got labels of shape {y.shape}, but expected {predicted.shape}.")
        wrong = predicted != y
        n_wrong = wrong.count_nonzero(axis=1) if sparse.issparse(wrong) else wrong.reshape(len(wrong), -1).sum(axis=1)
        return float(np.average(n_wrong == 0, weights=sample_weight))

    def _all_probabilities(self, X: Matrix) -> np.ndarray:
        return np.hstack([self._probabilities(block) for block in self._blocks(X)])

    def _by_name(self, X: Matrix) -> Matrix:
        """Return the columns that `fit` saw, where both have names and none is missing."""
        names = getattr(self, "feature_names_in_", None)
        if names is None or not isinstance(X, pd.DataFrame) or not X.columns.is_unique or set(names) - set(X.columns):
            return X  # as it is; the validation names what does not fit
        if extra := [name for name in X.columns if name not in set(names)]:
            column, was = agreed(len(extra), ("Column", "was"), ("Columns", "were"))
            warnings.warn(f"{column} {quoted_names(extra)} {was} not seen in fit and {was} ignored.", stacklevel=3)
        return X[list(names)]

    def _validated(self, X: Matrix) -> Matrix:
        with texts_named(X, self):
            return validate_data(self, X, reset=False, **self._accepted())

    def _blocks(self, X: Matrix) -> Iterator[Matrix]:
        """Yield the instances block by block."""
        size = self._block_rows()
        for first in range(0, X.shape[0], size):
            yield X[first : first + size]

    def _block_rows(self) -> int:
        of_decision = self.decision_.cells if hasattr(self, "decision_") else 0  # there is none while it is fitted
        cells = max(self._cells(), of_decision, 1)  # 0 cells: a beam of width 0, which is refused later
        return max(BLOCK_CELLS // cells, min(FEWEST_ROWS, MOST_CELLS // cells), 1)

    def _accepted(self) -> dict[str, Any]:
        """Return what is accepted as features, in the words of scikit-learn's validation."""
        allow_nan = get_tags(self).input_tags.allow_nan
        return {"accept_sparse": "csr", "ensure_all_finite": "allow-nan" if allow_nan else True}


def _joined(blocks: Iterator[np.ndarray], n_rows: int) -> np.ndarray:
    """Return blocks as one array of so many rows; no two blocks are held at a time."""
    first = next(blocks)
    if len(first) == n_rows:
        return first
    rows = np.empty((n_rows, *first.shape[1:]), dtype=first.dtype)
    rows[: len(first)] = first
    stop = len(first)
    for block in blocks:
        rows[stop : stop + len(block)] = block
        stop += len(block)
    return rows
