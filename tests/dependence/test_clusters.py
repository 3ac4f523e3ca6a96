import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sentences import holds

from trellislib.dependence import (
    LabelTree,
    clusters_table,
    default_clusters,
    label_tree,
    mutual_information,
    shared_entropy,
)

# Two communities, {0, 2} and {1, 3, 4}: 3 and 4 join at .6, 0 and 2 at .5, 1 with 3 and 4 at (.4 + .2) / 2.
SIMILAR = np.array(
    [
        [1.0, 0.1, 0.5, 0.0, 0.0],
        [0.1, 1.0, 0.1, 0.4, 0.2],
        [0.5, 0.1, 1.0, 0.0, 0.0],
        [0.0, 0.4, 0.0, 1.0, 0.6],
        [0.0, 0.2, 0.0, 0.6, 1.0],
    ]
)


def sets(clusters):
    return sorted(sorted(labels.tolist()) for labels in clusters)


def random_similarity(n, seed, digits=6):
    upper = np.triu(np.random.default_rng(seed).random((n, n)).round(digits), k=1)
    return upper + upper.T


def test_tree_by_hand():
    tree = label_tree(SIMILAR)

    assert_allclose(tree.levels, [0.6, 0.5, 0.3, (0.1 + 0.1) / 6])
    assert sets(tree.cut(5)) == [[0], [1], [2], [3], [4]]
    assert sets(tree.cut(4)) == [[0], [1], [2], [3, 4]]
    assert sets(tree.cut(2)) == [[0, 2], [1, 3, 4]]
    assert sets(tree.cut(1)) == [[0, 1, 2, 3, 4]]


def test_nodes_are_the_last_merges_of_the_clusters():
    tree = label_tree(SIMILAR)
    of = {frozenset(labels.tolist()): node for labels, node in zip(tree.cut(3), tree.nodes(3), strict=True)}

    assert of == {frozenset({3, 4}): 5, frozenset({0, 2}): 6, frozenset({1}): 1}
    assert tree.nodes(1) == (8,)
    assert tree.nodes(5) == tuple(tree.order)
    with pytest.raises(ValueError, match=r"n_clusters=6, .*5 labels"):
        tree.nodes(6)


def test_a_tree_is_shared_and_cannot_be_changed():
    tree, merges = label_tree(SIMILAR), np.zeros((0, 4))

    for array in (tree.merges, tree.order, tree.levels):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    LabelTree(merges, np.arange(1), 0.0)
    assert merges.flags.writeable, "what is given stays as it is"
    assert tree != label_tree(SIMILAR)
    assert tree in {tree}


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 12), st.integers(0, 1000), st.integers(0, 6), st.data())
def test_a_cut_gives_as_many_clusters_side_by_side(n, seed, digits, data):
    """Whatever the ties, and with few digits there are many."""
    tree = label_tree(random_similarity(n, seed, digits))
    n_clusters = data.draw(st.integers(1, n))
    clusters = tree.cut(n_clusters)

    assert len(clusters) == n_clusters
    assert np.concatenate(clusters).tolist() == tree.order.tolist()
    assert (np.diff(tree.levels) <= 1e-9).all()


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 12), st.integers(0, 1000), st.data())
def test_a_cut_is_scipys(n, seed, data):
    similarity = random_similarity(n, seed)
    n_clusters = data.draw(st.integers(1, n))
    distance = squareform(similarity.max() - similarity, checks=False)
    of_label = fcluster(linkage(distance, "average"), n_clusters, "maxclust")

    assert sets(label_tree(similarity).cut(n_clusters)) == sorted(
        np.flatnonzero(of_label == number).tolist() for number in np.unique(of_label)
    )


def test_more_clusters_than_labels_are_refused():
    with pytest.raises(ValueError, match=r"n_clusters=6, .*5 labels"):
        label_tree(SIMILAR).cut(6)


def test_a_rare_label_that_follows_a_frequent_one_shares_its_entropy():
    """The frequent label is not known from the rare one, but the rare one's whole entropy is shared with its twin."""
    rare = np.repeat([1, 0], [2, 98])
    frequent = np.repeat([1, 0], [50, 50])
    share = shared_entropy(mutual_information(np.column_stack([rare, rare, frequent, 0 * rare])))

    assert share[0, 1] == pytest.approx(1.0)
    entropy = -(0.02 * np.log(0.02) + 0.98 * np.log(0.98))
    both = 0.02 * np.log(0.02 / 0.01) + 0.48 * np.log(0.48 / 0.49) + 0.5 * np.log(0.5 / 0.49)
    assert share[0, 2] == pytest.approx(both / entropy)
    assert (share[3] == 0).all()


def test_table_of_clusters():
    table = clusters_table([np.array([3, 4, 1]), np.array([0])], SIMILAR, ["a", "b", "c", "d", "e"])

    assert table.index.tolist() == [1, 2]
    assert table.loc[1].to_dict() == {
        "size": 3,
        "labels": "d, e, b",
        "mean dependence": pytest.approx((0.6 + 0.4 + 0.2) / 3),
        "strongest pair": "d and e",
        "dependence": 0.6,
    }
    assert table.loc[2, ["size", "labels", "strongest pair"]].tolist() == [1, "a", ""]
    assert np.isnan(table.loc[2, "mean dependence"])


def test_the_closest_clusters_come_first_and_single_labels_last():
    table = clusters_table([np.array([0]), np.array([1, 2]), np.array([3, 4])], SIMILAR, ["a", "b", "c", "d", "e"])
    means = table["mean dependence"]

    assert table.index.tolist() == [3, 2, 1]
    assert means.iloc[:2].tolist() == [0.6, 0.1]
    assert np.isnan(means.iloc[2])


def test_a_large_cluster_names_its_first_labels():
    n = 7
    (named,) = clusters_table([np.arange(n)], random_similarity(n, 0), "abcdefg")["labels"]

    holds(named, "a, b, c, d", "3 more")


@pytest.mark.parametrize(("n_labels", "n_clusters"), [(1, 1), (2, 1), (3, 1), (14, 7), (983, 491)])
def test_default_number(n_labels, n_clusters):
    assert default_clusters(n_labels) == n_clusters
