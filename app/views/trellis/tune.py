"""Tune: the lattice, how much of the dependence it captures, and what it is worth at every turn of a knob."""

from __future__ import annotations

import numpy as np
import streamlit as st
from components.parts import SIGNS, figure
from components.saving import graph_files
from state import derived, structures
from state.tuning import CLIMBING, MUTUAL_INFORMATION

from trellislib.figures import captured_figure
from trellislib.figures.lattice import DRAWN_EDGES
from trellislib.summaries import about_drawn, about_starts, about_trellis, best_seeds
from trellislib.wording import ROUNDING, amount
from views.trellis import scores
from views.trellis.placed import Placed, View

MOST_COMPARED = 200  # labels up to which placing them from many seeds takes no time


def show(placed: Placed) -> View:
    """Show the lattice beside what it captures and is worth."""
    data, shape, trellis = placed.data, placed.shape, placed.trellis
    left, right = st.columns([5, 3], gap="medium")
    with left:
        lattice(placed, key="lattice")
    with right:
        with st.container(horizontal=True):
            captured = placed.captured
            bound = derived.bound(data, shape.width, shape.offsets, shape.guide)
            if shape.guide == MUTUAL_INFORMATION:
                st.metric("Captured", f"{captured:.3g} nats", help="Sum of the mutual information on the edges.")
            else:
                st.metric("Captured", f"{captured:.3g}", help=f"Sum over the edges, in {placed.unit}.")
                st.metric(
                    "Mutual information",
                    f"{placed.captured_of(MUTUAL_INFORMATION):.3g} nats",
                    help="What the same edges capture of the mutual information, to compare guides by.",
                )
            st.metric(
                "Of the possible",
                f"{captured / bound:.0%}" if bound > 0 else "none",
                help="No placement into this lattice can capture more than the bound; it may not be reachable.",
            )
            st.metric("Edges", f"{len(trellis.edges):,}")
        if placed.scores:
            scores.table(placed, placed.scores)
        against_random(placed, key="captured")
        if 1 < data.n_labels <= MOST_COMPARED and trellis.edges:
            random = derived.captured_at_random(data, shape.width, shape.offsets, shape.guide)
            climbed = derived.captured_by_climbing(data, shape.width, shape.offsets, shape.guide)
            st.caption(about_starts(climbed, random, placed.unit))
            _offer_seed(placed, climbed)
        st.page_link("views/train/page.py", label="Train with this trellis", icon=":material/play_circle:")
    then = [lattice_code(placed), against_random_code(placed)]
    return View(sentence(placed), structures.placing_script(placed.workspace.source, data, shape, placed.beside, then))


def _offer_seed(placed: Placed, climbed: np.ndarray) -> None:
    """Show the button that takes the seed by which hill climbing captures most, where that is more than is shown."""
    best, most = best_seeds(climbed)[0], climbed.max()
    is_climbed = placed.workspace.shape.placement == CLIMBING and not placed.shape.swaps
    if not is_climbed or placed.captured >= most * (1 - ROUNDING):
        return
    st.button(
        f"Take seed {best}, which captures {amount(most)}",
        key="take best seed",
        icon=":material/star:",
        on_click=_take,
        args=(best,),
    )


def _take(seed: int) -> None:
    st.session_state["seed"] = seed


def lattice(placed: Placed, key: str, **more: object) -> None:
    """Show the trellis as it lies, with what its arrows mean."""
    drawn = about_drawn(len(placed.trellis.edges), DRAWN_EDGES)
    figure(
        placed.figure(**more),
        alt=sentence(placed),
        key=key,
        stem=f"{placed.data.name}-trellis",
        more={"graph": graph_files(placed.trellis, placed.names, dependence=placed.dependence, signs=placed.signs)},
    )
    signs = f"{SIGNS} " * placed.data.is_multilabel
    st.caption(
        f"Arrows run from parent to child; the thicker, the more they depend, in {placed.unit} (point at an edge or "
        f"a label for more). {signs}{drawn}"
    )


def lattice_code(placed: Placed, more: str = "") -> str:
    """Return Python that draws the trellis as it lies."""
    given = f"signs=signs, unit={placed.unit!r}{f', {more}' if more else ''}"
    return f"trellis_figure(placed, names, dependence, {given}).show()"


def against_random(placed: Placed, key: str) -> None:
    """Show what the trellis captures beside random placements and what is possible."""
    at = (placed.data, placed.shape.width, placed.shape.offsets, placed.shape.guide)
    chart = captured_figure(placed.captured, derived.captured_at_random(*at), derived.bound(*at), unit=placed.unit)
    figure(chart, alt=sentence(placed), key=key, stem=f"{placed.data.name}-captured")


def against_random_code(placed: Placed) -> str:
    """Return Python that draws what the trellis captures beside random placements."""
    lattice = "dependence, placed.width, placed.offsets"
    return (
        f"random, bound = random_captures({lattice}, random_state=0), capture_bound({lattice})\n"
        f"captured = captured_dependence(placed, dependence)\n"
        f"captured_figure(captured, random, bound, unit={placed.unit!r}).show()"
    )


def sentence(placed: Placed) -> str:
    """Say what the trellis captures and, as far as that is known, what it is worth."""
    lattice = (placed.shape.width, placed.shape.offsets, placed.shape.guide)
    return about_trellis(
        placed.captured,
        derived.bound(placed.data, *lattice),
        derived.captured_at_random(placed.data, *lattice),
        len(placed.trellis.edges),
        placed.unit,
        scores.worth_of(placed, placed.scores),
    )
