from importlib import import_module

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from trellislib.data import DIFFICULTIES, simulate_label_dag
from trellislib.graphs import fs, lead, lead_evidence, recovery, residuals_of
from trellislib.labels.coding import LabelCoding
from trellislib.learners import LeastSquares
from trellislib.running.progress import CancelledError

DATA = simulate_label_dag(120, 6, **DIFFICULTIES["easy"], random_state=0)
X, Y = DATA.X, DATA.Y


def test_each_instance_is_judged_by_classifiers_that_have_not_seen_it():
    signed = residuals_of(X, Y, estimator=LogisticRegression(), cv=4, random_state=3)
    errors = residuals_of(X, Y, estimator=LogisticRegression(), cv=4, random_state=3, residuals="error")
    for train, test in KFold(4, shuffle=True, random_state=np.random.RandomState(3)).split(X):
        for label in range(6):
            fitted = LogisticRegression().fit(X[train], Y[train, label])
            assert_allclose(signed[test, label], Y[test, label] - fitted.predict_proba(X[test])[:, 1])
            assert_array_equal(errors[test, label], Y[test, label] != fitted.predict(X[test]))


def test_in_sample_is_optimistic():
    tree = DecisionTreeClassifier(random_state=0)
    assert not residuals_of(X, Y, estimator=tree, cv=None, residuals="error").any()
    assert residuals_of(X, Y, estimator=tree, residuals="error", random_state=0).mean() > 0.2
    assert lead(X, Y, estimator=tree, cv=None).edges == ()


@pytest.mark.parametrize("residuals", ["signed", "error"])
def test_sparse_data_leave_the_same(residuals):
    dense = residuals_of(X, Y, residuals=residuals, random_state=0)
    for some in (sparse.csr_array(X), X.tolist()):
        assert_allclose(residuals_of(some, sparse.csr_array(Y), residuals=residuals, random_state=0), dense, atol=1e-8)


def test_labels_of_more_values_leave_a_column_for_each_value():
    three = np.column_stack([Y[:, 0] + Y[:, 1], Y[:, 2], Y[:, 3]])
    coding = LabelCoding.of(three)
    signed = residuals_of(X, three, random_state=0)
    assert signed.shape == (120, 4)
    assert_array_equal(np.round(coding.encode(three) - signed, 9) >= 0, True)
    errors = residuals_of(X, three, residuals="error", random_state=0)
    assert errors.shape == (120, 3)
    assert set(np.unique(errors)) == {0, 1}
    assert lead(X, three, root=0, random_state=0).n_labels == 3


def test_a_classifier_without_probabilities_leaves_errors():
    with pytest.raises(ValueError, match=r"gives no probabilities: choose residuals='error', .*classifier"):
        lead(X, Y, estimator=Perceptron())
    assert lead(X, Y, estimator=Perceptron(), residuals="error", random_state=0).n_labels == 6


def test_features_in_common_are_taken_away():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2000, 1))
    labels = (x + 0.5 * rng.standard_normal((2000, 4)) > 0).astype(int)
    labels[:, 3] = np.where(rng.random(2000) < 0.3, labels[:, 2], labels[:, 3])
    squares = np.hstack([x, x**3])
    assert {(2, 3)} == set(lead(squares, labels, estimator=LogisticRegression(), root=2, random_state=0).edges)
    assert len(fs(labels, root=2).edges) == 3


@settings(deadline=None, max_examples=15)
@given(
    st.integers(1, 12).flatmap(lambda n: arrays(np.int64, (n, 4), elements=st.integers(0, 2))),
    st.integers(1, 3),
    st.sampled_from(["signed", "error"]),
    st.sampled_from([None, 2, 5]),
)
def test_any_labels_give_a_graph(Y, max_parents, residuals, cv):
    X = np.arange(2.0 * len(Y)).reshape(-1, 2)
    graph = lead(X, Y, max_parents=max_parents, residuals=residuals, cv=cv, level=0.5, random_state=0)
    assert nx.is_directed_acyclic_graph(graph.to_networkx())
    assert max(map(len, graph.parents)) <= max_parents


def test_one_label_constants_and_more_labels_than_instances():
    assert lead(X, Y[:, :1]).parents == ((),)
    assert lead(X, np.ones_like(Y), root=3).edges == ()
    assert lead(X[:5], np.tile(Y[:5], 3), random_state=0).n_labels == 18


def test_a_seed_gives_root_and_folds_and_the_root_of_fs():
    for seed in range(5):
        graph = lead(X, Y, random_state=seed)
        assert graph == lead(X, Y, random_state=seed)
        assert graph.order[0] == fs(Y, random_state=seed).order[0]


def test_weights_of_instances():
    times = np.random.default_rng(0).integers(1, 4, 120)
    repeated = np.repeat(np.arange(120), times)
    weighted = lead_evidence(X, Y, cv=None, residuals="error", sample_weight=times)
    several = lead_evidence(X[repeated], Y[repeated], cv=None, residuals="error")
    assert weighted.total == several.total == len(repeated)
    assert_allclose(weighted.pairs.information, several.pairs.information, atol=1e-10)
    signed = lead_evidence(X, Y, cv=None, sample_weight=times)
    several = lead_evidence(X[repeated], Y[repeated], cv=None)
    assert signed.total == len(repeated)
    assert_allclose(signed.pairs.information, several.pairs.information, atol=0.01)  # calibrated on other rows


@pytest.mark.parametrize("cells", [1, 50, 10**6])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
@pytest.mark.parametrize("weight", [None, np.arange(120.0) % 3])
def test_evidence_of_blocks_is_that_of_all_residuals(cells, form, weight, monkeypatch):
    arguments = {"random_state": 0, "sample_weight": weight}
    signed = residuals_of(X, Y, **arguments)
    errors = residuals_of(X, Y, residuals="error", **arguments)
    monkeypatch.setattr(import_module("trellislib.graphs.lead"), "BLOCK_CELLS", cells)
    assert_allclose(residuals_of(X, form(Y), **arguments), signed, atol=1e-12)
    found = lead_evidence(X, form(Y), **arguments)
    assert found.total == (120 if weight is None else weight.sum())
    assert_allclose(found.covariance, np.cov(signed.T, aweights=weight, ddof=0), atol=1e-12)
    found = lead_evidence(X, form(Y), residuals="error", **arguments)
    assert_array_equal(found.columns.toarray(), errors)


@pytest.mark.parametrize("weight", [np.ones(119), -np.ones(120), np.full(120, np.inf)])
def test_wrong_weights(weight):
    with pytest.raises(ValueError, match=r"120 finite weights, .*none negative"):
        lead(X, Y, sample_weight=weight)


@pytest.mark.parametrize("wrong", [{"residuals": "squared"}, {"cv": 1}, {"cv": 0.5}, {"root": 6}, {"level": 2}])
def test_wrong_arguments(wrong):
    with pytest.raises(ValueError, match=f"Got {next(iter(wrong))}"):
        lead(X, Y, **wrong)


def test_data_of_other_lengths():
    with pytest.raises(ValueError, match=r"Got X .*100 instances, .*expected 120"):
        lead(X[:100], Y)


def test_a_learner_may_be_given():
    assert_allclose(residuals_of(X, Y, random_state=0), residuals_of(X, Y, estimator=LeastSquares(), random_state=0))


@pytest.mark.parametrize(
    ("difficulty", "n_instances", "signed", "error"),
    [("easy", 500, 0.97, 0.85), ("medium", 500, 0.96, 0.25), ("hard", 500, 0.32, 0.0), ("hard", 2000, 0.86, 0.1)],
)
def test_recovery(difficulty, n_instances, signed, error):
    f = {"signed": [], "error": []}
    for seed in range(3):
        data = simulate_label_dag(n_instances, **DIFFICULTIES[difficulty], random_state=seed)
        for residuals, values in f.items():
            graph = lead(data.X, data.Y, residuals=residuals, random_state=seed)
            values.append(recovery(graph, data.true_parents).skeleton_f)
    assert np.mean(f["signed"]) > max(signed, np.mean(f["error"]))
    assert np.mean(f["error"]) >= error


def test_cancelling_is_asked_once_per_label_and_fold():
    asked = []
    residuals_of(X, Y, estimator=LogisticRegression(), cv=3, cancelled=lambda: bool(asked.append(1)))
    assert len(asked) == 3 * 6
    with pytest.raises(CancelledError):
        residuals_of(X, Y, estimator=LogisticRegression(), cv=3, cancelled=lambda: True)
    with pytest.raises(CancelledError):
        lead(X, Y, cancelled=lambda: True)


def test_a_structure_can_be_cancelled_before_it_is_grown():
    asked = []
    lead(X, Y, cv=None, cancelled=lambda: bool(asked.append(1)))
    last = 2 * len(asked)
    with pytest.raises(CancelledError):
        lead(X, Y, cv=None, cancelled=lambda: len(asked.append(1) or asked) == last)
