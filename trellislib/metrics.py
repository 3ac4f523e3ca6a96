"""Scores of a prediction, and the register of them.

Every score takes the true label codes and either predicted codes or scores (probabilities, or whatever orders
the labels of an instance), all of shape ``(n_instances, n_labels)``, dense or CSR. Code 1 is *relevant*; only
`hamming_score` and `exact_match` also make sense for labels of more than two values; the others refuse them.

Where a score is 0/0, these rules hold:

- An instance with no true and no predicted label is predicted perfectly: `accuracy` and `example_f1` count
  it 1 (``empty=1.0``), as the software behind the paper's tables does.
- A label that is neither true nor predicted anywhere says nothing for the method: `macro_f1` counts it 0
  (``empty=0.0``), as scikit-learn does unless told otherwise; `micro_f1` of nothing at all likewise.
- A label with no positive or no negative instance has no ROC curve: its AUC is ``nan``, and `macro_auc` is
  the mean over the labels that have one.
- An instance with no relevant label has nothing to rank: `ranking_loss` and `coverage` count it 0,
  `average_precision` 1, and `one_error` 1 (``empty=1.0``), for its highest-scored label is not relevant.

So a score of predicted codes is never ``nan``. Those keep Y sparse; the scores of rankings work on the dense
matrix of scores, one row or one label at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.metrics import label_ranking_average_precision_score, label_ranking_loss, roc_auc_score

from trellislib.data.dataset import Matrix

# ---------------------------------------------------------------- scores of predicted codes


def hamming_score(Y_true: Matrix, Y_pred: Matrix) -> float:
    """Return the share of label cells that are right (1 - Hamming loss).

    Parameters
    ----------
    Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
        True and predicted codes; labels may have any number of values.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, or have no cell.

    References
    ----------
    "Classifier trellises", section Experiments, *Hamming Score*.

    Examples
    --------
    >>> hamming_score([[0, 2], [1, 0]], [[0, 1], [1, 0]])
    0.75
    """
    true, pred = _same_shape(Y_true, Y_pred, "Y_pred")
    return float(1.0 - (true != pred).count_nonzero() / (true.shape[0] * true.shape[1]))


def exact_match(Y_true: Matrix, Y_pred: Matrix) -> float:
    """Return the share of instances whose every label is right (subset accuracy, 1 - 0/1 loss).

    Parameters
    ----------
    Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
        True and predicted codes; labels may have any number of values.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, or have no cell.

    References
    ----------
    "Classifier trellises", section Experiments, *Exact Match*.

    Examples
    --------
    >>> exact_match([[0, 2], [1, 0]], [[0, 1], [1, 0]])
    0.5
    """
    true, pred = _same_shape(Y_true, Y_pred, "Y_pred")
    return float(np.mean((true != pred).count_nonzero(axis=1) == 0))


def accuracy(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 1.0) -> float:
    """Return the mean over instances of true and predicted labels' intersection over union (Jaccard index).

    Parameters
    ----------
    Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
        True and predicted codes of binary labels.
    empty : float, default=1.0
        What an instance counts that has no true and no predicted label.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1.

    References
    ----------
    "Classifier trellises", section Experiments, *Accuracy*.

    Examples
    --------
    The first instance has an empty truth and an empty prediction.

    >>> accuracy([[0, 0], [1, 1]], [[0, 0], [0, 1]])
    0.75
    >>> accuracy([[0, 0], [1, 1]], [[0, 0], [0, 1]], empty=0.0)
    0.25
    """
    both, true, pred = _overlap(Y_true, Y_pred, axis=1)
    return float(_ratio(both, true + pred - both, empty).mean())


def example_f1(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 1.0) -> float:
    """Return the mean over instances of the F1 of their label sets.

    Parameters
    ----------
    Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
        True and predicted codes of binary labels.
    empty : float, default=1.0
        What an instance counts that has no true and no predicted label.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1.

    Examples
    --------
    >>> example_f1([[0, 0], [1, 1]], [[0, 0], [0, 1]])
    0.833...
    """
    both, true, pred = _overlap(Y_true, Y_pred, axis=1)
    return float(_ratio(2 * both, true + pred, empty).mean())


def macro_f1(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 0.0) -> float:
    """Return the mean over labels of their F1.

    Parameters
    ----------
    Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
        True and predicted codes of binary labels.
    empty : float, default=0.0
        What a label counts that is true in no instance and predicted in none; 0 is scikit-learn's default.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1.

    Examples
    --------
    >>> macro_f1([[1, 0], [1, 0]], [[1, 0], [1, 0]])
    0.5
    >>> macro_f1([[1, 0], [1, 0]], [[1, 0], [1, 0]], empty=1.0)
    1.0
    """
    both, true, pred = _overlap(Y_true, Y_pred, axis=0)
    return float(_ratio(2 * both, true + pred, empty).mean())


def micro_f1(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 0.0) -> float:
    """Return the F1 of all label cells taken together.

    Parameters
    ----------
    Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
        True and predicted codes of binary labels.
    empty : float, default=0.0
        The score if no label is true and none predicted in any instance; 0 is scikit-learn's default.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1.

    Examples
    --------
    >>> micro_f1([[1, 0], [1, 1]], [[1, 0], [1, 0]])
    0.8
    """
    both, true, pred = _overlap(Y_true, Y_pred, axis=0)
    return float(_ratio(2 * both.sum(), true.sum() + pred.sum(), empty))


# ---------------------------------------------------------------- scores of rankings


def average_precision(Y_true: Matrix, scores: Matrix) -> float:
    """Return the label ranking average precision: how pure the top of each instance's ranking is.

    For each relevant label, the share of relevant ones among the labels scored at least as high; then the
    mean over an instance's relevant labels, and over instances. An instance in which no or every label is
    relevant counts 1, for no ranking of it is wrong.

    Parameters
    ----------
    Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
        True codes of binary labels.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels)
        Scores or probabilities; higher is more relevant.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1 or a
        score that is not finite.

    Examples
    --------
    >>> average_precision([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]])
    0.416...
    """
    true, score = _ranking(Y_true, scores)
    if true.shape[1] == 1:
        return 1.0
    return float(label_ranking_average_precision_score(true, score))


def ranking_loss(Y_true: Matrix, scores: Matrix) -> float:
    """Return the share of (relevant, irrelevant) pairs of labels that are ordered wrongly; ties are wrong.

    The mean over instances; one in which no or every label is relevant has no pair and counts 0.

    Parameters
    ----------
    Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
        True codes of binary labels.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels)
        Scores or probabilities; higher is more relevant.

    Returns
    -------
    float
        Between 0 and 1; lower is better.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1 or a
        score that is not finite.

    Examples
    --------
    >>> ranking_loss([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]])
    0.75
    """
    true, score = _ranking(Y_true, scores)
    if true.shape[1] == 1:
        return 0.0
    return float(label_ranking_loss(true, score))


def one_error(Y_true: Matrix, scores: Matrix, *, empty: float = 1.0) -> float:
    """Return the share of instances whose highest-scored label is not relevant.

    Among equal scores the label of lowest index is taken as the highest.

    Parameters
    ----------
    Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
        True codes of binary labels.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels)
        Scores or probabilities; higher is more relevant.
    empty : float, default=1.0
        What an instance counts that has no relevant label; by the letter of the definition it is an error.

    Returns
    -------
    float
        Between 0 and 1; lower is better.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1 or a
        score that is not finite.

    Examples
    --------
    >>> one_error([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 0.2], [1.0, 0.2, 0.1]])
    0.5
    """
    true, score = _ranking(Y_true, scores)
    top = score.argmax(axis=1)
    wrong = 1.0 - np.asarray(true[np.arange(len(top)), top]).ravel()
    return float(np.where(true.count_nonzero(axis=1) == 0, empty, wrong).mean())


def coverage(Y_true: Matrix, scores: Matrix) -> float:
    """Return how many of the highest-scored labels it takes, on average, to have all the relevant ones.

    Not normalised, as in scikit-learn's ``coverage_error``: the best value is the label cardinality of
    `Y_true`, and labels that tie with the lowest relevant one are taken with it. An instance with no relevant
    label counts 0.

    Parameters
    ----------
    Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
        True codes of binary labels.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels)
        Scores or probabilities; higher is more relevant.

    Returns
    -------
    float
        In labels, between 0 and n_labels; lower is better.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1 or a
        score that is not finite.

    Examples
    --------
    >>> coverage([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 1.0], [1.0, 0.2, 0.1]])
    2.5
    """
    true, score = _ranking(Y_true, scores)
    rows, labels = true.nonzero()
    lowest = np.full(true.shape[0], np.inf)
    np.minimum.at(lowest, rows, score[rows, labels])
    return float((score >= lowest[:, None]).sum(axis=1).mean())


def macro_auc(Y_true: Matrix, scores: Matrix) -> float:
    """Return the mean area under the ROC curve of the labels that have one.

    A label relevant in no instance, or in every one, has no ROC curve and is left out of the mean;
    `per_label_scores` shows which those are.

    Parameters
    ----------
    Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
        True codes of binary labels.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels)
        Scores or probabilities; higher is more relevant.

    Returns
    -------
    float
        Between 0 and 1; ``nan`` if no label has a ROC curve.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1 or a
        score that is not finite.

    Examples
    --------
    The second label is never relevant.

    >>> macro_auc([[1, 0], [0, 0], [1, 0]], [[0.9, 0.1], [0.4, 0.2], [0.3, 0.3]])
    0.5
    """
    areas = _label_auc(*_ranking(Y_true, scores))
    defined = areas[~np.isnan(areas)]
    return float(defined.mean()) if defined.size else float("nan")


def micro_auc(Y_true: Matrix, scores: Matrix) -> float:
    """Return the area under the ROC curve of all label cells taken together.

    Parameters
    ----------
    Y_true : {ndarray, csr_array} of shape (n_instances, n_labels)
        True codes of binary labels.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels)
        Scores or probabilities; higher is more relevant, and comparable from label to label.

    Returns
    -------
    float
        Between 0 and 1; ``nan`` if no cell is relevant, or every one.

    Raises
    ------
    ValueError
        If the two are not matrices of the same shape, have no cell, or hold a code other than 0 and 1 or a
        score that is not finite.

    Examples
    --------
    >>> micro_auc([[1, 0], [0, 0]], [[0.5, 0.1], [0.9, 0.2]])
    0.666...
    """
    true, score = _ranking(Y_true, scores)
    return float(_label_auc(true.reshape((-1, 1)), score.reshape(-1, 1))[0])


# ---------------------------------------------------------------- scores of each label


def per_label_scores(Y_true: Matrix, Y_pred: Matrix, scores: Matrix | None = None) -> pd.DataFrame:
    """Return the scores of each label by itself.

    Parameters
    ----------
    Y_true, Y_pred : {ndarray, csr_array} of shape (n_instances, n_labels)
        True and predicted codes of binary labels.
    scores : {ndarray, csr_array} of shape (n_instances, n_labels), optional
        Scores or probabilities, for the AUC.

    Returns
    -------
    DataFrame of shape (n_labels, 6)
        By label position, as shares between 0 and 1: ``frequency`` (instances in which the label is true),
        ``precision`` (0 where it is never predicted), ``recall`` (0 where it is never true), ``f1`` (0
        where it is neither), ``hamming`` (cells that are right), ``auc`` (``nan`` where undefined, or
        without `scores`).

    Raises
    ------
    ValueError
        If the matrices are not of the same shape, have no cell, or hold a code other than 0 and 1 or a score
        that is not finite.

    Examples
    --------
    >>> per_label_scores([[1, 0], [0, 0], [1, 0]], [[1, 0], [1, 1], [1, 0]]).round(2)
           frequency  precision  recall   f1  hamming  auc
    label
    0           0.67       0.67     1.0  0.8     0.67  NaN
    1           0.00       0.00     0.0  0.0     0.67  NaN
    """
    both, true, pred = _overlap(Y_true, Y_pred, axis=0)
    n_instances = np.shape(Y_true)[0]
    return pd.DataFrame(
        {
            "frequency": true / n_instances,
            "precision": _ratio(both, pred, 0.0),
            "recall": _ratio(both, true, 0.0),
            "f1": _ratio(2 * both, true + pred, 0.0),
            "hamming": 1.0 - (true + pred - 2 * both) / n_instances,
            "auc": np.nan if scores is None else _label_auc(*_ranking(Y_true, scores)),
        },
        index=pd.RangeIndex(len(true), name="label"),
    )


# ---------------------------------------------------------------- the register


@dataclass(frozen=True)
class Measure:
    """A score, and what one needs to know to show and rank by it.

    Attributes
    ----------
    key : str
        Its key in `MEASURES`, the name of its function.
    name : str
        How a table heads it.
    function : callable
        ``function(Y_true, Y_pred)`` or ``function(Y_true, scores)``, by `needs`.
    higher_is_better : bool
        False for a loss.
    needs : {"labels", "scores"}
        What it is taken of: predicted codes, or scores of the labels.
    binary_only : bool
        Whether it refuses labels of more than two values.
    description : str
        What it says, in one sentence.

    Examples
    --------
    >>> MEASURES["accuracy"].name
    'Accuracy (Jaccard)'
    >>> [key for key, measure in MEASURES.items() if not measure.higher_is_better]
    ['ranking_loss', 'one_error', 'coverage']
    """

    key: str
    name: str
    function: Callable[..., float]
    higher_is_better: bool
    needs: Literal["labels", "scores"]
    binary_only: bool
    description: str


MEASURES: dict[str, Measure] = {
    measure.key: measure
    for measure in (
        Measure(
            key="accuracy",
            name="Accuracy (Jaccard)",
            function=accuracy,
            higher_is_better=True,
            needs="labels",
            binary_only=True,
            description="True and predicted label sets: intersection over union, averaged over instances.",
        ),
        Measure(
            key="hamming_score",
            name="Hamming score",
            function=hamming_score,
            higher_is_better=True,
            needs="labels",
            binary_only=False,
            description="Share of all label cells that are right.",
        ),
        Measure(
            key="exact_match",
            name="Exact match",
            function=exact_match,
            higher_is_better=True,
            needs="labels",
            binary_only=False,
            description="Share of instances whose every label is right.",
        ),
        Measure(
            key="micro_f1",
            name="Micro F1",
            function=micro_f1,
            higher_is_better=True,
            needs="labels",
            binary_only=True,
            description="F1 of all label cells taken together; frequent labels weigh most.",
        ),
        Measure(
            key="macro_f1",
            name="Macro F1",
            function=macro_f1,
            higher_is_better=True,
            needs="labels",
            binary_only=True,
            description="F1 of each label, averaged; rare labels weigh as much as frequent ones.",
        ),
        Measure(
            key="example_f1",
            name="Example F1",
            function=example_f1,
            higher_is_better=True,
            needs="labels",
            binary_only=True,
            description="F1 of each instance's label set, averaged over instances.",
        ),
        Measure(
            key="average_precision",
            name="Average precision",
            function=average_precision,
            higher_is_better=True,
            needs="scores",
            binary_only=True,
            description="How pure the top of each instance's ranking of the labels is.",
        ),
        Measure(
            key="macro_auc",
            name="Macro AUC",
            function=macro_auc,
            higher_is_better=True,
            needs="scores",
            binary_only=True,
            description="Area under each label's ROC curve, averaged over the labels that have one.",
        ),
        Measure(
            key="micro_auc",
            name="Micro AUC",
            function=micro_auc,
            higher_is_better=True,
            needs="scores",
            binary_only=True,
            description="Area under the ROC curve of all label cells taken together.",
        ),
        Measure(
            key="ranking_loss",
            name="Ranking loss",
            function=ranking_loss,
            higher_is_better=False,
            needs="scores",
            binary_only=True,
            description="Share of pairs of a relevant and an irrelevant label that are ordered wrongly.",
        ),
        Measure(
            key="one_error",
            name="One error",
            function=one_error,
            higher_is_better=False,
            needs="scores",
            binary_only=True,
            description="Share of instances whose highest-scored label is not relevant.",
        ),
        Measure(
            key="coverage",
            name="Coverage",
            function=coverage,
            higher_is_better=False,
            needs="scores",
            binary_only=True,
            description="How many of the highest-scored labels it takes to have all the relevant ones.",
        ),
    )
}


# ---------------------------------------------------------------- helpers


def _matrix(values: Matrix, name: str) -> Matrix:
    """Return `values` as a two-dimensional array or CSR array with at least one cell."""
    matrix = sparse.csr_array(values) if sparse.issparse(values) else np.asarray(values)
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ValueError(
            f"Got {name} of shape {matrix.shape}, but expected (n_instances, n_labels), at least one of each."
        )
    return matrix


def _pair(Y_true: Matrix, other: Matrix, name: str) -> tuple[Matrix, Matrix]:
    """Return both as matrices, after a look at their shapes."""
    true, second = _matrix(Y_true, "Y_true"), _matrix(other, name)
    if true.shape != second.shape:
        raise ValueError(f"Got Y_true of shape {true.shape} and {name} of shape {second.shape}, which must be equal.")
    return true, second


def _same_shape(Y_true: Matrix, other: Matrix, name: str) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Return both as CSR arrays of the same shape, in canonical form."""
    true, second = (sparse.csr_array(matrix) for matrix in _pair(Y_true, other, name))
    return _canonical(true), _canonical(second)


def _canonical(Y: sparse.csr_array) -> sparse.csr_array:
    """Return `Y` with every cell stored at most once, leaving the user's own array as it is."""
    if not Y.has_canonical_format:
        Y = Y.copy()
        Y.sum_duplicates()
    return Y


def _require_binary(Y: sparse.csr_array, name: str) -> None:
    """Raise if `Y` holds anything but 0 and 1."""
    wrong = (Y.data != 0) & (Y.data != 1)
    if wrong.any():
        place = int(wrong.argmax())
        row = int(np.searchsorted(Y.indptr, place, side="right")) - 1
        raise ValueError(
            f"Got {Y.data[place]} in {name} (instance {row}, label {Y.indices[place]}), "
            "but this score needs binary labels, with codes 0 and 1."
        )


def _overlap(Y_true: Matrix, Y_pred: Matrix, axis: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count, along `axis`, the cells relevant in both, in `Y_true` and in `Y_pred`."""
    true, pred = _same_shape(Y_true, Y_pred, "Y_pred")
    _require_binary(true, "Y_true")
    _require_binary(pred, "Y_pred")
    both, first, second = (cells.count_nonzero(axis=axis) for cells in (true.multiply(pred), true, pred))
    return both, first, second


def _ratio(above: np.ndarray, below: np.ndarray, empty: float) -> np.ndarray:
    """Divide, with `empty` for 0/0."""
    return np.divide(above, below, out=np.full(np.shape(below), float(empty)), where=np.asarray(below) != 0)


def _ranking(Y_true: Matrix, scores: Matrix) -> tuple[sparse.csr_array, np.ndarray]:
    """Return the true codes as a CSR array without stored zeros, and the scores as a dense array."""
    true, score = _pair(Y_true, scores, "scores")
    true = _canonical(sparse.csr_array(true))
    _require_binary(true, "Y_true")
    score = score.toarray() if sparse.issparse(score) else score
    unusable = ~np.isfinite(score)
    if unusable.any():
        row, label = np.unravel_index(unusable.argmax(), score.shape)
        raise ValueError(
            f"Got {score[row, label]} in scores (instance {row}, label {label}), but expected finite numbers."
        )
    return true, score


def _label_auc(true: sparse.csr_array, scores: np.ndarray) -> np.ndarray:
    """Return the area under the ROC curve of each column, ``nan`` where it has one value only."""
    areas = np.full(true.shape[1], np.nan)
    positives = true.count_nonzero(axis=0)
    columns = true.tocsc()
    for label in np.flatnonzero((positives > 0) & (positives < true.shape[0])):
        areas[label] = roc_auc_score(columns[:, [label]].toarray().ravel(), scores[:, label])
    return areas
