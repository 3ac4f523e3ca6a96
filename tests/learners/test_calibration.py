import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit

from trellislib import ClassifierTrellis, IndependentClassifiers, LeastSquares
from trellislib.labels.coding import LabelCoding
from trellislib.labels.graph import LabelGraph
from trellislib.learners import calibration
from trellislib.learners.calibration import (
    _slopes_of_more,
    _slopes_of_two,
    n_calibrated,
    n_scaled,
    platt_scaling,
)
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


@pytest.mark.parametrize("seed", range(4))
def test_slope_and_intercept_maximise_the_likelihood(seed, monkeypatch):
    monkeypatch.setattr(calibration, "CACHED", 3000)  # several blocks,
    monkeypatch.setattr(calibration, "FIRST_ROWS", 20)  # and every third row first
    scores, indicators, weight = (of[:, 0] if of.ndim == 3 else of for of in margins(seed, n_labels=150))
    scores, weight = scores * 0.01 + 3, weight * 2  # of any scale
    slope, intercept = platt_scaling(scores, indicators, weight)
    for label in range(0, len(scores), 20):
        s, relevant = scores[label], indicators[label] > 0
        target = np.where(relevant, 1 - 1 / (weight @ relevant + 2), 1 / (weight @ ~relevant + 2))

        def loss(both, s=100 * (s - 3), target=target):
            odds = both[0] * s + both[1]
            return weight @ (np.logaddexp(0, odds) - target * odds)

        best = minimize(loss, [0, 0], bounds=[(0, None), (None, None)], tol=1e-12)
        assert loss([slope[label] / 100, intercept[label] + 3 * slope[label]]) == pytest.approx(best.fun, abs=1e-6)


def test_scores_that_mislead_leave_the_base_rate():
    indicators = np.array([[0.0] * 6 + [1.0] * 2])
    slope, intercept = platt_scaling(-indicators, indicators, np.ones(8))
    target = (6 * (1 / 8) + 2 * (3 / 4)) / 8  # Platt's of 6 zeros and 2 ones
    assert slope.tolist() == [0.0]
    assert_allclose(intercept, np.log(target / (1 - target)))


@pytest.mark.parametrize("n_rows", [30, 3000])
def test_separated_rows_get_finite_log_odds(n_rows):
    scores = np.full((2, n_rows), 0.001)
    scores[:, 0], scores[1, 1] = 0.9, 0.0010001
    indicators = np.zeros((2, n_rows))
    indicators[:, 0] = 1
    slope, intercept = platt_scaling(scores, indicators, np.ones(n_rows))
    P = expit(slope[:, None] * scores + intercept[:, None])
    assert_allclose(P[:, 0], 2 / 3, rtol=1e-3)  # (1 + 1) / (1 + 2)
    assert_allclose(P[:, 2], 1 / (n_rows + 1), rtol=1e-3)


def test_few_rows_calibrate_and_fewer_for_many_labels(monkeypatch):
    assert n_calibrated(20) == n_scaled(2**22) == 1000
    assert n_scaled(20) == 2**22 // 20
    monkeypatch.setattr(calibration, "CELLS", 20 * 150)
    assert n_calibrated(20) == 150
    monkeypatch.setattr(calibration, "CELLS", 0)
    assert n_calibrated(20) == 100


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
