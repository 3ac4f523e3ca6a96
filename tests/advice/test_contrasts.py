"""Differences from independent classifiers: intervals and p-values of the corrected resampled t-test."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from trellislib.advice.contrasts import contrasts


def test_the_interval_is_that_of_nadeau_and_bengio_for_all_structures_at_once():
    scores = pd.DataFrame(
        {"IC": [0.50, 0.52, 0.55, 0.51], "CT": [0.55, 0.60, 0.56, 0.58], "CC": [0.50, 0.51, 0.57, 0.5]}
    )
    found = contrasts(scores, ["CT", "CC"], "IC", n_folds=2)  # two repeats of two folds: n_test / n_train is 1
    difference = (scores["CT"] - scores["IC"]).to_numpy()
    error = difference.std(ddof=1) * np.sqrt(1 / 4 + 1)
    half = stats.t.ppf(1 - 0.05 / 4, 3) * error  # of two structures, each at half the level
    row = found.loc["CT"]
    assert row["difference"] == pytest.approx(difference.mean())
    assert (row["low"], row["high"]) == pytest.approx((difference.mean() - half, difference.mean() + half))
    assert row["p"] == pytest.approx(min(1, 2 * 2 * stats.t.sf(difference.mean() / error, 3)))
    assert row["n"] == 4


def test_only_folds_that_both_finished_count():
    scores = pd.DataFrame({"IC": [0.5, 0.6, np.nan], "CT": [0.6, 0.8, 0.9]})
    found = contrasts(scores, ["CT"], "IC", n_folds=2)
    assert found.loc["CT", "n"] == 2
    assert found.loc["CT", "difference"] == pytest.approx(0.15)


def test_the_interval_leaves_zero_out_where_the_p_value_is_below_the_level():
    rng = np.random.default_rng(0)
    for _ in range(50):
        scores = pd.DataFrame(rng.normal(0.5, 0.02, (10, 3)), columns=["IC", "CT", "CC"])
        scores["CT"] += 0.02
        found = contrasts(scores, ["CT", "CC"], "IC", n_folds=5)
        outside = (found["low"] > 0) | (found["high"] < 0)
        assert (outside == (found["p"] < 0.05)).all()
