"""Scenes of the room after flips: of distinct tiles, uniformly at random, after the sensors have observed.

A scene that is known before the flips is then one of C(L, m) sets of tiles, each as probable as the others.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from scipy import sparse
from scipy.special import gammaln

MOST_BYTES = 2**24
"""Bytes, of 8 tiles each, up to which all scenes after the flips are listed."""

UNLIKELY = 1e-12  # numbers of flips among the decided tiles that are left out


def after_flips(marginals: np.ndarray, n_flips: int) -> np.ndarray:
    """Return the probabilities of tiles to be occupied after the flips, from those before, (..., n_labels) each.

    Examples
    --------
    >>> after_flips(np.array([0.0, 0.5, 1.0, 0.25]), 1).tolist()
    [0.25, 0.5, 0.75, 0.375]
    """
    share = n_flips / marginals.shape[-1]
    return np.clip(marginals * (1 - 2 * share) + share, 0, 1)  # rounding may pass 1


def can_be_listed(tiles: sparse.csr_array, n_flips: int) -> bool:
    """Return whether all scenes after the flips are few enough to be listed, from their tiles, (n_scenes, n_labels).

    Examples
    --------
    >>> tiles = sparse.csr_array(np.eye(400, dtype=np.int8))
    >>> can_be_listed(tiles, 1), can_be_listed(tiles, 4)
    (True, False)
    """
    n_scenes, n_labels = tiles.shape
    return n_scenes * comb(n_labels, n_flips) * -(-n_labels // 8) <= MOST_BYTES


class FlippedScenes:
    """All sets of occupied tiles after flips, with the probability of each given the scene before.

    Parameters
    ----------
    tiles : csr_array of shape (n_scenes, n_labels)
        Occupied tiles of each scene, few enough for `can_be_listed`.
    n_flips : int
        Tiles that flip.

    Raises
    ------
    ValueError
        If they are too many to list.

    Examples
    --------
    Of two tiles one flips, so either scene gives the empty set or both.

    >>> scenes = sparse.csr_array(np.array([[1, 0], [0, 1]]))
    >>> FlippedScenes(scenes, 1).most_probable(np.array([[0.5, 0.5]])).tolist()
    [[0, 0]]
    """

    def __init__(self, tiles: sparse.csr_array, n_flips: int):
        n_scenes, self._n_labels = tiles.shape
        if not can_be_listed(tiles, n_flips):
            raise ValueError(
                f"Got n_flips={n_flips}, but expected so few flips that all they can make of {n_scenes:,} scenes can "
                "be listed."
            )
        n_ways = comb(self._n_labels, n_flips)
        every = chain.from_iterable(combinations(range(self._n_labels), n_flips))
        flipped = np.fromiter(every, dtype=np.int64, count=n_ways * n_flips).reshape(n_ways, n_flips)
        masks = np.zeros((n_ways, self._n_labels), dtype=bool)
        masks[np.arange(n_ways)[:, None], flipped] = True
        found = np.packbits(tiles.toarray() != 0, axis=1)[:, None] ^ np.packbits(masks, axis=1)
        n_bytes = found.shape[-1]
        as_one = found.reshape(-1, n_bytes).view(np.dtype((np.void, n_bytes))).ravel()
        sets, which = np.unique(as_one, return_inverse=True)
        self._sets = sets.view(np.uint8).reshape(-1, n_bytes)
        ends = np.arange(n_scenes + 1) * n_ways
        self._gives = sparse.csr_array((np.full(len(which), 1 / n_ways), which, ends), shape=(n_scenes, len(sets)))

    def most_probable(self, weights: np.ndarray) -> np.ndarray:
        """Return the most probable set of tiles after the flips, as 0 and 1, (n_instances, n_labels).

        The `weights` are the probabilities of the scenes before the flips, (n_instances, n_scenes).
        """
        best = np.concatenate([(row[None] @ self._gives).argmax(axis=1) for row in weights])
        return np.unpackbits(self._sets[best], axis=1, count=self._n_labels)


class JaccardAfterFlips:
    """The expected Jaccard index of a decision and a scene of which tiles flip.

    Of k decided tiles the scene has a, and c others. If j of the m flips are among the decided tiles, these keep
    a + j - 2 j a / k of them on average; how many tiles are outside depends on the other flips alone, so both can be
    averaged by themselves.

    Parameters
    ----------
    n_labels : int
        Tiles of the room.
    n_flips : int
        Tiles that flip.
    most : int
        The most tiles of a scene.

    Examples
    --------
    Of two tiles one is decided, and it is the scene: the flip takes it away, or adds the other.

    >>> float(JaccardAfterFlips(2, 1, most=1).expected(1, np.array([1]), np.array([1]))[0])
    0.25
    """

    def __init__(self, n_labels: int, n_flips: int, most: int):
        self._n_labels, self._n_flips, self._most = n_labels, n_flips, most
        self._terms = cache(self._found)
        self._log_factorials = gammaln(np.arange(n_labels + 1) + 1.0)

    def expected(self, n_decided: int, n_common: np.ndarray, n_occupied: np.ndarray) -> np.ndarray:
        """Return the expected Jaccard index of decided tiles with each of several scenes.

        Parameters
        ----------
        n_decided : int
            Tiles that are decided occupied, k.
        n_common, n_occupied : ndarray of shape (n_scenes,)
            How many of them the scene has before the flips, a, and how many tiles in all, a + c.

        Returns
        -------
        ndarray of shape (n_scenes,)
            From 0 to 1; 1 where neither has any tile.
        """
        if n_decided == 0:  # right only where the flips take away all the scene has, and nothing else
            return (n_occupied == self._n_flips) / float(comb(self._n_labels, self._n_flips))
        slope, constant = self._terms(n_decided)
        outside = (n_occupied - n_common).astype(np.int64)
        return n_common * slope[outside] + constant[outside]

    def _found(self, n_decided: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the two terms by the number c of other tiles of the scene: a times the one, plus the other."""
        n_labels, n_flips, n_rest = self._n_labels, self._n_flips, self._n_labels - n_decided
        n_inside = np.arange(max(0, n_flips - n_rest), min(n_flips, n_decided) + 1)
        p_inside = self._drawn(n_inside, n_decided, n_flips, n_labels)
        likely = p_inside > UNLIKELY
        n_inside, p_inside = n_inside[likely], p_inside[likely]
        c = np.arange(min(self._most, n_rest) + 1)[:, None, None]
        n_outside = (n_flips - n_inside)[:, None]
        taken = np.arange(min(n_flips, c.max()) + 1)
        p_taken = self._drawn(taken, c, n_outside, n_rest)
        union = np.maximum(n_decided + c + n_outside - 2 * taken, 1)
        inverse = (p_taken / union).sum(axis=2)
        return inverse @ (p_inside * (1 - 2 * n_inside / n_decided)), inverse @ (p_inside * n_inside)

    def _drawn(self, n: np.ndarray, n_marked: np.ndarray | int, n_drawn: np.ndarray | int, n_all: int) -> np.ndarray:
        """Return the hypergeometric probability that of some drawn without replacement, n are marked."""
        n, n_marked, n_drawn = np.broadcast_arrays(n, n_marked, n_drawn)
        parts = n, n_marked - n, n_drawn - n, n_all - n_marked - n_drawn + n
        log_p = self._log_factorials[n_marked] + self._log_factorials[n_all - n_marked]
        log_p = log_p + self._log_factorials[n_drawn] + self._log_factorials[n_all - n_drawn]
        log_p = log_p - self._log_factorials[n_all]
        for part in parts:
            log_p = log_p - self._log_factorials[np.maximum(part, 0)]
        return np.where(np.min(parts, axis=0) >= 0, np.exp(log_p), 0.0)
