"""What is put before a method is fitted on training rows only, and keeps sparse features sparse."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.pipeline import Pipeline

from trellislib import IndependentClassifiers
from trellislib.data import Dataset
from trellislib.methods.prepared import SCALINGS, prepared


def data_of(X):
    Y = np.array([[0, 1], [1, 0], [1, 1], [0, 0]])
    return Dataset(X, Y, tuple("xyz"[: X.shape[1]]), ("a", "b"), (("0", "1"),) * 2, "small")


def features(X, scaling, rows):
    """Return what the method would see of all rows after a fit on some."""
    data = data_of(X)
    return prepared(IndependentClassifiers(), scaling, data)[:-1].fit(data.X[rows]).transform(data.X)


X = np.array([[0.0, 1.0], [2.0, 5.0], [4.0, 9.0], [10.0, -3.0]])


def test_nothing_is_put_before_a_method_that_needs_nothing():
    method = IndependentClassifiers()
    assert prepared(method, "as they are", data_of(X)) is method


def test_gaps_take_the_mean_of_the_training_rows():
    gappy = X.copy()
    gappy[3, 0] = np.nan
    assert features(gappy, "as they are", slice(0, 3))[3].tolist() == [2.0, -3.0]


def test_scaling_is_by_the_training_rows():
    np.testing.assert_allclose(features(X, "to [0, 1]", slice(0, 3))[3], [2.5, -0.5])
    np.testing.assert_allclose(
        features(X, "to unit variance", slice(0, 3)), (X - X[:3].mean(axis=0)) / X[:3].std(axis=0)
    )


@pytest.mark.parametrize(("scaling", "divisor"), [("to [0, 1]", [4.0, 9.0]), ("to unit variance", X[:3].std(axis=0))])
def test_sparse_features_are_only_divided(scaling, divisor):
    scaled = features(sparse.csr_array(X), scaling, slice(0, 3))
    assert sparse.issparse(scaled)
    np.testing.assert_allclose(scaled.toarray(), X / divisor)


@pytest.mark.parametrize("scaling", SCALINGS[1:])
def test_the_method_comes_last(scaling):
    method = IndependentClassifiers()
    made = prepared(method, scaling, data_of(X))
    assert isinstance(made, Pipeline)
    assert made[-1] is method


def test_an_unknown_scaling_is_refused():
    with pytest.raises(ValueError, match=r"Got the scaling 'large', but expected one of 'as they are'"):
        prepared(IndependentClassifiers(), "large", data_of(X))
