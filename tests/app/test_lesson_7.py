"""Lesson 7: what it says of answers for a score."""

import re

import numpy as np
import pytest
from sentences import has_line
from views.lessons import deciding

from trellislib import ClassifierChain, Logistic
from trellislib.data import packaged, simulate_shapes
from trellislib.studies.deciding import best_answers

IN_WORDS = {"exact_match": "exact match", "hamming_score": "Hamming score", "accuracy": "accuracy"}


@pytest.fixture(scope="module")
def shapes():
    return best_answers(simulate_shapes(1500, overlap=1.0, random_state=0), ClassifierChain(Logistic()))


@pytest.fixture(scope="module")
def yeast():
    return best_answers(packaged("yeast"), ClassifierChain(Logistic()))


def in_words(labels):
    return (
        re.sub(r", (?=[^,]*$)", " and ", ", ".join(f"y{label + 1}" for label in np.flatnonzero(labels))) or "no label"
    )


@pytest.mark.parametrize(
    ("row", "key"), [(1, "exact_match"), (1, "accuracy"), (26, "hamming_score"), (497, "accuracy")]
)
def test_the_answers_to_a_row_are_reported(visitor, shapes, row, key):
    lesson = visitor.go("lesson_7").set("deciding_row", row).set("deciding_score", key)
    answers = {of: in_words(found[row - 1]) for of, found in shapes.decided.items()}
    expected = shapes.expected(key, row - 1, shapes.decided[key][[row - 1]])[0]
    words = IN_WORDS[key]
    has_line(
        lesson.text,
        f"The best answer for {words} in row {row} is {answers[key]}, with an expected score of {expected:.2f}.",
        f"The truth is {in_words(shapes.truth[row - 1])}.",
    )
    mode = shapes.probabilities[row - 1].max()
    has_line(lesson.text, "most probable set", f"{answers['exact_match']}, with {mode:.0%}")
    y1, y2, y3 = (f"{p:.0%} for y{label}" for label, p in enumerate(shapes.marginals[row - 1], 1))
    has_line(lesson.text, f"{y1}, {y2} and {y3}, so the answer is {answers['hamming_score']}")
    has_line(lesson.text, "Accuracy", f"gives {answers['accuracy']}")
    has_line(lesson.text, "F1", f"The best answer is {answers['example_f1']}")


def test_it_begins_with_a_row_of_four_answers(visitor, shapes):
    lesson = visitor.go("lesson_7")
    assert shapes.n_different[0] == 4
    has_line(lesson.text, f"{(shapes.n_different == 1).sum()} of the 497 rows have the same")


def test_rows_whose_answers_differ_are_gone_through(visitor, shapes):
    lesson = visitor.go("lesson_7")
    differ = np.flatnonzero(shapes.n_different > 1) + 1
    lesson.click("next differing row")
    assert lesson.widget("deciding_row").value == differ[1]
    lesson.set("deciding_row", int(differ[-1])).click("next differing row")
    assert lesson.widget("deciding_row").value == differ[0]


@pytest.mark.parametrize("name", ["shapes", "yeast"])
def test_what_decisions_are_worth_is_reported(visitor, name, shapes, yeast):
    lesson = visitor.go("lesson_7").turn(2).set("deciding_data", name)
    found = {"shapes": shapes, "yeast": yeast}[name]
    reached = found.reached
    compared = f"the {len(yeast.sets)} label sets seen in training" if name == "yeast" else "all 8 label sets"
    has_line(lesson.text, compared, f"{len(found.truth)} test rows of {name}")
    n_first = sum(reached.loc[key, key] == reached[key].max() for key in reached)
    assert n_first == 4
    has_line(lesson.text, f"in {n_first} of 4 columns")
    exact = reached["exact_match"]
    has_line(lesson.text, f"Exact match is {exact['exact_match']:.1%}", f"{exact.min():.1%} if example F1 is")
    lesson.set("lesson 7 most", "F1")
    sizes = {key: found.decided[key].sum(axis=1).mean() for key in found.decided}
    assert max(sizes, key=sizes.__getitem__) == "example_f1"
    assert len(lesson.at.success) == 1
    has_line(lesson.text, *(f"{size:.2f} labels" for size in sizes.values()), f"{found.truth.sum(axis=1).mean():.2f}")


def test_its_python_is_that_of_the_knobs(visitor, same_figures):
    lesson = visitor.go("lesson_7").set("deciding_row", 26).set("deciding_score", "accuracy")
    lesson.turn(2).set("deciding_data", "yeast")
    same_figures(lesson, [figure for screen in lesson.screens for figure in screen.figures])


def test_its_controls_are_in_the_address(visit):
    address = {"deciding_score": "F1", "deciding_row": "26", "deciding_data": "yeast"}
    lesson = visit(**address).go("lesson_7")
    for name, value in address.items():
        lesson.at.query_params[name] = value
    lesson.run()
    has_line(lesson.text, "The best answer for example F1 in row 26")
    has_line(lesson.turn(2).text, "test rows of yeast")


def test_its_score_goes_on_to_train(visit):
    query = deciding.LESSON.query()
    train = visit(**query).go("train")
    for name, value in query.items():
        train.at.query_params[name] = value
    train.run()
    assert train.widget("decide").value == "exact match"
