"""Where labels are drawn by a rule."""

import numpy as np
import pytest

from trellislib import figures, graphs
from trellislib.graphs import Trellis, lattice_positions, ring_positions


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_a_ring_has_places_that_are_as_far_from_the_middle(n):
    places = ring_positions(n)
    assert places.shape == (n, 2)
    np.testing.assert_allclose(np.hypot(*(places - 0.5).T), 0.5)
    assert len({tuple(place) for place in places.round(6)}) == n


def test_a_lattice_fills_the_square_with_a_short_last_row():
    placed = Trellis([4, 0, 3, 1, 2], 3, [(0, -1)])
    assert lattice_positions(placed).tolist() == [[0.5, 1], [0, 0], [0.5, 0], [1, 1], [0, 1]]


def test_a_single_row_is_at_the_top():
    assert lattice_positions(Trellis([1, 0], 4, [(0, -1)])).tolist() == [[1, 1], [0, 1]]


def test_figures_offer_them_too():
    assert figures.ring_positions is graphs.ring_positions
    assert figures.lattice_positions is graphs.lattice_positions
