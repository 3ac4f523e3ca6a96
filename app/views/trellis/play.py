"""Step by step: Algorithm 1 as it fills the lattice, to be played, paused and stepped through."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st
from components.parts import figure, plain
from components.player import play
from components.saving import Files, graph_files, table_files
from state import derived, structures
from state.tuning import CLIMBING, PLACEMENTS

from trellislib import summaries
from trellislib.data import Dataset
from trellislib.dependence.information import WHOLE_LABELS
from trellislib.figures import candidates_figure, step_figure
from trellislib.graphs import LabelGraph, Offset, PlacementSteps, lattice_positions
from views.trellis import tune
from views.trellis.placed import Placed, View
from views.trellis.script import script


@derived.once
def steps_table(data: Dataset, guide: str, width: int, offsets: tuple[Offset, ...], seed: int) -> pd.DataFrame:
    """Return a row for each step."""
    steps, names = derived.stepped(data, guide, width, offsets, seed), data.label_names
    so_far = steps.captured.tolist()
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
        for step in steps
    )


@derived.once
def _about(data: Dataset, guide: str, width: int, offsets: tuple[Offset, ...], seed: int, unit: str) -> str:
    return summaries.about_steps(derived.stepped(data, guide, width, offsets, seed), data.label_names, unit)


def show(placed: Placed) -> View:
    """Show the player, and the step that it is at."""
    shape = placed.shape
    if shape.placement != CLIMBING:
        return _offer_climbing(placed)
    if shape.swaps:
        st.caption(
            "These are the steps of hill climbing, before the swaps by hand; the scores above are those of the trellis "
            "after them."
        )
    lattice = (placed.data, shape.guide, shape.width, shape.offsets, shape.seed)
    steps = derived.stepped(*lattice)
    step = play(partial(_step, placed, steps), len(steps), (placed.data.digest, *lattice[1:]))
    lines = [
        f"steps = placement_steps(dependence, {shape.width}, {shape.parents!r}, random_state={shape.seed})",
        f"step_figure(steps, {step}, names, dependence, signs=signs, unit={placed.unit!r}).show()",
    ]
    if step:
        lines.append(f"candidates_figure(steps[{step}], names, unit={placed.unit!r}).show()")
    if not placed.is_whole:
        st.caption(
            f"Of {placed.data.n_labels:,} labels, each step is found when it is shown. All of them in a table, and "
            f"which was the closest, are told of at most {WHOLE_LABELS:,}."
        )
        return View(tune.sentence(placed), script(placed, lines))
    return View(_about(*lattice, placed.unit), script(placed, lines))


def _step(placed: Placed, steps: PlacementSteps, cell: int) -> None:
    """Show a step: the lattice, and what each label would add."""
    step = steps[cell]
    says = summaries.about_step(steps, step.cell, placed.names, placed.unit)
    left, right = st.columns([5, 3], gap="medium")
    stem = f"{placed.data.name}-step-{step.cell + 1}"
    with left:
        figure(
            step_figure(steps, step.cell, placed.names, placed.dependence, signs=placed.signs, unit=placed.unit),
            alt=says,
            key="step lattice",
            stem=stem,
            says="Algorithm 1 of the paper (hill climbing). ★ the cell that is filled; framed, its parents; numbered, "
            f"the cells to come. Beside an edge, its dependence in {placed.unit}; edges of earlier steps stand back.",
            more={
                "graph": graph_files(
                    _so_far(steps, step.cell),
                    placed.names,
                    positions=lattice_positions(steps.trellis),
                    dependence=placed.dependence,
                    signs=placed.signs,
                ),
                **_all_steps(placed),
            },
        )
    with right:  # the words too, beside the lattice: it stays in its place however many lines they take
        st.markdown(plain(says))
        if step.is_random:
            return  # nothing was compared
        figure(
            candidates_figure(step, placed.names, unit=placed.unit),
            alt=says,
            key="candidates",
            stem=f"{stem}-candidates",
            says="What each label without a cell would add, in parts by parent; ★ the one that takes the cell.",
            more={"table": table_files(_candidates(placed, steps, step.cell))},
        )


def _all_steps(placed: Placed) -> dict[str, Files]:
    """Return the table of all steps as files, of labels that are few enough for it."""
    shape = placed.shape
    if not placed.is_whole:
        return {}
    return {"table": table_files(steps_table(placed.data, shape.guide, shape.width, shape.offsets, shape.seed))}


def _so_far(steps: PlacementSteps, cell: int) -> LabelGraph:
    """Return the graph of the labels that have a cell."""
    placed = set(steps.trellis.order[: cell + 1])
    return LabelGraph([of if label in placed else () for label, of in enumerate(steps.trellis.parents)])


def _candidates(placed: Placed, steps: PlacementSteps, cell: int) -> pd.DataFrame:
    """Return a row for each candidate of a step."""
    step, names = steps[cell], placed.names
    shares = {f"with {names[parent]}": step.shares[:, number] for number, parent in enumerate(step.parents)}
    labels = [names[label] for label in step.candidates]
    return pd.DataFrame({"label": labels, **shares, "gain": step.gains, "chosen": step.candidates == step.chosen})


def _offer_climbing(placed: Placed) -> View:
    """Say that another placement has no such steps, and offer to switch."""
    how = placed.shape.placement.replace("-", " ")
    st.info(
        f"Only hill climbing (Algorithm 1) fills the lattice step by step. Here the placement is {how}: "
        f"{PLACEMENTS[placed.shape.placement]}",
        icon=":material/info:",
    )
    st.button("Switch to hill climbing", icon=":material/trending_up:", type="primary", on_click=_climb)
    return View(
        f"Placement by {how} has no steps to play; hill climbing has one for each label.",
        structures.placing_script(placed.workspace.source, placed.data, placed.shape),
    )


def _climb() -> None:
    st.session_state["placement"] = CLIMBING
