"""Random numbers of each instance's own, which do not depend on the instances around it.

The numbers are a function of a seed, of the instance's features, and of a place: which label is drawn, in which turn.
Instances that are predicted together thus share no luck, and each is predicted as it would be alone. Instances with
equal features have equal numbers, and with them equal predictions.

The generator is SplitMix64: a counter goes up in steps of an odd constant, and each of its values is mixed. An
instance's counter starts where its key says, which is a digest of its features mixed with the seed.

References
----------
Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. Salmon et al., "Parallel random
numbers: as easy as 1, 2, 3", SC 2011, on generators of numbers by their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from trellislib.typing import Matrix

STEP = np.uint64(0x9E3779B97F4A7C15)
FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
CELLS = 2**16  # of dense features whose digests are computed at a time: they stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Draws:
    """The random numbers of some instances.

    Attributes
    ----------
    X : {ndarray, csr_array} of shape (n_instances, n_features)
        Their features.
    seed : int
        Seed of all numbers.

    Examples
    --------
    An instance has its numbers wherever it stands, dense or sparse.

    >>> X = np.array([[0.0, 1.5], [2.0, 0.0]])
    >>> both = Draws(X, seed=3).uniforms(0, [0, 1, 2])
    >>> bool((Draws(sparse.csr_array(X[[1]]), seed=3).uniforms(0, [0, 1, 2]) == both[:, [1]]).all())
    True
    """

    X: Matrix
    seed: int = 0

    @classmethod
    def of_places(cls, n_instances: int, seed: int = 0) -> Draws:
        """Return the numbers of instances by their places, whatever their features."""
        return cls(np.arange(1.0, n_instances + 1)[:, None], seed)

    @cached_property
    def keys(self) -> np.ndarray:
        """Where the counter of each instance starts, (n_instances,)."""
        return _mixed(_digests(self.X) ^ _mixed(np.array([self.seed], dtype=np.uint64) + STEP))

    def uniforms(self, turn: int, labels: Sequence[int]) -> np.ndarray:
        """Return uniform numbers from 0 to 1, (len(labels), n_instances), for some labels in a turn."""
        places = (np.uint64(turn) << np.uint64(32)) + np.asarray(labels, dtype=np.uint64) + np.uint64(1)
        mixed = _mixed(self.keys + (places * STEP)[:, None])
        return (mixed >> np.uint64(11)) * 2.0**-53


def _mixed(z: np.ndarray) -> np.ndarray:
    """Mix 64-bit numbers, in place: each of their bits has a say in all of the result."""
    for shift, factor in zip(SHIFTS, FACTORS, strict=False):
        z ^= z >> shift
        z *= factor
    z ^= z >> SHIFTS[-1]
    return z


def _digests(X: Matrix) -> np.ndarray:
    """Return a digest of each row, (n_instances,): the sum of what its cells other than 0 are mixed to."""
    of_column = _mixed(np.arange(1, X.shape[1] + 1, dtype=np.uint64) * STEP)
    if sparse.issparse(X):
        X = _without_duplicates(sparse.csr_array(X))
        sums = np.concatenate([np.zeros(1, dtype=np.uint64), _of_cells(X.data, of_column[X.indices]).cumsum()])
        return sums[X.indptr[1:]] - sums[X.indptr[:-1]]
    digests = np.empty(X.shape[0], dtype=np.uint64)
    n_rows = max(CELLS // max(X.shape[1], 1), 1)
    for first in range(0, X.shape[0], n_rows):
        rows = slice(first, first + n_rows)
        digests[rows] = _of_cells(X[rows], of_column).sum(axis=1)
    return digests


def _of_cells(values: np.ndarray, of_column: np.ndarray) -> np.ndarray:
    """Return what each value in its column is mixed to; 0 for 0, which sparse rows leave out."""
    values = np.ascontiguousarray(values, dtype=np.float64)
    mixed = _mixed(values.view(np.uint64) ^ of_column)
    mixed[values == 0] = 0
    return mixed


def _without_duplicates(X: sparse.csr_array) -> sparse.csr_array:
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X
