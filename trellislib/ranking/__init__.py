"""Which method is better, and is the difference real: ranks, Friedman, Nemenyi, Wilcoxon, and a Bayesian test."""

from trellislib.ranking.bayesian import BayesianSignedRank, bayesian_signed_rank
from trellislib.ranking.comparison import Comparison
from trellislib.ranking.designs import fold_like
from trellislib.ranking.friedman import FriedmanTest, RankStatistics, friedman
from trellislib.ranking.groups import groups_of
from trellislib.ranking.nemenyi import Nemenyi, critical_distance, nemenyi
from trellislib.ranking.ranks import Ties, Unfinished, average_ranks, ranks
from trellislib.ranking.wilcoxon import PairwiseTests, wilcoxon_holm

__all__ = [
    "BayesianSignedRank",
    "Comparison",
    "FriedmanTest",
    "Nemenyi",
    "PairwiseTests",
    "RankStatistics",
    "Ties",
    "Unfinished",
    "average_ranks",
    "bayesian_signed_rank",
    "critical_distance",
    "fold_like",
    "friedman",
    "groups_of",
    "nemenyi",
    "ranks",
    "wilcoxon_holm",
]
