"""Our numbers compared with the published ones, in tables and sentences."""

import numpy as np
import pandas as pd
import pytest
from sentences import holds

from trellislib.data import simulate_label_dag
from trellislib.experiment import Split, run
from trellislib.paper import EXPERIMENTS, published_and_ours
from trellislib.paper.words import about_agreement, compared, measure_name, number, wide

NAN = float("nan")


def table(printed, ours, methods=("IC", "CT", "ECT")):
    """Return the comparison of rows of numbers."""
    names = [f"d{place}" for place in range(len(printed))]
    return published_and_ours(*(pd.DataFrame(rows, index=names, columns=list(methods)) for rows in (printed, ours)))


def test_names_of_measures():
    assert measure_name("hamming_score") == "Hamming score"
    assert measure_name("exact_match") == "exact match"
    assert measure_name("total_seconds") == "training and test time"
    with pytest.raises(KeyError):
        measure_name("none")


@pytest.mark.parametrize("key", EXPERIMENTS)
def test_every_measure_of_the_experiments_has_a_name(key):
    assert all(measure_name(measure) for measure in EXPERIMENTS[key].measures)


@pytest.mark.parametrize(
    ("value", "is_time", "sign", "text"),
    [
        (0.5, False, "", "0.500"),
        (0.0004, False, "+", "+0.000"),
        (10382.4, True, "", "10,382"),
        (99.94, True, "", "99.9"),
        (3, True, "", "3"),
        (0, True, "", "0"),
        (0.012345, True, "", "0.0123"),
        (-31984.6, True, "+", "-31,985"),
        (2.5, True, "+", "+2.5"),
    ],
)
def test_numbers(value, is_time, sign, text):
    assert number(value, is_time, sign) == text


def test_wide_keeps_the_order():
    cells = wide(table([[1, 2, 3], [4, 5, 6]], [[7, 8, NAN], [NAN, NAN, NAN]]), "ours")
    expected = pd.DataFrame([[7, 8, NAN], [NAN] * 3], index=["d0", "d1"], columns=["IC", "CT", "ECT"])
    pd.testing.assert_frame_equal(cells, expected, check_names=False)


@pytest.mark.parametrize(
    ("printed", "ours", "parts"),
    [
        ([0.1, 0.2, NAN], [NAN, NAN, 0.3], ("None of the paper's 2 numbers in accuracy",)),
        ([0.1, 0.2, 0.3], [NAN, 0.25, NAN], ("3 numbers in accuracy 1 was", "CT on d0 is 0.050 above")),
        ([0.1, 0.5, 0.3], [0.11, 0.47, 0.32], ("3 were measured", "within 0.020", "CT on d0 is furthest, 0.030 below")),
        ([0.1, 0.5, 0.3], [0.11, 0.47, 0.32], ("correlate with the paper's by 1.00",)),  # the same order
        ([0.1, 0.2, 0.3], [0.1, 0.2, 0.3], ("3 were measured", "what the paper prints came out", "by 1.00")),
        ([0.1, NAN, NAN], [0.1, 0.2, 0.3], ("what the paper prints came out",)),
        ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1], ("by -1.00",)),
    ],
)
def test_distance_and_order(printed, ours, parts):
    holds(about_agreement(table([printed], [ours]), "accuracy"), *parts)


def test_the_order_may_differ_in_part():
    swapped = table([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]], [[0.2, 0.1, 0.3], [0.2, 0.1, 0.3]])
    assert "by 0.50" in about_agreement(swapped, "accuracy"), "Spearman of (3, 2, 1) and (2, 3, 1)"


def test_no_order_where_there_is_none():
    """All tied, two methods, or no data set that all finished: no correlation, and no warning."""
    assert "correlate" not in about_agreement(table([[0.1, 0.2, 0.3]], [[0.2, 0.2, 0.2]]), "accuracy")
    assert "correlate" not in about_agreement(table([[0.1, 0.2]], [[0.2, 0.1]], ("IC", "CT")), "accuracy")
    assert "correlate" not in about_agreement(table([[0.1, 0.2, NAN]], [[0.2, 0.1, 0.3]]), "accuracy")


def test_a_data_set_that_is_not_complete_has_no_part_in_the_order():
    """d0 is in the same order; d1, which is not, lacks a method."""
    both = table([[0.1, 0.2, 0.3], [0.1, 0.2, NAN]], [[0.1, 0.2, 0.4], [0.9, 0.2, 0.3]])
    assert "by 1.00" in about_agreement(both, "accuracy")


@pytest.mark.parametrize(
    ("printed", "ours", "part"),
    [
        ([10, 20, 30], [0.5, 10, 0.1], "20 times less time"),  # 10/.5 = 20, 20/10 = 2, 30/.1 = 300
        ([10, 20, 30], [4, 8, 12], "2.5 times less time"),
        ([10, 20, 30], [25, 50, 75], "2.5 times more time"),
        ([10, 20, 30], [10, 20, 30], "as long here"),
        ([0, 20, 0], [0.1, 10, 0.1], "2.0 times less time"),  # a published 0 gives no ratio
        ([0, 0, 0], [0.1, 10, 0.1], "the paper's are all 0"),
    ],
)
def test_times_are_compared_by_their_ratio(printed, ours, part):
    holds(about_agreement(table([printed], [ours]), "test time", None), "3 were measured", part)


@pytest.fixture(scope="module")
def results():
    data = simulate_label_dag(n_instances=60, n_labels=4, random_state=0)
    return run([data], EXPERIMENTS["placement"].plan("fast").methods, Split())


def test_compared_without_results_or_measure(results):
    experiment = EXPERIMENTS["room"]
    for measure in experiment.measures:
        empty = compared(experiment, None, measure)
        assert empty["ours"].isna().all()
        assert empty["published"].notna().all()
    no_fits = results.select(datasets=[])
    assert compared(experiment, no_fits, "accuracy")["ours"].isna().all()
    assert compared(experiment, no_fits, "total_seconds")["ours"].isna().all()


def test_compared_has_published_and_ours(results):
    experiment = EXPERIMENTS["placement"]
    expected = published_and_ours(experiment.published("accuracy"), experiment.measured(results, "accuracy"))
    pd.testing.assert_frame_equal(compared(experiment, results, "accuracy"), expected)
    assert np.isnan(expected["ours"]).all(), "these are other data"
