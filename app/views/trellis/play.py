"""Step by step: Algorithm 1 as it fills the lattice, to be played, paused and stepped through."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from components.parts import figure, legend_on_stage, plain, signs_of
from components.player import play
from components.saving import graph_files, table_files
from state import derived
from state.call import Call, Script
from state.tuning import CLIMBING, PLACEMENTS, SWAPS, Shape

from trellislib import summaries
from trellislib.data import Dataset
from trellislib.dependence.information import WHOLE_LABELS
from trellislib.figures import candidates_figure, step_figure
from trellislib.graphs import LabelGraph, PlacementSteps, lattice_positions
from trellislib.wording import three_digits
from views.trellis import tune
from views.trellis.placed import MOST, Placed, View, drawn_width


@derived.once
def steps_table(data: Dataset, *lattice: Any) -> pd.DataFrame:
    names, all_steps = data.label_names, derived.steps(data, *lattice)
    so_far = all_steps.captured.tolist()
    return pd.DataFrame(
        {
            "step": step.cell + 1,
            "row": step.row + 1,
            "column": step.column + 1,
            "label": names[step.chosen],
            "parents": ", ".join(names[parent] for parent in step.parents),
            "gain": step.gain,
            "captured so far": so_far[step.cell],
            "ties": len(step.ties),
            "candidates": len(step.candidates),
        }
        for step in all_steps
    )


@derived.once
def _about(data: Dataset, unit: str, *lattice: Any) -> str:
    return summaries.about_steps(derived.steps(data, *lattice), data.label_names, unit)


def show(placed: Placed) -> View:
    shape = placed.shape
    if shape.placement not in (CLIMBING, SWAPS):
        return _offer_climbing(placed)
    lattice = _lattice(shape)
    found = derived.steps(placed.workspace.call, *lattice)
    if shape.swaps or shape.placement == SWAPS:
        st.caption(
            f"These are the steps of Algorithm 1 from seed {shape.seed}. Swaps then capture "
            f"{three_digits(placed.captured)} {placed.unit}. The scores are those after the swaps."
        )
    step = play(partial(_step, placed, found), len(found.value), (placed.data.digest, *lattice))
    script = Script().show(_drawn(placed, found, step))
    if step:
        script.show(_candidates_drawn(placed, found, step))
    if not placed.is_whole:
        st.caption(
            f"{placed.data.n_labels:,} labels are too many for a table of all steps, which has at most "
            f"{WHOLE_LABELS:,}. Each step is computed when it is shown."
        )
        return View(tune.sentence(placed), script)
    return View(_about(placed.data, placed.unit, *lattice), script)


def _lattice(shape: Shape) -> tuple[Any, ...]:
    """Return what decides the steps, except the data."""
    return *shape.lattice, shape.seed


def _drawn(placed: Placed, found: Call, cell: int) -> Call:
    data = placed.workspace.call
    signs = derived.signs(data)
    return Call(step_figure, found, cell, data.label_names, placed.matrix, signs=signs, width=drawn_width(MOST))


def _candidates_drawn(placed: Placed, found: Call, cell: int) -> Call:
    return Call(candidates_figure, found[cell], placed.workspace.call.label_names, unit=placed.unit)


def _step(placed: Placed, found: Call, cell: int) -> None:
    """Show a step: the lattice, and what each label would add."""
    steps = found.value
    step = steps[cell]
    caption = summaries.about_step(steps, step.cell, placed.names, placed.unit)
    left, right = st.columns([5, 3], gap="medium")
    stem = f"{placed.data.name}-step-{step.cell + 1}"
    all_steps = {"table": table_files(steps_table(placed.data, *_lattice(placed.shape)))} if placed.is_whole else {}
    with left:
        legend_on_stage(f"★: the cell to fill. Framed: its parents. {signs_of(placed.data)}")
        figure(
            _drawn(placed, found, cell),
            alt=caption,
            key="step lattice",
            stem=stem,
            caption="Algorithm 1 of the paper (hill climbing). ★: the cell to fill. Framed: its parents. Numbered: the "
            f"next cells. Numbers at edges: dependence in {placed.unit}. Pale: edges of earlier steps.",
            more={
                "graph": graph_files(
                    _so_far(steps, step.cell),
                    placed.names,
                    positions=lattice_positions(steps.trellis),
                    dependence=placed.dependence,
                    signs=placed.signs,
                ),
                **all_steps,
            },
        )
    with right:  # the sentence too: the lattice then stays in its place, however long the sentence is
        st.markdown(plain(caption))
        if step.is_random:
            return  # nothing was compared
        figure(
            _candidates_drawn(placed, found, cell),
            alt=caption,
            key="candidates",
            stem=f"{stem}-candidates",
            caption="What each label without a cell would add, by parent. ★ takes the cell.",
            more={"table": table_files(_candidates(placed, steps, step.cell))},
        )


def _so_far(steps: PlacementSteps, cell: int) -> LabelGraph:
    placed = set(steps.trellis.order[: cell + 1])
    return LabelGraph([of if label in placed else () for label, of in enumerate(steps.trellis.parents)])


def _candidates(placed: Placed, steps: PlacementSteps, cell: int) -> pd.DataFrame:
    step, names = steps[cell], placed.names
    shares = {f"with {names[parent]}": step.shares[:, number] for number, parent in enumerate(step.parents)}
    labels = [names[label] for label in step.candidates]
    return pd.DataFrame({"label": labels, **shares, "gain": step.gains, "chosen": step.candidates == step.chosen})


def _offer_climbing(placed: Placed) -> View:
    how = placed.shape.placement.replace("-", " ")
    st.info(
        f"Only hill climbing (Algorithm 1) fills the lattice step by step. The placement here is {how}: "
        f"{PLACEMENTS[placed.shape.placement]}",
        icon=":material/info:",
    )
    st.button("Switch to hill climbing", icon=":material/trending_up:", type="primary", on_click=_climb)
    return View(f"Placement by {how} has no steps to play. Hill climbing has one step for each label.", placed.script())


def _climb() -> None:
    st.session_state["placement"] = CLIMBING
