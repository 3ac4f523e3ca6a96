"""What all methods share: one way in, one way out, and labels as indicator columns between."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any, Literal, Self, cast

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from trellislib.decisions import (
    Decision,
    Distribution,
    IndependentLabels,
    Joined,
    Rule,
    chosen_decision,
    compared_rows,
    deciding_measure,
)
from trellislib.inference import Inferred
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.learners import Learner, LeastSquares, PerLabel, Training, as_learner, probabilistic
from trellislib.learners.base import N_FOLDS
from trellislib.learners.ridge import LEAVE_ONE_OUT
from trellislib.learners.streaming import StreamedSet
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.parameters import with_parameters
from trellislib.methods.target import label_names, refuse_missing
from trellislib.running.checks import checked_weight
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, part_of
from trellislib.typing import Matrix

OPEN_INTERVAL = np.nextafter([0.0, 1.0], [1.0, 0.0])  # no label is certain: logarithms of probabilities are finite
BLOCK_CELLS = 2**22  # instances are predicted in blocks of about this many cells, which stay in fast memory,
FEWEST_ROWS = 1024  # but not in fewer than these, as each block costs a pass over the labels,
MOST_CELLS = 2**24  # unless they would be more cells than this


@with_parameters
class MultiOutputMethod(ClassifierMixin, BaseEstimator, ABC):
    """A classifier for several labels at once, each of two values or more.

    Parameters
    ----------
    estimator : learner, classifier or "auto", optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. "auto" is
        ``LeastSquares("loo", features="auto")``, which chooses penalties, and linear or kernel features, by
        leave-one-out. Give a learner, as in ``estimator=LeastSquares()``, to tune its parameters: ``estimator__alpha``.
    decide : str or Rule, optional
        The score that predictions are to be best for: "exact_match", "accuracy", "hamming_score", "example_f1",
        "micro_f1" or "macro_f1" (or "hamming" and "f1"). The rule that decides so is chosen on training rows that the
        base learners were fitted without; see `trellislib.decisions`. A rule of that package is taken as it is, which
        costs no training: ``MostExpected("accuracy")``. By default the inference decides, as in the paper.

    Attributes
    ----------
    coding_ : LabelCoding
        The values of the labels, and the columns that stand for them.
    decision_ : Decision
        How labels are decided, where `decide` is given.
    classes_ : list of ndarray, or ndarray where `y` had one dimension
        The values of each label.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where `X` was a data frame with names.
    label_names_in_ : ndarray of shape (n_labels,)
        Names of the labels, where `y` was a data frame or a named series.
    """

    estimator: BaseEstimator | Literal["auto"] | None = field(default=None, kw_only=False)
    decide: str | Rule | None = None
    coding_: LabelCoding = field(init=False)
    decision_: Decision = field(init=False)
    classes_: Any = field(init=False)

    @abstractmethod
    def _fit(self, training: Training, progress: Progress | None, cancelled: Cancelled | None) -> None:
        """Fit to the learner and the data of `training`."""

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

    def _held_out(
        self, training: Training, rows: np.ndarray, progress: Progress | None, cancelled: Cancelled | None
    ) -> Iterator[tuple[np.ndarray, Distribution]]:
        """Yield some of the training rows and their distribution by the method fitted without them, in five folds."""
        for fold, (rest, held, which) in enumerate(training.training_set.folds(N_FOLDS)):
            asked = np.isin(which, rows)
            if asked.any():
                part = part_of(progress, fold, N_FOLDS)
                fitted = (
                    clone(self).set_params(decide=None)._fit_training(training.learner.prepare(rest), part, cancelled)
                )
                yield which[asked], fitted._distribution(held.X[asked])

    def _cells(self) -> int:
        """Return about how many numbers are held per instance in prediction."""
        return self.coding_.n_columns

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes in addition to the data.

        Parameters
        ----------
        size : Size
            Of the data.

        Returns
        -------
        Need
            In bytes, with what takes most of it, and what takes less.
        """
        labels = FLOAT * size.n_instances * size.n_columns if size.dense_labels else 0
        return self._learner().memory_needed(size) + Need(
            labels, f"the indicators of {size.n_columns} label columns", "give labels as a CSR array"
        )

    def _learner(self) -> Learner:
        """Return the base learner."""
        return as_learner(self.estimator)

    def fit(
        self,
        X: Matrix,
        y: Matrix,
        sample_weight: np.ndarray | None = None,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Self:
        """Find the structure and fit the base learners.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features.
        y : {array-like, CSR} of shape (n_instances, n_labels) or (n_instances,)
            Labels. Where all of them together have two values, every label is binary even if constant here.
        sample_weight : array-like of shape (n_instances,), optional
            Weights of the instances, never negative: in what is fitted, a weight of 2 counts as an instance that
            stands there twice, one of 0 as an instance left out. Where rows are drawn, held out or put into folds,
            each is one row whatever its weight.
        progress, cancelled : callable, optional
            ``progress(done, total, what)`` is called after each label or block, ``cancelled()`` before it; when that
            returns true, work stops with `trellislib.running.progress.CancelledError`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a label value is missing (the message names the first such cell), weights are negative or all of zero,
            or a parameter is out of its range.
        TypeError
            If the base learner is no classifier, or lacks what is needed: probabilities, weights.
        MemoryBudgetError
            If it would take more memory than `trellislib.running.memory.memory_budget` allows.
        """
        learner = self._learner()
        names = label_names(y)
        if y is not None:
            refuse_missing(y, names)
        X, y = validate_data(self, X, y, multi_output=True, **self._accepted())
        Y = sparse.csr_array(y) if sparse.issparse(y) else y.reshape(len(y), -1)
        training_set = TrainingSet.of(*weighted_rows(X, Y, sample_weight))
        self._fit_training(learner.prepare(training_set), progress, cancelled)
        if y.ndim == 1:
            self.classes_ = self.coding_.classes[0]
        self._keep_label_names(names)
        return self

    def fit_chunks(
        self,
        chunks: Iterable[tuple[Matrix, Matrix]],
        classes: Sequence[np.ndarray] | None = None,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Self:
        """Fit to chunks of instances, each read once, so that all of them need not fit into memory.

        What is fitted is what `fit` fits to all instances at once, but for rounding (and for the rows on which least
        squares' probabilities are calibrated). That is possible with least squares, for methods whose structure needs
        no more than label counts, as IC, CC, CT, CDT and ensembles of them; not where rows are held out, drawn or
        looked at again, as by ``placement="search"`` or ``max_samples=0.5``. A call starts afresh (it is no
        ``partial_fit``), because a structure depends on all sums.

        Parameters
        ----------
        chunks : iterable of (X, y)
            Features {array-like, CSR} of shape (n, n_features) and labels {array-like, CSR} of shape (n, n_labels) or
            (n,). Chunks without instances are passed over.
        classes : sequence of ndarray, optional
            For each label, its values; 0 and 1 by default.
        progress, cancelled : callable, optional
            See `fit`; called after each chunk, too.

        Returns
        -------
        self

        Raises
        ------
        TypeError
            If the base learner is not least squares, or the method reads rows again; before any chunk is read.
        ValueError
            If there is no chunk, chunks differ in form, or a label has a value that is none of its classes.
        MemoryBudgetError
            If it would take more memory than `trellislib.running.memory.memory_budget` allows; after the first chunk.

        Examples
        --------
        >>> import numpy as np
        >>> from trellislib import ClassifierTrellis
        >>> rng = np.random.default_rng(0)
        >>> features = (rng.random((1000, 3)) for _ in range(10))
        >>> chunks = ((X, (X.cumsum(axis=1) > 1).astype(int)) for X in features)
        >>> ClassifierTrellis(random_state=0).fit_chunks(chunks).predict([[0.9, 0.9, 0.9], [0.1, 0.1, 0.1]])
        array([[0, 1, 1],
               [0, 0, 0]])
        """
        learner = self._learner()
        if not isinstance(learner, LeastSquares):
            raise TypeError(f"Got the base learner {learner!r}, but only LeastSquares can be fitted to chunks.")
        if learner.alpha == LEAVE_ONE_OUT or learner.features is not None:
            raise TypeError(
                f"Got the base learner {learner!r}, which reads rows again, but chunks are read once: expected a "
                "number as alpha, and features=None."
            )
        reader = self._reads_rows() if self.decide is None else f"{type(self).__name__}(decide={self.decide!r})"
        if reader is not None:
            raise TypeError(
                f"{reader} reads rows again, which a stream does not keep: fit it on data in memory, or take a method "
                "that sums are enough for, as IndependentClassifiers, ClassifierChain or ClassifierTrellis."
            )
        dimensions: list[int] = []
        checked = self._checked_chunks(chunks, dimensions)
        streamed = StreamedSet.of(checked, classes, progress=progress, cancelled=cancelled)
        training = learner.prepare(cast(TrainingSet, streamed))  # it has all that least squares asks for
        self._fit_training(training, progress, cancelled)
        if dimensions[0] == 1:
            self.classes_ = self.coding_.classes[0]
        return self

    def _checked_chunks(
        self, chunks: Iterable[tuple[Matrix, Matrix]], dimensions: list[int]
    ) -> Iterator[tuple[Matrix, Matrix]]:
        """Yield chunks with instances after a look at them, and put into a list how many dimensions labels have."""
        for number, chunk in enumerate(_pairs(chunks)):
            if not isinstance(chunk, tuple | list) or len(chunk) != 2:
                raise TypeError(
                    f"Got a {type(chunk).__name__} as chunk {number}, but expected a pair of features and labels."
                )
            X, y = chunk
            if np.shape(X)[0] == 0:
                continue
            names = label_names(y)
            refuse_missing(y, names)
            first = not dimensions
            X, y = validate_data(self, X, y, reset=first, multi_output=True, dtype=np.float64, **self._accepted())
            Y = sparse.csr_array(y) if sparse.issparse(y) else y.reshape(len(y), -1)
            if first:
                self._keep_label_names(names)
                self.memory_needed(Size.of(X, Y, Y.shape[1])).refuse(type(self).__name__)
            elif names is not None and names.tolist() != getattr(self, "label_names_in_", names).tolist():
                raise ValueError(f"Got labels named {names.tolist()}, but expected {self.label_names_in_.tolist()}.")
            dimensions.append(y.ndim)
            yield X, Y

    def _keep_label_names(self, names: np.ndarray | None) -> None:
        if names is not None:
            self.label_names_in_ = names
        elif hasattr(self, "label_names_in_"):
            del self.label_names_in_

    def _reads_rows(self) -> str | None:
        """Return what of this method reads training rows again, where sums and counts are not enough."""
        return type(self).__name__

    def _fit_training(
        self, training: Training, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> Self:
        """Fit to data that are validated and a learner that other members may have used before."""
        data = training.training_set
        self.memory_needed(data.size).refuse(type(self).__name__)
        self.coding_ = data.coding
        self.classes_ = self.coding_.classes
        self.n_features_in_ = data.n_features
        self._sparse_labels = data.sparse_labels
        if hasattr(self, "decision_"):
            del self.decision_
        if self.decide is None:
            self._fit(training, progress, cancelled)
        else:
            self._fit_to_decide(self.decide, probabilistic(training), progress, cancelled)
        return self

    def _fit_to_decide(
        self, decide: str | Rule, training: Training, progress: Progress | None, cancelled: Cancelled | None
    ) -> None:
        """Fit, and choose the rule that decides for a score, unless it is given."""
        if isinstance(decide, Rule):
            decide.refuse(self.coding_)
            self._fit(training, progress, cancelled)
            self.decision_ = Decision(None, decide, {})
            return
        measure = deciding_measure(decide, self.coding_)
        self._fit(training, part_of(progress, 0, 2), cancelled)
        rows = compared_rows(training.training_set.n_instances)
        held = list(self._held_out(training, rows, part_of(progress, 1, 2), cancelled))
        which = np.concatenate([rows_of_part for rows_of_part, _ in held])
        self.decision_ = chosen_decision(measure, training.training_set, which, Joined([of for _, of in held]))

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
        for block in self._blocks(self._validated(X)):
            codes = self._decided(block)
            parts.append(self.coding_.decode_sparse(codes) if self._sparse_labels else self.coding_.decode(codes))
        values = sparse.vstack(parts, format="csr") if self._sparse_labels else np.vstack(parts)
        return values if isinstance(self.classes_, list) else values.ravel()

    def _decided(self, X: Matrix) -> np.ndarray:
        return self._infer(X).codes if self.decide is None else self.decision_.decide(self._distribution(X))

    def predict_frame(self, X: Matrix) -> pd.DataFrame:
        """Predict all labels as a data frame.

        Parameters
        ----------
        X : {array-like, CSR} of shape (n_instances, n_features)
            Features.

        Returns
        -------
        DataFrame of shape (n_instances, n_labels)
            As `predict`, with the names of the labels that `fit` saw (else their numbers) and the index of `X`.
        """
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

    def _validated(self, X: Matrix) -> Matrix:
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

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        learner = self._learner()
        base = get_tags(learner.estimator) if isinstance(learner, PerLabel) else None
        tags.input_tags.sparse = base is None or base.input_tags.sparse
        tags.input_tags.allow_nan = base is not None and base.input_tags.allow_nan
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags


def weighted_rows(X: Matrix, Y: Matrix, sample_weight: np.ndarray | None) -> tuple[Matrix, Matrix, np.ndarray | None]:
    """Return the instances of weights above 0 and their weights, after a check of these."""
    if sample_weight is None:
        return X, Y, None
    weight = checked_weight(sample_weight, X.shape[0])
    rows = np.flatnonzero(weight)
    return X[rows], Y[rows], weight[rows]


def _pairs(chunks: object) -> Iterator[Any]:
    """Return an iterator over chunks after a look at what was given."""
    if not isinstance(chunks, Iterable) or sparse.issparse(chunks):
        raise TypeError(f"Got a {type(chunks).__name__}, but expected an iterable of chunks, each a pair (X, y).")
    return iter(chunks)
