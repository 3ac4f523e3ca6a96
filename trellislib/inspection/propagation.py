"""Error propagation: what wrong inputs cost each label, over a whole test set."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from trellislib.inspection.members import require_member
from trellislib.inspection.places import places
from trellislib.inspection.truth import fates, true_codes
from trellislib.methods.label_graph import LabelGraphClassifier

MEANS = ["given_predicted", "given_true", "most_frequent", "lost"]
COUNTS = ["n_own", "n_dragged", "n_overruled", "n_saved"]


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
    Y : {array-like, CSR} of shape (n_instances, n_labels)
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
        - ``n_own``, ``n_dragged``, ``n_overruled``, ``n_saved``: how many became what; see
          `trellislib.inspection.truth.fates`. Where a method decides greedily, none is overruled, and ``lost`` is
          (``n_dragged`` - ``n_saved``) / ``n_rows``.

    Raises
    ------
    ValueError
        If there are not as many labels.

    References
    ----------
    Senge, del Coz and Huellermeier, "On the problem of error propagation in classifier chains for multi-label
    classification", 2014.

    Examples
    --------
    The second label copies the first, which the features do not tell where they are 0.4 or 0.6.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from trellislib import ClassifierChain
    >>> X, Y = [[0.0], [0.4], [0.6], [1.0]] * 2, [[0, 0], [0, 0], [1, 1], [1, 1]] * 2
    >>> chain = ClassifierChain(DecisionTreeClassifier(max_depth=1, random_state=1), order=[0, 1]).fit(X, Y)
    >>> seen = propagation(chain, [[0.0], [0.4], [0.6], [1.0]], [[0, 0], [1, 1], [0, 0], [1, 1]])
    >>> seen[["label", "given_predicted", "given_true", "lost", "n_own", "n_dragged"]]
       label  given_predicted  given_true  lost  n_own  n_dragged
    0      0              0.5         0.5   0.0      2          0
    1      1              0.5         1.0   0.5      0          2
    """
    require_member(method)
    X, graph, coding = method._validated(X), method.graph_, method.coding_
    true = true_codes(Y, coding, X.shape[0])
    decided, given_true = np.empty_like(true), np.empty_like(true)
    labels, first = range(coding.n_labels), 0
    for block in method._blocks(X):
        rows = slice(first, first + block.shape[0])
        given = method.conditionals_.given(block)
        decided[:, rows] = method.inference_.infer(given, graph, coding, block.shape[0], method._seed).codes
        given_true[:, rows] = given.decide(labels, coding.indicators(true[:, rows].clip(0), labels))
        first = rows.stop
    order, level = places(graph)
    known = true >= 0
    table = []
    for place, label in enumerate(order):
        inputs = list(graph.inputs[label])
        judged = known[label] & known[inputs].all(axis=0)
        right, would_be = (codes[label, judged] == true[label, judged] for codes in (decided, given_true))
        fate = fates(right, would_be, (decided[inputs][:, judged] == true[inputs][:, judged]).all(axis=0))
        n_rows = int(judged.sum())
        share = 1 / n_rows if n_rows else np.nan
        table.append(
            {
                "label": label,
                "place": place,
                "level": level[label],
                "n_inputs": len(inputs),
                "n_rows": n_rows,
                "given_predicted": right.sum() * share,
                "given_true": would_be.sum() * share,
                "most_frequent": np.bincount(true[label, judged], minlength=1).max() * share,
                "lost": (would_be.sum(dtype=int) - right.sum(dtype=int)) * share,
                "n_own": int((fate == "own error").sum()),
                "n_dragged": int((fate == "dragged along").sum()),
                "n_overruled": int((fate == "overruled").sum()),
                "n_saved": int((fate == "saved").sum()),
            }
        )
    return pd.DataFrame(table)


def by_level(table: pd.DataFrame) -> pd.DataFrame:
    """Average the labels of each level.

    Parameters
    ----------
    table : DataFrame
        As `propagation` returns it.

    Returns
    -------
    DataFrame
        A row for each level: ``level``, ``n_labels``, the means over labels of ``given_predicted``, ``given_true``,
        ``most_frequent`` and ``lost`` (labels that could not be judged have no say), and the sums of ``n_own``,
        ``n_dragged``, ``n_overruled`` and ``n_saved``.

    Examples
    --------
    >>> table = pd.DataFrame({"level": [0, 1, 1], "given_predicted": [0.9, 0.6, 0.8], "given_true": [0.9, 0.7, 0.9],
    ...                       "most_frequent": 0.5, "lost": [0.0, 0.1, 0.1], "n_own": 1, "n_dragged": 2,
    ...                       "n_overruled": 0, "n_saved": 0})
    >>> by_level(table)[["level", "n_labels", "given_predicted", "lost", "n_dragged"]].round(3)
       level  n_labels  given_predicted  lost  n_dragged
    0      0         1              0.9   0.0          2
    1      1         2              0.7   0.1          4
    """
    groups = table.groupby("level")
    return pd.concat(
        [groups.size().rename("n_labels"), groups[MEANS].mean(), groups[COUNTS].sum()], axis=1
    ).reset_index()
