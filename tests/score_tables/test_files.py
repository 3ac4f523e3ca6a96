"""Score tables of other people: every way in which they are written, and every way in which they are wrong."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sentences import Containing, has_line, holds

from trellislib.data import DataError
from trellislib.metrics import MEASURES
from trellislib.ranking.ranks import average_ranks
from trellislib.score_tables.direction import likely_higher_is_better
from trellislib.score_tables.files import read_scores

PAPER = r"""
\begin{table*}
    \caption{Predictive performance & ranks.} % 5 \% of it
    \begin{tabular}{l@{\hskip 1em}rrr}
\hline
Dataset   & \alg{IC}&\alg{ECC}& \texttt{EBCC}-\textsc{fs} \\
\hline
\data{Music}  &  0.483 (7) &  \textbf{0.572} (2) & $0.517 \pm 0.03$ \\ % the smallest
Delicious     &  0.122 (3) &    DNF     &  {\bf 0.121} (5)  \\[2pt]
R\&B\_2 &  .5 & -- & \underline{0.25}$^{*}$ \\
\midrule
avg rank  &  5.30      &  2.12      &  4.22 \\
\hline
\end{tabular}
\end{table*}
"""


def left_out(kind: str, name: str) -> Containing:
    return Containing(f"{kind} {name!r}", "left out")


def scores_of(table: pd.DataFrame) -> dict:
    return {method: table[method].tolist() for method in table}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_wide_between_any_delimiters(delimiter, end):
    text = end.join(
        delimiter.join(row) for row in (["dataset", "IC", "CT"], ["d1", "0.5", "0.625"], ["d2", "1", "-2e-3"])
    )
    table = read_scores(text.encode("utf-8-sig"), "results.csv").table()
    expected = pd.DataFrame({"IC": [0.5, 1.0], "CT": [0.625, -0.002]}, index=pd.Index(["d1", "d2"], name="dataset"))
    pd.testing.assert_frame_equal(table, expected)


def test_the_same_from_a_path_an_upload_an_archive_and_pasted(tmp_path):
    text = "dataset,IC,CT\nd1,0.5,0.6\n"
    path = tmp_path / "scores.csv"
    path.write_text(text)
    upload = io.BytesIO(text.encode())
    upload.name = "scores.csv"
    upload.read()
    for source in (path, str(path), upload, gzip.compress(text.encode()), text):
        assert scores_of(read_scores(source).table()) == {"IC": [0.5], "CT": [0.6]}
    assert [read_scores(source).name for source in (path, text)] == ["scores.csv", "pasted table"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dataset;IC;CT\nd1;0,5;0,125\nd2;1;,25\n", {"IC": [0.5, 1.0], "CT": [0.125, 0.25]}),
        ('dataset,IC,CT\nd1,"0,5","0,125"\nd2,1,"-0,25"\n', {"IC": [0.5, 1.0], "CT": [0.125, -0.25]}),
        ("dataset\tIC\tCT\nd1\t11,402\t0,5\n", {"IC": [11.402], "CT": [0.5]}),
    ],
)
def test_decimal_commas(text, expected):
    scores = read_scores(text)
    assert scores_of(scores.table()) == expected
    assert scores.notes == (Containing("decimal comma"),)


def test_commas_of_doubtful_meaning_are_refused():
    with pytest.raises(DataError, match=r"line 2: '11,402' .*'IC' .*'d1' .*decimal comma"):
        read_scores("dataset;IC;CT\nd1;11,402;48\n", "times.csv")
    with pytest.raises(DataError, match=r"line 3: '0,5' .*'IC' .*write all .*alike"):
        read_scores("dataset;IC;CT\nd1;0.4;0.5\nd2;0,5;0.6\n")


UNFINISHED = """
DNF dnf - -- --- \N{EN DASH} \N{EM DASH} NaN NA n/a N/A timeout TimeOut ? null None **DNF** \\textbf{DNF} oom failed
"""


@pytest.mark.parametrize("cell", ["", " ", "DNF (7)", "DNF (over 2 GB)", "did not finish", *UNFINISHED.split()])
def test_what_did_not_finish(cell):
    table = read_scores(f"dataset;IC;CT\nd1;{cell};0.5\nd2;0.4;{cell}\n").table()
    np.testing.assert_array_equal(table, [[np.nan, 0.5], [0.4, np.nan]])


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("0.517 ± 0.03", 0.517),
        ("0.517±.03", 0.517),
        ("0.517 +- 0.03", 0.517),
        ("0.517 +/- 0.03 (2)", 0.517),
        ("0.483 (7)", 0.483),
        ("0.483 (2.5)", 0.483),
        ("0.483(0.031)", 0.483),
        ("**0.5**", 0.5),
        (r"\textbf{0.5}", 0.5),
        (r"$\mathbf{0.517 \pm 0.03}$ (1)", 0.517),
        ("`0.5`", 0.5),
        ("0.5*", 0.5),
        ("0.5 †", 0.5),
        ("48.3%", 0.483),
        ("48.3 ± 1.2 %", 0.483),
        (r"48.3\,\%", 0.483),
        ("-0.25", -0.25),
        ("−0.25", -0.25),  # noqa: RUF001
        ("1.5e-3", 0.0015),
        ("5.", 5.0),
        ("+.5", 0.5),
    ],
)
def test_what_is_printed_around_a_score(cell, value):
    other = "1%" if "%" in cell else "1"
    assert read_scores(f"dataset;IC;CT\nd1;{cell};{other}\n").table().loc["d1", "IC"] == value


@pytest.mark.parametrize(
    "cell", ["0.5x", "five", "1_000", "inf", "1e999", "0.5 0.6", "(7)", "0x1", "٣", "1.2.3", "5,", "10^4"]
)
def test_a_cell_that_is_no_number_is_named(cell):
    with pytest.raises(DataError, match=r"^mine\.csv: line 3: .*'CT' .*'d2' .*write") as error:
        read_scores(f"dataset;IC;CT\nd1;1;2\nd2;1;{cell}\n".encode(), "mine.csv")
    assert cell in str(error.value)


def test_percentages_are_noted():
    scores = read_scores("dataset,IC,CT\nd1,48.3%,50 %\nd2,DNF,\n")
    assert scores.table().loc["d1"].tolist() == [0.483, 0.5]
    assert scores.table().loc["d2"].isna().all()
    assert scores.notes == (Containing("Percentages", "50%", 0.5),)


@pytest.mark.parametrize("cells", ["48.3%,0.483", "DNF,50%\nd2,48.3,48%"])
def test_percentages_among_other_numbers_are_refused(cells):
    """A sign that was forgotten would make a score a hundred times as large."""
    with pytest.raises(DataError, match=r"^mine\.csv: .* no percent sign.*; write") as error:
        read_scores(f"dataset,IC,CT\nd1,{cells}\n".encode(), "mine.csv")
    cell = ("line 3", "'48.3'", "'IC'", "'d2'") if "\n" in cells else ("line 2", "'0.483'", "'CT'", "'d1'")
    holds(str(error.value), *cell)


def test_each_score_of_a_file_has_its_own_unit():
    scores = read_scores("dataset,method,accuracy,F1\nd1,IC,48.3%,0.5\nd1,CT,50%,0.6\n")
    assert scores.table("accuracy").loc["d1"].tolist() == [0.483, 0.5]
    assert scores.table("F1").loc["d1"].tolist() == [0.5, 0.6]


def test_latex_of_a_paper():
    scores = read_scores(PAPER)
    assert scores_of(scores.table()) == {
        "IC": [0.483, 0.122, 0.5],
        "ECC": [0.572, pytest.approx(np.nan, nan_ok=True), pytest.approx(np.nan, nan_ok=True)],
        "EBCC-fs": [0.517, 0.121, 0.25],
    }
    assert list(scores.table().index) == ["Music", "Delicious", "R&B_2"]
    assert scores.notes == (left_out("Row", "avg rank"),)


def test_latex_rows_without_their_tabular():
    table = read_scores("Dataset & IC & CT \\\\ \\hline\nMusic & 0.4 (2) & 0.5 (1) \\\\\nYeast & DNF & 0.25").table()
    np.testing.assert_array_equal(table, [[0.4, 0.5], [np.nan, 0.25]])


def test_latex_errors_name_the_line():
    with pytest.raises(DataError, match=r"pasted table: line 9: '0\.12x \(3\)' .*'IC' .*'Delicious' .*no number"):
        read_scores(PAPER.replace("0.122", "0.12x"))
    with pytest.raises(DataError, match="2 tables; give one"):
        read_scores(PAPER + PAPER)
    with pytest.raises(DataError, match=r"line 9: expected 4 values .* got 3"):
        read_scores(PAPER.replace("&    DNF     ", ""))


def test_markdown():
    text = """Accuracy of all methods:

| Dataset  | **IC** | `C\\|T`       |
|:---------|-------:|:------------:|
| Music    | 0.4    | **0.5** (1)  |
| x_*y     | DNF    | 0.25 ± 0.1   |
| Avg. rank | 2     | 1            |
"""
    scores = read_scores(text)
    assert list(scores.table()) == ["IC", "C|T"]
    assert list(scores.table().index) == ["Music", "x_*y"]
    np.testing.assert_array_equal(scores.table(), [[0.4, 0.5], [np.nan, 0.25]])
    assert scores.notes == (left_out("Row", "Avg. rank"),)
    with pytest.raises(DataError, match=r"line 6: 'x' .*'IC' .*'x_"):
        read_scores(text.replace("DNF", "x"))
    with pytest.raises(DataError, match="there are 2 tables"):
        read_scores(text + "\n" + text)


@pytest.mark.parametrize(
    "name", ["avg rank", "Average", "mean", "Mean rank", "AVG", "average_rank", "Avg. rank", "ranks"]
)
def test_averages_at_the_end_are_left_out(name):
    scores = read_scores(f"dataset,IC,CT\nd1,0.5,0.6\nd2,0.5,0.6\n{name},1.5,worst\n")
    assert list(scores.table().index) == ["d1", "d2"]
    assert scores.notes == (left_out("Row", name),)
    scores = read_scores(f"dataset,IC,CT,{name}\nd1,0.5,0.6,worst\n")
    assert list(scores.table()) == ["IC", "CT"]
    assert scores.notes == (left_out("Column", name),)


def test_only_averages_at_the_end_are():
    assert list(read_scores("dataset,mean,CT\nd1,0.5,0.6\naverage,1,2\nd2,1,2\n").table().index) == [
        "d1",
        "average",
        "d2",
    ]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("header", ["", "Unnamed: 0", "index"])
def test_an_index_that_pandas_wrote(header, first):
    scores = read_scores(f"{header},dataset,IC,CT\n{first},d1,0.5,0.6\n{first + 1},d2,0.5,0.6\n")
    assert list(scores.table().index) == ["d1", "d2"]
    assert list(scores.table()) == ["IC", "CT"]
    assert scores.notes == (Containing("first column", "numbers the rows", "left out"),)
    long = read_scores(f"{header},fold,dataset,method,f1\n{first},1,d1,IC,0.5\n{first + 1},1,d1,CT,0.6\n")
    assert long.measures == ("f1",)


def test_data_sets_that_are_called_by_numbers():
    assert list(read_scores("task_id,IC,CT\n3,0.5,0.6\n11,0.5,0.6\n").table().index) == ["3", "11"]
    assert list(read_scores(",IC,CT\n0,0.5,0.6\n1,0.5,0.6\n").table().index) == ["0", "1"]


def test_columns_that_describe_the_data_sets():
    scores = read_scores("Dataset & $L$ & IC & CT \\\\\nLocal10k & $10^4$ & 4 & 3 \\\\")
    assert list(scores.table()) == ["IC", "CT"]
    assert scores.notes == (Containing("Column 'L'", "data sets", "left out"),)


def test_long_with_several_measures():
    scores = read_scores(
        "dataset,method,accuracy,train_seconds,status\n"
        "d1,IC,0.5,3,done\nd1,CT,0.6,4,done\nd2,CT,0.7,,over time\nd2,IC,DNF,5,failed\navg rank,IC,2,1,\n"
    )
    assert scores.measures == ("accuracy", "train_seconds")
    np.testing.assert_array_equal(scores.table(), [[0.5, 0.6], [np.nan, 0.7]])
    np.testing.assert_array_equal(scores.table("train_seconds"), [[3, 4], [5, np.nan]])
    assert scores.notes == (left_out("Row", "avg rank"), Containing("No scores", "left out", "'status'"))
    with pytest.raises(DataError, match=r"no measure 'f1'; .*'accuracy', 'train_seconds'"):
        scores.table("f1")


def test_long_names_what_is_absent():
    scores = read_scores("Algorithm;Data set;Value\nIC;d1;0.5\nCT;d1;0.6\nCT;d2;0.7\n")
    np.testing.assert_array_equal(scores.table(), [[0.5, 0.6], [np.nan, 0.7]])
    assert scores.notes == (Containing("no score", "IC on d2", "not finished"),)


def folds(n_datasets: int, n_folds: int) -> pd.DataFrame:
    methods = {"IC": 0.5, "CC": 0.55, "CT": 0.6}
    return pd.DataFrame(
        [
            (f"d{d}", fold, method, round(base + d / 10 + (fold - n_folds / 2) / 100, 6))
            for d in range(n_datasets)
            for fold in range(1, n_folds + 1)
            for method, base in methods.items()
        ],
        columns=["dataset", "fold", "method", "accuracy"],
    )


def test_folds_are_averaged_since_they_are_no_data_sets():
    long = folds(3, 10)
    scores = read_scores(long.to_csv(index=False))
    expected = long.groupby(["dataset", "method"])["accuracy"].mean().unstack()[["IC", "CC", "CT"]]
    np.testing.assert_allclose(scores.table(), expected, rtol=0, atol=1e-12)
    assert scores.notes == (Containing("10 folds", "each data set", "averaged"),)
    wide = long.pivot(index=["dataset", "fold"], columns="method", values="accuracy").reset_index()
    again = read_scores(wide.to_csv(index=False))
    np.testing.assert_allclose(again.table()[["IC", "CC", "CT"]], expected, rtol=0, atol=1e-12)
    assert again.notes == scores.notes


def test_folds_and_seeds_together():
    long = folds(2, 6)
    long["seed"] = long["fold"] % 2
    long["fold"] = long["fold"] // 2
    assert read_scores(long.to_csv(index=False)).notes == (Containing("6 repetitions", "each data set", "averaged"),)
    one_seed = long[(long["seed"] == 0) & (long["fold"] == 1)]
    assert read_scores(one_seed.to_csv(index=False)).notes == ()


@pytest.mark.parametrize("how", ["no row", "empty cell"])
def test_a_missing_fold_is_no_mean_over_fewer(how):
    long = folds(2, 5)
    at = (long["dataset"] == "d1") & (long["fold"] == 3) & (long["method"] == "CT")
    long = long[~at] if how == "no row" else long.assign(accuracy=long["accuracy"].mask(at))
    scores = read_scores(long.to_csv(index=False))
    assert np.argwhere(scores.table().isna()).tolist() == [[1, 2]]
    assert Containing("CT finished", "4 of 5 folds of d1", "not finished") in scores.notes


def test_many_notes_are_shortened():
    text = "dataset,method,f1\n" + "".join(f"d{i},{'CT' if i else 'IC'},1\n" for i in range(6))
    assert len(read_scores(text).notes) == 4
    holds(read_scores(text).notes[-1], "3 more")


def test_methods_in_rows():
    scores = read_scores("Method,d1,d2,d3\nIC,0.5,0.6,0.7\nCT,0.6,,0.8\n")
    assert scores_of(scores.table().T) == {
        "d1": [0.5, 0.6],
        "d2": [0.6, pytest.approx(np.nan, nan_ok=True)],
        "d3": [0.7, 0.8],
    }
    assert scores.notes == (Containing("rows", "methods", "'Method'"),)


def test_transposed():
    scores = read_scores("scores,d1,d2,d3\nIC,0.5,0.6,0.7\nCT,0.6,,0.8\n")
    assert list(scores.table().index) == ["IC", "CT"]
    other = scores.transposed()
    assert list(other.table()) == ["IC", "CT"]
    assert other.table().index.name == "dataset"
    pd.testing.assert_frame_equal(other.transposed().table(), scores.table())
    with pytest.raises(DataError, match="one method only, 'd1'"):
        read_scores("dataset,IC,CT\nd1,0.5,0.6\n").transposed()


@pytest.mark.parametrize("text", ["method,f1,f2,f3\nIC,1,2,3\nCT,1,2,3\n", "fold,IC,CT\n1,1,2\n2,3,4\n"])
def test_folds_for_data_sets_are_noted(text):
    assert any("folds are no data sets" in note for note in read_scores(text).notes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "zero bytes"),
        (" \n\n", "nothing but blanks"),
        ("dataset,IC,CT\n", "a header but no rows"),
        (",,\n,,\n", "all cells are empty"),
        ("dataset,IC\nd1,0.5\n", "one method only, 'IC'"),
        ("dataset,method,f1\nd1,IC,0.5\nd2,IC,0.5\n", "one method only, 'IC'"),
        ("dataset,IC,IC\nd1,1,2\n", r"line 1: columns 2 .*3 .*'IC'"),
        (
            "dataset,IC,CT\nd1,1,2\nd2,1,2\nd1,3,4\n",
            "line 4: .*second score .*'d1' .*'IC' .*line 2",
        ),
        (
            "dataset,method,f1\nd1,IC,1\nd1,CT,1\nd1,CT,2\n",
            "line 4: .*second score .*'d1' .*'CT' .*line 3",
        ),
        ("dataset,fold,method,f1\nd1,1,CT,1\nd1,1,CT,2\n", "line 3: .*second score .*each fold"),
        ("dataset,IC,CT\nd1,1\n", "line 2: expected 3 values .*got 2"),
        ("dataset,IC,CT\nd1,0,5,0,6\n", "line 2: expected 3 values .*got 5"),
        ("dataset,IC,,CT\nd1,1,2,3\n", r"line 1: column 3 .*no name"),
        ("dataset,IC,CT\nd1,1,2\n,1,2\n", "line 3: .*'dataset' is empty"),
        ("d1,0.5,0.6\nd2,0.4,0.5\n", "line 1: .*first row holds numbers"),
        ("IC,CT,ECC\n0.5,0.6,0.7\n0.5,0.6,0.7\n", "line 1: column 'IC' holds numbers .*names"),
        ("dataset,IC,CT\nd1,DNF,-\n", "no cell holds a score"),
        ("dataset,method,note\nd1,IC,good\nd1,CT,bad\n", "line 1: .* none holds scores"),
        ("dataset,IC,CT\navg rank,1,2\n", "averages but no data sets"),
        ('dataset,IC,CT\n"d1,1,2\n', "line 2: the quotes"),
        ("one\ntwo\n", "there is one column only"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(DataError, match=f"^pasted table: .*{message}") as error:
        read_scores(text)
    assert str(error.value).count("\n") == 0
    assert str(error.value).endswith(".")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match=r"^none\.csv: .*no such file"):
        read_scores(tmp_path / "none.csv")
    with pytest.raises(DataError, match="zero bytes"):
        read_scores(b"", "none.csv")


def test_a_spoilt_score_does_not_turn_its_column_into_text():
    with pytest.raises(DataError, match=r"line 4: '0\.7o' .*'accuracy' .*'d2' .*'IC'"):
        read_scores("dataset,method,accuracy,note\nd1,IC,0.5,a\nd1,CT,0.6,b\nd2,IC,0.7o,c\nd2,CT,0.5,d\n")


# Two equal methods share their rank; a loss and its score give the same ranks, if their files tell the direction.


def test_ranks_of_equal_methods():
    table = read_scores("dataset,IC,CT,CT_copy\na,0.5,0.6,0.6\nb,0.7,0.65,0.65\n").table()
    assert average_ranks(table).to_dict() == {"IC": 2.0, "CT": 2.0, "CT_copy": 2.0}


def test_the_name_of_a_file_decides_whether_it_holds_a_loss():
    files = {
        "hamming_loss.csv": b"dataset,IC,CT,ECC\na,0.115,0.116,0.108\nb,0.2,0.209,0.211\n",
        "hamming_score.csv": b"dataset,IC,CT,ECC\na,0.885,0.884,0.892\nb,0.8,0.791,0.789\n",
        "train_seconds.csv": b"dataset,IC,CT,ECC\na,2,3,1\nb,1,2,3\n",
    }
    for name, content in files.items():
        scores = read_scores(content, name)
        assert scores.measures == (name.removesuffix(".csv"),)
        higher = likely_higher_is_better(scores.measures[0])
        assert higher == (name == "hamming_score.csv")
        assert average_ranks(scores.table(), higher).to_dict() == {"IC": 1.5, "CT": 2.5, "ECC": 2.0}
    assert read_scores(files["hamming_loss.csv"], "results.csv").measures == ("score",)


@pytest.mark.parametrize("key", MEASURES)
def test_direction_of_our_own_measures(key):
    for name in (key, MEASURES[key].name):
        assert likely_higher_is_better(name) is MEASURES[key].higher_is_better


@pytest.mark.parametrize(
    ("name", "higher"),
    [
        ("HammingLoss", False),
        ("log_loss", False),
        ("Brier score", False),
        ("Train time (s)", False),
        ("memory_mib", False),
        ("avg rank", False),
        ("RMSE", False),
        ("runtime", False),
        ("neg_log_loss", True),
        ("negative log-likelihood", False),
        ("ROC AUC", True),
        ("F1", True),
        ("score ↓", False),
        ("Value (higher is better)", True),
        ("my score", True),
        ("results", None),
        ("", None),
        ("accuracy loss", None),
    ],
)
def test_direction_of_other_names(name, higher):
    assert likely_higher_is_better(name) is higher


LINES = st.text(st.sampled_from('ab1.,;|&\\{}$%-*_ "(±)[\t~^'), max_size=24)


@given(st.lists(LINES, min_size=2, max_size=6))
def test_any_text_is_a_table_or_refused_in_one_sentence(lines):
    text = "dataset" + "\n".join(lines) + "\n"
    try:
        table, refused = read_scores(text).table(), ""
    except DataError as error:
        table, refused = None, str(error)
    if table is None:
        assert refused.startswith("pasted table: ")
        assert "\n" not in refused
    else:
        assert table.shape[1] >= 2
        assert np.isfinite(table.to_numpy()).any()


def named_by_folds(names, n_methods=2):
    rng = np.random.default_rng(0)
    lines = [
        ",".join([name, *(f"{0.5 + 0.1 * j + 0.01 * rng.random():.4f}" for j in range(n_methods))]) for name in names
    ]
    return "\n".join([",".join(["name", *(f"m{j}" for j in range(n_methods))]), *lines, ""])


def test_names_of_repeats_and_folds_are_one_data_set_and_tested_as_such():
    found = read_scores(named_by_folds([f"scene r{repeat} f{fold}" for repeat in range(10) for fold in range(10)]))
    assert list(found.table().index) == ["scene"]
    assert found.n_per_repeat == 10
    tests = found.tests("score")
    assert tests.n_splits == 100
    plain = stats.ttest_rel(found.folds["score"]["m1"], found.folds["score"]["m0"]).pvalue
    assert tests.raw_p_values.loc["m0", "m1"] > plain
    has_line(found.notes, "100 rows", "averaged", "folds")


def test_sets_that_only_numbers_tell_apart_are_data_sets():
    assert len(read_scores(named_by_folds([f"set {number}" for number in range(1, 12)])).table()) == 11


def test_unclear_names_stay_data_sets_until_somebody_says_that_they_are_folds():
    text = named_by_folds([f"art {number}" for number in range(5)])
    assert len(read_scores(text).table()) == 5
    assert len(read_scores(text, folds=True).table()) == 1
    assert len(read_scores(text).with_folds().folds["score"]) == 5
    both = named_by_folds([f"{name} {number}" for name in ("art", "sea") for number in range(5)])
    assert list(read_scores(both).table().index) == ["art", "sea"]
    assert len(read_scores(both, folds=False).table()) == 10


def test_a_fold_that_is_missing_is_not_finished():
    found = read_scores("name,a,b\nsea fold 1,0.5,0.6\nsea fold 2,DNF,0.7\n")
    assert found.table().loc["sea"].isna().tolist() == [True, False]


def test_columns_of_repeat_and_fold_give_the_folds_of_a_repeat():
    rows = [f"sea,{fold},{repeat},{name},{0.5 + 0.01 * fold}" for repeat in "12" for fold in range(3) for name in "ab"]
    found = read_scores("\n".join(["dataset,fold,repeat,method,accuracy", *rows, ""]))
    assert found.n_per_repeat == 3
    assert found.tests("accuracy").n_splits == 6


@pytest.mark.parametrize("columns", ["fold", "repeat;fold"])
def test_rows_named_by_folds_are_those_of_one_data_set(columns):
    rows = {"fold": range(1, 6), "repeat;fold": [f"{r};{f}" for r in (1, 2) for f in range(1, 4)]}[columns]
    scores = [(0.5 + 0.001 * i, 0.6 - 0.002 * i) for i in range(len(rows))]
    lines = [f"{row};{one};{other}" for row, (one, other) in zip(rows, scores, strict=True)]
    read = read_scores("\n".join([f"{columns};IC;CT", *lines]).encode(), "mine.csv")

    (measure,) = read.measures
    assert list(read.table().index) == ["mine"]
    np.testing.assert_allclose(read.table().loc["mine"], np.mean(scores, axis=0))
    np.testing.assert_allclose(read.folds[measure].to_numpy(), scores)
    assert read.n_per_repeat == (None if columns == "fold" else 3)
    has_line(read.notes, "rows", "one data set", "fold")


def test_a_long_table_without_data_sets_is_of_one():
    lines = [f"{fold},{method},0.{fold}{n}" for fold in range(1, 6) for n, method in enumerate(("IC", "CT"), 4)]
    read = read_scores("\n".join(["fold,method,accuracy", *lines]).encode(), "mine.csv")

    assert read.measures == ("accuracy",)
    assert list(read.table().index) == ["mine"]
    assert read.folds["accuracy"].shape == (5, 2)


def test_an_empty_fold_is_refused():
    with pytest.raises(DataError, match=r"line 3: .*'fold' is empty"):
        read_scores(b"fold,IC,CT\n1,0.5,0.6\n,0.4,0.5\n", "mine.csv")
