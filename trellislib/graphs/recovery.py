"""How well a learned structure agrees with the true one: for one pair, and over a batch of simulated data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from trellislib.checks import require_integer
from trellislib.data.dataset import Dataset
from trellislib.data.label_dag import Difficulty, simulate_label_dag
from trellislib.dependence import information_of_counts, p_values, pair_counts
from trellislib.graphs.fs import fs
from trellislib.graphs.lead import lead
from trellislib.graphs.tree import mutual_information_tree
from trellislib.label_graph import LabelGraph

Parents = LabelGraph | Iterable[Iterable[int]]
Structure = Callable[[Dataset, int], LabelGraph]


@dataclass(frozen=True)
class Recovery:
    """How well a graph agrees with the true one.

    Attributes
    ----------
    precision, recall, f : float
        Of the directed edges: the share of the found that are true, the share of the true that are found, and their
        harmonic mean. An edge of the wrong direction is neither. Nothing found has precision 1, and nothing to
        find recall 1, so that two empty graphs agree fully; f is 0 where only one of them is empty.
    skeleton_precision, skeleton_recall, skeleton_f : float
        The same of the edges without their directions.
    shd : int
        Structural Hamming distance: missing, extra and reversed edges, each counted once.
    """

    precision: float
    recall: float
    f: float
    skeleton_precision: float
    skeleton_recall: float
    skeleton_f: float
    shd: int


def recovery(found: Parents, truth: Parents) -> Recovery:
    """Compare the edges of a graph with those of the true one.

    Parameters
    ----------
    found, truth : LabelGraph or iterable of iterable of int
        Graphs, or the parents of each label.

    Returns
    -------
    Recovery

    Raises
    ------
    ValueError
        If the two have not as many labels, or one of them is no directed acyclic graph.

    References
    ----------
    "Classifier trellises", appendix *Graphical Model Structure Learning: FS vs. LEAD* (the F-measure). Tsamardinos,
    Brown and Aliferis, "The max-min hill-climbing Bayesian network structure learning algorithm", Machine Learning
    65, 2006 (the structural Hamming distance).

    Examples
    --------
    >>> agreement = recovery(found=[(), (0,), (3,), ()], truth=[(), (0,), (), (2,)])
    >>> agreement.f, agreement.skeleton_f, agreement.shd
    (0.5, 1.0, 1)
    """
    found = found if isinstance(found, LabelGraph) else LabelGraph(found)
    truth = truth if isinstance(truth, LabelGraph) else LabelGraph(truth)
    if found.n_labels != truth.n_labels:
        raise ValueError(f"Got a graph of {found.n_labels} labels, but expected {truth.n_labels}, as the true one has.")
    edges, true_edges = set(found.edges), set(truth.edges)
    skeleton, true_skeleton = set(found.undirected().edges), set(truth.undirected().edges)
    reversed_edges = len(skeleton & true_skeleton) - len(edges & true_edges)
    return Recovery(
        *_agreement(edges, true_edges),
        *_agreement(skeleton, true_skeleton),
        shd=len(skeleton ^ true_skeleton) + reversed_edges,
    )


def _agreement(found: set[tuple[int, int]], true: set[tuple[int, int]]) -> tuple[float, float, float]:
    """Return precision, recall and F."""
    both, of_both = len(found & true), len(found) + len(true)
    precision = both / len(found) if found else 1.0
    recall = both / len(true) if true else 1.0
    return precision, recall, 2 * both / of_both if of_both else 1.0


def _learn_tree(data: Dataset, seed: int) -> LabelGraph:
    counts = pair_counts(data.Y)
    information = information_of_counts(counts)
    return mutual_information_tree(information, p_values=p_values(counts, information), random_state=seed)


STRUCTURES: dict[str, Structure] = {
    "FS": lambda data, seed: fs(data.Y, random_state=seed),
    "LEAD (error)": lambda data, seed: lead(data.X, data.Y, residuals="error", random_state=seed),
    "LEAD (signed)": lambda data, seed: lead(data.X, data.Y, residuals="signed", random_state=seed),
    "MI tree": _learn_tree,
}
"""The structures that `recovery_batch` compares by default, each learned from a data set with a seed."""


def difficulty_between(share: float) -> Difficulty:
    """Return a difficulty between the paper's easy (0) and hard (1).

    Both settings are interpolated geometrically, as each is a scale: ``alpha = 1/4 ** share`` and
    ``sigma2 = 5 ** share``. Halfway is close to the paper's medium, (0.5, 2).

    Examples
    --------
    >>> {name: round(value, 3) for name, value in difficulty_between(0.5).items()}
    {'alpha': 0.5, 'sigma2': 2.236}
    """
    return {"alpha": 0.25**share, "sigma2": 5.0**share}


def recovery_batch(
    structures: Mapping[str, Structure] | Iterable[str] | None = None,
    *,
    n_datasets: int = 10,
    n_instances: int = 500,
    n_labels: int = 20,
    random_state: int | None = None,
) -> pd.DataFrame:
    """Learn structures from simulated data sets of random difficulty, as in the paper's appendix.

    The difficulty of each data set is uniform between the paper's easy and hard on the scale of
    `difficulty_between`. With the same seed, graphs, features and difficulties are the same for all structures, and
    each of them starts from the same root.

    Parameters
    ----------
    structures : mapping of str to callable, or iterable of str, optional
        Functions of a `Dataset` and a seed that return a `LabelGraph`, by name; or names of `STRUCTURES`, which are
        all compared by default.
    n_datasets : int, default=10
        Number of data sets.
    n_instances, n_labels : int, default=500, 20
        Size of each; the paper does not say its own.
    random_state : int or None
        Seed of all that is random.

    Returns
    -------
    DataFrame of shape (n_datasets * n_structures, 11)
        ``data set``, ``alpha``, ``sigma2``, ``structure`` and the scores of `Recovery`.

    Raises
    ------
    ValueError
        If a name is not one of `STRUCTURES`, or a number is below 1.

    References
    ----------
    "Classifier trellises", appendix *Graphical Model Structure Learning: FS vs. LEAD*, which reports F = 0.278 for
    FS and 0.263 for LEAD.

    Examples
    --------
    >>> batch = recovery_batch(["FS", "MI tree"], n_datasets=2, random_state=0)
    >>> batch.groupby("structure", sort=False)["skeleton_f"].mean().round(2).to_dict()
    {'FS': 0.64, 'MI tree': 0.64}
    """
    require_integer("n_datasets", n_datasets)
    chosen = _chosen(structures)
    rows = []
    for number, seeds in enumerate(np.random.SeedSequence(random_state).spawn(n_datasets), start=1):
        rng = np.random.default_rng(seeds)
        difficulty = difficulty_between(rng.random())
        data = simulate_label_dag(n_instances, n_labels, **difficulty, random_state=rng)
        seed = int(rng.integers(2**31))
        for name, learn in chosen.items():
            agreement = recovery(learn(data, seed), data.true_parents or ())
            rows.append({"data set": number, **difficulty, "structure": name, **asdict(agreement)})
    return pd.DataFrame(rows)


def _chosen(structures: Mapping[str, Structure] | Iterable[str] | None) -> dict[str, Structure]:
    if structures is None:
        return STRUCTURES
    if isinstance(structures, Mapping):
        return dict(structures)
    names = list(structures)
    unknown = [name for name in names if name not in STRUCTURES]
    if unknown:
        raise ValueError(f"Got the structure {unknown[0]!r}, but expected one of {list(STRUCTURES)}.")
    return {name: STRUCTURES[name] for name in names}
