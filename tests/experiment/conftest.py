import multiprocessing
import os
import subprocess
import sys
import time
from multiprocessing.reduction import DupFd
from types import SimpleNamespace

import cloudpickle
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from trellislib.experiment import budget

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # other processes cannot import it


FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(["pytest", "trellislib.experiment.worker"])


class Forked:
    """What budgets use of a `Popen` of Python code, forked from a process that has imported all that fits need."""

    def __init__(self, command, stdin, stdout):
        jobs, answers = os.pipe(), os.pipe()
        start = "import os; os.dup2(jobs.detach(), 0); os.dup2(answers.detach(), 1); exec(code, {})"
        self._process = FORKING.Process(target=exec, args=(start, Ends(jobs[0], answers[1], command[-1])))
        self._process.start()
        os.close(jobs[0])
        os.close(answers[1])
        self.stdin, self.stdout = os.fdopen(jobs[1], "wb"), os.fdopen(answers[0], "rb")
        self.pid, self.kill = self._process.pid, self._process.kill

    @property
    def returncode(self):
        return self._process.exitcode

    def poll(self):
        return self._process.exitcode

    def wait(self):
        self._process.join()
        return self._process.exitcode


class Ends(dict):
    """The names that a forked process begins with: its ends of two pipes, duplicated as it is sent, and its code."""

    def __init__(self, jobs, answers, code):
        super().__init__(code=code)
        self.ends = jobs, answers

    def __reduce__(self):
        jobs, answers = map(DupFd, self.ends)
        return dict, ({**self, "jobs": jobs, "answers": answers},)


@pytest.fixture(autouse=True)
def warm_processes(monkeypatch):
    """Fork the processes of fits, as most of their time here would go to imports; test_parallel.py starts them."""
    monkeypatch.setattr(budget, "subprocess", SimpleNamespace(Popen=Forked, PIPE=subprocess.PIPE))


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
    return lambda runs: monkeypatch.setattr(budget, "monotonic", Clock(runs))


@pytest.fixture(scope="session")
def wait_until():
    """Wait until something holds; only what never comes about takes five minutes, and fails."""

    def wait(holds):
        end = time.monotonic() + 300
        while not holds():
            assert time.monotonic() < end
            time.sleep(0.01)

    return wait
