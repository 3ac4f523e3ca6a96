import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from trellislib.decisions import (
    AboveThreshold,
    AmongLabelSets,
    IndependentLabels,
    MostFrequentNearby,
    choice,
    chosen_decision,
    deciding_measure,
)
from trellislib.decisions.choice import f1_thresholds
from trellislib.labels.coding import LabelCoding
from trellislib.learners.training_set import TrainingSet
from trellislib.metrics import MEASURES, macro_f1

BINARY = LabelCoding([np.arange(2)] * 3)


def held_out(Y, marginals):
    training_set = TrainingSet(np.zeros((len(Y), 1)), Y, BINARY)
    found = IndependentLabels(marginals, BINARY.decide(marginals, range(3)), BINARY)
    return training_set, np.arange(len(Y)), found


def test_scores_are_those_of_the_rules_on_the_held_out_rows():
    rng = np.random.default_rng(0)
    Y = (rng.random((300, 3)) < [0.1, 0.3, 0.5]).astype(int)
    training_set, rows, found = held_out(Y, np.clip(0.3 * Y.T + 0.4 * rng.random((3, 300)), 0, 1))
    for measure in ("accuracy", "exact_match", "hamming_score", "example_f1", "micro_f1", "macro_f1"):
        decision = chosen_decision(measure, training_set, rows, found)
        best = max(decision.scores.values())
        assert decision.scores[decision.rule.name] == best
        if not isinstance(decision.rule, AmongLabelSets):  # there a row does not count for its own label set
            assert_allclose(MEASURES[measure].function(Y, decision.decide(found, training_set.X).T), best)
        assert decision.scores["each label's most probable value"] == pytest.approx(
            MEASURES[measure].function(Y, (found.marginals.T > 0.5).astype(int))
        )


def test_a_threshold_is_found_where_probabilities_are_too_low():
    Y = np.random.default_rng(1).integers(0, 2, (100, 3))
    decision = chosen_decision("micro_f1", *held_out(Y, np.where(Y.T == 1, 0.3, 0.1)))
    assert isinstance(decision.rule, AboveThreshold)
    assert 0.1 <= decision.rule.threshold < 0.3
    assert decision.scores[decision.rule.name] == 1.0


def test_a_weight_of_two_counts_a_label_set_twice(monkeypatch):
    monkeypatch.setattr(choice, "POWERS", (1.0,))  # alone the frequencies tell label sets apart
    Y = np.array([[0, 0, 1], [0, 0, 1], [1, 1, 0], [0, 0, 0]])
    decisions = []
    for training_set in (
        TrainingSet(np.zeros((4, 1)), Y, BINARY, np.array([3.0, 3.0, 2.0, 1.0])),
        TrainingSet(np.zeros((9, 1)), Y[[0, 0, 0, 1, 1, 1, 2, 2, 3]], BINARY),
    ):
        found = IndependentLabels(np.full((3, 1), 0.5), np.zeros((3, 1), dtype=int), BINARY)
        decisions.append(chosen_decision("exact_match", training_set, np.array([0]), found))
    first, second = (decision.decide(found, np.zeros((1, 1))).T.tolist() for decision in decisions)
    assert first == second == [[0, 0, 1]]


@pytest.mark.parametrize("measure", ["accuracy", "example_f1"])
def test_rules_are_compared_by_the_rows_that_weigh_most(measure):
    Y = np.repeat([[1, 1, 1], [0, 0, 0]], 10, axis=0)
    marginals = np.repeat([0.3, 0.35], 10) * np.ones((3, 1))  # no threshold is right for both halves
    for weight, expected in ((np.repeat([9.0, 1.0], 10), 1), (np.repeat([1.0, 9.0], 10), 0)):
        training_set, rows, found = held_out(Y, marginals)
        weighted = TrainingSet(training_set.X, Y, BINARY, weight)
        decision = chosen_decision(measure, weighted, rows, found)
        assert (decision.decide(found, weighted.X)[:, :10] == expected).all()


def test_a_row_does_not_count_for_its_own_label_set():
    Y = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]])  # each label set once, and no feature tells which
    decision = chosen_decision("exact_match", *held_out(Y, np.full((3, 4), 0.4)))
    assert decision.scores["highest expected score over the label sets seen in training"] == 0.0


def test_seen_label_sets_win_where_labels_exclude_each_other():
    rng = np.random.default_rng(2)
    Y = np.eye(3, dtype=int)[rng.integers(0, 3, 200)]
    marginals = np.clip(0.1 + 0.25 * Y.T + 0.1 * rng.random((3, 200)), 0, 1)  # all below one half
    decision = chosen_decision("accuracy", *held_out(Y, marginals))
    assert decision.scores[decision.rule.name] > 0.95
    assert decision.scores["each label's most probable value"] == 0.0


def test_thresholds_of_f1_equal_a_search_over_all_cuts():
    rng = np.random.default_rng(3)
    p, relevant = (0.1 + 0.9 * rng.random((4, 60))).round(1), rng.integers(0, 2, (4, 60))
    relevant[3] = 0
    thresholds = f1_thresholds(p, relevant)
    assert thresholds[3] == 0.5
    copies = rng.integers(1, 4, 60)
    weighted = f1_thresholds(p, relevant, copies.astype(float))
    assert_allclose(weighted, f1_thresholds(p.repeat(copies, axis=1), relevant.repeat(copies, axis=1)))
    for of_label, truth, threshold in zip(p[:3], relevant[:3], thresholds[:3], strict=True):
        cuts = np.concatenate([[-1.0], np.unique(of_label)])
        best = max(macro_f1(truth[:, None], (of_label > cut).astype(int)[:, None]) for cut in cuts)
        assert macro_f1(truth[:, None], (of_label > threshold).astype(int)[:, None]) == pytest.approx(best)


def test_names_of_scores():
    assert deciding_measure("f1", BINARY) == "example_f1"
    assert deciding_measure("hamming", BINARY) == "hamming_score"
    with pytest.raises(ValueError, match=r"'ranking_loss'.*expected one of.*'accuracy'"):
        deciding_measure("ranking_loss", BINARY)
    of_three = LabelCoding([np.arange(3)] * 2)
    assert deciding_measure("exact_match", of_three) == "exact_match"
    with pytest.raises(ValueError, match=r"'accuracy'.*more than two values"):
        deciding_measure("accuracy", of_three)


def test_of_too_many_label_sets_the_most_frequent_are_compared(monkeypatch):
    monkeypatch.setattr(choice, "MOST_VECTORS", 1)
    monkeypatch.setattr(choice, "MOST_SETS", 2)
    Y = np.array([[0, 1, 1]] + [[1, 1, 0]] * 5 + [[0, 0, 1]] * 4)
    first = Y[:, 0] == 1  # no threshold gives the second label and not the third
    marginals = np.array([np.where(first, 0.8, 0.2), np.where(first, 0.3, 0.1), np.full(len(Y), 0.4)])
    decision = chosen_decision("exact_match", *held_out(Y, marginals))
    assert isinstance(decision.rule, AmongLabelSets)
    assert sorted(decision.rule.sets.vectors.T.tolist()) == [[0, 0, 1], [1, 1, 0]]


def test_sets_of_near_rows_win_where_rows_of_the_same_features_have_the_same_set():
    rng = np.random.default_rng(4)
    X, of_place = np.eye(40), rng.integers(0, 2, (40, 8))
    place = rng.permutation(np.repeat(np.arange(40), 3))
    coding = LabelCoding([np.arange(2)] * 8)
    training_set = TrainingSet(X[place], of_place[place], coding)
    marginals = np.full((8, 120), 0.3)
    found = IndependentLabels(marginals, np.zeros((8, 120), dtype=int), coding)
    decision = chosen_decision("exact_match", training_set, np.arange(120), found)
    assert decision.rule.nearby is not None
    assert decision.scores[decision.rule.name] == 1.0
    new = IndependentLabels(marginals[:, :40], np.zeros((8, 40), dtype=int), coding)
    assert decision.decide(new, X + 1e-4).T.tolist() == of_place.tolist()


def test_for_the_exact_match_the_sets_of_near_rows_are_all_looked_at(monkeypatch):
    monkeypatch.setattr(choice, "MOST_SETS", 2)
    X, of_place = np.eye(20), np.array([[int(bit) for bit in f"{number:05b}"] for number in range(20)])
    place = np.repeat(np.arange(20), 2)
    coding = LabelCoding([np.arange(2)] * 5)
    found = IndependentLabels(np.full((5, 40), 0.3), np.zeros((5, 40), dtype=int), coding)
    for form in (np.asarray, sparse.csr_array):
        training_set = TrainingSet(X[place], form(of_place[place]), coding)
        decision = chosen_decision("exact_match", training_set, np.arange(40), found)
        assert isinstance(decision.rule, MostFrequentNearby)
        assert decision.scores[decision.rule.name] == 1.0
        assert decision.decide(found, X[place]).T.tolist() == of_place[place].tolist()
        with pytest.raises(ValueError, match="at"):
            decision.rule.decide(found)


def test_a_set_that_is_compared_for_the_row_alone_is_no_candidate_for_it(monkeypatch):
    monkeypatch.setattr(choice, "MOST_SETS", 3)
    Y = np.array([[0, 0, 1]] * 2 + [[0, 1, 0]] * 2 + [[1, 0, 0]] * 3 + [[1, 1, 1], [1, 1, 0]])
    decision = chosen_decision("exact_match", *held_out(Y, np.where(Y.T == 1, 0.45, 0.1)))
    name = "highest expected score over the label sets seen in training"
    assert decision.scores[name] == pytest.approx(3 / 9)  # without a row, a set of two is as rare as those left out
