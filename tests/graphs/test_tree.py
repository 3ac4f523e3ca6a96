import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from trellislib.dependence import information_of_counts, p_values, pair_counts
from trellislib.graphs import mutual_information_tree
from trellislib.graphs.tree import prim

FIVE = np.array(
    [
        [0, 3, 1, 1, 0],
        [3, 0, 2, 1, 4],
        [1, 2, 0, 6, 2],
        [1, 1, 6, 0, 0],
        [0, 4, 2, 0, 0],
    ]
)


@st.composite
def informations(draw, max_labels=9):
    n_labels = draw(st.integers(1, max_labels))
    upper = np.triu(draw(arrays(np.int64, (n_labels, n_labels), elements=st.integers(0, 6))), 1)
    return upper + upper.T


def test_a_tree_by_hand():
    # From 0: 1 (3), 4 by 1 (4), then 2: its ties, 2 by 1 and by 4, go to the one reached first; 3 by 2 (6).
    assert prim(FIVE, 0) == ([0, 1, 4, 2, 3], [0, 0, 1, 2, 1])
    tree = mutual_information_tree(FIVE, root=0)
    assert tree.parents == ((), (0,), (1,), (2,), (1,))
    assert tree.order == (0, 1, 4, 2, 3)
    assert mutual_information_tree(FIVE, root=3).parents == ((1,), (2,), (3,), (), (1,))


@settings(deadline=None)
@given(informations(), st.data())
def test_no_tree_has_more_information(information, data):
    n_labels = len(information)
    root = data.draw(st.integers(0, n_labels - 1))
    tree = mutual_information_tree(information, root)
    best = nx.maximum_spanning_tree(nx.from_numpy_array(information + 1 - np.eye(n_labels, dtype=int)))
    found = sum(information[edge] + 1 for edge in tree.edges)
    assert found == best.size(weight="weight")
    assert tree.order[0] == root
    assert tree.parents[root] == ()
    assert all(len(parents) == 1 for label, parents in enumerate(tree.parents) if label != root)


def test_edges_that_are_not_significant_are_left_out():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 400))
    Y = np.column_stack([a, a ^ (rng.random(400) < 0.2), b, b ^ (rng.random(400) < 0.2)])
    counts = pair_counts(Y)
    information = information_of_counts(counts)
    forest = mutual_information_tree(information, 0, p_values=p_values(counts, information), level=1e-6)
    assert {frozenset(edge) for edge in forest.edges} == {frozenset({0, 1}), frozenset({2, 3})}
    assert len(mutual_information_tree(information, 0).edges) == 3


def test_a_seed_gives_the_root():
    roots = [mutual_information_tree(FIVE, random_state=seed).order[0] for seed in range(30)]
    assert roots == [mutual_information_tree(FIVE, random_state=seed).order[0] for seed in range(30)]
    assert set(roots) == set(range(5))


def test_one_label_and_none():
    assert mutual_information_tree(np.ones((1, 1))).parents == ((),)
    assert mutual_information_tree(np.ones((0, 0))).parents == ()


def test_wrong_arguments():
    with pytest.raises(ValueError, match=r"Got information .*shape \(2, 3\)"):
        mutual_information_tree(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="not symmetric"):
        mutual_information_tree(np.array([[0, 1], [0, 0]]))
    for root in (5, -1, 1.0, True):
        with pytest.raises(ValueError, match=r"expected .*5 labels"):
            mutual_information_tree(FIVE, root)
