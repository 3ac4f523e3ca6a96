"""Published numbers beside ours as a page of Markdown, to be kept with the command that made it."""

from __future__ import annotations

import pandas as pd

from trellislib.experiment import Results, higher_is_better
from trellislib.metrics import MEASURES
from trellislib.paper.experiments import PaperExperiment, beside
from trellislib.paper.words import about_agreement, measure_name, wide
from trellislib.ranking import friedman, nemenyi
from trellislib.ranking.markup import markdown_escaped
from trellislib.ranking.verdict import about_ranking


def write_up(experiment: PaperExperiment, results: Results) -> str:
    """Return an experiment as a section of Markdown: how it was run, both tables of each measure, and what they say.

    Parameters
    ----------
    experiment : PaperExperiment
        One of `trellislib.paper.EXPERIMENTS`.
    results : Results
        What came of its plan.
    """
    lines = [f"## {experiment.title}", "", f"{experiment.source}. {experiment.protocol} {experiment.differences}", ""]
    for measure in experiment.measures:
        table = beside(experiment.published(measure), experiment.measured(results, measure))
        is_time = measure not in MEASURES
        name = measure_name(measure)
        lines += [f"### {name[0].upper()}{name[1:]}: published / **ours**{' (s)' if is_time else ''}", ""]
        lines += [
            *_rows(table, is_time),
            "",
            about_agreement(table, name, None if is_time else higher_is_better(measure)),
        ]
        if len(experiment.methods) > 2 and len(table["dataset"].unique()) > 2:
            lines += [f"- Paper: {_verdict(table, 'published', name, is_time)}"]
            lines += [f"- Ours: {_verdict(table, 'ours', name, is_time)}"]
        lines.append("")
    status = results.status().stack()
    unfinished = status[status != ""]
    lines += [f"- {method} on {dataset}: {reason}" for (dataset, method), reason in unfinished.items()]
    lines += [f"- {note}" for note in results.notes]
    return "\n".join([*lines, ""])


def _rows(table: pd.DataFrame, is_time: bool) -> list[str]:
    printed, ours = wide(table, "published"), wide(table, "ours")
    head = ["", *printed.columns]
    rows = [
        [markdown_escaped(name)]
        + [
            f"{_cell(printed.loc[name, method], is_time, 'DNF')} / **{_cell(ours.loc[name, method], is_time, '-')}**"
            for method in printed
        ]
        for name in printed.index
    ]
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def _cell(value: float, is_time: bool, absent: str) -> str:
    return absent if pd.isna(value) else f"{value:,.3g}" if is_time else f"{value:.3f}"


def _verdict(table: pd.DataFrame, column: str, name: str, is_time: bool) -> str:
    scores = wide(table, column).dropna(how="all")
    try:
        told = nemenyi(scores, not is_time, alpha=0.1)
        ranks = ", ".join(f"{method} {rank:.2f}" for method, rank in told.average_ranks.items())
        verdict = about_ranking(told, name, friedman(scores, not is_time))
    except ValueError as error:
        return str(error)
    return f"average ranks {ranks} on {told.n_datasets} data sets. {verdict}"
