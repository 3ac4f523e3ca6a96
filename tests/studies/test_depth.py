"""Gains from depth and from label dependence."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from trellislib import ClassifierChain, IndependentClassifiers, StackedIndependentClassifiers
from trellislib.data import simulate_lamps
from trellislib.studies.depth import answers_of_depth, depth_comparison, gains_of_depth


@pytest.fixture(scope="module")
def table():
    return depth_comparison(5, 500, dependences=[0, 0.5, 1], seed=3)


def test_scores_are_those_of_methods_on_new_rows(table):
    data = simulate_lamps(1000, dependence=0.5, random_state=4)
    methods = (IndependentClassifiers(), StackedIndependentClassifiers(), ClassifierChain())
    rows = table[(table["dependence"] == 0.5) & (table["draw"] == 4)]
    for method, row in zip(methods, rows.itertuples(), strict=True):
        is_right = method.fit(data.X[:500], data.Y[:500]).predict(data.X[500:]) == data.Y[500:]
        assert (row.exact_match, row.hamming_score) == pytest.approx((is_right.all(axis=1).mean(), is_right.mean()))
    assert rows["method"].to_list() == ["IC", "Stacked", "CC"]
    assert len(table) == 3 * 5 * 3


def test_depth_gains_without_dependence_and_dependence_gains_more_the_stronger_it_is(table):
    gains = [gains_of_depth(table, dependence) for dependence in (0, 0.5, 1)]
    assert all(depth.is_clear and depth.mean > 0.05 for depth, _ in gains)
    none, half, whole = (by_dependence for _, by_dependence in gains)
    assert abs(none.mean) < 0.02
    assert not none.is_clear
    assert half.is_clear
    assert none.mean + 0.03 < half.mean < whole.mean - 0.03


def test_label_by_label_dependence_gains_nothing(table):
    for dependence in (0, 0.5, 1):
        depth, by_dependence = gains_of_depth(table, dependence, "hamming_score")
        assert depth.mean > 0.05
        assert by_dependence.mean < 0.005


def test_gains_worked_through():
    scores = {"IC": [0.1, 0.2, 0.3], "Stacked": [0.2, 0.4, 0.6], "CC": [0.2, 0.5, 0.5]}
    rows = [(0.5, draw, name, of[draw]) for name, of in scores.items() for draw in range(3)]
    depth, by_dependence = gains_of_depth(
        pd.DataFrame(rows, columns=["dependence", "draw", "method", "exact_match"]), 0.5
    )
    assert (depth.mean, depth.error) == pytest.approx((0.2, 0.1 / np.sqrt(3)))
    assert depth.p == pytest.approx(ttest_rel(scores["Stacked"], scores["IC"]).pvalue)
    assert (by_dependence.mean, by_dependence.p) == pytest.approx((0, 1))
    assert not by_dependence.is_clear


def test_what_cannot_be_compared_is_refused(table):
    with pytest.raises(ValueError, match=r"Got dependence=0.3, .*expected one of 0, 0.5, 1"):
        gains_of_depth(table, 0.3)
    with pytest.raises(ValueError, match=r"Got n_train=60, .*expected fewer than the 60 rows"):
        answers_of_depth(simulate_lamps(60, random_state=0), 60)
    with pytest.raises(ValueError, match="Got n_draws=0"):
        depth_comparison(0)


def shuffled_parents(data, n_train, rng, *, keep_features):
    """Predict by a chain whose parents' values are permuted over training rows: all, or those of the same lamps."""
    (X, new), Y = np.split(data.X, [n_train]), data.Y[:n_train]
    lit = (X > 0) @ [1, 2] if keep_features else np.zeros(n_train)
    parents, found = Y.copy(), np.zeros((len(new), data.n_labels))
    for rows in (np.flatnonzero(lit == kind) for kind in np.unique(lit)):
        parents[rows] = Y[rng.permutation(rows)]
    for label in range(data.n_labels):
        method = IndependentClassifiers().fit(np.hstack([X, parents[:, :label]]), Y[:, [label]])
        found[:, label] = method.predict(np.hstack([new, found[:, :label]]))[:, 0]
    return found


@pytest.mark.parametrize("dependence", [0, 1])
def test_shuffled_parents_gain_what_stacked_classifiers_gain_if_they_still_fit_the_features(table, dependence):
    """Such parents depend on the features alone. Shuffled over all rows, they depend on nothing."""
    exact = {True: [], False: []}
    rng = np.random.default_rng(0)
    for draw in range(3, 8):
        data = simulate_lamps(1000, dependence=dependence, random_state=draw)
        for keep_features, of_draws in exact.items():
            found = shuffled_parents(data, 500, rng, keep_features=keep_features)
            of_draws.append((found == data.Y[500:]).all(axis=1).mean())
    means = table[table["dependence"] == dependence].groupby("method")["exact_match"].mean()
    assert np.mean(exact[True]) == pytest.approx(means["Stacked"], abs=0.03)
    assert np.mean(exact[False]) == pytest.approx(means["IC"], abs=0.08)
    assert np.mean(exact[False]) < np.mean(exact[True]) < means["CC"] + 0.01
