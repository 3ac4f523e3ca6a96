"""Tests of pairs of methods over folds of one data set."""

import baycomp
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sentences import holds

from trellislib.ranking import resampled_holm
from trellislib.summaries import about_fold_tests

RNG = np.random.default_rng(0)


def scores(n, *leads):
    """Return scores in n folds of methods with these leads over the first."""
    base = RNG.normal(0.5, 0.02, n)
    return pd.DataFrame({f"m{j}": base + lead + RNG.normal(0, 0.01, n) for j, lead in enumerate((0.0, *leads))})


def test_the_p_value_is_that_of_nadeau_and_bengio():
    folds = pd.DataFrame({"a": [0.6, 0.7, 0.9], "b": [0.5, 0.5, 0.6]})
    d = np.array([0.1, 0.2, 0.3])
    t = d.mean() / np.sqrt((1 / 3 + 1 / 2) * d.var(ddof=1))
    found = resampled_holm(folds)
    assert_allclose(found.raw_p_values.loc["a", "b"], 2 * stats.t.sf(t, 2))
    low, high = found.interval("a", "b")
    half = stats.t.ppf(0.975, 2) * np.sqrt((1 / 3 + 1 / 2) * d.var(ddof=1))
    assert_allclose([low, high], [0.2 - half, 0.2 + half])
    assert_allclose(found.interval("b", "a"), (-high, -low))


@pytest.mark.parametrize("runs", [1, 3])
def test_posterior_probabilities_are_those_of_baycomp(runs):
    folds = scores(5 * runs, 0.02)
    found = resampled_holm(folds, n_folds=5)
    expected = baycomp.two_on_single(folds["m1"].to_numpy(), folds["m0"].to_numpy(), rope=0.01, runs=runs)
    assert_allclose(found.probabilities("m1", "m0"), expected, rtol=1e-6)
    assert sum(found.probabilities("m0", "m1")) == pytest.approx(1)


def test_p_values_are_adjusted_for_all_pairs():
    found = resampled_holm(scores(10, 0.0, 0.05))
    upper = np.triu_indices(3, 1)
    raw, adjusted = found.raw_p_values.to_numpy()[upper], found.p_values.to_numpy()[upper]
    assert adjusted.min() == pytest.approx(3 * raw.min())
    assert (adjusted >= raw).all()


def test_lower_is_better_of_losses():
    found = resampled_holm(1 - scores(10, 0.05), higher_is_better=False)
    assert found.better_pairs == (("m1", "m0"),)
    assert found.lead("m1", "m0") > 0


def test_more_folds_of_the_same_rows_do_not_make_a_mean_as_sure_as_one_likes():
    folds = scores(10, 0.004)
    often = pd.concat([folds] * 50, ignore_index=True)
    once, many = resampled_holm(folds, n_folds=10), resampled_holm(often, n_folds=10)
    widths = [np.diff(found.interval("m1", "m0"))[0] for found in (once, many)]
    assert widths[1] > 0.5 * widths[0]


def test_methods_that_did_not_finish_are_left_out_and_named():
    folds = scores(5, 0.02, 0.03)
    folds.loc[2, "m2"] = np.nan
    found = resampled_holm(folds)
    assert found.left_out == ("m2",)
    with pytest.raises(ValueError, match="Fewer than two methods"):
        resampled_holm(folds[["m0", "m2"]])


def test_one_split_gives_no_p_value():
    with pytest.raises(ValueError, match="One split"):
        resampled_holm(scores(1, 0.1))


def test_the_error_over_null_experiments_is_at_most_the_level():
    """Of folds whose scores share what their training rows share: each pair correlated by one over the folds."""
    rng, n, claims = np.random.default_rng(1), 5, 0
    share = np.sqrt(1 / n)
    for _ in range(400):
        common = rng.normal(0, 0.02 * share, 3)
        folds = pd.DataFrame(common + rng.normal(0, 0.02 * np.sqrt(1 - share**2), (n, 3)), columns=list("abc"))
        claims += bool(resampled_holm(folds).better_pairs)
    assert claims / 400 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)


def test_the_sentence_names_who_is_better_or_that_nobody_is():
    accuracy = "accuracy"
    folds = pd.DataFrame({"IC": [0.5, 0.51, 0.5, 0.52], "CT": [0.56, 0.56, 0.57, 0.58], "CC": [0.55, 0.57, 0.56, 0.58]})
    told = about_fold_tests(resampled_holm(folds), accuracy)
    holds(told, "CT (0.568)", "significantly better than IC in accuracy", "not significantly different from CC")
    holds(about_fold_tests(resampled_holm(scores(10, 0.0)), accuracy), "No", "significant", "accuracy")


def test_the_sentence_does_not_deny_a_difference_of_others():
    folds = pd.DataFrame(
        {
            "ECC": [0.50, 0.70, 0.52, 0.68, 0.62],
            "CT": [0.58, 0.59, 0.58, 0.57, 0.58],
            "IC": [0.55, 0.56, 0.55, 0.545, 0.55],
        }
    )
    found = about_fold_tests(resampled_holm(folds), "accuracy")
    holds(found, "ECC is best", "not significantly", "CT is significantly better than IC")
    equal = about_fold_tests(resampled_holm(folds.assign(PCC=folds["ECC"], DNF=np.nan)), "accuracy")
    holds(equal, "ECC and PCC are best", "Without DNF")
