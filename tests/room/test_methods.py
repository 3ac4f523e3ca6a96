"""Methods that learn the room from data."""

import numpy as np
import pytest

from trellislib import ClassifierTrellis, Logistic
from trellislib.data.room import Room
from trellislib.data.room_scenes import paper_scenes, people_scenes, simulate_scenes
from trellislib.inference import GibbsSampling
from trellislib.labels.matrices import dense
from trellislib.room.estimate import map_estimate
from trellislib.room.methods import fit_room_methods
from trellislib.running.progress import CancelledError

ROOM = Room.default(6, 9)


@pytest.mark.parametrize("placement", ["tiles", "hill-climbing"])
def test_estimates(placement):
    data = simulate_scenes(ROOM, paper_scenes(ROOM), 300, random_state=0)
    fitted = fit_room_methods(ROOM, data, placement=placement, random_state=0)
    found = fitted.infer(data.X[0]).probabilities
    assert list(found) == ["IC", "CT", "CDT", "MAP"]
    for estimate in found.values():
        assert estimate.shape == (36,)
        assert ((estimate >= 0) & (estimate <= 1)).all()
    np.testing.assert_array_equal(found["MAP"], map_estimate(ROOM, data.X[:1])[0])
    alone = ClassifierTrellis(
        width=6, placement=list(range(36)) if placement == "tiles" else placement, random_state=0
    ).fit(*data.arrays())
    np.testing.assert_allclose(found["CT"], alone.predict_proba(data.X[:1])[0])


@pytest.mark.parametrize("decide", [None, "accuracy"])
def test_decisions_are_what_methods_predict(decide):
    data = simulate_scenes(ROOM, people_scenes(ROOM, most=2), 200, random_state=0)
    fitted = fit_room_methods(ROOM, data, estimator=Logistic(), decide=decide, random_state=0)
    decided = fitted.infer(data.X[0]).decided
    assert list(decided) == ["IC", "CT", "CDT", "MAP"]
    for name, method in fitted.methods.items():
        assert (repr(method.estimator), method.decide) == ("Logistic()", decide)
        np.testing.assert_array_equal(decided[name], dense(method.predict(data.X[:1]))[0])
    np.testing.assert_array_equal(decided["MAP"], map_estimate(ROOM, data.X[:1])[0] > 0.5)


def test_a_reading_is_sampled_once(monkeypatch):
    data = simulate_scenes(ROOM, people_scenes(ROOM, most=2), 50, random_state=0)
    fitted = fit_room_methods(ROOM, data, decide="accuracy", n_sweeps=20, random_state=0)
    infer, n_inferred = GibbsSampling.infer, []
    monkeypatch.setattr(GibbsSampling, "infer", lambda *given: n_inferred.append(1) or infer(*given))
    found = fitted.infer(data.X[0])
    assert len(n_inferred) == 1
    np.testing.assert_array_equal(found.probabilities["CDT"], fitted.methods["CDT"].predict_proba(data.X[:1])[0])


def test_more_people_are_found_where_methods_decide_for_accuracy():
    scenes = people_scenes(ROOM, most=2)
    data, new = (simulate_scenes(ROOM, scenes, n, random_state=seed) for n, seed in ((400, 0), (100, 1)))
    X, people = new.X, dense(new.Y) == 1  # of a single tile each
    found = {}
    for decide in (None, "accuracy"):
        fitted = fit_room_methods(ROOM, data, estimator=Logistic(), decide=decide, n_sweeps=20, random_state=0)
        found[decide] = {name: dense(method.predict(X))[people].mean() for name, method in fitted.methods.items()}
    for name, share in found["accuracy"].items():
        assert share > 2 * found[None][name]


def test_progress_and_cancel():
    data = simulate_scenes(ROOM, paper_scenes(ROOM), 100, random_state=0)
    shares = []
    fit_room_methods(ROOM, data, random_state=0, progress=lambda done, total, what: shares.append(done / total))
    assert shares == sorted(shares)
    assert shares[-1] == 1
    with pytest.raises(CancelledError):
        fit_room_methods(ROOM, data, cancelled=lambda: True)


def test_other_placements_and_data_of_other_rooms_are_refused():
    data = simulate_scenes(ROOM, paper_scenes(ROOM), 20, random_state=0)
    with pytest.raises(ValueError, match=r"Got placement='random', .*expected .*tiles, hill-climbing"):
        fit_room_methods(ROOM, data, placement="random")
    with pytest.raises(ValueError, match=r"Got data .*9 features .*36 labels, .*expected .*30"):
        fit_room_methods(Room.default(6), data)


def test_sweeps_are_those_of_cdt():
    data = simulate_scenes(ROOM, paper_scenes(ROOM), 50, random_state=0)
    inference = fit_room_methods(ROOM, data, n_sweeps=200, random_state=0).methods["CDT"].inference_
    assert (inference.n_iterations, inference.n_burn_in) == (200, 20)
