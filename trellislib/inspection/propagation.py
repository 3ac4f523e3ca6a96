"""Error propagation: what wrong inputs cost each label, over a whole test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from trellislib.inspection.members import require_member
from trellislib.inspection.outcomes import outcomes, true_codes
from trellislib.inspection.places import places
from trellislib.labels.graph import AnyLabelGraph
from trellislib.methods.label_graph import LabelGraphClassifier

MEANS = ["given_predicted", "given_true", "most_frequent", "lost"]
OUTCOMES = {
    "own error": "n_own",
    "inherited error": "n_inherited",
    "overruled": "n_overruled",
    "lucky": "n_lucky",
}
"""Outcomes other than right, and the columns that count them."""


def propagation(method: LabelGraphClassifier, X: Any, Y: Any) -> pd.DataFrame:
    """Measure how often each label is right as its inputs are predicted, and would be if they were true.

    The first is what the method predicts, whatever its inference; the second is the most probable value given the
    features and the true values of its parents, or of its neighbours in an undirected graph. For a greedy chain the
    difference is what errors before a label cost it.

    Parameters
    ----------
    method : method of one label graph
        Fitted; see `graph_members`.
    X : {array-like, CSR} of shape (n_instances, n_features)
        Features of instances that the method was not fitted to.
    Y : {array-like, CSR} of shape (n_instances, n_labels), or (n_instances,) of one label
        Their labels.

    Returns
    -------
    DataFrame
        A row for each label, in the order of prediction:

        - ``label``, ``place`` and ``level``: its wavefront, or its colour; see `Step`;
        - ``n_inputs``: how many parents or neighbours it has;
        - ``n_rows``: on how many instances it is judged. Instances in which its own value, or that of an input, was
          not seen in training are left out;
        - ``given_predicted`` and ``given_true``: the share of these in which it is right; NaN where there are none;
        - ``most_frequent``: the same of its most frequent value there, predicted always;
        - ``lost``: ``given_true`` less ``given_predicted``;
        - ``n_own``, ``n_inherited``, ``n_overruled``, ``n_lucky``: how many have each outcome; see
          `trellislib.inspection.outcomes.outcomes`. Where a method decides greedily, none is overruled, and ``lost`` is
          (``n_inherited`` - ``n_lucky``) / ``n_rows``.

    Raises
    ------
    ValueError
        If the method has not one label graph or is not fitted, features or labels are not as many as it was fitted
        to, or there are not as many rows of labels as of features.

    References
    ----------
    Senge, del Coz and Huellermeier, "On the problem of error propagation in classifier chains for multi-label
    classification", 2014.

    Examples
    --------
    The second label copies the first, which does not follow from the feature where it is 0.4 or 0.6.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from trellislib import ClassifierChain
    >>> X, Y = [[0.0], [0.4], [0.6], [1.0]] * 2, [[0, 0], [0, 0], [1, 1], [1, 1]] * 2
    >>> chain = ClassifierChain(DecisionTreeClassifier(max_depth=1, random_state=1), order=[0, 1]).fit(X, Y)
    >>> seen = propagation(chain, [[0.0], [0.4], [0.6], [1.0]], [[0, 0], [1, 1], [0, 0], [1, 1]])
    >>> seen[["label", "given_predicted", "given_true", "lost", "n_own", "n_inherited"]]
       label  given_predicted  given_true  lost  n_own  n_inherited
    0      0              0.5         0.5   0.0      2          0
    1      1              0.5         1.0   0.5      0          2
    """
    followed = _followed(method, X, Y)
    order, level = places(method.graph_)
    table = []
    for place, label in enumerate(order):
        seen = followed.of(label)
        n_rows = len(seen.rows)
        share = 1 / n_rows if n_rows else np.nan
        table.append(
            {
                "label": label,
                "place": place,
                "level": level[label],
                "n_inputs": len(method.graph_.inputs[label]),
                "n_rows": n_rows,
                "given_predicted": seen.is_right.sum() * share,
                "given_true": seen.would_be_right.sum() * share,
                "most_frequent": np.bincount(seen.true, minlength=1).max() * share,
                "lost": (seen.would_be_right.sum(dtype=int) - seen.is_right.sum(dtype=int)) * share,
            }
            | {column: int((seen.outcomes == outcome).sum()) for outcome, column in OUTCOMES.items()}
        )
    return pd.DataFrame(table)


def instances_by_outcome(method: LabelGraphClassifier, X: Any, Y: Any) -> dict[str, np.ndarray]:
    """Find the instances in which at least one label has each outcome, or is wrong.

    Parameters
    ----------
    method, X, Y
        As of `propagation`.

    Returns
    -------
    dict of str to ndarray
        For each of ``own error``, ``inherited error``, ``overruled`` and ``lucky``, the indices of the instances in
        which at least one label is that, in increasing order; see `trellislib.inspection.outcomes.outcomes`. And for
        ``wrong``, those in which at least one label is known to be wrong, whether or not its inputs are known.

    Raises
    ------
    ValueError
        As of `propagation`.

    Examples
    --------
    The second label copies the first, which does not follow from the feature where it is 0.4 or 0.6.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from trellislib import ClassifierChain
    >>> X, Y = [[0.0], [0.4], [0.6], [1.0]] * 2, [[0, 0], [0, 0], [1, 1], [1, 1]] * 2
    >>> chain = ClassifierChain(DecisionTreeClassifier(max_depth=1, random_state=1), order=[0, 1]).fit(X, Y)
    >>> instances_by_outcome(chain, [[0.0], [0.4], [0.6], [1.0]], [[0, 0], [1, 1], [0, 0], [1, 1]])["inherited error"]
    array([1, 2])
    """
    followed = _followed(method, X, Y)
    found = {outcome: np.zeros(followed.true.shape[1], dtype=bool) for outcome in OUTCOMES}
    for label in range(len(followed.true)):
        seen = followed.of(label)
        for outcome, instances in found.items():
            instances[seen.rows[seen.outcomes == outcome]] = True
    found["wrong"] = np.any(~followed.is_right & (followed.true >= 0), axis=0)
    return {outcome: np.flatnonzero(instances) for outcome, instances in found.items()}


@dataclass(frozen=True)
class _Label:
    """One label on the instances on which it is judged, all arrays of shape (n_rows,)."""

    rows: np.ndarray  # their places among all instances
    true: np.ndarray
    is_right: np.ndarray
    would_be_right: np.ndarray
    outcomes: np.ndarray


@dataclass(frozen=True)
class _Followed:
    """What is true, which decisions are right, and which would be given true inputs, (n_labels, n_instances) each."""

    graph: AnyLabelGraph
    true: np.ndarray
    is_right: np.ndarray
    would_be_right: np.ndarray

    def of(self, label: int) -> _Label:
        inputs = list(self.graph.inputs[label])
        is_known = (self.true[[label, *inputs]] >= 0).all(axis=0)
        rows = np.flatnonzero(is_known)
        right, would_be = self.is_right[label, rows], self.would_be_right[label, rows]
        inputs_right = np.asarray(self.is_right[inputs].all(axis=0))[rows]
        return _Label(rows, self.true[label, rows], right, would_be, outcomes(right, would_be, inputs_right))


def _followed(method: LabelGraphClassifier, X: Any, Y: Any) -> _Followed:
    """Predict instances, and what would be predicted given true inputs, block by block."""
    require_member(method)
    graph, coding = method.graph_, method.coding_
    true = true_codes(Y, coding, np.shape(X)[0])
    is_right, would_be_right = np.empty(true.shape, dtype=bool), np.empty(true.shape, dtype=bool)
    labels, first = range(coding.n_labels), 0
    for trace in method.traces(X):
        rows = slice(first, first + trace.n_instances)
        is_right[:, rows] = trace.infer().codes == true[:, rows]
        would_be = trace.given.decide(labels, coding.indicators(true[:, rows].clip(0), labels))
        would_be_right[:, rows] = would_be == true[:, rows]
        first = rows.stop
    return _Followed(graph, true, is_right, would_be_right)


def by_level(table: pd.DataFrame) -> pd.DataFrame:
    """Return the averages over the labels of each level.

    Parameters
    ----------
    table : DataFrame
        As `propagation` returns it.

    Returns
    -------
    DataFrame
        A row for each level: ``level``; ``n_labels``, how many of its labels could be judged; the means of
        ``given_predicted``, ``given_true``, ``most_frequent`` and ``lost`` over all values that are judged, so that a
        label counts as often as it is judged; and the sums of ``n_rows``, ``n_own``, ``n_inherited``, ``n_overruled``
        and ``n_lucky``.

    Examples
    --------
    >>> table = pd.DataFrame({"level": [0, 1, 1], "n_rows": [40, 30, 10], "given_predicted": [0.9, 0.6, 0.8],
    ...                       "given_true": [0.9, 0.7, 0.9], "most_frequent": 0.5, "lost": [0.0, 0.1, 0.1], "n_own": 1,
    ...                       "n_inherited": 2, "n_overruled": 0, "n_lucky": 0})
    >>> by_level(table)[["level", "n_labels", "given_predicted", "lost", "n_rows", "n_inherited"]].round(3)
       level  n_labels  given_predicted  lost  n_rows  n_inherited
    0      0         1             0.90   0.0      40          2
    1      1         2             0.65   0.1      40          4
    """
    level, is_judged = table["level"], table["n_rows"] > 0
    counts = table[["n_rows", *OUTCOMES.values()]].groupby(level).sum()
    right = table[MEANS].mul(table["n_rows"], axis=0).groupby(level).sum()  # a label that is not judged has none
    means = right.div(counts["n_rows"].where(counts["n_rows"] > 0), axis=0)
    return pd.concat([is_judged.groupby(level).sum().rename("n_labels"), means, counts], axis=1).reset_index()
