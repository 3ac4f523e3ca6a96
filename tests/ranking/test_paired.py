"""The paired t-test, where it tells nothing, and its correction for folds."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from trellislib.ranking.paired import paired_p, resampled_error, resampled_p


def test_it_is_students():
    """Differences 1, 1, 1 and 1.9: a mean of 1.225 with an error of 0.225."""
    one, other = pd.Series([1.0, 4.0, 2.0, 0.0]), pd.Series([0.0, 3.0, 1.0, -1.9])
    assert paired_p(one, other) == pytest.approx(2 * t.sf(1.225 / 0.225, 3))
    assert paired_p(other, one) == pytest.approx(paired_p(one, other))


def test_a_single_pair_has_no_evidence():
    assert paired_p(pd.Series([0.9]), pd.Series([0.1])) == 1


def test_differences_that_are_all_the_same():
    base = pd.Series(np.linspace(0.1, 0.7, 5))
    assert paired_p(base, base) == 1
    assert paired_p(base + 0.1, base) == 0
    assert paired_p(base + 1e-12, base) == 1


def test_the_corrected_test_by_hand():
    """Of 1, 1, 1 and 1.9, with a deviation of 0.45: a variance of 0.45^2 (1/4 + 1/3) in place of 0.45^2 / 4."""
    one, other = pd.Series([1.0, 4.0, 2.0, 0.0]), pd.Series([0.0, 3.0, 1.0, -1.9])
    error = 0.45 * (1 / 4 + 1 / 3) ** 0.5
    assert resampled_error(one - other) == pytest.approx(error)
    assert resampled_p(one, other) == pytest.approx(2 * t.sf(1.225 / error, 3))
    # Two cross-validations of two folds: as many rows to test as to train.
    assert resampled_error(one - other, n_folds=2) == pytest.approx(0.45 * (1 / 4 + 1) ** 0.5)


def test_a_single_fold_has_no_evidence():
    assert resampled_p(pd.Series([0.9]), pd.Series([0.1])) == 1
    assert np.isnan(resampled_error(pd.Series([0.9])))
    base = pd.Series(np.linspace(0.1, 0.7, 5))
    assert [resampled_p(base + gain, base) for gain in (0.0, 0.1)] == [1, 0]


def test_over_repeated_folds_the_correction_holds_the_level_and_the_plain_test_does_not():
    """Two regressions of noise on different noise, five times in five folds: neither is better on further rows."""
    rng = np.random.default_rng(0)
    n, repeats, folds, draws = 60, 5, 5, 200
    plain, corrected = [], []
    for _ in range(draws):
        X, y = rng.standard_normal((n, 2, 2)), rng.standard_normal(n)
        losses = []
        for _ in range(repeats):
            for test in np.array_split(rng.permutation(n), folds):
                train = np.setdiff1d(np.arange(n), test)
                fitted = [np.linalg.lstsq(X[train, k], y[train], rcond=None)[0] for k in (0, 1)]
                losses.append([np.mean((y[test] - X[test, k] @ fitted[k]) ** 2) for k in (0, 1)])
        one, other = (pd.Series(of) for of in np.array(losses).T)
        plain.append(paired_p(one, other) <= 0.05)
        corrected.append(resampled_p(one, other, n_folds=folds) <= 0.05)
    assert np.mean(plain) > 0.15
    assert np.mean(corrected) < 0.08
