"""The Trellis page taken apart: labels swapped by hand, patterns by cell, the lattice directed and undirected."""

import json

import numpy as np
import pytest
from sentences import has_line, holds
from state import trellis_scores
from state.tuning import Shape, swaps_in, written_swaps
from views.trellis.lattice_editor import is_pair
from views.trellis.pattern_editor import offsets_in, written_offsets

from trellislib import ClassifierDependencyTrellis, ClassifierTrellis
from trellislib.data import packaged
from trellislib.dependence import mutual_information
from trellislib.experiment.rescoring import CrossValidation
from trellislib.figures import trellis_figure
from trellislib.graphs import captured_dependence, trellis
from trellislib.summaries import about_blanket

VIEWS = ("Tune", "By hand", "Step by step", "Widths", "Seeds", "CT and CDT")


@pytest.fixture
def visitor(visit):
    """A person who has chosen Algorithm 1 as printed, and few seeds; yeast is loaded."""
    return visit(placement="Hill climbing", n_seeds="3")


@pytest.fixture
def by_hand(visitor):
    """A visitor who is about to swap labels of yeast by hand."""
    return visitor.go("trellis").set("view", "By hand")


def swap(visitor, one, other):
    visitor.set("swap_one", one).set("swap_other", other)
    return visitor.click("swap")


def metrics(visitor):
    return {metric.label: metric.value for metric in visitor.at.metric}


def history(visitor):
    return visitor.table("Swap")


def placed_by_hand(*swaps):
    placed = trellis(mutual_information(packaged("yeast").Y), 3, random_state=0)
    for pair in swaps:
        placed = placed.swapped(*pair)
    return placed


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_a_sentence_scores_and_code_that_runs(visitor, view, capsys):
    visitor.go("trellis").set("view", view)

    assert visitor.takeaway.endswith(".")
    if view not in ("Tune", "By hand"):
        holds(visitor.text.replace("*", ""), "CT 0.490", "IC 0.500 ★", "CC 0.477")
    exec(visitor.code.replace(".show()", ""), {})


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("n_labels", [1, 2])
def test_few_labels(visitor, meka_arff, view, n_labels):
    rows = [",".join([*(str((n >> j) % 2) for j in range(n_labels)), f"{n / 40},{n % 7}"]) for n in range(40)]
    visitor.upload(("few.arff", meka_arff(dict.fromkeys("ab"[:n_labels], "0,1"), rows)))
    visitor.go("trellis").set("view", view)

    assert visitor.takeaway


def test_a_swap_by_name_changes_what_is_captured_and_scored_at_once(by_hand):
    swap(by_hand, 3, 7)
    information = mutual_information(packaged("yeast").Y)
    before, after = placed_by_hand(), placed_by_hand((3, 7))
    cv = CrossValidation(packaged("yeast"))
    scores = [
        cv.scores(ClassifierTrellis(width=3, placement=list(placed.order)))["accuracy"] for placed in (before, after)
    ]

    assert metrics(by_hand)["Captured"] == f"{captured_dependence(after, information):.3g} nats"
    assert metrics(by_hand)["Accuracy"] == f"{scores[1].mean():.3f}"
    assert list(history(by_hand)["Swap"]) == ["as placed", "Class4 ⇄ Class8"]
    np.testing.assert_allclose(
        history(by_hand)["Captured (nats)"], [captured_dependence(placed, information) for placed in (before, after)]
    )
    np.testing.assert_allclose(history(by_hand)["Accuracy ↑"], [folds.mean() for folds in scores])
    has_line(by_hand.takeaway, "1 swap", "hand", "lowers", "captured dependence", "1.18", "0.793 nats")
    has_line(by_hand.takeaway, "Accuracy", f"{scores[0].mean():.3f}", f"{scores[1].mean():.3f}")


def test_before_any_swap_the_score_is_that_of_the_view_tune(by_hand):
    tuned = CrossValidation(packaged("yeast")).scores(ClassifierTrellis(width=3, random_state=0))["accuracy"]

    assert metrics(by_hand)["Accuracy"] == f"{tuned.mean():.3f}"
    assert by_hand.takeaway == by_hand.set("view", "Tune").takeaway


def test_after_swaps_the_score_of_labels_in_their_places_is_shown(by_hand, capsys):
    swap(by_hand, 3, 7)
    order = list(placed_by_hand((3, 7)).order)
    accuracy = CrossValidation(packaged("yeast")).scores(ClassifierTrellis(width=3, placement=order))["accuracy"]
    reported = f"{accuracy.mean():.3f}"

    assert metrics(by_hand)["Accuracy"] == reported
    has_line(by_hand.text.replace("*", ""), "5 folds", "labels fixed", "places", f"CT {reported} ★ · IC 0.500")
    assert reported in by_hand.takeaway
    exec(by_hand.code.replace(".show()", ""), {})
    assert f"CT {{'accuracy': {accuracy.mean()}" in capsys.readouterr().out


def test_no_change_is_shown_where_nothing_has_changed(by_hand):
    def deltas():
        return {metric.label: metric.delta for metric in by_hand.at.metric}

    swap(by_hand, 3, 7)
    assert all(deltas().values())
    swap(by_hand, 3, 7)
    assert deltas() == {"Captured": "", "Accuracy": ""}
    has_line(by_hand.takeaway, "2 swaps", "hand", "leave", "captured dependence", "1.18 nats")


@pytest.mark.parametrize("sent", [None, [1], [0, 14], [-1, 2], [2, 2], [True, 0], ["1", "2"], [1.0, 2.0]])
def test_no_swap_is_taken_from_a_browser_that_names_no_two_labels(sent):
    assert not is_pair(sent, 14)
    assert is_pair([0, 13], 14)


def test_swaps_are_undone_one_by_one_and_all(by_hand):
    untouched = metrics(by_hand)
    assert by_hand.widget("undo").disabled
    once = metrics(swap(by_hand, 3, 7))
    assert metrics(swap(by_hand, 1, 2)) != once
    assert by_hand.widget("swaps").value == "3-7,1-2"
    assert metrics(by_hand.click("undo")) == once
    swap(by_hand, 0, 13)
    assert metrics(by_hand.click("reset")) == untouched
    assert by_hand.workspace().shape.swaps == ()


def test_a_label_is_not_swapped_with_itself(by_hand):
    by_hand.set("swap_one", 3).set("swap_other", 3)

    assert by_hand.widget("swap").disabled


def test_the_address_carries_swaps_and_tolerates_wrong_ones(visitor):
    visitor.at.query_params["swaps"] = "3-7, 1-99,x,2-2,1-2"
    visitor.go("trellis")

    assert visitor.workspace().shape.swaps == ((3, 7), (1, 2))
    has_line(visitor.captions, "Ignored", "no pair of labels", "0", "13", "1-99", "x", "2-2")


def test_swaps_are_of_one_placement_and_one_data_set(by_hand):
    swap(by_hand, 3, 7)
    assert swap(by_hand, 0, 1).workspace().shape.swaps == ((3, 7), (0, 1))
    by_hand.set("seed", 1)
    assert by_hand.workspace().shape.swaps == ()
    assert by_hand.widget("swaps").value == ""
    swap(by_hand, 3, 7).choose_packaged("solar-flare").go("trellis")
    assert by_hand.workspace().shape.swaps == ()


def test_the_tuned_trellis_is_scored_in_place_after_swaps(by_hand, capsys):
    swap(by_hand, 3, 7).set("view", "Tune")
    scores = CrossValidation(packaged("yeast")).scores(
        ClassifierTrellis(width=3, placement=list(placed_by_hand((3, 7)).order))
    )

    assert (
        by_hand.at.table[0]
        .value.loc["CT", "Accuracy ↑"]
        .replace("**", "")
        .startswith(f"{scores['accuracy'].mean():.3f} ± {scores['accuracy'].std():.3f}")
    )
    has_line(by_hand.captions, "All rows placed the labels", "every fold")
    exec(by_hand.code.replace(".show()", ""), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].startswith(str(placed_by_hand((3, 7)).order))
    assert f"{scores['accuracy'].mean()}" in printed[1]


def test_a_trellis_made_by_hand_is_trained(by_hand):
    swap(by_hand, 3, 7).go("train").set("folds", 2)
    order = list(placed_by_hand((3, 7)).order)

    has_line(
        by_hand.captions,
        "left-up",
        "hill-climbing",
        "seed 0",
        "1 swap",
        "hand",
        "All rows placed the labels",
        "every fold",
    )
    assert f"placement={order}" in by_hand.code
    by_hand.click("train").wait()
    (run,) = by_hand.workspace().runs
    assert run.job.state == "done", run.job.error


def test_code_by_hand_draws_the_lattice(by_hand, monkeypatch):
    shown = []
    monkeypatch.setattr("plotly.graph_objects.Figure.show", lambda figure: shown.append(figure))
    swap(by_hand, 3, 7)
    exec(by_hand.code, {})
    placed = placed_by_hand((3, 7))
    signs, information = by_hand.workspace().dataset, mutual_information(packaged("yeast").Y)

    assert len(shown) == 1
    expected = trellis_figure(placed, signs.label_names, information, moved=[3, 7])
    assert [box.text for box in shown[0].layout.annotations] == [box.text for box in expected.layout.annotations]
    assert sum(box.text.startswith("⇄") for box in shown[0].layout.annotations) == 2


@pytest.mark.parametrize("view", ["Tune", "CT and CDT"])
@pytest.mark.parametrize("swaps", ["", "3-7,0-1"])
def test_the_code_makes_the_figures_of_the_page(visitor, same_figures, view, swaps):
    visitor.at.query_params["swaps"] = swaps
    visitor.go("trellis").set("view", view)

    same_figures(visitor)


# A score that takes long


def test_scoring_in_place_waits_for_a_click_where_it_takes_long(by_hand, monkeypatch):
    monkeypatch.setattr(trellis_scores, "MOVE", 0.0)
    swap(by_hand.set("seed", 77), 3, 7)
    assert "Accuracy" not in metrics(by_hand)
    (button,) = [button for button in by_hand.at.main.button if button.label.startswith("Score this trellis, about ")]
    button.click()
    by_hand.run().wait(lambda: not by_hand.workspace().active)

    has_line(by_hand.text.replace("*", ""), "5 folds", "labels fixed", "places", "CT")
    assert "Score this trellis" not in " ".join(button.label for button in by_hand.at.main.button)


# The score by which the trellis is judged


def test_the_score_is_chosen(visitor):
    visitor.go("trellis").set("ct_score", "exact_match")

    has_line(visitor.takeaway, "Exact match is 0.169", "ahead of independent classifiers (0.145)")
    has_line(visitor.takeaway, "Exact match is 0.169", "significantly different", "chain (0.183)", "Accuracy is 0.490")
    assert next(iter(visitor.at.table[0].value)) == "Exact match ↑"


def test_a_score_that_these_labels_have_not_falls_back(visitor):
    visitor.at.query_params["ct_score"] = "Accuracy"
    visitor.choose_packaged("solar-flare").go("trellis")

    assert "Hamming score is " in visitor.takeaway


# The pattern


def test_a_cell_is_ticked_typed_and_in_the_address(visitor):
    visitor.go("trellis").set("pattern", "custom")
    assert visitor.widget("offsets").value == "0,-1 -1,0"
    visitor.at.checkbox(key="parent-3+3").check()
    visitor.run()
    assert visitor.widget("offsets").value == "0,-1 -1,0 -3,3"
    assert visitor.workspace().shape.offsets == ((0, -1), (-1, 0), (-3, 3))
    visitor.set("offsets", "0,-1 0,1 -5,2 abc")
    assert visitor.workspace().shape.offsets == ((0, -1), (-5, 2))
    has_line(visitor.captions, "Ignored", "no earlier cell", "0,1 abc")
    assert not visitor.at.checkbox(key="parent-3+3").value
    visitor.at.checkbox(key="parent0-1").uncheck()
    visitor.run().set("offsets", "none")
    assert visitor.workspace().shape.offsets == ()
    has_line(visitor.takeaway, "This lattice", "no edges")


def test_a_named_pattern_stays_next_to_a_custom_one(visitor):
    visitor.go("trellis").set("pattern", "custom").set("offsets", "-2,0")
    visitor.set("pattern", "left-up-diagonal").set("pattern", "custom")

    assert visitor.workspace().shape.offsets == ((-2, 0),)


@pytest.mark.parametrize("offsets", [((0, -1), (-1, 0)), (), ((-2, 3),)])
def test_offsets_are_read_as_written(offsets):
    assert offsets_in(written_offsets(offsets)) == (offsets, [])


@pytest.mark.parametrize("text", ["0,0", "1,-1", "1", "-1,99999", "٣,-1", "0,-1,2"])
def test_later_cells_are_reported(text):
    assert offsets_in(text) == ((), [text])


@pytest.mark.parametrize("swaps", [(), ((3, 7),), ((0, 1), (1, 0), (0, 1))])
def test_swaps_are_read_as_written(swaps):
    assert swaps_in(written_swaps(swaps), 14) == (swaps, [])


def test_a_shape_with_labels_in_place_is_passed_to_the_method():
    shape = Shape(2, placement="search", order=(2, 0, 1))

    assert shape.arguments == {"width": 2, "parents": "left-up", "placement": [2, 0, 1]}
    assert not shape.is_searched
    assert shape.elsewhere(9) == Shape(3, placement="search")


# CT and CDT


@pytest.fixture
def undirected(visitor):
    return visitor.go("trellis").set("view", "CT and CDT")


def marked(figure, mark):
    """Return the labels whose boxes bear a mark."""
    boxes = [box["text"] for box in figure["layout"]["annotations"]]
    return {text.removeprefix(f"{mark} ") for text in boxes if text.startswith(mark)}


def test_the_surroundings_of_a_label_are_marked_in_both(undirected):
    undirected.set("ct_label", 0)
    placed, names = placed_by_hand(), packaged("yeast").label_names
    directed, undirected_figure = undirected.figures
    children = {child for parent, child in placed.edges if parent == 0}
    others = {parent for child in children for parent in placed.parents[child]} - {0} - set(placed.parents[0])

    assert marked(directed, "●") == {"Class1"}
    assert marked(directed, "▲") == {names[label] for label in placed.parents[0]}
    assert marked(directed, "▼") == {names[label] for label in children}
    assert marked(directed, "◆") == {names[label] for label in others - children}
    assert marked(undirected_figure, "■") == {names[label] for label in placed.undirected().neighbours[0]}
    assert undirected.takeaway == about_blanket(names, placed, 0)


@pytest.mark.parametrize("label", ["Class99", "-1", ""])
def test_a_wrong_label_in_the_address_falls_back(visitor, label):
    visitor.at.query_params["ct_label"] = label
    visitor.go("trellis").set("view", "CT and CDT")

    has_line(visitor.takeaway, "CT predicts Class1")


def test_a_label_that_other_data_have_not_falls_back(undirected):
    undirected.set("ct_label", 13).choose_packaged("solar-flare").go("trellis")
    undirected.set("view", "CT and CDT")

    assert undirected.takeaway.startswith("CT predicts ")


def test_both_readings_are_scored_on_a_click(undirected):
    (button,) = [button for button in undirected.at.main.button if button.label.startswith("Score CT and CDT, about ")]
    button.click()
    undirected.run().wait(lambda: not undirected.workspace().active)
    order = placed_by_hand().order
    cv = CrossValidation(packaged("yeast"))
    method = ClassifierDependencyTrellis(width=3, placement=order, random_state=0)
    sampled = cv.scores(method)["accuracy"]

    table = undirected.at.table[0].value
    assert list(table.index) == ["CT", "CDT", "IC", "CC"]
    assert table.loc["CDT", "Accuracy ↑"] == f"{sampled.mean():.3f} ± {sampled.std():.3f}"


def test_what_is_saved_is_what_is_shown(by_hand, downloads):
    swap(by_hand, 3, 7)
    table = downloads["yeast-swaps-table csv"]()
    graph = json.loads(downloads["yeast-trellis-by-hand-graph json"]())

    assert table.splitlines()[2].startswith("Class4 ⇄ Class8,0.79")
    assert graph
