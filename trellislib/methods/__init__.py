"""The methods, as scikit-learn estimators."""

from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.baseline import BASELINES, Baseline
from trellislib.methods.bayesian import BayesianClassifierChain, EnsembleBayesianClassifierChains
from trellislib.methods.chain import ClassifierChain, EnsembleClassifierChains, ProbabilisticClassifierChain
from trellislib.methods.dependency_network import ConditionalDependencyNetwork
from trellislib.methods.forest import MultiOutputForest
from trellislib.methods.independent import IndependentClassifiers
from trellislib.methods.label_graph import LabelGraphClassifier
from trellislib.methods.order_search import MonteCarloClassifierChain, OptimalClassifierChain
from trellislib.methods.powerset import EnsemblePrunedSets, LabelPowerset, PrunedSets
from trellislib.methods.rakel import RAkEL
from trellislib.methods.random_graphs import RandomGraphEnsemble
from trellislib.methods.registry import METHODS, MethodEntry
from trellislib.methods.stacked import StackedIndependentClassifiers
from trellislib.methods.thresholds import ThresholdedClassifier
from trellislib.methods.trellis import (
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    EnsembleClassifierDependencyTrellises,
    EnsembleClassifierTrellises,
)

__all__ = [
    "BASELINES",
    "METHODS",
    "Baseline",
    "BayesianClassifierChain",
    "ClassifierChain",
    "ClassifierDependencyTrellis",
    "ClassifierTrellis",
    "ConditionalDependencyNetwork",
    "EnsembleBayesianClassifierChains",
    "EnsembleClassifierChains",
    "EnsembleClassifierDependencyTrellises",
    "EnsembleClassifierTrellises",
    "EnsemblePrunedSets",
    "IndependentClassifiers",
    "LabelGraphClassifier",
    "LabelPowerset",
    "MethodEntry",
    "MonteCarloClassifierChain",
    "MultiOutputForest",
    "MultiOutputMethod",
    "OptimalClassifierChain",
    "ProbabilisticClassifierChain",
    "PrunedSets",
    "RAkEL",
    "RandomGraphEnsemble",
    "StackedIndependentClassifiers",
    "ThresholdedClassifier",
]
