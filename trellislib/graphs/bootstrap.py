"""How often each edge of a structure comes back when the rows are resampled.

A sample of the rows is how often each row counts: multinomial weights of a bootstrap sample, or 0 and 1 for one half of
the rows. Structures are learned from weighted counts, so that no sample is a copy of the data; and a row that counts
twice stays one row, on one side of every fold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from trellislib.dependence import PairCounts, information_of_counts, p_values
from trellislib.graphs.fs import fs
from trellislib.graphs.lead import lead
from trellislib.graphs.pc import pc
from trellislib.graphs.placement import trellis
from trellislib.graphs.tree import mutual_information_tree
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph
from trellislib.labels.matrices import read_only
from trellislib.running.checks import checked_weight, require_integer
from trellislib.running.progress import Cancelled, Progress, stop_if
from trellislib.typing import Matrix

Sampling = Literal["bootstrap", "halves"]
Learn = Callable[[np.ndarray, int], LabelGraph]
"""From the weights of the rows and a seed, a directed graph."""
ROUNDING = 1e-9  # of sums of shares
RESAMPLED = ("fs", "lead", "tree", "pc", "trellis")


@dataclass(frozen=True, eq=False)
class EdgeFrequencies:
    """How often each edge is in the graphs of samples of the rows.

    Attributes
    ----------
    directed : ndarray of shape (n_labels, n_labels)
        The share of samples in which there is an edge from the label of the row to that of the column.
    n_samples : int
    sampling : {"bootstrap", "halves"}
    """

    directed: np.ndarray
    n_samples: int
    sampling: Sampling

    def __post_init__(self) -> None:
        object.__setattr__(self, "directed", read_only(self.directed))

    @property
    def adjacent(self) -> np.ndarray:
        """The share of samples in which two labels are joined, whichever is the parent; symmetric."""
        return self.directed + self.directed.T

    def consensus(self, least: float) -> UndirectedLabelGraph:
        """Return the graph of the pairs that at least this share of samples joins, whichever is the parent.

        Examples
        --------
        >>> found = EdgeFrequencies(np.array([[0, 0.5, 0.1], [0.4, 0, 0], [0, 0, 0]]), 10, "bootstrap")
        >>> found.consensus(0.9).edges, found.consensus(0.1).edges
        (((0, 1),), ((0, 1), (0, 2)))
        """
        kept = np.triu(self.adjacent, k=1) >= max(least - ROUNDING, 0.5 / self.n_samples)
        return UndirectedLabelGraph.of_edges(len(kept), [(int(one), int(other)) for one, other in np.argwhere(kept)])

    def expected_false(self, least: float) -> float:
        """Return the bound of stability selection on the expected number of false pairs among those kept.

        Parameters
        ----------
        least : float
            The share of samples that a pair must be in, above 1/2.

        Returns
        -------
        float
            ``q^2 / ((2 * least - 1) * p)`` for q pairs in a sample on average, of p. It holds where false pairs are
            exchangeable and no worse found than by guessing.

        Raises
        ------
        ValueError
            If samples are no halves, for which alone the bound was shown, or `least` is not above 1/2.

        References
        ----------
        Meinshausen and Bühlmann, "Stability selection", Journal of the Royal Statistical Society B 72, 2010, theorem 1.

        Examples
        --------
        One pair in every half, of three pairs:

        >>> found = EdgeFrequencies(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]), 10, "halves")
        >>> round(found.expected_false(0.9), 3)
        0.417
        """
        if self.sampling != "halves":
            raise ValueError("The bound of stability selection is for halves of the rows: expected sampling='halves'.")
        if not 0.5 < least <= 1:
            raise ValueError(f"Got least={least}, but expected a share above 1/2 and up to 1.")
        n_labels = len(self.directed)
        return float(self.directed.sum() ** 2 / ((2 * least - 1) * max(n_labels * (n_labels - 1) / 2, 1)))

    def pairs(self, names: Sequence[str]) -> pd.DataFrame:
        """Return the pairs that any sample joins, the most frequent first.

        Returns
        -------
        DataFrame
            With the columns ``label`` and ``other label``, ``frequency`` of the pair, and ``direction``: of the samples
            that have the pair, the share in which the label is the parent (1/2 or more).
        """
        one, other = np.triu_indices(len(self.directed), k=1)
        forward, backward = self.directed[one, other], self.directed[other, one]
        turned = backward > forward
        one, other = np.where(turned, other, one), np.where(turned, one, other)
        frequency = forward + backward
        kept = np.flatnonzero(frequency > 0)
        kept = kept[np.argsort(-frequency[kept], kind="stable")]
        name = np.array(list(names), dtype=object)
        return pd.DataFrame(
            {
                "label": name[one[kept]],
                "other label": name[other[kept]],
                "frequency": frequency[kept],
                "direction": np.maximum(forward, backward)[kept] / frequency[kept],
            }
        )


def edge_frequencies(
    learn: Learn,
    n_instances: int,
    *,
    n_samples: int = 100,
    sampling: Sampling = "bootstrap",
    random_state: int = 0,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> EdgeFrequencies:
    """Learn a structure from samples of the rows, and count its edges.

    Parameters
    ----------
    learn : callable
        ``learn(weight, seed)`` returns a directed graph for weights of shape (n_instances,), as `resampled` does.
        Each sample has a seed of its own, and with it a root, so that directions that the data leave open vary.
    n_instances : int
        Rows of the data.
    n_samples : int, default=100
        At least 2.
    sampling : {"bootstrap", "halves"}, default="bootstrap"
        As many rows as there are, with replacement; or a random half of them, each once, for stability selection.
    random_state : int, default=0
        Seed of the samples.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`; asked once per sample.

    Returns
    -------
    EdgeFrequencies

    Raises
    ------
    ValueError
        If a parameter is out of its range.
    CancelledError
        If it was cancelled.

    References
    ----------
    Friedman, Goldszmidt and Wyner, "Data analysis with Bayesian networks: a bootstrap approach", UAI 1999.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_labels=4, random_state=0)
    >>> found = edge_frequencies(resampled("fs", data.X, data.Y), data.n_instances, n_samples=20)
    >>> found.pairs(data.label_names).head(1)["frequency"].item()
    1.0
    """
    require_integer("n_samples", n_samples, lowest=2)
    require_integer("n_instances", n_instances, lowest=2)
    if sampling not in ("bootstrap", "halves"):
        raise ValueError(f"Got sampling={sampling!r}, but expected one of bootstrap, halves.")
    rng = np.random.default_rng(random_state)
    counts: np.ndarray | float = 0.0
    for number in range(n_samples):
        stop_if(cancelled)
        if progress is not None:
            progress(number, n_samples, f"sample {number + 1} of {n_samples}")
        if sampling == "bootstrap":
            weight = rng.multinomial(n_instances, np.full(n_instances, 1 / n_instances))
        else:
            weight = rng.permutation(np.arange(n_instances) < n_instances // 2).astype(int)
        graph = learn(weight, int(rng.integers(2**31)))
        counts = counts + _edges(graph)
    if progress is not None:
        progress(n_samples, n_samples, "all samples")
    return EdgeFrequencies(np.asarray(counts) / n_samples, n_samples, sampling)


def resampled(
    structure: str, X: Matrix, Y: Matrix, *, sample_weight: np.ndarray | None = None, **parameters: Any
) -> Learn:
    """Return what learns a structure from weights of the rows, as `edge_frequencies` asks.

    Parameters
    ----------
    structure : {"fs", "lead", "tree", "pc", "trellis"}
        Which one; ``"tree"`` is that of mutual information, of significant edges.
    X, Y : {ndarray, csr_array}
        Features, which only LEAD looks at, and labels.
    sample_weight : array-like of shape (n_instances,), optional
        How much each row counts, as often as a sample has it; whole numbers for PC.
    **parameters
        Of `fs`, `lead`, `mutual_information_tree`, `pc` or `trellis`.

    Returns
    -------
    callable

    Raises
    ------
    ValueError
        If there is no such structure, or weights are negative, all 0 or of another number of rows.
    """
    coding = LabelCoding.of(Y)
    columns = coding.encode(Y)  # once for all samples

    def of_counts(weight: np.ndarray, seed: int) -> LabelGraph:
        counts = PairCounts.of(columns, coding.starts, weight.astype(float))
        information = information_of_counts(counts)
        if structure == "trellis":
            return trellis(information, random_state=seed, **parameters)
        tests = p_values(counts, information)
        return mutual_information_tree(information, p_values=tests, random_state=seed, **parameters)

    learners: dict[str, Learn] = {
        "fs": lambda weight, seed: fs(Y, sample_weight=weight, random_state=seed, **parameters),
        "lead": lambda weight, seed: lead(X, Y, sample_weight=weight, random_state=seed, **parameters),
        "pc": lambda weight, seed: pc(Y, sample_weight=weight, random_state=seed, **parameters),
        "tree": of_counts,
        "trellis": of_counts,
    }
    if structure not in learners:
        raise ValueError(f"Got structure={structure!r}, but expected one of {', '.join(RESAMPLED)}.")
    learn = learners[structure]
    if sample_weight is None:
        return learn
    weights = checked_weight(sample_weight, Y.shape[0])
    return lambda weight, seed: learn(weight * weights, seed)


def _edges(graph: LabelGraph) -> np.ndarray:
    edges = np.zeros((graph.n_labels, graph.n_labels))
    for parent, child in graph.edges:
        edges[parent, child] += 1
    return edges
