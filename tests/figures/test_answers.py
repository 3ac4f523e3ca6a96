"""Label sets with the expected scores of answers, and what answers reach."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from trellislib.figures import answer_figure, reached_figure
from trellislib.studies.deciding import SCORES, Answers

SETS = np.array([[0, 0], [1, 0], [1, 1]])
DECIDED = {
    "exact_match": np.array([[0, 0], [1, 1]]),
    "hamming_score": np.array([[1, 0], [1, 0]]),
    "accuracy": np.array([[1, 0], [1, 1]]),
    "example_f1": np.array([[0, 1], [1, 1]]),
}
ANSWERS = Answers(SETS, np.array([[0.4, 0.35, 0.25], [0.1, 0.2, 0.7]]), DECIDED, np.array([[1, 1], [1, 1]]))
NAMES = ("<a>", "b")


def test_sets_are_drawn_by_their_probability():
    figure = answer_figure(ANSWERS, 1, "exact_match", NAMES)
    bars, expected, best = figure.data
    assert bars.x == (0.7, 0.2, 0.1)
    assert bars.y == expected.y == (0, 1, 2)
    assert figure.layout.yaxis.ticktext == ("<b>★ &lt;a&gt; and b (true)</b>", "&lt;a&gt;", "no label")
    assert expected.x == bars.x
    assert (best.x, best.y) == ((0.7,), (0,))


def test_the_star_is_where_the_expected_score_is():
    figure = answer_figure(ANSWERS, 0, "hamming_score", NAMES)
    bars, expected, best = figure.data
    assert bars.x == (0.4, 0.35, 0.25)
    assert_allclose(expected.x, [0.575, 0.675, 0.425])
    assert best.y == (1,)
    assert best.x[0] == expected.x[1] == max(expected.x)
    assert "expected Hamming score 0.675" in expected.hovertext[1]
    assert "expected Hamming score" in figure.layout.xaxis.title.text
    assert [text.startswith("<b>★") for text in figure.layout.yaxis.ticktext] == [False, True, False]


def test_an_answer_without_a_probability_is_drawn():
    figure = answer_figure(ANSWERS, 0, "example_f1", NAMES)
    assert figure.data[0].x == (0.4, 0.35, 0.25, 0.0)
    assert figure.layout.yaxis.ticktext[3] == "<b>★ b</b>"


@pytest.mark.parametrize("answer", [0, 15])
def test_of_many_sets_the_most_probable_and_the_answer_are_drawn(answer):
    sets = np.array([[int(bit) for bit in f"{number:04b}"] for number in range(16)])
    p = np.arange(16, 0, -1) / 136
    many = Answers(sets, p[None], {"accuracy": sets[[answer]]}, sets[[12]])
    bars, _, best = answer_figure(many, 0, "accuracy", "abcd").data
    assert len(bars.x) == 8
    assert bars.x[:7] == tuple(p[:7])
    assert best.y == ((0,) if answer == 0 else (7,))
    assert bars.x[7] == p[7 if answer == 0 else 15]


def test_the_best_of_each_score_is_starred_and_the_diagonal_framed():
    figure = reached_figure(ANSWERS)
    (cells,) = figure.data
    table = ANSWERS.reached
    for column, measure in enumerate(SCORES):
        best = table[measure].max()
        for row, decided in enumerate(SCORES):
            score = table.loc[decided, measure]
            text = f"{score:.3f}"
            assert cells.text[row][column] == (f"<b>★ {text}</b>" if score == best else text)
            assert (cells.z[row][column] == 0) == (score == best)
            assert f"{100 * (best - score):.1f} points behind" in cells.hovertext[row][column]
    assert np.max(cells.z, axis=0).tolist() == [1, 1, 1, 1]
    assert [(shape.x0 + shape.x1) / 2 for shape in figure.layout.shapes] == [0, 1, 2, 3]
    assert [(shape.y0 + shape.y1) / 2 for shape in figure.layout.shapes] == [0, 1, 2, 3]


def test_answers_that_are_all_alike_are_all_best():
    alike = Answers(SETS, ANSWERS.probabilities, dict.fromkeys(SCORES, SETS[:2]), ANSWERS.truth)
    (cells,) = reached_figure(alike).data
    assert np.all(np.array(cells.z) == 0)
    assert all(text.startswith("<b>★") for row in cells.text for text in row)
