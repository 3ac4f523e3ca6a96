"""How stable placements are: which pairs of labels come together whatever the seed is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.checks import require_integer
from trellislib.graphs.placement import Offset, Trellis, captured_dependence, trellis


@dataclass(frozen=True)
class Stability:
    """What placements with the seeds 0, 1, 2, ... have in common.

    Attributes
    ----------
    placed : tuple of Trellis
        The placements.
    captured : ndarray of shape (n_seeds,)
        The dependence that each of them captures.
    together : ndarray of shape (n_labels, n_labels)
        The share of the placements in which two labels are tied by an edge, whichever is the parent; symmetric.
    agreement : float
        Mean Jaccard index of the tied pairs of two placements: those in both, divided by those in either. 1 if all
        placements tie the same pairs, or none at all.
    """

    placed: tuple[Trellis, ...]
    captured: np.ndarray
    together: np.ndarray
    agreement: float

    @property
    def best(self) -> int:
        """The seed whose placement captures most, the lower of equal ones."""
        return int(self.captured.argmax())

    def pairs(self, names: Sequence[str], dependence: np.ndarray, most: int | None = None) -> pd.DataFrame:
        """Return the pairs that are tied in any placement, the most stable first.

        Parameters
        ----------
        names : sequence of str
            Names of the labels.
        dependence : ndarray of shape (n_labels, n_labels)
            Orders pairs that are equally stable, the stronger first.
        most : int, optional
            How many pairs at most; all by default.

        Returns
        -------
        DataFrame
            With the columns label, other label, share and dependence.
        """
        one, other = np.nonzero(np.triu(self.together, k=1))
        shares, weights = self.together[one, other], np.asarray(dependence)[one, other]
        first = np.lexsort((other, one, -weights, -shares))[:most]
        return pd.DataFrame(
            {
                "label": [names[label] for label in one[first]],
                "other label": [names[label] for label in other[first]],
                "share": shares[first],
                "dependence": weights[first],
            }
        )


def placement_stability(
    dependence: np.ndarray,
    width: int | None = None,
    parents: str | Iterable[Offset] = "left-up",
    *,
    n_seeds: int = 20,
    placement: str = "hill-climbing",
) -> Stability:
    """Place the labels with each of the seeds 0 to `n_seeds` - 1, and compare what comes of it.

    Parameters
    ----------
    dependence : ndarray of shape (n_labels, n_labels)
        Symmetric pairwise dependence, as for `trellislib.graphs.trellis`.
    width, parents, placement
        As for `trellislib.graphs.trellis`.
    n_seeds : int, default=20
        How many seeds, at least 2.

    Returns
    -------
    Stability

    Raises
    ------
    ValueError
        If there are fewer than 2 seeds, or as by `trellislib.graphs.trellis`.

    Examples
    --------
    Two pairs of labels that belong together, and a chain of width 1:

    >>> import numpy as np
    >>> I = np.array([[0, 9, 1, 1], [9, 0, 1, 1], [1, 1, 0, 9], [1, 1, 9, 0]])
    >>> found = placement_stability(I, width=1, n_seeds=10)
    >>> found.together[0, 1], found.together[2, 3], set(found.captured.tolist())
    (np.float64(1.0), np.float64(1.0), {19.0})
    """
    require_integer("n_seeds", n_seeds, lowest=2)
    offsets = parents if isinstance(parents, str) else tuple(parents)
    placed = tuple(
        trellis(dependence, width, offsets, placement=placement, random_state=seed) for seed in range(n_seeds)
    )
    captured = np.array([captured_dependence(one, dependence) for one in placed])
    n_labels = len(dependence)
    ties = _tied_pairs(placed, n_labels)
    counts = np.asarray(ties.sum(axis=0)).reshape(n_labels, n_labels)
    return Stability(placed, captured, (counts + counts.T) / n_seeds, _agreement(ties))


def _tied_pairs(placed: Sequence[Trellis], n_labels: int) -> sparse.csr_array:
    """Return 1 for each placement and pair that it ties; the pair of j < k is column j L + k."""
    rows, columns = [], []
    for seed, one in enumerate(placed):
        for child, parents in enumerate(one.parents):
            for parent in parents:
                rows.append(seed)
                columns.append(min(parent, child) * n_labels + max(parent, child))
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(placed), n_labels**2))


def _agreement(ties: sparse.csr_array) -> float:
    """Return the mean Jaccard index of all pairs of rows."""
    both = (ties @ ties.T).toarray()
    sizes = np.diag(both)
    either = sizes[:, None] + sizes - both
    one, other = np.triu_indices(len(sizes), k=1)
    indices = np.divide(both, either, out=np.ones_like(both), where=either > 0)
    return float(indices[one, other].mean())
