"""The report of an advice."""

from __future__ import annotations

import pandas as pd

from trellislib.advice import LEARNERS, Advice
from trellislib.advice.candidates import BASELINE
from trellislib.data.dataset import Dataset
from trellislib.figures import contrasts_figure
from trellislib.metrics import MEASURES
from trellislib.models.model import versions
from trellislib.ranking.paired import CLEAR
from trellislib.report.markup import page, paragraphs, picture, section, table
from trellislib.report.sections import of_data, of_making, of_terms
from trellislib.running.progress import about, duration

INDEPENDENT = "independent classifiers"
MORE = {
    "Baseline": "The same labels for every row, whatever its features.",
    "95 % interval": "It holds the true differences of all structures with 95 % certainty. It is corrected for folds "
    "that share rows (corrected resampled t-test, Nadeau and Bengio 2003).",
    "p": "Probability of a difference as large where there is none, corrected for all structures. It is significant up "
    f"to {CLEAR:g}.",
}


def verdict_report(advice: Advice, dataset: Dataset, script: str = "") -> str:
    """Return an advice as one HTML page, which opens without network and needs no knowledge of the methods.

    Parameters
    ----------
    advice : Advice
        As by `trellislib.advise`.
    dataset : Dataset
        The data that it is about.
    script : str, optional
        The Python that makes it; by default with ``data`` for the data set.

    Returns
    -------
    str

    Raises
    ------
    ImportError
        If matplotlib, which draws the figure, is not installed.

    Examples
    --------
    >>> from trellislib import advise
    >>> from trellislib.data import simulate_label_dag
    >>> data = simulate_label_dag(n_instances=150, n_labels=4, random_state=0)
    >>> advice = advise(data, "exact_match", 600, learners=["logistic"], n_repeats=1)
    >>> advice.sentences[0] in verdict_report(advice, data)
    True
    """
    score = MEASURES[advice.score].in_words
    first, *others = advice.sentences
    figure = ""
    if not advice.contrasts.empty:
        caption = f"A structure is better right of 0. Lines: simultaneous 95 % intervals, {advice.protocol}."
        figure = picture(contrasts_figure(advice.contrasts, score, INDEPENDENT), caption)
    drawn = f" of {advice.n_rows_given:,}" * (advice.n_rows < advice.n_rows_given)
    left_out = [f"Left out: {name} {why}." for name, why in advice.table["status"].items() if why]
    return page(
        f"Is label structure worth it on {advice.dataset}?",
        first,
        paragraphs([*others, *(f"Caution: {caution}" for caution in advice.cautions)]),
        figure,
        section("All methods", table(_cells(advice), "Method"), paragraphs(left_out)),
        section("Data", paragraphs([*of_data(dataset), *dataset.notes])),
        section(
            "How they were compared",
            paragraphs(
                [
                    f"All methods decided for {score}, on the same {advice.protocol} of {advice.n_rows:,}{drawn} rows.",
                    f"It took {duration(advice.elapsed)} of {about(advice.seconds)}. Times are of one fit.",
                    f"Structures use the best base learner for {INDEPENDENT} that there was time for: "
                    f"{advice.learner_name}.",
                ]
            ),
        ),
        of_terms(advice.table["structure"], [advice.score], MORE),
        of_making([versions()], script or f"from trellislib import advise\n\n{_asked(advice)}"),
    )


def _asked(advice: Advice) -> str:
    return f"advice = advise(data, {advice.score!r}, {advice.seconds:g})\nprint(advice)"


def _cells(advice: Advice) -> pd.DataFrame:
    """Return the table of methods as texts, a number that there is not as nothing."""
    known = advice.table[advice.table["folds"] > 0].join(advice.contrasts)
    score = MEASURES[advice.score].in_words
    columns = {
        "base learner": [LEARNERS[key].name if key else "" for key in known["learner"]],
        score: known["mean"].map("{:.3f}".format),
        f"above {INDEPENDENT}": known["difference"].map("{:+.3f}".format),
        "95 % interval": [f"{low:+.3f} to {high:+.3f}" for low, high in zip(known["low"], known["high"], strict=True)],
        "p": known["p"].map("{:.2g}".format),
        "folds": known["folds"].map(str),
        "training": known["train_seconds"].map(duration, na_action="ignore"),
        "prediction": known["test_seconds"].map(duration, na_action="ignore"),
    }
    cells = pd.DataFrame({name: list(of_one) for name, of_one in columns.items()}, dtype=object)
    cells.index = pd.Index(["Baseline" if name == BASELINE else name for name in known["structure"]])
    return cells.map(lambda cell: "" if str(cell).lstrip("+").startswith("nan") else cell)
