import tracemalloc

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from trellislib import (
    AncestralSampling,
    BayesianClassifierChain,
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    EnsembleBayesianClassifierChains,
    EnsembleClassifierChains,
    EnsembleClassifierTrellises,
    EnsemblePrunedSets,
    IndependentClassifiers,
    LabelPowerset,
    MonteCarloClassifierChain,
    ThresholdedClassifier,
)
from trellislib.data import simulate_label_dag
from trellislib.dependence import counts
from trellislib.learners.streaming import KEPT_ROWS, StreamedSet
from trellislib.running.memory import MemoryBudgetError, limited_memory
from trellislib.running.progress import CancelledError


def data(n_instances=300, n_labels=6):
    return simulate_label_dag(n_instances=n_instances, n_labels=n_labels, random_state=0).arrays()


def chunks(X, Y, sizes=(100, 1, 150, 49), forms=(np.asarray, np.asarray)):
    stops = np.cumsum(sizes)
    for start, stop in zip([0, *stops[:-1]], stops, strict=True):
        yield forms[0](X[start:stop]), forms[1](Y[start:stop])


@pytest.mark.parametrize("forms", [(np.asarray,) * 2, (sparse.csr_array,) * 2], ids=["dense", "CSR"])
@pytest.mark.parametrize(
    "method",
    [
        IndependentClassifiers(),
        ClassifierChain(order="information"),
        ClassifierTrellis(random_state=0),
        ClassifierTrellis(dependence="co-occurrence", random_state=0),
        ClassifierTrellis(dependence="residual", inference=AncestralSampling(), random_state=0),
        ClassifierDependencyTrellis(random_state=0),
        BayesianClassifierChain(structure="tree", random_state=0),
        EnsembleClassifierChains(random_state=0),
        EnsembleClassifierTrellises(random_state=0),
    ],
)
def test_a_stream_is_fitted_as_all_of_it_at_once(method, forms):
    X, Y = data()
    whole = type(method)(**method.get_params(deep=False)).fit(forms[0](X), forms[1](Y))
    method.fit_chunks(chunks(X, Y, forms=forms))
    if hasattr(whole, "graph_"):
        assert method.graph_ == whole.graph_
        assert_allclose(method.conditionals_.on_features, whole.conditionals_.on_features, atol=1e-10)
    predicted, expected = method.predict(X), whole.predict(X)
    assert sparse.issparse(predicted) == sparse.issparse(expected)
    assert (predicted != expected).sum() == 0
    assert_allclose(method.predict_proba(X), whole.predict_proba(X), atol=1e-8)


def test_labels_of_more_values_need_their_classes():
    X, Y = data()
    Y = Y + 2 * (X[:, :1] > X[:, :1].mean()).astype(int)
    classes = [np.arange(4)] * Y.shape[1]
    whole = ClassifierTrellis(random_state=0).fit(X, Y)
    streamed = ClassifierTrellis(random_state=0).fit_chunks(chunks(X, Y), classes)
    assert_array_equal(streamed.predict(X), whole.predict(X))
    with pytest.raises(ValueError, match=r"Chunk 0 .*value [23]\.?0? .*label \d.*classes"):
        ClassifierTrellis().fit_chunks(chunks(X, Y))
    with pytest.raises(ValueError, match=r"Chunk 0 .*value 3 .*label \d.*\[0, 1, 2\].*classes"):
        ClassifierTrellis().fit_chunks(chunks(X, Y, forms=(np.asarray, sparse.csr_array)), [np.arange(3)] * Y.shape[1])


def test_what_does_not_fit_is_named():
    X, Y = data()
    with pytest.raises(ValueError, match="no chunks"):
        IndependentClassifiers().fit_chunks([])
    with pytest.raises(ValueError, match=r"Chunk 1 .*5 labels, .*expected 6"):
        IndependentClassifiers().fit_chunks([(X, Y), (X, Y[:, :5])])
    with pytest.raises(ValueError, match=r"X .*\d+ features, .*IndependentClassifiers .*expecting \d+"):
        IndependentClassifiers().fit_chunks([(X, Y), (X[:, :-1], Y)])
    with pytest.raises(ValueError, match=r"Chunk 1 .*sparse labels, .*before .*dense ones"):
        IndependentClassifiers().fit_chunks([(X, Y), (X, sparse.csr_array(Y))])
    with pytest.raises(ValueError, match=r"Got NaN .*value .*label 'b' .*instance 0"):
        IndependentClassifiers().fit_chunks([(X[:1], pd.DataFrame({"a": [1.0], "b": [np.nan]}))])
    with pytest.raises(TypeError, match=r"LogisticRegression.*only LeastSquares"):
        IndependentClassifiers(LogisticRegression()).fit_chunks([(X, Y)])


@pytest.mark.parametrize(
    ("method", "reader"),
    [
        (LabelPowerset(), "LabelPowerset"),
        (EnsemblePrunedSets(), "EnsemblePrunedSets"),
        (MonteCarloClassifierChain(), "MonteCarloClassifierChain"),
        (ThresholdedClassifier(ClassifierChain()), "ThresholdedClassifier"),
        (EnsembleClassifierChains(max_samples=0.5), r"EnsembleClassifierChains\(max_samples=0.5\)"),
        (EnsembleClassifierChains(threshold="cardinality"), r"EnsembleClassifierChains\(threshold='cardinality'\)"),
        (BayesianClassifierChain(structure="fs"), r"BayesianClassifierChain\(structure='fs'\)"),
        (EnsembleBayesianClassifierChains(), r"EnsembleBayesianClassifierChains\(structure='fs'\)"),
        (ClassifierTrellis(placement="search"), r"ClassifierTrellis\(placement='search'\)"),
        (EnsembleClassifierTrellises(placement="search"), r"EnsembleClassifierTrellises\(placement='search'\)"),
    ],
    ids=str,
)
def test_methods_that_read_rows_again_refuse_before_any_chunk_is_read(method, reader):
    read = []
    with pytest.raises(TypeError, match=f"{reader} reads rows again"):
        method.fit_chunks(read.append(1) or data() for _ in range(3))
    assert not read


def test_memory_is_looked_at_after_the_first_chunk():
    read, (X, Y) = [], data()
    with limited_memory(1e-7), pytest.raises(MemoryBudgetError, match="ClassifierChain would need"):
        ClassifierChain().fit_chunks((read.append(1) or X, Y) for _ in range(3))
    assert len(read) == 1


@pytest.mark.parametrize("held", [2**25, 0], ids=["few pairs", "many pairs"])
def test_counts_of_chunks_are_held_however_many_pairs(monkeypatch, held):
    monkeypatch.setattr(counts, "HELD_PAIRS", held)
    monkeypatch.setattr(counts, "HELD_PER_COLUMN", 0)
    X, Y = data()
    streamed = ClassifierTrellis(random_state=0).fit_chunks(chunks(X, Y, forms=(np.asarray, sparse.csr_array)))
    whole = ClassifierTrellis(random_state=0).fit(X, sparse.csr_array(Y))
    assert streamed.graph_ == whole.graph_
    assert (streamed.predict(X) != whole.predict(X)).sum() == 0


def test_classes_may_stand_in_any_order_but_sparse_labels_are_codes():
    X, Y = data()
    named = np.where(Y > 0, "yes", "no")
    streamed = ClassifierTrellis(random_state=0).fit_chunks(chunks(X, named), [["yes", "no"]] * Y.shape[1])
    assert_array_equal(streamed.predict(X), ClassifierTrellis(random_state=0).fit(X, named).predict(X))
    with pytest.raises(ValueError, match=r"classes \[0, 2\] .*label 0, .*sparse array holds codes"):
        ClassifierTrellis().fit_chunks(chunks(X, Y, forms=(np.asarray, sparse.csr_array)), [[0, 2]] * Y.shape[1])


def test_names_and_one_label_are_those_of_a_fit():
    X, Y = data()
    features = pd.DataFrame(X, columns=[f"x{number}" for number in range(X.shape[1])])
    labels = pd.DataFrame(Y, columns=list("abcdef"))
    framed = IndependentClassifiers().fit_chunks([(features[:100], labels[:100]), (features[100:], labels[100:])])
    assert framed.feature_names_in_.tolist() == list(features)
    assert list(framed.predict_frame(features)) == list("abcdef")
    with pytest.raises(ValueError, match="Got labels named"):
        IndependentClassifiers().fit_chunks([(features, labels), (features, labels[list("fedcba")])])
    with pytest.raises(ValueError, match="feature names"):
        IndependentClassifiers().fit_chunks([(features, labels), (features[list(features)[::-1]], labels)])
    plain = framed.fit_chunks([(X[:, :2], Y[:, 0]), (np.empty((0, 2)), Y[:0, 0])])
    assert not hasattr(plain, "feature_names_in_")
    assert not hasattr(plain, "label_names_in_")
    assert_array_equal(plain.predict(X[:, :2]), IndependentClassifiers().fit(X[:, :2], Y[:, 0]).predict(X[:, :2]))


def test_sampled_rows_are_spread_evenly():
    n_instances = 20 * KEPT_ROWS
    X = np.arange(n_instances, dtype=float)[:, None]
    Y = np.zeros((n_instances, 1), dtype=int)
    kept = StreamedSet.of(chunks(X, Y, sizes=[777] * 25 + [n_instances - 25 * 777])).kept.X.ravel()
    assert KEPT_ROWS <= len(kept) <= 2 * KEPT_ROWS
    assert len(np.unique(np.diff(kept))) == 1
    assert kept[0] == 0


def test_progress_and_cancel():
    X, Y = data()
    reported = []
    ClassifierTrellis().fit_chunks(chunks(X, Y), progress=lambda *what: reported.append(what))
    assert reported[:4] == [(1, 1, "chunks"), (2, 2, "chunks"), (3, 3, "chunks"), (4, 4, "chunks")]
    answers = iter([False, False, True])
    with pytest.raises(CancelledError):
        ClassifierTrellis().fit_chunks(chunks(X, Y), cancelled=lambda: next(answers))


def test_memory_does_not_grow_with_the_stream():
    def generated(n_chunks):
        rng = np.random.default_rng(0)
        for _ in range(n_chunks):
            X = rng.random((2000, 10))
            yield X, sparse.random_array((2000, 50), density=0.1, rng=rng, data_sampler=lambda size: np.ones(size))

    def peak(n_chunks):
        tracemalloc.start()
        ClassifierTrellis(random_state=0).fit_chunks(generated(n_chunks))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(2)
    assert peak(40) < 1.3 * peak(5)
