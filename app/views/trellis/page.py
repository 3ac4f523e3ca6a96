"""Trellis: place the labels in a lattice, take it apart, and see what it captures and how it scores."""

from dataclasses import replace

import streamlit as st
from components.parts import foot, opening, plain, view_of
from state import address, derived, session
from state.jobs import about_wait

from trellislib.running.memory import MemoryBudgetError
from trellislib.running.progress import duration
from views.trellis import by_hand, curves, play, scores, seeds, tune, undirected
from views.trellis.knobs import Places, controls
from views.trellis.placed import Placed

VIEWS = {
    "Tune": tune,
    "By hand": by_hand,
    "Step by step": play,
    "Widths": curves,
    "Seeds": seeds,
    "CT and CDT": undirected,
}

workspace = session.workspace()
data = workspace.dataset
bench = derived.bench(data)

answer = opening("What does a trellis capture?")
on_stage = address.is_presented()
places = Places.on_stage() if on_stage else Places.on_page()
shape = controls(places, workspace.shape, data.label_names, derived.criteria(data))
workspace.tune(shape)
with places.view:
    view = view_of(VIEWS, key="view", width=140)
with places.scores:
    scores.choice(data)
    decide = scores.decision(data)
shape, shown = replace(shape, decide=decide), replace(workspace.shown, decide=decide)
if not bench.is_placed_at_once(shape):
    with places.search:
        trial = workspace.trial(shape)
        takes = about_wait(bench.placing_seconds(shape) + bench.seconds(shape))
        if trial and trial.placed and not trial.job.is_active:
            ended = ", but its scoring was cancelled" * (trial.job.state == "cancelled")
            st.caption(f"Found{' and scored' * bool(trial.scores_of(shape))} in {duration(trial.job.elapsed)}{ended}.")
        else:
            what = f"Search {shape.n_swaps:,} swaps" if shape.is_searched else "Place and score"
            scores.trying(workspace, shape, f"{what}, {takes}", "search")
        if shown != shape and not (trial and trial.job.is_active):
            st.caption("Showing the hill-climbed trellis instead.")

placed = Placed(workspace, shown, workspace.placing(shown))
try:
    _ = placed.trellis  # placed here, so that a trellis that would take too much memory is refused in its place
except MemoryBudgetError as error:
    st.error(plain(str(error)), icon=":material/memory:")
    st.stop()
if not (bench.is_ready(shown) and bench.is_quick(shown)):
    answer.markdown(plain(tune.sentence(placed)))  # until the folds are prepared, and there is more to show
placed = replace(placed, scores=scores.scored(placed))
if view not in ("Tune", "By hand") and not on_stage:  # two have scores of their own; a stage has room for the answer's
    scores.line(placed, placed.scores)
found = VIEWS[view].show(placed)
answer.markdown(plain(found.sentence))
foot(found.script)
