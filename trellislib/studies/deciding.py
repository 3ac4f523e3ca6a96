"""What is best to answer for each score: label sets with their probabilities, and what each answer scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np
import pandas as pd
from sklearn.base import clone

from trellislib.data.dataset import Dataset
from trellislib.decisions import AmongLabelSets, Joined, LabelSets
from trellislib.experiment import folds
from trellislib.inference.joint import all_vectors
from trellislib.methods import LabelGraphClassifier
from trellislib.metrics import MEASURES
from trellislib.metrics.per_instance import per_instance_scores

SCORES = ("exact_match", "hamming_score", "accuracy", "example_f1")
"""Keys of the scores that are decided for."""
MOST_LABELS = 10  # up to which all label vectors are compared, and beyond those seen in training


@dataclass(frozen=True, eq=False)
class Answers:
    """The probabilities of label sets for some instances, and the best answer for each score.

    Attributes
    ----------
    sets : ndarray of int of shape (n_sets, n_labels)
        The label sets that have a probability.
    probabilities : ndarray of shape (n_instances, n_sets)
        Of each set; they sum to 1 for each instance.
    decided : mapping of str to ndarray of int of shape (n_instances, n_labels)
        By the key of a score, the answers of highest expectation.
    truth : ndarray of int of shape (n_instances, n_labels)
        The true label sets.
    """

    sets: np.ndarray
    probabilities: np.ndarray
    decided: Mapping[str, np.ndarray]
    truth: np.ndarray

    @property
    def marginals(self) -> np.ndarray:
        """The probability of each label, of shape (n_instances, n_labels)."""
        return self.probabilities @ self.sets

    @cached_property
    def n_different(self) -> np.ndarray:
        """How many different answers the scores ask for, of shape (n_instances,)."""
        of_instances = zip(*(answers.tolist() for answers in self.decided.values()), strict=True)
        return np.array([len(set(map(tuple, answers))) for answers in of_instances], dtype=int)

    def expected(self, measure: str, instance: int, answers: np.ndarray) -> np.ndarray:
        """Return the expected score of answers to an instance.

        Parameters
        ----------
        measure : str
            Key of the score.
        instance : int
            Number of the instance.
        answers : ndarray of int of shape (n_answers, n_labels)
            Label sets.

        Returns
        -------
        ndarray of shape (n_answers,)
        """
        if_true = np.tile(self.sets, (len(answers), 1))
        scores = per_instance_scores(measure, if_true, np.repeat(answers, len(self.sets), axis=0))
        return scores.reshape(len(answers), -1) @ self.probabilities[instance]

    @cached_property
    def reached(self) -> pd.DataFrame:
        """What was reached: a row for each score that was decided for, a column for each score."""
        reached = {
            key: [MEASURES[key].function(self.truth, answers) for answers in self.decided.values()] for key in SCORES
        }
        return pd.DataFrame(reached, index=pd.Index(self.decided, name="decided for"))


def best_answers(dataset: Dataset, method: LabelGraphClassifier, *, seed: int = 0) -> Answers:
    """Fit a method to two thirds of the data, and answer the other rows for one score after the other.

    The sets that are compared are all 2^L of up to 10 labels, and otherwise those that were seen in training.

    Parameters
    ----------
    dataset : Dataset
        The data, all labels of two values.
    method : LabelGraphClassifier
        A method along a label graph, whose base learner gives probabilities; it is cloned.
    seed : int, default=0
        Of the rows that are left out.

    Returns
    -------
    Answers
        To the rows that were left out.

    Raises
    ------
    ValueError
        If labels have more than two values.

    Examples
    --------
    >>> from trellislib import ClassifierChain, Logistic
    >>> from trellislib.data import simulate_shapes
    >>> shapes = simulate_shapes(1500, overlap=1.0, random_state=0)
    >>> answers = best_answers(shapes, ClassifierChain(Logistic()))
    >>> for score, found in answers.decided.items():
    ...     print(score, found[0])
    exact_match [0 0 1]
    hamming_score [1 0 0]
    accuracy [1 1 0]
    example_f1 [1 1 1]
    >>> answers.reached["exact_match"].round(2).to_list()
    [0.61, 0.58, 0.59, 0.48]
    """
    if not dataset.is_multilabel:
        raise ValueError(f"Got {dataset.name}, whose labels have more than two values, but expected two of each.")
    train, test = next(iter(folds(dataset, 3, seed)))
    X, Y = dataset.fit_features(train).arrays()
    found = Joined(list(cast(LabelGraphClassifier, clone(method)).fit(X[train], Y[train]).traces(X[test])))
    n_labels = dataset.n_labels
    vectors = all_vectors(np.full(n_labels, 2)) if n_labels <= MOST_LABELS else np.unique(Y[train], axis=0).T
    rules = {key: AmongLabelSets(LabelSets(vectors), key) for key in SCORES}
    log_weights = rules["exact_match"].log_weights(found)
    return Answers(
        vectors.T,
        rules["exact_match"].probabilities(found).T,
        {key: rule.of_weights(log_weights, found.coding).T for key, rule in rules.items()},
        Y[test],
    )
