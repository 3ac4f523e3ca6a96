"""The report of a comparison of methods, on one data set or over several."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pandas as pd

from trellislib.data.dataset import Dataset
from trellislib.experiment import COST_NAMES, TIMES, Results, higher_is_better, in_words
from trellislib.figures import rank_diagram, score_against_time_figure
from trellislib.methods import METHODS
from trellislib.metrics import MEASURES
from trellislib.ranking import Nemenyi, friedman, nemenyi, ranks, wilcoxon_holm
from trellislib.ranking.verdict import about_ranking
from trellislib.report.markup import Html, page, paragraphs, picture, section, table
from trellislib.report.sections import of_data, of_making, of_terms
from trellislib.running.progress import duration
from trellislib.score_tables.report import AVERAGE_RANK, table_cells
from trellislib.summaries import about_result, pairs_table
from trellislib.wording import counted, grouped, listed

QUESTION = "Which method is better?"
HEADLINES = ("accuracy", "hamming_score", "exact_match", *TIMES)
ALPHA = 0.1  # as in the paper
MOST_PAIRS = 15  # with the smallest p-values
ONE = {
    "±": "Standard deviation over the folds.",
    "Rank": "In brackets: 1 is the best method, and equal ones share the average rank.",
}
MANY = {
    "Median lead": "The middle one of a method's differences from the other over the data sets, with an interval that "
    "has the true one in at least 95 % of cases.",
    "Rank-biserial": "1 where a method is better on every data set, 0 where neither leads. Differences of 0 count.",
    "Average rank": "The mean over the data sets of a method's rank, 1 being best.",
    "Differs": "Over the data sets, by a test that allows a difference where there is none with a chance of 10 % for "
    "all pairs of methods together. Bars in the figure join methods that do not differ.",
}


def comparison_report(
    results: Results, score: str | None = None, *, datasets: Iterable[Dataset] = (), script: str = ""
) -> str:
    """Return results as one HTML page, which opens without network and needs no knowledge of the methods.

    Parameters
    ----------
    results : Results
        As by `trellislib.experiment.run`, or of a store.
    score : str, optional
        The measure that methods are compared by; by default accuracy, or the first one that there is.
    datasets : iterable of Dataset, optional
        The data, if they are loaded; the report then has their sizes and notes.
    script : str, optional
        The Python that makes the results.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If no fit succeeded.
    KeyError
        If no fit has that measure.
    ImportError
        If matplotlib, which draws the figures, is not installed.

    Examples
    --------
    >>> from trellislib import ClassifierTrellis, IndependentClassifiers
    >>> from trellislib.data import simulate_label_dag
    >>> from trellislib.experiment import KFold, run
    >>> data = simulate_label_dag(n_instances=60, n_labels=3, random_state=0)
    >>> results = run([data], {"IC": IndependentClassifiers(), "CT": ClassifierTrellis()}, KFold(3))
    >>> "Hamming score" in comparison_report(results, datasets=[data])
    True
    """
    measures = [key for key in results.measures if key in MEASURES]
    if not measures:
        raise ValueError("No fit of these results succeeded, so there is nothing to report. Run the experiment again.")
    key = score or ("accuracy" if "accuracy" in measures else measures[0])
    if key not in results.measures:
        raise KeyError(f"No fit has the measure {key!r}; there are {', '.join(results.measures)}.")
    answer, body, about, shown = (_of_one if len(results.datasets) == 1 else _of_many)(results, key)
    unfinished = [
        f"{method} on {name}: {reason}" for reason, cells in results.unfinished().items() for name, method in cells
    ]
    texts = " ".join(results.fits["parameters"].dropna().unique())
    methods = [name for name, entry in METHODS.items() if f'.{entry.method.__name__}"' in texts]
    versions = map(json.loads, results.fits["versions"].dropna().unique())
    return page(
        QUESTION,
        answer,
        *body,
        section("Did not finish", paragraphs(unfinished)),
        section("Data", *_data(results, {data.digest: data for data in datasets})),
        section("How they were compared", paragraphs([*_protocols(results), *results.notes])),
        of_terms(methods, shown, about),
        of_making(versions, script),
    )


def _of_one(results: Results, key: str) -> tuple[str, list[Html], dict[str, str], list[str]]:
    """Return the answer on one data set, figure and table, and the terms and measures that are read there."""
    result = results.of_dataset(*results.datasets)
    summary, shown = result.summary(), [*result.measures, *TIMES]
    rows = [
        _written(of, _transposed(summary, of, results.datasets[0])).assign(**result.why_missing(of)) for of in shown
    ]
    cells = pd.concat(rows).set_axis([_name(of) for of in shown])
    if key not in MEASURES:
        return f"{_name(key)} of each method is in the table.", [table(cells, "Score")], ONE, shown
    finished = summary[key, "mean"].notna().any()
    caption = f"{MEASURES[key].name} of each method, and the time of a fit. Lines: standard deviations over the folds."
    drawn = [picture(score_against_time_figure(summary, MEASURES[key]), caption)] if finished else []
    return about_result(result, MEASURES[key]), [*drawn, table(cells, "Score")], ONE, shown


def _of_many(results: Results, key: str) -> tuple[str, list[Html], dict[str, str], list[str]]:
    """Return the same over several data sets."""
    scores, higher = results.defined(key).table(key), higher_is_better(key)
    body = []
    try:
        tests = (nemenyi if scores.shape[1] > 2 else wilcoxon_holm)(scores, higher, alpha=ALPHA)
        overall = friedman(scores, higher) if scores.shape[1] > 2 else None
        answer = about_ranking(tests, in_words(key), overall)
        distance = tests.critical_distance if isinstance(tests, Nemenyi) else None
        diagram = rank_diagram(tests.average_ranks, distance, tests.groups)
        body.append(picture(diagram, f"Average ranks in {in_words(key)} over {counted(tests.n_datasets, 'data set')}."))
        pairs = pairs_table(tests).set_index("Method").head(MOST_PAIRS)
        body.append(section("Pairs of methods", table(pairs, "Method"), paragraphs(tests.notes)))
    except ValueError as error:
        answer = f"No test can show which method is better in {in_words(key)}: {error}"
    shown = [key, *(other for other in HEADLINES if other != key and other in results.measures)]
    for of in shown:
        defined = results.defined(of)
        means = defined.table(of)
        ranked = ranks(means, higher_is_better(of), unfinished="skip")
        cells = _written(of, (means, ranked, defined.spread(of)))
        average = ranked.mean().map("{:.2f}".format).rename(AVERAGE_RANK)
        without = results.undefined(of)
        missing = paragraphs(
            f"{listed(names)}: no {in_words(of)} ({why})."
            for why, names in grouped(without["datasets"] | without["methods"])
        )
        body.append(section(_name(of), table(pd.concat([cells, average.to_frame().T]), "Data set"), missing))
    return answer, body, ONE | MANY, shown


def _transposed(summary: pd.DataFrame, key: str, dataset: str) -> tuple[pd.DataFrame, ...]:
    """Return means, ranks and spreads of a measure, methods in columns."""
    return tuple(summary[key, what].to_frame(dataset).T for what in ("mean", "rank", "std"))


def _written(key: str, tables: tuple[pd.DataFrame, ...]) -> pd.DataFrame:
    """Return means, ranks and spreads as texts, times as people read them."""
    means, ranked, spreads = tables
    if key in TIMES:
        return means.map(lambda seconds: "DNF" if pd.isna(seconds) else duration(seconds))
    texts = [[cell.text(3, "±", "{}") for cell in row] for row in table_cells(means, ranked, spreads)]
    return pd.DataFrame(texts, means.index, means.columns)


def _name(key: str) -> str:
    """Return the heading of a measure or cost."""
    name = MEASURES[key].name if key in MEASURES else COST_NAMES[key].capitalize()
    return f"{name} {'↑' if higher_is_better(key) else '↓'}"


def _data(results: Results, known: dict[str, Dataset]) -> list[Html]:
    digests = results.fits.groupby("dataset", sort=False)["digest"].first()
    return [
        paragraphs(of_data(known[digests[name]]) if digests[name] in known else [f"{name}, SHA-256: {digests[name]}"])
        for name in results.datasets
    ]


def _protocols(results: Results) -> list[str]:
    """Return how each data set was divided, those alike together."""
    fits = results.fits
    found = []
    for protocol, of_one in fits.groupby("protocol", sort=False):
        seeds = ", ".join(str(seed) for seed in sorted(of_one["seed"].unique()))
        names = of_one["dataset"].unique()
        where = "" if len(names) == len(results.datasets) else f" on {', '.join(names)}"
        n_fits = counted(int(of_one["n_fits"].iloc[0]), "fit")
        found.append(
            f"Protocol{where}: {protocol}, {n_fits} of each method, seed {seeds}; the same rows for all methods."
        )
    return found
