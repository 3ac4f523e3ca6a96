"""Methods over several data sets: ranks, tests, diagrams, time, and two methods against each other."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st
from components import ranking_tables
from components.parts import figure, plain
from components.ranking_tables import Ranking
from components.saving import Files, table_files
from components.tables import COST_UNITS, name_of
from state.call import Call, Script, constant, known

import trellislib.experiment
from trellislib.data.writing.csv_text import csv_text
from trellislib.experiment import TIMES, Results, higher_is_better, in_words
from trellislib.figures import difference_spread, score_time_figure
from trellislib.ranking.front import geometric_means
from trellislib.summaries import about_front
from trellislib.wording import grouped, listed
from views.compare.comparison import Comparison


def show(compared: Comparison) -> dict[str, Files]:
    """Compare over data sets; return the fits as files."""
    key, script, every_fit = compared.key, compared.script, compared.results.fits
    results, without = compared.results.defined(key), compared.results.undefined(key)
    left_out = without["datasets"] | without["methods"]
    if left_out:
        script.add(f"results = results.defined({key!r})")
    made = known("results", results)
    scores = made.table(key).named("scores")
    unit = f" ({COST_UNITS[key]})" if key in COST_UNITS else ""
    rules = ranking_tables.rules("compare", higher_is_better(key), scores.value, compared.controls, compared.more)
    ranking = Ranking.of(scores, in_words(key), rules)
    compared.answer(ranking.verdict)
    ranking_tables.diagrams(ranking, "compare", script)
    for why, names in grouped(left_out):
        st.caption(plain(f"{listed(names)}: no {in_words(key)} ({why})."))
    st.header(f"{name_of(key)}{unit} and ranks", anchor=False)
    reasons = results.status().stack()
    has_spreads = st.toggle("Show the spread over fits", key="spreads", bind="query-params")
    spreads = results.spread(key) if has_spreads else None
    ranking_tables.table(ranking, "compare", spreads=spreads, reasons=reasons[reasons != ""].to_dict())
    is_wide = compared.has_many_methods
    left, right = (st.container(), st.container()) if is_wide else st.columns([2, 3], gap="medium")
    with left:
        _rank_against_time(results, ranking, script)
    with right:
        ranking_tables.two_methods(
            ranking, "compare", script, lambda one, other: Call(difference_spread, made.fits, key, one, other)
        )
    return {"fits": {"csv": partial(csv_text, every_fit), "parquet": every_fit.to_parquet}}


def _rank_against_time(results: Results, ranking: Ranking, script: Script) -> None:
    """Show what a better rank costs, on the data sets that all methods finished."""
    st.header("Rank against time", anchor=False)
    seconds = sum(results.table(time) for time in TIMES).dropna()
    average = ranking.average_ranks.value
    if seconds.empty or average.isna().all():
        st.caption("No data set was finished by all methods, so there are no times to compare.")
        return
    times = geometric_means(seconds)
    script.add(
        "seconds = geometric_means(sum(results.table(time) for time in TIMES).dropna())",
        geometric_means,
        constant(trellislib.experiment, "TIMES"),
    )
    chart = Call(
        score_time_figure,
        ranking.average_ranks,
        known("seconds", times),
        f"Average rank in {ranking.name}",
        higher_is_better=False,
        time_name="Geometric mean time of a fit",
    )
    script.show(chart)
    caption = about_front(average, times, higher_is_better=False)
    figure(
        chart,
        alt=caption,
        key="rank-time",
        caption=f"{caption} Times are of data sets that all methods finished.",
        stem=f"{ranking.name}-rank-time",
        more={"table": table_files(pd.DataFrame({"average rank": average, "seconds": times}), index=True)},
    )
