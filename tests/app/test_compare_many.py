"""Compare over many data sets: runs from the results file, ranks, tests, diagrams, tables, and files of all of them."""

import io
import json
import re
import shutil
import xml.etree.ElementTree as ET
from dataclasses import replace

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal
from sentences import Containing, has_line, holds
from state.results_store import moment

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers, LeastSquares
from trellislib.data import simulate_label_dag
from trellislib.experiment import KFold, Store, run
from trellislib.ranking import critical_distance, friedman, nemenyi, ranks, wilcoxon_holm
from trellislib.ranking.verdict import about_ranking
from trellislib.score_tables.files import read_scores
from trellislib.summaries import pairs_table

METHODS = {
    "IC": IndependentClassifiers(),
    "CC": ClassifierChain(),
    "CT": ClassifierTrellis(random_state=0),
    "strong": IndependentClassifiers(LeastSquares(alpha=1e6)),  # so penalised that it is worse everywhere
}


def made(number, n_instances=60):
    data = simulate_label_dag(n_instances=n_instances, n_labels=4, n_features=6, random_state=number)
    return replace(data, name=f"set {chr(97 + number)}")


def fill(numbers, methods, title="filled by a script"):
    """Let a script put results into the file that the dashboard reads."""
    run([made(number) for number in numbers], methods, KFold(2), store=Store(), title=title)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A results file in which a script has left four methods on eight data sets."""
    path = tmp_path_factory.mktemp("filled") / "results.sqlite"
    run([made(number) for number in range(8)], METHODS, KFold(2), store=Store(path), title="filled by a script")
    return path


@pytest.fixture
def many(filled, results_file, visitor):
    """A visitor at Compare with that file."""
    shutil.copy(filled, results_file)
    return visitor.go("compare")


def results():
    return Store().results()


def shown(visitor):
    return visitor.at.table[0].value


def ranks_in(column):
    """Return the ranks that a column of the table shows."""
    return [float(re.search(r"\(([\d.]+)\)", cell.replace("\\", ""))[1]) for cell in column[:-1]]


def annotations(chart):
    """Return the texts of a chart."""
    return [text["text"] for text in json.loads(chart.proto.spec)["layout"].get("annotations", [])]


def test_results_of_a_script_are_ranked_and_tested(many):
    scores = results().table("accuracy")
    reported, overall = nemenyi(scores), friedman(scores)

    assert many.widget("runs").value == [1]
    assert many.takeaway == about_ranking(reported, "accuracy", overall)
    has_line(many.takeaway, "better than strong", "accuracy", "0.10")
    table = shown(many)
    rank = ranks(scores)
    for name in scores.index:
        for method in scores:
            score = f"{scores.loc[name, method]:.3f}"
            assert score in table.loc[name, method].replace("\\", "")
            assert f"({rank.loc[name, method]:g})" in table.loc[name, method].replace("\\", "")
            assert ("★" in table.loc[name, method]) == (rank.loc[name, method] == rank.loc[name].min())
    assert table.loc["Average rank"].tolist() == [f"{average:.2f}" for average in rank.mean()]
    numbers = many.text
    assert f"Friedman {overall.statistic:.2f}" in numbers
    assert f"critical distance {reported.critical_distance:.3f} at 0.10" in numbers
    assert_frame_equal(many.table("Rank-biserial"), pairs_table(reported))
    assert len(many.charts) == 4
    assert not many.errors
    assert not many.at.warning


def test_alpha_changes_groups_and_verdict(many):
    scores = results().table("accuracy")
    drawn = many.charts[0].proto.spec
    assert f"CD = {critical_distance(4, 8, 0.1):.2f}" in annotations(many.charts[0])
    for alpha in (0.01, 0.3):
        many.set("compare_alpha", alpha)
        reported = nemenyi(scores, alpha=alpha)
        assert many.takeaway == about_ranking(reported, "accuracy", friedman(scores))
        assert f"CD = {critical_distance(4, 8, alpha):.2f}" in annotations(many.charts[0])
        assert many.charts[0].proto.spec != drawn
    assert "at 0.30" in many.takeaway


def test_wilcoxon_is_the_other_test(many):
    many.set("compare_test", "Wilcoxon with Holm")
    scores = results().table("accuracy")
    reported = wilcoxon_holm(scores)

    assert many.takeaway == about_ranking(reported, "accuracy", friedman(scores))
    assert_frame_equal(many.table("Rank-biserial"), pairs_table(reported))
    assert not [text for text in annotations(many.charts[0]) if text.startswith("CD")]


def test_choices_of_ranking_survive_other_pages(many):
    many.set("compare_test", "Wilcoxon with Holm").set("compare_alpha", 0.2).set("score", "exact_match")
    shown_text = many.takeaway
    many.go("data").go("compare")

    assert many.takeaway == shown_text
    assert many.widget("compare_alpha").value == 0.2


@pytest.mark.parametrize(
    ("key", "words", "higher"),
    [
        ("ranking_loss", "ranking loss", False),
        ("train_seconds", "training time", False),
        ("macro_f1", "macro F1", True),
    ],
)
def test_losses_and_times_are_ranked_the_right_way(many, key, words, higher):
    many.set("score", key)
    scores = results().table(key)

    assert shown(many).loc["Average rank"].tolist() == [f"{mean:.2f}" for mean in ranks(scores, higher).mean()]
    assert f"in {words}" in many.takeaway
    has_line(many.captions, f"{words[0].upper()}{words[1:]}", f"{'higher' if higher else 'lower'}", "better")


def test_ties_share_a_rank_or_compete_in_the_table_and_never_in_the_tests(results_file, visitor):
    fill(range(5), {"IC": METHODS["IC"], "copy": IndependentClassifiers(), "strong": METHODS["strong"]})
    visitor.go("compare")
    shown_text = visitor.takeaway
    assert shown(visitor).loc["Average rank"].tolist() == ["1.50", "1.50", "3.00"]
    assert ranks_in(shown(visitor)["copy"]) == [1.5] * 5
    visitor.set("compare_ties", "competition")

    assert ranks_in(shown(visitor)["copy"]) == [1.0] * 5
    assert shown(visitor).loc["Average rank"].tolist() == ["1.00", "1.00", "3.00"]
    assert visitor.takeaway == shown_text


class Unlucky(IndependentClassifiers):
    """It fails where there are few rows."""

    def fit(self, X, Y, **options):
        if len(X) < 30:
            raise ValueError("too few rows")
        return super().fit(X, Y, **options)


@pytest.fixture
def with_gaps(results_file, visitor):
    """A visitor at Compare, where a method did not finish two of seven data sets."""
    data = [made(number, 50 if number < 2 else 80) for number in range(7)]
    run(data, {"IC": METHODS["IC"], "CT": METHODS["CT"], "unlucky": Unlucky()}, KFold(2), store=Store(), title="gaps")
    return visitor.go("compare")


def test_a_method_that_did_not_finish_is_left_out_ranked_last_or_refused(with_gaps):
    scores = results().table("accuracy")
    assert scores["unlucky"].isna().sum() == 2
    for rule in ("drop", "last"):
        with_gaps.set("compare_unfinished", rule)
        assert with_gaps.takeaway == about_ranking(
            nemenyi(scores, unfinished=rule), "accuracy", friedman(scores, unfinished=rule)
        )
        left_out = [line for line in with_gaps.captions.splitlines() if "left out" in line.lower()]
        assert [("set a" in line, "set b" in line) for line in left_out] == [(True, True)] * (rule == "drop")
        assert shown(with_gaps).loc["set a", "unlucky"].startswith("DNF")
    assert "3" in shown(with_gaps).loc["set a", "unlucky"], "ranked last"
    with_gaps.set("compare_unfinished", "refuse")
    has_line(with_gaps.takeaway, "unlucky", "not finish", "set")
    assert len(with_gaps.charts) == 2, "no diagrams without a test"
    assert not with_gaps.errors


def test_why_a_method_did_not_finish_is_shown_once(with_gaps):
    shown_text = with_gaps.text
    for name in ("set a", "set b"):
        (line,) = [line for line in shown_text.splitlines() if f"unlucky on {name}" in line]
        holds(line, "failed: too few rows", "0 of 2 fits")
    assert not with_gaps.warnings


def test_times_are_compared_where_all_finished(with_gaps):
    names = [trace["name"] for trace in json.loads(with_gaps.charts[2].proto.spec)["data"]]

    assert names == ["IC", "CT", "unlucky"]


def test_tables_to_take_away_are_what_is_shown(many, downloads):
    many.run()
    scores = results().table("accuracy")
    rank = ranks(scores)
    long = pd.read_csv(io.StringIO(downloads["accuracy-compare-table csv"]()))
    of_data = long[long["dataset"] != "avg rank"].pivot(index="dataset", columns="method", values="score")
    assert_frame_equal(of_data[list(scores)], scores, check_names=False)
    averages = long[long["dataset"] == "avg rank"].set_index("method")["rank"]
    assert averages.to_dict() == pytest.approx(rank.mean().to_dict())

    for kind in ("tex", "md"):
        text = downloads[f"accuracy-compare-table {kind}"]()
        assert_frame_equal(
            read_scores(text).table(), scores.map(lambda score: float(f"{score:.3f}")), check_names=False
        )
        for row in shown(many).drop(index="Average rank").to_numpy().ravel():
            number = row.replace("\\", "").strip("*").split("*")[0].split(" ")[0]
            assert number in text


def test_spreads_are_shown_and_taken_along(many, downloads):
    many.set("spreads", True)
    spread = results().spread("accuracy")

    assert f"± {spread.iloc[0, 0]:.3f}" in shown(many).iloc[0, 0].replace("\\", "")
    assert f"± {spread.iloc[0, 0]:.3f}" in downloads["accuracy-compare-table md"]()


@pytest.mark.parametrize("diagram", ["accuracy-cliques", "accuracy-bars"])
def test_diagrams_to_take_away_are_what_is_shown(many, downloads, diagram):
    many.run()
    chart = many.charts[0 if diagram == "accuracy-cliques" else 1]
    svg = downloads[f"{diagram} svg"]()
    texts = [element.text for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]

    assert sorted(texts) == sorted(annotations(chart))
    assert downloads[f"{diagram} pdf"]().startswith(b"%PDF")
    assert downloads[f"{diagram} png"]().startswith(b"\x89PNG")
    tikz = downloads[f"{diagram} tikz"]().decode()
    assert tikz.count(r"\node") == len(texts)
    assert r"\begin{tikzpicture}" in tikz


def test_every_fit_is_in_the_files(many, downloads):
    many.run()
    fits = results().fits
    csv = pd.read_csv(io.StringIO(downloads["results-fits csv"]()), index_col="fit")
    parquet = pd.read_parquet(io.BytesIO(downloads["results-fits parquet"]()))

    assert len(csv) == len(fits) == 64
    assert csv["accuracy"].to_dict() == pytest.approx(fits["accuracy"].to_dict())
    assert_frame_equal(parquet.loc[fits.index], fits)


def test_several_runs_together(results_file, visitor):
    fill(range(3), {"IC": METHODS["IC"], "CC": METHODS["CC"]}, "the first half")
    fill(range(3, 6), {"IC": METHODS["IC"], "CC": METHODS["CC"]}, "the second half")
    fill(range(6), {"CT": METHODS["CT"]}, "a third method")
    visitor.go("compare")
    started = Store().runs().started
    assert visitor.widget("runs").options == [
        f"3: a third method ({moment(started[3])})",
        f"2: the second half ({moment(started[2])})",
        f"1: the first half ({moment(started[1])})",
    ]
    assert visitor.widget("runs").value == [3]
    visitor.set("runs", [3, 2, 1])

    table = shown(visitor)
    assert list(table.columns) == ["IC", "CC", "CT"]
    assert len(table) == 7
    assert not table.isin(["DNF"]).any(axis=None)
    scores = results().table("accuracy")
    assert visitor.takeaway == about_ranking(nemenyi(scores), "accuracy", friedman(scores))
    visitor.set("runs", [1])
    assert list(shown(visitor).columns) == ["IC", "CC"]
    visitor.set("runs", [])
    holds(visitor.takeaway, "Choose", "one of 3 runs")


def test_data_sets_and_methods_can_be_left_out(many):
    many.set("datasets-1", ["set a", "set b", "set c"]).set("methods-1", ["IC", "CC", "CT"])

    assert list(shown(many).columns) == ["IC", "CC", "CT"]
    assert list(shown(many).index) == ["set a", "set b", "set c", "Average rank"]
    has_line(many.captions, "3 data sets", "few", "test")
    scores = results().table("accuracy").loc[["set a", "set b", "set c"], ["IC", "CC", "CT"]]
    assert many.takeaway == about_ranking(nemenyi(scores), "accuracy", friedman(scores))


def test_one_data_set_has_no_test_but_its_folds(many):
    many.set("datasets-1", ["set b"])

    assert "over 2 fits" in many.captions
    assert many.takeaway.split()[2] in ("best", "equally") or "are equally good" in many.takeaway
    assert "compare_alpha" not in [slider.key for slider in many.at.slider]


def test_two_methods_are_compared_by_wilcoxon_alone(many):
    """Nemenyi's test is for three or more, so it is not offered."""
    many.set("methods-1", ["IC", "strong"])
    scores = results().table("accuracy")[["IC", "strong"]]

    assert many.widget("compare_test_of_two").options == ["Wilcoxon with Holm"]
    assert many.takeaway == about_ranking(wilcoxon_holm(scores), "accuracy")
    has_line(many.takeaway, "IC", "better than strong", "accuracy", "0.10")
    assert "Friedman" not in many.text
    assert len(many.charts) == 3, "no bars of Nemenyi's distance"
    many.set("methods-1", list(METHODS))
    assert many.widget("compare_test").value == "Nemenyi"


def test_one_method_is_compared_with_nothing(many):
    many.set("methods-1", ["IC"])

    has_line(many.takeaway, "There", "only", "method (IC)")
    assert shown(many).shape == (9, 1)
    assert not many.errors


def test_two_methods_data_set_by_data_set(many):
    one, other = ("compare_one", "compare_other")
    order = ranks(results().table("accuracy")).mean().sort_values(kind="stable").index
    assert (many.widget(one).value, many.widget(other).value) == (order[0], order[-1]), "the best and the worst first"
    many.set(one, "CT").set(other, "strong")
    differences = results().table("accuracy").eval("CT - strong")
    ahead = int((differences > 0).sum())

    has_line(many.text, "CT", "ahead", "strong", "accuracy", f"{'all 8' if ahead == 8 else f'{ahead} of 8'} data sets")
    has_line(many.captions, "CT", "better", "further data set", "probability", "Bayesian signed-rank test")
    assert f"CT ahead ({ahead})" in many.charts[-1].proto.spec
    many.set("score", "exact_match")
    assert (many.widget(one).value, many.widget(other).value) == ("CT", "strong")


@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"score": "train_seconds", "compare_alpha": 0.3},
        {"compare_test": "Wilcoxon with Holm", "compare_one": "CT", "compare_other": "IC"},
        {"datasets-1": ["set b", "set a", "set e"], "methods-1": ["CT", "IC", "strong"], "spreads": True},
        {"methods-1": ["IC"]},
    ],
)
def test_the_python_draws_the_figures(many, choices, same_figures):
    for key, value in choices.items():
        many.set(key, value)
    same_figures(many)


@pytest.mark.parametrize("choice", [("compare_unfinished", "refuse"), ("compare_ties", "competition")])
def test_the_python_draws_the_figures_with_gaps(with_gaps, choice, same_figures):
    same_figures(with_gaps)
    same_figures(with_gaps.set(*choice))


def test_an_address_names_the_compared_runs(many, visit):
    many.set("score", "exact_match").set("compare_alpha", 0.3).set("compare_test", "Wilcoxon with Holm")
    many.set("methods-1", ["IC", "CT", "CC"]).set("compare_one", "CC").set("spreads", True)
    other = visit()
    address = {"runs": "1", "score": "Exact match", "compare_alpha": "0.3", "compare_test": "Wilcoxon with Holm"}
    for key, values in (address | {"methods-1": ["IC", "CT", "CC"], "compare_one": "CC", "spreads": "true"}).items():
        other.at.query_params[key] = values
    other.go("compare")

    assert other.figures == many.figures
    assert other.takeaway == many.takeaway
    assert_frame_equal(shown(other), shown(many))


@pytest.mark.parametrize("wrong", ["nonsense", "-1", "1e99", ""])
def test_a_wrong_address_gives_the_defaults(many, visit, wrong):
    other = visit()
    knobs = ("score", "spreads", "datasets-1", "methods-1")
    for key in (*knobs, *(f"compare_{knob}" for knob in ("alpha", "test", "ties", "one", "other", "rope-accuracy"))):
        other.at.query_params[key] = wrong
    other.go("compare")

    assert not other.errors
    assert other.figures == many.figures


def test_runs_with_other_parameters_have_different_names(results_file, visitor):
    fill(range(2), {"IC": IndependentClassifiers(LeastSquares(alpha=1.0))}, "weak penalty")
    fill(range(2), {"IC": IndependentClassifiers(LeastSquares(alpha=100.0))}, "strong penalty")
    visitor.go("compare").set("runs", [2, 1])

    assert len(shown(visitor).columns) == 2
    assert all(column.startswith("IC ") for column in shown(visitor).columns)


def test_a_store_of_many_runs(results_file, visitor):
    for number in range(40):
        fill([number % 3, 3], {"IC": METHODS["IC"]}, f"run number {number}")
    visitor.go("compare")

    assert len(visitor.widget("runs").options) == 40
    has_line(visitor.widget("runs").options[0], "40", "run number 39")
    visitor.set("runs", list(range(1, 41)))
    assert list(shown(visitor).index)[-1] == "Average rank"
    visitor.click("remove")
    assert "No method is trained" in visitor.takeaway


def test_many_methods_with_long_names(results_file, visitor):
    methods = {
        f"method number {number} <b>of</b> a family with a long name": IndependentClassifiers(
            LeastSquares(alpha=2.0**number)
        )
        for number in range(20)
    }
    fill(range(4), methods, "*many* $x$")
    visitor.go("compare")

    assert visitor.takeaway.endswith(".")
    texts = "".join(annotations(visitor.charts[0]))
    for method in methods:
        assert method.replace("<", "&lt;").replace(">", "&gt;") in texts
    assert "*many*" not in "".join(element.value for element in visitor.at.main.markdown)


def test_a_cancelled_run_is_reported_as_such(results_file, visitor):
    store = Store()
    number = store.begin("cancelled by hand")
    fits = run([made(0), made(1)], {"IC": METHODS["IC"]}, KFold(2)).fits
    for row in fits.to_dict("records")[:3]:
        store.save(number, row)
    store.end(number, "cancelled")
    visitor.go("compare")

    assert [info.value for info in visitor.at.info] == [Containing("Run 1", "cancelled", "DNF")]
    assert shown(visitor).loc["set b", "IC"] == "DNF"


def test_every_pair_in_a_matrix(many, same_figures):
    n_charts = len(many.charts)
    many.set("compare_matrix", True)
    assert len(many.charts) == n_charts + 1
    assert any("/" in text for text in annotations(many.charts[2]))
    same_figures(many)
