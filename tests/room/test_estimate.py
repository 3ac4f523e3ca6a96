"""Algorithm 3: against its printed loops, by hand, and as an estimator among others."""

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from trellislib.data.room import Room, simulate_room
from trellislib.metrics import hamming_score
from trellislib.room.estimate import MapEstimator, map_estimate

module = import_module("trellislib.room.estimate")


def as_printed(room, x):
    """Return the tiles of one instance by the loops of Algorithm 3."""
    estimate = dict.fromkeys(range(room.n_labels), 0.5)
    zones = [np.flatnonzero(zone).tolist() for zone in room.zones()]
    fired = {}
    for d in range(room.n_sensors):
        fired[d] = 0 if x[d] <= 0.5 else 1
        if fired[d] == 0:
            for tile in zones[d]:
                estimate[tile] = 0
    for d in range(room.n_sensors):
        if fired[d] == 1:
            for tile in zones[d]:
                if estimate[tile] == 0.5:
                    estimate[tile] = 1
    return [estimate[tile] for tile in range(room.n_labels)]


def room_with(width, *sensors):
    return Room(width, np.array(sensors, dtype=float), np.array([[2.5, 0], [7.5, 0]]))


def test_by_hand():
    # W = 2, middles 2.5 and 7.5. The sensor in the upper left corner watches the tile r1c1 alone (see test_room), the
    # one in the upper right corner r1c2; one at [5, 10] spans 3.125 to 6.875 in the lower row, and watches none.
    room = room_with(2, [0, 10], [10, 10], [5, 10])
    assert map_estimate(room, [[1, 0, 1], [0, 0, 1], [1, 1, 0]]).tolist() == [
        [1, 0, 0.5, 0.5],
        [0, 0, 0.5, 0.5],
        [1, 1, 0.5, 0.5],
    ]


@pytest.mark.parametrize("n_sensors", [1, 3, 7])
def test_the_printed_loops_in_a_small_room(n_sensors):
    room = Room.default(width=4, n_sensors=n_sensors)
    X = np.indices((2,) * n_sensors).reshape(n_sensors, -1).T  # every answer there is
    assert map_estimate(room, X).tolist() == [as_printed(room, x) for x in X]


@given(
    st.integers(2, 9),
    st.lists(st.tuples(st.floats(0, 10), st.floats(0, 10)), min_size=1, max_size=6),
    st.integers(0, 2**32 - 1),
)
def test_the_printed_loops_in_any_room(width, sensors, seed):
    room = room_with(width, *sensors)
    X = np.random.default_rng(seed).integers(5, size=(6, room.n_sensors)) / 4  # 0.5 among them, which is "empty"
    assert map_estimate(room, X).tolist() == [as_printed(room, x) for x in X]


@given(st.integers(0, 2**32 - 1))
def test_more_alarms_never_clear_a_tile(seed):
    room = Room.default(width=8, n_sensors=6)
    fewer, more = np.sort(np.random.default_rng(seed).random((2, 5, 6)), axis=0)
    assert (map_estimate(room, fewer) <= map_estimate(room, more)).all()


def test_shadow_is_what_no_sensor_watches():
    room = Room.default(width=20)
    estimate = map_estimate(room, np.random.default_rng(0).integers(2, size=(50, 30)))
    np.testing.assert_array_equal(estimate == 0.5, np.tile(~room.zones().any(axis=0), (50, 1)))


def test_sensors_without_error_find_every_watched_tile_and_clear_only_empty_ones():
    room = Room.default(width=12, n_sensors=30, false_negative=0, false_positive=0)
    Y = (np.random.default_rng(0).random((40, 144)) < 0.02).astype(int)
    estimate = map_estimate(room, room.observe(Y, random_state=0))
    assert (estimate[Y == 1] >= 0.5).all()


def test_blocks_change_nothing(monkeypatch):
    room = Room.default(width=6, n_sensors=5)
    X = np.random.default_rng(0).integers(2, size=(23, 5))
    whole = map_estimate(room, X)
    monkeypatch.setattr(module, "BLOCK_CELLS", 36 * 4)
    np.testing.assert_array_equal(map_estimate(room, X), whole)
    Y = np.zeros((23, 36), dtype=int)
    np.testing.assert_array_equal(MapEstimator(room).fit(X, Y).predict(X), whole == 1)


@pytest.mark.parametrize("shadow", [0, 1])
def test_predictions_take_the_form_of_the_labels(shadow):
    room = Room.default(width=10, n_sensors=8)
    X, Y = simulate_room(60, width=10, n_sensors=8, random_state=0).arrays()
    expected = np.where(map_estimate(room, X) == 0.5, shadow, map_estimate(room, X))
    thin = MapEstimator(room, shadow).fit(X, Y).predict(X)
    assert isinstance(thin, sparse.csr_array)
    assert thin.dtype == Y.dtype
    np.testing.assert_array_equal(thin.toarray(), expected)
    for labels in (Y.toarray(), Y.toarray().astype(float), Y.toarray().astype(bool)):
        dense = MapEstimator(room, shadow).fit(X, labels).predict(sparse.csr_array(X))
        assert isinstance(dense, np.ndarray)
        assert dense.dtype == labels.dtype
        np.testing.assert_array_equal(dense, expected)


def test_it_is_an_estimator():
    room = Room.default(width=4, n_sensors=3)
    estimator = MapEstimator(room, shadow=1)
    assert estimator.get_params() == {"room": room, "shadow": 1}
    copy = clone(estimator)
    assert copy.shadow == 1
    np.testing.assert_array_equal(copy.room.sensors, room.sensors)
    X, Y = simulate_room(20, width=4, n_sensors=3, random_state=0).arrays()
    fitted = copy.fit(X, Y)
    assert fitted is copy
    np.testing.assert_array_equal(fitted.predict(X).toarray(), estimator.fit(X, Y).predict(X).toarray())
    assert 0 <= fitted.score(X, Y) <= 1
    assert len(fitted.classes_) == 16
    assert not hasattr(fitted, "predict_proba")


def test_the_published_hamming_score_is_that_of_the_tiles_in_view():
    """The paper prints .857 for W = 20 and .795 for W = 100."""
    for width, n_instances, published in ((20, 4_000, 0.857), (100, 400, 0.795)):
        room = Room.default(width)
        X, Y = simulate_room(n_instances, width=width, random_state=0).arrays()
        predicted = MapEstimator(room).fit(X, Y).predict(X)
        in_view = np.flatnonzero(room.zones().any(axis=0))
        assert hamming_score(Y[:, in_view], predicted[:, in_view]) == pytest.approx(published, abs=0.02)


@pytest.mark.parametrize(
    ("shape", "labels", "arguments", "message"),
    [
        ((5, 4), 16, {}, "Got X of 4 columns, but expected one for each of 3 sensors."),
        ((5, 3), 9, {}, "Got 9 labels, but expected one for each of 16 tiles."),
        ((5, 3), 16, {"shadow": 0.5}, "Got shadow=0.5, but expected 0 or 1."),
    ],
)
def test_errors(shape, labels, arguments, message):
    estimator = MapEstimator(Room.default(width=4, n_sensors=3), **arguments)
    with pytest.raises(ValueError) as error:
        estimator.fit(np.zeros(shape), np.zeros((5, labels), dtype=int))
    assert str(error.value) == message


def test_measurements_are_shares():
    with pytest.raises(ValueError, match=r"Got .*measurement 2.0, .*expected shares .*positive ones, .*0 .*1"):
        map_estimate(Room.default(width=4, n_sensors=2), [[0.5, 2.0]])
