"""Methods on one data set: mean and spread over its folds, score against time, label by label."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from components.pairs import fold_pairs
from components.parts import choice, figure, plain
from components.saving import Files, save, table_files
from components.tables import TIME_COLUMNS, methods_table, scores_table
from state.call import Call, constant, known

import trellislib.metrics
from trellislib.experiment import Evaluation
from trellislib.figures import label_scores_figure, reliability_figure, score_against_time_figure
from trellislib.methods import BASELINES
from trellislib.metrics import MEASURES, Measure
from trellislib.metrics.label_groups import GROUPS
from trellislib.summaries import (
    about_calibration,
    about_depth,
    about_front,
    about_label_scores,
    about_result,
    seconds_of,
)
from trellislib.wording import listed
from views.compare.comparison import Comparison

FIRST_METHODS = 4  # of many, label by label
LABEL_SCORES = {"f1": "F1", "precision": "Precision", "recall": "Recall", "hamming": "Share right", "auc": "AUC"}
LABEL_SCORES |= {"brier_score": "Brier score", "log_loss": "Log loss"}  # lower is better


def show(compared: Comparison) -> dict[str, Files]:
    """Compare on one data set; return the tables as files."""
    (name,) = compared.results.datasets
    result, measure = compared.results.of_dataset(name), MEASURES[compared.key]
    summary, labels = result.summary(), result.label_scores()
    compared.answer(about_result(result, measure))
    is_wide = compared.has_many_methods
    left, right = (st.container(), st.container()) if is_wide else st.columns([3, 2], gap="medium")
    with left:
        _scores(result, measure, is_wide)
    with right:
        st.header(f"{measure.name} against time", anchor=False)
        _against_time(compared, name, summary, measure)
    _pairs(compared, result, measure)
    if not labels.empty:
        _label_by_label(compared, name, labels, summary[measure.key, "rank"])
        _by_frequency(compared, result, name)
    _calibration(compared, result, name, summary.get(("log_loss", "rank")))
    tables = {"scores": summary, "fits": result.fits.set_index("method"), "labels": labels}
    return {what: table_files(table, index=True) for what, table in tables.items()}


def _pairs(compared: Comparison, result: Evaluation, measure: Measure) -> None:
    """Show which differences of pairs are real."""
    st.header("Which differences are real?", anchor=False)
    try:
        found = result.tests(measure.key)
    except ValueError as error:
        st.caption(plain(str(error)))
        return
    tests = _result(compared).tests(measure.key).given(found).named("tests")
    compared.script.print(tests.pairs)
    fold_pairs(found, measure.in_words)
    means = result.summary()[measure.key, "mean"]
    if depth := about_depth(means, measure.in_words, measure.higher_is_better, tuple(BASELINES)):
        st.markdown(plain(depth))


def _result(compared: Comparison) -> Call:
    if compared.shown.is_evaluation:
        return known("result", None)
    return compared.call.of_dataset(*compared.results.datasets).named("result")


def _scores(result: Evaluation, measure: Measure, is_long: bool) -> None:
    over = f"Mean ± standard deviation over {result.n_folds} fits" if result.n_folds > 1 else "One split, so no spread"
    if is_long:
        st.dataframe(
            methods_table(result, measure.key),
            height=35 * (len(result.methods) + 1) + 3,
            row_height=35,
            key="scores",
            column_config=TIME_COLUMNS,
        )
        over += f". ★ marks the best. Methods are sorted by {measure.name}. Click a column to sort by it."
    else:
        st.table(scores_table(result), border="horizontal")
        over += ", then the rank. ★ marks the best."
    st.caption(f"{over} ↑: higher is better. ↓: lower is better. Times are wall-clock times, longer on a busy server.")


def _against_time(compared: Comparison, name: str, summary: pd.DataFrame, measure: Measure) -> None:
    key, script = measure.key, compared.script
    if summary[key, "mean"].isna().all():
        st.caption("No method finished all folds, so there is nothing to draw.")
        return
    table = _result(compared).summary()
    if compared.shown.is_evaluation:
        table = table.loc[list(compared.results.methods)]
    chart = Call(score_against_time_figure, table.given(summary), constant(trellislib.metrics, "MEASURES")[key])
    script.show(chart)
    caption = about_front(summary[key, "mean"], *seconds_of(summary), higher_is_better=measure.higher_is_better)
    figure(chart, key="score-time", caption=caption, stem=f"{name}-{key}-time")


def _label_by_label(compared: Comparison, name: str, labels: pd.DataFrame, rank: pd.Series) -> None:
    methods = list(labels.index.unique("method"))
    is_long = compared.has_many_methods
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.header("Label by label", anchor=False)
        offered = [column for column in LABEL_SCORES if column in labels and labels[column].notna().any()]
        column = choice(
            "Score of each label", offered, key="label_score", default=offered[0], format_func=LABEL_SCORES.__getitem__
        )
        if is_long:
            best = rank.reindex(methods).sort_values(kind="stable").index[:FIRST_METHODS]
            key = f"label_methods-{compared.shown.joined}"
            shown = st.multiselect("Methods", methods, default=best, key=key, bind="query-params", width=420)
            labels = labels[labels.index.isin(shown, level="method")]
    table = _result(compared).label_scores()
    if is_long or compared.shown.is_evaluation:
        kept = list(labels.index.unique("method"))
        table = table[known(f"lambda labels: labels.index.isin({kept}, level='method')", None)]
    chart = Call(label_scores_figure, table.named("labels").given(labels), column, LABEL_SCORES[column])
    compared.script.show(chart)
    caption = about_label_scores(labels, column, LABEL_SCORES[column])
    figure(
        chart,
        key="label-scores",
        caption=caption,
        stem=f"{name}-labels-{column}",
        more={"table": table_files(labels[[column]].unstack("method"), index=True)},
    )
    wide = labels[column].unstack("method").loc[labels.index.unique("label")]
    if "support" in labels:
        wide.insert(0, "Support", labels["support"].groupby("label", sort=False).first())
        wide = wide.sort_values("Support", ascending=False, kind="stable")
    with st.expander("As a table", icon=":material/table:"):
        st.dataframe(wide.rename_axis("Label"), key="label table")
        st.caption("Support: test rows with the label, over all folds. Rows count by their weight, if any.")


def _calibration(compared: Comparison, result: Evaluation, name: str, rank: pd.Series | None) -> None:
    """Show whether the probabilities of methods are as frequent as they say; of many methods, the best by log loss."""
    bins = result.reliability()
    if not bins or rank is None:
        return
    st.header("Are probabilities calibrated?", anchor=False)
    found = _result(compared).reliability().given(bins).named("bins")
    if len(bins) > FIRST_METHODS:
        best = rank[list(bins)].sort_values(kind="stable").index[:FIRST_METHODS]
        key = f"calibration_methods-{compared.shown.joined}"
        chosen = st.multiselect("Methods", list(bins), default=list(best), key=key, bind="query-params", width=560)
        if not chosen:
            return
        bins = {method: bins[method] for method in chosen}
    chart = Call(reliability_figure, {method: found[method] for method in bins})
    compared.script.show(chart)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        figure(
            chart,
            key="calibration",
            caption=about_calibration(bins),
            stem=f"{name}-reliability",
            more={"table": table_files(pd.concat(bins, names=["method"]), index=True)},
        )
    with right:
        st.caption(
            "Dotted: calibrated probabilities. Points above it have too low probabilities. A cell is a label of a test "
            "row. Ten bins group the cells of all folds, and larger markers have more cells. The calibration error "
            "here is of all cells. The table above has the mean over folds."
        )


def _by_frequency(compared: Comparison, result: Evaluation, name: str) -> None:
    """Show micro and macro F1 of frequent, middling and rare labels."""
    groups = result.group_scores()
    if groups.empty:
        return
    st.header("Frequent and rare labels", anchor=False)
    compared.script.print(_result(compared).group_scores())
    names = {"micro_f1": "Micro F1", "macro_f1": "Macro F1"}
    shown = {
        f"{words}, {group}": groups[score].xs(group, level="group")
        for group in GROUPS
        for score, words in names.items()
    }
    st.dataframe(
        pd.DataFrame(shown).rename_axis("Method"),
        key="groups",
        column_config={name: st.column_config.NumberColumn(format="%.3f") for name in shown},
    )
    sizes = groups.loc[groups.index[0][0]]
    support = listed([f"{group} {row.support:,.0f}" for group, row in sizes.iterrows()])
    st.caption(f"Thirds of the labels by how often they are relevant. Relevant test cells: {support}.")
    save(f"{name}-groups", table=table_files(groups, index=True))
