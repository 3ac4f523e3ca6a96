import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sentences import holds
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from trellislib import ClassifierChain, IndependentClassifiers, StackedIndependentClassifiers
from trellislib.summaries.depth import about_depth


@parametrize_with_checks([StackedIndependentClassifiers()])
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def gates(n, seed):
    """Labels that are independent given the features, the last of which no linear classifier can tell."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(2, size=(n, 2))
    Y = np.column_stack([bits.any(axis=1), bits.all(axis=1), bits[:, 0] != bits[:, 1]])
    return bits + rng.normal(0, 0.15, (n, 2)), Y.astype(int)


def test_depth_alone_gives_what_a_chain_gains_without_dependence():
    (X, Y), (of_test, truth) = gates(300, 0), gates(300, 1)
    chain = ClassifierChain(order=[0, 1, 2])
    right = {
        type(method).__name__: (method.fit(X, Y).predict(of_test) == truth)[:, 2].mean()
        for method in (IndependentClassifiers(), StackedIndependentClassifiers(), chain)
    }
    assert right["IndependentClassifiers"] < 0.8
    assert right["ClassifierChain"] > 0.95
    assert right["StackedIndependentClassifiers"] > 0.95


def test_the_second_level_by_hand():
    """Its inputs are what the first level says, which is fitted on all rows to predict."""
    X, Y = gates(60, 0)
    fitted = StackedIndependentClassifiers(LogisticRegression()).fit(X, Y)
    first = IndependentClassifiers(LogisticRegression()).fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(fitted.first_.predict_proba(X), first)
    second = fitted.second_.predict_proba(np.hstack([X, first]))
    np.testing.assert_allclose(fitted.predict_proba(X), second)


def test_sparse_and_many_valued():
    X, Y = gates(60, 0)
    of_sparse = StackedIndependentClassifiers().fit(sparse.csr_array(X), sparse.csr_array(Y))
    of_dense = StackedIndependentClassifiers().fit(X, Y)
    assert (of_sparse.predict(sparse.csr_array(X)).toarray() == of_dense.predict(X)).mean() > 0.99
    many = np.column_stack([Y[:, 0], Y.sum(axis=1)])
    assert StackedIndependentClassifiers().fit(X, many).predict(X).max() == many.max()


@pytest.mark.parametrize(
    ("scores", "higher", "parts"),
    [
        ({"IC": 0.5, "Stacked": 0.52, "CT": 0.56}, True, ("CT", "0.060", "0.020", "0.040")),
        ({"IC": 0.5, "Stacked": 0.6, "CT": 0.56}, True, ("CT", "0.060", "0.100", "nothing is left")),
        ({"IC": 0.5, "Stacked": 0.5, "CT": 0.56}, True, ("gives nothing", "all of it")),
        ({"IC": 0.5, "Stacked": 0.4, "CT": 0.3}, False, ("0.200", "0.100")),
        ({"IC": 0.5, "Stacked": 0.6, "CT": 0.4, "Nobody": 0.9}, True, ("No method leads IC",)),
    ],
)
def test_depth_and_dependence_in_words(scores, higher, parts):
    holds(about_depth(pd.Series(scores), "accuracy", higher, ["Nobody"]), *parts)


def test_without_the_control_nothing_is_said():
    assert about_depth(pd.Series({"IC": 0.5, "CT": 0.6}), "accuracy") == ""
    assert about_depth(pd.Series({"IC": 0.5, "Stacked": 0.6}), "accuracy") == ""
