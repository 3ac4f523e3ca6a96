"""Lamps and people: labels that need depth, and labels that depend on each other."""

import numpy as np
import pytest

from trellislib.data import simulate_lamps
from trellislib.data.lamps import SHARE

N = 20_000
NEAR = 4 * np.sqrt(0.25 / N)  # four standard errors of a share at most


def test_without_overlap_features_say_how_many_lamps_are_on():
    data = simulate_lamps(300, overlap=0, random_state=0)
    n_on = (data.X == 1).sum(axis=1)
    assert set(np.unique(data.X)) == {-1, 1}
    assert (data.Y[:, :3] == np.column_stack([n_on > 0, n_on == 2, n_on == 1])).all()


def test_overlap_is_the_deviation_of_the_brightness():
    narrow, wide = (simulate_lamps(N, overlap=overlap, random_state=3) for overlap in (0.0, 0.7))
    assert (narrow.Y == wide.Y).all()
    assert (wide.X - narrow.X).std() == pytest.approx(0.7, rel=0.03)


@pytest.mark.parametrize("dependence", [0.0, 0.5, 1.0])
def test_people_are_there_as_often_whatever_their_dependence(dependence):
    data = simulate_lamps(N, dependence=dependence, random_state=1)
    ann, bob = data.Y[:, 3:].T
    assert (ann.mean(), bob.mean()) == pytest.approx((SHARE, SHARE), abs=NEAR)
    assert (ann & bob).mean() == pytest.approx((1 - dependence) * SHARE**2, abs=NEAR)
    assert abs(np.corrcoef(data.Y[:, 3:], data.X, rowvar=False)[:2, 2:]).max() < 4 / np.sqrt(N)


def test_dependence_changes_bob_alone():
    none, whole = (simulate_lamps(500, dependence=dependence, random_state=2) for dependence in (0, 1))
    assert (none.X == whole.X).all()
    assert (none.Y[:, :4] == whole.Y[:, :4]).all()
    assert (none.Y[:, 4] != whole.Y[:, 4]).any()


def test_a_seed_gives_the_same_again():
    one, same, other = (simulate_lamps(50, random_state=seed) for seed in (5, 5, 6))
    assert (one.X == same.X).all()
    assert (one.Y == same.Y).all()
    assert (one.X != other.X).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_instances": 0}, r"Got n_instances=0, .*expected .*integer .*least 1"),
        ({"overlap": -0.1}, r"Got overlap=-0.1, .*expected .*finite number .*least 0"),
        ({"overlap": np.nan}, "Got overlap=nan"),
        ({"dependence": 1.1}, r"Got dependence=1.1, .*expected .*from 0 to 1"),
        ({"dependence": np.nan}, "Got dependence=nan"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_lamps(**arguments)
