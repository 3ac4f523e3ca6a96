"""How much labels tell about each other: counts, information, evidence for structures, and pairs in detail."""

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
from trellislib.dependence.pairs import (
    Association,
    association,
    g_test,
    p_values,
    pairs_table,
    phi_coefficients,
)
from trellislib.dependence.residual import ResidualGram, information_of_residuals, residual_information

__all__ = [
    "UNITS",
    "Association",
    "Evidence",
    "InformationRows",
    "LabelEvidence",
    "PairCounts",
    "PairsOnDemand",
    "ResidualEvidence",
    "ResidualGram",
    "association",
    "co_occurrence",
    "g_test",
    "information_of_counts",
    "information_of_residuals",
    "mutual_information",
    "p_values",
    "pair_counts",
    "pairs_table",
    "phi_coefficients",
    "residual_information",
    "symmetric",
    "whole_or_rows",
]
