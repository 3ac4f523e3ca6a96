"""What may stand in the room: all scenes there are, samples of them, and data simulated from them."""

from collections import Counter
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from scipy import sparse

from trellislib.data import room_scenes
from trellislib.data.room import Room, _targets
from trellislib.data.room_scenes import Scenes, paper_scenes, people_scenes, person_tiles, simulate_scenes


def as_sets(tiles):
    return [frozenset(row.nonzero()[0].tolist()) for row in tiles.toarray()]


@pytest.mark.parametrize("width", [2, 3, 4, 9, 16])
def test_paper_scenes_are_those_of_the_generator_as_often(width):
    scenes = paper_scenes(Room.default(width))
    drawn = Counter(as_sets(_targets(np.random.default_rng(0), 40_000, width)))
    known = dict(zip(as_sets(scenes.tiles), scenes.prior, strict=True))
    assert len(known) == len(scenes.prior)
    assert drawn.keys() == known.keys()
    expected = np.array(list(known.values())) * 40_000
    seen = np.array([drawn[scene] for scene in known])
    n_free = len(known) - 1
    assert ((seen - expected) ** 2 / expected).sum() <= n_free + 4 * np.sqrt(2 * n_free)  # chi-square at 4 deviations


def test_two_places_of_the_same_tiles_are_one_scene_twice_as_probable():
    # W = 20: the rectangle is 2 x 2 as the square is, and in two opposite corners either may be either.
    scenes = paper_scenes(Room.default(20))
    assert len(scenes.prior) == 19 * 19 - 2
    assert sorted(scenes.prior)[-3:] == pytest.approx([1 / 361, 2 / 361, 2 / 361])
    assert paper_scenes(Room.default(2)).tiles.toarray().tolist() == [[1, 1, 1, 1]]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_all_people_scenes_of_a_small_room(most):
    scenes = people_scenes(Room.default(3), most)
    expected = {frozenset(c): 1 / most / comb(9, k) for k in range(1, most + 1) for c in combinations(range(9), k)}
    found = dict(zip(as_sets(scenes.tiles), scenes.prior, strict=True))
    assert scenes.is_complete
    assert found == pytest.approx(expected)


def test_wide_people_overlap_and_what_is_too_much_is_sampled(monkeypatch):
    room = Room.default(20)
    monkeypatch.setattr(room_scenes, "MOST_SCENES", 1_500)
    scenes = people_scenes(room, most=2)
    assert not scenes.is_complete
    single = {frozenset(person_tiles(room, r, c).tolist()) for r in range(19) for c in range(19)}
    found = dict(zip(as_sets(scenes.tiles), scenes.prior, strict=True))
    assert len(single) == 361
    assert all(found[scene] == pytest.approx(1 / 2 / 361) for scene in single)
    rest = [scene for scene in found if scene not in single]
    assert 1_000 < len(rest) <= 1_500 - 361
    assert {len(scene) for scene in rest} == {6, 7, 8}  # 2 x 2 tiles that share two, one or none
    pairs = {first | second for first, second in combinations(single, 2)}
    assert set(rest) <= pairs
    again, other = people_scenes(room, 2), people_scenes(room, 2, random_state=1)
    np.testing.assert_array_equal(again.tiles.indices, scenes.tiles.indices)
    assert set(as_sets(other.tiles)) != set(found)


def test_the_sample_is_bounded_in_tiles_too():
    scenes = people_scenes(Room.default(100))
    assert scenes.tiles.nnz <= room_scenes.MOST_TILES
    n_people = scenes.tiles.sum(axis=1)
    assert scenes.prior[n_people == 100].sum() == pytest.approx(1 / 3, abs=1e-3)
    assert n_people.max() == 300


def test_people_stay_inside():
    room = Room.default(30)
    assert person_tiles(room, 0, 0).tolist() == [0, 1, 2, 30, 31, 32, 60, 61, 62]
    assert person_tiles(room, -5, 0).tolist() == person_tiles(room, 0, 0).tolist()
    assert person_tiles(room, 29, 29).max() == 899
    assert person_tiles(Room.default(4), 1, 2).tolist() == [6]


def test_draws_follow_the_prior():
    tiles = sparse.csr_array(np.eye(4, dtype=np.int8))
    drawn = Scenes(tiles, np.array([0.5, 0.3, 0.2, 0.0]), True).drawn(20_000, 0)
    np.testing.assert_allclose(drawn.mean(axis=0), [0.5, 0.3, 0.2, 0], atol=0.015)


def test_simulated_sensors_fire_as_often_as_the_scenes_have_it():
    room = Room.default(5, 6, false_negative=0.3, false_positive=0.1)
    scenes = people_scenes(room, most=2)
    data = simulate_scenes(room, scenes, 40_000, random_state=0)
    counts = data.Y @ room.zones().T.astype(int)
    for sensor in range(6):
        for count in np.unique(counts[:, sensor]):
            fired = data.X[counts[:, sensor] == count, sensor]
            p = float(room.detection_probability(count))
            assert abs(fired.mean() - p) <= 4.5 * np.sqrt(p * (1 - p) / len(fired))


def test_flips_come_after_the_sensors():
    room = Room.default(6, 5)
    scenes = paper_scenes(room)
    clean = simulate_scenes(room, scenes, 50, n_measurements=4, random_state=2)
    noisy = simulate_scenes(room, scenes, 50, n_measurements=4, n_flips=3, random_state=2)
    np.testing.assert_array_equal(clean.X, noisy.X)
    assert set(np.unique(4 * clean.X)) <= {0, 1, 2, 3, 4}
    np.testing.assert_array_equal((clean.Y != noisy.Y).sum(axis=1), 3)
    assert noisy.label_names[:2] == ("r1c1", "r1c2")


def test_errors():
    room = Room.default(3)
    with pytest.raises(ValueError, match=r"Got most=10, .*room .*only 9 places .*stand"):
        people_scenes(room, most=10)
    with pytest.raises(ValueError, match=r"Got most=0, .*expected .*integer .*least 1"):
        people_scenes(room, most=0)
    with pytest.raises(ValueError, match=r"Got prior .*shape \(2,\), .*expected .*4 scenes"):
        Scenes(sparse.csr_array(np.eye(4)), np.full(2, 0.5), True)
    with pytest.raises(ValueError, match=r"Got .*prior .*sum 2, .*expected probabilities .*sum .*1"):
        Scenes(sparse.csr_array(np.eye(2)), np.ones(2), True)
    with pytest.raises(ValueError, match=r"Got n_flips=10, .*room .*only 9 tiles"):
        simulate_scenes(room, paper_scenes(room), 2, n_flips=10)
    with pytest.raises(ValueError, match=r"Got Y .*9 columns, .*expected .*16 tiles"):
        simulate_scenes(Room.default(4), paper_scenes(room), 2)


@pytest.mark.parametrize("most", [1, 2])
def test_a_set_includes_its_scenes_and_no_others(most):
    scenes = people_scenes(Room.default(3), most=most)
    for tiles in product((0, 1), repeat=9):
        assert scenes.includes(np.array(tiles)) == (1 <= sum(tiles) <= most)
