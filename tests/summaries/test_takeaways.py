from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from trellislib.data import Dataset
from trellislib.data.dataset import PartiallyLabelled
from trellislib.dependence import overview, pair_counts, whole_or_rows
from trellislib.labels.graph import LabelGraph
from trellislib.metrics import MEASURES
from trellislib.summaries import (
    about_comparison,
    about_data,
    about_dependence,
    about_graphs,
    about_pair,
    about_starts,
    about_trellis,
    about_worth,
)


def dataset(Y, names=None, values=None):
    Y = np.asarray(Y)
    names = names or tuple("abcdefgh"[: Y.shape[1]])
    values = values or (("0", "1"),) * Y.shape[1]
    return Dataset(np.zeros((len(Y), 2)), Y, ("x", "z"), names, values, name="made")


def data_sentence(Y, **options):
    data = dataset(Y, **options)
    return about_data(data, data.statistics())


def dependence_sentence(Y, names=None):
    counts = pair_counts(np.asarray(Y))
    return about_dependence(names or "abcdefgh"[: np.shape(Y)[1]], overview(counts, whole_or_rows(counts)))


def summary(key="accuracy", **rows):
    """Return a summary of methods: (mean, std, seconds of training and, where given, their std)."""
    nothing = np.nan
    columns = {
        (key, "mean"): [row[0] for row in rows.values()],
        (key, "std"): [row[1] for row in rows.values()],
        ("train_seconds", "mean"): [row[2] for row in rows.values()],
        ("train_seconds", "std"): [row[3] if len(row) > 3 else nothing for row in rows.values()],
        ("test_seconds", "mean"): [0.0 if row[2] == row[2] else nothing for row in rows.values()],
        ("test_seconds", "std"): nothing,
    }
    return pd.DataFrame(columns, index=pd.Index(rows, name="method"))


ACCURACY, LOSS = MEASURES["accuracy"], MEASURES["ranking_loss"]
DNF = (np.nan, np.nan, np.nan)


# Data


def test_data():
    assert data_sentence([[1, 0], [1, 0], [1, 1], [0, 0]]) == (
        "made has 4 instances, 2 features and 2 labels; an instance has 1 of them on average, and b is 3 times rarer "
        "than a."
    )


def test_data_of_which_some_labels_are_unknown():
    incomplete = PartiallyLabelled(np.zeros((1, 2)), np.array([[1, 0]]), np.array([[True, False]]))
    data = replace(dataset([[1, 0], [0, 1]]), incomplete=incomplete)
    assert about_data(data, data.statistics()).startswith(
        "made has 2 instances (and 1 instance partially labelled), 2 features and 2 labels; "
    )


def test_data_with_one_label():
    assert data_sentence([[1], [0]]) == (
        "made has 2 instances, 2 features and 1 label; with a single label there is no dependence to see."
    )


def test_data_with_a_label_that_is_never_relevant():
    assert data_sentence([[1, 0], [0, 0]]).endswith(", and b is never relevant.")
    assert data_sentence([[0, 0], [0, 0]]).endswith("is never relevant.")


def test_data_with_equally_frequent_labels():
    assert data_sentence([[1, 0], [0, 1]]).endswith(", and all are equally frequent.")
    assert data_sentence([[1, 1], [1, 1]]).endswith(", and all are equally frequent.")


def test_data_with_labels_of_almost_equal_frequency_has_none_that_is_once_rarer():
    Y = np.ones((300, 2), dtype=int)
    Y[0, 1] = 0
    assert data_sentence(Y).endswith(", and all are about equally frequent.")


def test_data_of_more_than_two_values():
    said = data_sentence([[2, 0], [0, 1], [1, 0], [0, 0]], values=(("none", "few", "many"), ("0", "1")))

    assert "on average 0.75 of them differ from their first value" in said
    assert said.endswith("b is 2 times rarer than a.")


def test_data_of_more_values_with_a_label_that_never_varies():
    said = data_sentence([[2, 0], [1, 0]], values=(("none", "few", "many"), ("0", "1")))
    assert said.endswith("; on average 1 of them differ from their first value, and b never differs from it.")


def test_data_of_one_instance():
    assert data_sentence([[1, 0]]).startswith("made has 1 instance, ")


# Dependence


def exclusive(n=40):
    """Return three labels: a and b exclude each other, a and c co-occur."""
    a = np.arange(n) % 4 < 2
    return np.column_stack([a, ~a, a]).astype(int)


def test_dependence_counts_pairs_by_sign():
    assert dependence_sentence(exclusive()) == (
        "The strongest of 3 pairs, a and b, shares 0.69 nats; 3 pairs are dependent beyond chance (G-test at "
        "0.01, corrected for 3 pairs): 1 co-occur, 2 exclude each other."
    )


def test_no_dependence():
    every = np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T
    assert dependence_sentence(every) == "No dependence found: the 3 labels tell nothing about each other."


def test_constant_labels_have_no_dependence():
    constant = np.column_stack([np.zeros(8, dtype=int), np.ones(8, dtype=int)])
    assert dependence_sentence(constant) == "No dependence found: the 2 labels tell nothing about each other."


def test_a_constant_label_counts_among_no_dependent_pairs():
    Y = np.column_stack([exclusive(), np.zeros(40, dtype=int)])
    assert "; 3 pairs are dependent" in dependence_sentence(Y)


def test_dependence_of_two_labels_needs_no_correction():
    assert dependence_sentence(exclusive()[:, :2]).endswith(
        "; 1 pair is dependent beyond chance (G-test at 0.01): 0 co-occur, 1 exclude each other."
    )


def test_independent_labels_are_not_beyond_chance_however_many_there_are():
    Y = (np.random.default_rng(0).random((500, 100)) < 0.3).astype(int)
    assert "; no pair is dependent beyond chance (G-test at 0.01, corrected for 4,950 pairs)" in (
        dependence_sentence(Y, [f"l{label}" for label in range(100)])
    )


def test_weak_dependence_is_not_beyond_chance():
    Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1]])
    assert "no pair is dependent beyond chance" in dependence_sentence(Y)


def test_dependence_of_one_label():
    assert dependence_sentence(np.array([[0], [1]]), ["only"]) == (
        "only is the only label, so there is no dependence to see."
    )


def test_dependence_of_more_than_two_values_has_no_sign():
    a = np.arange(60) % 3
    assert dependence_sentence(np.column_stack([a, a, np.arange(60) % 2])) == (
        "The strongest of 3 pairs, a and b, shares 1.1 nats; 1 pair is dependent beyond chance (G-test at "
        "0.01, corrected for 3 pairs)."
    )


def test_one_dependent_pair_is_told_in_the_singular():
    a = np.arange(60) % 2
    said = dependence_sentence(np.column_stack([a, a, np.arange(60) // 30]))

    assert "1 pair depend " not in said
    assert "1 pair is dependent" in said


# A pair


@pytest.mark.parametrize(
    ("strength", "sign", "p", "said"),
    [
        (0.512, 1, 1e-9, "a and b co-occur (phi = 0.51)."),
        (-0.3, -1, 0.0, "a and b exclude each other (phi = -0.30)."),
        (0.25, 0, 0.001, "a and b depend on each other (Cramer's V = 0.25)."),
        (0.05, 1, 0.3, "a and b show no dependence beyond chance (p = 0.3)."),
        (0.0, 0, 1.0, "a and b show no dependence beyond chance (p = 1)."),
        (0.05, 1, 0.01, "a and b show no dependence beyond chance (p = 0.01)."),
    ],
)
def test_pair(strength, sign, p, said):
    assert about_pair(("a", "b"), strength, sign, p) == said


# Trellis


def test_trellis():
    random = np.array([1.0, 2.0, 3.0, 4.0])
    assert about_trellis(3.0, 4.0, random, 20) == (
        "This trellis captures 3 nats on 20 edges: 75% of what any placement could at most have, more than 2 of 4 "
        "random placements."
    )


def worth(**folds):
    """Return the clause on methods, by the accuracy of each in each fold."""
    return about_worth({method: pd.DataFrame({"accuracy": of}) for method, of in folds.items()}, ACCURACY)


def test_worth_of_a_trellis():
    ic, cc = [0.5, 0.4], [0.3, 0.5]

    assert worth(CT=[0.6, 0.5], IC=ic, CC=cc) == (
        "accuracy is 0.550, ahead of independent classifiers (0.450) in every fold and not clearly different from a "
        "chain (0.400; +0.150, ahead in 1 of 2 folds)"
    )
    assert worth(CT=[0.4, 0.3], IC=ic, CC=cc) == (
        "accuracy is 0.350, behind independent classifiers (0.450) in every fold and not clearly different from a "
        "chain (0.400; -0.050, ahead in 1 of 2 folds)"
    )
    assert worth(CT=[0.2, 0.6], IC=ic, CC=cc).startswith(
        "accuracy is 0.400, not clearly different from independent classifiers (0.450; -0.050, ahead in 1 of 2 folds)"
    )
    assert worth(CT=[0.2, 0.6], IC=ic, CC=cc).endswith(
        "not clearly different from a chain (0.400; the same on average, ahead in 1 of 2 folds)"
    )
    assert worth(CT=[0.4, 0.6], IC=ic, CC=cc).endswith("ahead of a chain (0.400) in every fold")
    assert worth(CT=cc, IC=ic, CC=cc).endswith("the same as a chain in every fold")
    assert worth(CT=ic, IC=ic) == "accuracy is 0.450, the same as independent classifiers in every fold"


def test_worth_of_labels_with_more_values():
    folds = pd.DataFrame({"hamming_score": [0.5, 0.7]})
    said = about_worth({"CT": folds + 0.1, "IC": folds}, MEASURES["hamming_score"])

    assert said == "Hamming score is 0.700, ahead of independent classifiers (0.600) in every fold"


def test_what_a_trellis_is_worth_ends_its_sentence():
    random = np.array([1.0, 2.0, 3.0, 4.0])
    assert about_trellis(3.0, 4.0, random, 20, worth="with it all is well").endswith(
        "more than 2 of 4 random placements; with it all is well."
    )
    assert about_trellis(0.0, 0.0, random, 3, worth="with it all is well").endswith(
        "weigh nothing; with it all is well."
    )


def test_trellis_without_dependence():
    assert about_trellis(0.0, 0.0, np.zeros(4), 3) == (
        "There is no dependence to capture: the 3 edges of this lattice weigh nothing."
    )
    assert "1 edge of" in about_trellis(0.0, 0.0, np.zeros(4), 1)


def test_trellis_without_edges_is_not_blamed_on_the_labels():
    """A lattice with no edges, as a custom pattern without parents makes it."""
    said = about_trellis(0.0, 0.0, np.zeros(4), 0)

    assert "the 0 edges" not in said


def test_trellis_that_every_placement_equals():
    """Two labels: every placement captures the same, so none is beaten, and the sentence does not sound like a loss."""
    said = about_trellis(0.5, 0.5, np.full(200, 0.5), 1)

    assert said.endswith("100% of what any placement could at most have, no more than random placements.")


@pytest.mark.parametrize(
    ("random", "said"),
    [
        ([1.0], "at most have, more than the random placement."),
        ([1.0, 2.0], "at most have, more than all 2 random placements."),
        ([], "at most have."),
    ],
)
def test_how_many_random_placements_there_are(random, said):
    assert about_trellis(3.0, 4.0, np.array(random), 20).endswith(said)


def test_captures_of_thousands_and_near_the_bound():
    assert about_trellis(12345.0, 12346.0, np.array([1.0]), 1200).startswith(
        "This trellis captures 12,345 nats on 1,200 edges: more than 99% of what "
    )


# Comparison


def test_comparison():
    rows = summary(IC=(0.5, 0.01, 1.0), CC=(0.6, 0.02, 4.0), CT=(0.55, 0.02, 2.0))
    assert about_comparison(rows, ACCURACY) == (
        "CC is best in accuracy with 0.600, 0.050 ahead of CT; it takes 4.0 times the time of IC, the fastest."
    )


def test_comparison_of_a_loss():
    rows = summary("ranking_loss", IC=(0.5, 0.01, 1.0), CC=(0.3, 0.02, 4.0))
    assert about_comparison(rows, LOSS).startswith(
        "CC is best in ranking loss with 0.300, 0.200 ahead of IC; it takes 4.0 times"
    )


def test_methods_within_the_spread_are_named_with_the_fastest_of_them():
    rows = summary(IC=(0.4, 0.01, 0.1), CC=(0.505, 0.02, 45.7), CT=(0.5, 0.01, 1.0), ECC=(0.49, 0.01, 9.0))
    assert about_comparison(rows, ACCURACY) == (
        "CC is best in accuracy with 0.505, but CT and ECC are within its spread over folds; it takes "
        "46 times the time of CT, the fastest of these."
    )
    alone = summary(IC=(0.5, 0.01, 908.0), CC=(0.505, 0.02, 1.0))
    assert about_comparison(alone, ACCURACY) == (
        "CC is best in accuracy with 0.505, but IC is within its spread over folds; CC is also the fastest of these."
    )
    dear = summary(A=(0.5, 0.1, 1.0), B=(0.51, 0.1, 1.0), C=(0.52, 0.1, 1.0), D=(0.53, 0.1, 1.0), E=(0.54, 0.1, 908.0))
    assert about_comparison(dear, ACCURACY).endswith(
        "but D, C and 2 more are within its spread over folds; it takes 910 times the time of D, the fastest of these."
    )


def test_one_split_has_no_spread():
    rows = summary(IC=(0.5, np.nan, 1.0), CC=(0.505, np.nan, 0.5))
    assert about_comparison(rows, ACCURACY) == (
        "CC is best in accuracy with 0.505, 0.005 ahead of IC; CC is also the fastest."
    )


def test_single_method():
    assert about_comparison(summary(IC=(0.5, 0.1, 1.0)), ACCURACY) == "IC reaches 0.500 in accuracy."


def test_what_did_not_finish_does_not_win():
    """Case B50: a method without a mean is no part of the comparison."""
    rows = summary(IC=(0.6, 0.01, 1.0), ECC=(0.62, 0.01, 2.0), CT=DNF)
    assert about_comparison(rows, ACCURACY).startswith("ECC is best in accuracy with 0.620, 0.020 ahead of IC")
    assert about_comparison(summary(IC=(0.6, 0.01, 1.0), CT=DNF), ACCURACY) == ("IC reaches 0.600 in accuracy.")


def test_nothing_finished():
    assert about_comparison(summary(IC=DNF, CT=DNF), ACCURACY) == (
        "No method finished all folds, so there is no accuracy to compare."
    )


def test_a_tie_has_no_winner():
    said = about_comparison(summary(IC=(0.5, 0.01, 1.0), CC=(0.5, 0.01, 4.0)), ACCURACY)

    assert "0.000 ahead" not in said
    assert "IC" in said
    assert "CC" in said


def test_all_that_tie_are_named():
    rows = summary(A=(0.5, 0.01, 1.0), B=(0.5, 0.01, 1.0), C=(0.5, 0.01, 1.0), D=(0.4, 0.01, 1.0))
    assert about_comparison(rows, ACCURACY) == "A, B and C are equally good in accuracy: 0.500."


def test_a_time_of_nothing_has_no_ratio():
    assert about_comparison(summary(IC=(0.5, 0.01, 0.0), CT=(0.6, 0.01, 1.0)), ACCURACY).endswith(
        "; it takes longer than IC, the fastest."
    )


def test_times_that_hardly_differ_are_about_the_same_without_a_spread():
    assert about_comparison(summary(IC=(0.5, np.nan, 1.0), CT=(0.6, np.nan, 1.01)), ACCURACY).endswith(
        "; it takes about the time of IC, the fastest."
    )


def test_a_price_within_the_spread_of_the_times_is_not_named():
    rows = summary(IC=(0.5, 0.01, 1.0, 0.1), CT=(0.6, 0.02, 1.3, 0.4))
    assert about_comparison(rows, ACCURACY).endswith("it takes about the time of IC, the fastest.")
    rows = summary(IC=(0.5, 0.01, 1.0, 0.1), CT=(0.6, 0.02, 1.3, 0.2))
    assert about_comparison(rows, ACCURACY).endswith("it takes 1.3 times the time of IC, the fastest.")


def test_climbing_from_several_seeds():
    assert about_starts(np.array([0.5, 0.2, 0.9]), np.array([0.1, 0.3, 0.4])) == (
        "Hill climbing from 3 seeds captures 0.2 to 0.9 nats (most with seed 2); "
        "2 of them beat the median random placement, 0.3."
    )
    assert "(most with seed 0 and 1 other); " in about_starts(np.array([0.9, 0.2, 0.9 + 1e-15]), np.array([0.1]))
    assert about_starts(np.array([0.5]), np.array([0.5, 0.5])) == (
        "Hill climbing from 1 seed captures 0.5 nats; it does not beat the median random placement, 0.5."
    )
    assert about_starts(np.array([0.1 + 0.2, 0.3]), np.array([0.3])) == (
        "Hill climbing from 2 seeds captures 0.3 nats; none of them beats the median random placement, 0.3."
    )


def graphs_sentence(one, other):
    information = np.array([[0, 3, 1], [3, 0, 2], [1, 2, 0]])
    return about_graphs({"FS": LabelGraph(one), "LEAD": LabelGraph(other)}, "abc", information)


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        (
            [(), (0,), (1,)],
            [(1,), (2,), ()],
            "FS has 2 edges and LEAD 2: the same pairs of labels, a and b most strongly.",
        ),
        (
            [(), (0,), (1,)],
            [(), (), (1,)],
            "FS has 2 edges and LEAD 1; both join 1 of 2 pairs, b and c.",
        ),
        ([(), (0,), ()], [(), (), (0,)], "FS has 1 edge and LEAD 1; no pair of labels is in both."),
        ([(), (0,), ()], [(), (0,), ()], "FS has 1 edge and LEAD 1: the same pair of labels, a and b."),
        ([(), (), ()], [(), (), ()], "FS and LEAD have no edges."),
    ],
)
def test_about_graphs(one, other, sentence):
    assert graphs_sentence(one, other) == sentence


def test_captures_are_told_in_the_unit_of_what_guides():
    random = np.array([1.0, 2.0])

    assert "captures 3 units of co-occurrence on 4 edges" in about_trellis(
        3.0, 4.0, random, 4, "units of co-occurrence"
    )
    assert "captures 1 to 2 units of co-occurrence" in about_starts(random, random, "units of co-occurrence")


def test_a_lead_that_cannot_be_shown_is_not_called_zero():
    rows = summary(IC=(0.5, np.nan, 1.0), CT=(0.5001, np.nan, 1.0))

    assert "less than 0.001 ahead of IC" in about_comparison(rows, MEASURES["accuracy"])
