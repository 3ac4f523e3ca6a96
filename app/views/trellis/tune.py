"""Tune: the lattice, how much of the dependence it captures, and how it scores at every turn of a knob."""

from __future__ import annotations

import numpy as np
import streamlit as st
from components.parts import SIGNS, button, figure
from components.saving import graph_files
from state import derived
from state.call import Call
from state.tuning import CLIMBING, MUTUAL_INFORMATION

from trellislib.figures import captured_figure
from trellislib.figures.lattice import DRAWN_EDGES
from trellislib.summaries import about_drawn, about_starts, about_trellis, about_trellis_score, best_seeds
from trellislib.wording import ROUNDING, amount
from views.trellis import scores
from views.trellis.placed import Placed, View

MOST_COMPARED = 200  # labels up to which placing them from many seeds takes no time


def show(placed: Placed) -> View:
    """Show the lattice, and next to it what it captures and how it scores."""
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
                st.metric("Captured", f"{captured:.3g} nats", help="Sum of the mutual information on the edges.")
            else:
                st.metric("Captured", f"{captured:.3g}", help=f"Sum over the edges, in {placed.unit}.")
                st.metric(
                    "Mutual information",
                    f"{placed.captured_of(MUTUAL_INFORMATION):.3g} nats",
                    help="What the same edges capture of the mutual information, to compare criteria by.",
                )
            st.metric(
                "Of the possible",
                f"{captured / bound:.0%}" if bound > 0 else "none",
                help="No placement into this lattice can capture more than the bound; it may not be reachable.",
            )
            st.metric("Edges", f"{len(trellis.edges):,}")
        if placed.scores:
            scores.table(placed, placed.scores)
        figure(bars, alt=sentence(placed), key="captured", stem=f"{data.name}-captured")
        if 1 < data.n_labels <= MOST_COMPARED and trellis.edges:
            random = derived.captured_at_random(data, *shape.lattice)
            climbed = derived.captured_by_climbing(data, *shape.lattice)
            st.caption(about_starts(climbed, random, placed.unit))
            _offer_seed(placed, climbed)
        st.page_link("views/train/page.py", label="Train with this trellis", icon=":material/play_circle:")
    return View(sentence(placed), placed.script(drawn, bars))


def _offer_seed(placed: Placed, climbed: np.ndarray) -> None:
    """Show the button that takes the seed by which hill climbing captures most, where that is more than is shown."""
    best, most = best_seeds(climbed)[0], climbed.max()
    is_climbed = placed.workspace.shape.placement == CLIMBING and not placed.shape.swaps
    if not is_climbed or placed.captured >= most * (1 - ROUNDING):
        return
    button(f"Take seed {best}, which captures {amount(most)}", "take best seed", "star", _take, best)


def _take(seed: int) -> None:
    st.session_state["seed"] = seed


def lattice(placed: Placed, drawn: Call, key: str) -> None:
    """Show the trellis as it is `drawn`, with what its arrows mean."""
    figure(
        drawn,
        alt=sentence(placed),
        key=key,
        stem=f"{placed.data.name}-trellis",
        more={"graph": graph_files(placed.trellis, placed.names, dependence=placed.dependence, signs=placed.signs)},
    )
    signs = f"{SIGNS} " * placed.data.is_multilabel
    st.caption(
        f"Arrows run from parent to child; the thicker, the more they depend, in {placed.unit} (point at an edge or "
        f"a label for more). {signs}{about_drawn(len(placed.trellis.edges), DRAWN_EDGES)}"
    )


def against_random(placed: Placed) -> Call:
    """Return the call that draws what the trellis captures next to random placements and what is possible."""
    data, captured = placed.workspace.call, Call(sum, placed.weights.values())
    random, bound = (of(data, *placed.shape.lattice) for of in (derived.captured_at_random, derived.bound))
    return Call(captured_figure, captured, random, bound, unit=placed.unit)


def sentence(placed: Placed) -> str:
    """Return what the trellis captures and, as far as that is known, how it scores."""
    return about_trellis(
        placed.captured,
        derived.bound(placed.data, *placed.shape.lattice),
        derived.captured_at_random(placed.data, *placed.shape.lattice),
        len(placed.trellis.edges),
        placed.unit,
        about_trellis_score(placed.scores, scores.measures(placed)[0]) if placed.scores else "",
    )
