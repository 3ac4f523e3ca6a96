"""A whole test set: what inherited errors cost, and which edges of the graph help and which hurt."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from math import inf

import numpy as np
import pandas as pd
import streamlit as st
from components.catalogue import fits_at_once
from components.parts import about_figure, figure, plain, working
from components.saving import table_files
from state import derived, session
from state.call import Call, Script, known
from state.jobs import about_wait
from state.tuning import Shape

from trellislib.figures import edge_effects_figure, propagation_figure, reliability_figure
from trellislib.inspection import by_level, edge_effects, level_name, propagation
from trellislib.labels.graph import LabelGraph
from trellislib.metrics import MEASURES, example_wise_measures, log_loss, per_label_scores, reliability
from trellislib.running.progress import Cancelled, Progress
from trellislib.running.threads import one_blas_thread
from trellislib.summaries import about_reliability
from trellislib.summaries.propagation import about_edge_effects, about_independent, about_propagation
from views.inspect import fitting
from views.inspect.fitting import Fitted, Trial, tried

DRAWN_EDGES = 20
AT_ONCE = 1.0  # seconds of trying edges for which a page waits
MOST_EDGES = 2_000  # of more, those between labels of the largest mutual information are tried


def score(fitted: Fitted) -> None:
    """Show the choice of the score by which edges are judged."""
    st.selectbox(
        "Score of edges",
        example_wise_measures(binary=fitted.member.coding_.is_binary),
        format_func=lambda key: MEASURES[key].name.partition(" (")[0],
        key="inspected_score",
        bind="query-params",
        width=150,
        help="The score that is compared with and without an edge.",
    )


def show(fitted: Fitted, script: Script) -> str:
    """Show how errors are inherited over all test rows and what each edge gains; return a sentence on the former."""
    seen, effects = measured(fitted.of, fitted), found(fitted)
    sentence, alone = about_propagation(seen.result, fitted.names), _without_edges(fitted)
    levels = Call(by_level, Call(propagation, fitted.fit, *fitted.tested).given(seen.result))
    bars = Call(propagation_figure, levels, Call(level_name, fitted.fit.graph_))
    script.show(bars)
    left, right = st.columns(2, gap="medium")
    with left:
        figure(
            bars,
            alt=sentence,
            key="propagation",
            stem=f"{fitted.dataset.name}-{fitted.key}-propagation",
            caption=_legend(fitted),
            more={"table": table_files(_labels(fitted, seen.result))},
        )
        if fitted.outcome_note:
            about_figure(plain(fitted.outcome_note))
        if alone is not None:
            st.markdown(plain(about_independent(alone.result)))
    with right:
        if effects is None:
            effects = _offer(fitted)
        if effects is not None:
            _show_effects(fitted, effects, script)
    if fitted.dataset.is_multilabel:
        _reliability(fitted, script)
    _tables(fitted, seen.result, effects)
    return sentence


@st.cache_resource(max_entries=32, ttl="6h", show_spinner="Predicting the test set…")
def measured(of: Hashable, _fitted: Fitted) -> Trial:
    """Return how often each label is right; it must never be changed."""
    return tried(lambda *_: propagation(_fitted.member, _fitted.X_test, _fitted.Y_test), inf)


def found(fitted: Fitted) -> pd.DataFrame | None:
    """Return the gain of each edge, where that is quick or was found before."""
    trial = _trial(fitted.of, fitted, _measure())
    if trial.result is not None:
        return trial.result
    job = session.workspace().job(_key(fitted))
    return job.result if job and job.state == "done" else None


def _offer(fitted: Fitted) -> pd.DataFrame | None:
    n_edges, n_tried = _n_edges(fitted), _n_tried(fitted)
    which = f"{n_tried:,} of {n_edges:,} edges" if n_tried < n_edges else f"{n_edges:,} edges"
    st.markdown("**Which edges help, and which hurt?**")
    st.caption(f"Each edge is removed alone, {_refitted(fitted)}, and all test rows are predicted again.")
    work = partial(_try_edges, fitted, _measure())
    label = f"Try {which} one by one, {about_wait(_seconds(fitted))}"
    return working(session.workspace(), _key(fitted), label, "rule", work)


@st.cache_resource(max_entries=32, ttl="6h", show_spinner="Trying each edge…")
def _trial(of: Hashable, _fitted: Fitted, measure: str) -> Trial:
    """Try the edges for a moment; return their gains, or the share that was done."""
    return tried(partial(_try_edges, _fitted, measure), AT_ONCE)


def _try_edges(
    fitted: Fitted, measure: str, progress: Progress | None = None, cancelled: Cancelled | None = None
) -> pd.DataFrame:
    with one_blas_thread():
        return edge_effects(
            fitted.member,
            fitted.X_train,
            fitted.Y_train,
            fitted.X_test,
            fitted.Y_test,
            measure=measure,
            edges=_tried(fitted.of, fitted),
            progress=progress,
            cancelled=cancelled,
        )


def _key(fitted: Fitted) -> Hashable:
    return ("edges", fitted.of, _measure())


def _seconds(fitted: Fitted) -> float:
    """Return about how long trying the edges takes: at the pace of the trial, or by the fit and a prediction each."""
    trial = _trial(fitted.of, fitted, _measure())
    if trial.share:
        return trial.seconds / trial.share
    of_fit = fitted.of[0] if fitted.member is not fitted.members[0] else fitted.of
    job = session.workspace().job(("inspect", *of_fit))
    fit = job.elapsed / (len(fitted.members) * len(fitted.names)) if job else 0.0
    return _n_tried(fitted) * (measured(fitted.of, fitted).seconds + fit)


def _measure() -> str:
    return st.session_state["inspected_score"]


def _is_directed(fitted: Fitted) -> bool:
    return isinstance(fitted.member.graph_, LabelGraph)


def _n_edges(fitted: Fitted) -> int:
    graph, n_labels = fitted.member.graph_, len(fitted.names)
    return n_labels * (n_labels - 1) // 2 if graph.is_complete else len(graph.edges)


def _n_tried(fitted: Fitted) -> int:
    return min(_n_edges(fitted), MOST_EDGES)


@st.cache_resource(max_entries=32, ttl="6h", show_spinner=False)
def _tried(of: Hashable, _fitted: Fitted) -> tuple[tuple[int, int], ...] | None:
    """Return the edges that are tried, None for all."""
    if _n_edges(_fitted) <= MOST_EDGES:
        return None
    inputs, is_directed = _fitted.member.graph_.inputs, _is_directed(_fitted)
    first, second, _ = derived.ranked_pairs(_fitted.dataset, len(_fitted.names) ** 2)
    chosen = []
    for pair in zip(first.tolist(), second.tolist(), strict=True):
        one, other = min(pair), max(pair)
        if one in inputs[other]:
            chosen.append((one, other))
        elif is_directed and other in inputs[one]:
            chosen.append((other, one))
        if len(chosen) == MOST_EDGES:
            break
    return tuple(chosen)


@st.cache_resource(max_entries=32, ttl="6h", show_spinner="Predicting the test set…")
def _probabilities(of: Hashable, _fitted: Fitted) -> np.ndarray:
    """Return the probability of each label of each test row; it must never be changed."""
    return _fitted.member.predict_proba(_fitted.X_test)


def _reliability(fitted: Fitted, script: Script) -> None:
    """Show whether the method's probabilities are as frequent as they say, and how much the truth surprises them."""
    found = _probabilities(fitted.of, fitted)
    given = fitted.fit.predict_proba(fitted.tested[0]).named("probabilities").given(found)
    bins = Call(reliability, fitted.tested[1], given).named("bins")
    chart = Call(reliability_figure, {fitted.key: bins})
    script.show(chart)
    st.header("Are probabilities calibrated?", anchor=False)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figure(
            chart,
            key="reliability",
            stem=f"{fitted.dataset.name}-{fitted.key}-reliability",
            caption=about_reliability(fitted.key, bins.value),
            more={"table": table_files(bins.value)},
        )
    with right:
        st.caption(
            "Dotted: calibrated probabilities. Points above it have too low probabilities. A cell is a label of a test "
            "row. Ten bins group cells by probability, and larger markers have more cells."
        )
        st.metric(
            f"{MEASURES['log_loss'].name} ↓",
            f"{log_loss(fitted.Y_test, found):.3f} nats",
            help=f"{MEASURES['log_loss'].description} The table below has it for each label.",
        )


def _show_effects(fitted: Fitted, effects: pd.DataFrame, script: Script) -> None:
    measure, is_directed = MEASURES[_measure()].in_words, _is_directed(fitted)
    sentence = about_edge_effects(effects, fitted.names, measure, is_directed=is_directed)
    st.markdown(plain(sentence))
    if effects.empty:
        st.info(f"{fitted.key} has no edges to remove.", icon=":material/info:")
        return
    n_edges = _n_edges(fitted)
    legend = f"Each edge is removed alone, and {_refitted(fitted)}. Lines: 95% intervals over test rows. "
    legend += f"Pale: not significant (p > 0.05, corrected by Holm for {len(effects):,} edges)."
    if len(effects) > DRAWN_EDGES:
        legend += f" The figure shows the {DRAWN_EDGES} largest effects."
    if len(effects) < n_edges:
        legend += f" Only those of {n_edges:,} edges with the largest mutual information were tried."
    edges = _tried(fitted.of, fitted)
    options = {"measure": _measure()} | ({} if edges is None else {"edges": list(edges)})
    script.add("X_train, Y_train = features_for(method, data.X[train]), data.Y[train]")
    seen = known("X_train", fitted.X_train), known("Y_train", fitted.Y_train)
    call = Call(edge_effects, fitted.fit, *seen, *fitted.tested, **options).named("effects").given(effects)
    names, directed = fitted.data.label_names, {} if is_directed else {"is_directed": False}
    chart = Call(edge_effects_figure, call, names, measure, **directed, most=DRAWN_EDGES)
    script.show(chart)
    figure(
        chart,
        alt=sentence,
        key="edge effects",
        stem=f"{fitted.dataset.name}-{fitted.key}-edges",
        caption=legend,
        more={"table": table_files(_edges(fitted, effects))},
    )


def _refitted(fitted: Fitted) -> str:
    return "its child is refitted" if _is_directed(fitted) else "both its ends are refitted"


def _legend(fitted: Fitted) -> str:
    inputs = "parents" if _is_directed(fitted) else "neighbours"
    legend = (
        f"{len(fitted.rows):,} test rows. Green: right given true {inputs}. Orange: right as predicted. The gap is the "
        "cost of inherited errors."
    )
    if not _is_directed(fitted):
        legend += " A prediction cannot know the true neighbours, so green is out of reach."
    if level_name(fitted.member.graph_) == "wavefront":
        legend += f" A wavefront is a group of labels whose {inputs} are all in earlier groups."
    return legend


def _without_edges(fitted: Fitted) -> Trial | None:
    """Return how often independent classifiers are right on the same rows, where that is quick."""
    is_quick = fits_at_once(fitted.member.estimator) and derived.has_residuals(fitted.dataset)
    if not is_quick or not fitted.member.graph_.edges:
        return None
    independent = fitting.at_once(fitted.dataset, "IC", "Least squares", Shape.default(len(fitted.names)))
    return measured(independent.of, independent)


def _tables(fitted: Fitted, table: pd.DataFrame, effects: pd.DataFrame | None) -> None:
    st.header("All labels", anchor=False)
    shares = dict.fromkeys(("given predicted", "given true", "lost", "most frequent", "log loss"), "%.3f")
    _listed(_labels(fitted, table), shares)
    if effects is not None and len(effects):
        st.header("All edges that were tried", anchor=False)
        table = _edges(fitted, effects)
        _listed(table, dict.fromkeys(table.columns[2:], "%.3g"))


def _listed(table: pd.DataFrame, formats: dict[str, str]) -> None:
    columns = {name: st.column_config.NumberColumn(format=form) for name, form in formats.items()}
    st.dataframe(table, hide_index=True, column_config=columns)


def _labels(fitted: Fitted, table: pd.DataFrame) -> pd.DataFrame:
    losses = {}
    if fitted.dataset.is_multilabel:
        p = _probabilities(fitted.of, fitted)
        of_labels = per_label_scores(fitted.Y_test, (p > 0.5).astype(int), p)  # losses do not depend on decisions
        losses = {"log loss": of_labels["log_loss"][table["label"]].to_numpy()}
    return pd.DataFrame(
        {
            "step": table["place"] + 1,
            "label": [fitted.names[label] for label in table["label"]],
            level_name(fitted.member.graph_): table["level"] + 1,
            "inputs": table["n_inputs"],
            "given predicted": table["given_predicted"],
            "given true": table["given_true"],
            "lost": table["lost"],
            "most frequent": table["most_frequent"],
            **losses,
            "own errors": table["n_own"],
            "inherited errors": table["n_inherited"],
            "overruled": table["n_overruled"],
            "lucky": table["n_lucky"],
        }
    )


def _edges(fitted: Fitted, effects: pd.DataFrame) -> pd.DataFrame:
    ends = ("parent", "child") if _is_directed(fitted) else ("label", "other label")
    named = {
        end: [fitted.names[label] for label in effects[of]] for end, of in zip(ends, ("parent", "child"), strict=True)
    }
    columns = {
        "gain": "gain",
        "gain_error": "standard error",
        "p": "p",
        "score_with": "score with",
        "score_without": "score without",
        "child_gain": "gain of child",
        "child_with": "child with",
        "child_without": "child without",
    }
    return pd.DataFrame(named).join(effects[list(columns)].rename(columns=columns))
