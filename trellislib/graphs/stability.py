"""How stable placements are: which pairs of labels come together whatever the seed is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse

from trellislib.dependence import InformationRows, symmetric
from trellislib.graphs.placement import Offset, Trellis, captured_by_each, trellis
from trellislib.labels.matrices import read_only
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, Progress, stop_if

ROUNDING = 1e-9  # relative difference of two sums that the order of their terms may make


@dataclass(frozen=True, eq=False)
class Stability:
    """What placements with the seeds 0, 1, 2, ... have in common.

    Attributes
    ----------
    placed : tuple of Trellis
        The placements.
    captured : ndarray of shape (n_seeds,)
        The dependence that each of them captures.
    tied : csr_array of shape (n_labels, n_labels)
        The share of the placements in which two labels are tied by an edge, whichever is the parent; symmetric. Pairs
        that are tied in none are not stored.
    agreement : float
        Mean Jaccard index of the tied pairs of two placements: those in both, divided by those in either. 1 if all
        placements tie the same pairs, or none at all.
    """

    placed: tuple[Trellis, ...]
    captured: np.ndarray
    tied: sparse.csr_array
    agreement: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "captured", read_only(self.captured))

    @property
    def best(self) -> int:
        """The seed whose placement captures most, the lowest of those that do but for rounding."""
        return self.all_best[0]

    @property
    def all_best(self) -> tuple[int, ...]:
        """The seeds whose placements capture most, but for rounding."""
        most = self.captured.max()
        return tuple(np.flatnonzero(self.captured >= most - ROUNDING * abs(most)).tolist())

    @property
    def together(self) -> np.ndarray:
        """What is `tied`, as a matrix of all pairs, (n_labels, n_labels): 800 MB for 10,000 labels."""
        return self.tied.toarray()

    @property
    def most_stable(self) -> tuple[int, int, float] | None:
        """The pair that most placements tie, the lower label first, of equal ones the first; and the share of them."""
        one, other, shares = self._pairs()
        if len(shares) == 0:
            return None
        first = int(shares.argmax())
        return int(one[first]), int(other[first]), float(shares[first])

    def pairs(
        self, names: Sequence[str], dependence: np.ndarray | InformationRows, most: int | None = None
    ) -> pd.DataFrame:
        """Return the pairs that are tied in any placement, the most stable first.

        Parameters
        ----------
        names : sequence of str
            Names of the labels.
        dependence : ndarray of shape (n_labels, n_labels), or InformationRows
            Orders pairs that are equally stable, the stronger first.
        most : int, optional
            How many pairs at most; all by default.

        Returns
        -------
        DataFrame
            With the columns label, other label, share and dependence.
        """
        one, other, shares = self._pairs()
        weights = np.asarray(symmetric(dependence, "dependence")[one, other])
        first = np.lexsort((other, one, -weights, -shares))[:most]
        name = np.array(list(names), dtype=object)
        return pd.DataFrame(
            {
                "label": name[one[first]],
                "other label": name[other[first]],
                "share": shares[first],
                "dependence": weights[first],
            }
        )

    def _pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the pairs that are tied at all, in label order with the lower label first, and their shares."""
        upper = sparse.triu(self.tied, k=1, format="coo")
        in_order = np.lexsort((upper.col, upper.row))
        return upper.row[in_order], upper.col[in_order], upper.data[in_order]


def placement_stability(
    dependence: np.ndarray | InformationRows,
    width: int | None = None,
    parents: str | Iterable[Offset] = "left-up",
    *,
    n_seeds: int = 20,
    placement: str = "hill-climbing",
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Stability:
    """Place the labels with each of the seeds 0 to `n_seeds` - 1, and compare what comes of it.

    Parameters
    ----------
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows
        Symmetric pairwise dependence, as for `trellislib.graphs.trellis`.
    width, parents, placement
        As for `trellislib.graphs.trellis`.
    n_seeds : int, default=20
        How many seeds, at least 2.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`; called once per seed.

    Raises
    ------
    ValueError
        If there are fewer than 2 seeds, or as by `trellislib.graphs.trellis`.
    CancelledError
        If it was cancelled.

    Examples
    --------
    Two pairs of labels that belong together, and a chain of width 1:

    >>> import numpy as np
    >>> I = np.array([[0, 9, 1, 1], [9, 0, 1, 1], [1, 1, 0, 9], [1, 1, 9, 0]])
    >>> found = placement_stability(I, width=1, n_seeds=10)
    >>> found.tied[0, 1], found.tied[2, 3], set(found.captured.tolist())
    (np.float64(1.0), np.float64(1.0), {19.0})
    """
    require_integer("n_seeds", n_seeds, lowest=2)
    dependence = symmetric(dependence, "dependence")
    offsets = parents if isinstance(parents, str) else tuple(parents)
    placed = []
    for seed in range(n_seeds):
        stop_if(cancelled)
        if progress is not None:
            progress(seed, n_seeds, f"{placement}, seed {seed}")
        placed.append(trellis(dependence, width, offsets, placement=placement, random_state=seed))
    stop_if(cancelled)
    captured = np.array(captured_by_each(placed, dependence))
    if progress is not None:
        progress(n_seeds, n_seeds, f"{placement}, all seeds")
    n_labels = len(dependence)
    pairs, ties = _tied_pairs(placed)
    shares = sparse.coo_array((ties.sum(axis=0) / n_seeds, tuple(pairs)), shape=(n_labels, n_labels)).tocsr()
    return Stability(tuple(placed), captured, sparse.csr_array(shares + shares.T), _agreement(ties))


def _tied_pairs(placed: Sequence[Trellis]) -> tuple[np.ndarray, sparse.csr_array]:
    """Return the pairs that any placement ties, (2, n_pairs), and 1 for each placement and pair that it ties."""
    edges = [np.array(one.edges, dtype=np.int64).reshape(-1, 2) for one in placed]
    pairs, columns = np.unique(np.sort(np.concatenate(edges), axis=1), axis=0, return_inverse=True)
    rows = np.repeat(np.arange(len(placed)), [len(of_one) for of_one in edges])
    ones = np.ones(len(rows))
    return pairs.T, sparse.csr_array((ones, (rows, columns.ravel())), shape=(len(placed), len(pairs)))


def _agreement(ties: sparse.csr_array) -> float:
    """Return the mean Jaccard index of all pairs of rows."""
    both = (ties @ ties.T).toarray()
    sizes = np.diag(both)
    either = sizes[:, None] + sizes - both
    one, other = np.triu_indices(len(sizes), k=1)
    indices = np.divide(both, either, out=np.ones_like(both), where=either > 0)
    return float(indices[one, other].mean())
