from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from trellislib.inspection.shares import MOST_EXACT, shapley_shares


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
