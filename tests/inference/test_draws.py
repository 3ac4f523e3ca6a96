"""Random numbers of each row's own."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from scipy.stats import kstest

from trellislib.inference.draws import Draws

rng = np.random.default_rng(0)
X = rng.standard_normal((40, 7)) * (rng.random((40, 7)) < 0.6)


def test_they_are_those_of_splitmix64():
    """Term by term in Python's integers: the key's numbers, one for each step of the counter."""
    found = Draws(X[:3], seed=9)

    def mixed(z):
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    for turn, labels in ((0, [0, 3]), (5, [2])):
        for row, key in enumerate(found.keys.tolist()):
            places = [(turn << 32) + label + 1 for label in labels]
            by_hand = [(mixed((key + place * 0x9E3779B97F4A7C15) % 2**64) >> 11) / 2**53 for place in places]
            assert found.uniforms(turn, labels)[:, row].tolist() == by_hand


def test_the_first_numbers_of_a_published_seed():
    """Of the seed 1234567, as SplitMix64's authors and many libraries' tests have them."""
    draws = Draws(X[:1])
    draws.__dict__["keys"] = np.array([1234567], dtype=np.uint64)
    published = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]
    assert draws.uniforms(0, range(4))[:, 0].tolist() == [(number >> 11) / 2**53 for number in published]


@pytest.mark.parametrize("form", [sparse.csr_array, np.asfortranarray, lambda X: X.astype(object).astype(float)])
def test_a_row_has_its_numbers_wherever_it_stands_and_in_any_form(form):
    whole = Draws(X, 4).uniforms(1, range(5))
    order = rng.permutation(40)[:11]
    assert_array_equal(Draws(form(X)[order], 4).uniforms(1, range(5)), whole[:, order])
    assert_array_equal(Draws(form(X[[7]]), 4).uniforms(1, [2]), whole[[2]][:, [7]])


def test_what_is_the_same_row():
    entries = (np.array([1.0, 1.0, 0.0, 3.0]), np.array([2, 2, 0, 1]), np.array([0, 4]))
    doubled = sparse.csr_array(entries, shape=(1, 4))  # a cell in two parts, and a stored 0
    assert_array_equal(Draws(doubled).keys, Draws(np.array([[-0.0, 3.0, 2.0, 0.0]])).keys)
    assert_array_equal(Draws(np.array([[1, 2]])).keys, Draws(np.array([[1.0, 2.0]], dtype=np.float32)).keys)
    assert doubled.nnz == 4, "what was given stays as it is"
    gap = np.array([[np.nan, 1.0]])
    assert_array_equal(Draws(gap).keys, Draws(gap.copy()).keys)


def test_other_rows_seeds_turns_and_labels_have_other_numbers():
    small = np.array(np.meshgrid(*[[0.0, 1.0, 2.0]] * 6)).reshape(6, -1).T  # 729 rows, permutations among them
    keys = np.concatenate([Draws(small, seed).keys for seed in range(5)])
    assert len(np.unique(keys)) == 5 * 729
    numbers = np.concatenate([Draws(small[:50], 1).uniforms(turn, range(6)) for turn in range(9)])
    assert len(np.unique(numbers)) == 50 * 9 * 6


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_they_are_uniform_and_do_not_go_together(seed):
    draws = Draws(np.arange(400.0)[:, None], seed)
    u = np.array([draws.uniforms(turn, range(4)) for turn in range(5)])  # (turns, labels, rows)
    assert u.min() >= 0
    assert u.max() < 1
    assert kstest(u.ravel(), "uniform").pvalue > 1e-3
    together = np.corrcoef(u.reshape(20, 400))[np.triu_indices(20, 1)]
    assert np.abs(together).max() < 4.5 / 20  # of 190 pairs, over 400 rows
