"""A pinned setting of the trellis next to the present one."""

import pytest
from sentences import has_line, holds
from state.tuning import DECISIONS, MOST_SEED, Shape
from views.trellis import pinned

from trellislib.data import packaged


@pytest.fixture(scope="module")
def yeast():
    return packaged("yeast")


def test_what_is_pinned_is_read_back(yeast):
    for shape in (
        Shape(3),
        Shape(
            5, "left-up-second", placement="hill-climbing", seed=7, criterion="co-occurrence", swaps=((0, 3), (1, 2))
        ),
        Shape(2, "custom", custom=((0, -1), (-1, 1))),
    ):
        assert pinned.read(pinned.written(shape), yeast) == shape


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "width"),
        ("width=0", "width"),
        ("width=99", "width '99'"),
        (f"width=3&seed={MOST_SEED + 1}", "seed"),
        ("width=3&seed=0&parents=none", "parents 'none'"),
        (pinned.written(Shape(3, placement="search")), "search takes long"),
        (pinned.written(Shape(3)) + "&swaps=3-99,x", "3-99"),
    ],
)
def test_what_no_knob_can_say_is_named(yeast, text, what):
    with pytest.raises(ValueError, match=r"expected|pin another|no labels") as wrong:
        pinned.read(text, yeast)
    holds(str(wrong.value), what)


def test_a_pinned_setting_is_shown_next_to_the_present_one(visitor, visit):
    visitor.go("trellis").click("pin trellis")
    has_line(visitor.takeaway, "A and B are the same setting")
    visitor.set("placement", "hill-climbing")
    has_line(visitor.takeaway, "placement hill-climbing instead of swaps", "B captures 1.18 nats", "A 1.78 nats")
    has_line(visitor.takeaway, "Exact match of B is 0.169", "A (0.189)")
    (table,) = [table.value for table in visitor.at.table]
    assert list(table.index) == ["A", "B", "IC"]
    assert len(visitor.charts) == 2

    linked = visit(trellis_a=pinned.written(Shape(3)), placement="Hill climbing")
    assert linked.go("trellis").takeaway == visitor.takeaway
    visitor.click("pin trellis")
    has_line(visitor.takeaway, "This trellis captures 1.18 nats")


def test_a_link_that_pins_what_is_none_shows_the_page_and_why(visit):
    visitor = visit(trellis_a="width=99").go("trellis")
    assert any("99" in toast.value for toast in visitor.at.toast)
    has_line(visitor.takeaway, "This trellis captures")


def test_labels_of_more_values_decide_as_they_can():
    shape = Shape(2, decide=DECISIONS["accuracy"])
    with pytest.raises(ValueError, match="expected one of as the paper does"):
        pinned.read(pinned.written(shape), packaged("solar-flare"))
