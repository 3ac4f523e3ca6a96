"""The light-sensor room: its geometry, its likelihood and the generator as the paper prints it."""

import numpy as np
import pytest
from scipy import sparse
from sentences import alike

from trellislib.data.room import LIGHT, Room, _targets, distinct_labels, simulate_room


def room_with(width, *sensors, **rates):
    return Room(width, np.array(sensors, dtype=float), np.array(LIGHT), **rates)


def test_zone_by_hand():
    # Sensor [5, 10]: at height h the triangle spans 5 -+ 2.5 (1 - h / 10). Middles of 5 tiles: 1, 3, 5, 7, 9.
    # Half widths 2.25, 1.75, 1.25, .75, .25: columns 3..7 at height 1, then only column 5.
    zone = room_with(5, [5, 10]).zones().reshape(5, 5).astype(int)
    assert zone.tolist() == [[0, 1, 1, 1, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0]]


def test_zone_of_a_slanting_triangle_by_hand():
    # Sensor [0, 10], W = 2: at height 2.5 from 1.875 to 5.625, at height 7.5 from 0.625 to 1.875.
    assert room_with(2, [0, 10]).zones().astype(int).tolist() == [[1, 0, 0, 0]]


def test_middles_on_an_edge_are_inside():
    # The edge from [2.5, 0] to [2.5, 10] runs through the middles of column 3 of a room 10 wide.
    zone = room_with(10, [2.5, 10]).zones().reshape(10, 10)
    assert zone[:, 2].all()
    assert not zone[:, :2].any()


def test_sensor_level_with_the_light_sees_nothing():
    assert not room_with(10, [0, 0], [9, 0]).zones().any()


def test_zones_agree_with_barycentric_coordinates():
    room = Room.default(width=17, n_sensors=11)
    for sensor, zone in zip(room.sensors, room.zones(), strict=True):
        corners = np.vstack([np.array([sensor, *LIGHT]).T, np.ones(3)])
        weights = np.linalg.solve(corners, np.vstack([room.tiles().T, np.ones(room.n_labels)]))
        np.testing.assert_array_equal(zone, weights.min(axis=0) >= -1e-9)


@pytest.mark.parametrize("width", [10, 20, 100])
def test_mirror_image(width):
    zones = Room.default(width, n_sensors=30).zones().reshape(30, width, width)
    np.testing.assert_array_equal(zones, zones[::-1, :, ::-1])


def test_the_papers_figure():
    """With twelve sensors (W = 10), the tile in the lower right corner is seen by none."""
    zones = Room.default(width=10, n_sensors=12).zones().reshape(12, 10, 10)
    assert not zones[:, 0, 9].any()
    assert zones.any(axis=(1, 2)).all()


@pytest.mark.parametrize("n_sensors", [1, 2, 7, 30])
def test_default_sensors_stand_on_three_edges(n_sensors):
    x, y = Room.default(width=20, n_sensors=n_sensors).sensors.T
    assert ((x == 0) | (x == 10) | (y == 10)).all()
    assert ((x >= 0) & (x <= 10) & (y > 0) & (y <= 10)).all()
    assert len(set(zip(x, y, strict=True))) == n_sensors


def test_detection_probability_as_printed():
    room = Room.default(width=20)
    expected = [0.01, 0.85, 1 - 0.15 * np.exp(-0.1), 1 - 0.15 * np.exp(-0.9)]
    np.testing.assert_allclose(room.detection_probability([0, 1, 2, 10]), expected)


def test_frequencies_follow_the_likelihood():
    room = room_with(2, [5, 10], [0, 10], false_negative=0.3, false_positive=0.1)
    Y = np.array([[1, 1, 0, 0]])  # the first sensor sees neither or both by its zone, the second the first tile
    counts = room.zones() @ Y[0]
    X = room.observe(np.repeat(Y, 40_000, axis=0), random_state=0)
    np.testing.assert_allclose(X.mean(axis=0), room.detection_probability(counts), atol=0.01)
    averaged = room.observe(Y, n_measurements=40_000, random_state=0)
    np.testing.assert_allclose(averaged[0], room.detection_probability(counts), atol=0.01)


def test_features_follow_the_likelihood_of_the_labels_without_flips():
    data = simulate_room(30_000, width=12, n_sensors=9, n_flips=0, random_state=1)
    room = Room.default(12, 9)
    counts = data.Y @ room.zones().T.astype(int)
    for count in np.unique(counts):
        seen = data.X[counts == count]
        assert seen.mean() == pytest.approx(room.detection_probability(count), abs=4 * 0.5 / np.sqrt(seen.size))


def test_observe_dense_and_sparse_alike():
    room = Room.default(8, 5)
    Y = np.random.default_rng(0).integers(2, size=(50, 64)).astype(np.int8)
    np.testing.assert_array_equal(room.observe(Y, 3, 7), room.observe(sparse.csr_array(Y), 3, 7))


def test_form():
    data = simulate_room(50, width=20, n_sensors=4, random_state=0)
    assert data.X.shape == (50, 4)
    assert data.X.dtype == float
    assert set(np.unique(data.X)) <= {0.0, 1.0}
    assert isinstance(data.Y, sparse.csr_array)
    assert data.Y.dtype == np.int8
    assert data.Y.has_canonical_format
    assert set(data.Y.data) == {1}
    assert data.feature_names[0] == "sensor 1"
    assert (data.label_names[0], data.label_names[1], data.label_names[-1]) == ("r1c1", "r1c2", "r20c20")


def test_measurements_are_averaged():
    data = simulate_room(200, width=10, n_sensors=6, n_measurements=4, random_state=0)
    assert set(np.unique(4 * data.X)) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("width", "across"), [(6, 1), (8, 1), (20, 2), (33, 4)])
def test_targets_are_a_rectangle_and_the_furthest_square(width, across):
    Y = _targets(np.random.default_rng(0), 300, width).toarray().reshape(300, width, width)
    corners = {(r, c): Y[:, r : r + 2, c : c + 2].all(axis=(1, 2)) for r in (0, width - 2) for c in (0, width - 2)}
    assert np.sum(list(corners.values()), axis=0).min() == 1
    for n, floor in enumerate(Y):
        candidates = []
        for (r, c), full in corners.items():
            if not full[n]:
                continue
            rest = floor.copy()
            rest[r : r + 2, c : c + 2] = 0
            rows, columns = rest.nonzero()
            if len(rows) != 2 * across or np.ptp(rows) != 1 or np.ptp(columns) != across - 1:
                continue
            middle = np.array([rows.mean() + 0.5, columns.mean() + 0.5])
            reach = {k: np.hypot(*(np.array([(0, width)[k[0] > 0], (0, width)[k[1] > 0]]) - middle)) for k in corners}
            candidates.append(reach[r, c] == pytest.approx(max(reach.values())))
        assert any(candidates)


def test_rectangle_starts_everywhere_it_fits():
    Y = _targets(np.random.default_rng(0), 20_000, 10).toarray().reshape(-1, 10, 10)
    inner = Y[:, 2:8, 2:8].sum(axis=(1, 2)) == 2  # squares lie in corners, so here only the rectangle
    tops = Y[inner][:, 2:8, 2:8].reshape(-1, 36).argmax(axis=1)
    share = np.bincount(tops, minlength=36)[:30] / len(Y)
    np.testing.assert_allclose(share, 1 / 90, atol=0.004)  # 9 rows x 10 columns of places


@pytest.mark.parametrize(("n_drawn", "n_labels"), [(0, 4), (2, 5), (3, 6), (4, 5), (5, 5)])
def test_flips_aredistinct_labels_and_uniform(n_drawn, n_labels):
    drawn = distinct_labels(np.random.default_rng(0), 30_000, n_drawn, n_labels)
    assert drawn.shape == (30_000, n_drawn)
    if n_drawn == 0:
        return
    sets, counts = np.unique(np.sort(drawn, axis=1), axis=0, return_counts=True)
    assert (np.diff(sets, axis=1) > 0).all()
    np.testing.assert_allclose(counts / 30_000, 1 / len(sets), atol=0.012)


def test_each_instance_has_as_many_flips_and_features_come_before_them():
    clean = simulate_room(200, width=20, n_flips=0, random_state=3)
    noisy = simulate_room(200, width=20, n_flips=7, random_state=3)
    np.testing.assert_array_equal(clean.X, noisy.X)
    np.testing.assert_array_equal((clean.Y != noisy.Y).sum(axis=1), 7)
    every = simulate_room(5, width=20, n_flips=400, random_state=3)
    assert every.Y.sum() == 5 * (400 - 8)


@pytest.mark.parametrize(("width", "targets", "flips"), [(20, 8, 4), (100, 28, 100)])
def test_label_cardinality_as_printed(width, targets, flips):
    data = simulate_room(2_000, width=width, random_state=0)
    expected = targets + flips * (1 - 2 * targets / width**2)
    assert data.Y.nnz / 2_000 == pytest.approx(expected, abs=0.1)


def test_smallest_rooms():
    """The square fills the smallest room, and first clears the rectangle at a width of 4."""
    assert set(_targets(np.random.default_rng(0), 100, 2).sum(axis=1)) == {4}
    assert set(_targets(np.random.default_rng(0), 100, 3).sum(axis=1)) == {5, 6}
    assert set(_targets(np.random.default_rng(0), 100, 4).sum(axis=1)) == {6}
    assert simulate_room(20, width=2, n_sensors=1, random_state=0).Y.sum() == 80


def test_a_seed_gives_the_same_room():
    first, second, other = (simulate_room(100, width=10, random_state=seed) for seed in (5, 5, 6))
    assert first.digest == second.digest != other.digest
    assert simulate_room(100, width=10, random_state=np.random.default_rng(5)).digest == first.digest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"width": 1}, "Got width=1, but expected an integer of at least 2."),
        ({"width": 2.5}, "Got width=2.5, but expected an integer of at least 2."),
        ({"n_sensors": 0}, "Got n_sensors=0, but expected an integer of at least 1."),
        ({"n_instances": 0}, "Got n_instances=0, but expected an integer of at least 1."),
        ({"n_measurements": 0}, "Got n_measurements=0, but expected an integer of at least 1."),
        ({"n_flips": -1}, "Got n_flips=-1, but expected an integer of at least 0."),
        ({"n_flips": 401}, "Got n_flips=401, but the room has only 400 tiles."),
        ({"false_negative": 1.5}, "Got false_negative=1.5, but expected a probability, from 0 to 1."),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError) as error:
        simulate_room(**arguments)
    alike(str(error.value), message)


def test_errors_of_a_room():
    with pytest.raises(ValueError, match=r"Got sensors of shape \(3,\)"):
        Room(4, np.zeros(3), np.array(LIGHT))
    with pytest.raises(ValueError, match=r"Got light of shape \(2,\)"):
        Room(4, np.zeros((1, 2)), np.zeros(2))
    with pytest.raises(ValueError, match=r"Got Y .*3 columns, .*expected .*16 tiles"):
        Room.default(4).observe(np.zeros((1, 3), dtype=int))
