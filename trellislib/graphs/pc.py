"""PC: a structure from tests of conditional independence, by the library causal-learn.

PC leaves the direction of an edge open where the data do not determine it. A label graph has no open edges; they are
directed here so that no dependence is claimed that PC did not find, where that is possible (Dor and Tarsi 1992).

causal-learn (0.1.4.8) was chosen over pgmpy (1.1.2): both find nearly the same edges at about the same speed, without
warnings, and are under the MIT licence, but causal-learn's function and its result are what they have been for years,
while pgmpy is moving its PC to another module, and installs a client for downloads.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

import numpy as np

from trellislib.dependence.evidence import LabelEvidence
from trellislib.graphs.tree import first_label, prim
from trellislib.labels.graph import LabelGraph
from trellislib.running.checks import require_integer
from trellislib.running.extras import require
from trellislib.running.progress import Cancelled, duration, stop_if
from trellislib.typing import Matrix

TIME_LIMIT = 120.0  # seconds
TEST = "trellislib's G-test"


def pc(
    Y: Matrix,
    *,
    max_parents: int = 3,
    level: float = 0.01,
    max_given: int = 3,
    root: int | None = None,
    random_state: int | np.random.RandomState | None = None,
    sample_weight: np.ndarray | None = None,
    time_limit: float = TIME_LIMIT,
    cancelled: Cancelled | None = None,
) -> LabelGraph:
    """Learn a structure by the PC algorithm with G-tests (marginal dependence).

    Needs the library causal-learn: ``pip install 'trellislib[pc]'``.

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values, of any number of values per label; a CSR array holds codes. Codes are held dense.
    max_parents : int, default=3
        Most parents of a label; of more, those on which it depends most are kept.
    level : float, default=0.01
        An edge is left out where its labels pass as independent at this level, given any of their neighbours.
    max_given : int, default=3
        Most labels that are given in a test. Without a bound, time is exponential in the neighbours of a label.
    root : int, optional
        The label from which edges of open direction lead away, in Prim's order of the mutual information; by default a
        random one.
    random_state : int, RandomState or None
        Seed of the root.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances, whole numbers, each of which counts as that many.
    time_limit : float, default=120
        Seconds after which the search is given up.
    cancelled : callable, optional
        See `trellislib.running.progress`; called once per test.

    Raises
    ------
    ImportError
        If causal-learn is not installed.
    TimeoutError
        If the search takes longer than `time_limit`.
    ValueError
        If an argument is out of its range.

    References
    ----------
    Section 3.3 of the paper. Spirtes and Glymour, "An algorithm for fast recovery of sparse causal graphs", Social
    Science Computer Review 9, 1991. Zheng et al., "Causal-learn: causal discovery in Python", JMLR 25, 2024.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> one, other = rng.integers(2, size=(2, 500))
    >>> pc(np.column_stack([one, other, one + other]), root=0).parents
    ((), (), (1, 0))
    """
    require_integer("max_parents", max_parents)
    require_integer("max_given", max_given, lowest=0)
    if not 0 < level < 1:
        raise ValueError(f"Got level={level}, but expected a number between 0 and 1, both excluded.")
    require("causallearn", "The PC algorithm")
    from causallearn.search.ConstraintBased.PC import pc as search

    _register_watched_test()
    end = monotonic() + time_limit
    evidence = LabelEvidence.of(Y, sample_weight)
    n_labels = evidence.n_labels
    information = evidence.pairs.information
    order, _ = prim(information, first_label(n_labels, root, random_state))
    if n_labels == 1 or evidence.total == 0:
        return LabelGraph([()] * n_labels, order)
    codes = np.column_stack([evidence.codes(label) for label in range(n_labels)])
    if evidence.weight is not None:
        if (evidence.weight % 1).any():
            raise ValueError("Got sample_weight with fractions, but PC counts rows: expected whole numbers.")
        codes = np.repeat(codes, evidence.weight.astype(int), axis=0)  # of labels alone, which the tests tabulate

    def go_on() -> None:
        stop_if(cancelled)
        if monotonic() > end:
            raise TimeoutError(
                f"PC has not finished with {n_labels} labels after {duration(time_limit)}: give fewer labels, a lower "
                "max_given or level, or a higher time_limit, or take FS or LEAD, which are faster."
            )

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The number of features is much larger")  # fewer instances than labels
        ends = search(codes, level, TEST, show_progress=False, max_k=int(max_given), go_on=go_on).G.graph
    directed = (ends == -1) & (ends.T == 1)  # [i, j] if i -> j
    parents, order = directed_throughout(directed, (ends != 0) & (ends.T != 0) & ~directed & ~directed.T, order)
    strongest = (sorted(of, key=lambda one: (-information[label][one], one)) for label, of in enumerate(parents))
    return LabelGraph([of[:max_parents] for of in strongest], order)


def _register_watched_test() -> None:
    """Let causal-learn know its G-test under another name, one that asks before each test whether to go on."""
    from causallearn.utils.cit import Chisq_or_Gsq, register_ci_test

    class WatchedTest(Chisq_or_Gsq):
        def __init__(self, data: np.ndarray, go_on: Callable[[], None]) -> None:
            super().__init__(data, method_name="gsq")
            self._go_on = go_on

        def __call__(self, *labels: Any) -> float:
            self._go_on()
            return super().__call__(*labels)

    register_ci_test(TEST, WatchedTest)


def directed_throughout(
    directed: np.ndarray, undirected: np.ndarray, order: Sequence[int]
) -> tuple[list[list[int]], list[int]]:
    """Direct all edges of a graph of which some have no direction, along an order where there is a choice.

    From the last label on, each next label taken away is one that no edge leaves, and whose open edges can enter
    without a new collider. Where errors of the tests leave no such label, one with new colliders is taken, and
    where every label is in a directed cycle, one whose edges are turned round.

    Parameters
    ----------
    directed, undirected : ndarray of bool of shape (n_labels, n_labels)
        Whether there is an edge from the first to the second label, and whether there is one without direction.
    order : sequence of int
        The order of the labels.

    Returns
    -------
    parents : list of list of int
        For each label, its parents.
    order : list of int
        An order in which parents come first.

    References
    ----------
    Dor and Tarsi, "A simple algorithm to construct a consistent extension of a partially oriented graph", Technical
    Report R-185, UCLA, 1992.

    Examples
    --------
    >>> import numpy as np
    >>> line = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
    >>> directed_throughout(np.zeros_like(line), line, [0, 2, 1])
    ([[], [0], [1]], [0, 1, 2])
    """
    directed, undirected = directed.copy(), undirected.copy()
    parents: list[list[int]] = [[] for _ in order]
    left, taken = list(order), []
    while left:
        sinks = [label for label in reversed(left) if not directed[label].any()]
        clean = (label for label in sinks if _makes_no_collider(label, directed | directed.T | undirected, undirected))
        label = next(clean, sinks[0] if sinks else left[-1])
        edges = directed[:, label] | directed[label] | undirected[label]
        parents[label] = np.flatnonzero(edges).tolist()
        for matrix in (directed, undirected):
            matrix[label] = matrix[:, label] = False
        left.remove(label)
        taken.append(label)
    return parents, taken[::-1]


def _makes_no_collider(label: int, adjacent: np.ndarray, undirected: np.ndarray) -> bool:
    """Return whether every label with an open edge to `label` is adjacent to all others that are."""
    around = np.flatnonzero(adjacent[label])
    linked = adjacent[np.ix_(np.flatnonzero(undirected[label]), around)]
    return bool((linked.sum(axis=1) == len(around) - 1).all())
