"""Chains in every order, and what label vectors show."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from trellislib import ClassifierChain, IndependentClassifiers
from trellislib.data import packaged, simulate_label_dag, simulate_shapes
from trellislib.experiment import folds
from trellislib.labels.label_sets import implication, label_correlations, pair_combinations, unseen_sets
from trellislib.studies.chain_orders import chain_orders

CODES = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 0], [2, 1, 0], [0, 0, 0]])


def handed_the_truth(order, X, Y, X_new, Y_new):
    """Return what a chain decides that is handed the true labels: each of its learners has them for features."""
    decided = np.empty(Y_new.shape, dtype=int)
    for place, label in enumerate(order):
        before = list(order[:place])
        learner = IndependentClassifiers().fit(np.hstack([X, Y[:, before]]), Y[:, [label]])
        decided[:, [label]] = learner.predict(np.hstack([X_new, Y_new[:, before]]))
    return decided


def test_every_order_has_the_scores_of_its_chain():
    data = simulate_shapes(120, overlap=0.7, random_state=0)
    scores = chain_orders(data, cv=3, seed=4)
    assert scores.index.to_list() == list(permutations(range(3)))
    for order, row in scores.iterrows():
        counts = {"after_error": [0, 0], "after_right": [0, 0]}
        right = np.zeros(3)
        exact = single = 0
        became = {"n_own": 0, "n_inherited": 0, "n_lucky": 0}
        for train, test in folds(data, 3, 4):
            chain = ClassifierChain(order=order).fit(data.X[train], data.Y[train])
            handed = handed_the_truth(order, data.X[train], data.Y[train], data.X[test], data.Y[test])
            for ours, truly, truth in zip(chain.predict(data.X[test]), handed, data.Y[test], strict=True):
                is_right = [bool(ours[label] == truth[label]) for label in order]
                for label, right_now in zip(order, is_right, strict=True):
                    would_be = bool(truly[label] == truth[label])
                    became["n_own"] += not right_now and not would_be
                    became["n_inherited"] += not right_now and would_be
                    became["n_lucky"] += right_now and not would_be
                exact, single, right = exact + all(is_right), single + sum(is_right), right + is_right
                for before, after in pairwise(is_right):
                    count = counts["after_right" if before else "after_error"]
                    count[0] += not after
                    count[1] += 1
        assert row["exact_match"] == pytest.approx(exact / 120)
        assert row["hamming_score"] == pytest.approx(single / 360)
        assert row[["right_1", "right_2", "right_3"]].to_list() == pytest.approx((right / 120).tolist())
        for name, (n_wrong, n) in counts.items():
            assert row[name] == pytest.approx(n_wrong / n)
        assert row[list(became)].to_dict() == became


def test_where_nothing_is_wrong_nothing_comes_after_an_error():
    scores = chain_orders(simulate_shapes(200, overlap=0.0, random_state=0), DecisionTreeClassifier(random_state=0))
    assert (scores["exact_match"] == 1).all()
    assert scores["after_error"].isna().all()
    assert (scores["after_right"] == 0).all()


@pytest.mark.parametrize("n_labels", [1, 6])
def test_too_few_and_too_many_labels_are_refused(n_labels):
    with pytest.raises(ValueError, match=rf"Got {n_labels} labels, .*expected .*2 .*5"):
        chain_orders(simulate_label_dag(n_instances=50, n_labels=n_labels, random_state=0))


def test_unseen_sets_of_real_labels_are_none():
    Y = packaged("yeast").Y
    assert not unseen_sets(Y, Y[::7]).any()
    assert unseen_sets(Y, np.ones((2, Y.shape[1]), dtype=int)).all()


def test_what_implies_what_is_counted():
    assert implication(CODES, 0, 1) == 2 / 3
    assert implication(CODES, 1, 0) == 2 / 3
    assert implication(CODES, 2, 0) == 1
    assert np.isnan(implication(CODES[4:], 0, 1))


def test_combinations_of_a_pair_are_counted():
    counts = pair_combinations({"truth": CODES, "IC": CODES[:2]}, 0, 1)
    assert counts.index.to_list() == [(1, 1), (1, 0), (0, 1), (0, 0)]
    assert counts["truth"].to_list() == [2, 1, 1, 1]
    assert counts["IC"].to_list() == [1, 1, 0, 0]


def test_correlations_are_those_of_the_four_counts():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (40, 4)) * rng.integers(0, 2, (40, 1))
    correlations = label_correlations(codes)
    for first, second in permutations(range(4), 2):
        both, one, other, neither = pair_combinations({"truth": codes}, first, second)["truth"]
        margins = (both + one) * (other + neither) * (both + other) * (one + neither)
        assert correlations[first, second] == pytest.approx((both * neither - one * other) / np.sqrt(margins))
    assert np.isnan(label_correlations(np.array([[1, 0], [1, 1]]))).sum() == 3
