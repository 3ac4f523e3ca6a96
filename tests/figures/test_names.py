"""On which side of its point a name stands."""

from itertools import combinations

import numpy as np
import pytest

from trellislib.figures.names import HALF_POINT, NARROW, SIDES, sides_of_names
from trellislib.figures.style import LETTER, TEXT


def box(name: str, point: np.ndarray, side: str) -> tuple[np.ndarray, np.ndarray]:
    """Return two corners of a name."""
    half = np.array([LETTER * len(name), TEXT]) / 2
    middle = point + np.array(SIDES[side][1:]) * (half + HALF_POINT)
    return middle - half, middle + half


@pytest.mark.parametrize("seed", range(5))
def test_names_with_room_run_into_none(seed):
    random = np.random.default_rng(seed)
    grid = np.array([(x, y) for x in range(4) for y in range(5)]) / (4, 5) + 0.125
    positions = grid + random.uniform(-0.05, 0.05, grid.shape)
    names = dict.fromkeys(range(20), "a name")
    edges = [random.choice(20, 2, replace=False).tolist() for _ in range(20)]
    sides = sides_of_names(names, positions, edges)

    boxes = [box(names[label], positions[label] * NARROW, sides[label]) for label in names]
    for (low, high), (other_low, other_high) in combinations(boxes, 2):
        assert not ((low < other_high) & (other_low < high)).all()


def test_a_name_leaves_a_close_point_uncovered():
    positions = np.array([[0.5, 0.5], [0.58, 0.5]])  # 29 pixels apart
    assert sides_of_names({0: "a long name"}, positions, [[], []])[0] != "middle right"


def test_a_name_stays_inside_the_figure():
    sides = sides_of_names({0: "a long name"}, np.array([[0.99, 0.5], [0.5, 0.5]]), [[1], [0]])
    assert "left" in sides[0]


def test_labels_without_a_place_have_no_side():
    assert sides_of_names({0: "a", 1: "b"}, np.array([[0.5, 0.5], [np.nan, np.nan]]), [[1], [0]]).keys() == {0}
