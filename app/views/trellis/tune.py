"""Tune: the lattice, how much of the dependence it captures, and how it scores at every turn of a knob."""

from __future__ import annotations

from functools import partial

import streamlit as st
from components.parts import button, figure, legend_on_stage, signs_of
from components.pinning import pinning
from components.saving import graph_files
from state import derived
from state.call import Call
from state.tuning import CLIMBING, MUTUAL_INFORMATION, SWAPS

from trellislib.figures import captured_figure
from trellislib.figures.lattice import DRAWN_EDGES
from trellislib.summaries import about_drawn, about_starts, about_trellis, about_trellis_score
from trellislib.wording import three_digits
from views.trellis import pinned, scores
from views.trellis.placed import Placed, View

MOST_COMPARED = 200  # labels up to which placing them from many seeds takes no time


def show(placed: Placed) -> View:
    """Show the lattice, and next to it what it captures and how it scores; or two of them, where one is pinned."""
    body = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key="own knobs"):
        is_pinnable = derived.bench(placed.data).is_placed_at_once(placed.shape)
        setting = pinned.written(placed.shape) if is_pinnable else None
        other = pinning("trellis", setting, partial(pinned.read, data=placed.data))
        _offer_other(placed)
        st.page_link("views/train/page.py", label="Train with this trellis", icon=":material/play_circle:")
    with body:
        return _alone(placed) if other is None else pinned.both(other, placed)


def _alone(placed: Placed) -> View:
    data, shape, trellis = placed.data, placed.shape, placed.trellis
    drawn, bars = placed.figure(), against_random(placed)
    left, right = st.columns([5, 3], gap="medium")
    with left:
        lattice(placed, drawn, key="lattice")
    with right:
        with st.container(horizontal=True):
            captured = placed.captured
            bound = derived.bound(data, *shape.lattice)
            if shape.criterion == MUTUAL_INFORMATION:
                st.metric(
                    "Captured", f"{three_digits(captured)} nats", help="Sum of the mutual information on the edges."
                )
            else:
                st.metric("Captured", f"{three_digits(captured)}", help=f"Sum over the edges, in {placed.unit}.")
                st.metric(
                    "Mutual information",
                    f"{three_digits(placed.captured_of(MUTUAL_INFORMATION))} nats",
                    help="Mutual information on the same edges, to compare criteria.",
                )
            st.metric(
                "Of the upper bound",
                f"{captured / bound:.0%}" if bound > 0 else "none",
                help="No placement into this lattice can capture more than the upper bound, which may be out of reach.",
            )
            st.metric("Edges", f"{len(trellis.edges):,}")
        if placed.scores:
            scores.table(placed, placed.scores)
        figure(bars, alt=sentence(placed), key="captured", stem=f"{data.name}-captured")
        if 1 < data.n_labels <= MOST_COMPARED and trellis.edges:
            random = derived.captured_at_random(data, *shape.lattice)
            climbed = derived.captured_by_climbing(data, *shape.lattice)
            st.caption(about_starts(climbed, random, placed.unit))
    return View(sentence(placed), placed.script(drawn, bars))


def _offer_other(placed: Placed) -> None:
    """Show the button that leads from swaps to Algorithm 1 as printed, or from there to swaps."""
    shape = placed.workspace.shape
    if shape.placement == SWAPS:
        button("Algorithm 1 as printed", "other placement", "article", _place, CLIMBING)
    elif shape.placement == CLIMBING:
        button("Improve by swaps of two labels", "other placement", "swap_horiz", _place, SWAPS)


def _place(how: str) -> None:
    st.session_state["placement"] = how


def lattice(placed: Placed, drawn: Call, key: str) -> None:
    """Show the trellis as it is `drawn`, with what its arrows mean."""
    signs = signs_of(placed.data)
    legend_on_stage(signs)
    figure(
        drawn,
        alt=sentence(placed),
        key=key,
        stem=f"{placed.data.name}-trellis",
        more={"graph": graph_files(placed.trellis, placed.names, dependence=placed.dependence, signs=placed.signs)},
    )
    st.caption(
        f"Arrows run from parent to child. Thick edges have more dependence, in {placed.unit}. Point at one to read "
        f"it. {signs} {about_drawn(len(placed.trellis.edges), DRAWN_EDGES)}"
    )


def against_random(placed: Placed) -> Call:
    """Return the call that draws what the trellis captures next to random placements and what is possible."""
    data, captured = placed.workspace.call, Call(sum, placed.weights.values())
    random, bound = (of(data, *placed.shape.lattice) for of in (derived.captured_at_random, derived.bound))
    return Call(captured_figure, captured, random, bound, unit=placed.unit)


def sentence(placed: Placed) -> str:
    """Return what the trellis captures and, as far as that is known, how it scores."""
    captures = about_trellis(
        placed.captured,
        derived.bound(placed.data, *placed.shape.lattice),
        derived.captured_at_random(placed.data, *placed.shape.lattice),
        len(placed.trellis.edges),
        placed.unit,
    )
    of_scores = placed.scores or {}
    return " ".join([captures, *(about_trellis_score(of_scores, one) for one in scores.measures(placed) if of_scores)])
