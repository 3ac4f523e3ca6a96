"""Trellis: place the labels in a lattice, see how much of the dependence it captures, and what it is worth."""

from contextlib import nullcontext

import derived
import session
import streamlit as st
import structures
from parts import figure, lattice_figure, opening, plain, python_box, running
from tables import worth_table
from tuning import MUTUAL_INFORMATION, Shape, controls
from worth import Scores

from trellislib.figures import captured_figure, trellis_figure
from trellislib.graphs import captured_dependence
from trellislib.memory import MemoryBudgetError
from trellislib.metrics import MEASURES
from trellislib.progress import about, duration
from trellislib.takeaways import about_starts, about_trellis, about_worth

MOST_COMPARED = 200  # labels up to which placing them from many seeds takes no time

workspace = session.workspace()
data = workspace.dataset
names = data.label_names
bench = derived.bench(data)


def trying(tried: Shape, label: str, icon: str) -> None:
    """Show a button that works on a shape for a while, or how far that is."""
    trial = workspace.trial(tried)
    if trial and trial.job.is_active:
        running(trial.job, label)
        return
    if trial and trial.job.state == "failed":
        st.caption(plain(trial.job.error))
    st.button(label, key=icon, icon=f":material/{icon}:", on_click=workspace.try_out, args=(bench, data.digest, tried))


def scored(shape: Shape) -> Scores | None:
    """Show the scores of a shape, or the button that finds them if that takes long; return them where they are."""
    if bench.n_folds < 2:
        return None
    trial = workspace.trial(shape)
    scores = trial.scores if trial else None
    if scores is None and bench.is_quick(shape):
        with nullcontext() if bench.is_ready else st.spinner("Preparing the folds…"):
            try:
                scores = derived.scored(data, shape)
            except MemoryBudgetError as error:
                st.caption(plain(str(error)))
                return None
    if scores is None:
        if not (trial and trial.job.is_active and shape.is_searched):  # which is shown by the search
            trying(shape, f"Score this trellis, about {about(bench.seconds(shape))}", "fact_check")
        return None
    st.table(worth_table(scores), border="horizontal")
    gaps = ", gaps filled with means" * bool(data.n_missing)
    own = "places the labels by its own training rows"
    if shape.is_searched:
        own = "searches its own training rows, and so finds another trellis than the one shown"
    st.caption(
        f"Least squares in {bench.n_folds} folds, features scaled to \\[0, 1\\]{gaps} (on Train: under More). Each "
        f"fold {own}. Another seed may differ by more than the ±.",
        help="CT: a trellis of this shape. IC: no structure. CC: a chain of all labels in their order. Accuracy is the "
        "Jaccard index: true and predicted label sets, intersection over union. Who tries many shapes and keeps the "
        "best chooses by these folds: its score is then too high.",
    )
    return scores


said = opening("What does a trellis capture?")
shape, row = controls(workspace.shape, data.n_labels, binary=data.is_multilabel)
workspace.tune(shape)
shown = workspace.shown
if not bench.is_placed_at_once(shape):
    with row:
        trial = workspace.trial(shape)
        takes = about(bench.placing_seconds(shape) + bench.seconds(shape))
        if trial and trial.placed and not trial.job.is_active:
            ended = "; its scoring was cancelled" * (trial.job.state == "cancelled")
            st.caption(f"Found{' and scored' * bool(trial.scores)} in {duration(trial.job.elapsed)}{ended}.")
        elif shape.is_searched:
            trying(shape, f"Search {shape.n_swaps:,} swaps, about {takes}", "search")
        else:
            trying(shape, f"Place and score, about {takes}", "search")
        if shown != shape and not (trial and trial.job.is_active):
            st.caption("Until then the hill-climbed trellis is shown.")

information, dependence = derived.information(data), derived.dependence(data, shown.guide)
lattice = (shown.width, shown.offsets, shown.guide)
try:
    placed = workspace.placed(shown)
except MemoryBudgetError as error:
    st.error(plain(str(error)), icon=":material/memory:")
    st.stop()
captured = captured_dependence(placed, dependence)
bound, random = derived.bound(data, *lattice), derived.captured_at_random(data, *lattice)


def sentence(worth: str = "") -> str:
    return about_trellis(captured, bound, random, len(placed.edges), shape.unit, worth)


if not (bench.is_ready and bench.is_quick(shown)):
    said.markdown(plain(sentence()))  # until the folds are prepared, and there is more to say
left, right = st.columns([5, 3], gap="medium")
with left:
    chart = trellis_figure(placed, names, dependence, signs=derived.signs(data), unit=shape.unit)
    lattice_figure(chart, alt=sentence(), key="lattice", signed=data.is_multilabel, unit=shape.unit)
with right:
    with st.container(horizontal=True):
        if shown.guide == MUTUAL_INFORMATION:
            st.metric("Captured", f"{captured:.3g} nats", help="Sum of the mutual information on the edges.")
        else:
            st.metric("Captured", f"{captured:.3g}", help=f"Sum over the edges, in {shape.unit}.")
            told = captured_dependence(placed, information)
            st.metric(
                "Mutual information",
                f"{told:.3g} nats",
                help="What the same edges capture of the mutual information, to compare guides by.",
            )
        st.metric(
            "Of the possible",
            f"{captured / bound:.0%}" if bound > 0 else "none",
            help="No placement into this lattice can capture more than the bound; it may not be reachable.",
        )
        st.metric("Edges", f"{len(placed.edges):,}")
    scores = scored(shown)
    figure(captured_figure(captured, random, bound, unit=shape.unit), alt=sentence(), key="captured")
    if 1 < data.n_labels <= MOST_COMPARED and placed.edges:
        st.caption(about_starts(derived.captured_by_climbing(data, *lattice), random, shape.unit))
    st.page_link("views/train.py", label="Train with this trellis", icon=":material/play_circle:")

worth = about_worth(scores, [MEASURES[key] for key in bench.measures]) if scores else ""
said.markdown(plain(sentence(worth)))

beside = [name for name in scores if name != "CT"] if scores else []
python_box(structures.placing_script(workspace.source, data, shown, beside))
