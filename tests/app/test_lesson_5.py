"""Lesson 5: what it says of the steps of Algorithm 1, of what a trellis keeps and is worth; a walk in a browser."""

import re

import numpy as np
import pandas as pd
import pytest
from axe_playwright_python.sync_playwright import Axe
from lessons import trellis as lesson_5
from lessons.text import read
from playwright.sync_api import expect

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers
from trellislib.data import packaged
from trellislib.dependence import mutual_information
from trellislib.graphs import PATTERNS, placement_steps, trellis
from trellislib.rescoring import CrossValidation

PAIRS = np.triu_indices(21, 1)


@pytest.fixture(scope="module")
def movies():
    return packaged("movies")


@pytest.fixture(scope="module")
def information(movies):
    return mutual_information(movies.Y)


def options(lesson):
    """The options of the question which label comes next."""
    return [option.replace("\\", "") for option in lesson.widget("lesson 5 following").options]


def table(lesson):
    """The table of what the options share with the parents, as numbers."""
    return lesson.at.table[0].value.set_index("genre").astype(float)


def kept_by(placed, information):
    """The share of all mutual information on the edges of a trellis."""
    return sum(information[edge] for edge in placed.edges) / information[PAIRS].sum()


def test_its_python_is_that_of_what_is_chosen(visitor, same_figures):
    lesson = visitor.go("lesson_5").set("lattice_width", 3).set("lattice_parents", "left-up-diagonals")
    lesson.set("lattice_seed", 7).set("lattice_score", "accuracy").click("first step")
    same_figures(lesson)  # the first step compares nothing, and has one figure less


def test_the_next_label_is_the_one_of_the_largest_sum(visitor, movies, information):
    lesson = visitor.go("lesson_5")
    order = trellis(information, 4, random_state=0).order
    for step in (5, 6, 7):
        left, above = order[step - 1], order[step - 4]
        parents = [movies.label_names[left]] * (step % 4 > 0) + [movies.label_names[above]]
        said = " and ".join(parents)
        assert re.search(
            rf"The next cell is in row 2, column {step % 4 + 1}, where {said} (is its|are its)", lesson.said
        )
        sums = table(lesson).sum(axis=1)
        chosen = movies.label_names[order[step]]
        assert sums.idxmax().replace("\\", "") == chosen
        gains = information[left] + information[above]
        free = [label for label in range(21) if label not in order[:step]]
        best = sorted(free, key=lambda label: -gains[label])[:4]
        assert options(lesson) == [movies.label_names[label] for label in sorted(best)]
        np.testing.assert_allclose(sums, gains[sorted(best)], atol=2e-6)
        lesson.set("lesson 5 following", chosen)
        assert f"{chosen} depends most on" in lesson.at.success[0].value
        lesson.click("step on")
        assert not lesson.at.success  # the answer was to another cell
        assert lesson.widget("lesson 5 following").value is None


@pytest.mark.parametrize("step", [17, 18, 21])
def test_the_last_cells_leave_no_choice(visitor, step):
    lesson = visitor.go("lesson_5")
    lesson.set("step", step)
    begin = (
        "The next cell is in" if step == 17 else "Too few genres are left to choose from, so think back to the cell in"
    )
    assert f"{begin} row 5, column 2" in lesson.said
    assert len(set(options(lesson))) == 4


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_table_tells_which_sum_is_largest(information, pattern):
    for width in lesson_5.WIDTHS:
        for seed in range(lesson_5.SEEDS):
            for step in placement_steps(information, width, pattern, random_state=seed)[1:18]:
                shown = np.round(step.shares[:4], 6).sum(axis=1)
                assert shown[0] - shown[1:].max() > 1e-9


def test_the_shares_are_those_of_the_edges(visitor, movies, information):
    lesson = visitor.go("lesson_5").set("lattice_width", 3).set("lattice_parents", "left-up-diagonal")
    placed = [trellis(information, 3, "left-up-diagonal", random_state=seed) for seed in range(20)]
    kept = [kept_by(one, information) for one in placed]
    assert f"Algorithm 1 keeps from {min(kept):.0%} to {max(kept):.0%}" in lesson.said
    # 7 rows of 3: 14 edges from the left, 18 from above, 12 from both, of 210 pairs.
    assert "The 44 edges are 21% of all pairs" in lesson.said
    phi = np.corrcoef(movies.Y.toarray() if hasattr(movies.Y, "toarray") else movies.Y, rowvar=False)
    apart = sum(phi[edge] < 0 for edge in placed[0].edges)
    assert f"{apart} of the 44 edges of this trellis" in lesson.said
    shown = [trace for trace in lesson.figures if trace["data"][0].get("name") == "Algorithm 1"]
    assert len(shown) == 1


@pytest.mark.parametrize(
    ("own", "at_random", "right"),
    [
        (0.5, 0.2, "Half of it or more"),
        (0.49, 0.2, "Less than half, but more than random placements on average"),
        (0.2, 0.2, "No more than random placements on average"),
        (0.6, 0.7, "Half of it or more"),
    ],
)
def test_what_the_edges_hold_is_judged(monkeypatch, own, at_random, right):
    held = {"Algorithm 1": np.full(20, own), "random": np.full(20, at_random)}
    monkeypatch.setattr(lesson_5, "shares", lambda data, shape: held)
    answer = lesson_5.most()
    assert answer.right == right
    assert f"{own:.0%}" in answer.why
    assert f"{at_random:.0%} on average" in answer.why


@pytest.mark.parametrize("score", ["exact_match", "hamming_score"])
def test_scores_are_cross_validated(visitor, movies, score):
    lesson = visitor.go("lesson_5").set("lattice_score", score)
    cv = CrossValidation(movies, scale=True)
    methods = (ClassifierTrellis(random_state=0), IndependentClassifiers(), ClassifierChain())
    ct, ic, cc = (cv.scores(method)[score].mean() for method in methods)
    told = f"the trellis has {ct:.1%} in .*, independent classifiers have {ic:.1%}, and the chain has {cc:.1%}"
    assert re.search(told, lesson.said)
    stands = ["Both are better here", "It stands between the two", "It is better than both here"]
    assert f"{stands[sum([ct > ic, ct > cc])]}." in lesson.said


@pytest.mark.parametrize(
    ("means", "said"),
    [
        ((0.5, 0.6, 0.7), "Both are better here"),
        ((0.6, 0.5, 0.7), "It stands between the two"),
        ((0.6, 0.7, 0.5), "It stands between the two"),
        ((0.7, 0.6, 0.5), "It is better than both here"),
        ((0.6, 0.6, 0.5), "It is no better and no worse than one of them"),
    ],
)
def test_where_the_trellis_stands(monkeypatch, means, said):
    of = {name: pd.DataFrame({"exact_match": [mean]}) for name, mean in zip(("CT", "IC", "CC"), means, strict=True)}
    monkeypatch.setattr(lesson_5, "scores", lambda: dict.fromkeys(lesson_5.WIDTHS, of))
    assert lesson_5.verdict() == said


def test_costs_are_those_that_were_measured(visitor):
    lesson = visitor.go("lesson_5")
    measured = pd.read_csv("assets/growth.csv")
    measured = measured[(measured["variable"] == "L") & (measured["size"] == 10_000)].set_index("method")["train s"]
    # A lattice of 100 x 100: 99 edges in each row, and as many in each column.
    assert (
        f"With 10,000 labels it has {10_000 * 9_999 // 2:,} edges, and a trellis of the default shape {2 * 9_900:,}"
        in (lesson.said)
    )
    assert f"took {measured['CC']:.0f} s for the chain, CC, and {measured['CT']:.1f} s for the trellis" in lesson.said


# In a browser


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize(
    "screen", [{"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"}], indirect=True
)
def test_it_is_walked_by_keyboard(screen):
    page = screen.open("lesson-5?embed=true&lattice_width=3&step=7")
    expect(page.get_by_role("heading", level=1)).to_have_text(read(5).title)
    expect(page.get_by_text(re.compile("^Step 7 of 21: cell row 3, column 1"))).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text(re.compile("^Step 8 of 21"))).to_be_visible()
    screen.rest()
    page.keyboard.press("b")
    expect(page.get_by_text(re.compile("^Step 7 of 21"))).to_be_visible()
    screen.rest()
    page.keyboard.press("p")
    expect(page.get_by_text(re.compile(r"^Step (8|9|\d\d) of 21"))).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_role("button", name=re.compile("Play"))).to_be_visible()
    screen.rest()
    questions = page.get_by_test_id("stRadio")
    for number in range(2):
        questions.nth(number).get_by_role("radio").first.focus()
        page.keyboard.press("Space")
        expect(page.get_by_text(re.compile(r"^(Yes\.|Not quite:)"))).to_have_count(number + 1)
        screen.rest()
    expect(page.locator(".js-plotly-plot")).to_have_count(5)
    assert Axe().run(page).response["violations"] == []
    assert screen.console == []
