"""Grids of work in this process, in other processes and on a Dask cluster: the results are the serial ones."""

import operator
import re
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sentences import Containing, has_line
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info, threadpool_limits

from trellislib import (
    ClassifierChain,
    ClassifierTrellis,
    EnsembleBayesianClassifierChains,
    EnsembleClassifierChains,
    EnsembleClassifierTrellises,
    EnsemblePrunedSets,
    IndependentClassifiers,
    PerLabel,
    RAkEL,
    RandomGraphEnsemble,
)
from trellislib.data import simulate_label_dag
from trellislib.experiment import COSTS, TIMES, Budget, Split, Store, evaluate, run
from trellislib.labels.graph import LabelGraph
from trellislib.learners.training_set import TrainingSet
from trellislib.running import parallel
from trellislib.running.memory import GIB, MemoryBudgetError, Need, limited_memory
from trellislib.running.parallel import Shared, finished, jobs_at_once
from trellislib.running.progress import CancelledError

DATA = simulate_label_dag(n_instances=200, n_labels=5, random_state=0)
METHODS = {
    "IC": IndependentClassifiers(),
    "CT": ClassifierTrellis(random_state=0),
    "CC": ClassifierChain(LogisticRegression()),
}
ALL_WAYS = ["threading", "loky", "dask"]


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="the dask extra is not installed")
    local = distributed.LocalCluster(n_workers=2, processes=True, threads_per_worker=1, dashboard_address=":0")
    with local, distributed.Client(local):
        yield local


@pytest.fixture(params=["threading", "dask"])
def way(request):
    """Two at a time, in one way after the other."""
    if request.param == "dask":
        request.getfixturevalue("cluster")
        with parallel_config(backend="dask"):
            yield request.param
    else:
        with parallel_config(backend=request.param, n_jobs=2):
            yield request.param


def assert_same(found, serial):
    # Sums and logarithms may round otherwise where arrays lie elsewhere in memory.
    fits = (result.fits.drop(columns=[*COSTS]) for result in (found, serial))
    pd.testing.assert_frame_equal(*fits, rtol=1e-12, atol=0)
    pd.testing.assert_frame_equal(found.per_label, serial.per_label, rtol=1e-12, atol=0)


# ---------------------------------------------------------------- evaluations


@pytest.fixture(scope="module")
def serial():
    return evaluate(DATA, METHODS, 3)


@pytest.mark.parametrize("way", ALL_WAYS, indirect=True)
def test_scores_are_the_serial_ones(way, serial):
    steps = []
    found = evaluate(DATA, METHODS, 3, progress=lambda *step: steps.append(step))
    assert found.complete
    assert_same(found, serial)
    assert (found.fits[[*TIMES]] > 0).all(axis=None)
    assert serial.notes == ()
    assert len(found.notes) == 1
    has_line(found.notes[0], "Up", "2 fits ran", "time")
    assert [(done, total) for done, total, _ in steps] == [(5 * fit, 45) for fit in range(10)]  # as each fit ends
    names = [f"{name}, fold {fold} of 3" for fold in (1, 2, 3) for name in METHODS]
    assert sorted(what for *_, what in steps[1:]) == sorted(names)


@pytest.mark.parametrize("way", ["dask"], indirect=True)
def test_one_job_is_serial_whatever_the_context(way, serial):
    steps = []
    found = evaluate(DATA, METHODS, 3, n_jobs=1, progress=lambda *step: steps.append(step))
    assert_same(found, serial)
    assert found.notes == ()
    assert [what for *_, what in steps] == sorted((what for *_, what in steps), key=lambda what: what.split("fold ")[1])


def test_a_fit_that_fails_is_a_row_and_the_others_go_on(way):
    methods = {"short": ClassifierChain(order=[0]), **METHODS}
    found = evaluate(DATA, methods, 3)
    failed = found.fits[found.fits["status"] == "failed"]
    assert failed["method"].tolist() == ["short"] * 3
    assert failed["reason"].tolist() == [Containing("order", "1 labels", "expected each of 5 once")] * 3
    assert found.folds_done().to_dict() == {"short": 0, "IC": 3, "CT": 3, "CC": 3}


def test_a_single_fit_reports_its_labels():
    steps = []
    evaluate(DATA, {"CC": METHODS["CC"]}, 0.3, n_jobs=2, progress=lambda done, *_: steps.append(done))
    assert set(steps) == set(range(6))


# ---------------------------------------------------------------- ensembles


@pytest.mark.parametrize(
    "method",
    [
        EnsembleClassifierChains(LogisticRegression(), n_estimators=3, random_state=0),
        EnsembleClassifierChains(
            n_estimators=3, max_samples=0.67, voting="soft", threshold="cardinality", random_state=0
        ),
        EnsembleClassifierTrellises(n_estimators=3, random_state=0),
        EnsembleBayesianClassifierChains(n_estimators=3, random_state=0),
        RandomGraphEnsemble(n_estimators=3, random_state=0),
        EnsemblePrunedSets(n_estimators=3, random_state=0),
        RAkEL(random_state=0),
    ],
    ids=["ECC", "ECC as its authors'", "ECT", "EBCC", "RGE", "EPS", "RAkEL"],
)
def test_members_are_the_serial_ones(method, cluster):
    def fitted(n_jobs):
        return clone(method).set_params(n_jobs=n_jobs).fit(DATA.X, DATA.Y)

    alone = fitted(n_jobs=None)
    expected = alone.predict_proba(DATA.X)
    assert len(np.unique(expected)) > 2
    in_threads = fitted(n_jobs=2)
    assert_array_equal(in_threads.predict_proba(DATA.X), expected)
    with parallel_config(backend="dask"):
        on_cluster = fitted(n_jobs=None)
    assert_array_equal(on_cluster.predict(DATA.X), alone.predict(DATA.X))
    assert_allclose(on_cluster.predict_proba(DATA.X), expected, rtol=1e-9)  # sums may be rounded otherwise there
    assert_allclose(on_cluster.threshold_, alone.threshold_, rtol=1e-9)


def test_members_in_processes_of_their_own():
    method = EnsembleClassifierChains(LogisticRegression(), n_estimators=4, random_state=0)
    alone = clone(method).fit(DATA.X, DATA.Y)
    with parallel_config(backend="loky"):
        found = clone(method).set_params(n_jobs=2).fit(DATA.X, DATA.Y)
    assert [m.graph_.order for m in found.estimators_] == [m.graph_.order for m in alone.estimators_]
    assert_array_equal(found.predict_proba(DATA.X), alone.predict_proba(DATA.X))


# ---------------------------------------------------------------- labels


@pytest.mark.parametrize(
    ("learner", "form"),
    [
        (PerLabel(LogisticRegression()), np.asarray),
        (PerLabel(DecisionTreeClassifier(max_depth=3, random_state=0)), sparse.csr_array),
        (PerLabel(LinearSVC(), calibrate=True), sparse.csr_array),
    ],
    ids=["logistic", "tree", "calibrated"],
)
def test_labels_are_the_serial_ones(learner, form, way):
    X, Y = form(DATA.X), DATA.Y.copy()
    Y[:, 1] += Y[:, 0]  # three values
    Y[:, 4] = 1
    weight = np.linspace(0.5, 1, len(Y))
    graph = LabelGraph([(), (0,), (1, 0), (2,), (1, 3)])
    training_set = TrainingSet.of(X, form(Y), weight)
    steps = []
    found = learner.prepare(training_set).fit(graph, progress=lambda *step: steps.append(step))
    with parallel_config(backend="sequential"):
        alone = learner.prepare(training_set).fit(graph)
    Z = training_set.coding.encode(Y).T
    labels = range(5)
    assert_allclose(found.given(X).probabilities(labels, Z), alone.given(X).probabilities(labels, Z), atol=1e-14)
    assert_array_equal(found.given(X).decide(labels, Z), alone.given(X).decide(labels, Z))
    assert steps == [(label, 5, "labels") for label in range(1, 6)]


def test_labels_already_fitted_stay_here(way):
    training = PerLabel(LogisticRegression()).prepare(TrainingSet.of(DATA.X, DATA.Y))
    first = training.fit(LabelGraph([(), (0,), (1, 0), (2,), (3,)]))
    steps = []
    second = training.fit(LabelGraph([(), (0,), (0,), (1,), (3,)]), progress=lambda done, *_: steps.append(done))
    same = [one is other for one, other in zip(first.estimators, second.estimators, strict=True)]
    assert same == [True, True, False, False, True]
    assert steps == [3, 4, 5]


# ---------------------------------------------------------------- cancel


def test_cancelled_from_the_start_nothing_is_begun(way, monkeypatch):
    monkeypatch.setattr(parallel, "Parallel", None)  # which cannot be called
    found = evaluate(DATA, METHODS, 3, cancelled=lambda: True)
    assert (len(found.fits), found.complete) == (0, False)


def test_members_are_reported_as_they_finish_and_can_be_cancelled_between(way):
    steps = []
    method = EnsembleClassifierChains(LogisticRegression(), n_estimators=4, random_state=0)
    method.fit(DATA.X, DATA.Y, progress=lambda *step: steps.append(step))
    assert steps == [(member, 4, "members") for member in (1, 2, 3, 4)]
    with pytest.raises(CancelledError):
        method.fit(DATA.X, DATA.Y, progress=lambda *step: steps.append(step), cancelled=lambda: len(steps) >= 6)
    assert len(steps) == 6


# ---------------------------------------------------------------- how


class Counted(Shared):
    """Counts how often it is sent."""

    sent = 0

    def __reduce__(self):
        Counted.sent += 1
        return Shared, (self.value,)


def test_what_calls_share_is_sent_to_dask_once_not_with_every_call(cluster):
    Counted.sent = 0
    rows = np.arange(40_000).reshape(20, 2000)
    with parallel_config(backend="dask"):
        found = dict(finished(operator.getitem, Counted(rows), [(row,) for row in range(20)], None))
    assert sorted(found) == list(range(20))
    assert all((found[row] == rows[row]).all() for row in found)
    assert 0 < Counted.sent <= 3  # of these one to see whether it can be sent


def test_how_many_run_at_a_time():
    assert jobs_at_once(None, 10) == 1
    assert jobs_at_once(1, 10) == 1
    assert jobs_at_once(4, 10) == 4
    assert jobs_at_once(4, 3) == 3
    assert [jobs_at_once(4, n_calls) for n_calls in (0, 1)] == [1, 1]
    with parallel_config(n_jobs=3):
        assert jobs_at_once(None, 10) == 3
        assert jobs_at_once(2, 10) == 2
    with parallel_config(backend="sequential"):
        assert jobs_at_once(4, 10) == 1


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_a_call_raises_is_raised(n_jobs):
    with pytest.raises(IndexError):
        list(finished(operator.getitem, Shared([1, 2]), [(0,), (5,), (1,)], n_jobs, prefer="threads"))


def test_parallel_calls_are_serial_inside():
    with threadpool_limits(limits=2, user_api="blas"):
        found = dict(finished(inner_jobs, Shared(None), [(), ()], 2, prefer="threads"))
    assert list(found.values()) == [(1, {1}), (1, {1})]


def inner_jobs(_):
    return jobs_at_once(4, 10), {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_the_readmes_example_runs_on_the_cluster(cluster, capsys):
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (example,) = (text for text in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "dask" in text)
    assert example.count("tcp://scheduler:8786") == 1
    exec(compile(example.replace("tcp://scheduler:8786", cluster.scheduler_address), "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert re.search(r"method\s+CC\s+CT", printed)
    assert re.search(r"exact_match\s+mean(\s+0\.\d+){2}", printed)


def test_an_experiment_within_a_budget_runs_on_the_cluster(cluster, tmp_path):
    methods = {name: METHODS[name] for name in ("IC", "CT")}
    with parallel_config(backend="dask"):
        found = run([DATA], methods, Split(), store=Store(tmp_path / "results.sqlite"), budget=Budget(seconds=600))
    alone = run([DATA], methods, Split())
    columns = ["dataset", "method", "fold", "status", "hamming_score"]
    pd.testing.assert_frame_equal(found.fits[columns].reset_index(drop=True), alone.fits[columns], check_names=False)
    assert found.fits["memory_mib"].gt(50).all()


def test_workers_without_the_library_are_refused(cluster, monkeypatch):
    monkeypatch.setattr("trellislib.running.parallel.__name__", "not_there")
    with (
        parallel_config(backend="dask"),
        pytest.raises(ImportError, match=r"must .*trellislib: No module named 'not_there'\.$"),
    ):
        evaluate(DATA, METHODS, 3)


def test_what_cannot_be_sent_is_refused(cluster):
    methods = {"IC": IndependentClassifiers(), "locked": ClassifierChain(order=threading.Lock())}
    with parallel_config(backend="dask"), pytest.raises(TypeError, match=r"cannot pickle '_thread\.lock'"):
        evaluate(DATA, methods, 3)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_the_size_of_what_calls_share_is_that_of_its_arrays(form):
    X = form(np.eye(200))
    training = PerLabel(LogisticRegression()).prepare(TrainingSet.of(X, DATA.Y))
    n_bytes = X.nbytes if form is np.asarray else X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    assert n_bytes <= sys.getsizeof(Shared(training)) - DATA.Y.nbytes < n_bytes + 1000
    training.myself = training
    assert sys.getsizeof(Shared(training)) > n_bytes


@pytest.mark.parametrize("prefer", ["threads", "processes"])
def test_workers_know_the_memory_budget(monkeypatch, prefer):
    monkeypatch.setenv("TRELLISLIB_MEMORY", "1e-9")  # what a worker would go by that knew no better
    need = Shared(Need(200.0, "this", "use that"))

    def refused():
        return dict(finished(Need.refuse, need, [("It",), ("It",)], 2, prefer=prefer))

    with limited_memory(300 / GIB):
        assert refused() == {0: None, 1: None}
    with limited_memory(100 / GIB), pytest.raises(MemoryBudgetError):
        refused()


# Last, as it ends the processes that loky otherwise uses again.
@pytest.mark.parametrize("way", ALL_WAYS, indirect=True)
def test_cancelling_keeps_what_was_finished(way, serial):
    steps = []
    found = evaluate(
        DATA,
        METHODS,
        3,
        progress=lambda done, *_: steps.append(done),
        cancelled=lambda: bool(steps) and steps[-1] >= 20,
    )
    assert not found.complete
    assert steps == [0, 5, 10, 15, 20]
    assert len(found.fits) == 4
    keys = ["fold", "method"]
    kept = serial.fits.merge(found.fits[keys], on=keys)
    assert found.fits.drop(columns=[*COSTS]).equals(kept.drop(columns=[*COSTS]))
    if way != "loky":  # whose processes are ended, and begun again when there is work
        assert_same(evaluate(DATA, METHODS, 3), serial)
