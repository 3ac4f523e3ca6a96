import sys
import time

import cloudpickle
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from trellislib.running import apart

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # other processes cannot import it


class Acting(ClassifierMixin, BaseEstimator):
    """Does something in fit, called as ``act(estimator, X, Y)``, and predicts the code that this returns, or 0."""

    def __init__(self, act=None, random_state=None):
        self.act = act
        self.random_state = random_state

    def fit(self, X, y):
        self.answer_ = (self.act(self, X, y) if self.act else None) or 0
        self.shape_, self.classes_ = y.shape[1:], np.unique(y)
        return self

    def predict(self, X):
        return np.full((X.shape[0], *self.shape_), self.answer_)


@pytest.fixture(scope="session")
def acting():
    """The class `Acting`; what it does must need no module of the tests."""
    return Acting


class Clock:
    """Budgets' clock: a minute passes at each look while `runs` holds, and nothing otherwise."""

    def __init__(self, runs):
        self.runs = runs
        self.now = 0.0

    def __call__(self):
        self.now += 60.0 if self.runs() else 0.0
        return self.now


@pytest.fixture
def clock(monkeypatch):
    """Let budgets go by a `Clock`."""
    return lambda runs: monkeypatch.setattr(apart, "monotonic", Clock(runs))


@pytest.fixture(scope="session")
def wait_until():
    """Wait until something holds; only what never comes about takes five minutes, and fails."""

    def wait(holds):
        end = time.monotonic() + 300
        while not holds():
            assert time.monotonic() < end
            time.sleep(0.01)

    return wait
