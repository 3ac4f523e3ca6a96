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


def test_some_rows_alone():
    data = training_set(32)
    whole = {row: given for rows, given in Logistic().prepare(data).held_out(GRAPH) for row in rows.tolist()}
    parts = list(Logistic().prepare(data).held_out(GRAPH, np.array([3, 4])))
    assert sorted(np.concatenate([rows for rows, _ in parts]).tolist()) == [3, 4]
    assert set(whole) == set(range(32))


def test_a_single_row_is_its_own_test_row():
    ((rows, _),) = Logistic().prepare(training_set(1)).held_out(GRAPH)
    assert rows.tolist() == [0]


def test_progress_and_cancel():
    reported = []
    training = Logistic().prepare(training_set(20))
    for _ in training.held_out(GRAPH, progress=lambda *step: reported.append(step), cancelled=lambda: False):
        pass
    assert reported[-1] == (5, 5, "folds")
    with pytest.raises(CancelledError):
        next(training.held_out(GRAPH, cancelled=lambda: True))
