from collections import Counter

import networkx as nx
import numpy as np
import pytest
from scipy.stats import chisquare

from trellislib.graphs.random import random_pairs, random_tree
from trellislib.labels.graph import UndirectedLabelGraph


def test_the_sixteen_trees_of_four_labels_are_equally_likely():
    rng = np.random.RandomState(0)
    seen = Counter(random_tree(4, random_state=rng).edges for _ in range(3200))
    assert len(seen) == 16
    assert chisquare(list(seen.values())).pvalue > 0.01


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4, 10, 57])
def test_a_tree_spans_all_labels(n_labels):
    for seed in range(5):
        graph = random_tree(n_labels, random_state=seed)
        assert graph.n_labels == n_labels
        assert nx.is_tree(graph.to_networkx())
        assert len(graph.colours) == min(n_labels, 2)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4, 11, 40])
def test_pairs_are_a_matching_that_leaves_out_at_most_one_label(n_labels):
    for seed in range(5):
        graph = random_pairs(n_labels, random_state=seed)
        assert graph.n_labels == n_labels
        assert nx.is_matching(graph.to_networkx(), set(graph.edges))
        assert len(graph.edges) == n_labels // 2


def test_pairs_are_equally_likely():
    rng = np.random.RandomState(0)
    seen = Counter(random_pairs(5, random_state=rng).edges for _ in range(3000))
    assert len(seen) == 15  # five labels to leave out, three ways to pair the other four
    assert chisquare(list(seen.values())).pvalue > 0.01


@pytest.mark.parametrize("make", [random_tree, random_pairs])
def test_a_seed_gives_the_same_graph(make):
    assert make(20, random_state=1) == make(20, random_state=1) == make(20, random_state=np.random.RandomState(1))
    assert make(20, random_state=1) != make(20, random_state=2)


@pytest.mark.parametrize("make", [random_tree, random_pairs])
def test_no_labels(make):
    assert make(0, random_state=0) == UndirectedLabelGraph([])
