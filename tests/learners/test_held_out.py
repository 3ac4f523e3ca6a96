import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression

from trellislib.labels.graph import LabelGraph
from trellislib.learners import Logistic, PerLabel
from trellislib.learners.training_set import TrainingSet
from trellislib.running.progress import CancelledError

GRAPH = LabelGraph.chain([1, 0])


def training_set(n_instances):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_instances, 2))
    return TrainingSet.of(X, (X + rng.standard_normal(X.shape) > 0).astype(int))


@pytest.mark.parametrize("learner", [Logistic(), PerLabel(LogisticRegression())], ids=["all-labels", "per-label"])
@pytest.mark.parametrize(("n_instances", "n_folds"), [(32, 5), (3, 3)])
def test_folds_are_given_what_is_fitted_to_the_others(learner, n_instances, n_folds):
    data = training_set(n_instances)
    training = learner.prepare(data)
    parts = list(training.held_out(GRAPH))
    assert len(parts) == n_folds
    assert_array_equal(np.sort(np.concatenate([rows for rows, _ in parts])), np.arange(n_instances))
    for (rows, given), (again, _) in zip(parts, training.held_out(GRAPH), strict=True):
        assert_array_equal(rows, again)
        rest = data.rows(np.setdiff1d(np.arange(n_instances), rows))
        expected = learner.prepare(rest).fit(GRAPH).given(data.X[rows])
        Z = data.Y[rows].T.astype(float)
        assert_array_equal(given.probabilities([0, 1], Z), expected.probabilities([0, 1], Z))


def test_one_row_cannot_be_held_out():
    with pytest.raises(ValueError, match=r"one training row.*at least two"):
        next(Logistic().prepare(training_set(1)).held_out(GRAPH))


def test_progress_and_cancel():
    reported = []
    training = Logistic().prepare(training_set(20))
    for _ in training.held_out(GRAPH, progress=lambda *step: reported.append(step), cancelled=lambda: False):
        pass
    assert reported[-1] == (5, 5, "folds")
    with pytest.raises(CancelledError):
        next(training.held_out(GRAPH, cancelled=lambda: True))
