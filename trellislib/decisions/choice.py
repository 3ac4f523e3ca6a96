"""The rule that decides best for a score, chosen on training rows that the method was fitted without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np
from scipy import sparse

from trellislib.decisions.distribution import Distribution
from trellislib.decisions.nearby import NearbySets
from trellislib.decisions.rules import (
    AboveThreshold,
    AmongLabelSets,
    AsInferred,
    LabelSets,
    MostExpected,
    MostFrequentNearby,
    MostProbableValues,
    Rule,
)
from trellislib.inference.joint import all_vectors
from trellislib.labels.coding import LabelCoding
from trellislib.labels.matrices import dense
from trellislib.learners.training_set import TrainingSet, evenly_spread
from trellislib.metrics import MEASURES, decision_measures
from trellislib.typing import Matrix
from trellislib.wording.arguments import given

ALIASES = {"hamming": "hamming_score", "f1": "example_f1"}
OF_SETS = ("exact_match", "hamming_score", "accuracy", "example_f1")
THRESHOLDS = np.linspace(0.02, 0.98, 49)
TEMPERS = (0.5, 0.75, 1.0, 1.3)
POWERS = (0.0, 0.5, 1.0)
NEAR = (
    (1.3, 0.5),
    (1.0, 0.5),
    (0.5, 0.5),
    (1.0, 1.0),
    (0.75, 1.0),
    (0.5, 1.0),
    (1.0, 2.0),
    (0.0, 1.0),
)  # pairs of temper and power

MOST_VECTORS = 2**10  # label vectors that are all compared, seen or not
MOST_SETS = 2**13  # seen label sets that are compared, the most frequent ones,
MOST_SET_CELLS = 2**19  # and so times the number of labels
NEAR_NAME = "highest expected score over the label sets seen in training, near rows counting more"
IMPOSSIBLE = -1e9  # the logarithm of a weight that no other is below, and of which a mean can be taken
N_ROWS = 1000  # training rows, spread evenly over the data, on which rules are compared


def deciding_measure(decide: str, coding: LabelCoding) -> str:
    """Return the key of the score to decide for.

    Raises
    ------
    ValueError
        If it is no score of decisions, or needs labels of two values where they have more.
    """
    key = ALIASES.get(decide, decide)
    allowed = decision_measures(binary=coding.is_binary)
    if key not in allowed:
        more = "" if coding.is_binary else ", because labels have more than two values"
        raise ValueError(f"Got {given('decide', decide)}, but expected one of {allowed}{more}.")
    return key


@dataclass(frozen=True)
class Decision:
    """How a fitted method decides for a score.

    Attributes
    ----------
    measure : str or None
        Key of the score in `trellislib.metrics.MEASURES`; None where the rule was given.
    rule : Rule
        The rule that scored highest, or that was given.
    scores : dict of str to float
        The score of every rule that was compared, by its name, on training rows that the method was fitted without,
        with their weights.
        The parameters of a rule were chosen on the same rows, so that its score is a little too high.
    """

    measure: str | None
    rule: Rule
    scores: dict[str, float]

    def decide(self, distribution: Distribution, X: Matrix) -> np.ndarray:
        """Return the codes of all labels, of shape (n_labels, n_instances), from what is known of some instances."""
        return self.rule.at(X).decide(distribution)

    @property
    def cells(self) -> int:
        """How many numbers are held per instance."""
        nearby = getattr(self.rule, "nearby", None)
        of_sets = self.rule.sets.n_sets if isinstance(self.rule, AmongLabelSets) else 0
        return max(of_sets, nearby.cells if nearby is not None else 0)


def compared_rows(n_instances: int) -> np.ndarray:
    """Return the training rows on which rules are compared."""
    return evenly_spread(n_instances, N_ROWS)


def chosen_decision(measure: str, training_set: TrainingSet, rows: np.ndarray, held_out: Distribution) -> Decision:
    """Return the decision by the rule that scores highest on held-out training rows.

    Parameters
    ----------
    measure : str
        Key of the score in `trellislib.metrics.MEASURES`.
    training_set : TrainingSet
        All training rows.
    rows : ndarray of shape (n_rows,)
        The rows that `held_out` is about.
    held_out : Distribution
        What the method gives to these rows where it was fitted without them.

    Returns
    -------
    Decision
        By the first of several rules that score alike, simpler ones being first.
    """
    truth = training_set.rows(rows).sparse_codes
    weight = None if training_set.weight is None else training_set.weight[rows]
    held = _Held(measure, held_out, truth, weight)
    best: tuple[float, Rule] | None = None
    scores: dict[str, float] = {}
    for score, rule in _scored_rules(held, training_set, rows):
        scores[rule.name] = max(score, scores.get(rule.name, -np.inf))
        if best is None or score > best[0] + 1e-12:
            best = score, rule
    assert best is not None
    return Decision(measure, best[1], scores)


@dataclass(frozen=True)
class _Held:
    """Rows with their true labels, their weights and what the method gives to them."""

    measure: str
    distribution: Distribution
    truth: sparse.csr_array
    weight: np.ndarray | None

    def score(self, codes: np.ndarray) -> float:
        found = sparse.csr_array(codes.T)
        return float(MEASURES[self.measure].function(self.truth, found, sample_weight=self.weight))


def _scored_rules(held: _Held, training_set: TrainingSet, rows: np.ndarray) -> Iterator[tuple[float, Rule]]:
    """Yield rules with their scores, the simplest first."""
    coding = held.distribution.coding
    simple: list[Rule] = [MostProbableValues(), AsInferred()]
    if coding.is_binary and held.measure != "hamming_score":
        simple += [AboveThreshold(float(threshold)) for threshold in _outwards(THRESHOLDS)]
    if held.measure == "macro_f1":
        simple.append(AboveThreshold(f1_thresholds(held.distribution.marginals, dense(held.truth).T, held.weight)))
    if held.measure in ("accuracy", "example_f1"):
        simple.append(MostExpected(held.measure))
    for rule in simple:
        yield held.score(rule.decide(held.distribution)), rule
    if held.measure in OF_SETS:
        n_values = np.diff(coding.starts) + 1
        if prod(n_values.tolist()) <= MOST_VECTORS:
            yield _of_all_vectors(held, n_values)
        yield from _of_seen_sets(held, training_set, rows)


def _of_all_vectors(held: _Held, n_values: np.ndarray) -> tuple[float, Rule]:
    """Return the rule that compares all label vectors, under the method's distribution as it is."""
    name = "highest expected score over all label vectors"
    rule = AmongLabelSets(LabelSets(all_vectors(n_values)), held.measure, name=name)
    return held.score(rule.decide(held.distribution)), rule


def _of_seen_sets(held: _Held, training_set: TrainingSet, rows: np.ndarray) -> Iterator[tuple[float, Rule]]:
    """Yield rules that compare label sets seen in training, of several tempers and powers.

    Neither a row nor the others of its group count for it: a label set that would not be among the compared ones
    without them, as one that no other row has, is no candidate.
    """
    seen, of_row = training_set.label_sets
    weight = np.ones(len(of_row)) if training_set.weight is None else training_set.weight
    counts = np.bincount(of_row, weights=weight)
    n_compared = min(MOST_SETS, max(MOST_SET_CELLS // training_set.n_labels, 1))
    order = np.argsort(-counts, kind="stable")
    frequent, is_all = np.sort(order[:n_compared]), len(order) <= n_compared
    beyond = 0.0 if is_all else counts[order[n_compared]]
    vectors, counts = dense(seen[frequent]).T, counts[frequent]
    log_p = held.distribution.log_probabilities(vectors).astype(np.float32)  # twice as fast, and precise enough
    log_counts = np.repeat(np.log(counts).astype(np.float32)[:, None], len(rows), axis=1)
    aside = sparse.coo_array(_left_out_of_sets(of_row, weight, training_set.units, rows)[frequent])
    own = aside.coords
    others = np.maximum(counts[own[0]] - aside.data, 0.0)
    log_counts[own] = np.log(np.maximum(others, np.finfo(float).tiny))
    log_p[own] = np.where(others > beyond, log_p[own], IMPOSSIBLE)
    sets, coding = LabelSets(vectors, counts), held.distribution.coding
    for temper, power in product(TEMPERS, POWERS):
        rule = AmongLabelSets(sets, held.measure, temper, power)
        yield held.score(rule.of_weights(temper * log_p + power * log_counts, coding)), rule
    nearby = NearbySets(training_set.X, of_row, seen.shape[0], weight)
    near = nearby.counts(training_set.X[rows], rows, training_set.units)
    if held.measure == "exact_match" and not is_all:
        of_all = MostFrequentNearby(seen, nearby)
        yield held.score(replace(of_all, counts=near).decide(held.distribution)), of_all
    nearby = nearby.of_sets(frequent)
    near = near[frequent]
    near[own] = np.where(others > beyond, near[own], 0.0)
    log_near = np.log(np.maximum(near, np.finfo(float).tiny)).astype(np.float32)
    for temper, power in NEAR:
        rule = AmongLabelSets(sets, held.measure, temper, power, NEAR_NAME, nearby)
        yield held.score(rule.of_weights(temper * log_p + power * log_near, coding)), rule


def _left_out_of_sets(
    of_row: np.ndarray, weight: np.ndarray, units: np.ndarray | None, rows: np.ndarray
) -> sparse.csr_array:
    """Return how often each label set occurs among the rows that are held out with each of some rows, (n_sets, n_rows).

    That is one copy of the row, or all rows of its group.
    """
    shape = (int(of_row.max()) + 1, len(rows) if units is None else int(units.max()) + 1)
    if units is None:
        of_rows = np.minimum(weight[rows], 1.0), (of_row[rows], np.arange(len(rows)))
        return sparse.csr_array(of_rows, shape=shape)
    return sparse.csr_array(sparse.csc_array((weight, (of_row, units)), shape=shape)[:, units[rows]])


def f1_thresholds(marginals: np.ndarray, relevant: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
    """Return for each label the threshold of its probability that gives the highest F1; .5 without positives.

    This is SCut of Yang, "A study of thresholding strategies for text categorization", SIGIR 2001.

    Parameters
    ----------
    marginals, relevant : ndarray of shape (n_labels, n_instances)
        Probabilities, and the truth as 0 and 1.
    weight : ndarray of shape (n_instances,), optional
        Weights of the instances; 1 by default.

    Returns
    -------
    ndarray of shape (n_labels,)
        Halfway between the lowest probability that is above and the next; of several the highest.

    Examples
    --------
    >>> f1_thresholds(np.array([[0.1, 0.3, 0.6, 0.9]]), np.array([[0, 1, 0, 1]]))
    array([0.2])
    """
    order = np.argsort(-marginals, axis=1, kind="stable")
    p = np.take_along_axis(marginals, order, axis=1)
    weight = np.ones(marginals.shape[1]) if weight is None else weight
    found = np.cumsum(np.take_along_axis(relevant * weight, order, axis=1), axis=1)
    n_relevant = found[:, -1:]
    f1 = 2 * found / (np.cumsum(weight[order], axis=1) + n_relevant)
    below = np.concatenate([p[:, 1:], np.zeros((len(p), 1))], axis=1)
    f1[p == below] = -1.0  # no threshold lies between equal probabilities
    best = f1.argmax(axis=1)
    label = np.arange(len(p))
    return np.where(n_relevant[:, 0] > 0, (p[label, best] + below[label, best]) / 2, 0.5)


def _outwards(thresholds: np.ndarray) -> np.ndarray:
    """Return thresholds from one half on outwards, so that the first of equally good ones is the least extreme."""
    return thresholds[np.argsort(np.abs(thresholds - 0.5), kind="stable")]
