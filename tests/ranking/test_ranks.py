import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from trellislib.ranking import average_ranks, ranks

tables = arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=st.integers(-8, 8)).map(
    lambda values: pd.DataFrame(values).rename(index="d{}".format, columns="m{}".format)
)


def row(*scores):
    return pd.DataFrame([scores], index=["yeast"], columns=list("abcd"[: len(scores)]), dtype=float)


@pytest.mark.parametrize(
    ("scores", "higher", "ties", "expected"),
    [
        ((0.5, 0.7, 0.6), True, "average", [3, 1, 2]),
        ((0.5, 0.7, 0.6), False, "average", [1, 3, 2]),
        ((0.7, 0.7, 0.6), True, "average", [1.5, 1.5, 3]),
        ((0.7, 0.7, 0.6), True, "competition", [1, 1, 3]),
        ((0.7, 0.7, 0.6), False, "competition", [2, 2, 1]),
        ((0.6, 0.6, 0.6, 0.6), True, "average", [2.5] * 4),
        ((0.6, 0.6, 0.6, 0.6), True, "competition", [1] * 4),
    ],
)
def test_one_data_set(scores, higher, ties, expected):
    assert ranks(row(*scores), higher, ties=ties).loc["yeast"].tolist() == expected


@pytest.mark.parametrize(
    ("unfinished", "ties", "expected"),
    [
        ("skip", "average", [2, np.nan, 1, np.nan]),
        ("last", "average", [2, 3.5, 1, 3.5]),
        ("last", "competition", [2, 3, 1, 3]),
    ],
)
@pytest.mark.parametrize("higher", [True, False])
def test_unfinished(unfinished, ties, expected, higher):
    scores = row(0.4, np.nan, 0.8, np.nan) * (1 if higher else -1)
    np.testing.assert_array_equal(ranks(scores, higher, ties=ties, unfinished=unfinished).loc["yeast"], expected)


def test_drop_leaves_out_whole_data_sets():
    scores = pd.concat([row(0.4, np.nan, 0.8), row(0.4, 0.5, 0.8).rename(index={"yeast": "scene"})])
    assert ranks(scores).index.tolist() == ["scene"]
    assert average_ranks(scores).to_dict() == {"a": 3, "b": 2, "c": 1}
    assert average_ranks(scores, unfinished="skip").to_dict() == {"a": 2.5, "b": 2, "c": 1}


def test_rounding_is_no_difference():
    loss = 0.1 + 0.2  # not 0.3
    assert loss != 0.3
    assert ranks(row(loss, 0.3, 0.2)).loc["yeast"].tolist() == [1.5, 1.5, 3]
    assert ranks(row(1e-9, 1.001e-9, 1e20)).loc["yeast"].tolist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("table", "printed"),
    [
        ("accuracy", [5.30, 2.12, 4.22, 3.33, 3.60, 2.40, 5.50]),
        ("hamming_score", [2.50, 3.12, 3.22, 3.67, 1.90, 3.80, 5.30]),
        ("exact_match", [4.00, 3.12, 1.89, 4.78, 2.10, 3.90, 5.50]),
    ],
)
def test_printed_in_the_paper(paper_table, table, printed):
    scores = paper_table(table)
    found = ranks(scores, ties="competition", unfinished="skip")
    pd.testing.assert_frame_equal(found, paper_table(f"{table}_ranks").loc[scores.index], check_dtype=False)
    assert average_ranks(scores, ties="competition", unfinished="skip").to_numpy() == pytest.approx(printed, abs=5.1e-3)


def test_loss_and_score_rank_alike():
    loss = pd.DataFrame(
        {
            "IC": [0.115, 0.200, 0.057, 0.053, 0.035],
            "CT": [0.116, 0.209, 0.056, 0.052, 0.034],
            "ECC": [0.108, 0.211, 0.060, 0.051, 0.053],
        }
    )
    expected = {"IC": 2.0, "CT": 1.8, "ECC": 2.2}
    assert average_ranks(loss, higher_is_better=False).to_dict() == pytest.approx(expected)
    assert average_ranks(1 - loss).to_dict() == pytest.approx(expected)


@given(tables)
def test_ranks_sum_to_the_same(scores):
    k = scores.shape[1]
    np.testing.assert_array_equal(ranks(scores).sum(axis=1), k * (k + 1) / 2)


@given(tables, st.sampled_from([np.exp, np.cbrt, lambda x: 3 * x - 100]))
def test_ranks_survive_what_keeps_the_order(scores, transform):
    pd.testing.assert_frame_equal(ranks(transform(scores)), ranks(scores))


@given(tables)
def test_the_other_direction_reverses(scores):
    pd.testing.assert_frame_equal(ranks(scores, False), scores.shape[1] + 1 - ranks(scores))
    pd.testing.assert_frame_equal(ranks(scores, False, ties="competition"), ranks(-scores, ties="competition"))


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_methods_is_no_matter(scores, random):
    shuffled = random.sample(list(scores.columns), scores.shape[1])
    pd.testing.assert_frame_equal(ranks(scores[shuffled])[scores.columns], ranks(scores))


def test_numbers_in_other_types():
    scores = pd.DataFrame({"a": [1, 2], "b": ["0.5", None], "c": pd.array([3, None], dtype="Int64")}, index=["x", "y"])
    np.testing.assert_array_equal(ranks(scores, unfinished="skip"), [[2, 3, 1], [1, np.nan, np.nan]])


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (row(0.1, np.inf), {}, r"Got inf .*b .*yeast, .*expected .*finite number"),
        (row(0.1, 0.2).astype(object).assign(b="0,2"), {}, r"Got 0,2 .*b .*yeast"),
        (pd.concat([row(0.1, 0.2)] * 2), {}, r"The data set yeast .*twice"),
        (pd.concat([row(0.1, 0.2)] * 2, axis=1), {}, r"The method a .*twice"),
        (row(0.1, np.nan), {"unfinished": "refuse"}, r"b .*not finish .*yeast"),
        (row(0.1, np.nan), {}, r"No data set .*score .*every method.*b .*1 .*1 data sets"),
        (row(), {}, r"Got scores .*1 data sets .*0 methods"),
        (np.eye(2), {}, "Got scores of type ndarray"),
        (row(0.1), {"ties": "dense"}, r"Got ties='dense', .*expected .*average, competition"),
        (row(0.1), {"unfinished": "zero"}, r"Got unfinished='zero', .*expected .*drop, last, refuse, skip"),
    ],
)
def test_refused(scores, options, message):
    with pytest.raises(ValueError, match=message):
        ranks(scores, **options)


def test_the_table_of_the_caller_is_left_alone():
    scores = row(0.1, 0.2)
    ranks(scores)
    pd.testing.assert_frame_equal(scores, row(0.1, 0.2))
