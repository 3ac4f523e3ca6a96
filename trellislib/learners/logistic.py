"""Logistic regression for every label of any graph, fitted to all labels at once by Newton's method.

Labels share the features, so that the gradients of many labels, and the products that conjugate gradients need, are
one matrix product each (see `trellislib.learners.newton`). The columns of a label's inputs are joined to the features
as sparse blocks. All is first solved in single precision, which is twice as fast; double precision starts from there,
and mostly finds that nothing is left to do. Dense features are centred, which the free intercept makes up for; sparse
ones stay sparse. Labels are taken in blocks of like numbers of inputs, so that memory stays bounded.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cached_property
from numbers import Real

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from trellislib.labels.graph import AnyLabelGraph
from trellislib.labels.matrices import scaled_rows, with_narrow_indices
from trellislib.learners.base import COPIES, Learner, Training
from trellislib.learners.joined import Features, Joined
from trellislib.learners.linear import CERTAIN, LinearConditionals
from trellislib.learners.newton import Batch, minimise
from trellislib.learners.per_label import PerLabel
from trellislib.learners.ridge import LEAVE_ONE_OUT, leave_one_out_errors
from trellislib.learners.training_set import TrainingSet
from trellislib.running.checks import require_integer
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled, Progress, stop_if

BLOCK_CELLS = 2**20  # instances times labels of a block
BLOCK_ENTRIES = 2**22  # entries of the columns of a block's inputs
MOST_CORRELATED = 1024  # dense features whose correlation matrix is decomposed
SAFE_SIZE = 1e6  # of features in single precision
SINGLE_STEPS = 30
MOST_APART = 3.0  # times that a label's penalty may be more or less than the typical one, as those of rare labels vary

Key = tuple[int, tuple[int, ...]]
"""A label and its inputs."""


class Logistic(Learner):
    """Logistic regression with a squared penalty, for all labels of a graph at once.

    Each label has the solution of scikit-learn's ``LogisticRegression(C=C)`` on the features joined with the columns
    of its inputs, found faster and to a smaller error. A label that is constant in training is predicted as that
    constant. Where a label has more than two values, all labels are fitted by scikit-learn, one by one.

    Parameters
    ----------
    C : float or "loo", default=1.0
        Inverse of the penalty on the squared weights of features and other labels; the intercept is free. With "loo",
        each label has one of its own, found from the penalty alpha that gives least squares its smallest leave-one-out
        error: a row counts ``s (1 - s)`` times as much here as there, s being the share of rows with the label, so that
        C is ``1 / (alpha s (1 - s))``, at most three times more or less than that of most labels.
    tol : float, default=5e-4
        Error of the coefficients that is aimed at.
    max_iter : int, default=100
        Largest number of Newton's steps (for more than two values, a tenth of that of scikit-learn's iterations).

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, Logistic
    >>> X = [[0.0], [0.2], [0.8], [1.0]]
    >>> Y = [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> ClassifierTrellis(Logistic(C=100), random_state=0).fit(X, Y).predict([[0.0], [0.9]])
    array([[0, 0],
           [1, 1]])
    """

    gives_probabilities = True

    def __init__(self, C: float | str = 1.0, tol: float = 5e-4, max_iter: int = 100) -> None:
        self.C = C
        self.tol = tol
        self.max_iter = max_iter

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory features in two precisions and their squares take; see `Learner`."""
        copies = 4 * FLOAT * size.n_instances * size.n_features * size.dense_features
        return Need(copies + 3 * FLOAT * size.n_features * size.n_columns, *COPIES)

    def prepare(self, training_set: TrainingSet) -> Training:
        """Return this learner with its data; see `Learner.prepare`.

        Raises
        ------
        ValueError
            If `C`, `tol` or `max_iter` is out of its range, or `C` is "loo" and labels have more than two values.
        """
        for name in ("C", "tol"):
            value, may_be_chosen = getattr(self, name), name == "C"
            is_number = isinstance(value, Real) and not isinstance(value, bool)
            if not (is_number and 0 < float(value) < np.inf) and not (may_be_chosen and value == LEAVE_ONE_OUT):
                more = f" or {LEAVE_ONE_OUT!r}" if may_be_chosen else ""
                raise ValueError(f"Got {name}={value!r}, but expected a number above 0{more}.")
        require_integer("max_iter", self.max_iter)
        if not training_set.coding.is_binary:
            if self.C == LEAVE_ONE_OUT:
                raise ValueError(f"Got C={LEAVE_ONE_OUT!r} and labels of more than two values, but expected a number.")
            return PerLabel(LogisticRegression(C=self.C, max_iter=10 * self.max_iter)).prepare(training_set)
        return LogisticTraining(self, training_set)


class LogisticTraining(Training):
    """Logistic regression and its data. What was fitted is kept, so that graphs share what they have in common.

    That is for each label and its inputs the weights of the features and of the inputs, and the intercept.
    """

    learner: Logistic

    def fit(
        self, graph: AnyLabelGraph, *, progress: Progress | None = None, cancelled: Cancelled | None = None
    ) -> LinearConditionals:
        """Fit all labels of `graph`; see `Training.fit`.

        Warns
        -----
        ConvergenceWarning
            If labels needed more than `max_iter` steps.
        """
        stop_if(cancelled)
        keys = [(label, tuple(sorted(inputs))) for label, inputs in enumerate(graph.inputs)]
        missing = [key for key in keys if key not in self._fitted]
        n_done, n_unfinished = len(keys) - len(missing), 0
        for block in self._blocks(missing):
            stop_if(cancelled)
            n_unfinished += self._fit_block(block, cancelled)
            n_done += len(block)
            if progress is not None:
                progress(n_done, len(keys), "labels")
        if progress is not None and not missing:
            progress(len(keys), len(keys), "labels")
        if n_unfinished:
            warnings.warn(
                f"{n_unfinished} of {len(keys)} labels needed more than max_iter={self.learner.max_iter} steps: "
                "raise it, lower C or scale the features.",
                ConvergenceWarning,
                stacklevel=2,
            )
        on_features, of_inputs, intercept = zip(*(self._fitted[key] for key in keys), strict=True)
        return LinearConditionals.of_margins(
            np.column_stack(on_features),
            of_inputs,
            [inputs for _, inputs in keys],
            np.array(intercept),
            self.training_set.coding,
        )

    def _blocks(self, keys: list[Key]) -> Iterator[list[Key]]:
        """Yield blocks of labels, fewest inputs and rarest labels first, as like labels need like numbers of steps."""
        keys = sorted(keys, key=lambda key: (len(key[1]), self._n_positive[key[0]]))
        most = max(BLOCK_CELLS // self.training_set.n_instances, 1)
        entries = np.diff(self._columns.indptr)
        block: list[Key] = []
        size = 0
        for key in keys:
            needed = int(entries[list(key[1])].sum())
            if block and (len(block) == most or size + needed > BLOCK_ENTRIES):
                yield block
                block, size = [], 0
            block.append(key)
            size += needed
        if block:
            yield block

    def _fit_block(self, keys: list[Key], cancelled: Cancelled | None) -> int:
        """Fit some labels; return how many needed more steps."""
        n_features = self.training_set.X.shape[1]
        varied = []
        for key in keys:
            label, inputs = key
            if 0 < self._n_positive[label] < self._n_weighted:
                varied.append(key)
            else:
                certain = CERTAIN if self._n_positive[label] else -CERTAIN
                self._fitted[key] = np.zeros(n_features), np.zeros(len(inputs)), certain
        if not varied:
            return 0
        w, b, n_unfinished = self._solve(varied, cancelled)
        b = b - self._mean @ w[:n_features]
        for place, key in enumerate(varied):
            of_label = w[:, place]
            self._fitted[key] = of_label[:n_features], of_label[n_features : n_features + len(key[1])], b[place]
        return n_unfinished

    def _solve(self, keys: list[Key], cancelled: Cancelled | None) -> tuple[np.ndarray, np.ndarray, int]:
        """Return weights and intercepts of labels that are not constant, and how many needed more steps."""
        width = max(len(inputs) for _, inputs in keys)
        nothing = self.training_set.n_labels  # the place of an empty row
        slots = np.full((len(keys), width), nothing)
        for place, (_, inputs) in enumerate(keys):
            slots[place, : len(inputs)] = inputs
        of_inputs = self._columns[slots.ravel()] if width else self._columns[:0]
        y = np.ascontiguousarray(self._columns[[label for label, _ in keys]].toarray().T)
        weight = self.training_set.weight
        total = y.shape[0] if weight is None else weight.sum()
        share = (y.sum(axis=0) if weight is None else weight @ y) / total
        w, b = np.zeros((self.training_set.X.shape[1] + width, len(keys))), np.log(share / (1 - share))
        unfinished = np.array([], dtype=np.intp)
        for features in self._features:
            dtype = features.X.dtype
            batch = Batch(
                Joined(features, of_inputs.astype(dtype), width, len(keys)),
                y.astype(dtype),
                None if weight is None else weight[:, None].astype(dtype),
                self._inverse_penalties[[label for label, _ in keys]].astype(dtype),
                w.astype(dtype),
                b.astype(dtype),
            )
            n_steps = self.learner.max_iter if dtype == np.float64 else min(SINGLE_STEPS, self.learner.max_iter)
            w, b, unfinished = minimise(batch, self.learner.tol, n_steps, cancelled)
        return w, b, len(unfinished)

    @cached_property
    def _inverse_penalties(self) -> np.ndarray:
        """The inverse of each label's penalty."""
        data = self.training_set
        if self.learner.C != LEAVE_ONE_OUT:
            return np.full(data.n_labels, float(self.learner.C))
        alphas, errors, _ = leave_one_out_errors(data, LEAVE_ONE_OUT)
        weight = np.ones(data.n_instances) if data.weight is None else data.weight
        share = self._columns[: data.n_labels] @ weight / weight.sum()
        curvature = np.maximum(share * (1 - share), np.finfo(float).eps)
        C = 1 / (alphas[errors.argmin(axis=0)] * curvature)
        typical = np.exp(np.average(np.log(C), weights=curvature))
        return np.clip(C, typical / MOST_APART, typical * MOST_APART)

    @cached_property
    def _columns(self) -> sparse.csr_array:
        """The indicator columns, one a row, and after them an empty one."""
        of_labels = sparse.csr_array(sparse.csr_array(self.training_set.columns).T)
        n_labels, n_instances = of_labels.shape
        indptr = np.append(of_labels.indptr, of_labels.indptr[-1])
        return sparse.csr_array((of_labels.data, of_labels.indices, indptr), shape=(n_labels + 1, n_instances))

    @cached_property
    def _counted(self) -> np.ndarray:
        """1 for each instance of any weight, else 0."""
        weight = self.training_set.weight
        return np.ones(self.training_set.n_instances) if weight is None else (weight > 0).astype(float)

    @cached_property
    def _n_positive(self) -> np.ndarray:
        """In how many instances of any weight each label is 1."""
        return self._columns @ self._counted

    @cached_property
    def _n_weighted(self) -> int:
        return int(self._counted.sum())

    @cached_property
    def _mean(self) -> np.ndarray:
        """What is subtracted from the features: their mean, or 0 from sparse ones."""
        X = self.training_set.X
        if sparse.issparse(X):
            return np.zeros(X.shape[1])
        return np.average(X.astype(np.float64, copy=False), axis=0, weights=self.training_set.weight)

    @cached_property
    def _features(self) -> list[Features]:
        """The features in single precision, where that is safe, and in double precision."""
        X, correlation = self.training_set.X, None
        if sparse.issparse(X):
            X = with_narrow_indices(X).astype(np.float64)
        else:
            X = X.astype(np.float64, copy=False) - self._mean
            if X.shape[1] <= MOST_CORRELATED:
                correlation = self._correlation(X)
        largest = abs(X.data if sparse.issparse(X) else X).max(initial=0)
        precisions = (np.float32, np.float64) if largest < SAFE_SIZE else (np.float64,)
        return [Features.of(X, correlation, dtype) for dtype in precisions]

    def _correlation(self, centred: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        weight = self.training_set.weight
        together = centred.T @ (centred if weight is None else scaled_rows(centred, weight))
        spread = np.sqrt(together.diagonal())
        spread[spread == 0] = 1
        return np.linalg.eigh(together / np.outer(spread, spread))
