from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib import (
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    EnsembleClassifierTrellises,
    Exhaustive,
    IndependentClassifiers,
    LabelPowerset,
)
from trellislib.data import simulate_label_dag
from trellislib.decisions import (
    AboveThreshold,
    AmongLabelSets,
    AsInferred,
    IndependentLabels,
    Joined,
    LabelSets,
    MostExpected,
    MostProbableValues,
    RankCut,
    rules,
)
from trellislib.labels.coding import LabelCoding
from trellislib.metrics import MEASURES

DATA = simulate_label_dag(n_instances=200, n_labels=5, delta=1.0, random_state=0)
VECTORS = np.array(list(product([0, 1], repeat=5))).T
METHODS = {
    "IC": IndependentClassifiers(),
    "CC": ClassifierChain(),
    "CT": ClassifierTrellis(random_state=0),
    "CDT": ClassifierDependencyTrellis(random_state=0),
    "ECT": EnsembleClassifierTrellises(n_estimators=3, random_state=0),
}


def distribution(method, rows=slice(0, 20)):
    X, Y = DATA.arrays()
    fitted = method.fit(X, Y)
    fitted.predict_proba(X[rows])  # learners without probabilities are calibrated
    return fitted._distribution(X[rows])


@cache
def scores_of_pairs(measure):
    score = MEASURES[measure].function
    return np.array([[score([true], [decided]) for true in VECTORS.T] for decided in VECTORS.T])


@pytest.mark.parametrize("measure", ["exact_match", "hamming_score", "accuracy", "example_f1"])
@pytest.mark.parametrize("key", METHODS)
def test_over_all_label_vectors_no_other_vector_has_a_higher_expected_score(key, measure):
    found = distribution(METHODS[key])
    weights = np.exp(found.log_probabilities(VECTORS))
    if key in ("IC", "CC", "CT", "ECT"):
        assert_allclose(weights.sum(axis=0), 1.0)  # of an undirected graph it is a pseudo-likelihood
    weights /= weights.sum(axis=0)
    expectation = scores_of_pairs(measure) @ weights
    chosen = AmongLabelSets(LabelSets(VECTORS), measure).decide(found)
    place = [int(np.flatnonzero((of_instance[:, None] == VECTORS).all(axis=0))[0]) for of_instance in chosen.T]
    assert_allclose(expectation[place, np.arange(20)], expectation.max(axis=0), atol=1e-6)


def test_a_chain_s_joint_is_that_of_exhaustive_inference():
    X, Y = DATA.arrays()
    exact = ClassifierChain(inference=Exhaustive()).fit(X, Y)
    found = exact._distribution(X[:30])
    assert_allclose(VECTORS @ np.exp(found.log_probabilities(VECTORS)), exact.predict_proba(X[:30]).T, atol=1e-12)
    mode = AmongLabelSets(LabelSets(VECTORS), "exact_match").decide(found)
    assert_array_equal(mode.T, exact.predict(X[:30]))


def test_a_label_powerset_gives_its_own_probabilities_to_the_sets_it_knows():
    X, Y = DATA.arrays()
    fitted = LabelPowerset().fit(X, Y)
    found = fitted._distribution(X[:10])
    p = np.exp(found.log_probabilities(VECTORS))
    assert_allclose(p.sum(axis=0), 1.0)
    assert_allclose(VECTORS @ p, fitted.predict_proba(X[:10]).T, atol=1e-12)
    known = {tuple(row) for row in np.asarray(Y).tolist()}
    assert p[[tuple(vector) not in known for vector in VECTORS.T.tolist()]].max() < 1e-300


def independent(*marginals):
    p = np.array(marginals).T
    return IndependentLabels(p, (p > 0.7).astype(int), LabelCoding([np.arange(2)] * len(p)))


def test_plain_rules():
    found = independent([0.6, 0.2, 0.5], [0.9, 0.9, 0.1])
    assert AsInferred().decide(found).T.tolist() == [[0, 0, 0], [1, 1, 0]]
    assert MostProbableValues().decide(found).T.tolist() == [[1, 0, 0], [1, 1, 0]]
    assert AboveThreshold(0.15).decide(found).T.tolist() == [[1, 1, 1], [1, 1, 0]]
    assert AboveThreshold(np.array([0.7, 0.1, 0.1])).decide(found).T.tolist() == [[0, 1, 1], [1, 1, 0]]
    # .6 / 1 x E(1 / (1 + others)) = .6 (.4 + .5 / 2 + .1 / 3) = .41; two labels: 1.1 (.8 / 2 + .2 / 3) = .51
    assert MostExpected("accuracy").decide(found).T.tolist() == [[1, 0, 1], [1, 1, 0]]


@pytest.mark.parametrize("k", [1, 2, 4])
def test_no_labels_have_a_higher_expected_precision_than_the_first_k(k):
    found = distribution(METHODS["CT"])
    decided = RankCut(k).decide(found)
    assert (decided.sum(axis=0) == k).all()
    marginals = found.marginals
    expected = [marginals[list(labels)].mean(axis=0) for labels in combinations(range(5), k)]
    assert_allclose((decided * marginals).sum(axis=0) / k, np.max(expected, axis=0))


def test_of_equally_probable_labels_the_first_are_taken():
    assert RankCut(2).decide(independent([0.5, 0.5, 0.5], [0.1, 0.2, 0.1])).T.tolist() == [[1, 1, 0], [1, 1, 0]]


def test_no_more_labels_are_taken_than_there_are():
    X, Y = DATA.arrays()
    with pytest.raises(ValueError, match="Got k=6, but expected 1 to 5"):
        IndependentClassifiers(decide=RankCut(6)).fit(X, Y)


def test_temper_and_power_by_hand():
    found = independent([0.5, 0.2])
    sets = np.array([[0, 1, 1], [0, 0, 1]])  # of probability .4, .4 and .1
    rule = AmongLabelSets(LabelSets(sets, np.array([1.0, 4.0, 64.0])), "exact_match", temper=0.5, power=0.5)
    expected = np.sqrt([0.4 * 1, 0.4 * 4, 0.1 * 64])
    assert_allclose(rule.probabilities(found)[:, 0], expected / expected.sum())
    assert rule.decide(found).T.tolist() == [[1, 1]]
    assert AmongLabelSets(LabelSets(sets), "exact_match").decide(found).T.tolist() == [[0, 0]]  # the first of a tie


def test_many_label_sets_are_cut_to_the_most_probable_ones(monkeypatch):
    found = distribution(METHODS["CT"])
    whole = AmongLabelSets(LabelSets(VECTORS), "accuracy").decide(found)
    monkeypatch.setattr(rules, "MOST_TABULATED", 10)
    for compared, at_once, agree in ((31, 2**22, 1.0), (31, 1, 1.0), (20, 2**22, 0.95)):
        monkeypatch.setattr(rules, "MOST_COMPARED", compared)
        monkeypatch.setattr(rules, "CELLS", at_once)
        assert (AmongLabelSets(LabelSets(VECTORS), "accuracy").decide(found) == whole).mean() >= agree


def test_labels_of_more_values():
    coding = LabelCoding([np.arange(3), np.arange(2)])
    p = np.array([[0.3], [0.5], [0.4]])  # .2, .3, .5 and .6, .4
    found = IndependentLabels(p, np.array([[0], [0]]), coding)
    vectors = np.indices((3, 2)).reshape(2, -1)
    assert_allclose(np.exp(found.log_probabilities(vectors))[:, 0], [0.12, 0.08, 0.18, 0.12, 0.3, 0.2])
    for measure in ("exact_match", "hamming_score"):
        assert AmongLabelSets(LabelSets(vectors), measure).decide(found).T.tolist() == [[2, 0]]


def test_joined_distributions_are_those_of_their_parts():
    one, two = independent([0.6, 0.2], [0.9, 0.9]), independent([0.1, 0.3])
    both = Joined([one, two])
    assert_array_equal(both.marginals, np.hstack([one.marginals, two.marginals]))
    assert both.codes.shape == (2, 3)
    vectors = np.array([[0, 1], [1, 1]])
    assert_array_equal(
        both.log_probabilities(vectors), np.hstack([part.log_probabilities(vectors) for part in (one, two)])
    )
