"""What ensembles share: members that vote, label by label."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state

from trellislib.inference import Inferred
from trellislib.learners import Training
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.label_graph import probabilistic
from trellislib.methods.thresholds import check_rule, decided, tuned_thresholds
from trellislib.running.checks import require_integer
from trellislib.running.parallel import Shared, finished, jobs_at_once
from trellislib.running.progress import Cancelled, Progress, part_of
from trellislib.typing import Matrix

VOTINGS = ("hard", "soft")

Part = Callable[[TrainingSet], TrainingSet]
"""Returns what one member sees of the training set."""


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
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.voting = voting
        self.threshold = threshold
        self.n_jobs = n_jobs
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
        parts: list[Part | None] = [None] * len(members)
        if self.max_samples < 1:
            n_drawn = max(round(self.max_samples * training.training_set.n_instances), 1)
            parts = [partial(_drawn, seed=seed, n_drawn=n_drawn) for seed in spawned[: len(members)]]
        self.estimators_ = fitted_members(members, parts, training, self.n_jobs, last, cancelled)

    def _reads_rows(self) -> str | None:
        """Return what reads rows again: here, drawing them for each member, or choosing thresholds."""
        for name, reads in {"max_samples": self.max_samples < 1, "threshold": isinstance(self.threshold, str)}.items():
            if reads:
                return f"{type(self).__name__}({name}={getattr(self, name)!r})"
        return None

    def _cells(self) -> int:
        return max(member._cells() for member in self.estimators_)

    def _infer(self, X: Matrix) -> Inferred:
        return decided(self._probabilities(X), self.threshold_, self.coding_)

    def _probabilities(self, X: Matrix) -> np.ndarray:
        votes = np.zeros((self.coding_.n_columns, X.shape[0]))
        for member in self.estimators_:
            votes += member._probabilities(X) if self.voting == "soft" else member._infer(X).columns
        return votes / len(self.estimators_)


def fitted_members(
    members: Sequence[MultiOutputMethod],
    parts: Sequence[Part | None],
    training: Training,
    n_jobs: int | None,
    progress: Progress | None,
    cancelled: Cancelled | None,
) -> list[MultiOutputMethod]:
    """Return the members fitted, each to its part of the training set, or to the same prepared learner where None.

    One after another they tell their own progress; where several are fitted at a time, each counts as it finishes.
    """
    n_members = len(members)
    if jobs_at_once(n_jobs, n_members) == 1:
        return [
            _fitted_member(training, member, part, part_of(progress, number, n_members), cancelled)
            for number, (member, part) in enumerate(zip(members, parts, strict=True))
        ]
    arguments = list(zip(members, parts, strict=True))
    fitted = list(members)
    results = finished(_fitted_member, Shared(training), arguments, n_jobs, prefer="threads", cancelled=cancelled)
    for n_done, (number, member) in enumerate(results, 1):
        fitted[number] = member
        if progress is not None:
            progress(n_done, n_members, "members")
    return fitted


def _fitted_member(
    training: Training,
    member: MultiOutputMethod,
    part: Part | None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> MultiOutputMethod:
    if part is not None:
        training = training.learner.prepare(part(training.training_set))
    return member._fit_training(training, progress, cancelled)


def _drawn(training_set: TrainingSet, seed: np.random.SeedSequence, n_drawn: int) -> TrainingSet:
    rows = np.random.default_rng(seed).permutation(training_set.n_instances)[:n_drawn]
    return training_set.rows(np.sort(rows))
