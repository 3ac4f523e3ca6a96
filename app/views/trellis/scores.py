"""The scores of the trellis that is shown, next to those of no structure and of a whole chain, on every view."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

import pandas as pd
import streamlit as st
from components.parts import button, plain, running, save, working
from components.saving import table_files
from components.tables import is_best, scores_by_method
from state import derived
from state.jobs import about_wait
from state.trellis_scores import Scores
from state.tuning import AS_INFERRED, DECISIONS, Shape
from state.workspace import Workspace

from trellislib.data import Dataset
from trellislib.decisions import Rule
from trellislib.metrics import MEASURES, Measure
from trellislib.running.memory import MemoryBudgetError
from trellislib.running.progress import Cancelled, Progress
from views.trellis.placed import Placed

SHOWN = 2  # scores of the table and of the sentence, the chosen one first


def measures(placed: Placed) -> list[Measure]:
    """Return the scores that are shown, the chosen one first."""
    offered = derived.bench(placed.data).measures
    chosen: str = st.session_state.get("ct_score", "")
    first = chosen if chosen in offered else offered[0]
    return [MEASURES[key] for key in [first, *(key for key in offered if key != first)][:SHOWN]]


def choice(data: Dataset) -> None:
    st.selectbox(
        "Score",
        derived.bench(data).measures,
        format_func=lambda key: MEASURES[key].name.partition(" (")[0],
        key="ct_score",
        bind="query-params",
        width=150,
        help="The score of the trellis in the table and in the sentence above.",
    )


def decision(data: Dataset) -> Rule | None:
    """Return the rule by which all methods decide, which is to be chosen where labels have two values."""
    if not data.is_multilabel:
        return None
    chosen = st.selectbox(
        "Decision rule",
        DECISIONS,
        format_func=lambda words: f"Decide {'for ' * (words != AS_INFERRED)}{words}",
        key="ct_decide",
        bind="query-params",
        width=205,
        help="How CT, IC and CC decide. **As the paper does**: each label at one half, one after the other. "
        "**For accuracy**: the labels of highest expected accuracy, as if labels were independent given the features. "
        "This needs no training and is not better on every data set.",
    )
    return DECISIONS[chosen]


def trying(workspace: Workspace, tried: Shape, label: str, icon: str) -> None:
    """Show a button that works on a shape for a while, or how far that is."""
    trial = workspace.trial(tried)
    if trial and trial.job.is_active:
        running(trial.job, label)
        return
    if trial and trial.job.state == "failed":
        st.caption(plain(trial.job.error))
    button(label, icon, icon, workspace.try_out, derived.bench(workspace.dataset), workspace.dataset.digest, tried)


def scored(placed: Placed) -> Scores | None:
    """Return the scores of the trellis; where finding them takes long, show the button that does."""
    data, shape, bench = placed.data, placed.shape, derived.bench(placed.data)
    if bench.n_folds < 2:
        return None
    trial = None if shape.swaps else placed.workspace.trial(shape)
    if trial and trial.scores_of(shape):
        return trial.scores_of(shape)
    price = shape.in_place if shape.swaps else shape
    if bench.is_quick(price) or (shape.swaps and bench.known(placed.trellis, shape) is not None):
        with nullcontext() if bench.is_ready(shape) else st.spinner("Preparing the folds…"):
            try:
                return bench.scores_in_place(placed.trellis, shape) if shape.swaps else derived.scored(data, shape)
            except MemoryBudgetError as error:
                st.caption(plain(str(error)))
                return None
    if shape.swaps:

        def work(progress: Progress, cancelled: Cancelled) -> Scores:
            return bench.scores_in_place(placed.trellis, shape, cancelled)

        label = f"Score this trellis, {about_wait(bench.seconds(price))}"
        key = ("in place", data.digest, placed.trellis, shape.decide)
        return working(placed.workspace, key, label, "fact_check", work)
    if not (trial and trial.job.is_active and shape.is_searched):  # which is shown by the search
        trying(placed.workspace, shape, f"Score this trellis, {about_wait(bench.seconds(shape))}", "fact_check")
    return None


def chosen(scores: Scores, shown: Sequence[Measure]) -> dict[str, pd.DataFrame]:
    return {name: folds[[measure.key for measure in shown]] for name, folds in scores.items()}


def about_decision(shape: Shape) -> str:
    """Return in a sentence what CT, IC and CC predict."""
    if shape.decide is None:
        return "All decide each label at 1/2, as in the paper."
    return "All decide for accuracy by the rule MostExpected. Train chooses among several rules."


def table(placed: Placed, scores: Scores) -> None:
    bench, shape = derived.bench(placed.data), placed.shape
    st.table(scores_by_method(chosen(scores, measures(placed))), border="horizontal")
    gaps = ", gaps filled with means" * bool(placed.data.n_missing)
    own = "Each fold places the labels by its own training rows. Another seed may differ by more than ±."
    if shape.is_searched:
        own = "Each fold finds its own trellis by its training rows. Another seed may differ by more than ±."
    if shape.swaps:
        own = "All rows placed the labels for every fold, so scores are slightly too high."
    st.caption(
        f"Least squares in {bench.n_folds} folds{gaps}. Train uses a learner that tunes itself. "
        f"{about_decision(shape)} {own}",
        help="CT is a trellis of this shape. IC has no structure. CC is a chain of all labels in their order. Accuracy "
        "is the Jaccard index: the intersection over the union of true and predicted label sets. The best of many "
        "tried shapes has too high a score, because these folds chose it.",
    )
    folds = pd.concat(scores, names=["method", "fold"]).reset_index()
    save(f"{placed.data.name}-trellis-scores", table=table_files(folds))


def line(placed: Placed, scores: Scores | None, *, in_place: bool = False) -> None:
    """Show the chosen score of CT, IC and CC in a line; CT may keep its labels `in_place` in every fold."""
    if not scores:
        return
    measure = measures(placed)[0]
    means = pd.Series({name: folds[measure.key].mean() for name, folds in scores.items()})
    best = is_best(means)
    texts = [f"**{name} {mean:.3f} ★**" if best[name] else f"{name} {mean:.3f}" for name, mean in means.items()]
    where = ", labels fixed in their places" * in_place
    st.markdown(
        f"{measure.name.partition(' (')[0]} ↑ in {len(scores['CT'])} folds{where}: {' · '.join(texts)}", width="content"
    )
