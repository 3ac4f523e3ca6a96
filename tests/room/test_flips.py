"""Flips of the room's tiles: by brute force over all of them."""

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse

from trellislib.metrics import accuracy
from trellislib.room.flips import FlippedScenes, JaccardAfterFlips, after_flips, can_be_listed


def flips(tiles, n_flips):
    """Return the tiles after every choice of flips, of shape (n_ways, n_labels)."""
    every = [np.isin(np.arange(len(tiles)), chosen) for chosen in combinations(range(len(tiles)), n_flips)]
    return np.array(every) ^ np.asarray(tiles, dtype=bool)


@pytest.mark.parametrize("n_flips", range(7))
def test_expected_jaccard_index(n_flips):
    rng = np.random.default_rng(n_flips)
    for n_decided in range(7):
        decided = np.arange(6) < n_decided
        scenes = rng.random((12, 6)) < rng.random((12, 1))
        found = JaccardAfterFlips(6, n_flips, most=6).expected(
            n_decided, (scenes & decided).sum(axis=1), scenes.sum(axis=1)
        )
        for scene, value in zip(scenes, found, strict=True):
            after = flips(scene, n_flips).astype(int)
            assert value == pytest.approx(accuracy(after, np.tile(decided, (len(after), 1)).astype(int)))


@pytest.mark.parametrize("n_flips", range(6))
def test_most_probable_set(n_flips):
    rng = np.random.default_rng(n_flips)
    scenes = np.unique(rng.random((8, 5)) < 0.4, axis=0)
    weights = rng.dirichlet(np.ones(len(scenes)), size=20)
    decided = FlippedScenes(sparse.csr_array(scenes.astype(np.int8)), n_flips).most_probable(weights)
    for row, tiles in zip(weights, decided, strict=True):
        p = {}
        for scene, weight in zip(scenes, row, strict=True):
            after = flips(scene, n_flips)
            for each in after:
                p[tuple(each.tolist())] = p.get(tuple(each.tolist()), 0) + weight / len(after)
        assert p[tuple((tiles == 1).tolist())] == pytest.approx(max(p.values()))


@pytest.mark.parametrize("n_flips", [0, 2, 4])
def test_marginals_after_flips(n_flips):
    np.testing.assert_allclose(
        after_flips(np.array([1.0, 0, 0, 1]), n_flips), flips([1, 0, 0, 1], n_flips).mean(axis=0)
    )


def test_scenes_can_be_listed_by_their_ways_and_bytes():
    tiles = sparse.csr_array(np.eye(8, dtype=np.int8))
    assert all(can_be_listed(tiles, n_flips) for n_flips in range(9))
    assert not can_be_listed(sparse.csr_array((9_000, 10_000), dtype=np.int8), 1)
    assert can_be_listed(sparse.csr_array((9_000, 10_000), dtype=np.int8), 0)
    with pytest.raises(ValueError, match=r"Got n_flips=2, .*expected .*few flips .*all .*make .*400 "):
        FlippedScenes(sparse.csr_array((400, 400), dtype=np.int8), 2)
