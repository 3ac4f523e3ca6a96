import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sklearn.svm import LinearSVC

from trellislib import ClassifierChain, MultiOutputForest


@pytest.mark.parametrize("method", [ClassifierChain(LinearSVC(random_state=0)), MultiOutputForest(10, random_state=0)])
def test_a_classifier_that_takes_32_bit_indices_only_gets_them(method):
    rng = np.random.default_rng(0)
    X = np.where(rng.random((60, 5)) < 0.5, 0.0, rng.standard_normal((60, 5)))
    Y = (X[:, :3] + 0.5 * X[:, 1:4] > 0).astype(int)
    wide = sparse.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    found = method.fit(wide, Y).predict(wide)
    assert wide.indices.dtype == np.int64, "what the caller owns stays as it was"
    assert_array_equal(found, method.fit(sparse.csr_array(X), Y).predict(sparse.csr_array(X)))
