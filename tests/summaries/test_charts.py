"""Sentences under charts: labels, growth, scores, ranks, edges."""

import numpy as np
import pandas as pd
import pytest

from trellislib.data import Dataset
from trellislib.labels.graph import LabelGraph
from trellislib.summaries import (
    about_average_ranks,
    about_edges,
    about_found,
    about_frequencies,
    about_front,
    about_growth,
    about_label_scores,
    about_labels_per_instance,
)
from trellislib.wording import listed


def statistics(Y):
    Y = np.asarray(Y)
    names = tuple("abcd"[: Y.shape[1]])
    return Dataset(np.zeros((len(Y), 1)), Y, ("x",), names, (("0", "1"),) * len(names), name="made").statistics()


@pytest.mark.parametrize(
    ("Y", "said"),
    [
        ([[1, 0, 1], [1, 0, 0], [1, 1, 0], [0, 0, 0]], "a is relevant in 75% of the instances, c in 25%."),
        ([[1], [0], [0], [0]], "a is relevant in 25% of the instances."),
        ([[1, 0], [0, 1]], "Each label is relevant in 50% of the instances."),
        ([[1, 0]] * 70 + [[1, 1]], "a is relevant in 100% of the instances, b in 1.4%."),
        ([[1, 0]] * 999 + [[0, 0]], "a is relevant in more than 99% of the instances, b in 0%."),
        ([[1, 0]] * 2999 + [[1, 1]], "a is relevant in 100% of the instances, b in less than 0.1%."),
    ],
)
def test_frequencies(Y, said):
    assert about_frequencies(statistics(Y)) == said


@pytest.mark.parametrize(
    ("Y", "said"),
    [
        ([[1, 0], [1, 0], [1, 1]], "Most often an instance has 1 label (67%); it has from 1 to 2."),
        (
            [[1, 1], [1, 1], [1, 1], [0, 0], [0, 0]],
            "Most often an instance has 2 labels (60%); it has from 0 to 2, and 2 instances have none.",
        ),
        ([[1, 0], [0, 1]], "Every instance has 1 label."),
        ([[0, 0], [0, 0]], "Every instance has 0 labels."),
    ],
)
def test_labels_per_instance(Y, said):
    assert about_labels_per_instance(statistics(Y)) == said


def test_labels_of_more_values_differ_from_their_first():
    of_both = statistics([[1, 0], [1, 0], [1, 1]])
    assert about_frequencies(of_both, is_multilabel=False) == (
        "a differs from its first value in 100% of the instances, b in 33%."
    )
    assert about_labels_per_instance(of_both, is_multilabel=False) == (
        "Most often an instance has 1 label not of its first value (67%); it has from 1 to 2."
    )


def growth(**seconds):
    """Return a table of growth: seconds at 10, 100 and 1,000 labels by method."""
    rows = [
        {"method": method, "base": "least squares", "variable": "L", "size": size, "train s": of, "predict s": 1.0}
        for method, of_method in seconds.items()
        for size, of in zip((10, 100, 1000), of_method, strict=False)
    ]
    other = {"method": "other", "base": "logistic", "variable": "L", "size": 10, "train s": 1.0, "predict s": 1.0}
    return pd.DataFrame([*rows, other, other | {"size": 100, "train s": 1e9}])


def test_growth_names_the_steepest_and_the_flattest():
    frame = growth(IC=(1, 10, 100), CC=(1, 100, 10_000), CT=(1, 1, 1))
    assert about_growth(frame) == (
        "With the number of labels, training grows fastest for CC (as L to the power 2.00) and slowest for CT (0.00)."
    )
    assert about_growth(growth(IC=(1, 10, 100))) == (
        "With the number of labels, training grows for IC as L to the power 1.00."
    )
    assert about_growth(growth(IC=(1, 10, 100), CC=(2, 20, 200))) == (
        "With the number of labels, training grows for IC and CC as L to the power 1.00."
    )
    falling = growth(IC=(1, 0.998, 0.996), CC=(1, 10, 100))
    assert about_growth(falling).endswith("and slowest for IC (0.00).")
    again = growth(IC=(1, 10)).assign(size=10)
    assert about_growth(again) == "With the number of labels, nothing was measured at two sizes."
    assert about_growth(frame, "N") == "With the number of instances, nothing was measured at two sizes."
    assert about_growth(growth(IC=(1,))) == "With the number of labels, nothing was measured at two sizes."


def series(**values):
    return pd.Series(values, dtype=float)


@pytest.mark.parametrize(
    ("scores", "seconds", "higher", "said"),
    [
        (
            {"IC": 0.5, "CC": 0.4, "CT": 0.6},
            {"IC": 1, "CC": 2, "CT": 1.5},
            True,
            "The dotted line joins IC and CT, which no other method beats in both: CT takes 1.5 times as long as IC.",
        ),
        (
            {"IC": 3.0, "CC": 2.0, "CT": 1.0},
            {"IC": 1, "CC": 2, "CT": 12},
            False,
            "The dotted line joins IC, CC and CT, which no other method beats in both: CT takes 12 times as long as "
            "IC.",
        ),
        ({"IC": 0.5, "CT": 0.6}, {"IC": 2, "CT": 1}, True, "CT beats every other method in both."),
        ({"IC": 0.6, "CT": 0.6}, {"IC": 2, "CT": 1}, True, "No other method is better than CT in either."),
        ({"IC": 0.5, "CT": 0.6}, {"IC": 1, "CT": 1}, True, "No other method is better than CT in either."),
        ({"IC": 0.6, "CT": 0.6}, {"IC": 1, "CT": 1}, True, "IC and CT are alike in both."),
        (
            {"IC": 0.6, "CT": 0.6, "CC": 0.5},
            {"IC": 1, "CT": 1, "CC": 2},
            True,
            "IC and CT beat every other method in both.",
        ),
        (
            {"IC": 0.5, "CT": 0.6},
            {"IC": 0, "CT": 1},
            True,
            "The dotted line joins IC and CT, which no other method beats in both.",
        ),
        ({"IC": 0.5, "CT": None}, {"IC": 2, "CT": 1}, True, "IC is the only method with a score and a time."),
        ({"IC": None}, {"IC": 2}, True, "No method has both a score and a time."),
    ],
)
def test_front(scores, seconds, higher, said):
    assert about_front(series(**scores), series(**seconds), higher) == said


def label_scores(**methods):
    index = pd.MultiIndex.from_product([methods, ["sky", "sea"]], names=["method", "label"])
    return pd.DataFrame({"auc": [value for of_method in methods.values() for value in of_method]}, index)


@pytest.mark.parametrize(
    ("methods", "said"),
    [
        (
            {"IC": (0.9, 0.2), "CT": (0.7, 0.8)},
            "IC and CT are each best in AUC on 1 of 2 labels; methods differ most on sea, from 0.200 (IC) to 0.800 "
            "(CT).",
        ),
        ({"IC": (0.9, 0.2), "CT": (0.9, 0.2)}, "All methods have the same AUC on every label."),
        ({"IC": (0.9, 0.2)}, "AUC of IC is from 0.200 (sea) to 0.900 (sky)."),
        ({"IC": (0.9, 0.9)}, "AUC of IC is 0.900 on every label."),
        ({"IC": (np.nan, 0.2)}, "AUC of IC is 0.200 on sea."),
        ({"IC": (np.nan, 0.2), "CT": (0.5, 0.4)}, "On sea, methods have AUC from 0.200 (IC) to 0.400 (CT)."),
        ({"IC": (np.nan, 0.2), "CT": (0.5, 0.2)}, "All methods have the same AUC on sea."),
        ({"IC": (np.nan, 0.2), "CT": (0.5, np.nan)}, "No label has AUC of all methods."),
    ],
)
def test_label_scores(methods, said):
    assert about_label_scores(label_scores(**methods), "auc", "AUC") == said


@pytest.mark.parametrize(
    ("ranks", "n_groups", "said"),
    [
        ({"IC": 2.0, "CT": 1.0}, 0, "go from 1.00 (CT) to 2.00 (IC); every two methods differ, so no bar joins any."),
        ({"IC": 1.6, "CT": 1.4}, 1, "(IC); the bar joins methods that the test does not tell apart."),
        ({"IC": 1.0}, 0, "IC is the only method, so there is nothing to rank."),
        ({"IC": 1.5, "CT": 1.5}, 1, "All average ranks are 1.50; the bar joins methods"),
    ],
)
def test_average_ranks(ranks, n_groups, said):
    assert said in about_average_ranks(series(**ranks), n_groups)


INFORMATION = np.array([[0.0, 0.3, 0.1], [0.3, 0.0, 0.0], [0.1, 0.0, 0.0]])
SIGNS = np.array([[1.0, -0.4, 0.2], [-0.4, 1.0, 0.0], [0.2, 0.0, 1.0]])
CHAIN = LabelGraph([[], [0], [1]], [0, 1, 2])


@pytest.mark.parametrize(
    ("graph", "information", "signs", "said"),
    [
        (
            CHAIN,
            INFORMATION,
            SIGNS,
            "2 edges, with 75% of the dependence between all pairs of labels; the strongest joins a and b, which "
            "exclude each other (0.3 nats).",
        ),
        (
            LabelGraph([[], [], [0]], [0, 1, 2]),
            INFORMATION,
            None,
            "1 edge, with 25% of the dependence between all pairs of labels; it joins a and c (0.1 nats).",
        ),
        (CHAIN, np.zeros((3, 3)), SIGNS, "2 edges, between labels that do not depend on each other."),
        (LabelGraph([[], [], []], [0, 1, 2]), INFORMATION, SIGNS, "No edges."),
    ],
)
def test_edges(graph, information, signs, said):
    assert about_edges(graph, "abc", information, signs) == said


def test_found_edges_count_whatever_their_direction():
    truth = LabelGraph([[], [0], [1], [2]], [0, 1, 2, 3])
    assert about_found(LabelGraph([[1], [2], [], [0]], [2, 1, 0, 3]), truth) == (
        "2 of 3 true edges are found, whatever their directions, and 1 that is not there."
    )
    assert about_found(truth, truth).endswith("and none that are not there.")


@pytest.mark.parametrize(
    ("found", "true", "said"),
    [
        ([(), (), (0,)], [(), (0,), (1,)], "None of 2 true edges is found, but 1 that is not there."),
        ([(), (), (0, 1)], [(), (0,), ()], "The one true edge is not found, but 2 that are not there."),
        ([(), (), ()], [(), (0,), ()], "The one true edge is not found."),
        ([(), (), (0,)], [(), (), ()], "There is no true edge to find, but 1 that is not there."),
        ([(), (), ()], [(), (), ()], "There is no true edge to find."),
    ],
)
def test_where_no_true_edge_is_found(found, true, said):
    assert about_found(LabelGraph(found), LabelGraph(true)) == said


@pytest.mark.parametrize(
    ("n", "said"), [(1, "a"), (2, "a and b"), (3, "a, b and c"), (4, "a, b, c and d"), (5, "a, b, c and 2 more")]
)
def test_names_in_a_row(n, said):
    assert listed(list("abcdef")[:n], most=4) == said
