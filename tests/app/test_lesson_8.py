"""Lesson 8: what it says of gains from depth and from label dependence."""

import pytest
from sentences import has_line

from trellislib.data import simulate_lamps
from trellislib.studies.depth import answers_of_depth, depth_comparison, gains_of_depth


@pytest.fixture(scope="module")
def table():
    return depth_comparison()


def in_words(gain):
    return f"{abs(100 * gain.mean):.2f} ± {100 * gain.error:.2f} points {'behind' if gain.mean < 0 else 'ahead of'}"


def test_who_predicts_the_label_that_no_line_separates(visitor):
    lesson = visitor.go("lesson_8")
    data = simulate_lamps(800, dependence=0, random_state=0)
    found = answers_of_depth(data, 500)
    right = {name: (answers == data.Y[500:])[:, 2].mean() for name, answers in found.items()}
    has_line(lesson.text, f"IC is right in {right['IC']:.1%}", f"CC is right in {right['CC']:.1%}")
    has_line(lesson.text, f"right in {right['Stacked']:.1%}", f"{100 * (right['Stacked'] - right['IC']):.1f} points")
    for name in right:
        lesson.set("depth_method", name)
        n_wrong = (found[name] != data.Y[500:])[:, 2].sum()
        assert lesson.figures[0]["data"][2]["name"] == f"predicted wrongly ({n_wrong})"


@pytest.mark.parametrize(
    ("dependence", "share", "hamming"),
    [
        (0.0, "More than nine tenths", "These draws do not decide"),
        (0.5, "Half to nine tenths", "Stacked"),
        (1.0, "Less than half", "Stacked"),
    ],
)
def test_gains_are_parted(visitor, table, dependence, share, hamming):
    lesson = visitor.go("lesson_8").turn(2).set("depth_dependence", dependence)
    depth, by_dependence = gains_of_depth(table, dependence)
    clear = "significant" if dependence else "not significant"
    has_line(
        lesson.text,
        f"At a dependence of {dependence:g}, Stacked is {in_words(depth)} IC",
        f"CC is {in_words(by_dependence)} Stacked",
        f"The first difference is significant, and the second is {clear}",
    )
    lesson.set("lesson 8 share", share)
    assert len(lesson.at.success) == 1
    ann, bob = simulate_lamps(10_000, dependence=dependence, random_state=0).Y[:, 3:].T == 1
    has_line(lesson.text, f"right in {(~ann & ~bob).mean():.0%}", f"{bob[~ann].mean():.0%} of the rooms without Ann")
    lesson.turn(3).set("lesson 8 hamming", hamming)
    assert len(lesson.at.success) == 1
    depth, by_dependence = gains_of_depth(table, dependence, "hamming_score")
    has_line(lesson.text, f"Stacked is {in_words(depth)} IC in Hamming", f"CC is {in_words(by_dependence)} Stacked")


def test_its_python_is_that_of_the_knobs(visit, same_figures):
    address = {"depth_method": "CC", "depth_dependence": "0.75"}
    lesson = visit(**address).go("lesson_8")
    for name, value in address.items():
        lesson.at.query_params[name] = value
    lesson.run()
    figures = [figure for screen in lesson.screens for figure in screen.figures]
    assert figures[0]["data"][2]["name"] != "predicted wrongly (163)"
    same_figures(lesson, figures)
