"""What comparisons of all pairs of methods have in common, whichever test they are by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import pandas as pd

from trellislib.ranking.effects import pair_effects
from trellislib.ranking.groups import groups_of
from trellislib.wording.arguments import given


@dataclass(frozen=True, eq=False)
class Comparison:
    """All pairs of methods, compared over data sets.

    Attributes
    ----------
    average_ranks : Series of shape (n_methods,)
        1 is the best.
    p_values : DataFrame of shape (n_methods, n_methods)
        Adjusted for the number of pairs; 1 of a method with itself.
    alpha : float
        The level of the test: the probability to call any pair different where none is.
    n_datasets : int
        The number of data sets that the comparison is over.
    left_out : tuple of str
        The data sets that are left out, since a method did not finish there.
    notes : tuple of str
        Where the test is weak and what to do instead, a sentence each.
    """

    average_ranks: pd.Series
    p_values: pd.DataFrame
    alpha: float
    n_datasets: int
    left_out: tuple[str, ...]
    notes: tuple[str, ...]

    def differs(self, one: str, other: str) -> bool:
        """Whether two methods differ at `alpha`."""
        return bool(self.p_values.loc[one, other] <= self.alpha)

    def lead(self, one: str, other: str) -> float:
        """By how many places one method is ranked before another on average; negative where it is behind."""
        return float(self.average_ranks[other] - self.average_ranks[one])

    @cached_property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The largest runs of methods that do not differ, best first, as by `groups_of`."""
        return groups_of(self.average_ranks, self.differs)

    @cached_property
    def better_pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs that differ, the better first; in the order of average ranks."""
        ordered = self.average_ranks.sort_values(kind="stable").index
        return tuple(
            (one, other) if self.lead(one, other) > 0 else (other, one)
            for one, other in combinations(ordered, 2)
            if self.differs(one, other)
        )


@dataclass(frozen=True, eq=False)
class DatasetComparison(Comparison):
    """A comparison over data sets whose scores are known.

    Attributes
    ----------
    average_ranks, p_values, alpha, n_datasets, left_out, notes
        As of `Comparison`.
    scores : DataFrame of shape (n_datasets, n_methods)
        What was compared, turned so that higher is better; minus infinity where a method that did not finish is last.
    """

    scores: pd.DataFrame

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """All pairs, the better method first: effect sizes as by `pair_effects`, and ``p``; the smallest p first."""
        table = pair_effects(self.scores)
        table["p"] = [self.p_values.loc[one, other] for one, other in zip(table["method"], table["other"], strict=True)]
        return table.sort_values("p", kind="stable", ignore_index=True)

    @cached_property
    def wins(self) -> pd.DataFrame:
        """On how many data sets the method of the row is better than that of the column."""
        wins = pd.DataFrame(0, index=self.scores.columns, columns=self.scores.columns)
        for pair in self.pairs.itertuples():
            wins.loc[pair.method, pair.other], wins.loc[pair.other, pair.method] = pair.wins, pair.loses
        return wins


def require_level(alpha: float) -> None:
    """Raise `ValueError` unless `alpha` lies between 0 and 1."""
    if not 0 < alpha < 1:
        raise ValueError(f"Got {given('alpha', alpha)}, but expected a level between 0 and 1, such as 0.1.")
