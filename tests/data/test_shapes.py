"""The shapes of the paper's first example."""

import numpy as np
import pytest

from trellislib.data import simulate_shapes
from trellislib.data.shapes import CENTRES, RING, SHAPES, SHARES

KINDS = list(SHAPES)


def test_without_overlap_every_shape_is_at_its_centre():
    data = simulate_shapes(100, overlap=0, random_state=1)
    where = {KINDS[kind]: tuple(CENTRES[kind]) for kind in range(4)}
    assert all(tuple(x) == where[tuple(y)] for x, y in zip(data.X, data.Y.tolist(), strict=True))


def test_kinds_come_in_their_shares():
    Y = simulate_shapes(20_000, random_state=2).Y
    for kind, share in zip(KINDS, SHARES, strict=True):
        observed = (kind == Y).all(axis=1).mean()
        assert abs(observed - share) < 4 * np.sqrt(share * (1 - share) / len(Y))


def test_overlap_is_the_deviation_of_a_cloud():
    narrow, wide = (simulate_shapes(5_000, overlap=overlap, random_state=3) for overlap in (0.0, 0.7))
    assert (narrow.Y == wide.Y).all()
    assert (wide.X - narrow.X).std() == pytest.approx(0.7, rel=0.03)


def test_a_higher_value_lies_further_out():
    data = simulate_shapes(500, overlap=0, n_values=4, random_state=4)
    values = data.Y.max(axis=1)
    assert set(values.tolist()) == {1, 2, 3}
    assert np.linalg.norm(data.X, axis=1) == pytest.approx(1 + RING * (values - 1))
    assert set(map(tuple, (data.Y > 0).astype(int).tolist())) == set(KINDS)
    assert data.label_values == (("0", "1", "2", "3"),) * 3


def test_a_seed_gives_the_same_again():
    one, other = (simulate_shapes(50, random_state=5) for _ in range(2))
    assert (one.X == other.X).all()
    assert (one.Y == other.Y).all()
    assert (one.X != simulate_shapes(50, random_state=6).X).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_instances": 0}, r"Got n_instances=0, .*expected .*integer .*least 1"),
        ({"n_values": 1}, r"Got n_values=1, .*expected .*integer .*least 2"),
        ({"overlap": -0.1}, r"Got overlap=-0.1, .*expected .*finite number .*least 0"),
        ({"overlap": np.nan}, "Got overlap=nan"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        simulate_shapes(**arguments)
