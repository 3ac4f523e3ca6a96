"""Your scores: tables from elsewhere, uploaded or pasted, ranked and tested as they should be."""

import io

import pandas as pd
import pytest
from sentences import Containing, has_line

from trellislib.ranking import critical_distance, nemenyi
from trellislib.score_tables.files import read_scores
from trellislib.summaries import pairs_table

HEADER = "data set,IC,CT,ECC"
LOSSES = "data set,IC,CT,ECC\nm,0.30,0.10,0.20\ns,0.25,0.15,0.20\ny,0.40,0.20,0.30\n"
TIED = """dataset;IC;CT;CT_copy;ECC
m;0,48;0,57;0,57;0,57
s;0,57;0,60;0,60;0,68
y;0,50;0,53;0,53;0,54
"""
FOLDS = "dataset,fold,method,accuracy\n" + "".join(
    f"{data},{fold},{method},{base + 0.01 * fold + 0.1 * place:.3f}\n"
    for data, base in (("m", 0.3), ("s", 0.5), ("y", 0.4))
    for fold in range(1, 11)
    for place, method in enumerate(("IC", "CC", "CT"))
)
LATEX = r"""\begin{tabular}{lrr}
\toprule
Dataset & IC & CT & ECT \\
\midrule
Music & 0.483 (3) & \textbf{0.577} (1) & 0.571 (2) \\
Scene & 0.571 $\pm$ 0.01 & 0.602 & DNF \\
Yeast & 0.502 & 0.533 & 0.541 \\
\bottomrule
\end{tabular}"""
MARKDOWN = """| Dataset | IC | CT | ECT |
|---|---:|---:|---:|
| Music | 0.483 (3) | **0.577** (1) | 0.571 (2) |
| Scene | 0.571 | 0.602 | DNF |
| Yeast | 0.502 | 0.533 | 0.541 |"""


@pytest.fixture
def page(visitor):
    return visitor.go("scores")


def upload(page, name, text):
    content = text.encode() if isinstance(text, str) else text
    page.widget("score file").set_value((name, content, "text/plain"))
    return page.run()


def paste(page, text):
    return page.set("pasted scores", text)


def shown(page):
    return page.at.table[0].value


def average_ranks(page):
    return {method.replace("\\", ""): float(cell) for method, cell in shown(page).loc["Average rank"].items()}


def direction(page):
    (control,) = [group for group in page.at.get("button_group") if group.key.startswith("own_direction")]
    return control.value


def test_the_example_comes_first(page):
    better, rest = page.takeaway.split(". ")
    assert all(name in better for name in ("ECC", "ECT", "IC", "CDT", "accuracy", "0.10"))
    assert all(name in rest for name in ("EBCC", "CT", "MCC"))
    has_line(page.captions, "Example", "accuracy", "seven methods")
    assert "critical distance 2.908 at 0.10" in page.text
    has_line(page.text, "Friedman 20.84", "p = 0.002", "chi-square")
    (left_out,) = [line for line in page.captions.splitlines() if "left out" in line.lower()]
    assert "Delicious" in left_out
    assert "Local10k" in left_out
    assert len(page.charts) == 3
    assert "example" not in [button.key for button in page.at.button]


def test_competition_ranks_of_finished_data_sets_are_the_printed_ones(page):
    assert "Such rows have no ranks" in page.captions
    page.set("own_ties", "competition")

    assert "Such rows have no ranks" not in page.captions, "here they have some"
    assert average_ranks(page) == {
        "IC": 5.3, "ECC": 2.12, "MCC": 4.22, "EBCC": 3.33, "CT": 3.6, "ECT": 2.4, "CDT": 5.5,
    }  # fmt: skip


def test_methods_that_are_equal_share_a_rank(page):
    """Case B33: neither the order of the columns nor the alphabet decides."""
    upload(page, "results.csv", TIED)

    assert average_ranks(page) == {"IC": 4.0, "CT": 2.33, "CT_copy": 2.33, "ECC": 1.33}
    of_alike = page.table("Rank-biserial").set_index(["Method", "Other"]).loc["CT", "CT_copy"]
    assert of_alike["p"] == "1"
    assert of_alike["Better on"] == "0 of 3 (3 =)"
    has_line(page.captions, "Numbers", "read", "decimal comma")


@pytest.mark.parametrize(
    ("name", "text", "higher"),
    [
        ("hamming_loss.csv", LOSSES, False),
        ("train_seconds.csv", LOSSES, False),
        ("hamming_score.csv", LOSSES, True),
        ("results.csv", LOSSES, True),
    ],
)
def test_direction_is_guessed_from_the_name(page, name, text, higher):
    """Case B34: a loss and a time are not ranked as if higher were better."""
    upload(page, name, text)

    assert direction(page) is higher
    best = {"IC": 1.0, "ECC": 2.0, "CT": 3.0} if higher else {"IC": 3.0, "ECC": 2.0, "CT": 1.0}
    assert average_ranks(page) == best
    guessed = any("Check the direction" in warning.value for warning in page.at.warning)
    assert guessed == (name == "results.csv")


def test_direction_can_be_turned(page):
    upload(page, "results.csv", LOSSES).set("own_direction-score-results-csv", False)

    assert average_ranks(page) == {"IC": 3.0, "CT": 1.0, "ECC": 2.0}
    assert page.takeaway.startswith("CT")
    assert "Score (lower is better)" in page.captions


def test_few_data_sets_are_warned_of(page):
    """Case B36."""
    upload(page, "accuracy.csv", LOSSES)

    has_line(page.captions, "3 data sets", "few", "test")
    has_line(page.captions, "p-value", "chi-square", "rough", "read", "exact")


def test_folds_are_averaged_before_they_are_ranked(page):
    """Case B36: ten folds of three data sets are three data sets."""
    upload(page, "folds.csv", FOLDS)

    has_line(page.captions, "10 folds", "data set", "averaged", "folds", "no data sets")
    assert list(shown(page).index) == ["m", "s", "y", "Average rank"]
    assert average_ranks(page) == {"IC": 3.0, "CC": 2.0, "CT": 1.0}
    assert f"critical distance {critical_distance(3, 3):.3f} at 0.10" in page.text
    has_line(page.text, "3 methods", "3 data sets")


def test_two_methods_get_the_test_that_is_for_two(page):
    """Case B36."""
    upload(page, "accuracy.csv", "data set,IC,CT\n" + "".join(f"d{n}x,0.5,0.6{n}\n" for n in range(8)))

    assert page.widget("own_test_of_two").value == "Wilcoxon with Holm"
    has_line(page.takeaway, "CT", "better than IC", "accuracy", "0.10")
    assert "Friedman" not in page.text


def test_one_data_set_has_no_test(page):
    """Case B36: no p-value is made up."""
    upload(page, "accuracy.csv", "data set,IC,CT,ECC\nm,0.3,0.1,0.2\n")

    has_line(page.takeaway, "no test", "confirm")
    assert page.text.count("one data set (m)") == 1
    assert average_ranks(page) == {"IC": 1.0, "CT": 3.0, "ECC": 2.0}
    assert not page.at.warning
    assert not page.errors


def test_a_missing_fold_is_no_better_mean(page):
    """Case B50: a method without one of its folds did not finish."""
    upload(page, "folds.csv", FOLDS.replace("m,3,CT,0.530\n", "m,3,CT,DNF\n"))

    assert shown(page).loc["m", "CT"] == "DNF"
    has_line(page.captions, "CT finished only 9", "10 folds", "m")


@pytest.mark.parametrize("text", [LATEX, MARKDOWN], ids=["LaTeX", "Markdown"])
def test_a_pasted_table_of_a_paper(page, text):
    paste(page, text)

    assert list(shown(page).columns) == ["IC", "CT", "ECT"]
    assert shown(page).loc["Scene", "ECT"] == "DNF"
    assert average_ranks(page)["ECT"] == 1.5
    has_line(page.captions, "From pasted table", "3 methods", "3 data sets")


def test_rows_can_be_the_methods(page):
    text = "algo,m,s,y\nIC,0.3,0.4,0.5\nCT,0.6,0.7,0.8\n".replace("algo", "name")
    upload(page, "accuracy.csv", text)
    assert list(shown(page).columns) == ["m", "s", "y"]
    page.set("own_transposed-accuracy-csv", True)

    assert list(shown(page).columns) == ["IC", "CT"]
    assert average_ranks(page) == {"IC": 2.0, "CT": 1.0}


def test_one_of_several_scores_is_chosen(page):
    upload(
        page,
        "all.csv",
        "dataset,method,accuracy,hamming_loss\n"
        + "".join(
            f"{data},{method},0.{n},0.{n}\n" for data in "msy" for n, method in enumerate(("IC", "CT", "ECC"), 1)
        ),
    )
    assert page.widget("own_measure-all-csv").options == ["accuracy", "hamming_loss"]
    assert average_ranks(page) == {"IC": 3.0, "CT": 2.0, "ECC": 1.0}
    page.set("own_measure-all-csv", "hamming_loss")
    assert average_ranks(page) == {"IC": 1.0, "CT": 2.0, "ECC": 3.0}
    assert " in hamming loss " in page.takeaway


BAD = {
    "empty": ("empty.csv", b"", "empty.csv"),
    "one method": ("one.csv", b"data set,IC\nm,0.5\n", "one.csv"),
    "a word": ("word.csv", b"data set,IC,CT\nm,0.5,good\n", "'good' in column 'CT'"),
    "binary": ("noise.csv", bytes(range(256)) * 9, "noise.csv"),
    "short row": ("short.csv", b"data set,IC,CT\nm,0.5,0.6\ns,0.5\n", "line 3"),
    "twice": ("twice.csv", b"data set,IC,CT\nm,0.5,0.6\nm,0.5,0.6\n", "twice.csv"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_refused_in_a_sentence_and_what_was_there_stays(page, kind):
    """Case B46."""
    name, content, shown_text = BAD[kind]
    upload(page, "hamming_loss.csv", LOSSES)
    before = shown(page)
    upload(page, name, content)

    (error,) = page.errors
    assert shown_text in error
    has_line(error, "previous scores", "still shown")
    pd.testing.assert_frame_equal(shown(page), before)
    has_line(page.captions, "From hamming_loss.csv", "3 methods", "3 data sets")
    assert page.run().errors == [], "it is said once"


def test_a_bad_paste_leaves_what_was_there(page):
    paste(page, "this is no table")

    assert len(page.errors) == 1
    has_line(page.captions, "Example", "accuracy", "seven methods")


def test_scores_survive_other_pages_and_a_refresh(page, visit):
    upload(page, "hamming_loss.csv", LOSSES)
    before = shown(page)
    page.go("data").go("compare").go("scores")
    pd.testing.assert_frame_equal(shown(page), before)
    assert direction(page) is False
    again = visit(page.at.query_params["workspace"]).go("scores")
    pd.testing.assert_frame_equal(shown(again), before)

    page.click("example")
    has_line(page.captions, "Example", "accuracy", "seven methods")
    assert "decimal comma" not in page.captions, "nobody gave it"
    page.go("data").go("scores")
    has_line(page.captions, "Example", "accuracy", "seven methods")


def test_two_methods_are_the_best_and_the_worst_of_the_table(page):
    upload(page, "hamming_loss.csv", LOSSES)

    has_line(page.text, "CT", "ahead", "IC", "hamming loss", "all 3 data sets")


def test_what_was_given_last_counts(page):
    upload(page, "hamming_loss.csv", LOSSES)
    paste(page, MARKDOWN)
    assert "From pasted table" in page.captions
    upload(page, "results.csv", TIED)
    assert "From results.csv" in page.captions
    page.go("data").go("scores")
    assert page.widget("pasted scores").value == MARKDOWN
    assert "From results.csv" in page.captions


def test_nobody_sees_the_scores_of_another(page, visit):
    upload(page, "hamming_loss.csv", LOSSES)

    has_line(visit().go("scores").captions, "Example", "accuracy", "seven methods")


@pytest.mark.parametrize("given", [None, MARKDOWN, LATEX, 'dataset;"a";b\nm;0,5;0,6\ns;0,6;0,7\nt """;0,6;0,7\n'])
@pytest.mark.parametrize("alpha", [0.1, 0.3])
def test_code_gives_what_the_page_shows(page, given, alpha, same_figures, capsys):
    if given:
        paste(page, given)
    page.set("own_alpha", alpha)
    same_figures(page)
    found = {}
    exec(page.code, found)

    pd.testing.assert_frame_equal(pairs_table(found["found"]), page.at.dataframe[0].value)
    assert found["found"].alpha == alpha


@pytest.mark.parametrize(
    "choice",
    [
        ("own_test", "Wilcoxon with Holm"),
        ("own_unfinished", "last"),
        ("own_unfinished", "refuse"),
        ("own_ties", "competition"),
        ("own_one", "CT"),
        ("own_other", "ECT"),
    ],
)
def test_code_follows_the_choices(page, choice, same_figures, capsys):
    same_figures(page.set(*choice))


def test_an_address_sets_how_the_table_is_ranked(visit, page):
    paste(page, MARKDOWN)
    page.set("own_alpha", 0.2).set("own_direction-score-pasted-table", False).set("own_one", "CT")
    assert page.at.query_params["own_table"] == "pasted table"
    address = {"own_direction-score-pasted-table": "lower is better", "own_alpha": "0.2", "own_one": "CT"}
    other = visit()
    for key, values in (address | {"own_table": "pasted table"}).items():
        other.at.query_params[key] = values
    other.go("scores")
    assert [info.value for info in other.at.info] == [Containing("link", "scores of pasted table", "again")]
    paste(other, MARKDOWN)
    assert not other.at.info
    assert other.takeaway == page.takeaway
    pd.testing.assert_frame_equal(shown(other), shown(page))
    assert other.widget("own_one").value == "CT"
    other.click("example")
    assert "own_table" not in other.at.query_params


@pytest.mark.parametrize("wrong", ["nonsense", "-1", "1e99", ""])
def test_a_wrong_address_gives_the_defaults(visit, page, wrong):
    other = visit()
    for key in ("own_alpha", "own_test", "own_ties", "own_unfinished", "own_one", "own_other", "own_rope-accuracy"):
        other.at.query_params[key] = wrong
    other.at.query_params["own_direction-accuracy-accuracy"] = wrong
    other.go("scores")

    assert not other.errors
    pd.testing.assert_frame_equal(shown(other), shown(page))


def test_code_of_a_file_reads_it(page, monkeypatch, tmp_path, same_figures, capsys):
    upload(page, "hamming_loss.csv", LOSSES)
    page.set("own_transposed-hamming-loss-csv", True)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hamming_loss.csv").write_text(LOSSES)
    same_figures(page)
    found = {}
    exec(page.code, found)

    expected = nemenyi(read_scores(tmp_path / "hamming_loss.csv").transposed().table(), False)
    pd.testing.assert_frame_equal(found["found"].p_values, expected.p_values)


def test_code_without_a_test_runs(page, same_figures, capsys):
    paste(page, "data set,IC,CT\nm,0.3,0.1\n")
    same_figures(page)

    assert "IC    1.0" in capsys.readouterr().out


def test_names_are_shown_as_they_are_written(page):
    upload(page, "*a* $x$.csv", "data set,<b>IC</b>,$x^2$,*c*\n`m`,0.3,0.4,0.5\n[l](http://x.org),0.3,0.4,0.5\n")

    assert page.takeaway.endswith(".")
    raw = "".join(element.value for element in [*page.at.main.markdown, *page.at.main.caption])
    for name in ("<b>IC</b>", "$x^2$", "*c*", "*a*", "[l]("):
        assert name not in raw
    assert "<b>IC</b>" in page.text


def test_many_methods_and_data_sets(page):
    methods = [f"a method with quite a long name, number {n}" for n in range(20)]
    lines = ["dataset;" + ";".join(methods)]
    lines += [
        f"set {chr(97 + d % 26)}{d};" + ";".join(f"0.{(7 * d + 3 * m) % 97:02d}" for m in range(20)) for d in range(60)
    ]
    upload(page, "accuracy.csv", "\n".join(lines))

    assert shown(page).shape == (61, 20)
    assert len(page.charts) == 3
    assert not page.errors


def test_tables_to_take_away_are_those_that_are_shown(page, downloads):
    paste(page, MARKDOWN)
    table = read_scores(MARKDOWN).table()

    for kind in ("tex", "md"):
        pd.testing.assert_frame_equal(read_scores(downloads[f"score-own-table {kind}"]()).table(), table)
    long = pd.read_csv(io.StringIO(downloads["score-own-table csv"]()))
    ranked = long[long["dataset"] == "avg rank"].set_index("method")["rank"].round(2)
    assert ranked.to_dict() == average_ranks(page)
    assert downloads["score-cliques pdf"]().startswith(b"%PDF")


def test_folds_of_one_data_set_are_tested_as_folds(visitor):
    rows = [f"sea fold {fold},{0.5 + 0.01 * fold},{0.7 + 0.011 * fold}" for fold in range(5)]
    visitor.go("scores").set("pasted scores", "\n".join(["name,IC,CT", *rows]))
    has_line(visitor.takeaway, "CT (0.722)", "significantly better than IC")
    has_line(visitor.captions, "over 5 folds", "Holm")
    assert list(visitor.table("p (Holm)")["Method"]) == ["CT"]


def test_the_page_asks_whether_numbered_names_are_folds(visitor):
    rows = [f"art {fold},{0.5 + 0.01 * fold},{0.7 + 0.011 * fold}" for fold in range(5)]
    visitor.go("scores").set("pasted scores", "\n".join(["name,IC,CT", *rows]))
    (asked,) = [toggle for toggle in visitor.at.toggle if "folds of one data set" in toggle.label]
    has_line(asked.label, "art 0", "art 1")
    asked.set_value(True)
    visitor.run()
    has_line(visitor.captions, "over 5 folds", "Holm")
