from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.tree import DecisionTreeClassifier

from trellislib import ClassifierChain, LeastSquares, PerLabel
from trellislib.inspection import prediction_path
from trellislib.inspection.shares import CLIP, MOST_EXACT, log_odds, shapley_shares

LAST = 20.72326583  # log-odds of a probability of 1 - 1e-9


def test_exact_shares_are_means_over_all_orders():
    table = np.random.default_rng(0).standard_normal(8)

    def value(subsets):
        return table[subsets @ [1, 2, 4]]

    expected = np.zeros(3)
    for order in permutations(range(3)):
        subset = np.zeros((1, 3), dtype=bool)
        for player in order:
            before = value(subset)[0]
            subset[0, player] = True
            expected[player] += (value(subset)[0] - before) / 6
    none, shares = shapley_shares(value, 3)
    assert none == table[0]
    assert_allclose(shares, expected, atol=1e-12)


@pytest.mark.parametrize("n_players", [0, 1, MOST_EXACT, MOST_EXACT + 5])
def test_shares_add_up(n_players):
    weights = np.linspace(-1, 1, n_players)

    def value(subsets):
        return np.tanh(2 + subsets @ weights + subsets.sum(axis=1) ** 2 / 10)

    none, shares = shapley_shares(value, n_players)
    everybody, nobody = value(np.array([[True] * n_players, [False] * n_players]).reshape(2, n_players))
    assert none == nobody
    assert_allclose(shares.sum(), everybody - nobody, atol=1e-12)


rng = np.random.default_rng(1)
X = rng.standard_normal((90, 2))
Y = (X @ rng.standard_normal((2, 4)) + rng.standard_normal((90, 4)) > 0).astype(int)
Y[:, 3] = (Y[:, 0] & Y[:, 1]) ^ (rng.random(90) < 0.1)  # two inputs that count only together


def test_shares_of_least_squares_are_weight_times_value():
    chain = ClassifierChain(LeastSquares(), order=[0, 1, 2, 3]).fit(X, Y)
    # By ridge regression on all features and parents, whose score of 0.5 is even odds: log-odds = slope (2 score - 1).
    columns = np.column_stack([X, Y[:, :3]])
    centred = columns - columns.mean(axis=0)
    weights = np.linalg.solve(centred.T @ centred + np.eye(5), centred.T @ (Y[:, 3] - Y[:, 3].mean()))
    intercept = Y[:, 3].mean() - columns.mean(axis=0) @ weights
    slope = chain.conditionals_.slopes[3]
    for values in ((1, 1, 1), (1, 0, 1), (0, 0, 0)):
        step = prediction_path(chain, X[[5]], set_to=dict(enumerate(values))).of(3)
        assert_allclose(step.from_inputs, 2 * slope * weights[2:] * values, rtol=1e-6, atol=1e-9)
        assert_allclose(step.from_features, slope * (2 * (intercept + X[5] @ weights[:2]) - 1), rtol=1e-6)


def test_shares_of_a_tree_are_means_over_all_orders():
    tree = PerLabel(DecisionTreeClassifier(max_depth=5, min_samples_leaf=4, random_state=0))
    chain = ClassifierChain(tree, order=[0, 1, 2, 3]).fit(X, Y)
    fitted = DecisionTreeClassifier(max_depth=5, min_samples_leaf=4, random_state=0)
    fitted.fit(np.column_stack([X, Y[:, :3]]), Y[:, 3])
    n_together = 0
    for row in range(6):

        def value(known, row=row):
            p = fitted.predict_proba(np.concatenate([X[row], [float(one in known) for one in range(3)]])[None])[0, 1]
            p = min(max(p, CLIP), 1 - CLIP)
            return np.log(p / (1 - p))

        expected = np.zeros(3)
        for order in permutations(range(3)):
            for place, player in enumerate(order):
                expected[player] += (value(order[: place + 1]) - value(order[:place])) / 6
        step = prediction_path(chain, X[[row]], set_to={0: 1, 1: 1, 2: 1}).of(3)
        assert_allclose(step.from_features, value(()), atol=1e-9)
        assert_allclose(step.from_inputs, expected, atol=1e-9)
        alone = [value((player,)) - value(()) for player in range(3)]
        n_together += not np.allclose(expected, alone, atol=1e-3)
    assert n_together  # in some rows an input adds otherwise than alone, as none does to a linear score


def test_log_odds_are_finite():
    assert_allclose(log_odds(np.array([0.0, 0.5, 1.0])), [-LAST, 0, LAST], rtol=1e-6)
