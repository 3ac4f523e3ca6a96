"""Where scores deceive: labels, features and rows, each named in a sentence."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sentences import has_line

from trellislib.advice.cautions import cautions
from trellislib.data import Dataset

RNG = np.random.default_rng(0)


def data(X=None, Y=None, features=None):
    X = RNG.standard_normal((100, 3)) if X is None else X
    Y = RNG.integers(0, 2, (100, 2)) if Y is None else Y
    names = features or tuple(f"x{j}" for j in range(X.shape[1]))
    return Dataset(X, Y, names, tuple("ab")[: Y.shape[1]], (("0", "1"),) * Y.shape[1])


def halves(n=100):
    rows = np.arange(n)
    return [(rows[::2], rows[1::2]), (rows[1::2], rows[::2])]


def said(dataset, of_labels=None):
    return list(cautions(dataset, halves(dataset.n_instances), of_labels, "CT"))


def test_nothing_is_said_of_plain_data():
    assert said(data()) == []


def test_a_label_that_is_never_predicted_is_named():
    table = pd.DataFrame(
        {"label": ["a", "b"] * 2, "frequency": 0.25, "hamming": [0.75, 0.8] * 2, "recall": [0.0, 0.2] * 2}
    )
    has_line(said(data(), table), "CT", "1 label", "'a'")


def test_a_label_of_few_rows_is_named():
    Y = RNG.integers(0, 2, (100, 2))
    Y[:, 1] = 0
    Y[:5, 1] = 1
    has_line(said(data(Y=Y)), "fewer than 10", "'b'")


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_a_feature_that_gives_a_label_away_is_named(form):
    X, Y = RNG.standard_normal((100, 3)), RNG.integers(0, 2, (100, 2))
    X[:, 1] = Y[:, 1] * 5 + RNG.uniform(0, 1, 100)
    has_line(said(data(form(X), Y)), "'x1'", "'b'", "1.000")


def test_rows_with_a_twin_on_the_other_side_of_a_fold_are_counted():
    X = np.repeat(RNG.standard_normal((50, 3)), 2, axis=0)
    has_line(said(data(X)), "100%", "same features")


def test_a_feature_that_is_named_as_a_group_of_rows_is_named():
    X = RNG.standard_normal((100, 2))
    X[:, 0] = np.arange(100) // 10
    has_line(said(data(X, features=("patient_id", "x"))), "'patient_id'", "group")


def test_a_fold_that_lacks_a_label_in_training_is_named():
    Y = RNG.integers(0, 2, (100, 2))
    Y[:, 1] = 0
    Y[0, 1] = 1
    has_line(said(data(Y=Y)), "b", "fold 2")
