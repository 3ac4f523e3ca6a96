"""Which method is better, and is the difference real: ranks, Friedman, Nemenyi, Wilcoxon, and a Bayesian test.

Score tables come from files by `trellislib.score_tables.read_scores`, and go to papers by `as_latex` and `as_markdown`
there; `about_ranking` and `about_pair` summarise a comparison in a sentence.
"""

from trellislib.ranking.bayesian import BayesianSignedRank, bayesian_signed_rank
from trellislib.ranking.comparison import Comparison
from trellislib.ranking.designs import fold_like
from trellislib.ranking.effects import median_interval, pair_effects
from trellislib.ranking.friedman import FriedmanTest, RankStatistics, friedman
from trellislib.ranking.front import geometric_means, pareto_front
from trellislib.ranking.groups import groups_of
from trellislib.ranking.needed import datasets_needed
from trellislib.ranking.nemenyi import Nemenyi, critical_distance, nemenyi
from trellislib.ranking.ranks import Ties, Unfinished, average_ranks, ranks
from trellislib.ranking.resampled import FoldTests, resampled_holm
from trellislib.ranking.verdict import about_pair, about_ranking
from trellislib.ranking.wilcoxon import PairwiseTests, wilcoxon_holm

__all__ = [
    "BayesianSignedRank",
    "Comparison",
    "FoldTests",
    "FriedmanTest",
    "Nemenyi",
    "PairwiseTests",
    "RankStatistics",
    "Ties",
    "Unfinished",
    "about_pair",
    "about_ranking",
    "average_ranks",
    "bayesian_signed_rank",
    "critical_distance",
    "datasets_needed",
    "fold_like",
    "friedman",
    "geometric_means",
    "groups_of",
    "median_interval",
    "nemenyi",
    "pair_effects",
    "pareto_front",
    "ranks",
    "resampled_holm",
    "wilcoxon_holm",
]
