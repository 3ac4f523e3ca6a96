"""Published numbers and ours as a page of Markdown, to be kept with the command that made it."""

from __future__ import annotations

import pandas as pd

from trellislib.experiment import Results, higher_is_better
from trellislib.metrics import MEASURES
from trellislib.paper.experiments import PaperExperiment
from trellislib.paper.words import about_agreement, compared, measure_name, number, ranked_by, wide
from trellislib.ranking import about_ranking, friedman, nemenyi
from trellislib.score_tables.markup import markdown_escaped


def write_up(experiment: PaperExperiment, results: Results) -> str:
    """Return an experiment as a section of Markdown: how it was run, both tables of each measure, and what they show.

    Parameters
    ----------
    experiment : PaperExperiment
        One of `trellislib.paper.EXPERIMENTS`.
    results : Results
        What came of its plan; a measure that no fit has is shown as not run.

    Returns
    -------
    str
        It ends in a newline. A cell is ``published / ours``: DNF where the paper's did not finish, "-" where ours was
        not run or did not finish, which the list at the end explains.

    Examples
    --------
    >>> from trellislib.data import simulate_label_dag
    >>> from trellislib.experiment import Split, run
    >>> from trellislib.paper import EXPERIMENTS
    >>> experiment = EXPERIMENTS["placement"]
    >>> data = simulate_label_dag(n_instances=60, n_labels=4, random_state=0)
    >>> text = write_up(experiment, run([data], experiment.plan("fast").methods, Split()))
    >>> print(text.splitlines()[0])
    ## Is hill climbing better than a random trellis?
    """
    lines = [f"## {experiment.title}", "", f"{experiment.source}. {experiment.protocol} {experiment.differences}", ""]
    for measure in experiment.measures:
        table = compared(experiment, results, measure)
        is_time = measure not in MEASURES
        name = measure_name(measure)
        lines += [f"### {name[0].upper()}{name[1:]}: published / **ours**{' (s)' if is_time else ''}", ""]
        lines += [*_rows(table, is_time), ""]
        if table["published"].notna().any():
            agreement = about_agreement(table, name, None if is_time else higher_is_better(measure))
            lines += [markdown_escaped(agreement), ""]
        if len(experiment.methods) > 2 and table["dataset"].nunique() > 2:
            columns = {"Paper": "published", "Ours": "ours"}
            verdicts = {who: _verdict(ranked_by(table, of, measure), name, is_time) for who, of in columns.items()}
            lines += [*(f"- {who}: {verdict}" for who, verdict in verdicts.items()), ""]
    missing = [
        f"{reason}: {', '.join(f'{method} on {dataset}' for dataset, method in cells)}"
        for reason, cells in results.unfinished().items()
    ]
    lines += [f"- {markdown_escaped(sentence)}" for sentence in (*missing, *results.notes)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _rows(table: pd.DataFrame, is_time: bool) -> list[str]:
    printed, ours = wide(table, "published"), wide(table, "ours")
    head = ["", *map(markdown_escaped, printed.columns)]
    rows = []
    for name in printed.index:
        absent = "DNF" if printed.loc[name].notna().any() else "-"  # the paper has nothing on some data sets
        cells = (
            f"{_cell(printed.loc[name, method], is_time, absent)} / **{_cell(ours.loc[name, method], is_time, '-')}**"
            for method in printed
        )
        rows.append([markdown_escaped(name), *cells])
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def _cell(value: float, is_time: bool, absent: str) -> str:
    return absent if pd.isna(value) else number(value, is_time)


def _verdict(scores: pd.DataFrame, name: str, is_time: bool) -> str:
    if scores.empty:
        return "nothing has been run yet."
    try:
        test = nemenyi(scores, not is_time, alpha=0.1)
        ranks = ", ".join(f"{method} {rank:.2f}" for method, rank in test.average_ranks.items())
        verdict = about_ranking(test, name, friedman(scores, not is_time))
    except ValueError as error:
        return str(error)
    return f"average ranks {ranks} on {test.n_datasets} data sets. {verdict}"
