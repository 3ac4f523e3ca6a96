"""The knobs of the Trellis page, from which a shape is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st
from components.parts import asking, plain
from state.tuning import (
    CRITERIA,
    CUSTOM,
    MOST_SEED,
    MUTUAL_INFORMATION,
    PLACEMENTS,
    SEARCH,
    WITHOUT_CRITERION,
    Shape,
    Swap,
    swaps_in,
    written_swaps,
)
from state.workspace import Workspace
from streamlit.delta_generator import DeltaGenerator

from trellislib.graphs import PATTERNS
from views.trellis.pattern_editor import offsets_in, pattern_editor, written_offsets

MOST_SWAPS = 10_000  # of a search
SLIDING = 60  # labels up to which a slider finds every width

ask = asking(
    width="Columns of the lattice. 1 is a single column of labels. The paper uses the square root of L.",
    swaps="Labels that swap places after placement, by their numbers from 0. The view By hand swaps by name and by "
    "drag.",
    guide="The placement criterion. The paper uses mutual information. Co-occurrence grows with frequency and may be "
    "better. Residual information is dependence beyond the features.",
    n_swaps="Number of swaps of two labels that a search tries.",
    pattern="The earlier cells that each label is predicted from. The paper's experiments use left and up.",
    placement="  \n".join(f"**{name.replace('-', ' ').capitalize()}**: {what}" for name, what in PLACEMENTS.items()),
    seed="Draws the first label.",
)


@dataclass(frozen=True)
class Places:
    """Where the knobs are: in two rows on a page, in one row and a popover on the stage."""

    view: DeltaGenerator
    width: DeltaGenerator
    others: DeltaGenerator
    scores: DeltaGenerator
    more: DeltaGenerator | None  # of those that open from a button; None where `others` has that button
    search: DeltaGenerator  # for what it takes to find the shape

    @classmethod
    def on_page(cls) -> Places:
        first = st.container(horizontal=True, vertical_alignment="bottom")
        search = st.container(horizontal=True, vertical_alignment="bottom")
        second = st.container(horizontal=True, vertical_alignment="bottom")
        return cls(second, first, first, second, None, search)

    @classmethod
    def on_stage(cls) -> Places:
        search = st.container(horizontal=True, vertical_alignment="bottom")
        row = st.container(horizontal=True, vertical_alignment="bottom", key="stage row")
        view, width = row.container(width="content"), row.container(width="content")
        knobs = row.popover("Knobs", icon=":material/tune:")
        return cls(view, width, knobs, knobs, knobs, search)


def controls(places: Places, shape: Shape, names: Sequence[str], criteria: Sequence[str]) -> Shape:
    """Show the knobs, set to `shape` when they are new; return the shape that they say."""
    n_labels = len(names)
    for knob in ("width", "pattern", "placement", "seed", "n_swaps"):
        st.session_state.setdefault(knob, getattr(shape, knob))
    st.session_state.setdefault("guide", shape.criterion)
    st.session_state.setdefault("offsets", written_offsets(shape.custom))
    st.session_state.setdefault("swaps", written_swaps(shape.swaps))
    for text in ("offsets", "swaps"):  # set again, because a popover that opens later would begin with nothing
        st.session_state[text] = st.session_state[text]
    with places.width:
        width = _width(n_labels) if n_labels > 1 else 1
    with places.others:
        pattern = ask(
            st.selectbox,
            "Parents",
            "pattern",
            [*PATTERNS, CUSTOM],
            format_func=lambda name: f"{name} ({len(PATTERNS[name])})" if name in PATTERNS else name,
            width=168,
        )
        placement = ask(
            st.selectbox,
            "Placement",
            "placement",
            PLACEMENTS,
            format_func=lambda placement: placement.replace("-", " ").capitalize(),
            width=138,
        )
        if placement in WITHOUT_CRITERION:
            _no_criterion()
        else:
            _criterion(criteria)
        ask(st.number_input, "Seed", "seed", 0, MOST_SEED, width=84)
        is_custom = pattern == CUSTOM
        more = places.more or st.popover(
            "Cells and more" if is_custom else "More", icon=":material/grid_on:" if is_custom else ":material/tune:"
        )
    st.session_state["n_swaps"] = st.session_state["n_swaps"]  # kept while its widget is away
    if placement == SEARCH:
        with places.search:
            ask(st.number_input, "Swaps", "n_swaps", 1, MOST_SWAPS, width=110)
    with more:
        pattern_editor(width, None if is_custom else PATTERNS[pattern])
    tuned = _said()
    if shape.swaps and shape.unswapped != tuned and st.session_state["swaps"] == written_swaps(shape.swaps):
        st.session_state["swaps"] = ""
        st.toast("The placement changed, so the swaps by hand are undone.", icon=":material/undo:")
    with more:
        return replace(tuned, swaps=_by_hand(names))


def keep_last_choice(workspace: Workspace) -> None:
    """Keep what was chosen right before the page was left: its script may have been ended before it saw that."""
    if st.session_state.keys() >= {"offsets", "pattern", "placement", "width"}:
        shape, said = workspace.shape, _said()
        workspace.tune(shape if said == shape.unswapped else said)


def _said() -> Shape:
    """Return the shape that the knobs say, without the swaps by hand."""
    state = st.session_state
    placement = state["placement"]
    criterion = MUTUAL_INFORMATION if placement in WITHOUT_CRITERION else state["guide"]
    custom, _ = offsets_in(state["offsets"])
    said = Shape(state["width"], state["pattern"], custom, placement, state["seed"], criterion)
    return replace(said, n_swaps=state["n_swaps"]) if placement == SEARCH else said


def _width(n_labels: int) -> int:
    """Show the width as a slider, or where that has too many places to find one, as a number."""
    st.session_state["width"] = min(st.session_state["width"], n_labels)
    return ask(st.slider if n_labels <= SLIDING else st.number_input, "Width", "width", 1, n_labels, width=116)


def _by_hand(names: Sequence[str]) -> tuple[Swap, ...]:
    """Show the labels that changed places by hand as a text; return them."""
    text = ask(st.text_input, "Swaps by hand", "swaps", placeholder="3-7,1-2")
    swaps, unread = swaps_in(text or "", len(names))
    if unread:
        some = ", ".join(unread[:3]) + " and more" * (len(unread) > 3)
        st.caption(plain(f"Ignored, because it is no pair of labels from 0 to {len(names) - 1}: {some[:80]}."))
    return swaps


def _criterion(criteria: Sequence[str]) -> None:
    if st.session_state["guide"] not in criteria:
        st.session_state["guide"] = MUTUAL_INFORMATION
    ask(
        st.selectbox,
        "Placement criterion",
        "guide",
        criteria,
        format_func=lambda criterion: CRITERIA[criterion][0],
        width=164,
    )


def _no_criterion() -> None:
    """Show that a placement has no criterion; the one that was chosen comes back with a placement that has."""
    st.session_state["guide"] = st.session_state["guide"]  # kept though its widget is away
    st.selectbox(
        "Placement criterion",
        ["not used"],
        key="no guide",
        disabled=True,
        width=164,
        help="This placement has no criterion.",
    )
