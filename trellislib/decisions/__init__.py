"""Decisions: from a distribution over label vectors to the vector of highest expected score.

References
----------
Dembczynski, Waegeman, Cheng and Huellermeier, "On label dependence and loss minimization in multi-label
classification", Machine Learning 88 (2012).
"""

from trellislib.decisions.choice import Decision, chosen_decision, compared_rows, deciding_measure
from trellislib.decisions.conformal import ConformalSets
from trellislib.decisions.distribution import Distribution, IndependentLabels, Joined, Mixture, SetProbabilities
from trellislib.decisions.expected import most_expected_accuracy, most_expected_f1
from trellislib.decisions.rules import (
    AboveThreshold,
    AmongLabelSets,
    AsInferred,
    LabelSets,
    MostExpected,
    MostFrequentNearby,
    MostProbableValues,
    RankCut,
    Rule,
)

__all__ = [
    "AboveThreshold",
    "AmongLabelSets",
    "AsInferred",
    "ConformalSets",
    "Decision",
    "Distribution",
    "IndependentLabels",
    "Joined",
    "LabelSets",
    "Mixture",
    "MostExpected",
    "MostFrequentNearby",
    "MostProbableValues",
    "RankCut",
    "Rule",
    "SetProbabilities",
    "chosen_decision",
    "compared_rows",
    "deciding_measure",
    "most_expected_accuracy",
    "most_expected_f1",
]
