"""FS: a structure from marginal dependence, with the labels' frequent sets as candidates for more than one parent.

The labels are put in the order in which Prim's algorithm reaches them from a root, so that a parent always comes
first, the graph is acyclic by construction, and the first parent of a label is the label before it on which it
depends most. What further parents add is judged given the parents that are there.

Graphs from several roots differ in the order of their labels, and hardly in what is computed from the data. They are
therefore grown together, label by label: the evidence for a label is found once for all of them, and forgotten
when the next label's turn comes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.special import chdtri

from trellislib.dependence import g_test
from trellislib.dependence.evidence import Evidence, LabelEvidence
from trellislib.graphs.tree import first_label, prim
from trellislib.labels.graph import LabelGraph
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, stop_if
from trellislib.typing import Matrix

PARTNERS = 20  # labels that stand with a label most often, which are tried two at a time
BACKGROUND_LABELS = 100  # labels, evenly along the order, by which the background is measured
MARGIN = 1e-6  # relative error allowed for the inverse of the chi-squared distribution
BLOCK = 256  # labels whose frequent sets of three are counted at a time


def fs(
    Y: Matrix,
    *,
    max_parents: int = 3,
    level: float = 0.01,
    min_support: float = 0.01,
    background: bool = True,
    root: int | None = None,
    random_state: int | np.random.RandomState | None = None,
    sample_weight: np.ndarray | None = None,
) -> LabelGraph:
    """Learn a structure from how labels occur together, whatever the features (marginal dependence).

    Parameters
    ----------
    Y : {array-like, CSR} of shape (n_instances, n_labels)
        Label values, of any number of values per label; a CSR array holds codes.
    max_parents : int, default=3
        Most parents of a label. With 1, this is the maximum spanning tree of the mutual information without the
        edges that are not significant.
    level : float, default=0.01
        Significance level of an edge in the G-test; see Notes.
    min_support : float, default=0.01
        Share of the instances in which two labels must stand together to be a frequent set. Three labels of which
        every two are one are tried jointly. Of each label, the 20 most frequent partners are tried.
    background : bool, default=True
        Whether further parents must stand out from the dependence that other pairs of labels have, too; see Notes.
    root : int, optional
        The label that comes first; by default a random one.
    random_state : int, RandomState or None
        Seed of the root.
    sample_weight : array-like of shape (n_instances,), optional
        Weights of the instances, each of which counts as that many.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Notes
    -----
    The tests are as strict as served the recovery of known graphs best (`trellislib.graphs.recovery_batch`):

    - The first parent of a label is tested at `level` as it is. The tree is what the data show most clearly, and
      correcting its edges cost more than it saved: on hard sets (L = 20, N = 500), F of the skeleton is 0.48
      uncorrected and 0.21 with Bonferroni's correction. Expect about ``level * L * (L - 1) / 2`` edges
      (never more than L - 1) between labels that are independent.
    - Further parents are tested at `level` divided by the number of pairs (Bonferroni), given those that are there.
      Two labels at once are tested at `level` divided by the number of frequent triples, and both must add to that of
      the other.
    - The features are a parent that all labels have in common, so that *every* pair depends a little, and with enough
      data significantly. Further parents are therefore tested with G divided by its inflation: the median, over the
      pairs outside the tree, of G given the child's parent, over the median that it would have if nothing depended.
      Pairs with the label itself are left out of it, and it is at least 1. On easy sets this raises F of the
      skeleton from 0.82 to 0.97, and with N = 2,000 from 0.62 to 0.97. (It is genomic control, which takes away what
      a population has in common.)

    References
    ----------
    Section 3.3 of the paper. Antonucci et al., "An ensemble of Bayesian networks for multilabel classification",
    IJCAI 2013. Devlin and Roeder, "Genomic control for association studies", Biometrics 55, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> one, other = rng.integers(2, size=(2, 200))
    >>> fs(np.column_stack([one, other, one ^ other]), root=0).parents
    ((), (0, 2), ())
    """
    return grown(
        LabelEvidence.of(Y, sample_weight),
        root=root,
        random_state=random_state,
        max_parents=max_parents,
        level=level,
        min_support=min_support,
        background=background,
    )


def grown(
    evidence: Evidence,
    *,
    root: int | None = None,
    random_state: int | np.random.RandomState | None = None,
    **tests: Any,
) -> LabelGraph:
    """Learn a structure from any evidence; see `fs` for the parameters, `tests` being those of `grown_from_roots`.

    Ties go to the lower label.

    Examples
    --------
    >>> import numpy as np
    >>> from trellislib.dependence.evidence import LabelEvidence
    >>> Y = np.repeat([[0, 0, 1], [1, 1, 0]], 30, axis=0)
    >>> grown(LabelEvidence.of(Y), root=1).parents
    ((1,), (), (1,))
    """
    return grown_from_roots(evidence, [first_label(evidence.n_labels, root, random_state)], **tests)[0]


def grown_from_roots(
    evidence: Evidence,
    roots: Sequence[int],
    *,
    max_parents: int = 3,
    level: float = 0.01,
    min_support: float = 0.01,
    background: bool = True,
    cancelled: Cancelled | None = None,
) -> list[LabelGraph]:
    """Learn the structure of each root, all from the same evidence; see `fs` for the other parameters.

    Parameters
    ----------
    evidence : Evidence
        Of the labels.
    roots : sequence of int
        The label that comes first in each graph.
    cancelled : callable, optional
        See `trellislib.running.progress`; called once per root and once per label.

    Returns
    -------
    list of LabelGraph
        For each root, what `grown` would learn from it alone.

    Examples
    --------
    >>> import numpy as np
    >>> from trellislib.dependence.evidence import LabelEvidence
    >>> Y = np.repeat([[0, 0, 1], [1, 1, 0]], 30, axis=0)
    >>> [graph.parents for graph in grown_from_roots(LabelEvidence.of(Y), [0, 1])]
    [((), (0,), (0,)), ((1,), (), (1,))]
    """
    require_integer("max_parents", max_parents)
    for name, value in {"level": level, "min_support": min_support}.items():
        if not 0 < value < 1:
            raise ValueError(f"Got {name}={value}, but expected a number between 0 and 1, both excluded.")
    tests = _Tests(evidence, level, min_support)
    growths = []
    for root in roots:
        stop_if(cancelled)
        growths.append(_Growth(tests, first_label(evidence.n_labels, root, None), background))
    parents: list[list[tuple[int, ...]]] = [[] for _ in growths]
    for label in range(evidence.n_labels):
        stop_if(cancelled)
        candidates = _Candidates(tests, label, growths)
        for growth, found in zip(growths, parents, strict=True):
            found.append(candidates.parents(growth, max_parents))
    return [LabelGraph(found, growth.order.tolist()) for growth, found in zip(growths, parents, strict=True)]


class _Adding(NamedTuple):
    """Labels that add to what is known of a label, how much, and the degrees of freedom of each."""

    labels: np.ndarray
    information: np.ndarray
    freedom: np.ndarray

    def only(self, which: np.ndarray) -> _Adding:
        """Return some of the labels, as an index or mask chooses them."""
        return _Adding(self.labels[which], self.information[which], self.freedom[which])


class _Tests:
    """The tests of the evidence and their levels, the same for every root."""

    def __init__(self, evidence: Evidence, level: float, min_support: float) -> None:
        self.evidence, self.level = evidence, level
        self.frequent = evidence.frequent(min_support)
        self.level_of_pairs = level / max(evidence.n_labels * (evidence.n_labels - 1) // 2, 1)
        self.level_of_triples = level / max(_n_triangles(self.frequent), 1)

    def significant(self, label: int) -> np.ndarray:
        """Return for every label whether `label` depends on it."""
        information, freedom = self.evidence.pairs
        return self.passing(information[label], freedom[label], self.level)

    def passing(self, information: np.ndarray, freedom: np.ndarray, level: float) -> np.ndarray:
        """Return which information is significant; p-values are slow, and found only where they may be so small."""
        least = chdtri(1, level) * (1 - MARGIN)  # more degrees of freedom need more
        may = np.flatnonzero(2 * self.evidence.total * information >= least)
        passes = np.zeros(len(information), dtype=bool)
        passes[may] = g_test(information[may], freedom[may], self.evidence.total) <= level
        return passes

    def partners(self, label: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the labels that are frequent together with `label`, and in which share of the instances they are."""
        here = slice(*self.frequent.indptr[label : label + 2])
        return self.frequent.indices[here], self.frequent.data[here]

    def adding(self, label: int, others: np.ndarray, given: tuple[int, ...], level: float) -> _Adding:
        """Return those of `others` that add significantly to the information of the labels `given` on `label`."""
        information, freedom = self.evidence.gains(label, others, given)
        adds = self.passing(information, freedom, level)
        return _Adding(others[adds], information[adds], freedom[adds])

    def pairs_adding(self, label: int, others: np.ndarray, given: tuple[int, ...]) -> _Adding:
        """Return which of `others` that are frequent together add to `given` and one another on `label`.

        Labels are numbers of cells in a matrix, whose rows are for the label that is given.
        """
        linked = np.flatnonzero(self.frequent[others][:, others].toarray())
        if len(linked) == 0:
            return _Adding(linked, np.zeros(0), np.zeros(0, dtype=int))
        information, freedom = (of.ravel()[linked] for of in self.evidence.gains_given_each(label, others, given))
        adds = self.passing(information, freedom, self.level_of_triples)
        return _Adding(linked[adds], information[adds], freedom[adds])


class _Growth:
    """The tree of one root, and by how much pairs of labels outside it depend."""

    def __init__(self, tests: _Tests, root: int, background: bool) -> None:
        self.tests = tests
        information, _ = tests.evidence.pairs
        order, self.links = prim(information, root)
        self.order = np.array(order, dtype=np.intp)
        self.place = np.argsort(self.order)
        self._has_background = background

    def before(self, label: int) -> np.ndarray:
        """Return for every label whether it comes before `label`."""
        return self.place < self.place[label]

    def in_tree(self, label: int, significant: np.ndarray) -> tuple[int, ...]:
        """Return the parent of `label` in the tree, if it is one of the labels on which it depends."""
        link = self.links[label]
        return (link,) if link != label and significant[link] else ()

    def standing_out(self, label: int, adding: _Adding, level: float) -> _Adding:
        """Return those of the labels that add to `label` more than its background would have it."""
        if not self._has_background or len(adding.labels) == 0:
            return adding
        information = adding.information / max(self._outside_the_tree.median_without(label), 1.0)
        return adding.only(self.tests.passing(information, adding.freedom, level))

    @cached_property
    def _outside_the_tree(self) -> _Ratios:
        """Pairs outside the tree, with G given the child's parent over its median if independent."""
        tests, n_labels = self.tests, len(self.order)
        places = np.unique(np.linspace(0, n_labels - 1, min(n_labels, BACKGROUND_LABELS)).astype(int))
        pieces = []
        for place in places:
            child = int(self.order[place])
            others = np.setdiff1d(self.order[:place], [self.links[child]])
            gains = tests.evidence.gains(child, others, self.in_tree(child, tests.significant(child)))
            tested = gains.freedom > 0
            values, which = np.unique(gains.freedom[tested], return_inverse=True)
            ratio = 2 * tests.evidence.total * gains.information[tested] / chdtri(values, 0.5)[which]
            pieces.append((np.full(len(ratio), child), others[tested], ratio))
        children, them, ratios = (np.concatenate(piece) for piece in zip(*pieces, strict=True))
        return _Ratios(children, them, ratios, n_labels)


class _Ratios:
    """Values of pairs of labels, sorted, so that the median of those without one label is a look-up."""

    def __init__(self, first: np.ndarray, second: np.ndarray, values: np.ndarray, n_labels: int) -> None:
        ascending = np.argsort(values)
        self._values = values[ascending]
        labels = np.concatenate([first[ascending], second[ascending]])
        by_label = np.argsort(labels, kind="stable")
        self._places = (by_label % max(len(values), 1)).astype(np.int32)
        self._starts = np.searchsorted(labels[by_label], np.arange(n_labels + 1))

    def median_without(self, label: int) -> float:
        """Return the median over the pairs that `label` is not in, 1 if there are none."""
        gone = np.sort(self._places[slice(*self._starts[label : label + 2])])
        n_left = len(self._values) - len(gone)
        if n_left == 0:
            return 1.0
        middle = np.array([(n_left - 1) // 2, n_left // 2])
        left_before = gone - np.arange(len(gone))
        return float(self._values[middle + np.searchsorted(left_before, middle, side="right")].mean())


class _Candidates:
    """The labels that may become parents of one label: the evidence for them is found once for all roots."""

    def __init__(self, tests: _Tests, label: int, growths: Sequence[_Growth]) -> None:
        self.tests, self.label = tests, label
        self.significant = tests.significant(label)
        self._before = {growth: growth.before(label) for growth in growths}
        self._singles: dict[tuple[int, ...], _Adding] = {}

    def parents(self, growth: _Growth, most: int) -> tuple[int, ...]:
        """Return at most so many parents of the label in one of the graphs, the strongest first."""
        found = growth.in_tree(self.label, self.significant)
        while len(found) < most:
            further = self._one_more(growth, found)
            if not further and len(found) + 2 <= most:
                further = self._two_more(growth, found)
            if not further:
                break
            found += further
        return found

    def _one_more(self, growth: _Growth, found: tuple[int, ...]) -> tuple[int, ...]:
        """Return the label that adds most, of those that add significantly."""
        if found not in self._singles:
            self._singles[found] = self._adding_to(found)
        adding = self._singles[found]
        adding = adding.only(self._before[growth][adding.labels])
        adding = growth.standing_out(self.label, adding, self.tests.level_of_pairs)
        return (int(adding.labels[adding.information.argmax()]),) if len(adding.labels) else ()

    def _adding_to(self, found: tuple[int, ...]) -> _Adding:
        """Return what adds significantly, of the labels before the label in any of the graphs."""
        near = np.zeros_like(self.significant)
        for one in found:
            near[self.tests.partners(one)[0]] = True
        seen = self.significant.copy()
        partners, _ = self.tests.partners(self.label)
        seen[partners[near[partners]]] = True
        seen[list(found)] = False
        seen &= np.any(list(self._before.values()), axis=0)
        return self.tests.adding(self.label, np.flatnonzero(seen), found, self.tests.level_of_pairs)

    def _two_more(self, growth: _Growth, found: tuple[int, ...]) -> tuple[int, ...]:
        """Return the two labels that add most together, each of them to the other significantly."""
        partners = self._most_frequent(growth, found)
        information = np.full((len(partners), len(partners)), -np.inf)
        adding = self.tests.pairs_adding(self.label, partners, found)
        adding = growth.standing_out(self.label, adding, self.tests.level_of_triples)
        information.flat[adding.labels] = adding.information
        information[np.isinf(information.T)] = -np.inf  # each must add to the other
        if np.isinf(information).all():
            return ()
        alone = self.tests.evidence.gains(self.label, partners, found).information
        first, second = np.unravel_index((alone[:, None] + information).argmax(), information.shape)
        return int(partners[first]), int(partners[second])

    def _most_frequent(self, growth: _Growth, found: tuple[int, ...]) -> np.ndarray:
        """Return the labels that one of the graphs tries two at a time."""
        ranked = self._ranked[growth]
        return np.sort(ranked[~np.isin(ranked, found)][:PARTNERS])

    @cached_property
    def _ranked(self) -> dict[_Growth, np.ndarray]:
        """The labels before the label in each graph that are frequent together with it, the most frequent first."""
        partners, together = self.tests.partners(self.label)
        ranked = partners[np.argsort(-together, kind="stable")]
        return {growth: ranked[before[ranked]] for growth, before in self._before.items()}


def _n_triangles(graph: sparse.csr_array) -> int:
    """Return the number of sets of three labels that are all linked in a symmetric graph."""
    links = sparse.csr_array((np.ones(graph.nnz, dtype=np.int64), graph.indices, graph.indptr), shape=graph.shape)
    blocks = (links[low : low + BLOCK] for low in range(0, links.shape[0], BLOCK))
    return sum(int((block @ links).multiply(block).sum()) for block in blocks) // 6
