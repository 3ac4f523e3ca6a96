"""Which edges of a label graph help and which hurt: scores on a test set with each edge and without it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from trellislib.inference import Greedy
from trellislib.inspection.interventions import Replaced
from trellislib.inspection.members import require_member
from trellislib.inspection.outcomes import true_codes
from trellislib.labels.graph import AnyLabelGraph, LabelGraph, UndirectedLabelGraph
from trellislib.methods.label_graph import LabelGraphClassifier, Trace
from trellislib.metrics import example_wise_measures, per_instance_scores
from trellislib.ranking.wilcoxon import holm
from trellislib.running.progress import Cancelled, Progress, stop_if

ENDS = ("parent", "child")
COLUMNS = (
    *ENDS, "child_with", "child_without", "child_gain", "score_with", "score_without", "gain", "gain_error",
)  # fmt: skip

CLEAR = 0.05  # p-value up to which an edge clearly helps or hurts

Edge = tuple[int, int]


def edge_effects(
    method: LabelGraphClassifier,
    training_X: Any,
    training_Y: Any,
    X: Any,
    Y: Any,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    measure: str = "accuracy",
    edges: Sequence[Edge] | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> pd.DataFrame:
    """Score a fitted method on a test set with each edge of its graph and without it.

    Without an edge, the conditional of its child is fitted again without that parent; all else stays as it is, and the
    test set is predicted again with the method's inference and seed. Without an edge of an undirected graph, neither of
    its ends is predicted from the other. Conditionals that many removals share are fitted once.

    Parameters
    ----------
    method : method of one label graph
        Fitted; see `graph_members`.
    training_X : {array-like, CSR} of shape (n_training, n_features)
        The features that it was fitted to.
    training_Y : {array-like, CSR} of shape (n_training, n_labels), or (n_training,) of one label
        The labels that it was fitted to. All conditionals, with and without an edge, are fitted again to these
        rows: a learner without a seed adds noise of its own.
    X : {array-like, CSR} of shape (n_instances, n_features)
        Features of the test set.
    Y : {array-like, CSR} of shape (n_instances, n_labels), or (n_instances,) of one label
        Its labels. An instance with a value that was not seen in training is left out.
    sample_weight : array-like of shape (n_training,), optional
        The weights of the training rows that it was fitted with. Test instances all count once.
    groups : array-like of shape (n_training,), optional
        The groups of the training rows that it was fitted with.
    measure : {"accuracy", "hamming_score", "exact_match", "example_f1"}, default="accuracy"
        The score, which is a mean over instances, so that the uncertainty of a difference is known. Labels of more
        than two values have the Hamming score and the exact match.
    edges : sequence of (parent, child), optional
        Those that are tried, as they stand in ``graph_.edges``; all by default.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`; called for each edge.

    Returns
    -------
    DataFrame
        A row for each edge, the largest gain first (ties: in the order of `edges`):

        - ``parent`` and ``child``, or the two ends, lower label first;
        - ``child_with`` and ``child_without``: the share of instances in which the child is right (both ends of an
          undirected edge: their mean);
        - ``child_gain``: their difference;
        - ``score_with`` and ``score_without``: the measure;
        - ``gain``: their difference, above 0 where the edge helps;
        - ``gain_error``: its standard error over instances, paired; NaN of a single instance;
        - ``p``: of a two-sided z-test that the gain is 0, for some 20 instances or more, corrected by Holm for the
          number of edges tried. It is the uncertainty that comes from the choice of test instances, not of training
          instances.

    Raises
    ------
    ValueError
        If the method has not one label graph or is not fitted, features or labels have not its shapes, weights are
        negative or all of zero, the measure or an edge is none of these, training labels have values that the method
        does not know, or no instance of the test set has only known ones.
    CancelledError
        When `cancelled` returns true.

    Examples
    --------
    What the first label is depends on the feature and on the second label, which does not depend on the feature.

    >>> from trellislib import ClassifierChain
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.standard_normal((300, 1)), rng.integers(2, size=(300, 1))
    >>> Y = np.hstack([X + y > 0.5, y])
    >>> chain = ClassifierChain(order=[1, 0]).fit(X[:200], Y[:200])
    >>> edge_effects(chain, X[:200], Y[:200], X[200:], Y[200:])[["parent", "child", "gain"]]
       parent  child  gain
    0       1      0  0.06
    """
    require_member(method)
    graph, coding = method.graph_, method.coding_
    offered = example_wise_measures(binary=coding.is_binary)
    if measure not in offered:
        raise ValueError(f"Got the measure {measure!r}, but expected one of {', '.join(offered)}.")
    chosen = _known_edges(graph, edges)
    X = method._validated(X)
    true = true_codes(Y, coding, X.shape[0])
    is_known = (true >= 0).all(axis=0)
    if not is_known.any():
        raise ValueError("Got no instance whose values all occur in training, but expected at least one.")
    blocks = list(method._blocks(X[is_known]))
    training = method.prepared(training_X, training_Y, sample_weight, groups)
    rounds = _rounds(graph, chosen)
    of_whole = max(map(len, rounds), default=1)  # fitting the whole graph takes as long as for any group
    total = of_whole + 2 * len(chosen)

    def report(done: int) -> None:
        if progress is not None:
            progress(done, total, "edges")

    def traces(graph: AnyLabelGraph, so_far: int, share: int) -> list[Trace]:
        """Fit a graph, which is a share of the whole work, and return what decides the test set by it."""
        fitted = training.fit(
            graph, progress=lambda done, of, what: report(so_far + share * done // of), cancelled=cancelled
        )
        return [method._trace(block, fitted) for block in blocks]

    whole = traces(graph, 0, of_whole)
    predicted = _codes(whole)
    columns = coding.indicators(predicted, range(coding.n_labels))
    is_greedy = isinstance(method.inference_, Greedy)
    comparison = _Comparison(measure, true[:, is_known], predicted)
    found: dict[Edge, dict[str, float]] = {}
    for group in rounds:
        so_far = of_whole + 2 * len(found)
        without = traces(_without(graph, group), so_far, len(group))
        for done, edge in enumerate(group, start=1):
            stop_if(cancelled)
            ends = list(_changed(graph, edge))
            stays = is_greedy and (_decided(ends, without, columns) == predicted[ends]).all()
            otherwise = predicted  # what is decided before the child is as it was
            if not stays:
                pairs = zip(whole, without, strict=True)
                otherwise = _codes(
                    replace(one, given=Replaced(one.given, other.given, ends, coding)) for one, other in pairs
                )
            found[edge] = comparison.with_codes(otherwise, ends)
            report(so_far + len(group) + done)
    table = pd.DataFrame([dict(zip(ENDS, edge, strict=True)) | found[edge] for edge in chosen], columns=COLUMNS)
    table = table.astype({name: int if name in ENDS else float for name in COLUMNS})  # also where there are none
    same = np.where(table["gain"] == 0, 0.0, np.inf)  # of rows that all gain alike
    z = (table["gain"].abs() / table["gain_error"]).where(table["gain_error"] > 0, same)
    table["p"] = holm(2 * norm.sf(z))
    return table.sort_values("gain", ascending=False, kind="stable", ignore_index=True)


def edge_name(one: str, other: str, *, is_directed: bool = True) -> str:
    """Return the name of an edge between two labels.

    Examples
    --------
    >>> edge_name("sky", "sea"), edge_name("sky", "sea", is_directed=False)
    ('sky → sea', 'sky ↔ sea')
    """
    return f"{one} {'→' if is_directed else '↔'} {other}"


def _known_edges(graph: AnyLabelGraph, edges: Sequence[Edge] | None) -> list[Edge]:
    if edges is None:
        return list(graph.edges)
    for one, other in edges:
        is_there = 0 <= other < graph.n_labels and one in graph.inputs[other]
        if not is_there or (one > other and not isinstance(graph, LabelGraph)):
            raise ValueError(f"Got the edge ({one}, {other}), but expected one of the graph's.")
    return list(dict.fromkeys((int(one), int(other)) for one, other in edges))


def _changed(graph: AnyLabelGraph, edge: Edge) -> Edge | tuple[int]:
    """Return the labels whose conditionals change without an edge."""
    return (edge[1],) if isinstance(graph, LabelGraph) else edge


def _rounds(graph: AnyLabelGraph, edges: Sequence[Edge]) -> list[list[Edge]]:
    """Put edges into groups, in each of which no conditional changes twice: a group takes one fit."""
    groups: list[list[Edge]] = []
    changed: list[set[int]] = []
    for edge in edges:
        ends = _changed(graph, edge)
        number = next((place for place, taken in enumerate(changed) if taken.isdisjoint(ends)), len(groups))
        if number == len(groups):
            groups.append([])
            changed.append(set())
        groups[number].append(edge)
        changed[number].update(ends)
    return groups


def _without(graph: AnyLabelGraph, edges: Sequence[Edge]) -> AnyLabelGraph:
    """Return a graph without some of its edges."""
    if not isinstance(graph, LabelGraph):
        return UndirectedLabelGraph.of_edges(graph.n_labels, set(graph.edges) - set(edges))
    parent_of = {child: parent for parent, child in edges}
    return LabelGraph(
        [[one for one in of if one != parent_of.get(label)] for label, of in enumerate(graph.parents)], graph.order
    )


def _codes(traces: Iterable[Trace]) -> np.ndarray:
    return np.hstack([trace.infer().codes for trace in traces])


def _decided(labels: Sequence[int], traces: Sequence[Trace], columns: np.ndarray) -> np.ndarray:
    """Return the most probable codes of some labels, given all others."""
    blocks = np.split(columns, np.cumsum([trace.n_instances for trace in traces])[:-1], axis=1)
    return np.hstack([trace.given.decide(labels, Z) for trace, Z in zip(traces, blocks, strict=True)])


class _Comparison:
    """Compares what is predicted with all edges with what is predicted without one."""

    def __init__(self, measure: str, true: np.ndarray, predicted: np.ndarray) -> None:
        self.measure, self.true, self.predicted = measure, true, predicted
        self.scores = per_instance_scores(measure, true.T, predicted.T)

    def with_codes(self, codes: np.ndarray, ends: list[int]) -> dict[str, float]:
        """Return the row of an edge between `ends`, from the codes that are predicted without it."""
        differs = (codes != self.predicted).any(axis=0)
        gains = np.zeros(len(self.scores))
        if differs.any():
            without = per_instance_scores(self.measure, self.true[:, differs].T, codes[:, differs].T)
            gains[differs] = self.scores[differs] - without
        child_with, child_without = ((of[ends] == self.true[ends]).mean() for of in (self.predicted, codes))
        return {
            "child_with": child_with,
            "child_without": child_without,
            "child_gain": child_with - child_without,
            "score_with": self.scores.mean(),
            "score_without": self.scores.mean() - gains.mean(),
            "gain": gains.mean(),
            "gain_error": gains.std(ddof=1) / np.sqrt(len(gains)) if len(gains) > 1 else np.nan,
        }
