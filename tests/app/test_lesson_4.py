"""Lesson 4: what it says of graphs that are found, and a walk through it in a browser."""

import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from lessons import structure
from lessons.text import read
from playwright.sync_api import expect

from trellislib.data import simulate_label_dag
from trellislib.dependence import residual_information
from trellislib.graphs import LabelGraph
from trellislib.structure_comparison import structure_comparison

ADDRESS = {"structure_n": "200", "structure_d": "10", "structure_draw": "1", "structure_lead": "whether wrong"}


def options(lesson, name):
    """Return the options of a question, as they are shown."""
    return lesson.widget(f"lesson 4 {name}").options


def simulated(n=500, d=5, draw=structure.DEFAULT_DRAW):
    return simulate_label_dag(n, structure.N_LABELS, d, structure.N_ONES, random_state=draw)


def counted(found, data):
    """Return edges, precision and recall of a graph as the page writes them."""
    true, edges = ({frozenset(edge) for edge in graph.edges} for graph in (LabelGraph(data.true_parents), found))
    both = len(true & edges)
    return len(edges), f"{both / len(edges):.0%}", f"{both / len(true):.0%}"


@pytest.mark.parametrize(("n", "d", "draw"), [(500, 5, 4), (2000, 3, 0), (100, 20, 7)])
def test_the_graphs_are_counted(visitor, n, d, draw):
    lesson = visitor.go("lesson_4")
    lesson.set("structure_n", n).set("structure_d", d).set("structure_draw", draw)
    data = simulated(n, d, draw)
    found = structure.compared_structures(data, seed=draw)
    for name, words in (
        (
            "marginal pairs",
            r"Marginal dependence gives (\d+) edges?, with a precision of (\S+) and a recall of ([^;]+);",
        ),
        ("conditional pairs", r"conditional dependence gives (\d+) edges?, with (\S+) and ([^.]+)\."),
        ("FS", r"FS has (\d+) edges?, with a precision of (\S+) and a recall of ([^;]+);"),
        ("LEAD (signed)", r"LEAD has (\d+) edges?, with (\S+) and ([^.]+)\."),
    ):
        edges, precision, recall = re.search(words, lesson.said).groups()
        assert (int(edges), precision, recall) == counted(found[name], data)
    assert f"The true graph has {sum(map(len, data.true_parents))} edges" in lesson.said


def test_features_explain_pairs_away():
    data = simulated()
    true = {tuple(sorted(edge)) for edge in LabelGraph(data.true_parents).edges}
    marginal = residual_information(np.empty((500, 0)), data.Y)
    conditional = residual_information(data.X, data.Y)
    asked = structure.asked()
    assert [pair in true for pair in sorted(asked, key=lambda pair: -marginal[pair])] == [True, True, False, False]
    others = [(i, j) for i in range(8) for j in range(i + 1, 8) if (i, j) not in true]
    assert set(sorted(others, key=lambda pair: -marginal[pair])[:2]) < set(asked)
    most = asked[int(np.argmin([conditional[pair] / marginal[pair] for pair in asked]))]
    answer = structure.explained()
    assert answer.right == f"y{most[0] + 1} and y{most[1] + 1}"
    assert f"{conditional[most] / marginal[most]:.0%} of its dependence is left. It is no edge" in answer.why


def test_gains_are_means_over_the_draws(visitor):
    lesson = visitor.go("lesson_4").set("structure_n", 100)
    table = structure_comparison(10, n_instances=100, n_labels=8, n_features=5, n_ones=3)
    means = table.groupby("structure")[["f", "gain"]].mean()
    found = means.drop("truth")
    low, high, true = (100 * value for value in (found["gain"].min(), found["gain"].max(), means["gain"]["truth"]))
    assert f"lie between {low:+.1f} and {high:+.1f} points, and the true graph has {true:+.1f}." in lesson.said
    nearest = found["f"].idxmax()
    assert f"Nearest is {nearest}, with an F of {found['f'].max():.2f}" in lesson.said
    assert f"farthest is {found['f'].idxmin()}, with {found['f'].min():.2f}" in lesson.said
    right = "Yes" if nearest == found["gain"].idxmax() else "No"
    lesson.set("lesson 4 nearest", right)
    assert len(lesson.at.success) == 1


@pytest.mark.parametrize(("best", "right"), [("FS", "Yes"), ("marginal pairs", "No")])
def test_the_nearest_may_or_may_not_predict_best(monkeypatch, best, right):
    table = structure.means().assign(f=0.5, gain=0.01)
    table.loc["FS", "f"] = 0.9
    table.loc[best, "gain"] = 0.02
    table.loc["truth"] = 1.0
    monkeypatch.setattr(structure, "means", lambda: table)
    answer = structure.nearest()
    assert answer.right == right
    assert "Nearest by mean F: FS, with 0.900" in answer.why
    assert f"Best in prediction: {best}, with +2.00 points" in answer.why


TRUTH = LabelGraph([(), (0,), (1,), (), ()])


@pytest.mark.parametrize(
    ("marginal", "conditional", "compared", "left"),
    [
        ([(), (0,), (1,), (), ()], [(), (0,), (1,), (), ()], "As many pairs are wrong", "None of those left is wrong"),
        ([(), (), (0,), (0,), (0,)], [(), (), (0,), (), ()], "2 fewer beyond", "One wrong pair is left, which is of"),
        ([()] * 5, [(), (), (), (0,), ()], "1 more beyond", "One wrong pair is left, which is not of"),
        ([()] * 5, [(), (), (0,), (0,), ()], "2 more beyond", "Of the 2 wrong pairs that are left, 1 is of"),
        ([()] * 5, [(), (), (), (0,), (0,)], "2 more beyond", "Of the 2 wrong pairs that are left, none is of"),
    ],
)
def test_wrong_pairs_are_told(monkeypatch, marginal, conditional, compared, left):
    found = {"truth": TRUTH, "marginal pairs": LabelGraph(marginal), "conditional pairs": LabelGraph(conditional)}
    monkeypatch.setattr(structure, "structures", lambda *_: found)
    assert compared in structure.verdict()
    assert structure.indirect().startswith(left)


def test_its_controls_are_in_the_address(visit):
    lesson = visit(**ADDRESS).go("lesson_4")
    for name, value in ADDRESS.items():
        lesson.at.query_params[name] = value
    lesson.run()
    assert "200 instances were simulated with 8 labels, each of which depends on 3 of 10 features" in lesson.said
    assert "It asks whether they are wrong, as the paper's does." in lesson.said
    assert "**LEAD (error)**" in lesson.said
    assert lesson.widget("structure_draw").value == 1


def test_its_simulation_goes_on_in_the_lab(visit):
    query = structure.LESSON.query()
    lab = visit(**query).go("label_dag")
    for name, value in query.items():
        lab.at.query_params[name] = value
    lab.run()
    assert [lab.widget(f"dag_{name}").value for name in "lndt"] == [8, 500, 5, 3]
    assert lab.widget("dag_seed").value == structure.DEFAULT_DRAW
    assert lab.widget("dag_lead").value == "signed"


# In a browser


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize(
    "screen", [{"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"}], indirect=True
)
def test_it_is_walked_by_keyboard(screen):
    page = screen.open("lesson-4?embed=true")
    expect(page.get_by_role("heading", level=1)).to_have_text(read(4).title)
    expect(page.locator(".js-plotly-plot")).to_have_count(8)
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press("Home")
    expect(page.get_by_text("100 instances were simulated")).to_be_visible()
    screen.rest()
    page.get_by_role("radio", name="whether wrong").press("Space")
    expect(page.get_by_text("It asks whether they are wrong")).to_be_visible()
    screen.rest()
    page.get_by_role("radio", name="No", exact=True).press("Space")
    expect(page.get_by_text(re.compile("Nearest by mean F"))).to_be_visible()
    screen.rest()
    assert Axe().run(page).response["violations"] == []
    assert screen.console == []
