"""Answers for a score: their expectations, the best of all vectors, and what they reach."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib import ClassifierChain, ClassifierTrellis, Exhaustive, IndependentClassifiers, Logistic
from trellislib.data import packaged, simulate_label_dag, simulate_shapes
from trellislib.experiment import folds
from trellislib.metrics import MEASURES
from trellislib.studies.deciding import SCORES, Answers, best_answers

SHAPES = simulate_shapes(600, overlap=1.0, random_state=0)
SETS = np.array([[0, 0], [1, 0], [1, 1]])


@pytest.fixture(scope="module")
def answers():
    return best_answers(SHAPES, ClassifierChain(Logistic()))


def score(measure, truth, answer):
    """Return the score of one answer by its definition."""
    truth, answer = (set(np.flatnonzero(labels)) for labels in (truth, answer))
    both, either = len(truth & answer), len(truth | answer)
    return {
        "exact_match": float(truth == answer),
        "hamming_score": 1 - (either - both) / 3,
        "accuracy": both / either if either else 1.0,
        "example_f1": 2 * both / (len(truth) + len(answer)) if either else 1.0,
    }[measure]


def test_probabilities_are_those_of_the_chain(answers):
    train, test = next(iter(folds(SHAPES, 3, 0)))
    exact = ClassifierChain(Logistic(), inference=Exhaustive(maximize="marginals")).fit(
        SHAPES.X[train], SHAPES.Y[train]
    )
    assert_allclose(answers.probabilities.sum(axis=1), 1)
    assert_allclose(answers.marginals, exact.predict_proba(SHAPES.X[test]), atol=1e-12)
    assert_array_equal(answers.truth, SHAPES.Y[test])
    assert_array_equal(answers.decided["hamming_score"], exact.predict(SHAPES.X[test]))


@pytest.mark.parametrize("measure", SCORES)
def test_no_other_vector_has_a_higher_expected_score(answers, measure):
    vectors = np.array(list(product([0, 1], repeat=3)))
    assert_array_equal(answers.sets, vectors)
    for instance in range(0, 200, 7):
        p = answers.probabilities[instance]
        by_hand = [
            sum(share * score(measure, truth, answer) for share, truth in zip(p, vectors, strict=True))
            for answer in vectors
        ]
        assert_allclose(answers.expected(measure, instance, vectors), by_hand)
        decided = answers.decided[measure][instance]
        assert answers.expected(measure, instance, decided[None])[0] == pytest.approx(max(by_hand))


def test_expectations_and_scores_worked_through():
    """With .4, .35 and .25 for nothing, the first label and both: marginals are .6 and .25."""
    decided = {"exact_match": np.array([[0, 0]]), "hamming_score": np.array([[1, 0]])}
    answers = Answers(SETS, np.array([[0.4, 0.35, 0.25]]), decided, np.array([[1, 1]]))
    assert_allclose(answers.marginals, [[0.6, 0.25]])
    assert_allclose(answers.expected("exact_match", 0, SETS), [0.4, 0.35, 0.25])
    assert_allclose(answers.expected("hamming_score", 0, SETS), [0.575, 0.675, 0.425])
    assert_allclose(answers.expected("accuracy", 0, SETS), [0.4, 0.475, 0.425])
    assert answers.n_different.tolist() == [2]
    assert answers.reached.loc["exact_match"].to_list() == [0, 0, 0, 0]
    assert_allclose(answers.reached.loc["hamming_score"], [0, 0.5, 0.5, 2 / 3])


def test_what_is_reached_is_scored_on_the_rows_left_out(answers):
    for decided in SCORES:
        for measure in SCORES:
            found = MEASURES[measure].function(answers.truth, answers.decided[decided])
            assert answers.reached.loc[decided, measure] == found


def test_independent_labels_have_one_answer_for_exact_match_and_hamming_score():
    answers = best_answers(SHAPES, IndependentClassifiers(Logistic()))
    assert_array_equal(answers.decided["exact_match"], answers.decided["hamming_score"])


def test_of_many_labels_the_sets_seen_in_training_are_compared():
    data = packaged("yeast")
    answers = best_answers(data, ClassifierTrellis(Logistic(), random_state=0), seed=1)
    train, _ = next(iter(folds(data, 3, 1)))
    seen = set(map(tuple, data.Y[train].tolist()))
    assert set(map(tuple, answers.sets.tolist())) == seen
    assert {tuple(found) for key in ("exact_match", "accuracy") for found in answers.decided[key].tolist()} <= seen
    at = answers.probabilities.argmax(axis=1)
    assert_array_equal(answers.decided["exact_match"], answers.sets[at])


def test_the_method_is_not_changed():
    method = ClassifierChain(Logistic())
    best_answers(SHAPES, method)
    assert not hasattr(method, "graph_")


def test_labels_of_more_values_are_refused():
    with pytest.raises(ValueError, match=r"Got shapes.*more than two values, but expected two"):
        best_answers(simulate_shapes(90, n_values=3, random_state=0), ClassifierChain(Logistic()))


def test_one_label_is_answered_alike_for_all_scores():
    answers = best_answers(simulate_label_dag(120, 1, random_state=0), ClassifierChain(Logistic()))
    assert_array_equal(answers.decided["exact_match"], answers.decided["hamming_score"])
    assert answers.sets.tolist() == [[0], [1]]
