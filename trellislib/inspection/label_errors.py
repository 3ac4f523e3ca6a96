"""Labels that look wrong: their given value is improbable by features and labels of the row that were not fitted to it.

What is held out is fitted without the row: of least squares exactly, from the sums of all rows, of other base learners
in five folds. A label's probability is the one given the features and *the row's other labels*, which finds more of the
labels that were flipped at random than the features alone (``tests/benchmarks/label_errors.py``).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.neighbors import NearestNeighbors
from sklearn.pipeline import Pipeline

from trellislib.data.dataset import Dataset
from trellislib.graphs import trellis
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import AnyLabelGraph, LabelGraph, UndirectedLabelGraph
from trellislib.labels.matrices import dense
from trellislib.learners import Training, as_learner, probabilistic
from trellislib.learners.feature_maps import SCALED, mapped
from trellislib.learners.training_set import TrainingSet
from trellislib.methods import IndependentClassifiers
from trellislib.methods.preprocessing import SCALINGS, with_preprocessing
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, Progress, part_of
from trellislib.running.threads import one_blas_thread
from trellislib.typing import Matrix

MOST = 5000
N_NEIGHBOURS = 10
MOST_INPUTS = 200  # labels up to which each is judged by all others,
ROWS_PER_INPUT = 4  # unless there are fewer rows than so many for each
MOST_CELLS = 50_000_000  # of rows and label columns, whose probabilities are held at once


def suspicious_labels(
    dataset: Dataset,
    estimator: BaseEstimator | Literal["auto"] | None = "auto",
    *,
    graph: AnyLabelGraph | None = None,
    most: int = MOST,
    seed: int = 0,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pd.DataFrame:
    """Find the labels whose given value is improbable, the most improbable first.

    A label of a row is listed where another value is more probable, or where confident learning takes another one: of
    the values whose probability is at least the mean of it in the rows that are given the value, the most probable.
    It is judged by the features and the row's other labels, held out. The least margin, the probability of the given
    value less that of the most probable other one, comes first; of equals the lower row, then the lower label.

    Parameters
    ----------
    dataset : Dataset
        The data, with labels of any number of values; instances of `Dataset.incomplete` are not looked at. Missing
        features are filled with means.
    estimator : learner, classifier or "auto", optional
        Base learner, as of every method.
    graph : LabelGraph or UndirectedLabelGraph, optional
        Which of the others each label is judged by; by default all, and of more than 200 labels, or where rows are few,
        its neighbours in a trellis.
    most : int, default=5000
        How many are listed at most.
    seed : int, default=0
        Seed of the trellis.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`.

    Returns
    -------
    DataFrame
        The ``row`` (its index in the data) and its ``name`` (of `Dataset.row_names`), the ``label``, the ``given``
        value and the one that is ``suggested``; whether confident learning is ``confident`` that it is wrong; the
        ``margin``; and of the given value the probability ``by_labels`` (and features), the probability
        ``by_features`` alone, and the share of the ten nearest other rows that have it (``by_neighbours``).

    Raises
    ------
    ValueError
        If the data set has a single row or too many labels of rows, or `most` is no whole number above 0.

    References
    ----------
    Northcutt, Jiang and Chuang, "Confident learning: Estimating uncertainty in dataset labels", Journal of Artificial
    Intelligence Research 70, 2021.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from trellislib.data import simulate_room
    >>> data = simulate_room(200, width=3, random_state=0)
    >>> Y = data.Y.copy()
    >>> Y[7, 4] = 1 - Y[7, 4]
    >>> suspicious_labels(replace(data, Y=Y))[["row", "label", "given", "suggested"]].head(1)
       row label given suggested
    0    7  r2c2     0         1
    """
    require_integer("most", most)
    data = _training_set(dataset)
    training = probabilistic(as_learner(estimator).prepare(data))
    with one_blas_thread():
        if graph is None:
            graph = _judging_graph(data, seed)
        P = _held_out(training, graph, None, part_of(progress, 0, 2), cancelled)
        margins, suggested, confident = _judged(P, data)
        rows, labels = _least(np.where((margins < 0) | confident, margins, np.inf), most)
        asked = np.unique(rows)
        alone = LabelGraph.independent(data.n_labels)
        by_features = _held_out(training, alone, asked, part_of(progress, 1, 2), cancelled)
    given = data.codes[rows, labels]
    near = _nearest(mapped(data, SCALED, 1)[1].X, asked)[np.searchsorted(asked, rows)]
    return pd.DataFrame(
        {
            "row": rows,
            "name": dataset.row_names.to_numpy()[rows],
            "label": [dataset.label_names[label] for label in labels],
            "given": [dataset.label_values[label][code] for label, code in zip(labels, given, strict=True)],
            "suggested": [
                dataset.label_values[label][code] for label, code in zip(labels, suggested[rows, labels], strict=True)
            ],
            "confident": confident[rows, labels],
            "margin": margins[rows, labels],
            "by_labels": _of_value(P, data, rows, labels, given),
            "by_features": _of_value(by_features, data, np.searchsorted(asked, rows), labels, given),
            "by_neighbours": (data.codes[near, labels[:, None]] == given[:, None]).mean(axis=1),
        }
    )


def _training_set(dataset: Dataset) -> TrainingSet:
    """Return the rows of a data set, without gaps."""
    if dataset.n_instances < 2:
        raise ValueError(f"{dataset.name} has a single row, but its labels are judged by other rows: give more.")
    filled = with_preprocessing(IndependentClassifiers(), SCALINGS[0], dataset, "mean")
    X = filled[:-1].fit_transform(dataset.X) if isinstance(filled, Pipeline) else dataset.X
    coding = LabelCoding([np.arange(len(values)) for values in dataset.label_values])
    found = TrainingSet(X, dataset.Y, coding, groups=dataset.group_codes)
    if (n_cells := found.n_instances * found.coding.n_columns) > MOST_CELLS:
        raise ValueError(
            f"{dataset.name} has {n_cells:,} labels of rows, but at most {MOST_CELLS:,} are judged at a time: give "
            "fewer rows."
        )
    return found


def _judging_graph(data: TrainingSet, seed: int) -> AnyLabelGraph:
    if data.n_labels <= min(MOST_INPUTS, max(data.n_instances // ROWS_PER_INPUT, 1)):
        return UndirectedLabelGraph.complete(data.n_labels)
    return trellis(data.information, random_state=seed).undirected()


def _held_out(
    training: Training,
    graph: AnyLabelGraph,
    rows: np.ndarray | None,
    progress: Progress | None,
    cancelled: Cancelled | None,
) -> np.ndarray:
    """Return the probability of each column of some rows given the true values of its inputs, (n_columns, n_rows)."""
    data = training.training_set
    asked = np.arange(data.n_instances) if rows is None else rows
    P = np.empty((data.coding.n_columns, len(asked)), dtype=np.float32)
    if len(asked):
        for which, given in training.held_out(graph, rows, progress=progress, cancelled=cancelled):
            truth = dense(data.columns[which]).T.astype(float)
            P[:, np.searchsorted(asked, which)] = given.probabilities(range(data.n_labels), truth)
    return P


def _judged(P: np.ndarray, data: TrainingSet) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the margin of each label of each row, the value that is suggested, and whether that is confident."""
    codes, starts = data.codes, data.coding.starts
    margins, suggested = np.empty(codes.shape, dtype=np.float32), np.empty(codes.shape, dtype=np.int32)
    confident = np.empty(codes.shape, dtype=bool)
    for label, given in enumerate(codes.T):
        p = np.maximum(with_first_value(P[starts[label] : starts[label + 1]]), 0)
        is_given = np.arange(len(p))[:, None] == given
        others = np.where(is_given, -1.0, p)
        suggested[:, label] = others.argmax(axis=0)
        margins[:, label] = p[is_given.argmax(axis=0), np.arange(len(given))] - others.max(axis=0)
        counts = is_given.sum(axis=1)
        thresholds = np.where(counts > 0, (p * is_given).sum(axis=1) / np.maximum(counts, 1), np.inf)
        reached = np.where(p >= thresholds[:, None], p, -1.0)
        confident[:, label] = (reached.max(axis=0) >= 0) & (reached.argmax(axis=0) != given)
    return margins, suggested, confident


def _least(margins: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and labels of the least margins that are finite, in order."""
    flat = margins.ravel()
    listed = np.flatnonzero(np.isfinite(flat))
    listed = listed[np.argsort(flat[listed], kind="stable")[:most]]
    rows, labels = np.unravel_index(listed, margins.shape)
    return rows, labels


def _of_value(P: np.ndarray, data: TrainingSet, rows: np.ndarray, labels: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the probability of some values of labels in some rows."""
    starts = data.coding.starts
    found = [
        with_first_value(P[starts[label] : starts[label + 1], [row]])[code, 0]
        for row, label, code in zip(rows, labels, codes, strict=True)
    ]
    return np.clip(np.array(found, dtype=float), 0, 1)


def _nearest(X: Matrix, rows: np.ndarray) -> np.ndarray:
    """Return the nearest other rows of some rows, (n_rows, n_neighbours)."""
    n_neighbours = min(N_NEIGHBOURS, X.shape[0] - 1)
    if not len(rows):
        return np.empty((0, n_neighbours), dtype=int)
    found = NearestNeighbors(n_neighbors=n_neighbours + 1, algorithm="brute").fit(X).kneighbors(X[rows])[1]
    is_other = found != rows[:, None]
    is_other[is_other.all(axis=1), -1] = False  # where as many others have the same features
    return found[is_other].reshape(len(rows), n_neighbours)
