"""The lattice as far as it is filled, and the candidates."""

from collections import Counter

import numpy as np
import pytest
from sentences import has_line

from trellislib.figures import candidates_figure, step_figure
from trellislib.figures.arrows import PALE
from trellislib.figures.steps import ABOVE_BOXES, CLEARANCE, SHOWN_CANDIDATES
from trellislib.graphs import placement_steps

FOUR = np.array([[0, 0.9, 0.4, 0.1], [0.9, 0, 0.2, 0.3], [0.4, 0.2, 0, 0.5], [0.1, 0.3, 0.5, 0]])
NAMES = ["A", "B", "<C>", "D"]


def random_dependence(n_labels, seed=0):
    upper = np.triu(np.random.default_rng(seed).random((n_labels, n_labels)), 1)
    return upper + upper.T


def steps_from(first, dependence, width, pattern="left-up"):
    found = (placement_steps(dependence, width, pattern, random_state=seed) for seed in range(1000))
    return next(steps for steps in found if steps[0].chosen == first)


def boxes(figure):
    """What is written in each cell, by row and column."""
    return {(box.y, box.x): box.text for box in figure.layout.annotations}


def test_the_lattice_so_far():
    figure = step_figure(steps_from(0, FOUR, 2), 2, NAMES, FOUR)
    assert boxes(figure) == {(0, 0): "A", (0, 1): "B", (1, 0): "★ &lt;C&gt;", (1, 1): "4"}
    framed = {box.text: box.bordercolor for box in figure.layout.annotations}
    assert framed["A"] != framed["B"] == framed["★ &lt;C&gt;"]  # A is the parent
    cells = figure.data[-1]
    assert list(cells.marker.symbol) == ["square", "square", "square", "square-open"]
    assert "to come" in cells.hovertext[3]
    assert "D" not in cells.hovertext[3]
    earlier, weights = [trace for trace in figure.data if trace.mode == "markers+text"]
    assert (earlier.text, earlier.x, earlier.y) == (("0.9",), (0.5,), (0.0,))
    assert (weights.text, weights.x, weights.y) == (("0.4",), (0.0,), (0.5,))
    assert (earlier.textposition, weights.textposition) == (("top center",), ("middle right",))


@pytest.mark.parametrize(("pattern", "side"), [([(-1, -1)], "top right"), ([(-1, 1)], "bottom right")])
def test_numbers_lie_next_to_slanting_edges(pattern, side):
    figure = step_figure(placement_steps(FOUR, 2, pattern, random_state=0), 3, NAMES, FOUR)
    (weights,) = [trace for trace in figure.data if trace.mode == "markers+text"]
    assert (weights.textposition, weights.x, weights.y) == ((side,), (0.5,), (0.5,))


def test_many_columns_have_the_numbers_of_the_step_alone():
    dependence = random_dependence(16)
    steps = placement_steps(dependence, 8, random_state=0)
    (weights,) = [
        trace for trace in step_figure(steps, 12, "ABCDEFGHIJKLMNOP", dependence).data if trace.mode == "markers+text"
    ]
    assert len(weights.text) == len(steps[12].parents) == 2


def test_many_parents_have_the_numbers_of_the_step_alone():
    dependence = random_dependence(9)
    steps = placement_steps(dependence, 3, "left-up-diagonal", random_state=0)
    (weights,) = [
        trace for trace in step_figure(steps, 4, "ABCDEFGHI", dependence).data if trace.mode == "markers+text"
    ]
    assert len(weights.text) == len(steps[4].parents) == 3


@pytest.mark.parametrize(("n_labels", "height"), [(2, 180), (8, 248), (14, 400), (22, 11 * 46), (80, 1000)])
def test_rows_leave_room_for_numbers(n_labels, height):
    dependence = random_dependence(n_labels)
    steps = placement_steps(dependence, 2, random_state=0)
    assert step_figure(steps, 0, [str(label) for label in range(n_labels)], dependence).layout.height == height


def edges_by_opacity(steps, cell):
    """Return how many edges are drawn with which opacity."""
    counted = Counter()
    for trace in step_figure(steps, cell, NAMES, FOUR).data:
        if trace.mode == "lines+markers":
            counted[trace.opacity] += sum(x is None for x in trace.x)
    return counted


def test_edges_of_earlier_steps_stand_back():
    assert edges_by_opacity(steps_from(0, FOUR, 2), 2) == {1: 1, PALE: 1}


def test_the_finished_lattice_has_its_full_colour():
    assert edges_by_opacity(steps_from(0, FOUR, 2), 3) == {1: 4}


def test_the_first_step_has_no_edges():
    figure = step_figure(placement_steps(FOUR, 2, random_state=0), 0, NAMES, FOUR)
    assert len(figure.data) == 1
    assert sorted(boxes(figure).values())[:3] == ["2", "3", "4"]


@pytest.mark.parametrize(("n_labels", "width"), [(150, 12), (50, 50), (400, 3)])
def test_a_large_lattice_is_drawn_around_the_cell(n_labels, width):
    dependence = random_dependence(n_labels)
    steps = placement_steps(dependence, width, random_state=0)
    names = [f"label {number}" for number in range(n_labels)]
    for cell in (0, n_labels // 2, n_labels - 1):
        figure = step_figure(steps, cell, names, dependence)
        shown = boxes(figure)
        assert len(shown) <= 35
        row, column = divmod(cell, width)
        assert shown[row, column].startswith("★")
        for parent in steps[cell].parents:
            assert steps.trellis.positions[parent] in shown
        (down, up), (left, right) = figure.layout.yaxis.range, figure.layout.xaxis.range
        assert all(up < y < down and left < x < right for y, x in shown)


def test_candidates_are_bars_in_parts_by_parent():
    steps = steps_from(0, FOUR, 2)
    figure = candidates_figure(steps[1], NAMES, unit="bits")
    assert list(figure.data[0].x) == [0.9, 0.4, 0.1]
    assert list(figure.layout.yaxis.ticktext) == ["<b>★ B</b>", "&lt;C&gt;", "D"]
    assert not figure.layout.showlegend
    assert "bits" in figure.layout.xaxis.title.text
    last = candidates_figure(steps[3], NAMES)
    assert [list(bar.x) for bar in last.data[:-1]] == [[0.5], [0.3]]
    assert [bar.name for bar in last.data[:-1]] == ["&lt;C&gt;", "B"]
    assert last.layout.showlegend


def test_tiny_numbers_have_no_exponent():
    tiny = FOUR.copy()
    tiny[0, 3] = tiny[3, 0] = 2e-5
    tiny[0, 2] = tiny[2, 0] = 3e-5
    steps = steps_from(0, tiny, 2)
    (*_, weights) = [trace for trace in step_figure(steps, 2, NAMES, tiny).data if trace.mode == "markers+text"]
    assert weights.text == ("&lt;0.0001",)
    figure = candidates_figure(steps[2], NAMES)  # all are tiny
    assert figure.data[-1].text == (" 0.00003", " 0.00002")
    assert figure.layout.xaxis.exponentformat == "none"
    assert candidates_figure(steps[1], NAMES).data[-1].text == (" 0.9", " &lt;0.0001", " &lt;0.0001")


def test_large_numbers_are_written_in_full():
    steps = steps_from(0, 1234.57 * FOUR / FOUR.max(), 2)
    assert candidates_figure(steps[1], NAMES).data[-1].text[0] == " 1,235"


def test_a_number_along_a_row_is_above_the_boxes():
    (weights,) = [
        trace for trace in step_figure(steps_from(0, FOUR, 2), 1, NAMES, FOUR).data if trace.mode == "markers+text"
    ]
    assert weights.marker.size == (ABOVE_BOXES,)
    assert ABOVE_BOXES > CLEARANCE


def test_many_candidates_are_counted():
    dependence = random_dependence(60)
    steps = placement_steps(dependence, 5, random_state=0)
    names = [f"label {number}" for number in range(60)]
    figure = candidates_figure(steps[7], names)
    assert len(figure.data[0].x) == SHOWN_CANDIDATES
    step = steps[7]
    rest = len(step.candidates) - SHOWN_CANDIDATES
    has_line(figure.layout.xaxis.title.text, f"{rest} more", f"{step.gains[SHOWN_CANDIDATES]:.3g} nats", "most")


def test_the_label_that_was_drawn_is_among_those_shown():
    dependence = random_dependence(60)
    step = next(
        steps[0] for seed in range(9) if (steps := placement_steps(dependence, random_state=seed))[0].chosen > 20
    )
    figure = candidates_figure(step, [f"label {number}" for number in range(60)])
    assert f"<b>★ label {step.chosen}</b>" in figure.layout.yaxis.ticktext
    assert len(figure.layout.yaxis.ticktext) == SHOWN_CANDIDATES


def test_of_two_numbers_that_would_collide_the_lower_is_left_out():
    names = [str(label) for label in range(40)]

    def numbers(dependence):
        steps = placement_steps(dependence, 4, random_state=0)
        figure = step_figure(steps, 39, names, dependence)
        return [text for trace in figure.data if trace.mode == "markers+text" for text in trace.text]

    short, long = (numbers(scale * random_dependence(40)) for scale in (1.0, 0.0001))
    assert "" in long
    assert "" not in short
    assert max(float(text) for text in long if text) == max(float(text) for text in short) / 10_000


def test_a_number_of_the_step_stays_where_it_collides_with_an_earlier_one():
    names = [str(label) for label in range(40)]
    dependence = 0.0001 * random_dependence(40)
    steps = placement_steps(dependence, 4, random_state=0)
    for cell in range(5, 40):
        figure = step_figure(steps, cell, names, dependence, width=240)
        *_, of_step = [trace.text for trace in figure.data if trace.mode == "markers+text"]
        assert "" not in of_step
