from collections import defaultdict
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sentences import Containing, has_line, holds
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from trellislib import (
    ClassifierChain,
    ClassifierTrellis,
    EnsembleClassifierChains,
    IndependentClassifiers,
    LabelPowerset,
)
from trellislib.data import simulate_label_dag
from trellislib.data.dataset import Dataset
from trellislib.data.reading.frames import frame_table
from trellislib.experiment import evaluate, fits, folds
from trellislib.experiment.rescoring import QUICK, CrossValidation
from trellislib.labels.matrices import dense
from trellislib.metrics import MEASURES, hamming_score, reliability


def dataset(n_instances=40, n_labels=3, *, Y=None, form=np.asarray, seed=0):
    """Data whose first feature is the number of the row, so that an estimator can tell which rows it got."""
    rng = np.random.default_rng(seed)
    if Y is None:
        Y = (rng.random((n_instances, n_labels)) < 0.4).astype(int)
    else:
        n_instances, n_labels = Y.shape
    X = np.column_stack([np.arange(n_instances), rng.standard_normal(n_instances) + Y[:, 0]])
    values = tuple(tuple(str(code) for code in range(max(int(peak), 1) + 1)) for peak in Y.max(axis=0))
    names = tuple("abcdefghij"[:n_labels])
    return Dataset(X, form(Y), ("row", "x"), names, values, name="made")


class Preset(ClassifierMixin, BaseEstimator):
    """Predicts its `answers` for each row; notes which rows it was trained on under `name`."""

    seen: dict = defaultdict(list)  # noqa: RUF012
    now = 0.0

    def __init__(self, answers, name="preset", fails_without=None, seconds=0.0):
        self.answers = answers
        self.name = name
        self.fails_without = fails_without
        self.seconds = seconds

    def fit(self, X, y):
        rows = X[:, 0].astype(int)
        self.seen[self.name].append(frozenset(rows.tolist()))
        Preset.now += self.seconds
        if self.fails_without is not None and self.fails_without not in rows:
            raise RuntimeError(f"row {self.fails_without} is missing\nand a second line")
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return self.answers[X[:, 0].astype(int)]

    def predict_proba(self, X):
        return self.predict(X) * 0.8 + 0.1


@pytest.fixture(autouse=True)
def _nothing_seen():
    Preset.seen.clear()


def is_partition(data, chosen):
    tested = np.concatenate([test for _, test in chosen])
    assert_array_equal(np.sort(tested), np.arange(data.n_instances))
    for train, test in chosen:
        assert set(train.tolist()) | set(test.tolist()) == set(range(data.n_instances))
        assert not set(train.tolist()) & set(test.tolist())
    return True


# ---------------------------------------------------------------- folds


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("cv", [2, 3, 5, 40])
def test_folds_test_each_row_once(cv, form):
    data = dataset(form=form)
    chosen = folds(data, cv, seed=1)
    assert len(chosen) == cv
    assert is_partition(data, chosen)


@pytest.mark.parametrize("n_values", [1, 2, 3])
@pytest.mark.parametrize("n_labels", [1, 2, 4])
@pytest.mark.parametrize("cv", [3, 0.25])
def test_folds_of_any_labels(n_values, n_labels, cv):
    Y = np.random.default_rng(0).integers(0, n_values, (24, n_labels))
    data = dataset(Y=Y)
    chosen = folds(data, cv)
    assert all(len(train) and len(test) for train, test in chosen)
    assert cv == 0.25 or is_partition(data, chosen)


def test_folds_are_stratified_over_all_labels():
    Y = np.zeros((60, 3), dtype=int)
    Y[:6, 0], Y[6:18, 1], Y[10:40, 2] = 1, 1, 1
    for train, test in folds(dataset(Y=Y), 3, seed=4):
        assert_array_equal(Y[test].sum(axis=0), [2, 4, 10])
        assert_array_equal(Y[train].sum(axis=0), [4, 8, 20])
    ((_, test),) = folds(dataset(Y=Y), 1 / 3, seed=4)
    assert_array_equal(Y[test].sum(axis=0), [2, 4, 10])


def test_a_seed_reproduces_the_folds_and_seeds_differ():
    data = dataset()

    def tested(seed):
        return [test.tolist() for _, test in folds(data, 4, seed)]

    assert tested(0) == tested(0)
    assert tested(0) != tested(1)


def test_a_share_is_one_split():
    ((train, test),) = folds(dataset(), 0.25)
    assert len(test) == pytest.approx(10, abs=2)
    assert len(train) + len(test) == 40
    assert not set(train) & set(test)


def test_a_splitter_and_pairs_are_taken_as_they_are():
    data = dataset(n_instances=6)
    pairs = [([0, 1, 2], [3, 4]), ([3, 4, 5], [0])]
    assert [(train.tolist(), test.tolist()) for train, test in folds(data, pairs)] == pairs
    assert [test.tolist() for _, test in folds(data, KFold(3))] == [[0, 1], [2, 3], [4, 5]]
    assert [test.tolist() for _, test in folds(data, iter(pairs))] == [[3, 4], [0]]


@pytest.mark.parametrize("cv", [0, 1, -2, 41, 0.0, 1.0, 1.5, -0.5, 0.001])
def test_numbers_that_make_no_folds_are_refused(cv):
    with pytest.raises(ValueError, match=f"Got {cv} folds|the test share {cv}"):
        folds(dataset(), cv)


def test_numpy_numbers_are_numbers():
    assert len(folds(dataset(), np.int64(3))) == 3
    assert len(folds(dataset(), np.float32(0.25))) == 1


# ---------------------------------------------------------------- evaluate


@pytest.mark.parametrize("cv", [4, 0.3, KFold(3, shuffle=True)], ids=["int", "float", "unseeded splitter"])
def test_every_method_gets_the_same_rows(cv):
    data = dataset()
    evaluate(data, {name: Preset(data.Y, name) for name in ("one", "two", "three")}, cv)
    assert Preset.seen["one"] == Preset.seen["two"] == Preset.seen["three"]
    assert len(Preset.seen["one"]) == {"4": 4, "0.3": 1}.get(str(cv), 3)


def test_scores_are_those_of_the_tested_rows():
    data = dataset(n_instances=6)
    wrong = data.Y.copy()
    wrong[3, 1] ^= 1
    wrong[5, :] ^= 1
    result = evaluate(
        data, {"perfect": Preset(data.Y), "wrong": Preset(wrong)}, [([0, 1, 2], [3, 4, 5]), ([3, 4, 5], [0, 1])]
    )
    assert result.fits[["method", "fold"]].values.tolist() == [
        ["perfect", 1],
        ["wrong", 1],
        ["perfect", 2],
        ["wrong", 2],
    ]
    assert result.per_label["fold"].tolist() == [1] * 6 + [2] * 6
    scores = result.fits.set_index(["method", "fold"])["hamming_score"]
    assert scores["perfect"].tolist() == [1.0, 1.0]
    assert scores["wrong"].tolist() == [pytest.approx(1 - 4 / 9), 1.0]
    assert result.summary().loc["wrong", ("hamming_score", "mean")] == pytest.approx(1 - 2 / 9)
    assert result.summary().loc["wrong", ("hamming_score", "std")] == pytest.approx(np.std([5 / 9, 1], ddof=1))
    assert result.fits.columns.tolist()[:4] == ["method", "fold", "status", "reason"]
    assert (result.fits["status"] == "done").all()
    assert (result.fits["reason"] == "").all()
    assert result.complete


def test_the_scores_of_a_method_are_what_it_gives_by_hand():
    data = dataset()
    result = evaluate(data, {"CT": ClassifierTrellis(random_state=0)}, 3, seed=5)
    by_hand = [
        hamming_score(
            data.Y[test], ClassifierTrellis(random_state=0).fit(data.X[train], data.Y[train]).predict(data.X[test])
        )
        for train, test in folds(data, 3, seed=5)
    ]
    assert result.fits["hamming_score"].tolist() == by_hand
    again = evaluate(data, {"CT": ClassifierTrellis(random_state=0)}, 3, seed=5)
    times = ["train_seconds", "test_seconds"]
    pd.testing.assert_frame_equal(again.fits.drop(columns=times), result.fits.drop(columns=times))


def test_ranks_know_which_way_is_better_and_share_ties(monkeypatch):
    monkeypatch.setattr(fits, "perf_counter", lambda: Preset.now)
    data = dataset(Y=np.tile([[0, 1, 0], [1, 0, 0]], (10, 1)))
    methods = {
        "slow and wrong": Preset(1 - data.Y, seconds=0.3),
        "right": Preset(data.Y),
        "right too": Preset(data.Y),
    }
    summary = evaluate(data, methods, 2).summary()
    assert summary.index.tolist() == list(methods)
    assert summary["hamming_score", "rank"].tolist() == [3, 1.5, 1.5]
    assert summary["hamming_score", "mean"].tolist() == [0, 1, 1]
    assert summary["ranking_loss", "rank"].tolist() == [3, 1.5, 1.5]
    assert summary["ranking_loss", "mean"].tolist() == [1, 0, 0]
    assert summary["train_seconds", "rank"].iloc[0] == 3
    assert summary["train_seconds", "mean"].tolist() == pytest.approx([0.3, 0, 0])
    for key in MEASURES:
        assert summary[key, "rank"].iloc[0] == 3, key


def test_a_failing_method_is_reported_with_its_reason_and_the_others_go_on():
    data = dataset()
    methods = {
        "before": IndependentClassifiers(),
        "fails": ClassifierChain(MultinomialNB()),  # it takes no negative features
        "after": ClassifierTrellis(random_state=0),
    }
    result = evaluate(data, methods, 3)
    assert result.folds_done().to_dict() == {"before": 3, "fails": 0, "after": 3}
    failed = result.fits[result.fits["method"] == "fails"]
    assert (failed["status"] == "failed").all()
    assert failed["reason"].str.startswith("Negative values in data").all()
    assert failed[["hamming_score", "train_seconds"]].isna().all(axis=None)
    assert result.complete
    assert sorted(set(result.per_label["method"])) == ["after", "before"]


def test_a_method_that_misses_a_fold_has_no_mean_and_no_rank():
    data = dataset()
    result = evaluate(data, {"perfect but for one": Preset(data.Y, fails_without=7), "wrong": Preset(1 - data.Y)}, 4)
    assert result.folds_done().to_dict() == {"perfect but for one": 3, "wrong": 4}
    failed = result.fits[result.fits["status"] == "failed"]
    assert failed["reason"].tolist() == ["row 7 is missing"]
    summary = result.summary()
    assert summary.loc["perfect but for one"].isna().all()
    assert summary["hamming_score", "mean"].tolist()[1] == 0
    assert summary["hamming_score", "rank"].tolist()[1] == 1
    assert (result.per_label["method"] == "perfect but for one").sum() == 3 * 3
    of_labels = result.label_scores()
    assert of_labels.index.tolist() == [("wrong", "a"), ("wrong", "b"), ("wrong", "c")]
    assert of_labels["hamming"].tolist() == [0, 0, 0]


def test_when_all_fail_there_is_still_a_summary():
    result = evaluate(dataset(), {"no": Preset(None, fails_without=99), "nor": LogisticRegression(max_iter=1000)}, 2)
    assert result.measures == []
    assert result.summary().isna().all(axis=None)
    assert result.summary().index.tolist() == ["no", "nor"]
    assert result.label_scores().empty
    assert result.folds_done().tolist() == [0, 0]


def test_scores_of_each_label_are_averaged_over_the_folds():
    data = dataset(n_instances=8, Y=np.tile([[0, 1], [1, 0]], (4, 1)))
    wrong = data.Y.copy()
    wrong[:2, 1] ^= 1
    result = evaluate(data, {"wrong": Preset(wrong), "right": Preset(data.Y)}, KFold(2))
    assert len(result.per_label) == 2 * 2 * 2
    scores = result.label_scores()
    assert scores.index.tolist() == [("wrong", "a"), ("wrong", "b"), ("right", "a"), ("right", "b")]
    assert scores.loc["wrong", "f1"].tolist() == [1.0, 0.75]  # of b: 1 of 2 in the first fold, all in the second
    assert scores.loc["right", "f1"].tolist() == [1.0, 1.0]
    assert scores.loc["wrong", "hamming"].tolist() == [1.0, 0.75]
    assert (scores["frequency"] == 0.5).all()
    assert scores["auc"].tolist() == [1.0, 0.75, 1.0, 1.0]


def test_bins_of_probabilities_are_joined_over_the_folds():
    data = dataset()
    methods = {"IC": IndependentClassifiers(), "silent": IndependentClassifiers(LinearSVC())}
    result = evaluate(data, methods | {"unfinished": Preset(data.Y, fails_without=7)}, KFold(4))
    found = result.reliability()
    assert list(found) == ["IC"]
    chances = np.vstack(
        [
            IndependentClassifiers().fit(data.X[train], data.Y[train]).predict_proba(data.X[test])
            for train, test in KFold(4).split(data.X)
        ]
    )
    pd.testing.assert_frame_equal(found["IC"], reliability(data.Y, chances), check_dtype=False, check_index_type=False)


@pytest.mark.parametrize("n_methods", [1, 3])
def test_progress_never_falls_and_ends_at_its_total(n_methods):
    reported = []
    data = dataset()
    methods = [
        IndependentClassifiers(LogisticRegression(max_iter=1000)),
        Preset(data.Y),
        ClassifierChain(MultinomialNB()),
    ][:n_methods]
    evaluate(data, {str(at): one for at, one in enumerate(methods)}, 3, progress=lambda *step: reported.append(step))
    done, totals, what = zip(*reported, strict=True)
    assert set(totals) == {3 * n_methods * 3}
    assert list(done) == sorted(done)
    assert (done[0], done[-1]) == (0, totals[0])
    assert set(range(4)) <= set(done)  # label by label, where the method tells
    holds(what[-1], n_methods - 1, "fold 3 of 3")


def test_cancelling_keeps_what_was_done():
    data = dataset()
    reported = []
    result = evaluate(
        data,
        {
            "IC": IndependentClassifiers(LogisticRegression(max_iter=1000)),
            "CC": ClassifierChain(LogisticRegression(max_iter=1000)),
        },
        3,
        progress=lambda done, total, what: reported.append(done),
        cancelled=lambda: bool(reported) and reported[-1] >= 7,  # one label into the first method's second fold
    )
    assert not result.complete
    assert result.fits[["method", "fold", "status"]].values.tolist() == [["IC", 1, "done"], ["CC", 1, "done"]]
    assert result.n_folds == 3
    assert reported[-1] == 7
    assert result.summary()["hamming_score", "mean"].isna().all()
    assert len(result.per_label) == 6
    assert result.label_scores().empty  # no method finished all folds


def test_cancelled_from_the_start():
    result = evaluate(dataset(), {"IC": IndependentClassifiers()}, 3, cancelled=lambda: True)
    assert (len(result.fits), result.complete, result.folds_done().to_dict()) == (0, False, {"IC": 0})
    assert result.summary().isna().all(axis=None)


def test_pipelines_hand_progress_to_their_last_step():
    reported = []
    data = dataset()
    inner = make_pipeline(StandardScaler(), IndependentClassifiers(LogisticRegression(max_iter=1000)))
    nested = Pipeline([("scale", StandardScaler()), ("rest", inner)])
    result = evaluate(
        data,
        {"flat": inner, "nested": nested, "foreign": make_pipeline(StandardScaler(), DecisionTreeClassifier())},
        2,
        progress=lambda done, total, what: reported.append(done),
    )
    assert result.folds_done().tolist() == [2, 2, 2]
    assert set(range(6)) <= set(reported)


def test_foreign_estimators():
    data = dataset(n_instances=60)
    methods = {
        "ours": IndependentClassifiers(LogisticRegression(max_iter=1000)),
        "theirs": MultiOutputClassifier(LogisticRegression(max_iter=1000)),
        "forest": RandomForestClassifier(10, random_state=0),
        "no probabilities": MultiOutputClassifier(LinearSVC()),
    }
    result = evaluate(data, methods, 3)
    assert result.folds_done().tolist() == [3, 3, 3, 3]
    summary = result.summary().drop(columns=["train_seconds", "test_seconds"], level=0)
    compared = summary.drop(columns=("log_loss", "rank"))  # its last digits differ, and so no tie is found
    pd.testing.assert_series_equal(compared.loc["ours"], compared.loc["theirs"], check_names=False, rtol=1e-9)
    assert np.isnan(summary.loc["no probabilities", ("macro_auc", "mean")])
    assert 0 < summary.loc["no probabilities", ("hamming_score", "mean")] < 1


@pytest.mark.parametrize("value", [0, 1])
def test_probabilities_of_a_foreign_estimator_for_a_constant_label(value):
    # scikit-learn's trees then give a single column, whichever value it is of.
    Y = np.random.default_rng(0).integers(0, 2, (40, 3))
    Y[:, 0] = value
    Y[:, 1] = 1 - value
    result = evaluate(dataset(Y=Y), {"tree": DecisionTreeClassifier(max_depth=2, random_state=0)}, 2)
    assert result.folds_done().tolist() == [2]
    # The label that always holds is ranked first in each instance, or level with the third.
    assert result.fits["one_error"].max() < 0.5
    assert result.fits["ranking_loss"].max() < 0.5


@pytest.mark.parametrize(
    "method",
    [
        IndependentClassifiers(),
        ClassifierChain(LogisticRegression(max_iter=1000)),
        ClassifierTrellis(random_state=0),
        MultiOutputClassifier(LogisticRegression(max_iter=1000)),
        DecisionTreeClassifier(),
    ],
    ids=lambda method: type(method).__name__,
)
@pytest.mark.parametrize("cv", [3, 0.3, KFold(3)], ids=["int", "float", "splitter"])
def test_one_label(method, cv):
    result = evaluate(dataset(n_labels=1), {"method": method}, cv)
    assert result.fits["reason"].tolist() == [""] * result.n_folds


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_labels_of_more_values(form):
    Y = np.random.default_rng(0).integers(0, [2, 3, 4], (50, 3))
    data = dataset(Y=Y, form=form)
    methods = {"IC": IndependentClassifiers(), "CC": ClassifierChain(DecisionTreeClassifier()), "preset": Preset(Y)}
    result = evaluate(data, methods, 3)
    assert result.fits["reason"].tolist() == [""] * 9
    assert result.measures == [key for key, measure in MEASURES.items() if not measure.binary_only]
    assert result.summary().loc["preset", ("exact_match", "mean")] == 1
    of_labels = result.label_scores()
    assert of_labels.columns.tolist() == ["frequency", "hamming"]
    assert of_labels.index.tolist() == [(name, label) for name in methods for label in "abc"]
    assert (of_labels.loc["preset", "hamming"] == 1).all()
    frequency = np.mean([(Y[test] > 0).mean(axis=0) for _, test in folds(data, 3)], axis=0)
    for name in methods:
        np.testing.assert_allclose(of_labels.loc[name, "frequency"], frequency)
    by_label = of_labels["hamming"].groupby("method").mean()
    np.testing.assert_allclose(by_label[list(methods)], result.summary()["hamming_score", "mean"])


def test_scores_of_a_label_are_of_all_folds_or_of_none():
    Y = np.random.default_rng(0).integers(0, 2, (12, 2))
    Y[1, 1] = 2  # a value that only the first fold tests, so that the others look binary
    result = evaluate(dataset(Y=Y), {"preset": Preset(Y)}, KFold(3))
    assert result.folds_done().tolist() == [3]
    scores = result.label_scores()
    assert (scores[["frequency", "hamming"]].notna()).all(axis=None)
    assert scores.columns.tolist() == ["frequency", "hamming"]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_notes_of_constant_and_absent_labels(form):
    Y = np.random.default_rng(0).integers(0, 2, (12, 4))
    Y[:, 0], Y[:, 1], Y[:, 3] = 0, 1, 0
    Y[5, 3] = 1
    data = dataset(Y=Y, form=form)
    result = evaluate(data, {"IC": IndependentClassifiers(LogisticRegression(max_iter=1000))}, KFold(3))
    assert result.folds_done().tolist() == [3]
    constant, absent = result.notes
    has_line(constant, "a and b", "same value", "all 12 instances")
    holds(absent, "d", "not relevant", "training row", "fold 2")
    assert evaluate(data, {"IC": IndependentClassifiers()}, KFold(3)).notes == result.notes


def test_a_rare_label_is_absent_from_the_training_rows_of_one_fold():
    Y = np.random.default_rng(1).integers(0, 2, (12, 3))
    Y[:, 2] = np.arange(12) == 4
    methods = {
        "IC": IndependentClassifiers(LogisticRegression(max_iter=1000)),
        "CC": ClassifierChain(),
        "CT": ClassifierTrellis(),
    }
    result = evaluate(dataset(Y=Y), methods, 3)
    assert result.folds_done().tolist() == [3, 3, 3]
    assert [note for note in result.notes if "not relevant" in note] == [Containing("c", "training row")]


def test_the_fold_of_a_note_is_the_fold_of_the_table():
    Y = np.random.default_rng(1).integers(0, 2, (12, 2))
    Y[:, 1] = np.arange(12) == 5
    result = evaluate(dataset(Y=Y), {"IC": IndependentClassifiers()}, KFold(3))
    (note,) = result.notes
    assert result.fits["fold"].tolist() == [1, 2, 3]
    assert result.per_label["fold"].tolist() == [1, 1, 2, 2, 3, 3]
    number = int(note.rstrip(".").rsplit(" ", 1)[1])
    tests_row_5 = [
        fold for fold, (_, test) in zip(sorted(set(result.fits["fold"])), KFold(3).split(Y), strict=True) if 5 in test
    ]
    assert [number] == tests_row_5 == [2]


def test_many_labels_are_listed_by_the_first():
    Y = np.zeros((12, 8), dtype=int)
    Y[:, 0] = np.arange(12) % 2
    (note,) = evaluate(dataset(Y=Y), {}, KFold(2)).notes
    has_line(note, "b", "c", "d", "e", "f", "2 more")


def test_the_methods_given_are_not_fitted():
    method = IndependentClassifiers()
    evaluate(dataset(), {"IC": method}, 2)
    assert not hasattr(method, "graph_")


def test_missing_features_reach_a_base_that_takes_them():
    data = dataset()
    data.X[3, 1] = np.nan
    result = evaluate(data, {"tree": ClassifierChain(DecisionTreeClassifier()), "ridge": ClassifierChain()}, 2)
    assert result.folds_done().to_dict() == {"tree": 2, "ridge": 0}  # the gap is trained on once and tested on once
    assert result.fits.loc[result.fits["method"] == "ridge", "reason"].str.contains("NaN").all()


def test_progress_of_methods_with_many_fits_neither_overshoots_nor_goes_back():
    data = simulate_label_dag(n_instances=60, n_labels=4, random_state=0)
    reported = []
    methods = {"ECC": EnsembleClassifierChains(n_estimators=3, random_state=0), "LP": LabelPowerset()}
    evaluate(data, methods, cv=2, progress=lambda done, total, what: reported.append((done, total)))
    assert {total for _, total in reported} == {2 * 2 * 4}
    done = [step for step, _ in reported]
    assert done == sorted(done)
    assert done[-1] == 16


class Remembering(ClassifierMixin, BaseEstimator):
    """Predicts 0, and remembers the features that it was fitted to and asked about."""

    seen: ClassVar[list[tuple[np.ndarray, np.ndarray]]] = []

    def fit(self, X, y):
        self.X_, self.n_labels_ = X, y.shape[1]
        return self

    def predict(self, X):
        self.seen.append((self.X_, X))
        return np.zeros((X.shape[0], self.n_labels_), dtype=int)


def test_each_fold_learns_the_words_of_its_training_rows():
    said = [f"word{i % 7} only{i // 2}" for i in range(42)]
    table = frame_table(pd.DataFrame({"x": 0.0, "said": said, "sun": [0, 1] * 21}))
    data = table.to_dataset(["sun"], text="tf-idf")
    chosen = folds(data, KFold(3, shuffle=True, random_state=0))
    Remembering.seen.clear()
    evaluate(data, {"any": Remembering()}, cv=chosen)
    for (train, test), (X, X_test) in zip(chosen, Remembering.seen, strict=True):
        oracle = TfidfVectorizer(min_df=2).fit([said[i] for i in train])
        assert len(oracle.vocabulary_) < data.n_features - 1  # a word of a single training row is in two of all
        assert_allclose(dense(X)[:, 1:], oracle.transform([said[i] for i in train]).toarray())
        assert_allclose(dense(X_test)[:, 1:], oracle.transform([said[i] for i in test]).toarray())
    by_hand = CrossValidation(data, cv=chosen).scores(IndependentClassifiers())
    assert_allclose(evaluate(data, {"IC": IndependentClassifiers()}, cv=chosen).fits[[*QUICK]], by_hand)


@pytest.mark.parametrize(
    ("cv", "ratio"),
    [
        (5, 1 / 4),
        (RepeatedKFold(n_splits=5, n_repeats=3, random_state=0), 1 / 4),
        (ShuffleSplit(6, test_size=0.5), 1.0),
    ],
    ids=["folds", "repeated folds", "random splits"],
)
def test_tests_correct_for_the_share_of_rows_that_are_tested_on(cv, ratio):
    data = simulate_label_dag(n_instances=120, n_labels=4, random_state=0)
    result = evaluate(data, {"IC": IndependentClassifiers(), "CC": ClassifierChain()}, cv=cv)
    folds = result.fold_scores("accuracy")
    gains = folds["CC"] - folds["IC"]
    error = np.sqrt((1 / len(gains) + ratio) * gains.var())
    assert result.tests("accuracy").errors.loc["IC", "CC"] == pytest.approx(error)
