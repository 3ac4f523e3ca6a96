"""See, teach and tune how labels depend on each other in multi-label and multi-output classification.

Every method is the same four things: a label graph, a base learner per label, an inference, and a decision. The first
two give a distribution over label vectors, the inference reads it, and the decision takes the vector that is best for a
score. The flow is ``data -> dependence -> graphs -> learners -> inference -> decisions -> methods -> metrics ->
experiment -> figures``, and imports run one way along it.

"The paper", wherever it is cited, is Read, Martino, Olmos and Luengo, "Scalable multi-output label prediction:
from classifier chains to classifier trellises", Pattern Recognition 48 (2015).
"""

from trellislib.advice import Advice, advise
from trellislib.inference import AncestralSampling, BeamSearch, Exhaustive, GibbsSampling, Greedy
from trellislib.learners import LeastSquares, Logistic, PerLabel
from trellislib.methods import (
    Baseline,
    BayesianClassifierChain,
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    ConditionalDependencyNetwork,
    EnsembleBayesianClassifierChains,
    EnsembleClassifierChains,
    EnsembleClassifierDependencyTrellises,
    EnsembleClassifierTrellises,
    EnsemblePrunedSets,
    IndependentClassifiers,
    LabelPowerset,
    MonteCarloClassifierChain,
    MultiOutputForest,
    OptimalClassifierChain,
    ProbabilisticClassifierChain,
    PrunedSets,
    RAkEL,
    RandomGraphEnsemble,
    StackedIndependentClassifiers,
    ThresholdedClassifier,
)
from trellislib.models import Model, ModelError, Predictions, fit_model, load_model, save_model
from trellislib.running.moved import keep_earlier_names

__version__ = "0.1.0"

keep_earlier_names()

__all__ = [
    "Advice",
    "AncestralSampling",
    "Baseline",
    "BayesianClassifierChain",
    "BeamSearch",
    "ClassifierChain",
    "ClassifierDependencyTrellis",
    "ClassifierTrellis",
    "ConditionalDependencyNetwork",
    "EnsembleBayesianClassifierChains",
    "EnsembleClassifierChains",
    "EnsembleClassifierDependencyTrellises",
    "EnsembleClassifierTrellises",
    "EnsemblePrunedSets",
    "Exhaustive",
    "GibbsSampling",
    "Greedy",
    "IndependentClassifiers",
    "LabelPowerset",
    "LeastSquares",
    "Logistic",
    "Model",
    "ModelError",
    "MonteCarloClassifierChain",
    "MultiOutputForest",
    "OptimalClassifierChain",
    "PerLabel",
    "Predictions",
    "ProbabilisticClassifierChain",
    "PrunedSets",
    "RAkEL",
    "RandomGraphEnsemble",
    "StackedIndependentClassifiers",
    "ThresholdedClassifier",
    "advise",
    "fit_model",
    "load_model",
    "save_model",
]
