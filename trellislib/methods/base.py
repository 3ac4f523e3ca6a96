"""What all methods share in training: one way in, and how a rule that decides is chosen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any, Literal, Self, cast

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import validate_data

from trellislib.decisions import (
    Decision,
    Distribution,
    Joined,
    Rule,
    chosen_decision,
    compared_rows,
    deciding_measure,
)
from trellislib.labels.coding import LabelCoding
from trellislib.learners import Learner, LeastSquares, PerLabel, Training, as_learner, probabilistic
from trellislib.learners.base import N_FOLDS
from trellislib.learners.ridge import LEAVE_ONE_OUT
from trellislib.learners.streaming import StreamedSet
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.parameters import with_parameters
from trellislib.methods.prediction import Predictor
from trellislib.methods.target import label_names, refuse_missing, texts_named
from trellislib.running.checks import checked_groups, checked_weight
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, part_of
from trellislib.running.threads import blas_threads_for
from trellislib.typing import Matrix


@with_parameters
class MultiOutputMethod(Predictor):
    """A classifier for several labels at once, each of two values or more.

    Parameters
    ----------
    estimator : learner, classifier or "auto", optional
        Base learner: one of `trellislib.learners` or any scikit-learn classifier; least squares by default. "auto" is
        ``LeastSquares("loo", features="auto")``, which chooses penalties, and linear or kernel features, with the
        labels of neighbours or without, by leave-one-out. Give a learner, as in ``estimator=LeastSquares()``, to tune
        its parameters: ``estimator__alpha``.
    decide : str or Rule, optional
        The score that predictions are to be best for: "exact_match", "accuracy", "hamming_score", "example_f1",
        "micro_f1" or "macro_f1" (or "hamming" and "f1"). The rule that decides so is chosen on training rows that the
        base learners were fitted without; see `trellislib.decisions`. A rule of that package is taken as it is, which
        costs no training: ``MostExpected("accuracy")``. By default the inference decides, as in the paper. A rule that
        looks at near training rows keeps the scaled features of up to 16,384 of them.

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
        groups: np.ndarray | None = None,
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
            stands there twice, one of 0 as an instance left out; so it does in the score by which rules of deciding
            are compared. Where rows are drawn, held out or put into folds, each is one row whatever its weight.
        groups : array-like of shape (n_instances,), optional
            What each instance is about, as a patient. Where the fit itself holds instances out (to choose penalties,
            thresholds, rules or orders, to calibrate probabilities, to find residuals), those of a group are held out
            together. A scikit-learn classifier that does so by itself is not given groups.
        progress, cancelled : callable, optional
            ``progress(done, total, what)`` is called after each label or block, ``cancelled()`` before it; when that
            returns true, work stops with `trellislib.running.progress.CancelledError`.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a label value or a group is missing (the message names the first such cell), weights are negative or all
            of zero, or a parameter is out of its range.
        TypeError
            If the base learner is no classifier, or lacks what is needed: probabilities, weights.
        MemoryBudgetError
            If it would take more memory than `trellislib.running.memory.memory_budget` allows.
        """
        learner = self._learner()
        names = label_names(y)
        if y is not None:
            refuse_missing(y, names)
        with texts_named(X, self):
            X, y = validate_data(self, X, y, multi_output=True, **self._accepted())
        Y = sparse.csr_array(y) if sparse.issparse(y) else y.reshape(len(y), -1)
        training_set = TrainingSet.of(*weighted_rows(X, Y, sample_weight, groups))
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
        looked at again, as by ``placement="search"``, ``max_samples=0.5`` or ``decide="accuracy"``, instead of which
        a rule may be given, as ``decide=MostExpected("accuracy")``. A call starts afresh (it is no
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
        chooses = isinstance(self.decide, str)  # a rule, on rows that are held out
        reader = f"{type(self).__name__}(decide={self.decide!r})" if chooses else self._reads_rows()
        if reader is not None:
            other = (
                "a rule as decide, as MostExpected('accuracy')"
                if chooses
                else "a method that sums are enough for, as IndependentClassifiers or ClassifierTrellis"
            )
            raise TypeError(
                f"{reader} reads rows again, which a stream does not keep: fit it on data in memory, or take {other}."
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

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the values of the labels where the coding has them, which may be many arrays."""
        state = dict(super().__getstate__())
        if "coding_" in state and state.get("classes_") is state["coding_"].classes:
            del state["classes_"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "coding_" in state and "classes_" not in state:
            self.classes_ = self.coding_.classes

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
        size = data.size
        self.memory_needed(size).refuse(type(self).__name__)
        self.coding_ = data.coding
        self.classes_ = self.coding_.classes
        self.n_features_in_ = data.n_features
        self._sparse_labels = data.sparse_labels
        if hasattr(self, "decision_"):
            del self.decision_
        with blas_threads_for(size.n_instances * size.n_features * (size.n_features + size.n_columns)):
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

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        learner = self._learner()
        base = get_tags(learner.estimator) if isinstance(learner, PerLabel) else None
        tags.input_tags.sparse = base is None or base.input_tags.sparse
        tags.input_tags.allow_nan = base is not None and base.input_tags.allow_nan
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags


class Unweighted(MultiOutputMethod):
    """A method that puts rows into folds or draws them, where a row of weight 2 is not as two rows would be."""

    def fit(  # type: ignore[override]
        self,
        X: Matrix,
        y: Matrix,
        *,
        groups: np.ndarray | None = None,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
        **others: object,
    ) -> Self:
        """Fit as `MultiOutputMethod.fit` does, without `sample_weight`."""
        if others:
            raise TypeError(f"Got {next(iter(others))}, but the fit of {type(self).__name__} takes none: leave it out.")
        return super().fit(X, y, groups=groups, progress=progress, cancelled=cancelled)


def weighted_rows(
    X: Matrix, Y: Matrix, sample_weight: np.ndarray | None, groups: np.ndarray | None
) -> tuple[Matrix, Matrix, np.ndarray | None, np.ndarray | None]:
    """Return the instances of weights above 0, their weights and the numbers of their groups, all checked."""
    codes = None if groups is None else checked_groups(groups, X.shape[0])
    if sample_weight is None:
        return X, Y, None, codes
    weight = checked_weight(sample_weight, X.shape[0])
    rows = np.flatnonzero(weight)
    return X[rows], Y[rows], weight[rows], None if codes is None else checked_groups(codes[rows], len(rows))


def _pairs(chunks: object) -> Iterator[Any]:
    """Return an iterator over chunks after a look at what was given."""
    if not isinstance(chunks, Iterable) or sparse.issparse(chunks):
        raise TypeError(f"Got a {type(chunks).__name__}, but expected an iterable of chunks, each a pair (X, y).")
    return iter(chunks)
