import numpy as np
import pytest

from trellislib.data.room import Room, simulate_room
from trellislib.figures import room_figure
from trellislib.figures.room import GRID_TILES, NUMBERED_SENSORS

# Middles at 1.25, 3.75, 6.25 and 8.75. Of three sensors, the one on the right, at (10, 5), sees (6.25, 1.25) and, on an
# edge of its triangle, (8.75, 3.75); the one at the top sees the two middle columns of the two lower rows; and the one
# on the left is the first one's mirror image.
WATCHERS = [[0, 2, 2, 0], [1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
ROOM = Room.default(width=4, n_sensors=3)
DIAGONAL = np.eye(4).ravel()


def named(figure, name):
    """Return the only trace of this name."""
    (trace,) = [trace for trace in figure.data if trace.name == name]
    return trace


def names(figure):
    return {trace.name for trace in figure.data}


def floor(figure):
    (trace,) = [trace for trace in figure.data if trace.type == "heatmap"]
    return trace


def paths(trace):
    """Return the lines of a trace, each as its points."""
    found = [[]]
    for point in zip(trace.x, trace.y, strict=True):
        if point == (None, None):
            found.append([])
        else:
            found[-1].append(point)
    return [path for path in found if path]


def test_tiles():
    trace = floor(room_figure(ROOM, DIAGONAL))

    assert list(trace.x) == list(trace.y) == [1.25, 3.75, 6.25, 8.75]
    assert np.array_equal(trace.z, np.eye(4))
    assert (trace.zmin, trace.zmax) == (0, 1)
    assert trace.text[1] == ["empty", "occupied", "empty", "empty"]
    assert trace.customdata[1, 2].tolist() == [2, 3, 1], "row, column, sensors that watch it"
    assert trace.customdata[..., 2].tolist() == WATCHERS
    assert "of 3 sensors" in trace.hovertemplate


def test_row_one_is_at_the_bottom_next_to_the_light():
    figure = room_figure(ROOM, np.arange(16) == 3)
    trace = floor(figure)

    assert trace.z[0][3] == 1
    assert (trace.x[3], trace.y[0]) == (8.75, 1.25)
    assert figure.layout.yaxis.range[0] < figure.layout.yaxis.range[1]
    assert figure.layout.yaxis.scaleanchor == "x"
    light = named(figure, "light")
    assert paths(light) == [[(2.5, 0), (7.5, 0)]]
    assert light.line.width >= 5


def test_shadow_is_what_no_sensor_watches():
    shadow = named(room_figure(ROOM), "no sensor watches")

    corners = [(min(path), max(path)) for path in paths(shadow)]
    assert corners == [
        ((0, 0), (2.5, 2.5)),
        ((7.5, 0), (10, 2.5)),
        ((0, 5), (10, 7.5)),
        ((0, 7.5), (10, 10)),
    ]
    assert shadow.fillpattern.shape == "/"


def test_sensors_that_detect_are_filled_and_so_are_their_zones():
    figure = room_figure(ROOM, DIAGONAL, [0, 1, 0.3])
    detects, nothing = named(figure, "detects"), named(figure, "detects nothing")

    assert (list(detects.x), list(detects.y)) == ([5], [10])
    assert (list(nothing.x), list(nothing.y)) == ([10, 0], [5, 5])
    assert (detects.marker.symbol, nothing.marker.symbol) == ("circle", "circle-open")
    assert list(detects.textposition) == ["top center"]
    assert list(nothing.textposition) == ["middle right", "middle left"]
    assert [text.strip() for text in nothing.text] == ["1", "3"]
    (seen,), (first, third) = detects.hovertext, nothing.hovertext
    assert all(part in seen for part in ("sensor 2", "detects something", "4"))
    assert all(part in first for part in ("sensor 1", "detects nothing", "2"))
    assert all(part in third for part in ("sensor 3", "detects nothing", "0.3", "2"))
    (zone,) = figure.layout.shapes
    assert zone.path == "M5.0,10.0L2.5,0.0L7.5,0.0Z"
    assert zone.layer == "below"
    assert paths(named(figure, "zones")) == [
        [(10, 5), (2.5, 0), (7.5, 0), (10, 5)],
        [(0, 5), (2.5, 0), (7.5, 0), (0, 5)],
    ]


def test_half_of_the_measurements_is_no_detection():
    """Algorithm 3 takes a sensor to see nothing if at most half of its measurements are positive."""
    figure = room_figure(ROOM, observed=[0.5, 0.51, 1])

    assert list(named(figure, "detects nothing").x) == [10]
    assert len(named(figure, "detects").x) == len(figure.layout.shapes) == 2
    assert "0.5 of" in named(figure, "detects nothing").hovertext[0]
    assert "0.51 of" in named(figure, "detects").hovertext[0]


def test_a_room_without_observations_claims_nothing():
    figure = room_figure(ROOM)

    assert not np.any(floor(figure).z)
    assert floor(figure).text is None
    assert "%{text}" not in floor(figure).hovertemplate
    assert named(figure, "sensor").marker.symbol == "circle-open"
    assert all(part in named(figure, "sensor").hovertext[0] for part in ("sensor 1", "2"))
    assert names(figure).isdisjoint({"occupied", "detects", "detects nothing"})
    assert not figure.layout.shapes
    assert len(paths(named(figure, "zones"))) == 3


def opacity(color):
    return float(color.removesuffix(")").split(",")[-1])


@pytest.mark.parametrize("n_sensors", [1, 4, 30, 200])
def test_zones_laid_over_each_other_hide_nothing(n_sensors):
    shapes = room_figure(Room.default(10, n_sensors), observed=np.ones(n_sensors)).layout.shapes

    assert len(shapes) == n_sensors
    through = np.prod([1 - opacity(shape.fillcolor) for shape in shapes])
    assert through >= 0.59
    assert all(opacity(shape.fillcolor) > 0 for shape in shapes)


@pytest.mark.parametrize("width", [2, 3, 10, 20, 100])
def test_few_objects_for_any_number_of_tiles(width):
    data = simulate_room(n_instances=1, width=width, n_sensors=30, random_state=0)
    room = Room.default(width, 30)
    tiles, observed = data.Y.toarray()[0], data.X[0]
    figure = room_figure(room, tiles, observed)

    assert floor(figure).z.shape == (width, width)
    assert len(figure.data) <= 10
    assert len(figure.layout.shapes) == observed.sum() <= 30
    assert not figure.layout.annotations
    assert len(figure.to_json()) < 20_000 + 60 * width**2
    assert len(paths(named(figure, "grid"))) == (2 * (width + 1) if width <= GRID_TILES else 4)


def test_many_sensors_have_no_numbers():
    few, many = (room_figure(Room.default(4, n)) for n in (NUMBERED_SENSORS, NUMBERED_SENSORS + 1))

    assert "text" in named(few, "sensor").mode
    assert "text" not in named(many, "sensor").mode


def test_fits_any_page():
    figure = room_figure(ROOM, DIAGONAL, [0, 1, 0])

    assert opacity(figure.layout.paper_bgcolor) == opacity(figure.layout.plot_bgcolor) == 0
    empty, full = (opacity(color) for _, color in floor(figure).colorscale)
    assert empty == 0 < full


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tiles": np.zeros(15)}, r"Got tiles .*shape \(15,\), .*expected \(16,\), .*value .*tile."),
        ({"tiles": np.zeros((4, 4))}, r"Got tiles .*shape \(4, 4\)"),
        ({"observed": [0, 1]}, r"Got observed .*shape \(2,\), .*expected \(3,\), .*value .*sensor."),
        ({"observed": [0, 2, 1]}, r"Got observed\[1\]=2.0, .*expected .*value .*0 .*1 .*sensor."),
        ({"tiles": [np.nan] * 16}, r"Got tiles\[0\]=nan, .*expected .*value .*0 .*1"),
        ({"tiles": np.full(16, -0.1)}, r"Got tiles\[0\]=-0.1"),
    ],
)
def test_wrong_values_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        room_figure(ROOM, **arguments)
