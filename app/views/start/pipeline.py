"""The way from data to scores: five stages, each a link to its page, with what is there now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import streamlit as st
from components.parts import plain
from state import derived
from state.workspace import Workspace

from trellislib.experiment import Store
from trellislib.metrics import MEASURES
from trellislib.wording import counted, listed, three_digits
from views.start.cards import card, row
from views.start.recent import Recent

NEXT = ":material/arrow_forward: Next step"
DONE = ":material/check: Done"
ABOUT = (
    "Five steps lead from data to scores. Loading data does the first three. Then you train methods and compare their "
    "scores."
)


@dataclass(frozen=True)
class Stage:
    """One stage: its name, its page, and in one line and a smaller one what is there."""

    name: str
    view: str
    icon: str
    text: str
    detail: str
    is_open: bool = False  # nothing is there yet


def stages(workspace: Workspace, runs: Sequence[Recent], store: Store | None) -> list[Stage]:
    """Return the five stages for the data that are loaded; `runs` are the recent ones, the newest first."""
    data = workspace.dataset
    sizes = (data.n_instances, "instance"), (data.n_features, "feature"), (data.n_labels, "label")
    size = ", ".join(f"{counted(size, what)} ({symbol})" for symbol, (size, what) in zip("NDL", sizes, strict=True))
    return [
        Stage("Data", "data", "table", data.name, size),
        _dependence(workspace),
        _graph(workspace),
        *_trained(data.name, runs, store),
    ]


def _dependence(workspace: Workspace) -> Stage:
    data = workspace.dataset
    if data.n_labels < 2:
        return Stage("Dependence", "dependence", "grid_on", "One label", "no pairs that could depend")
    first, second, strength = derived.strongest(data, derived.MUTUAL_INFORMATION)
    pair = f"{data.label_names[first]} and {data.label_names[second]}"
    return Stage("Dependence", "dependence", "grid_on", pair, f"strongest pair: {three_digits(strength)} nats")


def _graph(workspace: Workspace) -> Stage:
    data, shape = workspace.dataset, workspace.shown
    what = f"Trellis of width {shape.width}"
    if data.n_labels < 2:
        return Stage("Graph", "trellis", "account_tree", what, "no pairs to join")
    joined = f"joins {len(workspace.placed(shape).edges):,} of {counted(comb(data.n_labels, 2), 'pair')} of labels"
    return Stage("Graph", "trellis", "account_tree", what, joined)


def _trained(name: str, runs: Sequence[Recent], store: Store | None) -> list[Stage]:
    """Return the stages of methods and scores: of the newest run on the data of this name."""
    run = next((run for run in runs if run.is_active or name in run.datasets), None)
    if run is None:
        train = Stage("Method", "train", "play_circle", "Nothing trained yet", "choose methods to train", is_open=True)
    else:
        what = run.title if run.is_active and not run.methods else listed(list(run.methods), most=4)
        train = Stage("Method", "train", "play_circle", what, f"{run.when}: {run.outcome}")
    return [train, _scores(name, run, store)]


def _scores(name: str, run: Recent | None, store: Store | None) -> Stage:
    results = run.results(store) if run and run.has_scores else None
    measures = [key for key in results.measures if key in MEASURES] if results else []
    scores = results.select(datasets=[name]).table(measures[0]).loc[name].dropna() if results and measures else None
    if scores is None or scores.empty:
        when = "wait until training ends" if run and run.is_active else "train to compare"
        return Stage("Scores", "compare", "leaderboard", "No scores yet", when, is_open=True)
    measure = MEASURES[measures[0]]
    is_higher = measure.higher_is_better
    best = scores.max() if is_higher else scores.min()
    text = f"{listed(list(scores.index[scores == best]), most=3)}: {best:.3f}"
    detail = f"the best {measure.name} {'↑' if is_higher else '↓'} of that run"
    return Stage("Scores", "compare", "leaderboard", text, detail)


def show(way: Sequence[Stage]) -> None:
    """Draw the stages in a row, which of them are done, and which is next."""
    st.caption(ABOUT)
    upcoming = next((place for place, stage in enumerate(way) if stage.is_open), len(way))
    for place, (column, stage) in enumerate(zip(row("pipeline", len(way)), way, strict=True)):
        state = "done" if place < upcoming else "next" if place == upcoming else "later"
        with column, card(f"{state}-{stage.view}", stage.view, f"{place + 1}. {stage.name}", stage.icon):
            st.markdown(f"**{plain(stage.text)}**")
            st.caption(plain(stage.detail))
            if state != "later":
                st.caption(DONE if state == "done" else NEXT)
