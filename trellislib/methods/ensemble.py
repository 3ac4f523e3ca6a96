"""What ensembles share: members that vote, label by label."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state

from trellislib.checks import require_integer
from trellislib.inference import Inferred
from trellislib.learners import Training
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.label_graph import probabilistic
from trellislib.methods.thresholds import check_rule, decided, tuned_thresholds
from trellislib.progress import Cancelled, Progress, part_of
from trellislib.typing import Matrix

VOTINGS = ("hard", "soft")


class Ensemble(MultiOutputMethod):
    """Several methods that vote, label by label; a subclass says which.

    A label of more than two values takes the value with most votes, ties going to the lower value.

    Its members and the thresholds of their votes are in `estimators_` and `threshold_`. The subclasses describe the
    parameters.
    """

    def __init__(
        self,
        estimator: BaseEstimator | None = None,
        *,
        n_estimators: int = 10,
        max_samples: float = 1.0,
        voting: str = "hard",
        threshold: float | str = 0.5,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.voting = voting
        self.threshold = threshold
        self.random_state = random_state

    @abstractmethod
    def _members(
        self, training: Training, seeds: Sequence[int], cancelled: Cancelled | None
    ) -> list[MultiOutputMethod]:
        """Return the members, not fitted, each with one of the seeds."""

    def _fit(self, training: Training, progress: Progress | None, cancelled: Cancelled | None) -> None:
        require_integer("n_estimators", self.n_estimators)
        if self.voting not in VOTINGS:
            raise ValueError(f"Got voting={self.voting!r}, but expected one of {VOTINGS}.")
        if not 0 < self.max_samples <= 1:
            raise ValueError(f"Got max_samples={self.max_samples}, but expected a share above 0 and at most 1.")
        check_rule(self.threshold)
        if self.voting == "soft":
            training = probabilistic(training)
        rng = check_random_state(self.random_state)
        spawned = np.random.SeedSequence(int(rng.randint(2**31))).spawn(self.n_estimators)
        members = self._members(training, [int(seed.generate_state(1)[0]) for seed in spawned], cancelled)
        steps = 2 if isinstance(self.threshold, str) else 1
        plain = clone(self).set_params(threshold=0.5)
        first, last = part_of(progress, 0, steps), part_of(progress, steps - 1, steps)
        self.threshold_ = tuned_thresholds(self.threshold, plain, training, rng, progress=first, cancelled=cancelled)
        n_drawn = max(round(self.max_samples * training.training_set.n_instances), 1)
        self.estimators_ = []
        for number, member in enumerate(members):
            seen = training
            if self.max_samples < 1:
                drawn = np.random.default_rng(spawned[number]).permutation(training.training_set.n_instances)[:n_drawn]
                seen = training.learner.prepare(training.training_set.rows(np.sort(drawn)))
            self.estimators_.append(member._fit_training(seen, part_of(last, number, len(members)), cancelled))

    def _cells(self) -> int:
        return max(member._cells() for member in self.estimators_)

    def _infer(self, X: Matrix) -> Inferred:
        return decided(self._probabilities(X), self.threshold_, self.coding_)

    def _probabilities(self, X: Matrix) -> np.ndarray:
        votes = np.zeros((self.coding_.n_columns, X.shape[0]))
        for member in self.estimators_:
            votes += member._probabilities(X) if self.voting == "soft" else member._infer(X).columns
        return votes / len(self.estimators_)
