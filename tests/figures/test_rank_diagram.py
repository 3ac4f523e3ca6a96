"""Demsar's diagram and the paper's bars, as drawings."""

import numpy as np
import pandas as pd
import pytest
from drawings import assert_readable, of_kind, shown_text, text_at
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sentences import has_line

from trellislib.figures import METHOD_STYLES, rank_bars, rank_diagram
from trellislib.figures.drawing import Dot, Line, Rectangle
from trellislib.ranking import critical_distance

PAPER = pd.Series({"IC": 5.75, "ECC": 2.125, "MCC": 4.125, "EBCC": 3.625, "CT": 3.875, "ECT": 2.625, "CDT": 5.875})
THREE = pd.Series({"IC": 3.0, "CT": 1.0, "ECT": 2.0})


def leaders(drawing):
    """Return the lines from the axis to names, best first."""
    return sorted((m for m in of_kind(drawing, Line) if len(m.points) > 2), key=lambda line: line.points[1][0])


# Demsar's


def test_three_methods_by_hand():
    drawing = rank_diagram(THREE, 1.5, [("CT", "ECT")])
    one, three = text_at(drawing, "1").x, text_at(drawing, "3").x
    unit = (three - one) / 2

    assert_allclose([dot.x for dot in of_kind(drawing, Dot)], [one, one + unit, three])
    assert_allclose([line.points[0][0] for line in leaders(drawing)], [one, one + unit, three])
    (bar,) = of_kind(drawing, Rectangle)
    assert_allclose([bar.x + 4, bar.x + bar.width - 4], [one, one + unit])
    ruler = next(mark for mark in of_kind(drawing, Line) if mark.width == 1.5)
    assert_allclose([point[0] for point in ruler.points], [one, one + 1.5 * unit])
    assert text_at(drawing, "CD = 1.50").x == pytest.approx(one + 0.75 * unit)
    assert shown_text(drawing)[-6:] == ["1.00", "CT", "2.00", "ECT", "3.00", "IC"]
    assert "← better" in shown_text(drawing)


def test_the_better_half_is_at_the_left_and_best_and_worst_are_on_top():
    drawing = rank_diagram(PAPER, 2.908)
    middle = drawing.width / 2
    at = {text.text: text for text in drawing.texts}

    assert [m for m in PAPER.sort_values().index if at[m].x < middle] == ["ECC", "ECT", "EBCC", "CT"]
    assert at["ECC"].y < at["ECT"].y < at["EBCC"].y < at["CT"].y
    assert at["CDT"].y < at["IC"].y < at["MCC"].y
    assert {"2.12", "2.62", "3.88", "5.75"} <= set(shown_text(drawing))


def test_leaders_end_at_the_row_of_their_name_in_the_methods_colour():
    drawing = rank_diagram(PAPER, 2.908)
    for line, method in zip(leaders(drawing), PAPER.sort_values().index, strict=True):
        _, top, _, bottom = text_at(drawing, method).box
        assert top < line.points[-1][1] < bottom
        assert line.color == METHOD_STYLES[method].color
        assert f"{method}: average rank {PAPER[method]:.3f}" == text_at(drawing, method).hover


def test_groups_that_overlap_lie_on_levels_of_their_own_and_others_share_one():
    drawing = rank_diagram(PAPER, None, [("ECC", "ECT"), ("EBCC", "CT", "MCC"), ("MCC", "IC"), ("IC", "CDT")])
    first, second, third, fourth = of_kind(drawing, Rectangle)

    assert [bar.y - first.y for bar in (second, third, fourth)] == [0, 10, 0]
    bars = [first, second, third, fourth]
    for i, one in enumerate(bars):
        for other in bars[:i]:
            apart = one.x + one.width < other.x or other.x + other.width < one.x
            assert apart or one.y != other.y
    assert "EBCC, CT, MCC" in second.hover


def test_bars_have_dots_where_one_passes_over_another_method():
    contiguous = rank_diagram(THREE, None, [("CT", "ECT", "IC")])
    passing = rank_diagram(THREE, None, [("CT", "IC")])

    assert len(of_kind(contiguous, Dot)) == 3
    ink = [dot.x for dot in of_kind(passing, Dot) if dot.color is None]
    assert_allclose(ink, [text_at(passing, "1").x, text_at(passing, "3").x])


def test_without_groups_or_distance_there_is_neither_bar_nor_ruler():
    drawing = rank_diagram(PAPER, None, [])

    assert not of_kind(drawing, Rectangle)
    assert not any("CD =" in text for text in shown_text(drawing))
    assert not any(mark.width == 1.5 for mark in of_kind(drawing, Line))


def test_a_distance_longer_than_the_axis_is_noted():
    drawing = rank_diagram(THREE, critical_distance(3, 2))

    has_line(shown_text(drawing), "CD = 2.05", "longer than", "axis", "no two methods", "differ")
    assert_readable(drawing)


@pytest.mark.parametrize("n_methods", [2, 3, 7, 20])
def test_tied_methods_have_leaders_of_their_own(n_methods):
    tied = pd.Series((n_methods + 1) / 2, [f"m{j}" for j in range(n_methods)])
    drawing = rank_diagram(tied, 1.0)
    lines = leaders(drawing)

    assert len({line.points[0] for line in lines}) == 1
    uprights = np.array([line.points[-2][0] for line in lines])
    assert (np.diff(uprights) > 3.99).all()
    assert_allclose(uprights.mean(), lines[0].points[0][0])
    assert_readable(drawing)


def test_a_title_and_blanks_in_names_stay_on_one_line():
    drawing = rank_diagram(pd.Series({"a\n b": 1.0, "c\x00": 2.0}), title="Accuracy\tof two")

    assert {"Accuracy of two", "a b", "c"} <= set(shown_text(drawing))


names = st.lists(
    st.text(st.characters(min_codepoint=32, max_codepoint=0x3FF), max_size=60), min_size=2, max_size=30, unique=True
)


@settings(max_examples=50, deadline=None)
@given(names=names, data=st.data(), width=st.sampled_from([300.0, 640.0]))
def test_nothing_overlaps_and_nothing_is_cut(names, data, width):
    k = len(names)
    values = data.draw(st.lists(st.floats(1, k), min_size=k, max_size=k))
    ranks = pd.Series(values, names)
    ordered = list(ranks.sort_values(kind="stable").index)
    cuts = data.draw(st.lists(st.tuples(st.integers(0, k - 1), st.integers(0, k - 1)), max_size=8))
    groups = [tuple(ordered[min(cut) : max(cut) + 1]) for cut in cuts]
    distance = data.draw(st.none() | st.floats(0.01, 30))
    diagram = rank_diagram(ranks, distance, groups, width=width, title="a title")

    assert_readable(diagram)
    assert diagram.width >= width
    uprights = np.array([line.points[-2][0] for line in leaders(diagram)])
    assert (np.diff(uprights) > 3.99).all()
    assert_readable(rank_bars(ranks, distance or 1.0, width=width, title="a title"))


# The paper's


def test_bars_go_from_the_rank_to_the_distance_after_it():
    drawing = rank_bars(THREE, 1.5)
    one, three = text_at(drawing, "1").x, text_at(drawing, "3").x
    unit = (three - one) / 2
    bars = [bar for bar in of_kind(drawing, Rectangle) if bar.hover]

    assert_allclose([bar.x for bar in bars], [one, one + unit, three])
    assert_allclose([bar.width for bar in bars], 1.5 * unit)
    assert [bar.color for bar in bars] == [METHOD_STYLES[method].color for method in ("CT", "ECT", "IC")]
    assert bars[0].y < bars[1].y < bars[2].y
    assert all(part in bars[2].hover for part in ("IC", "3.000", "4.500"))
    has_line(shown_text(drawing), "bars", "apart differ (CD = 1.50)")
    assert_readable(drawing)


def test_bars_of_the_paper_overlap_where_methods_do_not_differ():
    bars = {bar.hover.split(":")[0]: bar for bar in of_kind(rank_bars(PAPER, 2.908), Rectangle) if bar.hover}

    for one in PAPER.index:
        for other in PAPER.index:
            apart = bars[one].x + bars[one].width < bars[other].x
            assert apart == (PAPER[other] - PAPER[one] > 2.908)


def test_bars_can_keep_the_given_order_and_colours_do_not_depend_on_it():
    ranks = pd.Series({"mine": 2.5, "yours": 1.5, "theirs": 2.0})
    given, sorted_ = rank_bars(ranks, 1.0, by_rank=False), rank_bars(ranks, 1.0)

    assert [text for text in shown_text(given) if text in ranks.index] == ["mine", "yours", "theirs"]
    assert [text for text in shown_text(sorted_) if text in ranks.index] == ["yours", "theirs", "mine"]
    colors = [{bar.hover: bar.color for bar in of_kind(drawing, Rectangle)} for drawing in (given, sorted_)]
    assert colors[0].items() >= {bar: color for bar, color in colors[1].items() if bar}.items()


# What is refused


@pytest.mark.parametrize("draw", [rank_diagram, rank_bars])
@pytest.mark.parametrize(
    ("ranks", "distance", "message"),
    [
        (pd.Series({"CT": 1.0}), 1.0, "ranks of 1 methods"),
        (pd.Series([1.0, 2.0], ["CT", "CT"]), 1.0, "'CT' has two average ranks"),
        (pd.Series({"CT": 1.0, "IC": np.nan}), 1.0, "average rank nan of 'IC'"),
        (pd.Series({"CT": 1.0, "IC": 0.5}), 1.0, "average rank 0.5 of 'IC'"),
        (THREE, 0.0, "critical_distance=0.0"),
        (THREE, np.inf, "critical_distance=inf"),
    ],
)
def test_what_makes_no_picture_is_refused(draw, ranks, distance, message):
    with pytest.raises(ValueError, match=message):
        draw(ranks, distance)


def test_a_group_of_unknown_methods_is_refused():
    with pytest.raises(ValueError, match=r"names 'CC', .*no average rank"):
        rank_diagram(THREE, 1.0, [("CT", "CC")])
