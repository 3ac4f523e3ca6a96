"""Compare: scores, ranks and times of the methods that were trained, on one data set or over many."""

from functools import partial

import pandas as pd
import streamlit as st
from components import catalogue, ranking_tables, run_choice
from components.parts import figure, foot, head, plain, running
from components.ranking_tables import Standing
from components.saving import Files, save, table_files
from components.tables import COST_UNITS, methods_table, name_of, scores_table
from state import results_store, session
from state.recipe import Script
from state.results_store import Entry

from trellislib.data.writing.csv_text import csv_text
from trellislib.experiment import COSTS, TIMES, KFold, Results, higher_is_better, in_words
from trellislib.figures import difference_spread, label_scores_figure, score_against_time_figure, score_time_figure
from trellislib.metrics import MEASURES
from trellislib.ranking.front import geometric_means
from trellislib.summaries import about_comparison, about_front, about_label_scores
from trellislib.wording import listed

TITLE = "Which method is better?"
SHOWN_NOTES = 3  # of more, all are in a box
SHOWN_METHODS = 4  # of many, label by label
SHOWN_NAMES = 6  # of methods, in a figure of half the width
MISSING = "missing runs"  # those of the address that there are not, until others are chosen
RUNS = "runs"  # the query parameter that names runs, by their numbers in the results file
LABEL_SCORES = {"f1": "F1", "precision": "Precision", "recall": "Recall", "hamming": "Share right", "auc": "AUC"}

workspace = session.workspace()
data = workspace.dataset
kept, trouble = results_store.opened()
active = [run for run in workspace.runs if run.job.is_active]


def remove(numbers: list[int]) -> None:
    for number in numbers:
        workspace.forget(number)
        if number in stored:
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
    st.page_link("views/train/page.py", label="Choose what to train", icon=":material/tune:")
    st.page_link("views/scores/page.py", label="Rank scores that you have already", icon=":material/upload_file:")
    st.stop()


def numbers_in(text: str) -> list[int] | None:
    """Return the numbers of runs that an address names, None where it names none."""
    return [int(part) for part in text.split(",") if part.isdecimal()] or None


takeaway = st.container()
if trouble:
    st.warning(plain(trouble), icon=":material/warning:")
for run in active:
    with st.container(border=True):
        st.markdown(plain(run.title))
        running(run.job, run.number)

in_memory = {run.number: run for run in workspace.runs if not run.is_kept and run.job.result and not run.job.is_active}
stored = results_store.entries(kept, leave_out={run.number for run in active}) if kept else {}
runs = {number: Entry(run.title, run.job.state, run.code) for number, run in in_memory.items()} | stored
asked = None if "runs" in st.session_state else numbers_in(st.query_params.get(RUNS, ""))
if missing := [number for number in asked or () if number not in runs]:
    st.session_state[MISSING] = missing
if missing := st.session_state.get(MISSING):
    which = f"run {missing[0]}" if len(missing) == 1 else f"runs {listed(list(map(str, missing)))}"
    st.info(f"This link is to {which}, which this server's results file does not have.", icon=":material/link_off:")
if not runs:
    nothing_yet()

run_choice.preselect(runs, asked, workspace)
controls = st.container(horizontal=True, vertical_alignment="bottom")
with controls:
    chosen = st.multiselect(
        "Runs",
        list(runs),
        format_func=lambda number: runs[number].option,
        key="runs",
        persist_state="session",
        on_change=lambda: st.session_state.pop(MISSING, None),
        help="Results of several runs are put together; the newest counts where they overlap.",
    )
in_address = ",".join(str(number) for number in sorted(chosen) if number in stored)
if not in_address:
    st.query_params.pop(RUNS, None)
elif st.query_params.get(RUNS) != in_address:
    st.query_params[RUNS] = in_address
if not chosen:
    with takeaway:
        head(TITLE, f"Choose at least one of {len(runs)} runs.")
    st.stop()

alone = next((number for number in chosen if number in in_memory), None)
if alone is not None:
    chosen = [alone]  # what is not in the file is not put together with what is
results = results_store.results(kept, tuple(sorted(chosen))) if alone is None else in_memory[alone].job.result
of_runs = "-".join(map(str, sorted(chosen)))
code = runs[chosen[0]].code
script = Script()
if alone is None:
    script.use("trellislib.experiment", "Store")
    script.add(
        f"# The file has the Python that trained them, too: print(Store().runs().code[{chosen[0]}])",
        f"results = Store().results({sorted(chosen)})",
    )
else:
    script.add(code, *["results = result"] * ("result = run(" in code))
is_evaluation = alone is not None and "result = evaluate(" in code  # whose script has no `results`


def narrowed(results: Results, what: str, offered: tuple[str, ...]) -> Results:
    """Ask which data sets or methods are to be compared."""
    picked = st.multiselect(
        "Data sets" if what == "datasets" else "Methods",
        offered,
        default=offered,
        key=f"{what}-{of_runs}",
        bind="query-params",
    )
    if not picked or tuple(picked) == offered:
        return results
    if not is_evaluation:
        script.add(f"results = results.select({what}={picked})")
    return results.select(**{what: picked})


more = st.expander("More: which data sets and methods, how to rank", icon=":material/tune:")
with more:
    if len(results.datasets) > 1:
        results = narrowed(results, "datasets", results.datasets)
    results = narrowed(results, "methods", results.methods)
is_one = len(results.datasets) == 1
measures = [key for key in results.measures if key in MEASURES]
with controls:
    if measures:
        key = st.selectbox(
            "Score",
            measures if is_one else [*measures, *(key for key in results.measures if key in COSTS)],
            format_func=name_of,
            key="score",
            bind="query-params",
            width=185,
            help="  \n".join(f"**{MEASURES[key].name}**: {MEASURES[key].description}" for key in measures),
        )

for number in chosen:
    if runs[number].state != "done":
        said = f"Run {runs[number].title.partition(':')[0]}" if number in stored else "This run"
        said += (
            f" {results_store.HOW_ENDED[runs[number].state]}; a method that did not finish all fits is shown as DNF."
        )
        st.info(said, icon=":material/info:")
if is_one or not measures:
    failed = results.fits[results.fits["status"] != "done"]
    for (method, reason), fits in failed.groupby(["method", "reason"], sort=False):
        of = results.fits[(results.fits["method"] == method) & results.fits["dataset"].isin(fits["dataset"])]
        where = "" if is_one else f" on {listed(list(fits['dataset'].unique()))}"
        st.warning(plain(f"{method} did not finish {len(fits)} of {len(of)} fits{where}: {reason}"))
if not measures:
    with takeaway:
        head(TITLE, "No fit of this run succeeded, so there is nothing to compare.")
    st.button("Remove this run", on_click=remove, args=(chosen,), icon=":material/delete:", key="remove")
    foot(code)
    st.stop()


def one_data_set(results: Results, key: str) -> dict[str, Files]:
    """Compare on one data set: mean and spread over its folds, score against time, label by label; return its files."""
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
    is_long = len(result.methods) > SHOWN_NAMES
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
            script.use("trellislib.figures", "score_against_time_figure")
            script.use("trellislib.metrics", "MEASURES")
            if not is_evaluation:
                script.add(f"result = results.of_dataset({name!r})")
            of_methods = f".loc[{list(result.methods)}]" * is_evaluation
            script.add(f"score_against_time_figure(result.summary(){of_methods}, MEASURES[{key!r}]).show()")
            seconds = sum(summary[time, "mean"] for time in TIMES)
            says = about_front(summary[key, "mean"], seconds, measure.higher_is_better)
            figure(
                score_against_time_figure(summary, measure),
                alt=says,
                key="score-time",
                says=says,
                stem=f"{name}-{key}-time",
            )
    if not labels.empty:
        label_by_label(name, labels, summary[key, "rank"], is_long)
    fits = result.fits.set_index("method")
    tables = {"scores": summary, "fits": fits, "labels": labels}
    return {what: table_files(table, index=True) for what, table in tables.items()}


def training() -> str:
    """Return the Python that trained what is shown."""
    return "\n\n".join(f"# {runs[number].title}\n{runs[number].code}\n" for number in chosen)


def label_by_label(name: str, labels: pd.DataFrame, rank: pd.Series, is_long: bool) -> None:
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
            key="label_score",
            bind="query-params",
        )
        column = column or offered[0]
        if is_long:
            best = rank.reindex(methods).sort_values(kind="stable").index[:SHOWN_METHODS]
            shown = st.multiselect(
                "Methods", methods, default=best, key=f"label_methods-{of_runs}", bind="query-params", width=420
            )
            labels = labels[labels.index.isin(shown, level="method")]
    of_methods = ""
    if is_long or is_evaluation:
        of_methods = f'[lambda labels: labels.index.isin({list(labels.index.unique("method"))}, level="method")]'
    script.use("trellislib.figures", "label_scores_figure")
    script.add(
        f"labels = result.label_scores(){of_methods}",
        f"label_scores_figure(labels, {column!r}, {LABEL_SCORES[column]!r}).show()",
    )
    says = about_label_scores(labels, column, LABEL_SCORES[column])
    figure(
        label_scores_figure(labels, column, LABEL_SCORES[column]),
        alt=says,
        key="label-scores",
        says=says,
        stem=f"{name}-labels-{column}",
        more={"table": table_files(labels[[column]].unstack("method"), index=True)},
    )


def many_data_sets(results: Results, key: str) -> dict[str, Files]:
    """Compare over data sets: ranks, tests, diagrams, time, and two methods against each other; return its files."""
    every_fit = results.fits
    results, without = where_defined(results, key)
    if without:
        script.add(f"results = results.select({list(results.datasets)}, {list(results.methods)})")
    scores = results.table(key)
    script.add(f"scores = results.table({key!r})")
    unit = f" ({COST_UNITS[key]})" if key in COST_UNITS else ""
    rules = ranking_tables.rules(
        "compare",
        higher_is_better=higher_is_better(key),
        n_methods=len(results.methods),
        has_gaps=bool(scores.isna().any(axis=None)),
        place=controls,
        more=more,
    )
    standing = Standing.of(scores, in_words(key), rules)
    with takeaway:
        head(TITLE, standing.verdict)
    ranking_tables.diagrams(standing, "compare", script)
    if without:
        st.caption(plain(f"Without {listed(without)}, where {in_words(key)} is not defined."))
    st.header(f"{name_of(key)}{unit} and ranks", anchor=False)
    status = results.status().stack()
    spreads = (
        results.spread(key) if st.toggle("Show the spread over fits", key="spreads", bind="query-params") else None
    )
    ranking_tables.table(standing, "compare", spreads=spreads, reasons=status[status != ""].to_dict())
    is_long = len(results.methods) > SHOWN_NAMES  # their names need the whole width
    left, right = (st.container(), st.container()) if is_long else st.columns([2, 3], gap="medium")
    with left:
        rank_against_time(results, standing)
    with right:
        script.use("trellislib.figures", "difference_spread")
        ranking_tables.two_methods(
            standing,
            "compare",
            script,
            lambda one, other: difference_spread(results.fits, key, one, other),
            f"difference_spread(results.fits, {key!r}",
        )
    return {"fits": {"csv": partial(csv_text, every_fit), "parquet": every_fit.to_parquet}}


def where_defined(results: Results, key: str) -> tuple[Results, list[str]]:
    """Leave out data sets and methods that were finished and have no such score, and return also their names."""
    undefined = results.table(key).isna() & (results.status() == "")
    datasets, methods = undefined.all(axis=1), undefined.all(axis=0)
    without = [*datasets.index[datasets], *methods.index[methods]]
    return results.select(datasets.index[~datasets], methods.index[~methods]), without


def rank_against_time(results: Results, standing: Standing) -> None:
    """Show what a better rank costs, on the data sets that all methods finished."""
    st.header("Rank against time", anchor=False)
    seconds = sum(results.table(time) for time in TIMES).dropna()
    average = standing.ranks.mean() if standing.comparison is None else standing.comparison.average_ranks
    if seconds.empty or average.isna().all():
        st.caption("No data set was finished by all methods, so there are no times to compare.")
        return
    times, name = geometric_means(seconds), f"Average rank in {standing.name}"
    options = {"higher_is_better": False, "time_name": "Geometric mean time of a fit"}
    chart = score_time_figure(average, times, name, **options)
    script.use("trellislib.experiment", "TIMES")
    script.use("trellislib.figures", "score_time_figure")
    script.use("trellislib.ranking.front", "geometric_means")
    averaged = standing.averaged(script)
    given = ", ".join(f"{option}={value!r}" for option, value in options.items())
    script.add(
        "seconds = geometric_means(sum(results.table(time) for time in TIMES).dropna())",
        f"score_time_figure({averaged}, seconds, {name!r}, {given}).show()",
    )
    says = about_front(average, times, higher_is_better=False)
    figure(
        chart,
        alt=says,
        key="rank-time",
        says=f"{says} Times are of the data sets that all finished.",
        stem=f"{standing.name}-rank-time",
        more={"table": table_files(pd.DataFrame({"average rank": average, "seconds": times}), index=True)},
    )


files = one_data_set(results, key) if is_one else many_data_sets(results, key)
notes = st.container()
if len(results.notes) > SHOWN_NOTES:
    notes = st.expander(f"Notes on data and folds ({len(results.notes)})", icon=":material/info:")
for note in results.notes:
    notes.caption(plain(note))
which = "this run" if len(chosen) == 1 else f"these {len(chosen)} runs"
with st.container(horizontal=True, vertical_alignment="center"):
    save(results.datasets[0] if is_one else "results", **files, training={"py": training})
    st.button(
        f"Forget {which}" if alone is not None else f"Remove {which} from the results file",
        on_click=remove,
        args=(chosen,),
        icon=":material/delete:",
        key="remove",
    )
foot(str(script))
