"""What papers print: by hand, and read back."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from trellislib.ranking.ranks import ranks
from trellislib.score_tables.files import read_scores
from trellislib.score_tables.report import as_csv, as_latex, as_markdown, as_text

SCORES = pd.DataFrame(
    {"IC": [0.483, 0.122, 0.5], "ECC_x": [0.5724, np.nan, 0.5], "CT": [0.577, 0.1268, 0.25]},
    index=pd.Index(["Music", "R&B", "50%"], name="dataset"),
)
RANKS = ranks(SCORES, ties="competition", unfinished="skip")
SPREADS = pd.DataFrame(0.03, index=SCORES.index, columns=SCORES.columns)


def test_latex():
    assert (
        as_latex(SCORES, RANKS)
        == r"""% \usepackage{booktabs}
\begin{tabular}{lrrr}
\toprule
Dataset  & IC                 & ECC\_x             & CT                 \\
\midrule
Music    & 0.483 (3)          & 0.572 (2)          & \textbf{0.577} (1) \\
R\&B     & 0.122 (2)          & DNF                & \textbf{0.127} (1) \\
50\%     & \textbf{0.500} (1) & \textbf{0.500} (1) & 0.250 (3)          \\
\midrule
avg rank & 2.00               & 1.50               & 1.67               \\
\bottomrule
\end{tabular}
"""
    )


def test_latex_with_a_caption_and_without_ranks():
    assert (
        as_latex(SCORES.iloc[:1, :2], digits=1, caption="50% test", label="tab:x")
        == r"""% \usepackage{booktabs}
\begin{table}
\centering
\caption{50\% test}
\label{tab:x}
\begin{tabular}{lrr}
\toprule
Dataset & IC  & ECC\_x \\
\midrule
Music   & 0.5 & 0.6    \\
\bottomrule
\end{tabular}
\end{table}
"""
    )


def test_markdown():
    assert as_markdown(SCORES, RANKS, spreads=SPREADS, digits=2) == (
        "| Dataset  | IC                  | ECC\\_x              | CT                  |\n"
        "|:---------|--------------------:|--------------------:|--------------------:|\n"
        "| Music    | 0.48 ± 0.03 (3)     | 0.57 ± 0.03 (2)     | **0.58** ± 0.03 (1) |\n"
        "| R\\&B     | 0.12 ± 0.03 (2)     | DNF                 | **0.13** ± 0.03 (1) |\n"
        "| 50%      | **0.50** ± 0.03 (1) | **0.50** ± 0.03 (1) | 0.25 ± 0.03 (3)     |\n"
        "| avg rank | 2.00                | 1.50                | 1.67                |\n"
    )


def test_text():
    assert as_text(SCORES, RANKS, spreads=SPREADS.iloc[:1]) == (
        "Dataset                  IC              ECC_x                 CT\n"
        "Music     0.483 ± 0.030 (3)  0.572 ± 0.030 (2)  0.577 ± 0.030 (1)\n"
        "R&B               0.122 (2)                DNF          0.127 (1)\n"
        "50%               0.500 (1)          0.500 (1)          0.250 (3)\n"
        "avg rank               2.00               1.50               1.67\n"
    )


def test_csv():
    assert as_csv(SCORES.iloc[:2, :2], RANKS.iloc[:2, :2], spreads=SPREADS.iloc[:2, :2]) == (
        "dataset,method,score,spread,rank\n"
        "Music,IC,0.483,0.03,3.0\n"
        "Music,ECC_x,0.5724,0.03,2.0\n"
        "R&B,IC,0.122,0.03,2.0\n"
        "R&B,ECC_x,,0.03,\n"
        "avg rank,IC,,,2.5\n"
        "avg rank,ECC_x,,,2.0\n"
    )


def test_lower_is_better_by_the_ranks():
    assert "**0.25** (1)" in as_markdown(SCORES, ranks(SCORES, False, unfinished="skip"), digits=2)


def test_ranks_that_leave_out_a_data_set():
    dropped = ranks(SCORES, unfinished="drop")
    rows = as_markdown(SCORES, dropped).splitlines()
    assert re.split(r"\s*\|\s*", rows[3])[2:5] == ["0.122", "DNF", "0.127"]
    assert re.split(r"\s*\|\s*", rows[5])[2:5] == ["2.25", "1.75", "2.00"]


def test_what_ranks_last_is_never_bold():
    nothing = pd.DataFrame({"IC": [np.nan], "CT": [np.nan]}, index=["d1"])
    text = as_latex(nothing, ranks(nothing, unfinished="last"))
    assert "textbf" not in text
    assert text.count("DNF (1.5)") == 2


def test_a_method_without_any_rank():
    scores = pd.DataFrame({"IC": [0.5], "CT": [np.nan], "CC": [0.25]}, index=["d1"])
    assert as_markdown(scores, ranks(scores, unfinished="skip")).splitlines()[-1].split("|")[1:5] == [
        " avg rank ",
        " 1.00          ",
        " -   ",
        " 2.00      ",
    ]


def test_what_does_not_fit():
    with pytest.raises(ValueError, match=r"The ranks .*method 'XX', .*no scores"):
        as_latex(SCORES, RANKS.rename(columns={"IC": "XX"}))
    with pytest.raises(ValueError, match=r"The spreads .*data set 'YY', .*no scores"):
        as_csv(SCORES, spreads=SPREADS.rename(index={"Music": "YY"}))
    for write in (as_latex, as_markdown, as_csv):
        with pytest.raises(ValueError, match=r"A method .*empty name"):
            write(SCORES.rename(columns={"IC": " "}))


# Names of any signs, but for those by which the reader knows columns and averages: these start with "x".
SIGNS = st.one_of(st.sampled_from(r"\{}[]()&%$#_^~<>|*`-+=\"',;:!?/ ±xA1é"), st.characters(exclude_categories=["C"]))
NAMES = st.text(SIGNS, max_size=12).map(lambda text: " ".join(text.split()))
PREFIXED = st.one_of(NAMES.map(lambda text: " ".join(f"{text}x!".split())), NAMES.map(lambda text: f"x!{text}"))


@st.composite
def tables(draw):
    methods = draw(st.lists(PREFIXED, min_size=2, max_size=4, unique=True))
    datasets = draw(st.lists(PREFIXED, min_size=1, max_size=4, unique=True))
    cells = st.one_of(st.floats(-1e6, 1e6), st.just(np.nan))
    values = draw(hnp.arrays(float, (len(datasets), len(methods)), elements=cells))
    values[0, 0] = draw(st.floats(-1, 1))  # a table in which nothing finished is refused
    index = pd.Index(datasets, name="dataset")
    return pd.DataFrame(values, index=index, columns=methods)


@given(tables(), st.integers(0, 6), st.booleans(), st.booleans())
def test_what_is_written_is_read(scores, digits, with_ranks, with_spreads):
    ranked = ranks(scores, unfinished="skip") if with_ranks else None
    spreads = scores.abs() / 10 if with_spreads else None
    rounded = scores.map(lambda value: float(f"{value:.{digits}f}"))
    for write in (as_latex, as_markdown):
        text = write(scores, ranked, spreads=spreads, digits=digits)
        pd.testing.assert_frame_equal(read_scores(text).table(), rounded, check_exact=True)
    text = as_csv(scores, ranked, spreads=spreads)
    again = read_scores(text)
    pd.testing.assert_frame_equal(again.table("score"), scores, check_exact=True)
    if with_ranks:
        pd.testing.assert_frame_equal(again.table("rank"), ranked, check_exact=True)
    if with_spreads:
        pd.testing.assert_frame_equal(again.table("spread"), spreads, check_exact=True)
