"""The paper's experiments on a page: what is needed, what it would take, and published numbers beside ours."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd
import session
import shelf
import standings
import streamlit as st
from parts import about, figure, plain, python_box, running
from standings import Rules, Standing

from trellislib.data import KNOWN, DataError, Dataset, obtain, origin
from trellislib.experiment import Results, higher_is_better, run
from trellislib.figures import drawing_figure, rank_bars
from trellislib.metrics import MEASURES
from trellislib.paper import ENSEMBLES, LEARNERS, PaperExperiment, beside
from trellislib.paper.experiments import STAND_INS, TOTAL_SECONDS
from trellislib.paper.words import about_agreement, measure_name, wide
from trellislib.ranking import Nemenyi

ORIGINS = {
    "folder": "in the folder",
    "download": "downloaded",
    "package": "from an installed package",
    "simulated": "simulated",
    None: "not on this machine",
}
SHORT = {"fast": "Least squares", "logistic": "Logistic", "paper": "As in the paper"}
AS_IN = {"text": "As in the text", "code": "As in the code"}
Variant = tuple[str, str]  # base learner and ensembles
SHOWN = {"beside": "both", "published": "published", "ours": "ours", "difference": "difference"}


def name_of(measure: str) -> str:
    name = measure_name(measure)
    return name[0].upper() + name[1:]


def is_time(measure: str) -> bool:
    return measure not in MEASURES


def needed(experiment: PaperExperiment, folder: str | None) -> dict[str, str | None]:
    """Return where each data set of an experiment comes from, None where it is not at hand."""
    return {key: _origin(key, folder) for key in experiment.datasets}


def _origin(key: str, folder: str | None) -> str | None:
    return origin(key, folder) or (origin(STAND_INS[key], folder) if key in STAND_INS else None)


def at_hand(experiment: PaperExperiment, folder: str | None) -> set[str]:
    """Return the keys of all known data sets that are on this machine."""
    wanted = {*experiment.datasets, *STAND_INS.values()}
    return {key for key in wanted if origin(key, folder)}


def results_of(experiment: PaperExperiment, variant: Variant) -> Results | None:
    """Return what the results file has of an experiment, of all its runs together."""
    kept, _ = shelf.opened()
    if kept is None:
        return None
    runs = kept.runs()
    mine = runs.index[(runs["title"] == experiment.run_title(*variant)) & (runs["n_fits"] > 0)]
    return shelf.results(kept, tuple(sorted(mine))) if len(mine) else None


def load(key: str, folder: str | None) -> Dataset:
    """Load a known data set, or say that it went away."""
    found = obtain(key, folder)
    if found is None:
        raise DataError(f"{KNOWN[key].name}: it is no longer on this machine.")
    return found


def show(experiment: PaperExperiment, folder: str | None) -> str:
    """Show an experiment; return what its numbers say."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = st.segmented_control(
            "Score",
            experiment.measures,
            format_func=name_of,
            default=experiment.measures[0],
            required=True,
            key=f"measure {experiment.key}",
        )
        learner = st.selectbox(
            "Base learner",
            LEARNERS,
            format_func=SHORT.get,
            key="paper learner",
            persist_state="session",
            width=150,
            help="  \n".join(f"**{SHORT[key]}**: {what}." for key, what in LEARNERS.items()),
        )
        ensembles = "text"
        if experiment.has_ensembles:
            ensembles = st.selectbox(
                "Ensembles",
                ENSEMBLES,
                format_func=AS_IN.get,
                key="paper ensembles",
                persist_state="session",
                width=150,
                help="  \n".join(f"**{AS_IN[key]}**: {what}." for key, what in ENSEMBLES.items()),
            )
    variant = (learner, ensembles)
    _run_box(experiment, variant, folder)
    results = results_of(experiment, variant)
    printed = experiment.published(measure)
    ours = pd.DataFrame(index=printed.index[:0], columns=printed.columns, dtype=float)
    if results is not None and (measure == TOTAL_SECONDS or measure in results.measures):
        ours = experiment.measured(results, measure)
    table = beside(printed, ours)
    _tables(experiment, measure, table, printed)
    if experiment.key == "results":
        _nemenyi(measure, table)
    st.caption(plain(f"{experiment.title} {experiment.protocol} {experiment.differences}"))
    if results is not None:
        for reason, cells in _unfinished(results).items():
            st.caption(plain(f"{reason[0].upper()}{reason[1:]}: {', '.join(cells)}."))
    python_box(_code(experiment, variant, folder))
    return about_agreement(table, measure_name(measure), None if is_time(measure) else higher_is_better(measure))


def _unfinished(results: Results) -> dict[str, list[str]]:
    """Return which methods did not finish on which data sets, by the reason."""
    reasons: dict[str, list[str]] = {}
    for (dataset, method), reason in results.status().stack().items():
        if reason:
            reasons.setdefault(reason, []).append(f"{method} on {dataset}")
    return reasons


def _run_box(experiment: PaperExperiment, variant: Variant, folder: str | None) -> None:
    """Offer to run an experiment, with what is missing and what it would take."""
    workspace = session.workspace()
    title = experiment.run_title(*variant)
    active = [one for one in workspace.runs if one.name == title and one.job.is_active]
    for one in active:
        running(one.job, f"paper {one.number}")
    known = at_hand(experiment, folder)
    learner, ensembles = variant
    plan = experiment.plan(learner, known, ensembles)
    sources = needed(experiment, folder)
    missing = [key for key, source in sources.items() if source is None]
    with st.container(horizontal=True, vertical_alignment="center"):
        seconds = experiment.estimated_seconds(learner, known)
        st.button(
            f"Run it on {len(plan.datasets)} of {len(sources)} data sets, about {about(seconds)}",
            type="primary",
            icon=":material/play_arrow:",
            on_click=workspace.begin,
            args=(
                title,
                _code(experiment, variant, folder),
                partial(
                    run,
                    [partial(load, key, folder) for key in plan.datasets],
                    plan.methods,
                    plan.protocol,
                    seeds=plan.seeds,
                ),
            ),
            disabled=not plan.datasets or bool(active),
            key=f"run {experiment.key}",
        )
        for key in missing:
            _fetch_button(key)
    where: dict[str | None, list[str]] = {}
    for key, source in sources.items():
        name = KNOWN[key if key in known or source is None else STAND_INS[key]].name
        where.setdefault(source, []).append(name)
    st.caption(
        plain("Data " + "; ".join(f"{ORIGINS[source]}: {', '.join(names)}" for source, names in where.items()) + ".")
    )


def _fetch_button(key: str) -> None:
    workspace = session.workspace()
    known = KNOWN[key]
    job = workspace.downloads.get(key)
    if job is not None and job.is_active:
        running(job, f"download {key}")
        return
    if job is not None and job.state == "failed":
        st.warning(plain(job.error), icon=":material/cloud_off:")
    if known.can_be_fetched:
        st.button(
            f"Download {plain(known.name)} ({known.n_bytes / 1e6:.0f} MB)",
            icon=":material/cloud_download:",
            on_click=workspace.fetch,
            args=(key,),
            key=f"fetch {key}",
        )


def _tables(experiment: PaperExperiment, measure: str, table: pd.DataFrame, printed: pd.DataFrame) -> None:
    """Show the published numbers, ours, or both."""
    has_ours = bool(table["ours"].notna().any())
    shown = st.segmented_control(
        "Numbers",
        SHOWN if has_ours else ["published"],
        format_func=SHOWN.get,
        default="beside" if has_ours else "published",
        required=True,
        key=f"numbers {experiment.key} {has_ours}",
        label_visibility="collapsed",
    )
    digits = 3 if not is_time(measure) else 2
    if shown in ("published", "ours"):
        scores = wide(table, shown).dropna(how="all")
        standing = Standing.of(
            scores, measure_name(measure), Rules(not is_time(measure), "Nemenyi", 0.1, "drop", "competition")
        )
        standings.table(standing, f"{experiment.key}-{shown}", digits=digits)
        return
    cells = {column: wide(table, column) for column in ("published", "ours", "difference")}
    rows = {
        plain(name): {
            plain(method): _signed(cells["difference"].loc[name, method], digits)
            if shown == "difference"
            else _both(cells["published"].loc[name, method], cells["ours"].loc[name, method], measure)
            for method in printed.columns
        }
        for name in cells["published"].index
    }
    st.table(pd.DataFrame.from_dict(rows, orient="index").rename_axis("Data set"), border="horizontal")
    what = "Ours less published" if shown == "difference" else "Published, then **ours**"
    unit = " in seconds a fit" if is_time(measure) else ""
    st.caption(f"{what}: {measure_name(measure)}{unit}. DNF: did not finish; -: not run here.")
    st.download_button(
        "Both as CSV",
        table.to_csv(index=False),
        file_name=f"paper-{experiment.key}-{measure}.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        key=f"csv {experiment.key}",
    )


def _both(printed: float, ours: float, measure: str) -> str:
    return f"{'DNF' if pd.isna(printed) else _number(printed, measure)} · **{_number(ours, measure)}**"


def _number(value: float, measure: str) -> str:
    if pd.isna(value):
        return "-"
    return f"{value:.3f}" if not is_time(measure) else f"{value:,.3g}"


def _signed(value: float, digits: int) -> str:
    return "-" if pd.isna(value) else f"{value:+.{digits}f}"


def _nemenyi(measure: str, table: pd.DataFrame) -> None:
    """Show the paper's diagram and ours, each over the data sets that all methods finished."""
    st.header("Nemenyi test at 0.10", anchor=False)
    for column, place in zip(("published", "ours"), st.columns(2, gap="medium"), strict=True):
        with place:
            scores = wide(table, column).dropna(how="all")
            if scores.empty:
                st.caption("Nothing has been run here yet.")
                continue
            standing = Standing.of(scores, measure_name(measure), Rules(not is_time(measure), "Nemenyi", 0.1))
            told = standing.comparison
            st.markdown(f"**{column.capitalize()}**")
            if not isinstance(told, Nemenyi):
                st.caption(plain(standing.problem))
                continue
            bars = rank_bars(told.average_ranks, told.critical_distance, width=420, by_rank=False)
            figure(drawing_figure(bars), alt=standing.verdict, key=f"nemenyi {column}", width="content")
            st.caption(plain(f"On {told.n_datasets} data sets. {standing.verdict}"))


def _code(experiment: PaperExperiment, variant: Variant, folder: str | None) -> str:
    where = f", folder={str(Path(folder).expanduser())!r}" if folder else ""
    return f"""from functools import partial

from trellislib.data import KNOWN, obtain, origin
from trellislib.experiment import Store, run
from trellislib.paper import EXPERIMENTS, beside

experiment = EXPERIMENTS[{experiment.key!r}]
available = {{key for key in KNOWN if origin(key{where})}}
plan = experiment.plan({variant[0]!r}, available, {variant[1]!r})
datasets = [partial(obtain, key{where}) for key in plan.datasets]
results = run(datasets, plan.methods, plan.protocol, seeds=plan.seeds, store=Store())
for measure in experiment.measures:
    print(beside(experiment.published(measure), experiment.measured(results, measure)).to_string())"""
