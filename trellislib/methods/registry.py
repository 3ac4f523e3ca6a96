"""Every method by its short key, with what a reader needs to choose one."""

from __future__ import annotations

from dataclasses import dataclass

from trellislib.methods.base import MultiOutputMethod
from trellislib.methods.bayesian import BayesianClassifierChain, EnsembleBayesianClassifierChains
from trellislib.methods.chain import ClassifierChain, EnsembleClassifierChains, ProbabilisticClassifierChain
from trellislib.methods.dependency_network import ConditionalDependencyNetwork
from trellislib.methods.forest import MultiOutputForest
from trellislib.methods.independent import IndependentClassifiers
from trellislib.methods.order_search import MonteCarloClassifierChain, OptimalClassifierChain
from trellislib.methods.powerset import EnsemblePrunedSets, LabelPowerset, PrunedSets
from trellislib.methods.rakel import RAkEL
from trellislib.methods.random_graphs import RandomGraphEnsemble
from trellislib.methods.trellis import (
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    EnsembleClassifierDependencyTrellises,
    EnsembleClassifierTrellises,
)


@dataclass(frozen=True)
class MethodEntry:
    """A method as it is offered.

    Attributes
    ----------
    key : str
        The paper's short key, or one of its kind.
    method : type
        The estimator.
    name : str
        Its full name.
    what : str
        What it does, in one sentence.
    section : str
        Where the paper describes or names it.
    training, prediction : str
        What they cost: fits (on how many inputs), and predictions per instance. L labels, D features, W width,
        k labels in a set, M members, T sweeps.
    when : str
        When to use it, in one sentence.
    """

    key: str
    method: type[MultiOutputMethod]
    name: str
    what: str
    section: str
    training: str
    prediction: str
    when: str


METHODS: dict[str, MethodEntry] = {
    entry.key: entry
    for entry in (
        MethodEntry(
            "IC",
            IndependentClassifiers,
            "Independent classifiers",
            "Predicts each label from the features alone.",
            "3.1",
            "L fits on D inputs",
            "L",
            "The baseline: cheapest, and enough where labels are independent given the features.",
        ),
        MethodEntry(
            "CC",
            ClassifierChain,
            "Classifier chain",
            "Predicts the labels one after the other, each from the features and the labels before it.",
            "3.2",
            "L fits on up to D + L inputs",
            "L, one after the other",
            "Whole label sets must be right, labels are few, and the order matters.",
        ),
        MethodEntry(
            "PCC",
            ProbabilisticClassifierChain,
            "Probabilistic classifier chain",
            "Trains a chain and compares whole label vectors by their probability along it.",
            "3.2",
            "as CC",
            "2^L label vectors (beam or sampling: a chosen number)",
            "Up to some 15 labels, when the most probable label vector is wanted, or exact marginals.",
        ),
        MethodEntry(
            "ECC",
            EnsembleClassifierChains,
            "Ensemble of classifier chains",
            "Trains chains in random orders, which vote on each label.",
            "3.2",
            "M times CC",
            "M L",
            "A strong default for up to some hundred labels, where training time is no problem.",
        ),
        MethodEntry(
            "MCC",
            MonteCarloClassifierChain,
            "Monte Carlo classifier chain",
            "Trains chains in random orders and keeps the one that does best on training rows held out.",
            "3",
            "M + 1 times CC",
            "L",
            "Prediction must be fast, and training may take long.",
        ),
        MethodEntry(
            "OCC",
            OptimalClassifierChain,
            "Optimal classifier chain",
            "Tries every order of the chain and keeps the one that does best on training rows held out.",
            "3.6",
            "L 2^(L - 1) fits for all L! orders, and a chain",
            "L",
            "Up to seven labels, to see how much the order can matter.",
        ),
        MethodEntry(
            "BCC",
            BayesianClassifierChain,
            "Bayesian classifier chain",
            "Finds a graph between the labels, and predicts each from the features and its parents there.",
            "3.3",
            "a structure, and L fits on D plus a few inputs",
            "L",
            "Dependence is sparse and the graph itself is of interest.",
        ),
        MethodEntry(
            "EBCC",
            EnsembleBayesianClassifierChains,
            "Ensemble of Bayesian classifier chains",
            "Directs the graph of BCC away from another label in each member. The members vote.",
            "3.3",
            "min(M, L) times BCC",
            "M L",
            "As BCC, with the arbitrary directions of edges averaged out.",
        ),
        MethodEntry(
            "CDN",
            ConditionalDependencyNetwork,
            "Conditional dependency network",
            "Predicts each label from the features and all other labels, which are sampled in turn.",
            "3.4",
            "L fits on D + L - 1 inputs",
            "T L",
            "Labels have no natural order and are few, and marginals are wanted.",
        ),
        MethodEntry(
            "CT",
            ClassifierTrellis,
            "Classifier trellis",
            "Places dependent labels next to each other in a lattice, and predicts each from its parent cells.",
            "4",
            "L^2 pair counts, and L fits on D plus a few inputs",
            "L, in about 2 L / W wavefronts",
            "Many labels. Its price over independent classifiers depends on the base learner: see How their cost "
            "grows.",
        ),
        MethodEntry(
            "ECT",
            EnsembleClassifierTrellises,
            "Ensemble of classifier trellises",
            "Trains trellises that start from random labels, which vote.",
            "4",
            "M times CT",
            "M L",
            "As CT, where some accuracy is worth M times its price.",
        ),
        MethodEntry(
            "CDT",
            ClassifierDependencyTrellis,
            "Classifier dependency trellis",
            "Reads the trellis without directions: predicts each label from all its neighbours, sampled in turn.",
            "4",
            "as CT, on up to twice as many labels",
            "T L",
            "Many labels without natural order, such as pixels, and marginals are wanted.",
        ),
        MethodEntry(
            "ECDT",
            EnsembleClassifierDependencyTrellises,
            "Ensemble of classifier dependency trellises",
            "Trains undirected trellises that start from random labels, each sampled, which vote.",
            "4",
            "M times CT",
            "M T L",
            "To see what an ensemble adds to CDT. The paper leaves it out because of its price.",
        ),
        MethodEntry(
            "LP",
            LabelPowerset,
            "Label powerset",
            "Treats each label set that was seen as a class of its own, and predicts one of them.",
            "3.5",
            "one fit with as many classes as label sets",
            "1",
            "Few distinct label sets, each with many instances.",
        ),
        MethodEntry(
            "PS",
            PrunedSets,
            "Pruned sets",
            "As LP, but rare label sets are learnt as their frequent subsets.",
            "3.5",
            "one fit with as many classes as frequent label sets",
            "1",
            "As LP, where many label sets are rare.",
        ),
        MethodEntry(
            "EPS",
            EnsemblePrunedSets,
            "Ensemble of pruned sets",
            "Trains PS on different rows. The members vote, and so form new label sets.",
            "3.5",
            "M times PS",
            "M",
            "As PS, where new label sets must be possible.",
        ),
        MethodEntry(
            "RAkEL",
            RAkEL,
            "Random k-labelsets",
            "Trains LP on small random sets of labels, which vote on each label.",
            "3.5",
            "2 L fits (disjoint: L / k) with up to 2^k classes",
            "as many",
            "Dependence within small groups of labels, too many label sets for LP.",
        ),
        MethodEntry(
            "RGE",
            RandomGraphEnsemble,
            "Random graph ensemble",
            "Samples over random graphs between the labels and averages the probabilities.",
            "3.5",
            "M times L fits on D plus a few inputs",
            "M T L",
            "To see what random structure achieves, without any search.",
        ),
        MethodEntry(
            "MOF",
            MultiOutputForest,
            "Multi-output forest",
            "Grows random trees, each of which predicts all labels at once.",
            "3.5",
            "100 trees, whatever the number of labels",
            "100 trees",
            "Features interact or have gaps. It hardly needs tuning.",
        ),
    )
}
"""Every method, by key, in the order in which they are offered."""
