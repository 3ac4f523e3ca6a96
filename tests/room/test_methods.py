"""Methods that learn the room from data."""

import numpy as np
import pytest

from trellislib import ClassifierTrellis
from trellislib.data.room import Room
from trellislib.data.room_scenes import paper_scenes, simulate_scenes
from trellislib.room.estimate import map_estimate
from trellislib.room.methods import fit_room_methods
from trellislib.running.progress import CancelledError

ROOM = Room.default(6, 9)


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
