import json
import os
import runpy
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import warnings
from contextlib import closing

import cloudpickle
import numpy as np
import pandas as pd
import psutil
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose
from sentences import Containing, has_line, holds
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold as PlainKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

from trellislib import ClassifierChain, ClassifierTrellis, EnsembleClassifierChains, IndependentClassifiers, PerLabel
from trellislib.data import simulate_label_dag
from trellislib.data.dataset import DataError, Dataset
from trellislib.experiment import TIMES, Budget, Given, KFold, Split, Store, StoreError, evaluate, run
from trellislib.experiment.running import _seeded, _versions, _would_end_alike
from trellislib.running.memory import Need
from trellislib.running.progress import CancelledError

cloudpickle.register_pickle_by_value(sys.modules[__name__])


def made(name, seed=0, n_instances=60, n_labels=4):
    data = simulate_label_dag(n_instances=n_instances, n_labels=n_labels, random_state=seed)
    return Dataset(data.X, data.Y, data.feature_names, data.label_names, data.label_values, name)


A, B = made("a"), made("b", seed=1, n_labels=3)
METHODS = {"IC": IndependentClassifiers(), "CT": ClassifierTrellis(random_state=0)}


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "results.sqlite")


def scores(fits):
    return fits.drop(columns=[*TIMES, "memory_mib", "ended"]).reset_index(drop=True)


COUNTS: list = []


def count(estimator, *_):
    """Counts the fits."""
    COUNTS.append(estimator.random_state)


def count_and_fail_at_first(*given):
    count(*given)
    if len(COUNTS) == 1:
        raise RuntimeError("Not at first.")


def refuse(*_):
    Need(2**20, "this", "use that").refuse("It")


@pytest.fixture
def counts():
    COUNTS.clear()
    return COUNTS


# ---------------------------------------------------------------- folds and seeds


def test_scores_are_those_of_evaluate():
    results = run([A, B], METHODS, KFold(3), seeds=[7])
    for data in (A, B):
        there = evaluate(data, METHODS, 3, seed=7)
        here = results.of_dataset(data.name)
        columns = [column for column in there.fits if column not in TIMES]
        pd.testing.assert_frame_equal(here.fits[columns], there.fits[columns], check_exact=True)
        pd.testing.assert_frame_equal(here.per_label, there.per_label, check_exact=True)
        table = results.table("hamming_score").loc[data.name]
        assert table.to_dict() == pytest.approx(there.summary()["hamming_score", "mean"].to_dict())
    assert (results.datasets, results.methods) == (("a", "b"), ("IC", "CT"))
    assert results.status().eq("").all(axis=None)


def test_every_method_sees_the_same_rows(acting):
    seen = {"one": [], "two": []}
    methods = {name: acting(lambda _, X, __, rows=rows: rows.append(X.tobytes())) for name, rows in seen.items()}
    results = run([A], methods, KFold(3, repeats=2), seeds=[0, 1])
    assert seen["one"] == seen["two"]
    assert len(set(seen["one"])) == 12
    assert results.fits.groupby("method")[["seed", "repeat", "fold"]].value_counts().eq(1).all()
    assert len(results.fits) == 24
    assert results.fits["n_fits"].eq(6).all()
    assert results.status().eq("").all(axis=None)


def test_chance_is_set_for_each_fit(acting, counts):
    method = acting(count)
    protocol = KFold(2, repeats=2)
    run([A], {"m": method}, protocol, seeds=[0, 1])
    assert len(counts) == len(set(counts)) == 8
    assert all(isinstance(seed, int) for seed in counts)
    first = counts.copy()
    counts.clear()
    run([A], {"m": method}, protocol, seeds=[0, 1])
    assert counts == first
    counts.clear()
    run([A], {"m": method.set_params(random_state=3)}, protocol)
    assert counts == [3] * 4


def test_chance_is_set_at_any_depth():
    inner = EnsembleClassifierChains(PerLabel(DecisionTreeClassifier()))
    given = make_pipeline(FunctionTransformer(), inner)
    seeds = {
        name: value for name, value in _seeded(given, 0, 1, 1).get_params().items() if name.endswith("random_state")
    }
    assert len(seeds) == 2
    assert None not in seeds.values()
    assert inner.get_params()["random_state"] is None
    unchanged = _seeded(given.set_params(ensembleclassifierchains__random_state=4), 0, 1, 1).get_params()
    assert unchanged["ensembleclassifierchains__random_state"] == 4


def test_two_runs_are_equal():
    methods = {"ECC": EnsembleClassifierChains(n_estimators=3), "CT": ClassifierTrellis()}
    one, other = (run([A], methods, KFold(2), seeds=[0, 1]).fits for _ in range(2))
    pd.testing.assert_frame_equal(scores(one), scores(other), check_exact=True)


def test_methods_and_protocol_of_each_data_set():
    results = run(
        [A, lambda: B],
        lambda data: {"CT": ClassifierTrellis(width=data.n_labels - 2, random_state=0)},
        lambda data: Given(40) if data.name == "a" else Split(),
    )
    assert results.fits[["dataset", "protocol", "n_fits"]].to_numpy().tolist() == [
        ["a", Given(40).words, 1],
        ["b", Split().words, 1],
    ]
    assert results.methods == ("CT",)
    assert results.table("hamming_score").notna().all(axis=None)


def test_a_data_set_of_more_values():
    Y = np.random.default_rng(0).integers(0, 3, (60, 2))
    more = Dataset(A.X, Y, A.feature_names, ("x", "y"), (("0", "1", "2"),) * 2, "more")
    results = run([A, more], METHODS, KFold(2))
    assert results.table("accuracy").notna().all(axis=1).to_dict() == {"a": True, "more": False}
    assert results.table("hamming_score").notna().all(axis=None)
    assert results.status().eq("").all(axis=None)


@pytest.mark.parametrize("seeds", [[], [0, 0], [-1], [0.5], ["0"]])
def test_seeds_that_are_none(store, seeds):
    with pytest.raises(ValueError, match=r"expected .*distinct whole numbers"):
        run([A], METHODS, seeds=seeds, store=store)
    assert store.runs().empty


@pytest.mark.parametrize(
    ("datasets", "methods", "complaint"),
    [
        (A, METHODS, r"Got .*Dataset, .*sequence .*data sets"),
        ([A, A.X], METHODS, "Got a ndarray, .*trellislib.data.Dataset"),
        ([A], [IndependentClassifiers()], "Got a list .*by name"),
        ([A], {"IC": IndependentClassifiers}, r"class IndependentClassifiers .*IC, .*expected .*method: Ind"),
        ([A], {"IC": "IC"}, r"Got .*str .*IC, .*estimator, .*fit .*get_params"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_begins(store, datasets, methods, complaint):
    number = store.begin("it")
    with pytest.raises(TypeError, match=complaint):
        run(datasets, methods, store=store, number=number)
    assert store.runs()["state"].tolist() == ["failed"]


@pytest.mark.parametrize(
    ("protocol", "complaint"),
    [
        (PlainKFold(5), r"Got .*KFold .*protocol, .* use trellislib.experiment.KFold"),
        (5, r"Got .*int .*protocol, .* use trellislib.experiment.KFold"),
        (KFold, r"class KFold .*protocol, .*KFold\(...\)"),
    ],
)
def test_what_does_not_divide_is_refused(store, protocol, complaint):
    with pytest.raises(TypeError, match=complaint):
        run([A], METHODS, protocol, store=store)
    assert store.runs().empty
    (note,) = run([A], METHODS, lambda _: PlainKFold(5)).notes
    assert note == left_out("a", "Got a KFold as protocol", "divide")


def test_no_methods_are_refused(store):
    with pytest.raises(ValueError, match=r"Got no methods, .*by name"):
        run([A], {}, store=store)
    assert store.runs().empty


# ---------------------------------------------------------------- what does not finish


def test_what_fails_has_a_reason_and_no_mean_and_the_others_go_on(acting):
    def fails_once(_, X, __):
        if len(X) == 40 and X[0, 0] == A.X[0, 0] and not failed:
            failed.append(1)
            raise RuntimeError("Not this time.")

    failed = []
    results = run([A, B], {"fails": acting(fails_once), **METHODS}, KFold(3))
    assert results.fits["status"].value_counts().to_dict() == {"done": 17, "failed": 1}
    table = results.table("hamming_score")
    assert table.isna().to_numpy().tolist() == [[True, False, False], [False] * 3]
    holds(results.status().loc["a", "fails"], "failed: Not this time", "2 of 3 fits")
    assert np.isnan(results.of_dataset("a").summary().loc["fails", ("hamming_score", "rank")])


def test_a_budget_ends_fits_and_the_others_go_on(acting, store, tmp_path, clock):
    def sleeps(*_):

        (tmp_path / "began").touch()
        time.sleep(600)

    def crashes(*_):
        import os

        os._exit(7)

    methods = {"sleeps": acting(sleeps), "crashes": acting(crashes), "IC": IndependentClassifiers()}
    fits = []
    clock(lambda: fits[-1].startswith("sleeps") and (tmp_path / "began").exists())
    within = Budget(seconds=100, gib=4)
    results = run([A], methods, Split(), store=store, budget=within, progress=lambda *step: fits.append(step[2]))
    assert results.status().loc["a"].to_dict() == {
        "sleeps": Containing("over time", "more than 100 s", "0 of 1 fits"),
        "crashes": Containing("failed", "process", "code 7", "0 of 1 fits"),
        "IC": "",
    }
    assert results.table("hamming_score").loc["a"].notna().to_dict() == {"sleeps": False, "crashes": False, "IC": True}
    here = run([A], {"IC": methods["IC"]}, Split()).table("hamming_score")
    assert_allclose(results.table("hamming_score")[["IC"]], here)
    assert results.fits["memory_mib"].gt(50).tolist() == [True, False, True]
    assert results.fits[["budget_seconds", "budget_gib"]].eq([100, 4]).all(axis=None)
    assert no_fits_left()


BEFORE = set()  # processes that were there when a test began: other tests may leave some that wait


@pytest.fixture(autouse=True)
def _before():
    BEFORE.clear()
    BEFORE.update(one.pid for one in psutil.Process().children(recursive=True))


def no_fits_left():
    """Whether no process of a fit is there, but the one from which they are forked."""
    there = [one for one in psutil.Process().children(recursive=True) if one.pid not in BEFORE]
    return len([one for one in there if "trellislib.running.child" in command_line(one)]) <= 1


def command_line(process):
    """The command of a process, "" where it has just ended."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def test_data_sets_that_cannot_be_loaded_or_divided_are_named():
    def missing():
        raise DataError("music.arff: no such file.")

    def broken():
        raise OSError("The line was cut.\nMore of it.")

    few = made("few", n_instances=4)
    results = run([missing, A, broken, few, lambda: None], METHODS, KFold(5))
    assert results.datasets == ("a",)
    assert results.notes == (
        left_out("Data set 1 of 5", "music.arff: no such file"),
        left_out("Data set 3 of 5", "The line was cut."),
        left_out("few", "5 folds", "2", "4 instances"),
        left_out("Data set 5 of 5", "NoneType", "trellislib.data.Dataset"),
    )
    assert "More of it" not in results.notes[1]


def left_out(data, *reason):
    return Containing(f"{data} was left out", *reason)


def cancelled_after(done, of):
    return Containing("cancelled", f"{done} of {of} data sets")


class Infinite(ClassifierMixin, BaseEstimator):
    """Gives probabilities that are none."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), np.inf)


def test_exits_and_infinite_probabilities_are_failures(acting):
    def exits(*_):
        raise SystemExit(3)

    methods = {"exits": acting(exits), "infinite": IndependentClassifiers(PerLabel(Infinite())), "IC": METHODS["IC"]}
    status = run([A], methods, Split()).status().loc["a"]
    holds(status["exits"], "failed", "exit", "code 3")
    holds(status["infinite"], "failed", "Infinite", "probabilities", "infinite")
    assert status["IC"] == ""


def test_a_method_that_cannot_be_copied_fails_and_the_others_go_on():
    results = run([A], {"locked": ClassifierChain(order=threading.Lock()), **METHODS}, Split())
    has_line(results.status().loc["a", "locked"], "failed", "cannot pickle '_thread.lock' object")
    assert results.table("hamming_score").loc["a", ["IC", "CT"]].notna().all()


def test_notes_name_the_data_set():
    Y = A.Y.copy()
    Y[:, 1] = 1
    constant = Dataset(A.X, Y, A.feature_names, A.label_names, A.label_values, "constant")
    (note,) = run([constant, A], METHODS, KFold(2), seeds=[0, 1]).notes
    has_line(note, "constant", f"{A.label_names[1]}", "same value", "all 60 instances")


# ---------------------------------------------------------------- progress and cancel


def test_progress_grows_to_its_end(store):
    reported = []
    run([A, B], METHODS, KFold(3), store=store, progress=lambda *step: reported.append(step))
    shares = [done / total for done, total, _ in reported]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0, 1)
    sizes = [data.n_instances * data.n_labels * (data.n_features + data.n_labels) for data in (A, B)]
    assert round(sizes[0] / sum(sizes), 4) in shares, "data sets count for what they take"
    words = [what for *_, what in reported]
    assert words[0] == "Loading the data"
    has_line(words, "CT on a", "fit 3 of 3")
    reported.clear()
    run([A, B], METHODS, KFold(3), store=store, progress=lambda *step: reported.append(step))
    first = round(sizes[0] / sum(sizes), 4)
    assert [done / total for done, total, _ in reported] == [0, first, first, 1]
    holds(reported[-1][2], "b", "every fit", "store")


def test_progress_of_several_at_a_time():
    reported = []
    with parallel_config(backend="threading"):
        run([A, B], METHODS, KFold(3), n_jobs=2, progress=lambda *step: reported.append(step))
    shares = [done / total for done, total, _ in reported]
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.parametrize("budget", [None, Budget(seconds=600)], ids=["here", "in a process"])
def test_cancelled_in_the_middle_of_a_fit(store, tmp_path, acting, budget, wait_until):
    """Here it ends between two labels, and in a process of its own in the middle of one, which would take minutes."""
    marks, pause = tmp_path / "marks", 600 if budget else 0
    marks.touch()

    def label(*_):

        with marks.open("a") as file:
            file.write("x")
        if len(marks.read_text()) == 3:
            time.sleep(pause)

    results = run(
        [made("many", n_labels=50), A],
        {"IC": METHODS["IC"], "slow": ClassifierChain(PerLabel(acting(label)))},
        KFold(2),
        store=store,
        budget=budget,
        cancelled=lambda: len(marks.read_text()) >= 3,
    )
    assert 3 <= len(marks.read_text()) < 50
    assert results.fits[["method", "fold"]].to_numpy().tolist() == [["IC", 1]]
    assert results.status().loc["many"].to_dict() == {"IC": Containing("not all run", "1 of 2 fits")}
    assert results.notes == (cancelled_after(0, 2),)
    assert store.runs()["state"].tolist() == ["cancelled"]
    assert no_fits_left()


@pytest.mark.parametrize("is_kept", [True, False])
def test_cancelled_between_two_seeds(tmp_path, acting, counts, is_kept):
    kept = Store(tmp_path / "results.sqlite") if is_kept else None
    number = kept.begin("it") if kept else None
    results = run(
        [B, A],
        {"m": acting(count)},
        lambda data: Split() if data.name == "b" else KFold(2),
        seeds=[0, 4],
        store=kept,
        number=number,
        cancelled=lambda: len(counts) == 4,  # both fits of b, and of a those of the first seed
    )
    assert results.status()["m"].to_dict() == {"b": "", "a": Containing("not all run", "2 of 4 fits")}
    assert results.table("hamming_score")["m"].isna().to_dict() == {"b": False, "a": True}
    assert not results.of_dataset("a").complete
    assert results.notes == (cancelled_after(1, 2),)
    if kept:
        assert kept.results().status().equals(results.status())


def test_a_loader_that_is_cancelled_cancels_the_run(store):
    def missing():
        raise DataError("music.arff: no such file.")

    def cancelled():
        raise CancelledError("cancelled")

    results = run([missing, A, cancelled, B], METHODS, Split(), store=store)
    assert results.datasets == ("a",)
    assert results.notes == (left_out("Data set 1 of 4", "music.arff: no such file"), cancelled_after(1, 4))
    assert store.runs()["state"].tolist() == ["cancelled"]


def test_cancelled_before_it_began():
    results = run([A], METHODS, cancelled=lambda: True)
    assert results.fits.empty
    assert results.notes == (cancelled_after(0, 1),)


def test_cancelled_while_several_fits_sleep_in_processes(acting, tmp_path, wait_until):
    marks = tmp_path / "marks"
    marks.touch()

    def sleeps(*_):

        with marks.open("a") as file:
            file.write("x")
        time.sleep(600)

    is_late = lambda: len(marks.read_text()) >= 2  # noqa: E731
    results = run([A], {"sleeps": acting(sleeps)}, KFold(4), n_jobs=2, budget=Budget(seconds=9999), cancelled=is_late)
    assert results.fits.empty
    wait_until(no_fits_left)


def test_what_progress_raises_is_raised_and_nothing_is_left(store):
    def progress(_, __, what):
        if what.startswith("CT on a"):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run([A], METHODS, KFold(2), store=store, budget=Budget(seconds=600), progress=progress)
    assert store.runs()["state"].tolist() == ["failed"]
    assert store.results().fits["method"].tolist() == ["IC"]
    assert no_fits_left()


def test_interrupted_is_cancelled(store, acting):
    def interrupts(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run([A], {"IC": METHODS["IC"], "stops": acting(interrupts)}, KFold(2), store=store)
    assert store.runs()["state"].tolist() == ["cancelled"]
    assert len(store.results().fits) == 1


# ---------------------------------------------------------------- several at a time


def test_several_at_a_time_within_budgets():
    serial = run([A], METHODS, KFold(2))
    parallel = run([A], METHODS, KFold(2), n_jobs=2, budget=Budget(seconds=600, gib=4))
    assert parallel.methods == serial.methods
    columns = ["dataset", "method", "fold", "status", "hamming_score", "exact_match"]
    pd.testing.assert_frame_equal(parallel.fits[columns], serial.fits[columns], rtol=1e-9)
    assert parallel.fits["memory_mib"].gt(50).all()
    assert parallel.fits["at_once"].eq(2).all()
    assert parallel.notes == (Containing("2 fits", "at a time", "longer"),)
    assert no_fits_left()


# ---------------------------------------------------------------- the store


def test_the_store_has_what_is_returned(store):
    results = run([A, B], METHODS, KFold(2), store=store, title="Both", code="run()")
    alone = run([A, B], METHODS, KFold(2))
    pd.testing.assert_frame_equal(scores(results.fits), scores(alone.fits), check_exact=True, check_dtype=False)
    for data in ("a", "b"):
        pd.testing.assert_frame_equal(results.of_dataset(data).per_label, alone.of_dataset(data).per_label)
    runs = store.runs()
    assert runs.iloc[0].to_dict() | {"started": ""} == {
        "title": "Both",
        "started": "",
        "state": "done",
        "datasets": ["a", "b"],
        "methods": ["IC", "CT"],
        "n_fits": 8,
        "code": "run()",
    }


def test_what_the_store_has_is_not_made_again(store, acting, counts):
    method = acting(count)
    first = run([A], {"m": method}, KFold(3), store=store)
    again = run([made("renamed")], {"other name": method}, KFold(3), store=store)
    assert len(counts) == 3
    assert again.fits.index.tolist() == first.fits.index.tolist()
    assert (again.datasets, again.methods) == (("renamed",), ("other name",))
    more = run([A, B], {"IC": METHODS["IC"], "m": method}, KFold(3), seeds=[0, 1], store=store)
    assert len(counts) == 3 + 3 + 6
    assert more.status().eq("").all(axis=None)
    assert more.methods == ("IC", "m")
    run([A], {"m": method}, KFold(3), store=store, reuse=False)
    assert len(counts) == 15
    assert len(store.results().select(["a"], ["m"]).fits) == 6


def test_other_data_parameters_or_folds_are_made(store, acting, counts):
    method = acting(count)
    run([A], {"m": method}, Split(), store=store)
    run([made("a", seed=5)], {"m": method}, Split(), store=store)
    run([A], {"m": method}, Split(0.3331), store=store)
    run([A], {"m": acting(method.act, random_state=1)}, Split(), store=store)
    assert len(counts) == 4


def test_one_method_under_two_names(store, acting, counts):
    method = acting(count)
    assert run([A], {"one": method, "two": method}, Split(), store=store).methods == ("one", "two")
    assert run([A], {"one": method, "two": method}, Split(), store=store).table("hamming_score").shape == (1, 2)
    assert len(counts) == 2


def test_what_failed_is_tried_again(store, acting, counts):
    method = acting(count_and_fail_at_first)
    assert run([A], {"m": method}, Split(), store=store).fits["status"].tolist() == ["failed"]
    assert run([A], {"m": method}, Split(), store=store).fits["status"].tolist() == ["done"]
    assert store.results().fits["status"].tolist() == ["done"]


def test_what_went_over_a_budget_is_tried_again_within_a_larger_one(store, tmp_path, acting, clock):
    marks, is_slow = tmp_path / "marks", tmp_path / "slow"
    marks.touch()
    is_slow.touch()

    def act(*_):

        with marks.open("a") as file:
            file.write("x")
        time.sleep(600 if is_slow.exists() else 0.02)

    def ended(budget):
        before = len(marks.read_text())
        clock(lambda: is_slow.exists() and len(marks.read_text()) > before)
        status = run([A], {"m": acting(act)}, Split(), store=store, budget=budget).fits["status"].item()
        return status, len(marks.read_text())

    assert ended(Budget(seconds=100, gib=4)) == ("over time", 1)
    assert ended(Budget(seconds=100, gib=4)) == ("over time", 1)
    assert ended(Budget(seconds=90, gib=3)) == ("over time", 1)
    is_slow.unlink()
    assert ended(Budget(seconds=2000)) == ("done", 2)
    assert ended(Budget(seconds=1000)) == ("done", 2)


@pytest.mark.parametrize(
    ("row", "budget", "at_once", "is_taken"),
    [
        ({}, Budget(), 1, True),
        ({}, Budget(seconds=3), 1, True),
        ({}, Budget(seconds=2.9), 1, False),
        ({}, Budget(gib=2), 1, False),
        ({"memory_mib": 2048.0}, Budget(3, 2), 1, True),
        ({"memory_mib": 2049.0}, Budget(3, 2), 1, False),
        ({"memory_mib": 2048.0, "at_once": 9}, Budget(3, 2), 1, True),
        ({"status": "over time", "budget_seconds": 2}, Budget(2), 4, True),
        ({"status": "over time", "budget_seconds": 2}, Budget(3), 4, False),
        ({"status": "over time", "budget_seconds": 2, "at_once": 5}, Budget(2), 4, False),
        ({"status": "over time", "budget_seconds": 2, "at_once": 4}, Budget(2), 4, True),
        ({"status": "over memory", "budget_gib": 2, "at_once": 5}, Budget(gib=2), 1, True),
        ({"status": "over memory"}, Budget(gib=2), 1, False),
        ({"status": "failed"}, Budget(), 1, False),
    ],
)
def test_which_fits_are_taken(row, budget, at_once, is_taken):
    made = {"status": "done", "train_seconds": 2.0, "test_seconds": 1.0, "memory_mib": None, "at_once": 1}
    assert _would_end_alike(made | {"budget_seconds": None, "budget_gib": None} | row, budget, at_once) is is_taken


def changed(store, **versions):
    """Let the fits of a store be made by other versions."""
    older = json.dumps(json.loads(_versions()) | versions)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE fits SET versions = ?", (older,))


def test_fits_of_another_version_of_the_library_are_made_again(store, acting, counts):
    method = acting(count)
    for _ in range(2):
        run([A], {"m": method}, Split(), store=store)
    assert len(counts) == 1
    changed(store, trellislib="0.0.1")
    assert run([A], {"m": method}, Split(), store=store).notes == ()
    assert len(counts) == 2


def test_fits_of_other_versions_are_used_and_reported(store, acting, counts):
    method = acting(count)
    run([A], {"m": method}, KFold(2), store=store)
    changed(store, numpy="1.0", scipy="1.1")
    note = "{} taken from the results file, made with numpy 1.0, scipy 1.1."
    found = run([A], {"m": method}, KFold(2), store=store)
    assert (len(counts), found.notes) == (2, (note.format("2 fits were"),))
    found = run([A], {"m": method}, KFold(3), seeds=[0], store=store)
    assert (len(counts), found.notes) == (5, ())
    run([B], {"m": method}, Split(), store=store)
    changed(store, numpy="1.0", scipy="1.1")
    found = run([A, B], {"m": method}, lambda data: Split() if data.name == "b" else KFold(2), store=store)
    assert (len(counts), found.notes) == (6, (note.format("3 fits were"),))
    assert run([B], {"m": method}, Split(), store=store).notes == (note.format("1 fit was"),)


def test_what_the_library_refuses_without_a_budget_is_tried_again(store, monkeypatch, acting):
    method = acting(refuse)
    monkeypatch.setenv("TRELLISLIB_MEMORY", "1e-6")
    found = run([A], {"m": method}, Split(), store=store)
    has_line(found.status().loc["a", "m"], "over memory", "It", "need", "1 MiB", "more than")
    monkeypatch.setenv("TRELLISLIB_MEMORY", "1")
    assert run([A], {"m": method}, Split(), store=store).fits["status"].tolist() == ["done"]


def test_a_store_that_is_taken_away_ends_the_run(store, acting):
    def removes(*_):
        store.remove(store.runs().index[0])

    with pytest.raises(StoreError, match="has been removed from"):
        run([A], {"m": acting(removes)}, Split(), store=store)


SCRIPT = """
import signal, sys, time
from pathlib import Path
from trellislib import IndependentClassifiers
from trellislib.data import simulate_label_dag
from trellislib.experiment import Budget, KFold, Store, run

signal.signal(signal.SIGINT, signal.default_int_handler)  # which what a shell starts in the background ignores
folder, last, budget = Path(sys.argv[1]), int(sys.argv[2]), Budget(seconds=9999) if sys.argv[3:] else None

class Marks(IndependentClassifiers):
    def fit(self, X, Y, **others):
        with (folder / "marks").open("a") as file:
            file.write("x")
        if (folder / "marks").stat().st_size == last:
            time.sleep(600)
        return super().fit(X, Y)

data = [simulate_label_dag(n_instances=50, n_labels=3, random_state=seed) for seed in (0, 1)]
results = run(data, {"m": Marks()}, KFold(4), store=Store(folder / "results.sqlite"), budget=budget)
print(len(results.fits), results.status().eq("").all(axis=None))
"""


@pytest.fixture
def script(tmp_path):
    """Run `SCRIPT` so that it stops in its last fit; without a last one it runs to its end."""
    (tmp_path / "script.py").write_text(SCRIPT)
    return lambda last, *more: [sys.executable, str(tmp_path / "script.py"), str(tmp_path), str(last), *more]


def test_a_killed_run_is_resumed_where_it_stopped(tmp_path, script, wait_until, monkeypatch, capsys):
    marks = tmp_path / "marks"
    killed = subprocess.Popen(script(4))
    wait_until(lambda: marks.exists() and len(marks.read_text()) == 4)
    killed.kill()
    killed.wait()
    store = Store(tmp_path / "results.sqlite")
    assert len(store.results().fits) == 3
    assert store.runs()["state"].tolist() == ["broken off"]
    monkeypatch.setattr(sys, "argv", script(0)[1:])
    runpy.run_path(sys.argv[0], run_name="__main__")
    assert capsys.readouterr().out == "8 True\n"
    assert len(marks.read_text()) == 4 + 5
    assert store.runs()["state"].tolist() == ["done", "broken off"]


@pytest.mark.skipif(os.name == "nt", reason="signals are not those of Windows")
def test_ctrl_c_ends_the_fit_in_its_process_without_a_message_of_its_own(tmp_path, script, wait_until):
    running = subprocess.Popen(script(1, "within a budget"), stderr=subprocess.PIPE, text=True, start_new_session=True)
    wait_until((tmp_path / "marks").exists)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    errors = running.communicate(timeout=300)[1]
    assert errors.count("Traceback") == 1
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert Store(tmp_path / "results.sqlite").runs()["state"].tolist() == ["cancelled"]


def test_warnings_of_learners_go_their_way():
    method = ClassifierChain(PerLabel(LogisticRegression(max_iter=1)))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = run([A], {"CC": method}, Split())
    assert results.fits["status"].tolist() == ["done"]
    assert {warning.category.__name__ for warning in caught} == {"ConvergenceWarning"}
