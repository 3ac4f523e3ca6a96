"""Label powersets: one class for each label set that occurs (LP, PS, EPS)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy import sparse

from trellislib.decisions import Distribution, SetProbabilities
from trellislib.inference import Inferred
from trellislib.inference.base import joint_or_marginals
from trellislib.labels.coding import LabelCoding, with_first_value
from trellislib.labels.graph import LabelGraph
from trellislib.labels.matrices import dense
from trellislib.learners import Training, with_probabilities
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.base import MultiOutputMethod, Unweighted
from trellislib.methods.ensemble import Ensemble
from trellislib.methods.parameters import with_parameters
from trellislib.methods.prediction import BLOCK_CELLS
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, Progress
from trellislib.typing import Matrix


@with_parameters
class LabelPowerset(MultiOutputMethod):
    """Label powerset (LP): a single multi-class problem whose classes are the label sets seen in training.

    Models every dependence, but cannot predict a label set it has not seen, and their number grows with the data.
    Probabilities are the marginals of each label under the distribution of label sets, so that the most probable set
    need not be made of the most probable values.

    Parameters
    ----------
    maximize : {"joint", "marginals"}, default="joint"
        Whether the most probable label set is predicted, or each label's most probable value.

    Attributes
    ----------
    label_sets_ : {ndarray, csr_array} of shape (n_sets, n_labels)
        The codes of the label sets, in lexicographic order; CSR where the labels were.
    conditionals_ : Conditionals
        The fitted p(label set | x).

    References
    ----------
    Section 3.5 of the paper. Tsoumakas and Vlahavas, "Random k-labelsets", ECML 2007.

    Examples
    --------
    >>> from trellislib import LabelPowerset
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> LabelPowerset().fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    maximize: str = "joint"

    def _gives_probabilities(self) -> bool:
        return self.maximize == "marginals" or self._learner().gives_probabilities

    def _cells(self) -> int:
        return max(self.label_sets_.shape[0], self.coding_.n_columns)

    def _fit(self, training: Training, progress: Progress | None, cancelled: Cancelled | None) -> None:
        learner = training.learner if joint_or_marginals(self.maximize) else with_probabilities(training.learner)
        sets, of_row = training.training_set.label_sets
        rows, of_example = self._examples(training.training_set, sets, of_row)
        kept, of_example = np.unique(of_example, return_inverse=True)
        self.label_sets_ = sets[kept]
        seen = training.training_set.rows(rows)
        numbers = sparse.csr_array(of_example.reshape(-1, 1))  # most of them have a column of their own, mostly 0
        problem = TrainingSet(seen.X, numbers, LabelCoding([np.arange(len(kept))]), seen.weight, seen.groups)
        alone = LabelGraph.independent(1)
        self.conditionals_ = learner.prepare(problem).fit(alone, progress=progress, cancelled=cancelled)

    def _examples(self, training_set: TrainingSet, sets: Matrix, of_row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which rows to learn from and, for each of them, the number of the label set that is learnt."""
        return np.arange(training_set.n_instances), of_row

    def _infer(self, X: Matrix) -> Inferred:
        if self.maximize == "marginals":
            return Inferred.of_marginals(self._probabilities(X), self.coding_)
        given = self.conditionals_.given(X)
        chosen = given.decide((0,), np.zeros((self._n_set_columns, X.shape[0])))[0]
        return Inferred(dense(self.label_sets_[chosen]).T, self.coding_)

    def _probabilities(self, X: Matrix) -> np.ndarray:
        return _indicators(self.label_sets_, self.coding_) @ self._of_sets(X)

    def _of_sets(self, X: Matrix) -> np.ndarray:
        """Return the probability of each label set, of shape (n_sets, n_instances)."""
        given = self.conditionals_.given(X)
        p = with_first_value(given.probabilities((0,), np.zeros((self._n_set_columns, X.shape[0]))))
        return p[: self.label_sets_.shape[0]]

    def _distribution(self, X: Matrix) -> Distribution:
        of_sets = self._of_sets(X)
        marginals = _indicators(self.label_sets_, self.coding_) @ of_sets
        return SetProbabilities(dense(self.label_sets_).T, of_sets, marginals, self._infer(X).codes, self.coding_)

    @property
    def _n_set_columns(self) -> int:
        return max(self.label_sets_.shape[0] - 1, 1)


def _indicators(sets: Matrix, coding: LabelCoding) -> Matrix:
    """Return the codes of label sets as indicator columns, one a row, of shape (n_columns, n_sets)."""
    return coding.encode(sets).T if sparse.issparse(sets) else coding.indicators(sets.T, range(coding.n_labels))


@with_parameters
class PrunedSets(LabelPowerset):
    """Pruned sets (PS): a label powerset without the rare label sets.

    An instance whose label set is rare comes back with its frequent subsets instead, the largest and of these the
    most frequent first, so that its information on single labels is not lost; the empty set, which has none,
    is none of these. Fewer classes and less overfitting than a label powerset. (A subset of labels of more values
    agrees with the instance wherever it has not the label's first value.)

    Parameters
    ----------
    min_count : int, default=3
        How often a label set must occur (by weight) not to be pruned.
    n_subsets : int, default=2
        As how many frequent subsets a pruned instance comes back at most; 0 leaves it out.

    References
    ----------
    Section 3.5 of the paper. Read, Pfahringer and Holmes, "Multi-label classification using ensembles of pruned
    sets", ICDM 2008.

    Examples
    --------
    >>> from trellislib import PrunedSets
    >>> X, Y = [[0.0], [0.1], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 1], [1, 0], [1, 0]]
    >>> PrunedSets(min_count=2).fit(X, Y).label_sets_
    array([[0, 1],
           [1, 0]])
    """

    min_count: int = 3
    n_subsets: int = 2

    def _examples(self, training_set: TrainingSet, sets: Matrix, of_row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        require_integer("min_count", self.min_count)
        require_integer("n_subsets", self.n_subsets, lowest=0)
        counts = np.bincount(of_row, weights=training_set.weight)
        frequent = counts >= self.min_count
        if not frequent.any():
            frequent = counts == counts.max()
        kept, pruned = np.flatnonzero(frequent), np.flatnonzero(~frequent)
        indicators = sparse.csr_array(_indicators(sets, training_set.coding).T)
        size = indicators.count_nonzero(axis=1)
        preference = kept[np.lexsort([kept, -counts[kept], -size[kept]])]
        preference = preference[size[preference] > 0]  # the empty set has no label of a pruned one
        members = np.split(np.argsort(of_row, kind="stable"), np.bincount(of_row).cumsum()[:-1])
        rows, chosen = [np.flatnonzero(frequent[of_row])], [of_row[frequent[of_row]]]
        n_at_once = max(BLOCK_CELLS // max(len(preference), 1), 1)
        for some in np.split(pruned, range(n_at_once, len(pruned), n_at_once)):
            in_both = sparse.csr_array(indicators[some] @ indicators[preference].T)
            in_both.sort_indices()
            for place, (start, stop) in zip(some, pairwise(in_both.indptr), strict=True):
                of_set = preference[in_both.indices[start:stop]]
                within = in_both.data[start:stop] == size[of_set]
                for subset in of_set[within][: self.n_subsets]:
                    rows.append(members[place])
                    chosen.append(np.full(len(members[place]), subset))
        return np.concatenate(rows), np.concatenate(chosen)


@with_parameters
class EnsemblePrunedSets(Unweighted, Ensemble):
    """Ensemble of pruned sets (EPS): pruned sets on different rows that vote, and so form new label sets.

    Parameters
    ----------
    min_count : int, default=3
        How often a label set must occur not to be pruned, as for `PrunedSets`.
    n_subsets : int, default=2
        As how many frequent subsets a pruned instance comes back at most, as for `PrunedSets`.
    max_samples : float, default=0.63
        Share of the training rows that each member sees, drawn without replacement; the authors' code uses 0.67.

    References
    ----------
    Section 3.5 of the paper. Read, Pfahringer and Holmes, "Multi-label classification using ensembles of pruned
    sets", ICDM 2008.

    Examples
    --------
    >>> from trellislib import EnsemblePrunedSets
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1], [0, 1], [1, 0], [1, 0]]
    >>> EnsemblePrunedSets(min_count=1, random_state=0).fit(X, Y).predict([[0.1], [0.9]])
    array([[0, 1],
           [1, 0]])
    """

    min_count: int = 3
    n_subsets: int = 2
    max_samples: float = 0.63

    def _reads_rows(self) -> str | None:
        return type(self).__name__  # each member looks for label sets among the rows

    def _members(
        self, training: Training, seeds: Sequence[int], cancelled: Cancelled | None
    ) -> list[MultiOutputMethod]:
        return [self._member(PrunedSets) for _ in seeds]
