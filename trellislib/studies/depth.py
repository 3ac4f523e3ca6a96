"""Gains over independent classifiers, parted into what depth gives and what label dependence gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from trellislib.data.dataset import Dataset
from trellislib.data.lamps import simulate_lamps
from trellislib.methods import ClassifierChain, IndependentClassifiers, StackedIndependentClassifiers
from trellislib.metrics import exact_match, hamming_score
from trellislib.ranking.paired import CLEAR, paired_p
from trellislib.running.checks import require_integer
from trellislib.running.threads import one_blas_thread

METHODS = {"IC": IndependentClassifiers, "Stacked": StackedIndependentClassifiers, "CC": ClassifierChain}
DEPENDENCES = (0.0, 0.25, 0.5, 0.75, 1.0)


def answers_of_depth(dataset: Dataset, n_train: int) -> dict[str, np.ndarray]:
    """Fit independent classifiers, stacked ones and a chain to the first rows, and predict the other rows.

    Parameters
    ----------
    dataset : Dataset
        The data.
    n_train : int
        How many rows are to learn from, by least squares; the chain is in the order of the labels.

    Returns
    -------
    dict of str to ndarray of int of shape (n_instances - n_train, n_labels)
        By "IC", "Stacked" and "CC".

    Raises
    ------
    ValueError
        If no row is left to predict.

    Examples
    --------
    >>> data = simulate_lamps(400, overlap=0.1, random_state=0)
    >>> found = answers_of_depth(data, 200)
    >>> {name: float((answers == data.Y[200:])[:, 2].mean()) for name, answers in found.items()}
    {'IC': 0.315, 'Stacked': 1.0, 'CC': 1.0}
    """
    require_integer("n_train", n_train)
    if n_train >= dataset.n_instances:
        raise ValueError(f"Got n_train={n_train}, but expected fewer than the {dataset.n_instances} rows of the data.")
    X, Y = dataset.arrays()
    return {name: made().fit(X[:n_train], Y[:n_train]).predict(X[n_train:]) for name, made in METHODS.items()}


def depth_comparison(
    n_draws: int = 10,
    n_test: int = 1000,
    *,
    n_instances: int = 500,
    overlap: float = 0.4,
    dependences: Sequence[float] = DEPENDENCES,
    seed: int = 0,
) -> pd.DataFrame:
    """Score independent classifiers, stacked ones and a chain on simulated lamps, for several degrees of dependence.

    Parameters
    ----------
    n_draws : int, default=10
        How many data sets there are for each degree; draw i is from the seed ``seed + i``.
    n_test : int, default=1000
        New instances of each to predict.
    n_instances : int, default=500
        Instances of each to learn from.
    overlap : float, default=0.4
        As for `trellislib.data.simulate_lamps`.
    dependences : sequence of float
        As `dependence` there.
    seed : int, default=0
        Of the first draw.

    Returns
    -------
    DataFrame of shape (n_dependences * n_draws * 3, 5)
        "dependence", "draw", "method", and the "exact_match" and "hamming_score" on the new instances.

    Raises
    ------
    ValueError
        If a number is below 1, or by `simulate_lamps`.

    Examples
    --------
    >>> table = depth_comparison(2, dependences=[0, 1])
    >>> means = table.groupby(["dependence", "method"], sort=False)["exact_match"].mean().round(2)
    >>> means[0].to_dict(), means[1].to_dict()
    ({'IC': 0.15, 'Stacked': 0.27, 'CC': 0.27}, {'IC': 0.12, 'Stacked': 0.24, 'CC': 0.43})
    """
    require_integer("n_draws", n_draws)
    require_integer("n_test", n_test)
    require_integer("n_instances", n_instances)
    rows = []
    with one_blas_thread():
        for dependence in dependences:
            for draw in range(seed, seed + n_draws):
                data = simulate_lamps(n_instances + n_test, overlap=overlap, dependence=dependence, random_state=draw)
                truth = data.Y[n_instances:]
                for name, found in answers_of_depth(data, n_instances).items():
                    scores = {"exact_match": exact_match(truth, found), "hamming_score": hamming_score(truth, found)}
                    rows.append({"dependence": dependence, "draw": draw, "method": name} | scores)
    return pd.DataFrame(rows)


@dataclass(frozen=True)
class Gain:
    """The lead of a method over another, as a mean over draws.

    Attributes
    ----------
    mean, error : float
        The lead, and its standard error; NaN of a single draw.
    p : float
        Of a paired t-test over the draws.
    """

    mean: float
    error: float
    p: float

    @property
    def is_clear(self) -> bool:
        """Whether the lead is significant at 5 %."""
        return self.p <= CLEAR


def gains_of_depth(table: pd.DataFrame, dependence: float, score: str = "exact_match") -> tuple[Gain, Gain]:
    """Part the lead of a chain over independent classifiers into a gain from depth and one from label dependence.

    Parameters
    ----------
    table : DataFrame
        As from `depth_comparison`.
    dependence : float
        One of its degrees.
    score : str, default="exact_match"
        One of its scores.

    Returns
    -------
    tuple of Gain
        The lead of stacked classifiers over independent ones, which is from depth, and the lead of the chain over
        stacked classifiers, which is from label dependence.

    Raises
    ------
    ValueError
        If the table does not have this degree.

    Examples
    --------
    >>> depth, by_dependence = gains_of_depth(depth_comparison(5, dependences=[0]), 0)
    >>> depth.is_clear, by_dependence.is_clear
    (True, False)
    """
    rows = table[table["dependence"] == dependence]
    if rows.empty:
        had = ", ".join(f"{one:g}" for one in table["dependence"].unique())
        raise ValueError(f"Got dependence={dependence}, but expected one of {had}.")
    scores = rows.pivot(index="draw", columns="method", values=score)
    depth, by_dependence = (
        Gain(
            float((scores[one] - scores[other]).mean()),
            float((scores[one] - scores[other]).sem()),
            paired_p(scores[one], scores[other]),
        )
        for one, other in (("Stacked", "IC"), ("CC", "Stacked"))
    )
    return depth, by_dependence
