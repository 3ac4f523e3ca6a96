import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.optimize import minimize_scalar

from trellislib import ClassifierTrellis, IndependentClassifiers, LeastSquares
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.learners import calibration
from trellislib.learners.calibration import Calibration, _slopes_of_more, _slopes_of_two
from trellislib.learners.training_set import TrainingSet


def margins(seed=0, n_labels=5, n_rows=60):
    rng = np.random.default_rng(seed)
    scores = rng.random((n_labels, 1, n_rows))
    noisy = scores + rng.normal(0, 0.3, scores.shape)
    return scores, (noisy > 0.5).astype(float), rng.random(n_rows) + 0.5


@pytest.mark.parametrize("seed", range(4))
def test_slopes_of_two_values_maximise_the_likelihood(seed):
    scores, indicators, weight = margins(seed)
    found = _slopes_of_two(scores, indicators, weight)
    for label in range(len(scores)):
        margin, relevant = 2 * scores[label, 0] - 1, indicators[label, 0] > 0
        seen, others = weight[relevant].sum(), weight[~relevant].sum()
        target = np.where(relevant, (seen + 1) / (seen + 2), 1 / (others + 2))

        def loss(slope, margin=margin, target=target):
            return weight @ (np.logaddexp(0, slope * margin) - target * slope * margin)

        assert_allclose(found[label], minimize_scalar(loss, bounds=(1e-6, 1e4), method="bounded").x, rtol=1e-3)


def test_two_values_by_the_general_way_are_the_same():
    scores, indicators, weight = margins()
    assert_allclose(_slopes_of_two(scores, indicators, weight), _slopes_of_more(scores, indicators, weight), rtol=1e-5)


def test_few_rows_are_held_out_and_fewer_for_many_labels(monkeypatch):
    Y = sparse.csr_array(np.eye(20, dtype=int)[np.arange(5000) % 20])
    data = TrainingSet.of(np.random.default_rng(0).random((5000, 3)), Y)
    assert Calibration.of(data).X.shape == (1000, 3)
    monkeypatch.setattr(calibration, "CELLS", 20 * 150)
    assert Calibration.of(data).columns.shape == (150, 20)
    monkeypatch.setattr(calibration, "CELLS", 0)
    assert len(Calibration.of(data).weight) == 100


def test_slopes_are_fitted_when_probabilities_are_asked_for(monkeypatch):
    asked = []
    fit = calibration._slopes_of_two
    monkeypatch.setattr(calibration, "_slopes_of_two", lambda *given: asked.append(1) or fit(*given))
    rng = np.random.default_rng(0)
    X, Y = rng.random((200, 3)), rng.integers(2, size=(200, 4))
    method = ClassifierTrellis(random_state=0).fit(X, Y)
    method.predict(X)
    assert not asked
    method.predict_proba(X)
    assert len(asked) == 1
    method.predict_proba(X)
    assert len(asked) == 1


def test_a_pickled_method_holds_no_training_rows():
    rng = np.random.default_rng(0)
    X, Y = rng.random((1000, 50)), rng.integers(2, size=(1000, 4))
    method = ClassifierTrellis(random_state=0).fit(X, Y)
    pickled = pickle.dumps(method)
    assert len(pickled) < X[:30].nbytes
    assert_allclose(pickle.loads(pickled).predict_proba(X), method.predict_proba(X))


def test_a_constant_label_is_certain():
    X = np.random.default_rng(0).random((50, 2))
    Y = np.column_stack([np.ones(50, dtype=int), np.zeros(50, dtype=int), X[:, 0] > 0.5])
    data = TrainingSet(X, Y, LabelCoding([np.array([0, 1])] * 3))
    slopes = LeastSquares().prepare(data).fit(LabelGraph.independent(3)).slopes
    assert slopes[:2].tolist() == [calibration.CERTAIN] * 2
    assert_allclose(IndependentClassifiers().fit(X, Y).predict_proba(X)[:, :2], [[1, 0]] * 50, atol=1e-12)
