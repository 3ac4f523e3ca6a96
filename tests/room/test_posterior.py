"""Bayes' rule in the room: by brute force, over all readings, and as frequencies of simulated data."""

from itertools import product
from math import comb, exp

import numpy as np
import pytest
from scipy import sparse

from trellislib.data.room import Room
from trellislib.data.room_scenes import Scenes, paper_scenes, people_scenes, simulate_scenes
from trellislib.room import posterior as module
from trellislib.room.posterior import room_posterior, scene_counts


def likelihood(room, tiles, x, n_measurements=1):
    """Return p(x | tiles) as the paper prints it, by loops."""
    p = 1.0
    for zone, share in zip(room.zones(), x, strict=True):
        c = sum(int(t) for t, z in zip(tiles, zone, strict=True) if z)
        fires = room.false_positive if c == 0 else 1 - room.false_negative * exp(-0.1 * (c - 1))
        k = round(share * n_measurements)
        p *= comb(n_measurements, k) * fires**k * (1 - fires) ** (n_measurements - k)
    return p


def by_hand(room, scenes, x, n_measurements=1):
    joint = [
        prior * likelihood(room, tiles, x, n_measurements)
        for tiles, prior in zip(scenes.tiles.toarray(), scenes.prior, strict=True)
    ]
    return np.array(joint) / sum(joint)


@pytest.mark.parametrize("n_measurements", [1, 3])
@pytest.mark.parametrize("rates", [(0.15, 0.01), (0.0, 0.2), (0.4, 0.0), (1.0, 0.3), (0.2, 1.0)])
def test_against_brute_force(n_measurements, rates):
    room = Room.default(3, 4, *rates)
    scenes = people_scenes(room, most=3)
    data = simulate_scenes(room, scenes, 30, n_measurements=n_measurements, random_state=0)
    found = room_posterior(room, scenes, data.X, n_measurements=n_measurements)
    for n, x in enumerate(data.X):
        weights = by_hand(room, scenes, x, n_measurements)
        np.testing.assert_allclose(found.marginals[n], weights @ scenes.tiles.toarray(), atol=1e-12)
        assert found.effective_sizes[n] == pytest.approx(1 / (weights**2).sum())


def test_counts_that_are_found_once_change_nothing():
    room = Room.default(4, 5)
    scenes = people_scenes(room, most=2)
    counts = scene_counts(room, scenes)
    np.testing.assert_array_equal(counts, room.zones().astype(int) @ scenes.tiles.toarray().T)
    X = simulate_scenes(room, scenes, 5, random_state=0).X
    np.testing.assert_array_equal(
        room_posterior(room, scenes, X, counts=counts).marginals, room_posterior(room, scenes, X).marginals
    )


def test_one_sensor_by_hand():
    # W = 2: the sensor in the upper left corner watches the first tile alone. One person, four places:
    # fires with .85 where it stands there, with .01 elsewhere.
    room = Room(2, np.array([[0.0, 10.0]]), np.array([[2.5, 0.0], [7.5, 0.0]]))
    found = room_posterior(room, people_scenes(room, most=1), [[1], [0]]).marginals
    np.testing.assert_allclose(found[0], np.array([0.85, 0.01, 0.01, 0.01]) / 0.88)
    np.testing.assert_allclose(found[1], np.array([0.15, 0.99, 0.99, 0.99]) / 3.12)


def test_no_sensor_fires_and_the_shadow_gains():
    room = Room.default(20)
    scenes = people_scenes(room, most=1)
    found = room_posterior(room, scenes, np.zeros((1, 30))).marginals[0]
    watched = room.zones().any(axis=0)
    prior = scenes.prior @ scenes.tiles
    assert (found[watched] < prior[watched]).sum() > (found[watched] >= prior[watched]).sum()
    assert found[~watched].sum() > prior[~watched].sum()


def test_an_impossible_reading_leaves_the_prior():
    room = Room.default(4, 3, 0.0, 0.0)
    nobody = Scenes(sparse.csr_array(np.eye(16, dtype=np.int8)[[0, 12]]), np.array([0.25, 0.75]), True)
    assert likelihood(room, nobody.tiles.toarray()[0], [0, 1, 0]) == 0
    found = room_posterior(room, nobody, [[0, 1, 0], [0, 0, 0]])
    np.testing.assert_allclose(found.marginals[0, [0, 12]], [0.25, 0.75])


def test_scenes_of_probability_0_keep_it():
    room = Room.default(4, 3)
    scenes = Scenes(sparse.csr_array(np.eye(16, dtype=np.int8)[:2]), np.array([0.0, 1.0]), True)
    assert room_posterior(room, scenes, [[0, 1, 0]]).marginals[0, :2].tolist() == [0, 1]


def test_a_scene_of_probability_0_keeps_it_even_where_it_alone_explains_the_reading():
    room = Room(2, np.array([[0.0, 10.0]]), np.array([[2.5, 0.0], [7.5, 0.0]]), 0.0, 0.0)
    scenes = Scenes(sparse.csr_array(np.eye(4, dtype=np.int8)[:3]), np.array([0.0, 0.25, 0.75]), True)
    found = room_posterior(room, scenes, [[1], [0]])  # the first tile alone is watched
    np.testing.assert_allclose(found.marginals, [[0, 0.25, 0.75, 0]] * 2)


@pytest.mark.parametrize("n_flips", [0, 2, 16])
def test_probabilities_are_calibrated(n_flips):
    """Of the tiles that are occupied with some probability, that share is."""
    room = Room.default(4, 5)
    scenes = people_scenes(room, most=2)
    data = simulate_scenes(room, scenes, 20_000, n_flips=n_flips, random_state=1)
    p = room_posterior(room, scenes, data.X, n_flips=n_flips).marginals.ravel()
    true = data.Y.toarray().ravel()
    groups = np.digitize(p, np.linspace(0, 1, 11))
    for group in np.unique(groups):
        inside = groups == group
        spread = np.sqrt((p[inside] * (1 - p[inside])).sum())
        assert abs(true[inside].sum() - p[inside].sum()) <= 5 * spread + 1e-6


def test_blocks_change_nothing(monkeypatch):
    room = Room.default(3, 4)
    scenes = people_scenes(room)
    X = np.array(list(product((0, 1), repeat=4)))
    whole = room_posterior(room, scenes, X)
    monkeypatch.setattr(module, "BLOCK_CELLS", 3 * len(scenes.prior))
    np.testing.assert_allclose(room_posterior(room, scenes, X).marginals, whole.marginals, atol=1e-14)


@pytest.mark.parametrize(
    ("X", "arguments", "message"),
    [
        ([[0.5, 0, 0]], {}, "Got the measurement 0.5, but expected shares of n_measurements=1."),
        ([[0, 0, 0]], {"n_measurements": 0}, "Got n_measurements=0, but expected an integer of at least 1."),
        ([[0, 0, 0]], {"n_flips": 17}, "Got n_flips=17, but the room has only 16 tiles."),
        ([[0, 0]], {}, "Got X of 2 columns, but expected one for each of 3 sensors."),
    ],
)
def test_errors(X, arguments, message):
    room = Room.default(4, 3)
    with pytest.raises(ValueError) as error:
        room_posterior(room, paper_scenes(room), X, **arguments)
    assert str(error.value) == message
