"""Labels that are drawn two by two."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from trellislib.inference.pairs import Group, drawn_pairs, groups_of, matchings
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import UndirectedLabelGraph
from trellislib.learners import Given


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 9))
    pairs = [(one, other) for one in range(n) for other in range(one)]
    return UndirectedLabelGraph.of_edges(n, draw(st.lists(st.sampled_from(pairs), max_size=20)) if pairs else [])


@given(graphs())
def test_each_edge_is_in_one_set_and_no_set_has_a_label_twice(graph):
    found = matchings(graph)
    assert sorted(edge for of in found for edge in of) == sorted(graph.edges)
    for of in found:
        labels = [label for edge in of for label in edge]
        assert len(set(labels)) == len(labels) > 0
    most = max(map(len, graph.neighbours))
    assert len(found) <= max(2 * most - 1, 0)


@given(graphs())
def test_groups_have_each_label_once_and_no_neighbours_but_pairs(graph):
    for matching in matchings(graph) or [[]]:
        groups = groups_of(graph, matching)
        drawn = [label for of in groups for label in (*of.firsts, *of.seconds, *of.singles)]
        assert sorted(drawn) == list(range(graph.n_labels))
        assert {pair for of in groups for pair in zip(of.firsts, of.seconds, strict=True)} == set(matching)
        for of in groups:
            units = [*zip(of.firsts, of.seconds, strict=True), *((label,) for label in of.singles)]
            for unit in units:
                others = {label for other in units if other != unit for label in other}
                assert not others & {near for label in unit for near in graph.neighbours[label]}


class OfTable(Given):
    """Two labels with a joint distribution, (n_values, n_values)."""

    tiled = decide = None

    def __init__(self, joint, coding):
        self.joint, self.coding = joint, coding

    def probabilities(self, labels, Z):
        (label,) = labels
        other = self.coding.columns([1 - label])
        code = (np.arange(1, len(other) + 1) @ Z[other]).astype(int)
        of_value = (self.joint if label == 0 else self.joint.T)[:, code]
        return (of_value / of_value.sum(axis=0))[1:]


@pytest.mark.parametrize("shape", [(2, 2), (3, 4), (2, 3)])
def test_a_pair_is_drawn_from_its_joint_distribution(shape):
    rng = np.random.default_rng(0)
    joint = rng.random(shape) ** 3
    joint /= joint.sum()
    coding = LabelCoding([np.arange(n) for n in shape])
    n = 300
    u = (np.arange(n) + 0.5) / n
    grid = tuple(of.reshape(1, -1) for of in np.meshgrid(u, u))
    Z = np.zeros((coding.n_columns, n * n))
    first, second = drawn_pairs(OfTable(joint, coding), coding, Group((0,), (1,), ()), Z, grid)
    assert_allclose(first.probabilities, np.repeat(joint.sum(axis=1)[1:, None], n * n, axis=1), atol=1e-9)
    assert_allclose(second.probabilities, np.repeat(joint.sum(axis=0)[1:, None], n * n, axis=1), atol=1e-9)
    seen = np.zeros(shape)
    np.add.at(seen, (first.codes[0], second.codes[0]), 1 / n**2)
    assert_allclose(seen, joint, atol=2 / n)


@pytest.mark.parametrize("value", [0, 1])
def test_what_is_determined_for_certain_stays(value):
    coding = LabelCoding([np.arange(2)] * 2)
    half = np.full((1, 1), 0.5)
    Z = np.full((2, 1), float(value))
    drawn = drawn_pairs(OfTable(np.eye(2), coding), coding, Group((0,), (1,), ()), Z, (half, half))
    assert [of.codes.item() for of in drawn] == [value, value]
