"""Estimates of a room by several methods, as small pictures side by side."""

import numpy as np
import plotly.graph_objects as go
import pytest

from trellislib.data.room import Room
from trellislib.figures import room_estimates_figure

ROOM = Room.default(4, 8)
ESTIMATE = np.linspace(0, 1, 16)


def traces(figure: go.Figure, name: str) -> list[go.Scatter | go.Heatmap]:
    return [one for one in figure.data if one.name == name]


def drawn(estimate=ESTIMATE, tiles=None, **more) -> go.Figure:
    return room_estimates_figure(ROOM, {"CT": estimate}, tiles, **more)


def test_each_tile_has_its_value_with_the_row_next_to_the_light_first():
    (shown,) = traces(drawn(), "CT")
    np.testing.assert_allclose(shown.z, ESTIMATE.reshape(4, 4), atol=1e-7)
    assert (shown.x[0], shown.y[0]) == (1.25, 1.25)
    assert shown.customdata[1, 2].tolist() == [2, 3]
    assert (shown.zmin, shown.zmax) == (0, 1)


def test_a_tile_is_as_full_as_the_square_root_of_its_probability():
    (shown,) = traces(drawn(), "CT")
    for value, color in shown.colorscale:
        opacity = float(color.rstrip(")").rpartition(",")[2])
        assert opacity == pytest.approx(0.16 + 0.79 * np.sqrt(value), abs=1e-4)
    assert [shown.colorscale[end] for end in (0, -1)] == [
        (0, "rgba(128, 128, 128, 0.1600)"),  # grey, to be seen on a dark page
        (1, "rgba(192, 79, 0, 0.9500)"),
    ]


def test_frames_go_around_a_block_and_leave_its_inside_free():
    tiles = np.zeros((4, 4))
    tiles[1:3, 1:4] = 1
    (frame,) = traces(drawn(tiles=tiles.ravel()), "occupied")
    ends = np.array([frame.x, frame.y], dtype=float).T.reshape(-1)
    lines = np.append(ends, [np.nan, np.nan]).reshape(-1, 6)[:, :4].tolist()
    assert sorted(lines) == [
        [2.5, 2.5, 2.5, 7.5],
        [2.5, 2.5, 10.0, 2.5],
        [2.5, 7.5, 10.0, 7.5],
        [10.0, 2.5, 10.0, 7.5],
    ]


def test_the_truth_is_framed_in_every_picture_where_it_is_known():
    tiles = np.zeros(16)
    tiles[[5, 6]] = 1
    figure = room_estimates_figure(ROOM, {"IC": ESTIMATE, "CT": 1 - ESTIMATE}, tiles)
    framed = traces(figure, "occupied")
    assert [(frame.xaxis, frame.yaxis) for frame in framed] == [("x", "y"), ("x2", "y2")]
    for frame in framed:
        assert (min(frame.x), max(frame.x)) == (2.5, 7.5)
        assert (min(frame.y), max(frame.y)) == (2.5, 5.0)
    assert traces(drawn(), "occupied") == []


def test_decided_tiles_are_solid_above_paler_probabilities():
    figure = room_estimates_figure(ROOM, {"IC": ESTIMATE, "CT": ESTIMATE}, decided={"CT": ESTIMATE > 0.7})
    (solid,) = traces(figure, "decided")
    np.testing.assert_array_equal(np.isnan(solid.z).ravel(), ESTIMATE <= 0.7)
    assert (solid.zmax, np.nanmin(solid.z), solid.xaxis, solid.hoverinfo) == (1, 1, "x2", "skip")
    assert [traces(figure, name)[0].opacity for name in ("IC", "CT")] == [None, 0.5]


def test_the_shadow_is_hatched_run_by_run():
    (shadow,) = traces(drawn(), "no sensor watches")
    n_runs = sum(int((np.diff(row.astype(int), prepend=0) == 1).sum()) for row in (~ROOM.zones().any(0)).reshape(4, 4))
    assert n_runs > 0
    assert len(shadow.x) == 6 * n_runs - 1  # five corners each, and gaps between
    assert np.isnan(shadow.x).sum() == n_runs - 1
    assert shadow.fillpattern.shape == "/"


def test_pictures_stand_in_rows_each_below_its_name_and_caption():
    names = ["Truth", "MAP", "IC", "CT"]
    figure = room_estimates_figure(
        ROOM,
        dict.fromkeys(names, ESTIMATE),
        captions={"MAP": ["Hamming 0.9", "<b>"]},
    )
    assert figure.layout.height == 390
    texts = [note.text for note in figure.layout.annotations]
    assert texts == ["<b>Truth</b>", "<b>MAP</b><br>Hamming 0.9<br>&lt;b&gt;", "<b>IC</b>", "<b>CT</b>"]
    boxes = [
        (*figure.layout[f"xaxis{number}"].domain, *figure.layout[f"yaxis{number}"].domain) for number in ("", 2, 3, 4)
    ]
    for (left, right, bottom, top), note in zip(boxes, figure.layout.annotations, strict=True):
        assert left < note.x < right
        assert note.y == top
        assert bottom in (0, 0.5)
        assert 390 * (top - bottom) == pytest.approx(195 - 10 - 3 * 17)
    assert boxes[0][:2] == boxes[3][:2]
    assert boxes[0][1] < boxes[1][0] < boxes[1][1] < boxes[2][0]
    assert boxes[2][1] == pytest.approx(1)


def test_ten_thousand_tiles_are_small_pictures():
    room = Room.default(100)
    figure = room_estimates_figure(room, {"CT": np.random.default_rng(0).random(room.n_labels)})
    assert len(figure.to_json()) < 200_000


@pytest.mark.parametrize(
    ("estimates", "tiles", "message"),
    [
        ({}, None, r"Got no estimates, .*expected .*method .*more"),
        ({"CT": np.zeros(15)}, None, r"Got estimate .*CT .*shape \(15,\), .*expected \(16,\)"),
        ({"CT": np.full(16, 1.5)}, None, r"Got estimate .*CT\[0\]=1.5, .*expected .*value .*0 .*1"),
        ({"CT": ESTIMATE}, np.zeros(9), r"Got tiles .*shape \(9,\), .*expected \(16,\)"),
    ],
)
def test_wrong_estimates_are_refused(estimates, tiles, message):
    with pytest.raises(ValueError, match=message):
        room_estimates_figure(ROOM, estimates, tiles)
