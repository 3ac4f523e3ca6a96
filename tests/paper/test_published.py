"""The tables against each other: what the paper prints twice, or derives, must agree in the files."""

import numpy as np
import pandas as pd
import pytest

from trellislib.data.sets.known import KNOWN
from trellislib.experiment import higher_is_better
from trellislib.paper import EXPERIMENTS, SCORES, appendix, published, rank_table, score_table, seconds_table
from trellislib.ranking import friedman, ranks

METHODS = ["IC", "ECC", "MCC", "EBCC", "CT", "ECT", "CDT"]
PRINTED_AVERAGES = {
    "accuracy": [5.30, 2.12, 4.22, 3.33, 3.60, 2.40, 5.50],
    "hamming_score": [2.50, 3.12, 3.22, 3.67, 1.90, 3.80, 5.30],
    "exact_match": [4.00, 3.12, 1.89, 4.78, 2.10, 3.90, 5.50],
    "train_seconds": [1.80, 5.75, 6.78, 4.22, 1.70, 4.60, 2.80],
    "test_seconds": [1.60, 5.62, 2.67, 4.00, 2.20, 4.60, 6.50],
}


@pytest.mark.parametrize("measure", SCORES)
def test_ten_data_sets_seven_methods_four_of_them_unfinished(measure):
    scores = score_table(measure)
    assert scores.columns.tolist() == METHODS
    assert scores.index.name == "dataset"
    assert [*zip(*np.where(scores.isna()), strict=True)] == [(7, 1), (7, 3), (9, 1), (9, 2)]
    assert (scores.drop(index="Local10k").drop(columns=["ECC", "EBCC"]) >= 0).all(axis=None)


@pytest.mark.parametrize("measure", SCORES)
def test_rows_are_named_as_the_loaded_data_sets(measure):
    names = {known.name for known in KNOWN.values()}
    assert set(score_table(measure).index) <= names
    keys = EXPERIMENTS["results"].datasets
    assert score_table(measure).index.tolist() == [KNOWN[key].name for key in keys]


@pytest.mark.parametrize("measure", ["accuracy", "hamming_score", "exact_match"])
def test_printed_ranks_are_competition_ranks_of_the_printed_scores(measure):
    printed, _ = rank_table(measure)
    own = score_table(measure).rank(axis=1, method="min", ascending=False)
    pd.testing.assert_frame_equal(own, printed.astype(float), check_names=False)
    library = ranks(score_table(measure), True, ties="competition", unfinished="skip")
    pd.testing.assert_frame_equal(library, printed.astype(float), check_names=False)


@pytest.mark.parametrize("measure", ["train_seconds", "test_seconds"])
def test_printed_ranks_of_times_do_not_contradict_the_rounded_seconds(measure):
    printed, _ = rank_table(measure)
    for name, seconds in score_table(measure).iterrows():
        finished = seconds.dropna().index
        assert sorted(printed.loc[name].dropna()) == list(range(1, len(finished) + 1))
        in_order = seconds[finished][printed.loc[name, finished].sort_values().index]
        assert in_order.is_monotonic_increasing


@pytest.mark.parametrize("measure", SCORES)
def test_printed_averages(measure):
    printed, averages = rank_table(measure)
    assert averages.tolist() == PRINTED_AVERAGES[measure]
    assert [round(average, 2) for average in printed.mean()] == PRINTED_AVERAGES[measure]  # a half goes to even: 2.12


@pytest.mark.parametrize(
    ("measure", "averages", "statistic", "p_value"),
    [
        ("accuracy", [5.75, 2.125, 4.125, 3.625, 3.875, 2.625, 5.875], 20.839, 0.00196),
        ("hamming_score", [3.438, 3.438, 3.375, 4.438, 2.375, 4.5, 6.438], 18.070, 0.00606),
        ("exact_match", [4.5, 3.25, 2.0, 5.312, 2.312, 4.25, 6.375], 26.036, 0.000219),
    ],
)
def test_friedman_on_the_complete_data_sets(measure, averages, statistic, p_value):
    test = friedman(score_table(measure), higher_is_better(measure))
    assert test.average_ranks[METHODS].tolist() == pytest.approx(averages, abs=5.1e-4)
    assert test.statistic == pytest.approx(statistic, abs=5e-4)
    assert test.p_value == pytest.approx(p_value, rel=3e-3)
    assert set(test.left_out) == {"Delicious", "Local10k"}


def test_data_sets_are_the_loaded_ones():
    printed = published("datasets").set_index("dataset")
    for key in EXPERIMENTS["results"].datasets:
        known, row = KNOWN[key], printed.loc[KNOWN[key].name]
        assert (row["N"], row["L"], row["D"]) == (known.n_instances, known.n_labels, known.n_features)
        assert row["LC"] == pytest.approx(known.label_cardinality, abs=6e-3)


def test_room_of_ct_repeats_the_table_of_results():
    room = published("map_room").query("method == 'CT'").set_index("W")
    for width, name in {20: "Local400", 100: "Local10k"}.items():
        for measure in ("accuracy", "hamming_score"):
            assert room.loc[width, measure] == score_table(measure).loc[name, "CT"]
        total = score_table("train_seconds").loc[name, "CT"] + score_table("test_seconds").loc[name, "CT"]
        assert room.loc[width, "seconds"] == total


def test_small_tables():
    structure = published("structure").set_index(["dataset", "method"])
    assert structure.loc[("Scene", "EBCC-LEAD")].tolist() == [0.645, 0.03]
    assert len(structure) == 10
    costs = published("complexity").set_index("method").loc["ECC"]
    assert costs.tolist() == ["O(M \N{MULTIPLICATION SIGN} L[D+L]N)", "O(ML)"]
    assert published("methods")["key"].tolist() == METHODS
    levels = (
        published("appendix").dropna(subset="difficulty").pivot(index="quantity", columns="difficulty", values="value")
    )
    assert levels.loc["sigma2", ["easy", "medium", "hard"]].tolist() == [1, 2, 5]
    assert appendix.published_f().iloc[0].to_dict() == {"FS": 0.278, "LEAD": 0.263}


def test_comparable_times():
    seconds = seconds_table()
    both = score_table("train_seconds") + score_table("test_seconds")
    assert seconds.index.to_list() == [name for name, row in both.iterrows() if row.gt(0).all()]
    assert seconds.loc["Enron", ["IC", "CT"]].tolist() == [55, 28]


def test_a_table_that_is_not_there():
    with pytest.raises(FileNotFoundError, match=r"speed\.csv: .*paper's tables .*none .*name; .*acc"):
        published("speed")
    with pytest.raises(KeyError, match=r"prints no 'micro_f1' .*methods; .*prints accuracy"):
        score_table("micro_f1")
