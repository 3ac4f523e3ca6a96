"""Lesson 4: what it says of graphs that are found, and a walk through it in a browser."""

import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from scipy.stats import ttest_rel
from seen import violations
from sentences import has_line
from views.lessons import structure
from views.lessons.text import read

from trellislib.data import simulate_label_dag
from trellislib.dependence import residual_information
from trellislib.graphs import LabelGraph
from trellislib.studies.structure_comparison import NearestLead, structure_comparison

ADDRESS = {"structure_n": "200", "structure_d": "10", "structure_draw": "1", "structure_lead": "whether wrong"}


def options(lesson, name):
    """Return the options of a question, as they are shown."""
    return lesson.widget(f"lesson 4 {name}").options


def everything(lesson):
    """Return the text of all screens."""
    return "\n".join(screen.text for screen in lesson.screens)


def simulated(n=200, d=5, draw=structure.DEFAULT_DRAW):
    return simulate_label_dag(n, structure.N_LABELS, d, structure.N_ONES, random_state=draw)


def counted(found, data):
    """Return edges, precision and recall of a graph as the page writes them."""
    true, edges = ({frozenset(edge) for edge in graph.edges} for graph in (LabelGraph(data.true_parents), found))
    both = len(true & edges)
    return len(edges), f"{both / len(edges):.0%}", f"{both / len(true):.0%}"


@pytest.mark.parametrize(("n", "d", "draw"), [(200, 5, 1), (2000, 3, 0), (100, 20, 7)])
def test_the_graphs_are_counted(visitor, monkeypatch, n, d, draw):
    lesson = visitor.go("lesson_4")
    few = structure_comparison(2, n_instances=n, n_labels=structure.N_LABELS, n_features=d, n_ones=structure.N_ONES)
    monkeypatch.setattr(structure, "compared", lambda *_: few)  # of which nothing is asked here
    for name, value in {"structure_n": n, "structure_d": d, "structure_draw": draw}.items():
        lesson.widget(name).set_value(value)
    lesson.run()
    data = simulated(n, d, draw)
    found, text = structure.compared_structures(data, seed=draw), everything(lesson)
    for name, words in (
        (
            "marginal pairs",
            r"Marginal dependence gives (\d+) edges?, with a precision of (\S+) and a recall of ([^.]+)\.",
        ),
        ("conditional pairs", r"Conditional dependence gives (\d+) edges?, with (\S+) and ([^.]+)\."),
        ("FS", r"FS has (\d+) edges?, with a precision of (\S+) and a recall of ([^.]+)\."),
        ("LEAD (signed)", r"LEAD has (\d+) edges?, with (\S+) and ([^.]+)\."),
    ):
        edges, precision, recall = re.search(words, text).groups()
        assert (int(edges), precision, recall) == counted(found[name], data)
    has_line(text, "The true graph", f"{sum(map(len, data.true_parents))} edges")


def test_features_explain_pairs_away():
    data = simulated()
    true = {tuple(sorted(edge)) for edge in LabelGraph(data.true_parents).edges}
    marginal = residual_information(np.empty((200, 0)), data.Y)
    conditional = residual_information(data.X, data.Y)
    asked = structure.asked()
    assert [pair in true for pair in sorted(asked, key=lambda pair: -marginal[pair])] == [True, True, False, False]
    others = [(i, j) for i in range(8) for j in range(i + 1, 8) if (i, j) not in true]
    assert set(sorted(others, key=lambda pair: -marginal[pair])[:2]) < set(asked)
    most = asked[int(np.argmin([conditional[pair] / marginal[pair] for pair in asked]))]
    answer = structure.explained()
    assert answer.right == f"y{most[0] + 1} and y{most[1] + 1}"
    has_line(answer.why, f"{conditional[most] / marginal[most]:.0%}", "dependence", "remains", "It", "no true edge")


def test_all_draws_are_reported(visitor):
    lesson = visitor.go("lesson_4")
    n_draws = structure.DRAWS
    table = structure_comparison(n_draws, n_instances=200, n_labels=8, n_features=5, n_ones=3)
    precision = table.groupby("structure")["precision"].mean()
    marginal, conditional, by_fs, by_lead = (
        f"{precision[name]:.0%}" for name in ("marginal pairs", "conditional pairs", "FS", "LEAD (signed)")
    )
    text = everything(lesson)
    has_line(text, "mean precision", f"over {n_draws} draws", f"{marginal}", f"{conditional}")
    has_line(text, "mean precision", f"over {n_draws} draws", f"{by_fs}", f"{by_lead}")
    lesson.set("lesson 4 nearest", structure.nearest().right)
    gains = 100 * table.pivot(index="data set", columns="structure", values="gain")
    for name in ("marginal pairs", "turned truth"):
        difference = gains[name] - gains["truth"]
        mean, error = difference.mean(), difference.std(ddof=1) / np.sqrt(n_draws)
        if ttest_rel(gains[name], gains["truth"]).pvalue <= 0.05:
            more = "more" if mean > 0 else "less"
            reported = f"a chain along {name} gains {abs(mean):.2f} ± {error:.2f} points {more} than along truth"
        else:
            minus = f"{name} minus truth: {mean:+.2f} ± {error:.2f} points"
            reported = f"chains along {name} and truth do not differ significantly ({minus})"
        assert reported in lesson.text


@pytest.mark.parametrize(
    ("gain", "p", "right", "text"),
    [
        (0.003, 0.01, "Yes", "clearly ahead of FS (+0.30 ± 0.10 points)"),
        (-0.003, 0.01, "No", "clearly behind FS (-0.30 ± 0.10 points)"),
        (0.003, 0.06, structure.UNDECIDED, "not significantly different from FS (+0.30 ± 0.10 points)"),
        (-0.003, 0.06, structure.UNDECIDED, "not significantly different from FS (-0.30 ± 0.10 points)"),
    ],
)
def test_the_nearest_may_or_may_not_predict_best(monkeypatch, gain, p, right, text):
    table = pd.DataFrame({"structure": ["FS", "LEAD (signed)"], "f": [0.8, 0.9], "gain": [0.02, 0.02 + gain]})
    over = pd.DataFrame({"gain": gain, "error": 0.001, "p": p}, index=["FS"])
    monkeypatch.setattr(structure, "compared", lambda *_: table)
    monkeypatch.setattr(structure, "nearest_lead", lambda _: NearestLead("LEAD (signed)", over))
    answer = structure.nearest()
    assert answer.right == right
    has_line(answer.why, "LEAD (signed)", "largest mean F", "0.90", f"gains {2 + 100 * gain:+.2f} points")
    has_line(answer.why, "LEAD (signed)", f"{text}")


TRUTH = LabelGraph([(), (0,), (1,), (), ()])


@pytest.mark.parametrize(
    ("conditional", "text"),
    [
        ([(), (0,), (1,), (), ()], "None of these edges is wrong"),
        ([(), (), (0,), (), ()], "1 of 1 wrong edge is indirect"),
        ([(), (), (), (0,), ()], "0 of 1 wrong edge is indirect"),
        ([(), (), (0,), (0,), ()], "1 of 2 wrong edges are indirect"),
        ([(), (), (), (0,), (0,)], "0 of 2 wrong edges are indirect"),
    ],
)
def test_wrong_pairs_are_reported(monkeypatch, conditional, text):
    found = {"truth": TRUTH, "conditional pairs": LabelGraph(conditional)}
    monkeypatch.setattr(structure, "structures", lambda *_: found)
    assert structure.indirect().startswith(text)


def test_all_wrong_pairs_may_depend_by_way_of_others(monkeypatch):
    truth = LabelGraph([(), (0,), (1,), (2,)])
    found = {"truth": truth, "conditional pairs": LabelGraph([(), (0,), (0,), (0,)])}
    monkeypatch.setattr(structure, "structures", lambda *_: found)
    has_line(structure.indirect(), "All 2 wrong edges", "indirect")


def test_its_controls_are_in_the_address(visit):
    lesson = visit(**ADDRESS).go("lesson_4")
    for name, value in ADDRESS.items():
        lesson.at.query_params[name] = value
    lesson.run()
    text = everything(lesson)
    has_line(text, "200 instances", "simulated", "8 labels", "depends", "3", "10 features")
    has_line(text, "asks", "whether two labels", "predicted wrongly together", "paper")
    assert "**LEAD (error)**" in text
    assert lesson.widget("structure_draw").value == 1


def test_a_screen_is_reached_by_buttons_and_by_the_address(visit):
    lesson = visit().go("lesson_4")
    assert "**Truth**" in lesson.text
    assert lesson.click("screen on").click("screen on").widget("screen").value == 3
    assert "**Truth**" not in lesson.text
    assert lesson.click("screen back").widget("screen").value == 2
    taken_up = visit(screen="5 of 5").go("lesson_4")
    taken_up.at.query_params["screen"] = "5 of 5"
    has_line(taken_up.run().text, "Does a better structure predict better?")
    assert taken_up.at.button(key="screen on").disabled


def test_its_simulation_goes_on_in_the_lab(visit):
    query = structure.LESSON.query()
    lab = visit(**query).go("label_dag")
    for name, value in query.items():
        lab.at.query_params[name] = value
    lab.run()
    assert [lab.widget(f"dag_{name}").value for name in "lndt"] == [8, 200, 5, 3]
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
    expect(page.locator(".js-plotly-plot")).to_have_count(3)
    slider = page.get_by_role("slider").first
    slider.focus()
    slider.press("Home")
    expect(page.get_by_text("100 instances are simulated")).to_be_visible()
    screen.rest()
    page.get_by_role("radio", name="4 of 5").press("Space")
    page.get_by_role("radio", name="whether wrong").press("Space")
    expect(page.get_by_text("It asks whether two labels are predicted wrongly together")).to_be_visible()
    screen.rest()
    page.get_by_role("button", name=re.compile("^Next.*→")).press("Enter")
    for name in ("Yes", "No"):  # one of them is wrong, or both
        page.get_by_role("radio", name=name, exact=True).press("Space")
        screen.rest()
    expect(page.get_by_text(re.compile("has the largest mean F"))).to_be_visible()
    screen.rest()
    assert violations(page) == []
    assert screen.console == []
