"""How well a learned structure agrees with the true one: for one pair, and over batches of simulated data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from trellislib.data.dataset import Dataset
from trellislib.data.label_dag import Difficulty, simulate_label_dag
from trellislib.dependence import information_of_counts, p_values, pair_counts
from trellislib.graphs.fs import fs
from trellislib.graphs.lead import lead
from trellislib.graphs.tree import mutual_information_tree
from trellislib.labels.graph import LabelGraph
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, Progress

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


@dataclass(frozen=True)
class EdgeRoles:
    """The edges of a graph and of the true one, sorted by what became of them, each as (parent, child).

    Attributes
    ----------
    right : tuple of (int, int)
        Found as they are.
    reversed : tuple of (int, int)
        Found, as they are listed here, against their true direction.
    wrong : tuple of (int, int)
        Found, and no true edge in either direction.
    missing : tuple of (int, int)
        True, and found in neither direction.
    """

    right: tuple[tuple[int, int], ...]
    reversed: tuple[tuple[int, int], ...]
    wrong: tuple[tuple[int, int], ...]
    missing: tuple[tuple[int, int], ...]


def edge_roles(found: Parents, truth: Parents) -> EdgeRoles:
    """Sort the edges of a graph by whether they are right.

    Parameters
    ----------
    found, truth : LabelGraph or iterable of iterable of int
        Graphs, or the parents of each label.

    Raises
    ------
    ValueError
        If the two have not as many labels, or one of them is no directed acyclic graph.

    Examples
    --------
    >>> edge_roles(found=[(), (0,), (3,), ()], truth=[(), (0,), (), (2, 0)])
    EdgeRoles(right=((0, 1),), reversed=((3, 2),), wrong=(), missing=((0, 3),))
    """
    found, truth = _two_graphs(found, truth)
    true = set(truth.edges)
    pairs, true_pairs = ({frozenset(edge) for edge in graph.edges} for graph in (found, truth))
    return EdgeRoles(
        right=tuple(edge for edge in found.edges if edge in true),
        reversed=tuple(edge for edge in found.edges if edge[::-1] in true),
        wrong=tuple(edge for edge in found.edges if frozenset(edge) not in true_pairs),
        missing=tuple(edge for edge in truth.edges if frozenset(edge) not in pairs),
    )


def _two_graphs(found: Parents, truth: Parents) -> tuple[LabelGraph, LabelGraph]:
    found = found if isinstance(found, LabelGraph) else LabelGraph(found)
    truth = truth if isinstance(truth, LabelGraph) else LabelGraph(truth)
    if found.n_labels != truth.n_labels:
        raise ValueError(f"Got a graph of {found.n_labels} labels, but expected {truth.n_labels}, as the true one has.")
    return found, truth


def recovery(found: Parents, truth: Parents) -> Recovery:
    """Compare the edges of a graph with those of the true one.

    Parameters
    ----------
    found, truth : LabelGraph or iterable of iterable of int
        Graphs, or the parents of each label.

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
    found, truth = _two_graphs(found, truth)
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
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
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
        Size of each; the paper does not report its own.
    random_state : int or None
        Seed of all that is random.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`; called once per structure. After a cancel, what was finished is returned.

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

    def drawn() -> Iterator[_Given]:
        for number, seeds in enumerate(np.random.SeedSequence(random_state).spawn(n_datasets), start=1):
            rng = np.random.default_rng(seeds)
            difficulty = difficulty_between(rng.random())
            data = simulate_label_dag(n_instances, n_labels, **difficulty, random_state=rng)
            yield {"data set": number, **difficulty}, data, int(rng.integers(2**31))

    return _recovered(chosen, drawn(), ("data set", "alpha", "sigma2"), n_datasets, progress, cancelled)


VARIED: dict[str, tuple[float, ...]] = {
    "n_instances": (100, 200, 500, 1000, 2000, 5000),
    "difficulty": (0.0, 0.25, 0.5, 0.75, 1.0),
}
"""What `recovery_curve` can vary, and the values that it takes by default."""


def recovery_curve(
    vary: str = "n_instances",
    values: Iterable[float] | None = None,
    structures: Mapping[str, Structure] | Iterable[str] | None = None,
    *,
    n_datasets: int = 10,
    random_state: int | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    so_far: Callable[[pd.DataFrame], None] | None = None,
    **setting: Any,
) -> pd.DataFrame:
    """Learn structures from simulated data sets that get larger or harder.

    Each of the data sets is simulated once for every value, with the same seed: graph and weights stay, and where the
    difficulty varies, features and standardised noise stay, too. So do the roots, for all values and structures.
    The first data sets are the same however many there are.

    Parameters
    ----------
    vary : {"n_instances", "difficulty"}, default="n_instances"
        What differs: N, or how hard the sets are from 0 (the paper's easy) to 1 (hard), see `difficulty_between`.
    values : iterable of float, optional
        The values that it takes; by default those of `VARIED`.
    structures : mapping of str to callable, or iterable of str, optional
        As for `recovery_batch`.
    n_datasets : int, default=10
        Number of data sets of each value.
    random_state : int or None
        Seed of all that is random.
    progress, cancelled : callable, optional
        See `trellislib.running.progress`; called once per structure. After a cancel, what was finished is returned.
    so_far : callable, optional
        Given, after each data set at each value, the rows that are finished.
    **setting
        All else that `trellislib.data.simulate_label_dag` takes.

    Returns
    -------
    DataFrame of shape (n_datasets * n_values * n_structures, 10)
        What varies, ``data set``, ``structure`` and the scores of `Recovery`.

    Raises
    ------
    ValueError
        If there is no such thing to vary, if `setting` gives what varies, or as `recovery_batch`.

    Examples
    --------
    >>> curve = recovery_curve(values=[50, 1000], structures=["FS"], n_datasets=3, n_labels=8, random_state=0)
    >>> curve.groupby("n_instances")["skeleton_f"].mean().round(2).to_dict()
    {50: 0.9, 1000: 0.95}
    """
    if vary not in VARIED:
        raise ValueError(f"Got vary={vary!r}, but expected one of {list(VARIED)}.")
    fixed = [name for name in (("n_instances",) if vary == "n_instances" else ("alpha", "sigma2")) if name in setting]
    if fixed:
        raise ValueError(f"Got {fixed[0]}={setting[fixed[0]]}, but it varies here: leave it out.")
    require_integer("n_datasets", n_datasets)
    chosen = _chosen(structures)
    taken = list(VARIED[vary] if values is None else values)
    if vary == "n_instances":  # 50.0 is a whole number, too
        taken = [int(value) if float(value).is_integer() else value for value in taken]

    def drawn() -> Iterator[_Given]:
        for number, seeds in enumerate(np.random.SeedSequence(random_state).spawn(n_datasets), start=1):
            of_data, of_root = (int(seed) for seed in seeds.generate_state(2) // 2)
            for value in taken:
                varied: dict[str, Any] = {vary: value} if vary == "n_instances" else {**difficulty_between(value)}
                data = simulate_label_dag(**varied, **setting, random_state=of_data)
                yield {vary: value, "data set": number}, data, of_root

    return _recovered(chosen, drawn(), (vary, "data set"), n_datasets * len(taken), progress, cancelled, so_far)


_Given = tuple[dict[str, Any], Dataset, int]
"""What is known of a data set, the data set, and the seed of the structures."""


def _recovered(
    structures: Mapping[str, Structure],
    given: Iterable[_Given],
    known: tuple[str, ...],
    n_datasets: int,
    progress: Progress | None,
    cancelled: Cancelled | None,
    so_far: Callable[[pd.DataFrame], None] | None = None,
) -> pd.DataFrame:
    """Return how well each structure does on each data set, as far as it was not cancelled."""
    rows: list[dict[str, Any]] = []
    columns = [*known, "structure", *(score.name for score in fields(Recovery))]
    total = n_datasets * len(structures)
    for of_data, data, seed in given:
        for name, learn in structures.items():
            if cancelled is not None and cancelled():
                return pd.DataFrame(rows, columns=columns)
            if progress is not None:
                what = f"{name} on data set {of_data['data set']}, N = {data.n_instances:,}"
                progress(len(rows), total, what)
            rows.append({**of_data, "structure": name, **asdict(recovery(learn(data, seed), data.true_parents or ()))})
        if so_far is not None:
            so_far(pd.DataFrame(rows, columns=columns))
    if progress is not None:
        progress(total, total, "all data sets")
    return pd.DataFrame(rows, columns=columns)


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
