"""Methods that learn the room beside those that know it."""

import numpy as np
import pandas as pd
import pytest

from trellislib import ClassifierTrellis
from trellislib import room_comparison as module
from trellislib.data.room import Room
from trellislib.data.room_scenes import paper_scenes, people_scenes, simulate_scenes
from trellislib.progress import CancelledError
from trellislib.room_comparison import compare_room, fit_room_methods, paper_sizes
from trellislib.room_estimate import map_estimate

ROOM = Room.default(6, 9)


def test_table():
    scores = compare_room(ROOM, people_scenes(ROOM, most=2), n_training=400, n_test=2_000)
    assert scores.index.tolist() == ["IC", "CT", "CDT", "MAP", "Optimum"]
    for measure in ("accuracy", "hamming_score", "exact_match"):
        gaps = scores[f"gap {measure}"]
        np.testing.assert_allclose(gaps, scores.at["Optimum", measure] - scores[measure])
        assert gaps["Optimum"] == 0
        assert gaps.min() >= -0.005  # on these 2,000 scenes; on average none is below 0
    assert scores.at["MAP", "gap hamming_score"] > 0
    assert (scores[["train_seconds", "test_seconds"]] >= 0).all(axis=None)
    assert scores.loc[["MAP", "Optimum"], "train_seconds"].tolist() == [0, 0]


def test_a_seed_gives_the_same_scores():
    arguments = {"n_training": 100, "n_test": 100, "n_measurements": 2, "n_flips": 1, "random_state": 3}
    first, second = (compare_room(ROOM, paper_scenes(ROOM), **arguments) for _ in range(2))
    timed = ["train_seconds", "test_seconds"]
    assert first.drop(columns=timed).equals(second.drop(columns=timed))


@pytest.mark.parametrize("placement", ["tiles", "hill-climbing"])
def test_estimates(placement):
    data = simulate_scenes(ROOM, paper_scenes(ROOM), 300, random_state=0)
    fitted = fit_room_methods(ROOM, data, placement=placement, random_state=0)
    found = fitted.estimates(data.X[0])
    assert list(found) == ["IC", "CT", "CDT", "MAP"]
    for estimate in found.values():
        assert estimate.shape == (36,)
        assert ((estimate >= 0) & (estimate <= 1)).all()
    np.testing.assert_array_equal(found["MAP"], map_estimate(ROOM, data.X[:1])[0])
    alone = ClassifierTrellis(
        width=6, placement=list(range(36)) if placement == "tiles" else placement, random_state=0
    ).fit(*data.arrays())
    np.testing.assert_allclose(found["CT"], alone.predict_proba(data.X[:1])[0])


def test_progress_and_cancel():
    data = simulate_scenes(ROOM, paper_scenes(ROOM), 100, random_state=0)
    told = []
    fit_room_methods(ROOM, data, random_state=0, progress=lambda done, total, what: told.append(done / total))
    assert told == sorted(told)
    assert told[-1] == 1
    with pytest.raises(CancelledError):
        fit_room_methods(ROOM, data, cancelled=lambda: True)
    with pytest.raises(CancelledError):
        compare_room(ROOM, paper_scenes(ROOM), n_training=50, n_test=50, cancelled=lambda: True)


def test_sizes():
    assert paper_sizes(100, 0.001) == (33, 17)
    assert paper_sizes(20, 1e-9) == (1, 1)


def test_errors():
    data = simulate_scenes(ROOM, paper_scenes(ROOM), 20, random_state=0)
    with pytest.raises(ValueError, match="Got placement='random', but expected one of tiles, hill-climbing"):
        fit_room_methods(ROOM, data, placement="random")
    with pytest.raises(ValueError, match="Got data of 9 features and 36 labels, but expected one for each of 30"):
        fit_room_methods(Room.default(6), data)


def test_a_comparison_tells_how_far_it_is_and_stops_within_the_prediction_of_cdt(monkeypatch):
    monkeypatch.setattr(module, "BLOCK_CELLS", 36 * 10)
    arguments = {"n_training": 50, "n_test": 40, "n_sweeps": 20}
    told = []
    whole = compare_room(ROOM, paper_scenes(ROOM), **arguments, progress=lambda *said: told.append(said))
    shares = [done / total for done, total, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    by_cdt = [n for n, (_, _, what) in enumerate(told) if what == "instances by CDT"]
    assert len(by_cdt) == 4
    assert shares[by_cdt[-1]] - shares[by_cdt[0]] > 0.4  # it is most of the work

    told.clear()
    with pytest.raises(CancelledError):
        compare_room(
            ROOM,
            paper_scenes(ROOM),
            **arguments,
            progress=lambda *said: told.append(said),
            cancelled=lambda: sum(what == "instances by CDT" for _, _, what in told) == 2,
        )
    assert told[-1][2] == "instances by CDT"

    monkeypatch.undo()
    timed = ["train_seconds", "test_seconds"]
    pd.testing.assert_frame_equal(
        whole.drop(columns=timed), compare_room(ROOM, paper_scenes(ROOM), **arguments).drop(columns=timed)
    )


def test_sweeps_are_those_of_cdt():
    data = simulate_scenes(ROOM, paper_scenes(ROOM), 50, random_state=0)
    inference = fit_room_methods(ROOM, data, n_sweeps=200, random_state=0).methods["CDT"].inference_
    assert (inference.n_iterations, inference.n_burn_in) == (200, 20)
