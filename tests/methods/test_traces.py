"""The public trace of a fitted method: graph, conditionals and inference of instances."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.exceptions import NotFittedError

import trellislib as t
from trellislib.labels.graph import LabelGraph

rng = np.random.default_rng(0)
X = rng.standard_normal((60, 3))
Y = (X @ rng.standard_normal((3, 4)) + rng.standard_normal((60, 4)) > 0).astype(int)
METHODS = {
    "CC": t.ClassifierChain(random_state=0),
    "PCC": t.ProbabilisticClassifierChain(random_state=0),
    "CT": t.ClassifierTrellis(inference=t.AncestralSampling(10), random_state=0),
    "CDT": t.ClassifierDependencyTrellis(random_state=0),
}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_traces_decide_as_the_method_predicts_block_by_block(method, monkeypatch):
    fitted = method.fit(X, Y)
    monkeypatch.setattr(type(fitted), "_block_rows", lambda _: 25)
    traces = list(fitted.traces(X))
    assert [trace.n_instances for trace in traces] == [25, 25, 10]
    assert_array_equal(np.hstack([trace.infer().codes for trace in traces]).T, fitted.predict(X))
    assert all(trace.graph is fitted.graph_ for trace in traces)


def test_conditionals_of_another_graph_can_replace_the_fitted_ones():
    chain = t.ClassifierChain(order=[0, 1, 2, 3]).fit(X, Y)
    independent = chain.prepared(X, Y).fit(LabelGraph.independent(4))
    (trace,) = chain.traces(X, independent)
    expected = t.IndependentClassifiers().fit(X, Y)
    assert_array_equal(trace.infer().codes.T, expected.predict(X))
    (own,) = chain.traces(X)
    assert_array_equal(replace(own, given=trace.given).infer().codes, trace.infer().codes)


def test_prepared_data_give_the_fitted_conditionals_and_probabilities_where_they_are_needed():
    weight = np.tile([0, 1, 2], 20)
    chain = t.ProbabilisticClassifierChain(random_state=0).fit(X, Y, weight)
    (own,), (again,) = chain.traces(X), chain.traces(X, chain.prepared(X, Y, weight).fit(chain.graph_))
    assert_allclose(own.infer().marginals, again.infer().marginals)


@pytest.mark.parametrize("of", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_labels_that_the_method_was_not_fitted_to_are_refused(of):
    chain = t.ClassifierChain().fit(X, Y)
    unseen, missing = Y.copy(), Y.astype(float)
    unseen[3, 1], missing[3, 1] = 2, np.nan
    with pytest.raises(ValueError, match="values that the method was not fitted to"):
        chain.prepared(X, of(unseen))
    with pytest.raises(ValueError, match="Got NaN as the value of label 1 in instance 3"):
        chain.prepared(X, of(missing))
    with pytest.raises(ValueError, match=r"Got labels of shape \(60, 8\), but expected \(n_instances, 4\)"):
        chain.prepared(X, of(np.hstack([Y, Y])))
    with pytest.raises(ValueError, match="Got labels of 59 instances, but expected 60"):
        chain.prepared(X, of(Y[1:]))
    weight = np.ones(60)
    weight[3] = 0
    assert chain.prepared(X, of(unseen), weight).training_set.n_instances == 59


def test_labels_of_other_values_or_of_a_single_label_are_prepared_as_they_were_fitted():
    names = np.array(["no", "yes"])[Y]
    chain = t.ClassifierChain().fit(X, names)
    assert_array_equal(chain.prepared(X, names).training_set.codes, Y)
    with pytest.raises(ValueError, match="values that the method was not fitted to"):
        chain.prepared(X, sparse.csr_array(Y))  # codes, which are no names
    one = t.ClassifierChain().fit(X, Y[:, 0])
    assert one.prepared(X, Y[:, 0]).training_set.Y.shape == one.prepared(X, Y[:, [0]]).training_set.Y.shape == (60, 1)


def test_a_method_that_is_not_fitted_has_no_traces():
    with pytest.raises(NotFittedError):
        next(t.ClassifierChain().traces(X))
