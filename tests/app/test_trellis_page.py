"""The Trellis page: what a trellis is worth at every turn of a knob, and placements that take a while."""

import pandas as pd
import pytest
from components import tables
from sentences import has_line
from state import derived, trellis_scores
from state.jobs import about_wait
from views.trellis import placed

from trellislib import ClassifierTrellis, IndependentClassifiers
from trellislib.data import packaged
from trellislib.decisions import MostExpected
from trellislib.dependence import mutual_information
from trellislib.experiment.costs import Costs
from trellislib.experiment.rescoring import CrossValidation
from trellislib.figures.lattice import pair_values
from trellislib.graphs import captured_dependence, trellis


@pytest.fixture
def slow(monkeypatch):
    """Let every score count as one that takes long."""
    monkeypatch.setattr(trellis_scores, "MOVE", 0.0)


@pytest.fixture
def searching(visitor):
    """A visitor who is about to search a few swaps."""
    visitor.choose_packaged("solar-flare")
    return visitor.go("trellis").set("placement", "search").set("n_swaps", 3)


def scores_shown(visitor):
    """Return the table of scores, without marks."""
    return visitor.at.table[0].value.replace(r"\*\*| ★", "", regex=True)


def buttons(visitor):
    """Return what the buttons of the view say."""
    others = ("pin trellis", "present")
    return [button.label.split(", about ")[0] for button in visitor.at.main.button if button.key not in others]


def press(visitor, label):
    """Click the button of this label, whatever time it says."""
    (button,) = [button for button in visitor.at.main.button if button.label.startswith(f"{label}, about ")]
    button.click()
    return visitor.run()


def finish(visitor):
    return visitor.wait(lambda: not visitor.workspace().active)


def metrics(visitor):
    return {metric.label: metric.value for metric in visitor.at.metric}


def test_scores_are_those_of_the_library_at_every_turn_of_a_knob(visitor):
    visitor.go("trellis")
    expected = CrossValidation(packaged("yeast"))
    independent = expected.scores(IndependentClassifiers())
    for width in (3, 5):
        visitor.set("width", width)
        placed = ClassifierTrellis(width=width, placement="swaps", random_state=0)
        shown, scores = scores_shown(visitor), expected.scores(placed)
        assert list(shown.index) == ["CT", "IC", "CC"]
        for name, folds in (("CT", scores), ("IC", independent)):
            for column, key in (("Accuracy ↑", "accuracy"), ("Exact match ↑", "exact_match")):
                assert shown.loc[name, column] == f"{folds[key].mean():.3f} ± {folds[key].std():.3f}"
        mean, beside = scores["accuracy"].mean(), independent["accuracy"].mean()
        assert f"Accuracy is {mean:.3f}, " in visitor.takeaway
        assert f"independent classifiers ({beside:.3f}" in visitor.takeaway


def test_the_code_prints_the_scores_that_are_shown(visitor, capsys):
    visitor.choose_packaged("solar-flare").go("trellis").set("placement", "random").set("seed", 3)
    exec(visitor.code, {})
    printed = capsys.readouterr().out.splitlines()

    shown = scores_shown(visitor)
    assert list(shown) == ["Hamming score ↑", "Exact match ↑"], "accuracy is of binary labels"
    for line, name in zip(printed[-3:], shown.index, strict=True):
        assert line.startswith(f"{name} {{")
        for column, key in (("Hamming score ↑", "hamming_score"), ("Exact match ↑", "exact_match")):
            assert shown.loc[name, column].startswith(f"{eval(line.partition(' ')[2])[key]:.3f} ±")


def test_methods_decide_for_accuracy_where_that_is_asked_for(visit, capsys):
    visitor = visit(ct_decide="Decide for accuracy").go("trellis")
    expected, decided = CrossValidation(packaged("yeast")), {"decide": MostExpected("accuracy")}
    trellis = expected.scores(ClassifierTrellis(width=3, placement="swaps", random_state=0, **decided))["accuracy"]
    shown = scores_shown(visitor)["Accuracy ↑"]
    assert shown["CT"] == f"{trellis.mean():.3f} ± {trellis.std():.3f}"
    assert shown["IC"].startswith(f"{expected.scores(IndependentClassifiers(**decided))['accuracy'].mean():.3f} ±")
    has_line(visitor.captions, "All decide for accuracy")
    exec(visitor.code, {"show": None})
    assert f"{trellis.mean()}" in capsys.readouterr().out

    placed, moved = visitor.workspace().placed(visitor.workspace().shape), visitor.set("swaps", "0-1")
    assert scores_shown(moved)["Accuracy ↑"]["IC"] == shown["IC"]
    assert visitor.workspace().placed(visitor.workspace().shape) == placed.swapped(0, 1)
    moved.set("swaps", "").set("ct_decide", "as the paper does")
    assert scores_shown(visitor)["Accuracy ↑"]["CT"] < shown["CT"]
    has_line(visitor.captions, "1/2", "paper")


def test_a_shape_decides_for_itself_where_it_is_scored_and_places_its_labels_once(visitor, slow):
    finish(press(visitor.go("trellis"), "Score this trellis"))
    as_inferred, (trial,) = scores_shown(visitor), visitor.workspace().trials.values()
    visitor.set("ct_decide", "accuracy")
    assert not visitor.at.table
    finish(press(visitor, "Score this trellis"))
    (again,) = visitor.workspace().trials.values()
    assert again.placed is trial.placed
    assert len(again.scores) == 2
    assert visitor.workspace().shape.decide is None, "Train has decisions of its own"
    visitor.set("ct_decide", "as the paper does")
    assert scores_shown(visitor).equals(as_inferred)


def test_the_best_is_marked():
    trellis, none = {"accuracy": [0.5, 0.7], "exact_match": [0, 0]}, {"accuracy": [0.4, 0.4], "exact_match": [0, 0]}
    scores = {"CT": pd.DataFrame(trellis), "IC": pd.DataFrame(none)}

    table = tables.scores_by_method(scores)
    assert set(table["Exact match ↑"]) == {"**0.000 ± 0.000** ★"}, "all are equal, so all are the best"
    assert table["Accuracy ↑"].to_dict() == {
        "CT": "**0.600 ± 0.141** ★",
        "IC": "0.400 ± 0.000",
    }
    tied = tables.scores_by_method(scores | {"CC": scores["CT"] + 1e-15})["Accuracy ↑"]
    assert {method for method, cell in tied.items() if "★" in cell} == {"CT", "CC"}


def test_algorithm_1_as_printed_is_one_click_away_from_swaps_and_back(visitor):
    visitor.go("trellis")
    information = mutual_information(packaged("yeast").Y)
    swapped, climbed = (
        f"{captured_dependence(trellis(information, 3, placement=way, random_state=0), information):.3g} nats"
        for way in ("swaps", "hill-climbing")
    )
    assert metrics(visitor)["Captured"] == swapped == "1.78 nats"
    visitor.click("other placement")
    assert metrics(visitor)["Captured"] == climbed == "1.18 nats"
    visitor.click("other placement")
    assert metrics(visitor)["Captured"] == swapped


@pytest.mark.parametrize(
    "query",
    [
        *({"width": "99"}, {"width": "abc"}, {"pattern": "none"}, {"placement": "0"}, {"seed": "-1"}, {"view": "none"}),
        *({"workspace": "x"}, {"swaps": "999-1,x"}, {"ct_label": "none"}, {"ct_score": "none"}, {"ct_decide": "none"}),
        {"pattern": "custom", "offsets": "1,1 0,-1"},
    ],
    ids=lambda query: "&".join(f"{name}={value}" for name, value in query.items()),
)
def test_a_wrong_address_shows_the_page_all_the_same(visit, query):
    assert "captures" in visit(**query).go("trellis").takeaway


def test_an_address_without_a_view_shows_the_first(visitor):
    visitor.at.query_params["view"] = ""
    visitor.go("trellis")

    assert visitor.takeaway.startswith("This trellis captures ")


def test_no_criterion_is_offered_that_takes_too_long_to_find(visitor, monkeypatch):
    monkeypatch.setattr(derived, "MOST_PRODUCTS", 0)
    visitor.at.query_params["guide"] = "residual information"
    visitor.go("trellis")

    assert visitor.widget("guide").options == ["mutual information", "co-occurrence"]
    assert visitor.workspace().shape.criterion == "mutual-information"


def test_edges_are_weighed_once(visitor, monkeypatch):
    weighed = []
    monkeypatch.setattr(placed, "pair_values", lambda *given: weighed.append(given) or pair_values(*given))
    visitor.go("trellis").set("seed", 91)
    assert len(weighed) <= 4, "dependence and signs, of two trellises"
    n_weighed = len(weighed)
    visitor.set("ct_score", "exact_match").set("view", "CT and CDT")

    assert len(weighed) == n_weighed


def test_missing_cells_are_filled_and_reported(visitor, meka_arff):
    rows = [f"{n % 2},{n // 2 % 2},{'?' if n % 5 == 0 else n},?" for n in range(40)]
    visitor.upload(("gaps.arff", meka_arff(dict.fromkeys("ab", "0,1"), rows))).go("trellis")

    assert "gaps filled with means" in visitor.captions
    assert "cv = CrossValidation(replace(data, X=X))" in visitor.code
    assert "X = SimpleImputer(keep_empty_features=True)" in visitor.code
    visitor.set("placement", "explained")
    assert list(scores_shown(visitor).index) == ["CT", "IC", "CC"]


def test_a_score_that_takes_long_waits_for_a_click_and_is_cached(visitor, slow):
    visitor.go("trellis")
    assert not visitor.at.table
    assert "Accuracy" not in visitor.takeaway
    assert "CrossValidation" not in visitor.code
    finish(press(visitor, "Score this trellis"))
    shown = scores_shown(visitor)
    assert "Accuracy" in visitor.takeaway

    visitor.set("width", 4)
    assert not visitor.at.table
    assert "Score this trellis" in buttons(visitor)
    visitor.go("train").go("trellis").set("width", 3)
    assert scores_shown(visitor).equals(shown)
    assert "Score this trellis" not in buttons(visitor)


def test_too_much_memory_is_reported(visitor, monkeypatch, meka_arff):
    monkeypatch.setenv("TRELLISLIB_MEMORY", "0.0000001")
    rows = [f"{n % 2},{n % 3 % 2},{n},{n % 7}" for n in range(40)]
    visitor.upload(("little.arff", meka_arff(dict.fromkeys("ab", "0,1"), rows))).go("trellis")

    has_line(visitor.captions, "Scoring", "trellis", "need")
    assert "more than the budget of" in visitor.captions
    assert not visitor.at.table
    visitor.go("train")
    refused = [warning.value for warning in visitor.at.warning]
    assert [text.split()[0] for text in refused] == ["IC", "CC", "CT"]
    assert visitor.at.button(key="train").disabled


def test_without_a_chain_the_scores_are_of_the_others(visitor, monkeypatch):
    from trellislib import ClassifierChain
    from trellislib.running.memory import Need

    monkeypatch.setattr(ClassifierChain, "memory_needed", lambda *_: Need(1e18, "pairs", "use a trellis"))
    visitor.choose_source("Label DAG")
    visitor.widget("dag-seed").set_value(5)
    visitor.press("Simulate the labels").go("trellis")

    assert list(scores_shown(visitor).index) == ["CT", "IC"]
    assert "ClassifierChain" not in visitor.code


def test_explained_takes_no_guide_and_gives_the_trellis_that_is_shown(visitor, capsys):
    visitor.go("trellis").set("guide", "residual").set("placement", "explained").set("seed", 3)
    assert visitor.widget("no guide").disabled
    found = {}
    exec(visitor.code, found)

    assert metrics(visitor)["Captured"] == (f"{captured_dependence(found['placed'], found['information']):.3g} nats")
    assert found["placed"] == visitor.workspace().placed(visitor.workspace().shape)
    visitor.set("placement", "hill-climbing")
    assert visitor.widget("guide").value == "residual"


def test_a_search_starts_from_the_hill_climbed_trellis(searching):
    started = metrics(searching)

    assert buttons(searching) == ["Search 3 swaps"]
    assert "Showing the hill-climbed trellis" in searching.captions
    assert "placement='hill-climbing'" in searching.code
    assert metrics(searching.set("placement", "hill-climbing")) == started


def test_a_link_to_a_search_has_its_swaps(visitor):
    visitor.at.query_params["placement"], visitor.at.query_params["n_swaps"] = "Search", "7"
    visitor.choose_packaged("solar-flare").go("trellis")

    assert buttons(visitor) == ["Search 7 swaps"]


def test_the_trellis_of_a_search_is_drawn_scored_stored_and_trained(searching, capsys):
    finish(press(searching, "Search 3 swaps"))
    workspace, found = searching.workspace(), {}
    exec(searching.code, found)
    assert found["placed"] == workspace.placed(workspace.shown)
    assert workspace.shown.is_searched
    assert "n_swaps=3" in searching.code
    has_line(searching.captions, "Each fold finds its own trellis")
    assert "CT" in scores_shown(searching).index
    captured = metrics(searching)["Captured"]
    assert captured == f"{captured_dependence(found['placed'], found['information']):.3g} nats"

    searching.go("train")
    has_line(searching.captions, "search", "3 swaps", "seed 0", "Each fold finds", "training rows")
    assert all(part in searching.code for part in ("ClassifierTrellis(", "n_swaps=3", "placement='search'"))
    searching.go("graphs").set("graphs", ["FS", "Trellis"])
    assert "placement='search'" in searching.code
    searching.go("trellis")
    assert metrics(searching)["Captured"] == captured
    assert "Found and scored in" in searching.captions
    assert buttons(searching.set("seed", 1)) == ["Search 3 swaps"]


def test_a_search_reports_its_progress_and_can_be_cancelled(visitor):
    searching = visitor.go("trellis").set("placement", "search")
    press(searching.set("n_swaps", 10_000), "Search 10,000 swaps")
    (trial,) = searching.workspace().trials.values()
    searching.wait(lambda: trial.job.done > 0)
    (bar,) = searching.at.progress
    assert "swaps in all rows" in bar.text
    assert buttons(searching) == ["Cancel"]
    (cancel,) = [button for button in searching.at.main.button if button.label == "Cancel"]
    cancel.click()
    finish(searching.run())

    assert trial.job.state == "cancelled"
    assert trial.placed is None
    assert buttons(searching) == ["Search 10,000 swaps"]


def test_a_search_cancelled_while_it_is_scored_keeps_its_trellis():
    bench = trellis_scores.Bench(packaged("solar-flare"))
    trial = trellis_scores.Trial(trellis_scores.Shape(2, placement="search", n_swaps=2))
    trial.work(bench, lambda done, total, what: None, lambda: trial.placed is not None)
    assert trial.placed is not None
    assert not trial.scores

    placed, reported = trial.placed, []
    trial.work(bench, lambda done, total, what: reported.append((done / total, what)), lambda: False)
    assert trial.placed is placed
    assert list(trial.scores[None]) == ["CT", "IC", "CC"]
    assert [share for share, _ in reported] == sorted(share for share, _ in reported)
    assert 0.9 < reported[-1][0] <= 1
    assert not any("all rows" in what for _, what in reported), "it is not placed again"


def test_what_takes_long_is_known_before():
    small, large = Costs(600, 72, 6), Costs(16_105, 500, 983)

    assert small.preparation + small.cross_validation("hill-climbing") < trellis_scores.FIRST_MOVE
    assert small.cross_validation("hill-climbing") < trellis_scores.MOVE < large.cross_validation("hill-climbing")
    assert 2 < small.cross_validation("search", 100) < 20
    assert about_wait(0.01) == "about 2 s", "a click is never quicker than the page"
    assert large.placement("explained") > trellis_scores.PLACING
