"""Bayesian classifier chains, along a directed graph that is discovered: one, and an ensemble."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.dependence import Evidence, LabelEvidence
from trellislib.dependence.information import WHOLE_LABELS
from trellislib.graphs import lead_evidence, mutual_information_tree, pc
from trellislib.graphs.fs import grown_from_roots
from trellislib.inference import Inference
from trellislib.labels.graph import LabelGraph
from trellislib.learners import Training, with_probabilities
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.ensemble import Ensemble
from trellislib.methods.label_graph import KnownGraphClassifier
from trellislib.methods.parameters import with_parameters
from trellislib.running.memory import FLOAT, Need, Size
from trellislib.running.progress import Cancelled

STRUCTURES = ("fs", "lead", "tree", "pc")


@with_parameters
class FoundStructure(MultiOutputMethod):
    """How Bayesian classifier chains, and ensembles of them, find their graphs.

    Parameters
    ----------
    structure : {"fs", "lead", "tree", "pc"} or LabelGraph, default="fs"
        How the graph is found: by marginal dependence (`trellislib.graphs.fs`), by what independent classifiers of
        the base learner leave unexplained (`trellislib.graphs.lead`), as the maximum spanning tree of the mutual
        information (`trellislib.graphs.mutual_information_tree`), by the PC algorithm (`trellislib.graphs.pc`, an
        optional extra); or the graph.
    max_parents : int, default=3
        Parents of a label at most, for FS, LEAD and PC.
    level : float, default=0.01
        Level of the tests, for FS, LEAD and PC.
    residuals : {"signed", "error"}, default="signed"
        What LEAD looks at; "error" is the paper's.
    """

    structure: str | LabelGraph = "fs"
    max_parents: int = 3
    level: float = 0.01
    residuals: str = "signed"

    def memory_needed(self, size: Size) -> Need:
        """Return about how much memory `fit` takes; see `MultiOutputMethod.memory_needed`."""
        n_columns = size.n_columns
        held = 6 * n_columns**2 if self.structure == "lead" else 3 * min(n_columns, WHOLE_LABELS) ** 2
        matrices = f"a matrix of all pairs of {n_columns} label columns"  # of residuals there are several
        return super().memory_needed(size) + Need(FLOAT * held, matrices, "use structure='fs' or 'tree'")

    def _reads_rows(self) -> str | None:
        if isinstance(self.structure, LabelGraph) or self.structure == "tree":
            return super()._reads_rows()
        return f"{type(self).__name__}(structure={self.structure!r})"

    def _graphs(
        self, training: Training, roots: Sequence[int], rng: np.random.RandomState, cancelled: Cancelled | None
    ) -> list[LabelGraph]:
        """Return the graph that is found from each root; what they have in common is computed once."""
        if self.structure not in STRUCTURES:
            raise ValueError(f"Got structure={self.structure!r}, but expected one of {STRUCTURES}.")
        data = training.training_set
        if self.structure == "tree":
            return [mutual_information_tree(data.information, root) for root in roots]
        if self.structure == "pc":
            if data.weight is not None:
                raise ValueError(
                    "Got sample_weight, but structure='pc' counts every instance once: use 'fs', for example."
                )
            return [
                pc(data.Y, level=self.level, max_parents=self.max_parents, root=root, cancelled=cancelled)
                for root in roots
            ]
        if self.structure == "fs":
            evidence: Evidence = LabelEvidence.of(data.Y, data.weight)
        else:
            learner = with_probabilities(training.learner) if self.residuals == "signed" else training.learner
            evidence = lead_evidence(
                data.X,
                data.Y,
                estimator=learner,
                residuals=self.residuals,
                random_state=rng,
                sample_weight=data.weight,
                groups=data.groups,
                cancelled=cancelled,
            )
        return grown_from_roots(evidence, roots, max_parents=self.max_parents, level=self.level, cancelled=cancelled)


@with_parameters
class BayesianClassifierChain(FoundStructure, KnownGraphClassifier):
    """Bayesian classifier chain (BCC): each label is predicted from the features and its parents in a discovered graph.

    Fewer inputs than in a full chain, at the price of finding the graph. The seed gives the label from which edges
    lead away.

    Parameters
    ----------
    random_state : int, RandomState or None
        Seed of the root and of sampling.

    Attributes
    ----------
    graph_ : LabelGraph
        The structure that was found or given.

    References
    ----------
    Section 3.3 of the paper. Zaragoza et al., "Bayesian chain classifiers for multidimensional classification",
    IJCAI 2011.

    Examples
    --------
    >>> from trellislib import BayesianClassifierChain
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> BayesianClassifierChain(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    def _label_graph(self, training: Training, rng: np.random.RandomState, cancelled: Cancelled | None) -> LabelGraph:
        if isinstance(self.structure, LabelGraph):
            if self.structure.n_labels != training.training_set.n_labels:
                raise ValueError(
                    f"Got a structure of {self.structure.n_labels} labels, but expected "
                    f"{training.training_set.n_labels}."
                )
            return self.structure
        root = int(rng.randint(training.training_set.n_labels))
        return self._graphs(training, [root], rng, cancelled)[0]


@with_parameters
class EnsembleBayesianClassifierChains(FoundStructure, Ensemble):
    """Ensemble of Bayesian classifier chains (EBCC): discovered graphs, each directed away from another label.

    There are at most as many members as labels, min(10, L) in the paper.

    Parameters
    ----------
    structure : {"fs", "lead", "tree", "pc"}, default="fs"
        How the graphs are found, as for `BayesianClassifierChain`.
    inference : Inference, optional
        How each member decides; `trellislib.Greedy` by default.

    References
    ----------
    Sections 3.3 and 3.6 of the paper. Zaragoza et al., "Bayesian chain classifiers for multidimensional
    classification", IJCAI 2011.

    Examples
    --------
    >>> from trellislib import EnsembleBayesianClassifierChains
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> EnsembleBayesianClassifierChains(random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    structure: str = "fs"
    inference: Inference | None = None

    def _members(
        self, training: Training, seeds: Sequence[int], cancelled: Cancelled | None
    ) -> list[MultiOutputMethod]:
        n_labels = training.training_set.n_labels
        rng = np.random.RandomState(seeds[0])
        roots = rng.permutation(n_labels)[: self.n_estimators].tolist()
        return [
            self._member(BayesianClassifierChain, structure=graph, random_state=seed)
            for graph, seed in zip(self._graphs(training, roots, rng, cancelled), seeds, strict=False)
        ]
