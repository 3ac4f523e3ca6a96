"""How a trellis is built, played in the browser: labels go to their cells, and the predictions change."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from components.lattice_edges import drawn_edges
from components.parts import plain
from components.scripts import browser_component
from state import derived
from state.tuning import CLIMBING, SWAPS, Shape
from state.workspace import Workspace

from trellislib.graphs import PlacementSteps, Trellis, captured_dependence
from trellislib.running.memory import MemoryBudgetError
from trellislib.summaries import about_step
from trellislib.wording import percent, three_digits

MOST_LABELS = 60  # that are seen to move
MOST_SECONDS = 20.0  # of scoring each step
SCORES = {  # the name and the direction of each score, and what it rewards
    "exact_match": ("Exact match ↑", "Rows whose whole label set is right."),
    "accuracy": ("Accuracy ↑", "Overlap of the true and the predicted label set (Jaccard index)."),
    "unseen": ("Unseen label sets ↓", "Predicted label sets that no training row has."),
}

_building = browser_component("trellis_building", __file__)


def can_be_built(workspace: Workspace, shape: Shape) -> bool:
    """Return whether these labels are placed by Algorithm 1, and few enough to be seen to move."""
    is_placed_by_it = shape.placement in (CLIMBING, SWAPS) and not shape.swaps
    return is_placed_by_it and 1 < workspace.dataset.n_labels <= MOST_LABELS


def can_be_scored(workspace: Workspace, shape: Shape) -> bool:
    """Return whether each step of building their trellis can be scored while somebody waits for it."""
    bench = derived.bench(workspace.dataset)
    return workspace.dataset.is_multilabel and bench.n_folds > 1 and bench.seconds(shape) <= MOST_SECONDS


def building(workspace: Workspace, shape: Shape, alt: str) -> None:
    """Show the trellis of these labels, with a button that plays how it is built and what it does to predictions."""
    data, bench = workspace.dataset, derived.bench(workspace.dataset)
    steps: PlacementSteps = derived.steps(data, *shape.lattice, shape.seed)
    placed = workspace.placed(shape)
    is_scored = can_be_scored(workspace, shape)
    asked = st.session_state.pop("building asked", False)
    if asked and is_scored:
        try:
            with st.spinner("Scoring each step in 5 folds…"):
                bench.filling(shape)
        except MemoryBudgetError as error:
            st.caption(plain(str(error)))
            is_scored = False
    found = bench.filled.get(shape)
    dependence, signs = derived.dependence(data, shape.criterion), derived.signs(data)
    trellises = [steps.trellis, placed] if shape.placement == SWAPS else [placed]
    _building(
        data={
            "names": list(data.label_names),
            "width": min(placed.width, data.n_labels),
            "trellises": [{"order": list(t.order), "edges": drawn_edges(t, dependence, signs)} for t in trellises],
            "steps": steps_shown(steps, trellises, data.label_names, dependence, shape.unit),
            "scores": scores_shown(found) if found is not None else None if is_scored else [],
            "alt": alt,
        },
        key="building",
        on_asked_change=_ask,
    )


def _ask() -> None:
    st.session_state["building asked"] = True


def steps_shown(
    steps: PlacementSteps, trellises: Sequence[Trellis], names: Sequence[str], dependence: derived.Pairwise, unit: str
) -> list[dict[str, object]]:
    """Return for each step which trellis it shows, how many of its cells are filled, and a sentence."""
    start = "No label has a place yet: each is predicted from the features alone, by independent classifiers."
    shown: list[dict[str, object]] = [{"trellis": 0, "filled": 0, "text": start}]
    for cell in range(len(steps)):
        shown.append({"trellis": 0, "filled": cell + 1, "text": about_step(steps, cell, names, unit)})
    if len(trellises) > 1:
        before, after = (three_digits(captured_dependence(trellis, dependence)) for trellis in trellises)
        text = f"Swaps of two labels, from ten starts, capture {after} {unit}; Algorithm 1 alone captures {before}."
        if before == after:
            text = f"No swap of two labels captures more than these {after} {unit}."
        shown.append({"trellis": 1, "filled": len(names), "text": text})
    return shown


def scores_shown(found: pd.DataFrame) -> list[dict[str, object]]:
    """Return each score, its value after each step and how that is written."""
    scores = []
    for column, (name, what) in SCORES.items():
        values = found[column].tolist()
        written = [percent(value) if column == "unseen" else f"{value:.3f}" for value in values]
        scores.append({"name": name, "what": what, "values": values, "texts": written})
    return scores
