"""Groups within a fit: where it holds rows out, no base learner sees a group of the rows that it judges."""

from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GroupKFold

from trellislib import (
    BayesianClassifierChain,
    ClassifierChain,
    EnsembleClassifierChains,
    IndependentClassifiers,
    LeastSquares,
    MonteCarloClassifierChain,
    PerLabel,
    StackedIndependentClassifiers,
    ThresholdedClassifier,
)
from trellislib.data.dataset import Dataset
from trellislib.decisions import choice
from trellislib.decisions.nearby import NearbySets
from trellislib.experiment.fits import fit_and_score
from trellislib.graphs.lead import residuals_of
from trellislib.learners.neighbours import NeighbourLabels
from trellislib.learners.training_set import TrainingSet
from trellislib.methods.structure_score import cross_validated_score
from trellislib.models import fit_model

RNG = np.random.default_rng(0)
GROUPS = RNG.integers(12, size=60)
X = np.column_stack([GROUPS, RNG.normal(size=60)])  # the first feature names the group
Y = (RNG.random((60, 3)) < 0.4).astype(int)


class Witness(ClassifierMixin, BaseEstimator):
    """A classifier that judges no row of a group that it was fitted to."""

    def fit(self, X, y):
        self.classes_, self.seen_ = np.unique(y), np.unique(X[:, 0])
        return self

    def predict_proba(self, X):
        assert not np.isin(X[:, 0], self.seen_).any(), "a group is on both sides"
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


LEARNER = PerLabel(Witness())


@pytest.mark.parametrize(
    "method",
    [
        ClassifierChain(LEARNER, decide="accuracy"),
        EnsembleClassifierChains(LEARNER, n_estimators=2, threshold="cardinality", random_state=0),
        EnsembleClassifierChains(LEARNER, n_estimators=2, max_samples=0.5, decide="accuracy", random_state=0),
        ThresholdedClassifier(IndependentClassifiers(LEARNER), threshold="f1"),
        ThresholdedClassifier(IndependentClassifiers(LEARNER), cv=GroupKFold(3)),
        BayesianClassifierChain(LEARNER, structure="lead", random_state=0),
        MonteCarloClassifierChain(LEARNER, random_state=0),
        StackedIndependentClassifiers(LEARNER),
    ],
    ids=lambda method: type(method).__name__,
)
def test_no_group_is_on_both_sides(method):
    method.fit(X, Y, groups=[f"patient {group}" for group in GROUPS])
    with pytest.raises((AssertionError, ValueError), match="group"):  # the latter of a splitter that needs groups
        method.fit(X, Y)
    with pytest.raises(ValueError, match=r"groups of shape \(59,\).*\(60,\)"):
        method.fit(X, Y, groups=GROUPS[1:])


def test_groups_of_rows_of_weight_0_are_left_out():
    method = ThresholdedClassifier(IndependentClassifiers(LeastSquares("loo")), random_state=0)
    weight = (np.arange(60) % 3 > 0).astype(float)
    some = weight > 0
    one, other = (method.fit(X[of], Y[of], weight[of], GROUPS[of]).threshold_ for of in (slice(None), some))
    assert one == other
    with pytest.raises(ValueError, match="no group for instance 2"):
        method.fit(X, Y, groups=[1, 2, None] + [3] * 57)


def test_residuals_of_lead_and_scores_of_structures_come_from_other_groups():
    codes = pd.factorize(GROUPS)[0]
    residuals_of(X, Y, estimator=Witness(), groups=GROUPS, random_state=0)
    training_set = TrainingSet.of(X, Y, groups=codes)
    cross_validated_score(training_set, LEARNER, "accuracy", np.random.RandomState(0))
    for train, test in training_set.divided(3, 0):
        assert not np.isin(codes[test], codes[train]).any()


def test_neighbours_are_of_other_groups():
    found = NeighbourLabels(3).fit(X[:, 1:], Y, None, GROUPS).training_features_
    for row in range(len(X)):
        others = np.flatnonzero(GROUPS[row] != GROUPS)
        nearest = others[np.argsort(np.abs(X[others, 1] - X[row, 1]))[:3]]
        assert (found[row] >= Y[nearest].min(axis=0) - 1e-12).all()
        assert (found[row] <= Y[nearest].max(axis=0) + 1e-12).all()
    two = np.arange(60) < 58  # a group with fewer others than neighbours
    found = NeighbourLabels(3).fit(X[:, 1:], Y, None, two.astype(int)).training_features_
    assert ((found >= 0) & (found <= 1)).all()  # nor is one of them not a number


def test_label_sets_of_the_group_do_not_count():
    of_row, units = np.array([0, 0, 1, 1, 0]), np.array([0, 0, 0, 1, 1])
    weight = np.array([1.0, 2, 3, 4, 5])
    rows = np.array([1, 3])
    assert_array_equal(choice._left_out_of_sets(of_row, weight, units, rows).toarray(), [[3, 5], [3, 4]])
    assert_array_equal(choice._left_out_of_sets(of_row, weight, None, rows).toarray(), [[1, 0], [0, 1]])
    near = NearbySets(np.zeros((5, 1)), of_row, 2, np.ones(5)).counts(np.zeros((2, 1)), rows, units)
    np.testing.assert_allclose(near, [[1.1, 2.2], [1.1, 1.1]])


class Spy(IndependentClassifiers):
    """A method that keeps the groups that it is given."""

    given: ClassVar[list] = []

    def fit(self, X, y, groups=None):
        self.given.append(list(groups))
        return super().fit(X, y)


def test_running_code_passes_groups_of_the_training_rows():
    names = pd.Series([f"p{group}" for group in GROUPS], name="patient")
    data = Dataset(X, Y, ("g", "x"), tuple("abc"), (("0", "1"),) * 3, groups=names)
    Spy.given.clear()
    fit_and_score(data, Spy(), np.arange(40), np.arange(40, 60))
    fit_model(data, Spy())
    assert Spy.given == [names[:40].tolist(), names.tolist()]
