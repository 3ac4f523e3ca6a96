"""Communities of labels."""

import networkx as nx
import numpy as np
import pytest

from trellislib.dependence import InformationRows, PhiRows, information_of_counts, pair_counts, phi_coefficients
from trellislib.graphs import label_communities


def blocks(*sizes, inside=0.5, outside=0.01):
    of = np.repeat(np.arange(len(sizes)), sizes)
    information = np.where(of[:, None] == of, inside, outside)
    np.fill_diagonal(information, 9.0)
    return information


def test_blocks_are_found_the_largest_first():
    assert label_communities(blocks(2, 4, 3)).tolist() == [2, 2, 0, 0, 0, 0, 1, 1, 1]


def test_of_equals_that_with_the_lowest_label_comes_first():
    information = blocks(3, 3)[np.ix_([3, 0, 4, 1, 5, 2], [3, 0, 4, 1, 5, 2])]

    assert label_communities(information).tolist() == [0, 1, 0, 1, 0, 1]


def test_labels_that_exclude_each_other_are_in_no_community():
    information, signs = np.zeros((4, 4)), np.zeros((4, 4))
    for one, other, nats, sign in [(0, 1, 0.9, -1), (0, 2, 0.1, 1), (1, 3, 0.1, 1)]:
        information[[one, other], [other, one]], signs[[one, other], [other, one]] = nats, sign

    assert label_communities(information).tolist() == [0, 0, 0, 0]
    assert label_communities(information, signs).tolist() == [0, 1, 0, 1]
    assert label_communities(information, -np.ones((4, 4))).tolist() == [-1] * 4


@pytest.mark.parametrize("n", [0, 1, 5])
def test_without_dependence_every_label_is_alone(n):
    assert label_communities(np.zeros((n, n))).tolist() == [-1] * n


def test_they_are_those_of_networkx_where_all_pairs_are_strong_enough():
    rng = np.random.default_rng(3)
    upper = np.triu(rng.random((7, 7)) ** 3, k=1)
    information = upper + upper.T
    drawing = nx.from_numpy_array(information)
    expected = nx.community.greedy_modularity_communities(drawing, weight="weight")
    found = label_communities(information)

    assert {frozenset(np.flatnonzero(found == number).tolist()) for number in set(found.tolist())} == set(expected)


def test_rows_that_are_found_where_they_are_asked_for():
    counts = pair_counts((np.random.default_rng(0).random((80, 40)) < 0.15).astype(int))
    whole = label_communities(information_of_counts(counts), phi_coefficients(counts))
    assert whole.max() > 0
    np.testing.assert_array_equal(label_communities(InformationRows(counts), PhiRows(counts)), whole)
