"""Marginal against conditional dependence, drawn."""

import numpy as np
import pytest

from trellislib.figures import conditional_figure, dependence_matrices, drawn_pairs
from trellislib.figures.conditional import DECADES, DRAWN_PAIRS
from trellislib.figures.style import CO_OCCURRENCE, EXCLUSION, NEITHER


def symmetric(*cells):
    """Return the matrix of three labels with these values of the pairs (0, 1), (0, 2) and (1, 2)."""
    matrix = np.zeros((3, 3))
    matrix[[0, 0, 1], [1, 2, 2]] = cells
    return matrix + matrix.T


MARGINAL, CONDITIONAL = symmetric(0.5, 0.1, 0.0), symmetric(0.4, 0.0, 0.2)


def test_a_point_for_each_pair():
    figure = conditional_figure(MARGINAL, CONDITIONAL, ["a", "b<", "c"])
    diagonal, points = figure.data

    assert points.customdata == ([0, 1], [1, 2], [0, 2])
    least = 0.5 / 10**DECADES
    assert list(points.x) == [0.5, least, 0.1], "what there is none of stands at the border"
    assert list(points.y) == [0.4, 0.2, least]
    assert all(part in points.hovertext[2] for part in ("a and c", "0.1 nats", "features 0"))
    assert points.hovertext[0].startswith("a and b&lt;")
    assert tuple(diagonal.x) == tuple(diagonal.y)
    assert diagonal.x[0] <= least
    assert diagonal.x[1] >= 0.5
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert axis.type == "log"
        assert axis.range[0] < np.log10(least)
        assert axis.range[1] > np.log10(0.5)


def test_signs_have_a_colour_and_a_shape():
    points = conditional_figure(MARGINAL, CONDITIONAL, "abc", signs=symmetric(1.0, 0.0, -1.0)).data[1]

    assert points.marker.color == (CO_OCCURRENCE, EXCLUSION, NEITHER)
    assert len(set(points.marker.symbol)) == 3
    assert "they exclude" in points.hovertext[1]


def test_the_selected_pair_is_marked():
    ring = conditional_figure(MARGINAL, CONDITIONAL, "abc", selected=(0, 2)).data[-1]

    assert (ring.x, ring.y) == ((0.1,), (0.5 / 10**DECADES,))
    assert ring.marker.symbol == "circle-open"


@pytest.mark.parametrize("n", [1, 2])
def test_labels_without_dependence_are_drawn(n):
    zero = np.zeros((n, n))
    points = conditional_figure(zero, zero, "ab"[:n]).data[1]

    assert len(points.x) == n * (n - 1) // 2
    assert all(np.isfinite(points.x))


def test_of_many_pairs_the_strongest_of_either_are_drawn():
    rng = np.random.default_rng(0)
    n = 80
    marginal, conditional = (np.triu(rng.random((n, n)) ** 4, k=1) for _ in range(2))
    marginal, conditional = marginal + marginal.T, conditional + conditional.T
    pairs = drawn_pairs(marginal, conditional)
    larger = np.maximum(marginal, conditional)
    of_all = np.sort(larger[np.triu_indices(n, k=1)])[::-1]

    assert (
        len(pairs)
        == len(conditional_figure(marginal, conditional, [str(j) for j in range(n)]).data[1].x)
        == DRAWN_PAIRS
    )
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert larger[tuple(pairs.T)].tolist() == of_all[:DRAWN_PAIRS].tolist()


def test_two_matrices_have_one_order_and_one_scale():
    order = np.array([2, 0, 1])
    entropies = np.diag([9.0, 9.0, 9.0])
    one, other = dependence_matrices(MARGINAL + entropies, CONDITIONAL, ["a", "b", "c"], order, selected=(0, 1))

    assert one.data[0].zmax == other.data[0].zmax == 0.5, "the diagonal has no part in it"
    assert one.data[0].zmin == other.data[0].zmin == 0
    assert one.layout.xaxis.ticktext == other.layout.xaxis.ticktext == ("c", "a", "b")
    np.testing.assert_allclose(other.data[0].z[0][1:], CONDITIONAL[2, [0, 1]], rtol=1e-6)
    assert len(one.layout.shapes) == len(other.layout.shapes) == 2


def test_of_equal_pairs_those_of_lower_labels_come_first():
    ties = np.random.default_rng(1).integers(0, 3, (9, 9)).astype(float)
    marginal, conditional = np.triu(ties, 1) + np.triu(ties, 1).T, np.zeros((9, 9))
    pairs = [(one, other) for one in range(9) for other in range(one + 1, 9)]
    expected = sorted(pairs, key=lambda pair: -marginal[pair])
    assert list(map(tuple, drawn_pairs(marginal, conditional, 20).tolist())) == expected[:20]
