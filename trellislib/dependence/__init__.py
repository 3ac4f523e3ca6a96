"""Dependence between labels: counts, information, evidence for structures, and pairs in detail."""

from trellislib.dependence.clusters import LabelTree, clusters_table, default_clusters, label_tree, shared_entropy
from trellislib.dependence.counts import PairCounts, PairsOnDemand, pair_counts
from trellislib.dependence.evidence import Evidence, LabelEvidence, ResidualEvidence
from trellislib.dependence.information import (
    UNITS,
    InformationRows,
    co_occurrence,
    information_of_counts,
    mutual_information,
    symmetric,
    whole_or_rows,
)
from trellislib.dependence.overview import Overview, Sense, block_size, overview, pooled
from trellislib.dependence.pairs import (
    Association,
    PhiRows,
    PValueRows,
    association,
    described_pairs,
    g_test,
    p_values,
    pairs_table,
    phi_coefficients,
    strongest_between,
    strongest_pairs,
)
from trellislib.dependence.residual import (
    BeyondFeatures,
    ResidualGram,
    information_of_residuals,
    residual_gram,
    residual_information,
)

__all__ = [
    "UNITS",
    "Association",
    "BeyondFeatures",
    "Evidence",
    "InformationRows",
    "LabelEvidence",
    "LabelTree",
    "Overview",
    "PValueRows",
    "PairCounts",
    "PairsOnDemand",
    "PhiRows",
    "ResidualEvidence",
    "ResidualGram",
    "Sense",
    "association",
    "block_size",
    "clusters_table",
    "co_occurrence",
    "default_clusters",
    "described_pairs",
    "g_test",
    "information_of_counts",
    "information_of_residuals",
    "label_tree",
    "mutual_information",
    "overview",
    "p_values",
    "pair_counts",
    "pairs_table",
    "phi_coefficients",
    "pooled",
    "residual_gram",
    "residual_information",
    "shared_entropy",
    "strongest_between",
    "strongest_pairs",
    "symmetric",
    "whole_or_rows",
]
