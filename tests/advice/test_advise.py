"""Advice: what is compared in which order, what it says, and that it keeps to its time."""

from dataclasses import replace
from itertools import count, product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse, stats
from sentences import holds

from trellislib import advise
from trellislib.advice import advice as advice_module
from trellislib.advice import comparison
from trellislib.data import Dataset, simulate_label_dag
from trellislib.metrics import MEASURES
from trellislib.running.progress import stop_if

DATA = simulate_label_dag(n_instances=120, n_labels=4, random_state=0)
QUICK = {"learners": ["logistic"], "n_repeats": 1, "seconds": 1e5}


@pytest.fixture(scope="module", autouse=True)
def two_structures():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "STRUCTURES", ("CT", "CC"))
        patch.setattr(comparison, "LEAD", 1.0)  # so that stacked classifiers run where a test asks for them
        yield


@pytest.fixture(scope="module")
def advice():
    return advise(DATA, "exact_match", **QUICK | {"n_repeats": 2})


def copies(n=200):
    """Labels of which the second and third are the first one, which the features show half of the time."""
    rng = np.random.default_rng(0)
    X, first = rng.standard_normal((n, 3)), rng.integers(0, 2, n)
    X[:, 0] += 1.5 * first
    values = (("0", "1"),) * 3
    return Dataset(X, np.repeat(first[:, None], 3, axis=1), tuple("xyz"), tuple("abc"), values, "copies")


def words(sentence):
    return len(sentence.split())


def test_all_structures_are_compared_on_the_same_folds(advice):
    assert list(advice.table["structure"]) == ["IC", "CT", "baseline", "CC"]
    assert list(advice.contrasts.index) == ["CT, logistic", "CC, logistic"]
    assert set(advice.contrasts["n"]) == {10}
    assert advice.protocol == "2 x 5 folds"
    assert advice.complete


def test_the_mean_scores_are_those_of_the_folds(advice):
    scores = advice.scores["exact_match"]
    for name in advice.contrasts.index:
        assert advice.table.loc[name, "mean"] == pytest.approx(scores[name].mean())
        difference = (scores[name] - scores["IC, logistic"]).mean()
        assert advice.contrasts.loc[name, "difference"] == pytest.approx(difference)


def test_the_recommended_method_is_fitted_on_all_rows(advice):
    assert advice.recommended == "IC, logistic"
    again = advise(DATA, "exact_match", **QUICK)
    assert_array_equal(advice.model.predict(DATA.X).Y, again.model.predict(DATA.X).Y)
    assert advice.model.origin.n_instances == DATA.n_instances
    assert advice.model.origin.scores["exact_match"] == pytest.approx(advice.table.loc["IC, logistic", "mean"])


def test_sentences_name_score_difference_method_and_rows(advice):
    answer, use, change = advice.sentences
    best = advice.contrasts.loc[advice.best_structure]
    holds(answer, "exact match", f"{best['high']:+.3f}", "95 %")
    holds(use, "independent classifiers", "logistic regression", f"{advice.table.loc['IC, logistic', 'mean']:.3f}")
    holds(change, "120")
    assert max(map(words, advice.sentences)) <= 25


def test_the_answer_follows_the_intervals():
    found = advise(copies(), "exact_match", **QUICK)
    higher = found.table.assign(mean=found.table["mean"] + 0.1 * found.table.index.isin(found.contrasts.index))
    clear = replace(found, table=higher, contrasts=found.contrasts.assign(difference=0.1, low=0.05, high=0.15, p=0.001))
    assert clear.verdict == "helps"
    assert clear.recommended == "CT, logistic"
    holds(clear.sentences[0], "Yes", "CT", "0.100", "+0.050", "+0.150", "exact match")
    assert max(map(words, clear.sentences)) <= 25
    behind = replace(found, contrasts=found.contrasts.assign(difference=-0.1, low=-0.15, high=-0.05, p=0.001))
    assert (behind.verdict, behind.recommended) == ("hurts", "IC, logistic")
    holds(behind.sentences[0], "No", "0.100", "independent classifiers")
    assert max(map(words, behind.sentences)) <= 25


@pytest.mark.parametrize(
    ("gain", "named"), [(-0.01, "nothing"), (0.02, "0.080 is left"), (0.2, "depth alone explains")]
)
def test_a_lead_is_divided_into_depth_and_dependence(advice, gain, named):
    ahead = advice.contrasts.assign(difference=0.1, low=0.05, high=0.15, p=0.001)
    scores = advice.scores["exact_match"]
    stacked = scores.assign(**{"Stacked, logistic": scores["IC, logistic"] + gain})
    found = replace(advice, contrasts=ahead, scores={"exact_match": stacked})
    holds(found.sentences[-1], "Stacked independent classifiers", "without label dependence", named)
    assert words(found.sentences[-1]) <= 25
    assert replace(found, contrasts=advice.contrasts).sentences[-1] != found.sentences[-1]


def test_stacked_classifiers_run_where_a_structure_is_ahead_and_are_not_tested(monkeypatch):
    monkeypatch.setattr(comparison, "LEAD", -1.0)
    found = advise(DATA, "exact_match", **QUICK)
    assert found.table.loc["Stacked, logistic", "folds"] == 5
    assert list(found.contrasts.index) == ["CT, logistic", "CC, logistic"]
    scores = found.scores["exact_match"]
    assert found.gain_of_depth == pytest.approx((scores["Stacked, logistic"] - scores["IC, logistic"]).mean())


def test_a_structure_that_is_ahead_by_chance_is_not_the_answer(advice):
    mixed = advice.contrasts.copy()
    mixed["difference"], mixed["p"] = [0.02, 0.034], [0.01, 0.95]
    independent = advice.table.loc["IC, logistic", "mean"]
    means = {"CT, logistic": independent + 0.02, "CC, logistic": independent + 0.034}
    found = replace(
        advice,
        contrasts=mixed,
        table=advice.table.assign(
            mean=advice.table["mean"].mask(
                advice.table.index.isin(means), advice.table.index.map(lambda name: means.get(name, 0.0))
            )
        ),
    )
    assert (found.verdict, found.recommended) == ("helps", "CT, logistic")
    holds(found.sentences[0], "CT", "0.020")


def test_rows_that_would_be_needed_count_on_finding_it_in_four_of_five_cases(advice):
    row = advice.contrasts.loc[advice.best_structure]
    error = (row["high"] - row["low"]) / 2 / stats.t.isf(0.05 / 2 / 2, 9)
    assert advice.detectable == pytest.approx(error * (stats.t.isf(0.0125, 9) + stats.t.isf(0.2, 9)))


def test_it_can_be_cancelled_while_the_method_is_fitted_to_all_rows(monkeypatch):
    monkeypatch.setattr(advice_module, "fit_model", lambda *given, cancelled, **more: stop_if(lambda: True))
    found = advise(DATA, **QUICK)
    assert (found.model, found.complete) == (None, False)
    assert found.recommended is not None


def test_learners_that_take_no_sparse_features_are_refused_for_these():
    data = replace(DATA, X=sparse.csr_array(DATA.X))
    with pytest.raises(ValueError, match="sparse"):
        advise(data, learners=["forest"])


def test_a_learner_that_takes_no_sparse_features_is_named(monkeypatch):
    found = advise(replace(DATA, X=sparse.csr_array(DATA.X)), **QUICK | {"learners": ["logistic", "forest"]})
    holds(" ".join(found.cautions), "A random forest", "features are sparse", "dense ones only")


def test_base_learners_are_compared_on_the_folds_that_all_have(advice):
    """More repeats of one of them must not decide."""
    scores = advice.scores["exact_match"].copy()
    scores["IC, auto"] = [*scores["IC, logistic"][:5] - 0.01, *[np.nan] * 5]
    scores.loc[scores.index[5:], "IC, logistic"] = 0.0
    row = advice.table.loc[["IC, logistic"]].assign(learner="auto", folds=5).set_axis(["IC, auto"])
    found = replace(advice, scores={"exact_match": scores}, table=pd.concat([advice.table, row]))
    assert found.recommended == "IC, logistic"


def test_a_batch_that_will_not_end_in_time_is_left_out(monkeypatch):
    clock = count(0, 2.0)  # every look at the clock is two seconds later
    monkeypatch.setattr(comparison, "monotonic", lambda: next(clock))
    found = advise(DATA, **QUICK | {"seconds": 30})
    assert found.table["status"].str.contains("needs about|took longer|time was up").any()
    assert len(found.contrasts) < 2


def test_no_time_gives_no_answer_and_says_what_to_do():
    found = advise(DATA, **QUICK | {"seconds": 1e-6})
    assert (found.verdict, found.recommended, found.model) == ("unknown", None, None)
    holds(found.sentences[0], "more time")


def test_what_was_found_stays_when_it_is_cancelled():
    seen = []
    found = advise(DATA, "exact_match", **QUICK, so_far=seen.append, cancelled=lambda: len(seen) >= 2)
    assert not found.complete
    assert found.model is None
    assert [len(advice.contrasts) for advice in seen] == [0, 1]
    assert len(found.contrasts) == 1


def constant_scores(Y, score):
    """Return the scores of all label vectors, each predicted for every row."""
    vectors = np.array(list(product((0, 1), repeat=Y.shape[1])))
    return [MEASURES[score].function(Y, np.tile(vector, (len(Y), 1))) for vector in vectors]


@pytest.mark.parametrize("score", ["exact_match", "accuracy"])
def test_the_baseline_sees_no_features(score):
    data = copies()
    shown = replace(data, X=data.Y + 0.01 * data.X)  # features that give the labels away
    found = advise(shown, score, **QUICK)
    assert found.table.loc["baseline", "mean"] <= max(constant_scores(data.Y, score)) + 1e-9
    assert found.table.loc["IC, logistic", "mean"] == 1
    holds("\n".join(found.cautions), "Every test row is right")


def test_what_is_worse_than_the_same_labels_for_every_row_is_said(advice):
    scores = {"exact_match": advice.scores["exact_match"].assign(**{"IC, logistic": 0.01})}
    found = replace(advice, scores=advice.scores | scores)
    holds(found.sentences[1], "reaches only 0.010", f"{advice.table.loc['baseline', 'mean']:.3f}")
    assert words(found.sentences[1]) <= 25


def test_base_learners_without_time_are_named(monkeypatch):
    expected = comparison.BudgetedComparison._expected

    def dear(self, made):
        return 1e9 if made.learner == "forest" else expected(self, made)

    monkeypatch.setattr(comparison.BudgetedComparison, "_expected", dear)
    found = advise(DATA, **QUICK | {"learners": ["logistic", "forest"]})
    holds("\n".join(found.cautions), "no time", "random forest")


def test_structures_without_time_are_named(monkeypatch):
    expected = comparison.BudgetedComparison._expected

    def dear(self, made):
        return 1e9 if made.structure == "CC" else expected(self, made)

    monkeypatch.setattr(comparison.BudgetedComparison, "_expected", dear)
    found = advise(DATA, **QUICK | {"learners": ["logistic"]})
    (caution,) = [caution for caution in found.cautions if "no time" in caution]
    holds(caution, "classifier chain")


@pytest.mark.parametrize(("slower", "n_rows"), [(1.0, 120), (2.0, 60)])
def test_a_machine_that_is_slower_gets_fewer_rows(monkeypatch, slower, n_rows):
    monkeypatch.setattr(comparison, "LEAST_ROWS", 50)
    monkeypatch.setattr(comparison, "about_seconds", lambda structure, learner, data, n=None: 1e-3 * (n or 50))
    monkeypatch.setattr(comparison.BudgetedComparison, "_times_slower", lambda self, some: slower)
    given = {"seconds": 1.3 / comparison.FIRST_ANSWER, "seed": 0, "learners": ["logistic"]}
    found = comparison.BudgetedComparison(DATA, "exact_match", **given)
    assert found.data.n_instances == n_rows


def test_of_many_rows_some_are_drawn(monkeypatch):
    monkeypatch.setattr(comparison, "LEAST_ROWS", 60)
    monkeypatch.setattr(comparison, "FIRST_ANSWER", 1e-9)
    found = advise(DATA, **QUICK)
    assert (found.n_rows, found.n_rows_given) == (60, 120)
    holds("\n".join(found.cautions), "60", "120")
    assert found.model is not None


def test_another_learner_takes_its_place_where_it_is_better_for_independent_classifiers():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (200, 2))
    product = X[:, 0] * X[:, 1]  # of which no linear model finds the sign
    Y = np.column_stack([product > 0, product > 0.1]).astype(int)
    data = Dataset(X, Y, ("x", "y"), ("a", "b"), (("0", "1"),) * 2)
    found = advise(data, "exact_match", **QUICK | {"learners": ["logistic", "auto"]})
    assert found.learner == "auto"
    assert list(found.contrasts.index) == ["CT, auto", "CC, auto"]


def test_labels_of_more_values_are_decided_for_the_hamming_score():
    Y = np.column_stack([DATA.Y[:, 0] + DATA.Y[:, 1], DATA.Y[:, 2]])
    data = Dataset(DATA.X, Y, DATA.feature_names, ("a", "b"), (("0", "1", "2"), ("0", "1")))
    found = advise(data, **QUICK)
    assert found.score == "hamming_score"
    assert found.verdict != "unknown"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"score": "speed"}, "speed"),
        ({"seconds": float("inf")}, "inf"),
        ({"learners": ["svm"]}, "svm"),
        ({"learners": []}, "auto"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(given, named):
    with pytest.raises(ValueError, match="Got") as error:
        advise(DATA, **given)
    holds(str(error.value), named)


def test_a_method_that_fails_is_left_out_with_its_reason(monkeypatch):
    def fails(dataset, structure, *given):
        made = comparison_candidate(dataset, structure, *given)
        return replace(made, method=Broken()) if structure == "CC" else made

    comparison_candidate = comparison.candidate
    monkeypatch.setattr(comparison, "candidate", fails)
    found = advise(DATA, **QUICK)
    holds(found.table.loc["CC, logistic", "status"], "broken")
    assert "CC, logistic" not in found.contrasts.index
    assert pd.isna(found.table.loc["CC, logistic", "mean"])


class Broken:
    def get_params(self, deep=True):
        return {}

    def fit(self, X, Y):
        raise RuntimeError("it is broken")


@pytest.mark.parametrize("one", [DATA.select([3]), replace(DATA, groups=pd.Series(["ann"] * 120, name="who"))])
def test_nothing_that_folds_may_set_apart_is_refused(one):
    with pytest.raises(ValueError, match="fewer than two") as error:
        advise(one, "exact_match", **QUICK)
    holds(str(error.value), DATA.name, one.parts)
