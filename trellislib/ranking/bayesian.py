"""The Bayesian signed-rank test: how probable it is that one method is better, or that the difference is too small.

The sampling is that of baycomp (MIT licence, by the authors of the test), which is an extra that nothing else needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from trellislib.ranking.designs import cautions, comparable
from trellislib.running.checks import require_integer
from trellislib.running.extras import require


@dataclass(frozen=True)
class BayesianSignedRank:
    """How probable it is that one of two methods is better on a further data set, or that they are equivalent.

    Attributes
    ----------
    one, other : str
        The methods.
    p_one, p_equivalent, p_other : float
        The probabilities that the first is better, that the difference is practically none, and that the other is
        better; they sum to 1.
    rope : float
        The largest difference that is practically none, in units of the score.
    n_datasets : int
    left_out : tuple of str
        The data sets that are left out, since a method of the two did not finish there.
    notes : tuple of str
        Where the test is weak and what to do instead, a sentence each.
    """

    one: str
    other: str
    p_one: float
    p_equivalent: float
    p_other: float
    rope: float
    n_datasets: int
    left_out: tuple[str, ...]
    notes: tuple[str, ...]


def bayesian_signed_rank(
    scores: pd.DataFrame,
    one: str,
    other: str,
    higher_is_better: bool = True,
    *,
    rope: float = 0.01,
    n_samples: int = 50_000,
    random_state: int = 0,
    unfinished: Literal["drop", "refuse"] = "drop",
) -> BayesianSignedRank:
    """Compute how probable it is that one of two methods is better, given their scores on data sets.

    Parameters
    ----------
    scores : DataFrame of shape (n_datasets, n_methods)
        A score for each data set (row) and method (column); NaN where a method did not finish. Only the columns of the
        two are looked at. Differences must be comparable between data sets.
    one, other : str
        Names of two methods.
    higher_is_better : bool, default=True
        False for losses and times.
    rope : float, default=0.01
        The region of practical equivalence: the largest difference that is practically none, in units of the score.
        With 0 no difference is.
    n_samples : int, default=50000
        The number of samples of the posterior distribution; the probabilities vary by about 0.002 with this many.
    random_state : int, default=0
    unfinished : {"drop", "refuse"}, default="drop"
        Whether a data set where one of the two did not finish is left out or is an error.

    Returns
    -------
    BayesianSignedRank

    Raises
    ------
    ImportError
        If baycomp is not installed.
    ValueError
        If a method is not in the table or is named twice, if there is only one data set, if a number is out of range,
        or by `trellislib.ranking.ranks`.

    References
    ----------
    Benavoli, Corani, Demsar and Zaffalon, "Time for a change: a tutorial for comparing multiple classifiers through
    Bayesian analysis", Journal of Machine Learning Research 18, 2017, section 4.2.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {"IC": [0.48, 0.57, 0.50, 0.70], "CT": [0.58, 0.60, 0.53, 0.76]},
    ...     index=["music", "scene", "yeast", "medical"],
    ... )
    >>> bayesian_signed_rank(scores, "CT", "IC").p_one > 0.95  # doctest: +SKIP
    True
    """
    require("baycomp", "The Bayesian signed-rank test")
    from baycomp import SignedRankTest

    class AllSamplesAtOnce(SignedRankTest):
        """Baycomp's test, which draws the same samples but sums up one after the other: seconds of Python."""

        @classmethod
        def sample(cls, x: np.ndarray, y: np.ndarray, rope: float = 0, **options: int) -> np.ndarray:
            return _posterior(y - x, rope, **options)

    require_integer("n_samples", n_samples)
    if rope < 0:
        raise ValueError(f"Got rope={rope}, but expected a difference of at least 0.")
    if unfinished not in ("drop", "refuse"):
        raise ValueError(
            f"Got unfinished={unfinished!r}, but expected one of drop, refuse: no score has no difference."
        )
    for method in (one, other):
        if method not in scores.columns:
            raise ValueError(f"There is no method {method} among {', '.join(map(str, scores.columns))}.")
    if one == other:
        raise ValueError(f"Got {one} as both methods, but expected two.")
    table, left_out = comparable(scores[[one, other]], unfinished, n_methods=2)
    oriented = table if higher_is_better else -table
    posterior = AllSamplesAtOnce(
        oriented[one].to_numpy(), oriented[other].to_numpy(), rope, nsamples=n_samples, random_state=random_state
    )
    p_one, p_equivalent, p_other = map(float, posterior.probs())
    return BayesianSignedRank(one, other, p_one, p_equivalent, p_other, rope, len(table), left_out, cautions(table))


def _posterior(differences: np.ndarray, rope: float, nsamples: int, random_state: int) -> np.ndarray:
    """Return samples of the probabilities that a sum of two differences is below the rope, in it and above it.

    One more difference, of 0 and half the weight, is the prior.
    """
    differences = np.concatenate([[0.0], differences])
    sums = np.add.outer(differences, differences)
    weights = np.random.RandomState(random_state).dirichlet([0.5] + [1.0] * (len(differences) - 1), nsamples)

    def share(beyond: np.ndarray) -> np.ndarray:
        chances = (beyond > 2 * rope) + 0.5 * (beyond == 2 * rope)
        return ((weights @ chances) * weights).sum(axis=1)

    above = share(sums)
    below = share(-sums) if rope else 1 - above
    return np.column_stack([below, 1 - below - above, above])
