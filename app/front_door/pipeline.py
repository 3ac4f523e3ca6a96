"""The way from data to scores: five stages, each a link to its page, with what stands there now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import derived
import streamlit as st
from parts import named, plain
from session import Workspace

from front_door.recent import Recent
from trellislib.experiment import Store
from trellislib.graphs import captured_dependence
from trellislib.metrics import MEASURES
from trellislib.takeaways.words import in_nats, number_of, percent

HERE = "You are here"
# A card is a link as a whole; arrows lead from card to card where they stand in a row, and down where they do not.
STYLE = """<style>
.st-key-pipeline [data-testid="stColumn"] {position: relative; min-width: min(9.5rem, 100%)}
.st-key-pipeline [class*="st-key-stage-"]:focus-within, .st-key-pipeline [class*="st-key-stage-"]:hover
  {outline: 2px solid #1F7AB8}
.st-key-pipeline [data-testid="stPageLink"] a::after {content: ""; position: absolute; inset: 0; z-index: 1}
.st-key-pipeline :has(> [data-testid="stPageLink"]), .st-key-pipeline [data-testid="stPageLink"],
.st-key-pipeline [data-testid="stPageLink"] * {position: static}
.st-key-pipeline [class*="st-key-stage-here"] {border: 2px solid #1F7AB8}
.st-key-pipeline [data-testid="stColumn"]:not(:first-child)::before
  {content: "\\203A" / ""; position: absolute; left: -0.85rem; top: calc(50% - 0.9rem); font-size: 1.2rem}
@media (max-width: 640px) {
  .st-key-pipeline [data-testid="stColumn"]:not(:first-child)::before {content: none}
}
</style>"""


@dataclass(frozen=True)
class Stage:
    """One stage: its name, its page, and in one line and a smaller one what stands there."""

    name: str
    view: str
    icon: str
    stands: str
    detail: str
    is_open: bool = False  # nothing stands there yet


def stages(workspace: Workspace, runs: Sequence[Recent], kept: Store | None) -> list[Stage]:
    """Return the five stages for the data that are loaded; `runs` are those of late, the newest first."""
    data = workspace.dataset
    size = f"N = {data.n_instances:,}, D = {data.n_features:,}, L = {data.n_labels:,}"
    return [
        Stage("Data", "data", "table", data.name, size),
        _dependence(workspace),
        _graph(workspace),
        *_trained(data.name, runs, kept),
    ]


def _dependence(workspace: Workspace) -> Stage:
    data = workspace.dataset
    if data.n_labels < 2:
        return Stage("Dependence", "dependence", "grid_on", "One label", "no pairs that could depend")
    first, second, strength = derived.strongest(data, derived.MUTUAL_INFORMATION)
    pair = f"{data.label_names[first]} and {data.label_names[second]}"
    return Stage("Dependence", "dependence", "grid_on", pair, f"the strongest pair, {in_nats(strength)}")


def _graph(workspace: Workspace) -> Stage:
    data, shape = workspace.dataset, workspace.shown
    graph = workspace.placed(shape)
    captured = captured_dependence(graph, derived.dependence(data, shape.guide))
    bound = derived.bound(data, shape.width, shape.offsets, shape.guide)
    share = f"{percent(captured / bound)} of the most it could capture" if bound > 0 else "nothing to capture"
    what = f"Trellis of width {shape.width}"
    return Stage("Graph", "trellis", "account_tree", what, f"{number_of(len(graph.edges), 'edge')}, {share}")


def _trained(name: str, runs: Sequence[Recent], kept: Store | None) -> list[Stage]:
    """Return the stages of methods and scores: of the newest run on the data of this name."""
    run = next((run for run in runs if run.is_active or name in run.datasets), None)
    if run is None:
        train = Stage("Method", "train", "play_circle", "Nothing trained yet", f"on {name}", is_open=True)
    else:
        what = run.title if run.is_active and not run.methods else named(list(run.methods), most=4)
        train = Stage("Method", "train", "play_circle", what, f"{run.when}: {run.outcome}")
    return [train, _scores(name, run, kept)]


def _scores(name: str, run: Recent | None, kept: Store | None) -> Stage:
    results = run.results(kept) if run and run.has_scores else None
    measures = [key for key in results.measures if key in MEASURES] if results else []
    scores = results.select(datasets=[name]).table(measures[0]).loc[name].dropna() if results and measures else None
    if scores is None or scores.empty:
        return Stage("Scores", "compare", "leaderboard", "No scores yet", "train to compare", is_open=True)
    measure = MEASURES[measures[0]]
    is_higher = measure.higher_is_better
    best = scores.idxmax() if is_higher else scores.idxmin()
    stands = f"{best}: {scores[best]:.3f}"
    detail = f"the best {measure.name} {'↑' if is_higher else '↓'} of that run"
    return Stage("Scores", "compare", "leaderboard", stands, detail)


def here(way: Sequence[Stage]) -> int:
    """Return the place of the last stage where something stands, before the first where nothing does."""
    return next((place for place, stage in enumerate(way) if stage.is_open), len(way)) - 1


def show(way: Sequence[Stage]) -> None:
    """Draw the stages in a row, and where one is."""
    st.html(STYLE)
    reached = here(way)
    with st.container(key="pipeline"):
        for place, (column, stage) in enumerate(zip(st.columns(len(way)), way, strict=True)):
            state = "here" if place == reached else "next" if place > reached else "passed"
            with column, st.container(border=True, gap="xxsmall", height="stretch", key=f"stage-{state}-{stage.view}"):
                label = f"{place + 1}. {stage.name}"
                st.page_link(f"views/{stage.view}.py", label=label, icon=f":material/{stage.icon}:")
                st.markdown(f"**{plain(stage.stands)}**")
                st.caption(plain(stage.detail))
                if place == reached:
                    st.caption(f":material/location_on: {HERE}")
