"""Random k-labelsets: label powersets of small random sets of labels."""

from __future__ import annotations

from itertools import combinations
from math import comb
from operator import methodcaller

import numpy as np
from sklearn.utils import check_random_state

from trellislib.learners import Training
from trellislib.methods.ensemble import Voting
from trellislib.methods.parameters import with_parameters
from trellislib.methods.powerset import LabelPowerset
from trellislib.methods.thresholds import check_rule
from trellislib.running.checks import require_integer
from trellislib.running.progress import Cancelled, Progress
from trellislib.typing import Matrix


@with_parameters
class RAkEL(Voting):
    """Random k-labelsets (RAkEL): label powersets of small random sets of labels.

    Overlapping labelsets vote on each label; disjoint ones each decide their own labels. Every label is in at least
    one labelset, and no labelset comes twice, so that there are at most L choose k of them.

    Parameters
    ----------
    labelset_size : int, default=3
        Labels in a labelset, k; in the disjoint form the last one takes what is left.
    n_labelsets : int, optional
        Number of overlapping labelsets; by default twice the number of labels.
    overlapping : bool, default=True
        Whether labelsets overlap (RAkELo) or are disjoint (RAkELd).
    random_state : int, RandomState or None
        Seed of the labelsets.

    Attributes
    ----------
    labelsets_ : list of tuple of int
        The labels of each powerset.
    estimators_ : list of LabelPowerset
        The powerset of each labelset.
    threshold_ : float or ndarray of shape (n_labels,)
        Above which votes a label is relevant.

    References
    ----------
    Section 3.5 of the paper. Tsoumakas, Katakis and Vlahavas, "Random k-labelsets for multilabel classification",
    IEEE Transactions on Knowledge and Data Engineering 23 (2011).

    Examples
    --------
    >>> from trellislib import RAkEL
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 1, 1, 0], [0, 1, 1, 0], [1, 0, 1, 1], [1, 0, 1, 1]]
    >>> method = RAkEL(labelset_size=2, random_state=0).fit(X, Y)
    >>> method.labelsets_
    [(2, 3), (0, 1), (0, 3), (0, 2), (1, 3), (1, 2)]
    """

    labelset_size: int = 3
    n_labelsets: int | None = None
    overlapping: bool = True

    def _fit(self, training: Training, progress: Progress | None, cancelled: Cancelled | None) -> None:
        rng = check_random_state(self.random_state)
        check_rule(self.threshold)
        self.labelsets_ = self._labelsets(training.training_set.n_labels, rng)
        members = [self._member(LabelPowerset) for _ in self.labelsets_]
        parts = [methodcaller("labels", labelset) for labelset in self.labelsets_]
        self._fit_members(members, parts, training, rng, progress, cancelled)

    def _labelsets(self, n_labels: int, rng: np.random.RandomState) -> list[tuple[int, ...]]:
        require_integer("labelset_size", self.labelset_size)
        size = min(self.labelset_size, n_labels)
        shuffled = rng.permutation(n_labels).tolist()
        if not self.overlapping:
            return [tuple(sorted(shuffled[low : low + size])) for low in range(0, n_labels, size)]
        wanted = 2 * n_labels if self.n_labelsets is None else self.n_labelsets
        require_integer("n_labelsets", wanted)
        possible = comb(n_labels, size)
        wanted = min(wanted, possible)
        # First one round over all labels, so that each is in a labelset; a short last one is filled up.
        starts = range(0, n_labels, size)
        found = {tuple(sorted((shuffled[low:] + shuffled)[:size])): None for low in starts}
        if wanted > possible / 2:
            others = list(combinations(range(n_labels), size))
            for place in rng.permutation(len(others)):
                if len(found) >= wanted:
                    break
                found[others[place]] = None
        while len(found) < wanted:
            found[tuple(sorted(rng.choice(n_labels, size, replace=False).tolist()))] = None
        return list(found)

    def _probabilities(self, X: Matrix) -> np.ndarray:
        votes = np.zeros((self.coding_.n_columns, X.shape[0]))
        n_voters = np.zeros((self.coding_.n_columns, 1))
        for labelset, member in zip(self.labelsets_, self.estimators_, strict=True):
            columns = self.coding_.columns(labelset)
            votes[columns] += member._infer(X).columns
            n_voters[columns] += 1
        return votes / n_voters
