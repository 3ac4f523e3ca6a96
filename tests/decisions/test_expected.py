from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from trellislib.decisions import expected, most_expected_accuracy, most_expected_f1
from trellislib.decisions.expected import accuracy_between, most_expected_f1_of_sets
from trellislib.metrics import accuracy, example_f1

SCORES = {"accuracy": accuracy, "f1": example_f1}
INDEPENDENT = {"accuracy": most_expected_accuracy, "f1": most_expected_f1}


def every_vector(n_labels):
    return np.array(list(product([0, 1], repeat=n_labels)))


def expectations(vectors, weights, score):
    """Return the expected score of each vector (rows) for each instance, one pair at a time."""
    pairs = np.array([[score([true], [found]) for true in vectors] for found in vectors])
    return pairs @ weights


def value_of(chosen, vectors, expectation):
    place = [int(np.flatnonzero((vectors == of_instance).all(axis=1))[0]) for of_instance in chosen.T]
    return expectation[place, np.arange(len(place))]


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("n_labels", [1, 2, 3, 6])
def test_no_label_vector_has_a_higher_expectation_where_labels_are_independent(score, n_labels):
    p = np.random.default_rng(n_labels).random((n_labels, 30)) ** 3
    vectors = every_vector(n_labels)
    weights = np.prod(np.where(vectors[:, :, None] == 1, p, 1 - p), axis=1)
    expectation = expectations(vectors, weights, SCORES[score])
    chosen = INDEPENDENT[score](p)
    assert_allclose(value_of(chosen, vectors, expectation), expectation.max(axis=0), atol=1e-12)
    assert chosen.sum(axis=0).min() == 0  # the empty set is among the best ones


@pytest.mark.parametrize("score", SCORES)
def test_many_labels_in_blocks_of_instances(score, monkeypatch):
    p = np.random.default_rng(0).random((12, 50)) ** 2
    whole = INDEPENDENT[score](p)
    monkeypatch.setattr(expected, "CELLS", 40)
    assert_array_equal(INDEPENDENT[score](p), whole)
    monkeypatch.setattr(expected, "MOST_PREDICTED", 10)  # whose 2 least probable labels count by their expected number
    assert (INDEPENDENT[score](p) == whole).mean() > 0.98
    assert INDEPENDENT[score](p[:, :0]).shape == (12, 0)


def test_f1_of_weighted_sets_has_the_highest_expectation_of_all_label_vectors():
    rng = np.random.default_rng(1)
    vectors = every_vector(5)
    for seen in (rng.permutation(32)[:9], [0, 1, 2, 31], [31]):
        weights = rng.dirichlet(np.full(len(seen), 0.5), size=40).T
        everywhere = np.zeros((32, 40))
        everywhere[seen] = weights
        expectation = expectations(vectors, everywhere, example_f1)
        chosen = most_expected_f1_of_sets(weights, vectors[seen].T)
        assert_allclose(value_of(chosen, vectors, expectation), expectation.max(axis=0), atol=1e-12)


def test_accuracy_between_sets_is_that_of_each_pair():
    vectors = every_vector(4)
    expected = [[accuracy([one], [other]) for one in vectors] for other in vectors]
    assert_allclose(accuracy_between(vectors), expected)
    assert_allclose(accuracy_between(np.stack([vectors, vectors[::-1]]))[1], np.array(expected)[::-1, ::-1])
