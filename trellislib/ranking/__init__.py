"""Which method is better, and is the difference real: ranks, Friedman, Nemenyi, Wilcoxon, and a Bayesian test.

Score tables come from files by `read_scores`, and go to papers by `as_latex` and `as_markdown`; `about_ranking` and
`about_pair` say in words what they show.
"""

from trellislib.ranking.bayesian import BayesianSignedRank, bayesian_signed_rank
from trellislib.ranking.comparison import Comparison
from trellislib.ranking.designs import fold_like
from trellislib.ranking.friedman import FriedmanTest, RankStatistics, friedman
from trellislib.ranking.front import geometric_means, pareto_front
from trellislib.ranking.groups import groups_of
from trellislib.ranking.needed import datasets_needed
from trellislib.ranking.nemenyi import Nemenyi, critical_distance, nemenyi
from trellislib.ranking.ranks import Ties, Unfinished, average_ranks, ranks
from trellislib.ranking.verdict import about_pair, about_ranking
from trellislib.ranking.wilcoxon import PairwiseTests, wilcoxon_holm
from trellislib.score_tables.direction import likely_higher_is_better
from trellislib.score_tables.files import ScoreFile, read_scores
from trellislib.score_tables.report import as_csv, as_latex, as_markdown, as_text

__all__ = [
    "BayesianSignedRank",
    "Comparison",
    "FriedmanTest",
    "Nemenyi",
    "PairwiseTests",
    "RankStatistics",
    "ScoreFile",
    "Ties",
    "Unfinished",
    "about_pair",
    "about_ranking",
    "as_csv",
    "as_latex",
    "as_markdown",
    "as_text",
    "average_ranks",
    "bayesian_signed_rank",
    "critical_distance",
    "datasets_needed",
    "fold_like",
    "friedman",
    "geometric_means",
    "groups_of",
    "likely_higher_is_better",
    "nemenyi",
    "pareto_front",
    "ranks",
    "read_scores",
    "wilcoxon_holm",
]
