"""What ensembles share: members that vote, label by label."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import Any, TypeVar

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from trellislib.decisions import Distribution, Mixture
from trellislib.inference import Inferred
from trellislib.labels.coding import LabelCoding
from trellislib.learners import Training, probabilistic
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.parameters import with_parameters
from trellislib.methods.thresholds import check_rule, decided, tuned_thresholds
from trellislib.running.checks import require_integer
from trellislib.running.parallel import Shared, finished, jobs_at_once
from trellislib.running.progress import Cancelled, Progress, part_of
from trellislib.typing import Labels, Matrix

VOTINGS = ("hard", "soft")

Part = Callable[[TrainingSet], TrainingSet]
"""Returns what one member sees of the training set."""

M = TypeVar("M", bound=MultiOutputMethod)


@with_parameters
class Voting(MultiOutputMethod):
    """Several methods that vote on labels above a threshold; a subclass fits them and counts their votes.

    Parameters
    ----------
    threshold : float or {"cardinality", "per-label", "f1"}, default=0.5
        Share of votes above which a binary label is relevant, or how it is chosen by cross-validation on the
        training rows; see `trellislib.ThresholdedClassifier`.
    n_jobs : int, optional
        Members fitted at a time, as joblib counts; by default one, or as ``joblib.parallel_config`` sets. Threads
        are used where it names no backend.
    random_state : int, RandomState or None
        Seed of the members' structures, of their rows and of sampling. Every member gets a seed of its own.

    Attributes
    ----------
    estimators_ : list
        The fitted members.
    threshold_ : float or ndarray of shape (n_labels,)
        Above which votes a label is relevant.
    """

    threshold: float | str = 0.5
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = None
    estimators_: list[MultiOutputMethod] = field(init=False)
    threshold_: float | np.ndarray = field(init=False)

    def _member(self, method: type[M], **own: Any) -> M:
        """Return a method, not fitted, with parameters of its `own` and else those of the same names here."""
        mine = self.get_params(deep=False) | {"decide": None}  # which the ensemble does, of all members together
        shared = {name: mine[name] for name in inspect.signature(method).parameters if name in mine}
        return method(**{**shared, **own})

    def _fit_members(
        self,
        members: Sequence[MultiOutputMethod],
        parts: Sequence[Part | None],
        training: Training,
        rng: np.random.RandomState,
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> None:
        """Choose the thresholds, and fit each member to its part of the training set, or to all of it where None."""
        steps = 2 if isinstance(self.threshold, str) else 1
        plain = clone(self).set_params(threshold=0.5, decide=None)
        first, last = part_of(progress, 0, steps), part_of(progress, steps - 1, steps)
        self.threshold_ = tuned_thresholds(self.threshold, plain, training, rng, progress=first, cancelled=cancelled)
        self.estimators_ = _fitted_members(members, parts, training, self.n_jobs, last, cancelled)

    def _cells(self) -> int:
        held = 2 * len(self.estimators_) * self.coding_.n_columns  # what members know of labels, until ties are decided
        return max(held, *(member._cells() for member in self.estimators_))

    def _infer(self, X: Matrix) -> Inferred:
        return decided(self._probabilities(X), self.threshold_, self.coding_)


@with_parameters
class Ensemble(Voting):
    """Several methods that vote, label by label; a subclass makes them.

    A label takes the value with most votes. Ties, which an even number of members often gives, go to the value of the
    highest average probability; where members give none, the last member's vote does not count in a tie. What is still
    tied goes to the lower value.

    Parameters
    ----------
    n_estimators : int, default=10
        Number of members, M.
    max_samples : float, default=1.0
        Share of the training rows that each member sees, drawn without replacement; the authors' code uses 0.67.
    voting : {"hard", "soft"}, default="hard"
        Whether members vote for values, or their probabilities are averaged. Of votes, `predict_proba` gives the
        shares; where values are tied they are moved a little, so that what decides the tie has a say.
    """

    n_estimators: int = 10
    max_samples: float = 1.0
    voting: str = "hard"

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
        parts: list[Part | None] = [None] * len(members)
        if self.max_samples < 1:
            n_drawn = max(round(self.max_samples * training.training_set.n_instances), 1)
            parts = [partial(_drawn, seed=seed, n_drawn=n_drawn) for seed in spawned[: len(members)]]
        self._fit_members(members, parts, training, rng, progress, cancelled)

    def _reads_rows(self) -> str | None:
        """Return what reads rows again: here, drawing them for each member, or choosing thresholds."""
        for name, reads in {"max_samples": self.max_samples < 1, "threshold": isinstance(self.threshold, str)}.items():
            if reads:
                return f"{type(self).__name__}({name}={getattr(self, name)!r})"
        return None

    def _distribution(self, X: Matrix) -> Distribution:
        members = [member._distribution(X) for member in self.estimators_]
        return self._mixed(members)

    def _held_out(
        self, training: Training, rows: np.ndarray, progress: Progress | None, cancelled: Cancelled | None
    ) -> Iterator[tuple[np.ndarray, Distribution]]:
        """Yield the mixture of what the members give to held-out rows; see `MultiOutputMethod._held_out`."""
        if self.max_samples < 1:
            yield from super()._held_out(training, rows, progress, cancelled)
            return
        n_members = len(self.estimators_)
        of_members = [
            member._held_out(training, rows, part_of(progress, number, n_members), cancelled)
            for number, member in enumerate(self.estimators_)
        ]
        for parts in zip(*of_members, strict=True):  # members hold out the same rows at a time
            yield parts[0][0], self._mixed([distribution for _, distribution in parts])

    def _mixed(self, members: Sequence[Distribution]) -> Distribution:
        mixture = Mixture(members)
        shares = mixture.marginals
        if self.voting == "hard":
            shares = self._shares([of.codes for of in members], mixture.marginals_of)
        mixture.codes = decided(shares, self.threshold_, self.coding_).codes
        return mixture

    def _probabilities(self, X: Matrix) -> np.ndarray:
        if self.voting == "soft":
            return self._mean([member._probabilities(X) for member in self.estimators_])
        if not all(member._gives_probabilities() for member in self.estimators_):
            return self._shares([member._infer(X).codes for member in self.estimators_])
        members = [member._distribution(X) for member in self.estimators_]
        return self._shares(
            [of.codes for of in members], lambda labels: self._mean([of.marginals_of(labels) for of in members])
        )

    def _mean(self, of_members: Sequence[np.ndarray]) -> np.ndarray:
        return sum(of_members, np.zeros(())) / len(of_members)

    def _shares(
        self, codes: Sequence[np.ndarray], probabilities: Callable[[Labels], np.ndarray] | None = None
    ) -> np.ndarray:
        """Return the shares of the members' votes, those of tied values moved a little.

        Ties are decided by the members' mean probabilities of labels, or by the votes without the last member's.
        """
        n_members, coding = len(codes), self.coding_
        votes = np.zeros((coding.n_columns, codes[0].shape[1]))
        for of_member in codes:
            last = coding.indicators(of_member, range(coding.n_labels), coding.code_type)
            votes += last
        shares, tied = votes / n_members, _ties(votes, n_members, coding)
        labels = np.flatnonzero(tied[coding.starts[:-1]].any(axis=1))
        if len(labels):
            columns = coding.columns(labels)
            judged = (votes - last)[columns] / (n_members - 1) if probabilities is None else probabilities(labels)
            # Moved so little that numbers of votes that differ stay in their order.
            shares[columns] += np.where(tied[columns], (judged - shares[columns]) / (n_members + 2), 0.0)
        return shares


def _ties(votes: np.ndarray, n_members: int, coding: LabelCoding) -> np.ndarray:
    """Return which columns are of a label whose most voted values have equally many votes, as `votes` in shape."""
    if coding.is_binary:
        return 2 * votes == n_members
    tied = np.zeros(votes.shape, dtype=bool)
    for label, of_label in enumerate(coding.split(votes, range(coding.n_labels))):
        of_values = np.vstack([n_members - of_label.sum(axis=0), of_label])
        most = of_values == of_values.max(axis=0)
        tied[coding.starts[label] : coding.starts[label + 1]] = most.sum(axis=0) > 1
    return tied


def _fitted_members(
    members: Sequence[MultiOutputMethod],
    parts: Sequence[Part | None],
    training: Training,
    n_jobs: int | None,
    progress: Progress | None,
    cancelled: Cancelled | None,
) -> list[MultiOutputMethod]:
    """Return the members fitted, each to its part of the training set, or to the same prepared learner where None.

    One after another, each reports its own progress; where several are fitted at a time, each counts as it finishes.
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
