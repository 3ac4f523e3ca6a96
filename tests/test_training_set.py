import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.metrics import mutual_info_score

from trellislib.coding import LabelCoding
from trellislib.dependence import pair_counts
from trellislib.training_set import TrainingSet

X = np.arange(12.0).reshape(6, 2)
Y = np.array([[0, 2, 1], [1, 0, 1], [1, 1, 0], [0, 2, 0], [0, 0, 1], [1, 2, 1]])
forms = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])


def dense(matrix):
    return matrix.toarray() if sparse.issparse(matrix) else matrix


@forms
def test_what_is_known_of_the_labels(form):
    training_set = TrainingSet.of(form(X), form(Y))
    assert (training_set.n_instances, training_set.n_labels) == (6, 3)
    assert [values.tolist() for values in training_set.coding.classes] == [[0, 1], [0, 1, 2], [0, 1]]
    assert_array_equal(training_set.codes, Y)
    assert training_set.codes.dtype == np.intp
    assert_array_equal(dense(training_set.counts.together), dense(pair_counts(Y).together))
    assert_allclose(training_set.information, [[mutual_info_score(a, b) for b in Y.T] for a in Y.T], atol=1e-12)


def test_codes_are_places_among_the_values():
    named = np.array([["no", "b"], ["yes", "c"], ["no", "a"]])
    assert TrainingSet.of(X[:3], named).codes.tolist() == [[0, 1], [1, 2], [0, 0]]


@forms
def test_weights_count(form):
    weight = np.array([0, 1, 2, 3, 1, 1])
    weighted = TrainingSet.of(form(X), form(Y), weight.astype(float))
    repeated = TrainingSet(np.repeat(X, weight, axis=0), np.repeat(Y, weight, axis=0), LabelCoding.of(Y))
    assert weighted.counts.n_instances == 8
    assert_allclose(dense(weighted.counts.together), dense(repeated.counts.together))
    assert_allclose(weighted.information, repeated.information, atol=1e-12)


@forms
@pytest.mark.parametrize("which", [[2, 0], (1,), np.array([0, 1, 2])])
def test_some_of_the_labels(form, which):
    weight = np.arange(6.0)
    some = TrainingSet.of(form(X), form(Y), weight).labels(which)
    assert_array_equal(some.codes, Y[:, list(which)])
    assert [len(values) for values in some.coding.classes] == [[2, 3, 2][label] for label in which]
    assert some.weight is weight
    assert some.n_instances == 6
    assert_array_equal(dense(some.X), X)


@forms
@pytest.mark.parametrize("which", [np.array([4, 1]), np.array([True, False, False, True, False, True])])
def test_some_of_the_instances(form, which):
    weight = np.arange(6.0)
    some = TrainingSet.of(form(X), form(Y), weight).rows(which)
    assert_array_equal(dense(some.X), X[which])
    assert_array_equal(some.codes, Y[which])
    assert_array_equal(some.weight, weight[which])
    assert [len(values) for values in some.coding.classes] == [2, 3, 2], "values stay, whether or not they occur"
    assert TrainingSet.of(form(X), form(Y)).rows(which).weight is None
