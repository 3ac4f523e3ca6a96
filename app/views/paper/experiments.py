"""The paper's experiments on a page: what is needed, what it would take, and published numbers next to ours."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st
from components import ranking_tables
from components.known_sets import ORIGINS, downloading, fetch_button, where_from
from components.parts import asking, button, choice, foot, plain, running
from components.ranking_tables import Ranking, Rules
from components.saving import save, table_files
from state import results_store, session
from state.call import Call, Script, constant, known
from streamlit.delta_generator import DeltaGenerator

import trellislib.paper
from trellislib.data import KNOWN, DataError, Dataset, obtain, obtainable
from trellislib.experiment import Results, Store, higher_is_better, run
from trellislib.figures import drawing_figure, rank_bars
from trellislib.metrics import MEASURES
from trellislib.paper import ENSEMBLES, LEARNERS, PaperExperiment, published_and_ours
from trellislib.paper.experiments import STAND_INS
from trellislib.paper.words import about_agreement, compared, measure_name, number, ranked_by, wide
from trellislib.ranking import Nemenyi
from trellislib.running.progress import about
from trellislib.wording import listed

NAMES = {known.name for known in KNOWN.values()}
SHORT = {"fast": "Least squares", "logistic": "Logistic", "paper": "As in the paper"}
AS_IN = {"text": "As in the text", "code": "As in the code"}
Variant = tuple[str, str]  # base learner and ensembles
SHOWN = {"both": "Both", "published": "Published", "ours": "Ours", "difference": "Difference"}
LEFT_OUT = " was left out: "  # how a run reports a data set that could not be loaded
MOST_NAMED = 12  # cells without a number that a caption lists

ask = asking(
    paper_learner="  \n".join(f"**{SHORT[key]}**: {what}." for key, what in LEARNERS.items()),
    paper_ensembles="  \n".join(f"**{AS_IN[key]}**: {what}." for key, what in ENSEMBLES.items()),
)


def name_of(measure: str) -> str:
    name = measure_name(measure)
    return name[0].upper() + name[1:]


def is_time(measure: str) -> bool:
    return measure not in MEASURES


def direction(measure: str) -> bool | None:
    """Return whether higher is better, None for a time."""
    return None if is_time(measure) else higher_is_better(measure)


def here(folder: str | None) -> set[str]:
    """Return the keys of the known data sets that are on this machine."""
    try:
        return obtainable(folder)
    except DataError:  # as above
        return set()


def needed(experiment: PaperExperiment, folder: str | None) -> dict[str, str | None]:
    """Return where each data set of an experiment comes from, or a sample of it, None where it is missing."""
    return {
        key: where_from(key, folder) or (where_from(STAND_INS[key], folder) if key in STAND_INS else None)
        for key in experiment.datasets
    }


def choose_variant(experiment: PaperExperiment, controls: DeltaGenerator, more: DeltaGenerator) -> Variant:
    """Ask what replaces the paper's base learners and ensembles."""
    learner = ask(
        controls.selectbox, "Base learner", "paper_learner", LEARNERS, format_func=SHORT.__getitem__, width=160
    )
    ensembles = "text"
    if experiment.has_ensembles:
        ensembles = ask(
            more.selectbox, "Ensembles", "paper_ensembles", ENSEMBLES, format_func=AS_IN.__getitem__, width=320
        )
    return learner, ensembles


def results_of(experiment: PaperExperiment, variant: Variant) -> tuple[Results | None, tuple[int, ...], str]:
    """Return what is known of an experiment, the runs of the results file it is from, and why there is nothing."""
    title = experiment.run_title(*variant)
    store, trouble = results_store.opened(session.workspace().token)
    for one in session.workspace().runs:
        if one.name == title and not one.is_stored and one.job.result and not one.job.is_active:
            return one.job.result, (), trouble
    if store is None:
        return None, (), trouble
    runs = store.runs()
    mine = tuple(sorted(runs.index[(runs["title"] == title) & (runs["n_fits"] > 0)]))
    if not mine:
        return None, (), trouble
    together = results_store.results(store, mine)
    if set(together.methods) <= set(experiment.methods) and set(together.datasets) <= NAMES:
        return together, mine, trouble
    newest = mine[-1:]  # other data or parameters than before cannot be put together
    return results_store.results(store, newest), newest, trouble


def load(key: str, folder: str | None) -> Dataset:
    """Load a known data set, or say that it went away."""
    found = obtain(key, folder)
    if found is None:
        raise DataError(f"{KNOWN[key].name}: it is no longer on this machine.")
    return found


def show(experiment: PaperExperiment, folder: str | None, controls: DeltaGenerator, more: DeltaGenerator) -> str:
    """Show an experiment; return what its numbers say."""
    variant = choose_variant(experiment, controls, more)
    results, runs, trouble = results_of(experiment, variant)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = experiment.measures[0]
        if len(experiment.measures) > 1:
            key = f"paper_{experiment.key}_measure"
            measure = choice("Score", experiment.measures, key=key, default=measure, format_func=name_of)
        table = compared(experiment, results, measure)
        shown = "published"
        if table["ours"].notna().any():
            key = f"paper_{experiment.key}_numbers"
            shown = choice("Numbers", SHOWN, key=key, default="both", format_func=SHOWN.get)
        _run_button(experiment, variant, folder)
    if trouble:
        st.warning(plain(f"{trouble} Results of this visit are not saved."), icon=":material/warning:")
    _progress(experiment, variant)
    _data(experiment, folder, more)
    _table(experiment, results, measure, table, shown)
    script = _script(experiment, variant, folder, results, runs)
    both = (
        Call(compared, known("experiment", experiment), known("results", results), measure).named("table").given(table)
    )
    script.print(both.to_string())
    if experiment.key == "results":
        _nemenyi(measure, both, script)
    st.caption(plain(f"{experiment.title} {experiment.source}. {experiment.protocol}"))
    with st.expander("Where ours may differ"):
        st.caption(plain(experiment.differences))
    if results is not None:
        for reason, cells in results.unfinished().items():
            where = listed([f"{method} on {dataset}" for dataset, method in cells], MOST_NAMED)
            st.caption(plain(f"{reason[0].upper()}{reason[1:]}: {where}."))
        if results.notes:
            with st.expander(f"Notes on data and folds ({len(results.notes)})", icon=":material/info:"):
                for note in results.notes:
                    st.caption(plain(note))
    foot(script)
    sentence = about_agreement(table, measure_name(measure), direction(measure))
    if variant[0] == "paper" or table["ours"].isna().all():
        return sentence
    return f"{sentence} The base learner is {SHORT[variant[0]].lower()} instead of the paper's."


def _run_button(experiment: PaperExperiment, variant: Variant, folder: str | None) -> None:
    workspace = session.workspace()
    title = experiment.run_title(*variant)
    known = here(folder)
    plan = experiment.plan(variant[0], known, variant[1])
    what = f"Run it on {len(plan.datasets)} of {len(experiment.datasets)} data sets"
    seconds = experiment.estimated_seconds(variant[0], known)
    button(
        f"{what}, about {about(seconds)}" if plan.datasets else "None of its data sets is on this machine",
        f"run {experiment.key}",
        "play_arrow",
        workspace.begin,
        title,
        str(_running(experiment, variant, folder, store=Call(Store))),
        partial(
            run, [partial(load, key, folder) for key in plan.datasets], plan.methods, plan.protocol, seeds=plan.seeds
        ),
        type="primary",
        disabled=not plan.datasets or any(one.name == title and one.job.is_active for one in workspace.runs),
    )


def _progress(experiment: PaperExperiment, variant: Variant) -> None:
    """Show how far runs of an experiment are, and how the newest ended if not all went well."""
    mine = [one for one in session.workspace().runs if one.name == experiment.run_title(*variant)]
    for one in mine:
        if one.job.is_active:
            running(one.job, f"paper {one.number}")
    state = mine[0].job.state if mine else ""
    if state == "failed":
        st.error(plain(f"The last run {mine[0].outcome}"), icon=":material/error:")
    elif state == "cancelled":
        st.info(plain(f"The last run was {mine[0].outcome}. Run it again to continue."), icon=":material/info:")
    elif state == "done":
        for note in mine[0].job.result.notes:
            if LEFT_OUT in note:
                st.warning(plain(note), icon=":material/error:")


def _data(experiment: PaperExperiment, folder: str | None, more: DeltaGenerator) -> None:
    """Say where the data sets of an experiment are, and offer to download what is missing."""
    sources = needed(experiment, folder)
    where: dict[str | None, list[str]] = {}
    for key, source in sources.items():
        is_sample = source is not None and where_from(key, folder) is None
        where.setdefault(source, []).append(KNOWN[STAND_INS[key] if is_sample else key].name)
    missing = [key for key, source in sources.items() if source is None]
    with more:
        where_from_each = "; ".join(f"{ORIGINS[source]}: {', '.join(names)}" for source, names in where.items())
        st.caption(plain(f"{where_from_each[0].upper()}{where_from_each[1:]}."))
        with st.container(horizontal=True):
            for key in missing:
                fetch_button(key)
    if missing:
        fetched = (
            "Download them or name their folder"
            if any(KNOWN[key].can_be_fetched for key in missing)
            else "Name their folder"
        )
        st.caption(plain(f"Not on this machine: {', '.join(where[None])}. {fetched} under More."))
    for key in missing:
        downloading(key)


def _table(experiment: PaperExperiment, results: Results | None, measure: str, table: pd.DataFrame, shown: str) -> None:
    unit = " in seconds per fit" if is_time(measure) else ""
    if shown in ("published", "ours"):
        scores = wide(table, shown).dropna(how="all")
        spreads = experiment.published_spread(measure)
        if spreads is not None:
            of_scores = spreads if shown == "published" or results is None else results.spread(measure)
            spreads = of_scores.reindex(index=scores.index, columns=scores.columns)
        rules = Rules(not is_time(measure), "Nemenyi", 0.1, "drop", "competition")
        ranking = Ranking.of(known("scores", scores), f"{measure_name(measure)}{unit}", rules)
        digits = 0 if is_time(measure) and shown == "published" else 3
        ranking_tables.table(ranking, f"paper-{experiment.key}-{measure}-{shown}", digits=digits, spreads=spreads)
        return
    rows: dict[str, dict[str, str]] = {}
    for name, method, printed, ours, difference in table.itertuples(index=False):
        sign = "-" if pd.isna(difference) else number(difference, is_time(measure), "+")
        text = _both(printed, ours, measure) if shown == "both" else plain(sign)
        rows.setdefault(plain(name), {})[plain(method)] = text
    st.table(pd.DataFrame.from_dict(rows, orient="index").rename_axis("Data set"), border="horizontal")
    better = "lower" if is_time(measure) else "higher"
    what = f"{measure_name(measure)}{unit}, {better} is better"
    if shown == "both":
        st.caption(f"Published · **ours**: {what}. DNF: did not finish in the paper. -: not run or not finished here.")
    else:
        st.caption(f"Ours minus published: {what}. -: one of the two is missing.")
    save(f"paper-{experiment.key}-{measure}", table=table_files(table))


def _both(printed: float, ours: float, measure: str) -> str:
    """Return a cell of two numbers that stays on one line."""
    texts = [
        absent if pd.isna(value) else number(value, is_time(measure))
        for value, absent in ((printed, "DNF"), (ours, "-"))
    ]
    return "\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}**".join(texts) + "**"


def _nemenyi(measure: str, table: Call, script: Script) -> None:
    """Show the paper's diagram and ours, each over the data sets that all methods finished; write their Python."""
    st.header("Nemenyi test at 0.10", anchor=False)
    for column, half in zip(("published", "ours"), st.columns(2, gap="medium"), strict=True):
        with half:
            st.markdown(f"**{SHOWN[column]}**")
            scores = Call(ranked_by, table, column, measure).named(f"{column}_scores")
            if scores.value.empty:
                st.caption("Nothing has been run here yet.")
                continue
            ranking = Ranking.of(scores, measure_name(measure), Rules(not is_time(measure), "Nemenyi", 0.1))
            comparison = ranking.comparison
            if not isinstance(comparison, Nemenyi):
                st.caption(plain(ranking.problem))
                continue
            tests, width = ranking.tests, ranking_tables.BARS_WIDTH
            bars = Call(rank_bars, tests.average_ranks, tests.critical_distance, width=width, by_rank=False).named(
                "bars"
            )
            script.show(Call(drawing_figure, bars))
            missing = len(scores.value) - comparison.n_datasets
            over = (
                f"the {comparison.n_datasets} data sets that all methods finished"
                if missing
                else f"{len(scores.value)} data sets"
            )
            apart = ", the table more" if missing else ""
            caption = f"{ranking.verdict} The test uses {over}{apart}."
            ranking_tables.show_drawing(bars.value, f"nemenyi {column}", f"paper-{measure}-{column}", caption=caption)


def _script(
    experiment: PaperExperiment, variant: Variant, folder: str | None, results: Results | None, runs: tuple[int, ...]
) -> Script:
    """Return the Python that has the `results` of an `experiment` as the page has them."""
    if results is not None and not runs:
        return _running(experiment, variant, folder)
    script = Script().use(_call(experiment))
    if runs:
        script.add(f"# The file has the Python that trained them, too: print(Store().runs().code[{runs[-1]}])")
        return script.use(Call(Store).results(list(runs)).named("results"))
    running = str(_running(experiment, variant, folder, store=Call(Store))).splitlines()
    script.add("results = None  # nothing has been run yet; this runs it:")
    return script.add("\n".join(f"# {line}" for line in running if line))


def _call(experiment: PaperExperiment) -> Call:
    return constant(trellislib.paper, "EXPERIMENTS")[experiment.key].named("experiment")


def _running(experiment: PaperExperiment, variant: Variant, folder: str | None, **more: Call) -> Script:
    """Return the Python that runs an experiment; `more` are further arguments of `trellislib.experiment.run`."""
    where = [str(Path(folder).expanduser())] if folder else []
    learner, ensembles = variant
    plan = _call(experiment).plan(learner, Call(obtainable, *where), ensembles).named("plan")
    script = Script().use(plan)
    script.add(
        f"datasets = [{script.text(Call(partial, obtain, known('key', None), *where))} for key in plan.datasets]"
    )
    results = Call(run, known("datasets", None), plan.methods, plan.protocol, seeds=plan.seeds, **more).named("results")
    return script.use(results).add(
        """for measure in experiment.measures:
    print(published_and_ours(experiment.published(measure), experiment.measured(results, measure)).to_string())""",
        published_and_ours,
    )
