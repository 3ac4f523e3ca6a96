"""The best decisions on the room, compared with all possible decisions."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from trellislib.data.room import Room
from trellislib.data.room_scenes import Scenes, paper_scenes, people_scenes, simulate_scenes
from trellislib.room import posterior
from trellislib.room.decisions import MAXIMIZED, BestDecisions, OptimalEstimator
from trellislib.room.estimate import MapEstimator

SETS = np.array(list(product((0, 1), repeat=9)))  # all decisions on a room 3 tiles wide
CODE = 2 ** np.arange(8, -1, -1)


def values():
    """Return how good each set of tiles is where each is true."""
    equal = SETS[:, None] == SETS
    common, union = SETS @ SETS.T, (SETS[:, None] | SETS).sum(axis=2)
    return {
        "hamming_score": equal.mean(axis=2),
        "exact_match": equal.all(axis=2).astype(float),
        "accuracy": np.divide(common, union, out=np.ones(union.shape), where=union > 0),
    }


def joint(room, scenes, X, n_flips):
    """Return p(x, y) of readings and of all sets of tiles, after every choice of flips."""
    truths = scenes.tiles.toarray().astype(int)
    fires = room.detection_probability(truths @ room.zones().T.astype(int))
    before = np.array([np.where(x == 1, fires, 1 - fires).prod(axis=1) * scenes.prior for x in X])
    every = list(combinations(range(9), n_flips))
    found = np.zeros((len(X), 512))
    for flipped in every:
        after = truths.copy()
        after[:, list(flipped)] ^= 1
        np.add.at(found.T, after @ CODE, before.T / len(every))
    return found


def expected(p, value, decided):
    return float((p * value[np.asarray(decided).astype(int) @ CODE]).sum())


def decided(room, scenes, X, n_flips, measure):
    blocks = BestDecisions(room, scenes, n_flips=n_flips).of(X, (measure,))
    return np.vstack([block[measure] for block in blocks])


@pytest.mark.parametrize("n_flips", [0, 1, 2, 3, 5, 8, 9])
def test_no_other_decisions_are_better_on_average(n_flips):
    """All 512 decisions for each of the 8 readings of three sensors, over all scenes and all flips."""
    room = Room.default(3, 3, 0.2, 0.1)
    scenes = people_scenes(room, most=2)
    X, Y = np.array(list(product((0, 1), repeat=3))), np.zeros((8, 9), dtype=int)
    p = joint(room, scenes, X, n_flips)
    by_sensors = MapEstimator(room).fit(X, Y).predict(X)
    for measure, value in values().items():
        best = float((p @ value.T).max(axis=1).sum())
        reached = expected(p, value, decided(room, scenes, X, n_flips, measure))
        assert reached == pytest.approx(best, abs=0.01 if measure == "accuracy" else 1e-12)
        assert reached <= best + 1e-12
        assert reached >= expected(p, value, by_sensors) - 1e-12


def test_most_probable_after_a_flip_by_hand():
    # The sensor is pure chance, and one of four tiles flips: each scene gives four sets. Of {1} and of {2} these have
    # .075 each, but both give {} and {1, 2}, which have .15. Of {3, 4}, the most probable scene, they have .1 each.
    room = Room(2, np.array([[0.0, 10.0]]), np.array([[2.5, 0.0], [7.5, 0.0]]), 0.5, 0.5)
    tiles = sparse.csr_array(np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]], dtype=np.int8))
    scenes = Scenes(tiles, np.array([0.3, 0.3, 0.4]), True)
    [best] = BestDecisions(room, scenes, n_flips=1).of(np.array([[0.0]]), ("exact_match",))
    assert best["exact_match"].tolist() in ([[0, 0, 0, 0]], [[1, 1, 0, 0]])


def test_all_measures_at_once_are_those_of_each_alone():
    room = Room.default(4, 5)
    scenes = people_scenes(room, most=2)
    X = simulate_scenes(room, scenes, 30, n_flips=1, random_state=0).X
    [together] = BestDecisions(room, scenes, n_flips=1).of(X)
    assert list(together) == list(MAXIMIZED)
    for measure, tiles in together.items():
        np.testing.assert_array_equal(tiles, decided(room, scenes, X, 1, measure))


@pytest.mark.parametrize("measure", MAXIMIZED)
def test_blocks_change_nothing(monkeypatch, measure):
    room = Room.default(3, 4)
    scenes = people_scenes(room)
    X = np.array(list(product((0, 1), repeat=4)))
    whole = decided(room, scenes, X, 1, measure)
    monkeypatch.setattr(posterior, "BLOCK_CELLS", 3 * len(scenes.prior))
    np.testing.assert_array_equal(whole, decided(room, scenes, X, 1, measure))


def test_too_many_flips_to_list_are_refused():
    room = Room.default(20)
    scenes = paper_scenes(room)
    for n_flips, measures in ((0, MAXIMIZED), (1, MAXIMIZED), (4, ("hamming_score", "accuracy"))):
        assert BestDecisions(room, scenes, n_flips=n_flips).measures == measures
    with pytest.raises(ValueError, match=r"n_flips=4.* 359 scenes"):
        decided(room, scenes, np.zeros((1, 30)), 4, "exact_match")


def test_more_flips_than_half_turn_every_decision():
    room = Room.default(4, 3)
    scenes = people_scenes(room, most=1)
    X = np.zeros((1, 3))
    assert decided(room, scenes, X, 16, "hamming_score").tolist() == [[1] * 16]
    assert decided(room, scenes, X, 1, "hamming_score").sum() == 0


def test_scenes_of_another_room_are_refused():
    with pytest.raises(ValueError, match=r"Got scenes .*25 tiles, .*room .*16"):
        BestDecisions(Room.default(4, 3), paper_scenes(Room.default(5)))


def test_people_of_more_tiles_than_a_byte_counts_are_not_lost():
    """Two people of 100 tiles each, whom errorless sensors detect: the scene is known, and is decided."""
    room = Room.default(100, 30, 0.0, 0.0)
    tiles = np.zeros((3, 100, 100), dtype=np.int8)
    tiles[1:, 20:30, 45:55] = 1
    tiles[1:, 60:70, 45:55] = 1
    tiles[2, 0, 0] = 1  # in the shadow
    scenes = Scenes(sparse.csr_array(tiles.reshape(3, -1)), np.array([0.2, 0.4, 0.4]), is_complete=True)
    X = room.observe(tiles[1].reshape(1, -1), 1, np.random.default_rng(0))
    [best] = BestDecisions(room, scenes).of(X, ("accuracy",))
    assert best["accuracy"][0].tolist() == tiles[1].ravel().tolist()


@pytest.mark.parametrize("measure", MAXIMIZED)
def test_the_estimator_predicts_the_best_decisions(measure):
    room = Room.default(6, 8)
    scenes = paper_scenes(room)
    X, Y = simulate_scenes(room, scenes, 40, random_state=0).arrays()
    predicted = clone(OptimalEstimator(room, scenes, maximize=measure)).fit(X, Y).predict(X)
    assert isinstance(predicted, sparse.csr_array)
    assert predicted.dtype == Y.dtype
    np.testing.assert_array_equal(predicted.toarray(), decided(room, scenes, X, 0, measure))


def test_the_estimator_refuses_a_score_that_it_cannot_maximize():
    room = Room.default(20)
    X, Y = np.zeros((1, 30)), np.zeros((1, 400), dtype=int)
    with pytest.raises(ValueError, match="maximize='f1'"):
        OptimalEstimator(room, paper_scenes(room), maximize="f1").fit(X, Y)
    with pytest.raises(ValueError, match="maximize='exact_match'"):
        OptimalEstimator(room, paper_scenes(room), n_flips=4, maximize="exact_match").fit(X, Y)
