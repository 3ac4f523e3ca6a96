"""Lesson 5: what it says of the steps of Algorithm 1, of what a trellis keeps and is worth."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from sentences import has_line
from state.tuning import Shape
from views.lessons import trellis as lesson_5

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers
from trellislib.data import packaged
from trellislib.dependence import mutual_information
from trellislib.experiment.rescoring import CrossValidation
from trellislib.graphs import PATTERNS, placement_steps, trellis

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
    lesson.set("lattice_seed", 7).turn(5).set("lattice_score", "accuracy").turn(1).click("first step")
    figures = [figure for screen in lesson.screens for figure in screen.figures]
    same_figures(lesson, figures)  # the first step compares nothing, and has one figure less


def test_the_question_is_of_a_cell_that_the_figure_does_not_show(visitor, movies, information):
    lesson = visitor.go("lesson_5").turn(2)
    first, second = (trellis(information, 4, random_state=seed).order for seed in (0, 1))
    assert first[5] != second[5]  # the second cell of the second row, in rows of four
    left, above = second[4], second[1]
    assert {left, above} != {first[4], first[1]}
    parents = f"{movies.label_names[left]} and {movies.label_names[above]}"
    has_line(lesson.text, "trellis", "seed 1", "row 2", "column 2", f"parents {parents}")
    gains = information[left] + information[above]
    free = [label for label in range(21) if label not in second[:5]]
    best = sorted(sorted(free, key=lambda label: -gains[label])[:4])
    assert options(lesson) == [movies.label_names[label] for label in best]
    sums = table(lesson).sum(axis=1)
    np.testing.assert_allclose(sums, gains[best], atol=2e-4)
    chosen = movies.label_names[second[5]]
    assert sums.idxmax().replace("\\", "") == chosen
    lesson.set("lesson 5 following", chosen)
    assert f"{chosen} depends most on" in lesson.at.success[0].value


def test_no_step_changes_the_question(visitor):
    lesson = visitor.go("lesson_5").turn(2)
    before = lesson.set("lesson 5 following", options(lesson)[0]).text
    assert lesson.turn(1).set("step", 12).turn(2).text == before
    assert lesson.widget("lesson 5 following").value is not None
    lesson.set("lattice_seed", 1)
    assert lesson.widget("lesson 5 following").value is None  # the answer was to another lattice
    assert "trellis of seed 1" not in lesson.text


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("width", lesson_5.WIDTHS)
def test_there_is_a_cell_to_ask_about_whose_table_shows_the_answer(monkeypatch, information, pattern, width):
    placed = [placement_steps(information, width, pattern, random_state=seed) for seed in range(lesson_5.SEEDS)]
    for seed in range(lesson_5.SEEDS):
        monkeypatch.setattr(lesson_5, "shape", lambda at=seed: Shape(width, pattern, seed=at))
        monkeypatch.setattr(lesson_5, "steps", lambda of=None, at=seed: placed[at if of is None else of])
        other, step = lesson_5.asked()
        own = placed[seed][step.cell]
        assert other != seed
        assert own.parents != step.parents
        assert own.chosen != step.chosen
        assert len(step.parents) == max(len(of.parents) for of in placed[seed])
        shown = np.round(step.shares[:4], 4).sum(axis=1)
        assert shown[0] - shown[1:].max() > 1e-9


def test_the_shares_are_those_of_the_edges(visitor, movies, information):
    lesson = visitor.go("lesson_5").set("lattice_width", 3).set("lattice_parents", "left-up-diagonal")
    placed = [trellis(information, 3, "left-up-diagonal", random_state=seed) for seed in range(20)]
    kept = [kept_by(one, information) for one in placed]
    phi = np.corrcoef(movies.Y.toarray() if hasattr(movies.Y, "toarray") else movies.Y, rowvar=False)
    apart = sum(phi[edge] < 0 for edge in placed[0].edges)
    has_line(lesson.turn(2).text, f"{apart}", "44 edges", "genres", "exclude")
    lesson.turn(3)
    keeps = f"Algorithm 1 captures {min(kept):.0%} to {max(kept):.0%}"
    assert keeps not in lesson.text  # it would answer the question
    for option in lesson.widget("lesson 5 most").options:  # until it is right, or was wrong twice
        lesson.set("lesson 5 most", option)
    assert keeps in lesson.text
    # 7 rows of 3: 14 edges from the left, 18 from above, 12 from both, of 210 pairs.
    has_line(lesson.text, "The 44 edges", "21%", "all pairs")
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


@pytest.mark.parametrize(("score", "in_words"), [("exact_match", "exact match"), ("hamming_score", "Hamming score")])
def test_gains_are_those_of_the_same_folds(visitor, movies, score, in_words):
    lesson = visitor.go("lesson_5").turn(5).set("lattice_score", score).set("lattice_parents", "left-up-diagonal")
    cv = CrossValidation(movies)
    trellises = (ClassifierTrellis(width=4, parents=pattern, random_state=0) for pattern in PATTERNS)
    ic, cc, *ct = (cv.scores(of)[score] for of in (IndependentClassifiers(), ClassifierChain(), *trellises))
    has_line(lesson.text, f"CT has {ct[1].mean():.1%} in {in_words}", f"IC {ic.mean():.1%}", f"CC {cc.mean():.1%}")
    gain = 100 * (ct[1] - ic)
    error = gain.std() * (1 / 5 + 1 / 4) ** 0.5  # of five folds, each tested once and trained on four times
    reported = f"{abs(gain.mean()):.2f} ± {error:.2f} points"
    if abs(gain.mean()) < t.isf(0.025, 4) * error:
        assert f"({gain.mean():+.2f}" in lesson.text
    else:
        has_line(
            lesson.text,
            "CT with left-up-diagonal parents",
            f"{reported} {'above' if gain.mean() > 0 else 'below'} IC",
        )
    (drawn,) = [trace for trace in lesson.figures if "gain over IC" in str(trace["layout"].get("yaxis"))]
    by_name = {trace["name"]: trace for trace in drawn["data"]}
    # 21 labels in rows of 4: 15 edges from the left and 17 from above, 12 from one diagonal and 13 from the other.
    assert list(by_name["CT"]["x"]) == [32, 44, 57, 67]
    assert list(by_name["CC"]["x"]) == [210]
    np.testing.assert_allclose(by_name["CT"]["y"], [100 * (of - ic).mean() for of in ct])
    assert list(by_name["left-up-diagonal"]["x"]) == [44]


def test_costs_are_those_that_were_measured(visitor):
    lesson = visitor.go("lesson_5").turn(4)
    measured = pd.read_csv("assets/growth.csv")
    measured = measured[(measured["variable"] == "L") & (measured["base"] == "least squares")]
    most = measured[measured["size"] == 10_000].set_index("method")["train s"]
    # A lattice of 100 x 100: 99 edges in each row, and as many in each column.
    has_line(lesson.text, f"{10000 * 9999 // 2:,} edges", "10,000 labels", "trellis", "default shape", f"{2 * 9900:,}")
    has_line(lesson.text, f"takes {most['CC']:.0f} s", "chain", "CC", f"{most['CT']:.1f} s", "trellis", "CT")
    has_line(lesson.text, "Independent", f"{most['IC']:.3f} s", f"{most['CT'] / most['IC']:.0f} times")
    (caption,) = [text for text in lesson.captions.splitlines() if "twice as many labels" in text]
    for method in ("IC", "CC", "CT"):
        of = measured[measured["method"] == method].tail(4)  # the larger half
        power = np.polyfit(np.log(of["size"]), np.log(of["train s"]), 1)[0]
        has_line(caption, f"{2**power:.2g} times", "long", f"{method}")


@pytest.mark.parametrize("step", [1, 6, 21])
def test_no_number_has_an_exponent(visitor, step):
    lesson = visitor.go("lesson_5").set("step", step)
    for screen in lesson.screens:
        shown = [screen.text, *(str(trace.get("text", "")) for of in screen.figures for trace in of["data"])]
        assert not any(re.search(r"\de[-+]\d", text) for text in shown)
