"""LEAD: a structure from what independent classifiers leave unexplained (conditional dependence).

The features are a parent that all labels have in common. Classifiers that know the features alone take their part
away, and what the residuals of labels have in common is their dependence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from trellislib.dependence.evidence import Evidence, LabelEvidence, ResidualEvidence, instance_weights
from trellislib.dependence.gram import Sums
from trellislib.graphs.fs import grown
from trellislib.graphs.tree import first_label
from trellislib.labels.graph import LabelGraph
from trellislib.labels.matrices import dense
from trellislib.learners import as_learner
from trellislib.learners.training_set import TrainingSet
from trellislib.running.checks import checked_groups, require_integer
from trellislib.running.progress import Cancelled, stop_if
from trellislib.typing import Matrix

RESIDUALS = ("signed", "error")
BLOCK_CELLS = 2**22  # of instances and label columns that are judged at a time


def lead(
    X: Matrix,
    Y: Matrix,
    *,
    estimator: BaseEstimator | None = None,
    residuals: str = "signed",
    cv: int | None = 5,
    max_parents: int = 3,
    level: float = 0.01,
    min_support: float = 0.01,
    background: bool = True,
    root: int | None = None,
    random_state: int | np.random.RandomState | None = None,
    sample_weight: np.ndarray | None = None,
    groups: np.ndarray | None = None,
    cancelled: Cancelled | None = None,
) -> LabelGraph:
    """Learn a structure from what independent classifiers leave unexplained (conditional dependence).

    Parameters
    ----------
    X : {array-like, CSR} of shape (n_instances, n_features)
        Features.
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values, of any number of values per label; a CSR array holds codes.
    estimator, residuals, cv
        What is left unexplained; see `residuals_of`. The paper has ``residuals="error"``; see Notes.
    max_parents, level, min_support, background, root
        As for `fs`. Signed residuals are judged by their covariance, which is of pairs, so that `min_support` has no
        part in it.
    random_state : int, RandomState or None
        Seed of the root and of the folds. The root is the one that `fs` would have.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances, each of which counts as that many.
    groups : array-like of shape (n_instances,), optional
        What each instance is about; no fold has part of a group.
    cancelled : callable, optional
        See `trellislib.running.progress`; called once per label and fold, and before the graph is grown.

    Raises
    ------
    ValueError
        If an argument is out of its range, or the estimator gives no probabilities for signed residuals.
    CancelledError
        If it was cancelled.

    Notes
    -----
    An error does not show on which side a prediction is wrong. Where the features carry little information, two
    labels that pull each other the same way are wrong together hardly more often than apart: the dependence shows in
    the side of the errors, and is lost with it. On sets of known structure (L = 20, N = 500; easy, medium,
    hard), F of the skeleton is 0.99, 0.98, 0.41 with signed residuals and 0.91, 0.38, 0.08 with errors.
    Probabilities and the linear scores of least squares serve equally well (to 0.01), so that probabilities are
    what any learner must give.

    References
    ----------
    Section 3.3 of the paper. Zhang and Zhang, "Multi-label learning by exploiting label dependency", KDD 2010.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_labels=5, random_state=0)
    >>> data.true_parents
    ((), (), (3,), (1,), (3,))
    >>> lead(data.X, data.Y, root=1, random_state=0).parents
    ((), (), (3,), (1,), (3,))
    """
    rng = check_random_state(random_state)
    Y = _matrix(Y)
    if Y.ndim == 2 and Y.shape[1]:
        root = first_label(Y.shape[1], root, rng)  # before the folds, so that a seed gives the root that it gives FS
    evidence = lead_evidence(
        X,
        Y,
        estimator=estimator,
        residuals=residuals,
        cv=cv,
        random_state=rng,
        sample_weight=sample_weight,
        groups=groups,
        cancelled=cancelled,
    )
    stop_if(cancelled)
    return grown(
        evidence, max_parents=max_parents, level=level, min_support=min_support, background=background, root=root
    )


def lead_evidence(
    X: Matrix,
    Y: Matrix,
    *,
    estimator: BaseEstimator | None = None,
    residuals: str = "signed",
    cv: int | None = 5,
    random_state: int | np.random.RandomState | None = None,
    sample_weight: np.ndarray | None = None,
    groups: np.ndarray | None = None,
    cancelled: Cancelled | None = None,
) -> Evidence:
    """Return the evidence that `lead` grows its graph from, for those who grow several; see `residuals_of`.

    Returns
    -------
    LabelEvidence or ResidualEvidence
        By counting for errors, by covariance for signed residuals.
    """
    whole = _training_set(X, Y, sample_weight, groups)
    blocks = _residual_blocks(whole, estimator, residuals, cv, random_state, cancelled)
    if residuals == "error":
        rows, errors = zip(*((rows, sparse.csr_array(left)) for rows, left in blocks), strict=True)
        in_order = np.argsort(np.concatenate(rows))
        return LabelEvidence.of(sparse.vstack(errors, format="csr")[in_order], sample_weight)
    weight = np.ones(whole.n_instances) if whole.weight is None else whole.weight
    covariance = _covariance(blocks, weight, whole.coding.n_columns)
    return ResidualEvidence(covariance, whole.coding.starts, float(weight.sum()))


def residuals_of(
    X: Matrix,
    Y: Matrix,
    *,
    estimator: BaseEstimator | None = None,
    residuals: str = "signed",
    cv: int | None = 5,
    random_state: int | np.random.RandomState | None = None,
    sample_weight: np.ndarray | None = None,
    groups: np.ndarray | None = None,
    cancelled: Cancelled | None = None,
) -> np.ndarray:
    """Return what independent classifiers leave unexplained of each label.

    Parameters
    ----------
    X : {array-like, CSR} of shape (n_instances, n_features)
        Features.
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values; a CSR array holds codes.
    estimator : learner or classifier, optional
        What is fitted to each label on the features alone; least squares by default.
    residuals : {"signed", "error"}, default="signed"
        The indicators of the labels minus their predicted probabilities, or whether the prediction is wrong.
    cv : int or None, default=5
        Number of folds: each instance is predicted by classifiers that have not seen it. With None, classifiers are
        fitted and judged on the same instances, which is optimistic: a flexible classifier leaves nothing.
    random_state : int, RandomState or None
        Seed of the folds.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances in fitting.
    groups : array-like of shape (n_instances,), optional
        What each instance is about; no fold has part of a group.
    cancelled : callable, optional
        See `trellislib.running.progress`; called once per label and fold.

    Returns
    -------
    ndarray
        Signed residuals of shape (n_instances, n_columns), one column for each value of a label after its first
        (see `trellislib.labels.coding`); or errors, 0 or 1, of shape (n_instances, n_labels).

    Raises
    ------
    ValueError
        If an argument is out of its range, or the estimator gives no probabilities for signed residuals.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(-1, 1, 40)[:, None]
    >>> Y = np.hstack([X > 0, X > 0.5]).astype(int)
    >>> residuals_of(X, Y, residuals="error", random_state=0).mean(axis=0)
    array([0.025, 0.05 ])
    """
    whole = _training_set(X, Y, sample_weight, groups)
    n_columns, dtype = (whole.n_labels, np.int8) if residuals == "error" else (whole.coding.n_columns, np.float64)
    left = np.zeros((whole.n_instances, n_columns), dtype=dtype)
    for rows, block in _residual_blocks(whole, estimator, residuals, cv, random_state, cancelled):
        left[rows] = block
    return left


def _residual_blocks(
    whole: TrainingSet,
    estimator: BaseEstimator | None,
    residuals: str,
    cv: int | None,
    random_state: int | np.random.RandomState | None,
    cancelled: Cancelled | None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield some instances, and their rows of `residuals_of`, until all have come."""
    if residuals not in RESIDUALS:
        raise ValueError(f"Got residuals={residuals!r}, but expected one of {RESIDUALS}.")
    learner = as_learner(estimator)
    if residuals == "signed" and not learner.gives_probabilities:
        raise ValueError(
            f"Got residuals='signed' with estimator={estimator!r}, which gives no probabilities: choose "
            "residuals='error', or a classifier with predict_proba."
        )
    labels, coding = range(whole.n_labels), whole.coding
    n_at_once = max(BLOCK_CELLS // coding.n_columns, 1)
    for train, test in _folds(whole, cv, random_state):
        fitted = learner.prepare(whole.rows(train)).fit(LabelGraph.independent(whole.n_labels), cancelled=cancelled)
        for rows in np.split(test, range(n_at_once, len(test), n_at_once)):
            truth = dense(whole.rows(rows).columns)
            given, none = fitted.given(whole.X[rows]), np.zeros((coding.n_columns, len(rows)))
            if residuals == "signed":
                yield rows, truth - given.probabilities(labels, none).T
            else:
                wrong = truth != coding.indicators(given.decide(labels, none), labels).T
                yield rows, np.logical_or.reduceat(wrong, coding.starts[:-1], axis=1).astype(np.int8)


def _covariance(blocks: Iterable[tuple[np.ndarray, np.ndarray]], weight: np.ndarray, n_columns: int) -> np.ndarray:
    """Return the covariance of residuals that come in blocks of instances."""
    sums: Sums | None = None
    for rows, left in blocks:
        counts = weight[rows] > 0
        if counts.any():
            nothing = np.empty((int(counts.sum()), 0))
            block = Sums.of(left[counts], nothing, weight[rows][counts])
            sums = block if sums is None else sums + block
    return np.zeros((n_columns, n_columns)) if sums is None else sums.XX / sums.total


def _folds(
    whole: TrainingSet, cv: int | None, random_state: int | np.random.RandomState | None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the instances to fit on and those to predict."""
    if cv is not None:
        require_integer("cv", cv, lowest=2)
    if cv is None:
        everyone = np.arange(whole.n_instances)
        yield everyone, everyone
        return
    yield from whole.divided(int(cv), check_random_state(random_state))


def _training_set(X: Matrix, Y: Matrix, sample_weight: np.ndarray | None, groups: np.ndarray | None) -> TrainingSet:
    """Return the data as learners take them."""
    X, Y = _matrix(X), _matrix(Y)
    if X.shape[0] != Y.shape[0]:
        raise ValueError(f"Got X of {X.shape[0]} instances, but expected {Y.shape[0]}, as Y has.")
    codes = None if groups is None else checked_groups(groups, Y.shape[0])
    return TrainingSet.of(X, Y, instance_weights(sample_weight, Y.shape[0]), codes)


def _matrix(values: Matrix) -> Matrix:
    return sparse.csr_array(values) if sparse.issparse(values) else np.asarray(values)
