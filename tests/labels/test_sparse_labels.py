"""Sparse labels stay sparse: nothing makes all of them dense, in no method and no score of decisions."""

import tracemalloc
from importlib import import_module

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from trellislib import (
    AncestralSampling,
    BayesianClassifierChain,
    BeamSearch,
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    ConditionalDependencyNetwork,
    EnsembleBayesianClassifierChains,
    EnsembleClassifierChains,
    EnsembleClassifierDependencyTrellises,
    EnsembleClassifierTrellises,
    EnsemblePrunedSets,
    GibbsSampling,
    IndependentClassifiers,
    LabelPowerset,
    Logistic,
    MonteCarloClassifierChain,
    MultiOutputForest,
    OptimalClassifierChain,
    ProbabilisticClassifierChain,
    PrunedSets,
    RAkEL,
    RandomGraphEnsemble,
    ThresholdedClassifier,
)
from trellislib.data import Dataset
from trellislib.dependence import information
from trellislib.experiment import evaluate, protocols
from trellislib.experiment import fits as of_fits
from trellislib.experiment.rescoring import CrossValidation
from trellislib.graphs import lead_evidence
from trellislib.learners import calibration, logistic
from trellislib.methods import METHODS, powerset, prediction, structure_score
from trellislib.metrics import MEASURES, decision_measures, per_label_scores

N, D, L = 320, 4, 60
FORMATS = (
    sparse.csr_array,
    sparse.csc_array,
    sparse.coo_array,
    sparse.csr_matrix,
    sparse.csc_matrix,
    sparse.coo_matrix,
)
SWEEPS = GibbsSampling(2, 1, n_chains=1)
SAMPLES = AncestralSampling(3)

METHODS_TRIED = {
    "IC": IndependentClassifiers(),
    "IC-logistic": IndependentClassifiers(Logistic(max_iter=3)),
    "CC": ClassifierChain(),
    "CC-information": ClassifierChain(order="information", inference=SAMPLES),
    "PCC": ProbabilisticClassifierChain(inference=BeamSearch(2)),
    "ECC": EnsembleClassifierChains(n_estimators=2, max_samples=0.8, threshold="cardinality", random_state=0),
    "MCC": MonteCarloClassifierChain(n_orders=2, random_state=0),
    "MCC-likelihood": MonteCarloClassifierChain(n_orders=2, payoff="log-likelihood", held_out=0, random_state=0),
    "BCC": BayesianClassifierChain(random_state=0),
    "BCC-tree": BayesianClassifierChain(structure="tree", random_state=0),
    "BCC-lead": BayesianClassifierChain(structure="lead", random_state=0),
    "BCC-errors": BayesianClassifierChain(structure="lead", residuals="error", random_state=0),
    "EBCC": EnsembleBayesianClassifierChains(n_estimators=2, random_state=0),
    "CDN": ConditionalDependencyNetwork(inference=SWEEPS, random_state=0),
    "CT": ClassifierTrellis(random_state=0),
    "CT-logistic": ClassifierTrellis(Logistic(max_iter=3), inference=SAMPLES, random_state=0),
    "CT-per-label": ClassifierTrellis(LogisticRegression(max_iter=1, tol=9), random_state=0),
    "CT-residual": ClassifierTrellis(dependence="residual", random_state=0),
    "CT-explained": ClassifierTrellis(placement="explained", random_state=0),
    "CT-search": ClassifierTrellis(placement="search", n_swaps=2, random_state=0),
    "CDT": ClassifierDependencyTrellis(inference=SWEEPS, random_state=0),
    "ECT": EnsembleClassifierTrellises(n_estimators=2, voting="soft", threshold="per-label", random_state=0),
    "ECDT": EnsembleClassifierDependencyTrellises(n_estimators=2, inference=SWEEPS, random_state=0),
    "LP": LabelPowerset(),
    "LP-marginals": LabelPowerset(maximize="marginals"),
    "PS": PrunedSets(min_count=2),
    "EPS": EnsemblePrunedSets(min_count=2, n_estimators=2, random_state=0),
    "RAkEL": RAkEL(n_labelsets=60, threshold="cardinality", random_state=0),
    "RGE": RandomGraphEnsemble(n_estimators=2, inference=SWEEPS, random_state=0),
    "thresholded": ThresholdedClassifier(threshold="per-label", cv=3, random_state=0),
}
STREAMED = ["IC", "CC", "BCC-tree", "CDN", "CT", "CDT", "ECT-hard", "ECDT", "ECC-whole"]
OTHERS = {
    "ECC-whole": EnsembleClassifierChains(n_estimators=2, random_state=0),
    "ECT-hard": EnsembleClassifierTrellises(n_estimators=2, random_state=0),
}


def problem(n_instances=N, n_features=D, n_labels=L, per_instance=2, seed=0):
    """Labels of which every instance has a few, in sets that come again."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_instances, n_features))
    labels = rng.integers(0, n_labels, (n_instances // 4, per_instance))[rng.integers(0, n_instances // 4, n_instances)]
    rows = np.repeat(np.arange(n_instances), per_instance)
    Y = sparse.csr_array((np.ones(rows.size, np.int8), (rows, labels.ravel())), shape=(n_instances, n_labels))
    Y.sum_duplicates()
    Y.data[:] = 1
    return X, Y


class MadeDenseError(AssertionError):
    """All of the labels, or half of their cells, were made an array."""


@pytest.fixture
def guard(monkeypatch):
    """Refuse dense arrays of half the cells of Y or more, and make blocks small."""
    limit = N * L // 2

    def guarded(method):
        def toarray(self, *args, **kwargs):
            if np.prod(self.shape) >= limit:
                raise MadeDenseError(f"an array of {self.shape} was made from {type(self).__name__}")
            return method(self, *args, **kwargs)

        return toarray

    for form in FORMATS:
        for name in ("toarray", "todense", "_add_dense", "_sub_dense", "_rsub_dense"):
            if hasattr(form, name):
                monkeypatch.setattr(form, name, guarded(getattr(form, name)))
    small_blocks(monkeypatch)


def small_blocks(monkeypatch, cells=N * L // 4):
    for module in (prediction, powerset, logistic, import_module("trellislib.graphs.lead")):
        monkeypatch.setattr(module, "BLOCK_CELLS", cells)
    monkeypatch.setattr(prediction, "FEWEST_ROWS", 1)
    monkeypatch.setattr(structure_score, "JUDGED_CELLS", cells)
    monkeypatch.setattr(calibration, "CELLS", cells)
    monkeypatch.setattr(protocols, "STRATIFIED_CELLS", cells)


def use(method, X, Y):
    """Ask all that a method can do, and return its predictions."""
    method.fit(X, Y)
    predicted = method.predict(X)
    assert sparse.issparse(predicted)
    assert predicted.dtype == Y.dtype
    assert 0 <= method.score(X, Y) <= 1
    return predicted


def test_every_method_is_tried():
    named = {type(method) for method in METHODS_TRIED.values()} | {OptimalClassifierChain, MultiOutputForest}
    assert {entry.method for entry in METHODS.values()} <= named


@pytest.mark.parametrize("key", METHODS_TRIED)
def test_no_method_makes_all_labels_dense(key, guard):
    use(METHODS_TRIED[key], *problem())


def test_all_orders_of_few_labels(guard, monkeypatch):
    X, Y = problem(N * L // 4, n_labels=4)
    small_blocks(monkeypatch, 400)
    use(OptimalClassifierChain(), X, Y)


@pytest.mark.parametrize("residuals", ["signed", "error"])
def test_what_is_fitted_and_judged_on_all_instances(residuals, guard):
    assert lead_evidence(*problem(), cv=None, residuals=residuals).n_labels == L


@pytest.mark.parametrize("learner", [None, Logistic(max_iter=3), LogisticRegression(max_iter=1, tol=9)])
def test_chains_on_sparse_features(learner, guard):
    X, Y = problem(n_labels=L)
    use(ClassifierChain(learner), sparse.csr_array(X), Y)


def test_what_reads_chunks_keeps_them_sparse(guard):
    X, Y = problem()
    for key in STREAMED:
        chunks = ((X[low : low + 50], Y[low : low + 50]) for low in range(0, N, 50))
        method = {**METHODS_TRIED, **OTHERS}[key].fit_chunks(chunks)
        assert method.predict(X).shape == (N, L)
        assert 0 <= method.score(X, Y) <= 1


def test_trees_alone_take_labels_dense(guard):
    X, Y = problem()
    with pytest.raises(MadeDenseError):
        MultiOutputForest(2).fit(X, Y)


@pytest.mark.parametrize(
    "dense_way",
    [
        lambda Y: Y.toarray(),
        lambda Y: Y.T.toarray(),
        lambda Y: Y.tocsc().todense(),
        lambda Y: sparse.csr_matrix(Y).toarray(),
        lambda Y: Y.tocoo().toarray(),
        lambda Y: Y + np.ones(Y.shape),
        lambda Y: Y - np.ones(Y.shape),
        lambda Y: np.ones(Y.shape) - Y,
        lambda Y: abs(Y) + np.ones(Y.shape),
        lambda Y: Y[:, : L // 2].toarray(),
    ],
)
def test_the_guard_sees_what_it_should(dense_way, guard):
    with pytest.raises(MadeDenseError):
        dense_way(problem()[1])


def test_the_guard_sees_a_method_that_makes_labels_dense(guard):
    class Careless(IndependentClassifiers):
        def _fit(self, training, progress, cancelled):
            assert training.training_set.codes.shape == (N, L)
            super()._fit(training, progress, cancelled)

    with pytest.raises(MadeDenseError):
        use(Careless(), *problem())


def dataset(X, Y):
    names = [tuple(f"{kind}{number}" for number in range(n)) for kind, n in (("x", X.shape[1]), ("y", Y.shape[1]))]
    return Dataset(X, Y, *names, (("0", "1"),) * Y.shape[1])


def test_folds_and_scores_stay_sparse(guard):
    data = dataset(*problem())
    measures = decision_measures(binary=True)
    for cv in (KFold(3), 3):
        scores = CrossValidation(data, cv=cv).scores(ClassifierTrellis(random_state=0), measures)
        assert scores.notna().all(axis=None)


def test_without_room_for_rankings_an_evaluation_stays_sparse(guard, monkeypatch):
    monkeypatch.setattr(of_fits, "RANKED_CELLS", N * L // 4)
    data = dataset(*problem())
    result = evaluate(data, {"IC": IndependentClassifiers()}, 3)
    assert result.fits["reason"].tolist() == [""] * 3
    for key, measure in MEASURES.items():
        assert result.fits[key].notna().all() == (measure.needs == "labels")
    assert any(note.startswith("Scores of rankings were left out") for note in result.notes)
    assert result.per_label["auc"].isna().all()
    monkeypatch.setattr(of_fits, "RANKED_CELLS", N * L // 2)
    result = evaluate(data, {"IC": IndependentClassifiers()}, 3)
    assert not any(note.startswith("Scores of rankings") for note in result.notes)
    assert result.fits["average_precision"].notna().all()


@pytest.mark.parametrize("measure", decision_measures(binary=True))
def test_scores_of_decisions_stay_sparse(measure, guard):
    truth, other = problem()[1], problem(seed=1)[1]
    assert MEASURES[measure].function(truth, truth) != MEASURES[measure].function(truth, other)
    assert len(per_label_scores(truth, other)) == L


@pytest.mark.parametrize("method", [IndependentClassifiers(), ClassifierTrellis(random_state=0)])
def test_memory_stays_below_one_array_of_all_labels(method, monkeypatch):
    X, Y = problem(4000, 10, 3000)
    small_blocks(monkeypatch, 2**18)
    monkeypatch.setattr(information, "WHOLE_LABELS", 1000)  # all pairs of labels would be as large as that array
    method.fit(X[:20], Y[:20])  # what is imported on first use does not count
    tracemalloc.start()
    try:
        method.fit(X, Y).score(X, Y)
        _, taken = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < 0.25 * 8 * Y.shape[0] * Y.shape[1]
