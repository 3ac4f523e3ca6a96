"""Compare: scores, ranks and times of the methods that were trained, on one data set or over many."""

import catalogue
import pandas as pd
import session
import shelf
import standings
import streamlit as st
from parts import NAMED_METHODS, figure, head, named, plain, python_box, running
from standings import Standing
from tables import COST_NAMES, methods_table, scores_table

from trellislib.experiment import COSTS, TIMES, KFold, Results, higher_is_better
from trellislib.figures import difference_spread, label_scores_figure, score_against_time_figure, score_time_figure
from trellislib.metrics import MEASURES
from trellislib.ranking.front import geometric_means
from trellislib.takeaways import about_comparison

TITLE = "Which method is better?"
SHOWN_METHODS = 4  # of many, label by label
LABEL_SCORES = {"f1": "F1", "precision": "Precision", "recall": "Recall", "hamming": "Share right", "auc": "AUC"}

workspace = session.workspace()
data = workspace.dataset
kept = shelf.store()
active = [run for run in workspace.runs if run.job.is_active]


def name_of(key: str) -> str:
    return COST_NAMES.get(key) or MEASURES[key].name


def remove(numbers: list[int]) -> None:
    for number in numbers:
        workspace.forget(number)
        kept.remove(number)


def nothing_yet() -> None:
    """Offer a first comparison where nothing has been trained."""
    if active:
        with takeaway:
            head(TITLE, "The scores appear here when this run has ended.")
        st.stop()
    with takeaway:
        head(TITLE, f"Nothing has been trained on {data.name} yet, so there is nothing to compare.")
    methods = catalogue.default_methods(data)
    st.button(
        f"Train {', '.join(methods)} with least squares, 5-fold",
        type="primary",
        icon=":material/play_arrow:",
        on_click=workspace.train,
        args=([workspace.loaded], [methods], KFold(5), 0, "Least squares, 5-fold"),
        key="train-default",
    )
    st.page_link("views/train.py", label="Choose what to train", icon=":material/tune:")
    st.page_link("views/scores.py", label="Rank scores that you have already", icon=":material/upload_file:")
    st.stop()


takeaway = st.container()
for run in active:
    with st.container(border=True):
        st.markdown(plain(run.title))
        running(run.job, run.number)

if kept is None:
    with takeaway:
        head(TITLE, shelf.trouble() or "")
    st.stop()

runs = kept.runs()
going_on = {run.number for run in active}
runs = runs[(runs["n_fits"] > 0) & ~runs.index.isin(going_on)]
if runs.empty:
    nothing_yet()

titles = shelf.titles(runs)
own = [run.number for run in workspace.runs if run.number in titles and run.job.state == "done"]
controls = st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    chosen = st.multiselect(
        "Runs",
        list(titles),
        default=[own[0] if own else next(iter(titles))],
        format_func=titles.get,
        key="runs",
        width=560,
        help="Results of several runs are put together; the newest counts where they overlap.",
    )
if not chosen:
    with takeaway:
        head(TITLE, f"Choose at least one of {len(titles)} runs.")
    st.stop()

results = shelf.results(kept, tuple(sorted(chosen)))
code = runs.loc[chosen[0], "code"]
more = st.expander("More: which data sets and methods, how to rank", icon=":material/tune:")
with more:
    if len(results.datasets) > 1:
        picked = st.multiselect("Data sets", results.datasets, default=results.datasets, key=f"datasets {chosen}")
        results = results.select(datasets=picked or results.datasets)
    picked = st.multiselect("Methods", results.methods, default=results.methods, key=f"methods {chosen}")
    results = results.select(methods=picked or results.methods)
measures = [key for key in results.measures if key in MEASURES]
with controls:
    if measures:
        several = len(results.datasets) > 1
        offered = [*measures, *(key for key in results.measures if key in COSTS)] if several else measures
        key = st.selectbox(
            "Score",
            offered,
            format_func=name_of,
            key="score",
            persist_state="session",
            width=220,
            help="  \n".join(f"**{MEASURES[key].name}**: {MEASURES[key].description}" for key in measures),
        )

for (method, reason), fits in results.fits[results.fits["status"] != "done"].groupby(["method", "reason"], sort=False):
    where = "" if len(results.datasets) == 1 else f" on {named(list(fits['dataset'].unique()))}"
    expected = len(results.fits[(results.fits["method"] == method) & results.fits["dataset"].isin(fits["dataset"])])
    st.warning(plain(f"{method} did not finish {len(fits)} of {expected} fits{where}: {reason}"))
if (runs.loc[chosen, "state"] != "done").any():
    st.info("This run did not end; methods that did not finish all fits are shown as DNF.", icon=":material/info:")
if not measures:
    with takeaway:
        head(TITLE, "No fit of this run succeeded, so there is nothing to compare.")
    st.button("Remove this run", on_click=remove, args=(chosen,), icon=":material/delete:")
    python_box(code)
    st.stop()


def one_data_set(results: Results, key: str) -> None:
    """Compare on one data set: mean and spread over its folds, score against time, label by label."""
    (name,) = results.datasets
    result = results.of_dataset(name)
    summary = result.summary()
    measure = MEASURES[key]
    sentence = about_comparison(summary, measure)
    with takeaway:
        head(TITLE, sentence)
    spread = (
        f"Mean ± standard deviation over {result.n_folds} fits" if result.n_folds > 1 else "One split, so no spread"
    )
    is_long = len(result.methods) > NAMED_METHODS
    left, right = (st.container(), st.container()) if is_long else st.columns([3, 2], gap="medium")
    with left:
        if is_long:
            st.dataframe(
                methods_table(result, key),
                height=35 * (len(result.methods) + 1) + 3,
                row_height=35,
                key="scores",
                column_config={
                    name: st.column_config.NumberColumn(format="%.3g")
                    for name in ("Training time (s)", "Test time (s)")
                },
            )
            told = f"{spread}; ★ marks the best. The best in {measure.name} come first; click a column to sort by it."
        else:
            st.table(scores_table(result), border="horizontal")
            told = f"{spread}, then the rank; ★ marks the best."
        st.caption(f"{told} ↑ higher is better, ↓ lower is better. Times are by the clock: a busy server adds to them.")
    labels = result.label_scores()
    with right:
        st.header(f"{measure.name} against time", anchor=False)
        if summary[key, "mean"].isna().all():
            st.caption("No method finished all folds, so there is nothing to draw.")
        else:
            figure(score_against_time_figure(summary, measure), alt=sentence, key="score-time")
            st.caption("The line joins what no other method beats in both.")
    if not labels.empty:
        label_by_label(labels, summary[key, "rank"], is_long)
    downloads(
        name,
        {"Scores (CSV)": summary, "Every fit (CSV)": result.fits.set_index("method"), "Label by label (CSV)": labels},
    )


def label_by_label(labels: pd.DataFrame, rank: pd.Series, is_long: bool) -> None:
    """Show one score of each label."""
    methods = list(labels.index.unique("method"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.header("Label by label", anchor=False)
        offered = [column for column in LABEL_SCORES if column in labels and labels[column].notna().any()]
        column = st.segmented_control(
            "Score of each label",
            offered,
            default=offered[0],
            required=True,
            format_func=LABEL_SCORES.__getitem__,
            key="label score",
        )
        if is_long:
            best = rank.reindex(methods).sort_values(kind="stable").index[:SHOWN_METHODS]
            shown = st.multiselect("Methods", methods, default=best, key=f"label methods {chosen}", width=420)
            labels = labels[labels.index.get_level_values("method").isin(shown)]
    figure(
        label_scores_figure(labels, column, LABEL_SCORES[column]),
        alt=f"{LABEL_SCORES[column]} of each label for {named(methods)}",
        key="label-scores",
    )


def many_data_sets(results: Results, key: str) -> None:
    """Compare over data sets: ranks, tests, diagrams, time, and two methods against each other."""
    scores = results.table(key)
    name = name_of(key)
    higher = higher_is_better(key)
    rules = standings.rules(
        "compare", higher_is_better=higher, has_gaps=bool(scores.isna().any(axis=None)), place=controls, more=more
    )
    standing = Standing.of(scores, name, rules)
    with takeaway:
        head(TITLE, standing.verdict)
    standings.diagrams(standing, "compare")
    st.header(f"{name} and ranks", anchor=False)
    status = results.status().stack()
    spreads = results.spread(key) if st.toggle("Show the spread over fits", key="spreads") else None
    standings.table(standing, "compare", spreads=spreads, reasons=status[status != ""].to_dict())
    left, right = st.columns(2, gap="medium")
    with left:
        st.header("Rank against time", anchor=False)
        seconds = sum(results.table(time) for time in TIMES)
        finished = seconds.notna().all(axis=1)
        average = standing.ranks.mean() if standing.comparison is None else standing.comparison.average_ranks
        if finished.any():
            chart = score_time_figure(
                average,
                geometric_means(seconds[finished]),
                f"Average rank in {name}",
                higher_is_better=False,
                time_name="Geometric mean time of a fit",
            )
            figure(chart, alt=f"Average rank in {name} against time.", key="rank-time")
            st.caption("The line joins what no other method beats in both, on the data sets that all finished.")
        else:
            st.caption("No data set was finished by all methods, so there are no times to compare.")
    with right:
        standings.two_methods(standing, "compare", lambda one, other: difference_spread(results.fits, key, one, other))
    downloads("results", {"Every fit (CSV)": results.fits})
    st.download_button(
        "Every fit (Parquet)",
        results.fits.to_parquet,
        file_name="results-fits.parquet",
        on_click="ignore",
        icon=":material/download:",
    )


def downloads(name: str, tables: dict[str, pd.DataFrame]) -> None:
    """Offer tables as files."""
    with st.container(horizontal=True):
        for label, table in tables.items():
            st.download_button(
                label,
                table.to_csv(),
                file_name=f"{name}-{label.partition(' (')[0].lower().replace(' ', '-')}.csv",
                mime="text/csv",
                on_click="ignore",
                icon=":material/download:",
            )


if len(results.datasets) == 1:
    one_data_set(results, key)
else:
    many_data_sets(results, key)
for note in results.notes:
    st.caption(plain(note))
st.button(
    f"Remove {'this run' if len(chosen) == 1 else f'these {len(chosen)} runs'} from the results file",
    on_click=remove,
    args=(chosen,),
    icon=":material/delete:",
    key="remove",
)
python_box(code)
