"""Label DAG lab: labels simulated from a known graph, and what finds it."""

import pandas as pd
import streamlit as st
from components.parts import about_figure, asking, button, choice, figure, foot, opening, plain, running
from components.saving import graph_files, save, table_files
from components.tables import RECOVERY_NAMES, recovery_table
from state import session
from state.call import Call, Script, value_of
from state.jobs import Job
from state.sources import load

from trellislib.figures import given_parent_figure, recovery_curve_figure, recovery_figures
from trellislib.figures.recovery import SCORES
from trellislib.graphs import VARIED, recovery
from trellislib.paper.appendix import published_f
from trellislib.ranking.paired import CLEAR
from trellislib.running.progress import about
from trellislib.summaries import about_agreement, about_curve, about_given_parent, about_recovery
from views.label_dag import dag_lab
from views.label_dag.dag_lab import Batch, Knobs

STEM = "label-dag"
KINDS = {
    "FS": "from the labels alone",
    "LEAD (signed)": "by signed errors",
    "LEAD (error)": "by errors: the paper's LEAD",
}
VARIES = {"n_instances": "Instances N", "difficulty": "Difficulty"}
PUBLISHED = {"FS": float(published_f()["FS"].iloc[0]), "LEAD (error)": float(published_f()["LEAD"].iloc[0])}

ask = asking(dag_graphs="Number of true graphs, the same for all settings.")


def find(knobs: Knobs, shown_lead: str) -> tuple[str, list[Call]]:
    """Show the truth and what is found of it; return the sentence, and the calls that draw."""
    data, truth, calls = dag_lab.data(knobs), dag_lab.truth(knobs), dag_lab.found(knobs, ("FS", shown_lead))
    names, found = data.value.label_names, value_of(calls)
    graphs = {"Truth": truth.value, **found}
    positions = dag_lab.positions(data.value.true_parents)
    sentence = about_recovery(found, truth.value, knobs.n_instances)
    drawn = Call(recovery_figures, truth, calls, data.label_names).named("figures")
    drawn.found_by(lambda: recovery_figures(truth.value, found, names, positions=positions))
    charts = {"Truth": drawn[0], **{name: drawn[1][name] for name in found}}
    for (name, chart), place in zip(charts.items(), st.columns(3), strict=True):
        with place:
            if name == "Truth":
                preset = f"{knobs.difficulty}: " if knobs.difficulty else ""
                text = f"{preset}alpha = {knobs.alpha:g}, sigma² = {knobs.sigma2:g}"
            else:
                text = about_agreement(recovery(found[name], truth.value))
            st.markdown(f"**{name}**, {KINDS.get(name, 'simulated here')}  \n{plain(text)}")
            files = graph_files(graphs[name], names, positions=positions)
            figure(
                chart,
                alt=f"{name}: {len(graphs[name].edges)} edges. {text}.",
                key=f"graph {name}",
                stem=f"{STEM}-{name.lower()}",
                more={"graph": files},
            )
    st.caption(
        "Arrows run from parent to child. Found edges are right (solid), reversed (dashed) or wrong (dotted). Missing "
        "edges are thin and grey. Edges lead away from a root that the seed draws, so some are reversed."
    )
    table = recovery_table(found, truth.value).drop(columns="Edges")  # which the legends count
    number = st.column_config.NumberColumn
    st.dataframe(
        table,
        key="recovery",
        column_config={name: number(format="%.2f") for name in RECOVERY_NAMES.values()}
        | {
            RECOVERY_NAMES["shd"]: number(
                "Edges off (SHD) ↓",
                help="Structural Hamming distance: missing, wrong and reversed edges, each counted once.",
            )
        },
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        save(f"{STEM}-recovery", table=table_files(table, index=True))
        use(knobs)
    st.caption(
        f"The paper reports F = {PUBLISHED['FS']} for FS and {PUBLISHED['LEAD (error)']} for LEAD (error) over 10 sets "
        "of random difficulty. It gives neither their sizes nor whether directions count."
    )
    return sentence, list(charts.values())


def use(knobs: Knobs) -> None:
    workspace = session.workspace()
    in_use = workspace.source == knobs.source
    button(
        "In use on all pages" if in_use else "Use these data on all pages",
        "use dag",
        "check" if in_use else "database",
        lambda: workspace.use(knobs.source, load(knobs.source)),
        disabled=in_use,
        width="content",
    )
    if not in_use:
        st.caption(
            plain(f"This page simulates its own labels. The other pages show {workspace.dataset.name}."),
            width="stretch",
        )


def follow(knobs: Knobs) -> Call:
    """Show whether labels follow their parents as the formula has it; return the call that draws it."""
    st.header("Do labels follow their parents as in the formula?", anchor=False)
    call = dag_lab.observed(knobs)
    observed, chart = call.value, Call(given_parent_figure, call)
    caption = about_given_parent(observed)
    stem = f"{STEM}-given-parent"
    figure(chart, key="given parent", caption=caption, stem=stem, more={"table": table_files(observed)})
    about_figure(
        "P(label = +1 | parent) = Q((delta - alpha · parent) / √(1 + sigma²)), as in the paper. The formula takes the "
        "features of a label as independent of its parent. It is exact (filled) where no ancestor of the label depends "
        "on one of its features, and an approximation elsewhere (open)."
    )
    with st.expander("As a table"):
        st.dataframe(
            observed,
            hide_index=True,
            key="given parent table",
            column_config={
                name: st.column_config.NumberColumn(format="%.3f") for name in ("observed", "theory", "low", "high")
            }
            | {
                "low": st.column_config.NumberColumn("95% from", format="%.3f"),
                "high": st.column_config.NumberColumn("95% to", format="%.3f"),
                "shared": st.column_config.NumberColumn("features shared with the parent"),
            },
        )
    return chart


def many(knobs: Knobs) -> list[Call]:
    """Show how the structures do over many data sets; return the calls that draw what is finished."""
    st.header("How many instances, or which difficulty, does it need?", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        vary = choice(
            "What varies", list(VARIES), key="dag_vary", default="n_instances", format_func=VARIES.__getitem__
        )
        n_datasets = ask(st.slider, "Graphs", "dag_graphs", 2, 50, 10, width=150)
        score = ask(
            st.selectbox,
            "Score",
            "dag_score",
            SCORES,
            index=list(SCORES).index("skeleton_f"),
            format_func=lambda name: SCORES[name][0].upper() + SCORES[name][1:],
            width=250,
        )
        batch, workspace = Batch.of(knobs, vary, n_datasets), session.workspace()
        job = workspace.job(batch)
        active = job is not None and job.is_active
        finished = job is not None and job.state == "done"
        st.button(
            f"Simulate and search {batch.n_all} data sets, about {about(batch.price)}",
            key="run batch",
            type="primary",
            disabled=active or finished,
            on_click=lambda: workspace.start(batch, batch.run),
            width="content",
        )
    published = PUBLISHED if vary == "difficulty" and score in ("f", "skeleton_f") else None
    if job is not None and active:
        running(job, "batch")
        growing(job, batch, score, published)
        return []
    if job is None:
        settings = ", ".join(f"{value:,g}" for value in VARIED[vary])
        st.caption(
            f"{VARIES[vary]}: {settings}. Other settings are as above. FS, both LEAD and the MI tree run on each of "
            f"{n_datasets} graphs in the background."
        )
    elif job.state == "failed":
        st.error(plain(f"The batch failed: {job.error}"), icon=":material/error:")
    if job is None or job.result is None or job.result.empty:
        return []
    curve = job.result
    ended = f"Cancelled. Showing {len(curve)} of {job.total} searches. " if job.state == "cancelled" else ""
    chart = show_curve(batch.call.given(curve), score, published, ended)
    return [chart] if finished else []


@st.fragment(run_every=2.0)
def growing(job: Job, batch: Batch, score: str, published: dict[str, float] | None) -> None:
    """Show what a batch that goes on has finished so far."""
    curve = dag_lab.finished(batch).curve
    if curve is not None and job.state != "waiting":  # where there may be one of an earlier job
        n_done = curve.drop(columns="structure").drop_duplicates([batch.vary, "data set"]).shape[0]
        show_curve(batch.call.given(curve), score, published, f"So far, {n_done} of {batch.n_all} data sets. ")


def show_curve(call: Call, score: str, published: dict[str, float] | None, progress: str) -> Call:
    """Show how well the structures do over many data sets, and how far that has come; return the call that draws it."""
    curve, given = call.value, {"published": published} if published else {}
    chart = Call(recovery_curve_figure, call, score, **given)
    vary = str(curve.columns[0])
    caption = about_curve(curve, score, SCORES[score])
    summary = curve.groupby([vary, "structure"], sort=False)[score].agg(["mean", "std", "count"]).reset_index()
    figure(
        chart,
        key="curve",
        caption=caption,
        stem=f"{STEM}-curve",
        more={"table": table_files(summary), "all_scores": table_files(curve)},
    )
    st.caption(f"{progress}Means over graphs. Bars are one standard deviation.")
    about_figure(
        f"Clearly ahead means significant by a paired t-test over the same graphs (p ≤ {CLEAR:g}). The paper has "
        f"F = {PUBLISHED['FS']} for FS and {PUBLISHED['LEAD (error)']} for LEAD (error), over sets between easy and "
        "hard of unknown sizes. A link to this view holds the knobs, and the batch is run again."
    )
    with st.expander("As a table"):
        st.dataframe(wide(summary, vary, published), key="curve table")
    return chart


def wide(summary: pd.DataFrame, vary: str, published: dict[str, float] | None) -> pd.DataFrame:
    """Return structures in rows, and mean ± standard deviation at each setting in columns."""
    cells = summary.assign(
        cell=[f"{mean:.3f} ± {std:.3f}" for mean, std in zip(summary["mean"], summary["std"].fillna(0.0), strict=True)]
    )
    table = cells.pivot(index="structure", columns=vary, values="cell").rename_axis(index="Structure", columns=None)
    table = table.rename(columns="{:,g}".format)
    if published is not None:
        table["mean"] = summary.groupby("structure")["mean"].mean().map("{:.3f}".format)
        table["in the paper"] = [f"{published[name]:.3f}" if name in published else "" for name in table.index]
    return table


answer = opening("Which structure finds the true graph of the labels?")
knobs, shown_lead = dag_lab.controls()
sentence, graphs = find(knobs, shown_lead)
answer.markdown(plain(sentence))
foot(Script().show(*graphs, follow(knobs), *many(knobs)))
