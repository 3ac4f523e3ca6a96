"""Communities of labels by hierarchical clustering.

Two labels are near if they share much of their entropy: their similarity is their mutual
information as a share of the smaller of their two entropies (`shared_entropy`), between 0 and 1, and their distance is
the largest similarity of any pair less their own. (Information itself would put a rare label near to none, however
closely it follows another, because it has little entropy to share.)

Clusters are joined by average linkage, so that every merge has a meaning: it joins the two clusters whose labels share
most *on average*, over all pairs of a label of the one with a label of the other. (Single linkage would chain labels
together by one strong pair each; complete linkage would part a community for one independent pair, and most pairs of
labels are nearly independent.) A cluster is what merges have joined: a cut at a level keeps the merges of no less than
it, and a cut into a number of clusters undoes the weakest merges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import squareform

from trellislib.labels.matrices import read_only
from trellislib.running.checks import require_integer

OPTIMAL_LEAVES = 500  # above this, the best order of the leaves takes seconds
NAMED = 4  # labels of a cluster that are named


@dataclass(frozen=True, eq=False)
class LabelTree:
    """Labels joined into ever larger clusters; its arrays are read-only.

    Parameters
    ----------
    merges : ndarray of shape (n_labels - 1, 4)
        As scipy's `linkage`: the two clusters that each merge joins, their distance, and the number of their labels.
    order : ndarray of shape (n_labels,)
        The labels as leaves, every cluster side by side.
    top : float
        The similarity at distance 0: that of the strongest pair.
    """

    merges: np.ndarray
    order: np.ndarray
    top: float

    def __post_init__(self) -> None:
        for name in ("merges", "order"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def n_labels(self) -> int:
        """Number of labels."""
        return len(self.order)

    @cached_property
    def levels(self) -> np.ndarray:
        """What the two clusters of each merge share on average, of shape (n_labels - 1,): falling, never negative."""
        return read_only(np.maximum(self.top - self.merges[:, 2], 0.0))

    def cut(self, n_clusters: int) -> tuple[np.ndarray, ...]:
        """Return that many clusters, each the labels of it, in the order of the leaves.

        Where merges are equally strong, those that were made first are kept.

        Raises
        ------
        ValueError
            If there are not as many labels.
        """
        return tuple(labels for _, labels in self._clusters(n_clusters))

    def nodes(self, n_clusters: int) -> tuple[int, ...]:
        """Return the node of each cluster of that cut: a label that stands alone, or n_labels + its last merge.

        Raises
        ------
        ValueError
            If there are not as many labels.
        """
        return tuple(node for node, _ in self._clusters(n_clusters))

    def _clusters(self, n_clusters: int) -> list[tuple[int, np.ndarray]]:
        """Return the node and the labels of each cluster of a cut, in the order of the leaves."""
        require_integer("n_clusters", n_clusters)
        if n_clusters > self.n_labels:
            raise ValueError(f"Got n_clusters={n_clusters}, but there are {self.n_labels} labels.")
        clusters: dict[int, tuple[int, ...]] = {label: (label,) for label in range(self.n_labels)}
        for merge, (one, other) in enumerate(self.merges[: self.n_labels - n_clusters, :2].astype(int)):
            clusters[self.n_labels + merge] = clusters.pop(one) + clusters.pop(other)
        place = np.argsort(self.order)
        found = [(node, self.order[np.sort(place[list(labels)])]) for node, labels in clusters.items()]
        return sorted(found, key=lambda cluster: place[cluster[1][0]])


def shared_entropy(information: np.ndarray) -> np.ndarray:
    """Return how much of the smaller of their entropies two labels share.

    Parameters
    ----------
    information : ndarray of shape (n_labels, n_labels)
        Mutual information, with the entropies on the diagonal, as from `mutual_information`.

    Returns
    -------
    ndarray of shape (n_labels, n_labels)
        Between 0, for independent labels and where one is constant, and 1, where one label is known from the other.

    Examples
    --------
    >>> import numpy as np
    >>> shared_entropy(np.array([[0.6, 0.1, 0.0], [0.1, 0.2, 0.0], [0.0, 0.0, 0.0]]))
    array([[1. , 0.5, 0. ],
           [0.5, 1. , 0. ],
           [0. , 0. , 0. ]])
    """
    entropy = np.diag(information)
    smaller = np.minimum.outer(entropy, entropy)
    return np.divide(information, smaller, out=np.zeros(information.shape), where=smaller > 0).clip(0.0, 1.0)


def label_tree(similarity: np.ndarray) -> LabelTree:
    """Cluster labels by average linkage of their similarity.

    Parameters
    ----------
    similarity : ndarray of shape (n_labels, n_labels)
        Symmetric, as from `shared_entropy`, or any pairwise dependence; its diagonal is not used.

    Returns
    -------
    LabelTree
        Up to 500 labels, leaves that are next to each other are as dependent as the tree allows.

    Examples
    --------
    >>> import numpy as np
    >>> I = np.array([[0, 0.1, 0.5, 0], [0.1, 0, 0.1, 0.4], [0.5, 0.1, 0, 0], [0, 0.4, 0, 0]])
    >>> tree = label_tree(I)
    >>> [sorted(cluster.tolist()) for cluster in tree.cut(2)], tree.levels.round(3)
    ([[0, 2], [1, 3]], array([0.5 , 0.4 , 0.05]))
    """
    n_labels = len(similarity)
    if n_labels < 2:
        return LabelTree(np.zeros((0, 4)), np.arange(n_labels), 0.0)
    pairs = squareform(np.asarray(similarity, dtype=float), checks=False)
    top = float(pairs.max())
    distance = top - pairs
    merges = linkage(distance, method="average")
    if 2 < n_labels <= OPTIMAL_LEAVES:
        merges = optimal_leaf_ordering(merges, distance)
    return LabelTree(merges, leaves_list(merges).astype(np.intp), top)


def default_clusters(n_labels: int) -> int:
    """Return the number of clusters that is shown first: half as many as there are labels.

    That keeps the stronger half of the merges; the weaker half mostly joins single labels to one large cluster.
    """
    return max(n_labels // 2, 1)


def clusters_table(clusters: Sequence[np.ndarray], dependence: np.ndarray, names: Sequence[str]) -> pd.DataFrame:
    """Describe clusters of labels, a row for each, those that depend most on average first and single labels last.

    Parameters
    ----------
    clusters : sequence of ndarray
        The labels of each.
    dependence : ndarray of shape (n_labels, n_labels)
        Of every pair, in any sense and unit.
    names : sequence of str
        Names of the labels.

    Returns
    -------
    DataFrame of shape (n_clusters, 5)
        By the number of the cluster, from 1: ``size``, ``labels`` (the first four by name), ``mean dependence`` of all
        pairs within, the ``strongest pair`` and its ``dependence``, both in the unit that is given; nan and empty for
        a cluster of one label.
    """
    rows = []
    for labels in clusters:
        named = ", ".join(names[label] for label in labels[:NAMED])
        more = len(labels) - NAMED
        row = {"size": len(labels), "labels": named + (f" and {more} more" if more > 0 else "")}
        if len(labels) > 1:
            inside = dependence[np.ix_(labels, labels)]
            first, second = np.triu_indices(len(labels), k=1)
            pairs = inside[first, second]
            best = int(pairs.argmax())
            pair = f"{names[labels[first[best]]]} and {names[labels[second[best]]]}"
            row |= {"mean dependence": pairs.mean(), "strongest pair": pair, "dependence": pairs[best]}
        else:
            row |= {"mean dependence": np.nan, "strongest pair": "", "dependence": np.nan}
        rows.append(row)
    table = pd.DataFrame(rows, index=pd.RangeIndex(1, len(rows) + 1, name="cluster"))
    return table.sort_values("mean dependence", ascending=False, kind="stable")
