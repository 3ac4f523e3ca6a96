"""What a method makes of a room, as a small picture."""

import numpy as np
import plotly.graph_objects as go
import pytest

from trellislib.data.room import Room
from trellislib.figures import room_estimate_figure

ROOM = Room.default(4, 8)
ESTIMATE = np.linspace(0, 1, 16)


def trace(figure: go.Figure, name: str) -> go.Scatter | go.Heatmap:
    return next(one for one in figure.data if one.name == name)


def test_each_tile_has_its_value_with_the_row_beside_the_light_first():
    shown = trace(room_estimate_figure(ROOM, ESTIMATE), "estimate")
    np.testing.assert_allclose(shown.z, ESTIMATE.reshape(4, 4), atol=1e-7)
    assert (shown.x[0], shown.y[0]) == (1.25, 1.25)
    assert shown.customdata[1, 2].tolist() == [2, 3]
    assert (shown.zmin, shown.zmax) == (0, 1)


def test_what_is_true_is_framed_and_left_out_where_it_is_not_known():
    tiles = np.zeros(16)
    tiles[[5, 6]] = 1
    framed = trace(room_estimate_figure(ROOM, ESTIMATE, tiles), "occupied")
    assert (min(framed.x), max(framed.x)) == (2.5, 7.5)
    assert (min(framed.y), max(framed.y)) == (2.5, 5.0)
    assert "occupied" not in [one.name for one in room_estimate_figure(ROOM, ESTIMATE).data]


def test_the_shadow_is_hatched_run_by_run():
    figure = room_estimate_figure(ROOM, ESTIMATE)
    shadow = trace(figure, "no sensor watches")
    n_runs = sum(int((np.diff(row.astype(int), prepend=0) == 1).sum()) for row in (~ROOM.zones().any(0)).reshape(4, 4))
    assert n_runs > 0
    assert len(shadow.x) == 6 * n_runs - 1  # five corners each, and gaps between
    assert shadow.fillpattern.shape == "/"


def test_ten_thousand_tiles_are_a_small_picture():
    room = Room.default(100)
    figure = room_estimate_figure(room, np.random.default_rng(0).random(room.n_labels))
    assert len(figure.to_json()) < 300_000


@pytest.mark.parametrize(
    ("estimate", "tiles", "message"),
    [
        (np.zeros(15), None, r"Got estimate of shape \(15,\), but expected \(16,\)"),
        (np.full(16, 1.5), None, r"Got estimate\[0\]=1.5, but expected a value from 0 to 1"),
        (ESTIMATE, np.zeros(9), r"Got tiles of shape \(9,\), but expected \(16,\)"),
    ],
)
def test_what_is_no_estimate_is_told(estimate, tiles, message):
    with pytest.raises(ValueError, match=message):
        room_estimate_figure(ROOM, estimate, tiles)
