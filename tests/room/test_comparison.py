"""Methods that learn the room, compared with those that know it."""

import pandas as pd
import pytest

from trellislib import Logistic
from trellislib.data.room import Room
from trellislib.data.room_scenes import paper_scenes, people_scenes
from trellislib.room import comparison as module
from trellislib.room.comparison import compare_room, paper_sizes
from trellislib.running.progress import CancelledError

ROOM = Room.default(6, 9)


@pytest.mark.parametrize("n_flips", [0, 1])
def test_the_optimum_is_best_and_only_methods_that_learn_take_time_to_train(n_flips):
    scores = compare_room(ROOM, people_scenes(ROOM, most=2), n_training=400, n_test=2_000, n_flips=n_flips, n_sweeps=10)
    assert scores.index.tolist() == ["IC", "CT", "CDT", "MAP", "Optimum"]
    for measure in ("accuracy", "hamming_score", "exact_match"):
        assert scores[f"gap {measure}"].min() >= -0.005  # on these 2,000 scenes; on average none is below 0
    assert scores.at["MAP", "gap hamming_score"] > 0
    assert (scores[["train_seconds", "test_seconds"]] >= 0).all(axis=None)
    assert scores.loc[["MAP", "Optimum"], "train_seconds"].tolist() == [0, 0]


def test_an_optimum_that_is_not_known_is_nan():
    room = Room.default(20, 5)
    scores = compare_room(room, paper_scenes(room), n_training=20, n_test=20, n_flips=4, n_sweeps=10)
    assert scores["gap exact_match"].isna().all()
    assert scores["exact_match"].isna().tolist() == [False] * 4 + [True]
    assert scores[["accuracy", "hamming_score"]].notna().all(axis=None)


def test_a_seed_gives_the_same_scores():
    arguments = {"n_training": 100, "n_test": 100, "n_measurements": 2, "n_flips": 1, "random_state": 3}
    first, second = (compare_room(ROOM, paper_scenes(ROOM), **arguments) for _ in range(2))
    timed = ["train_seconds", "test_seconds"]
    assert first.drop(columns=timed).equals(second.drop(columns=timed))


def test_methods_that_decide_for_accuracy_are_more_accurate():
    scenes = people_scenes(ROOM, most=2)
    at_half, for_accuracy = (
        compare_room(ROOM, scenes, n_training=300, n_test=300, estimator=Logistic(), decide=decide, n_sweeps=20)
        for decide in (None, "accuracy")
    )
    learnt = ["IC", "CT", "CDT"]
    assert (for_accuracy.loc[learnt, "accuracy"] > at_half.loc[learnt, "accuracy"]).all()
    assert for_accuracy.at["MAP", "accuracy"] == at_half.at["MAP", "accuracy"]


def test_cancel():
    with pytest.raises(CancelledError):
        compare_room(ROOM, paper_scenes(ROOM), n_training=50, n_test=50, cancelled=lambda: True)


def test_sizes_of_the_paper():
    assert paper_sizes(100, 0.001) == (33, 17)
    assert paper_sizes(20, 1e-9) == (1, 1)


def test_a_comparison_reports_its_progress_and_stops_within_the_prediction_of_cdt(monkeypatch):
    monkeypatch.setattr(module, "BLOCK_CELLS", 36 * 10)
    arguments = {"n_training": 50, "n_test": 40, "n_sweeps": 20}
    reports = []
    whole = compare_room(ROOM, paper_scenes(ROOM), **arguments, progress=lambda *report: reports.append(report))
    shares = [done / total for done, total, _ in reports]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    by_cdt = [n for n, (_, _, what) in enumerate(reports) if what == "instances by CDT"]
    assert len(by_cdt) == 4
    assert shares[by_cdt[-1]] - shares[by_cdt[0]] > 0.4  # it is most of the work

    reports.clear()
    with pytest.raises(CancelledError):
        compare_room(
            ROOM,
            paper_scenes(ROOM),
            **arguments,
            progress=lambda *report: reports.append(report),
            cancelled=lambda: sum(what == "instances by CDT" for _, _, what in reports) == 2,
        )
    assert reports[-1][2] == "instances by CDT"

    monkeypatch.undo()
    timed = ["train_seconds", "test_seconds"]
    pd.testing.assert_frame_equal(
        whole.drop(columns=timed), compare_room(ROOM, paper_scenes(ROOM), **arguments).drop(columns=timed)
    )
