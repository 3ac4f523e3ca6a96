"""One label of a data set at a glance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from trellislib.data import Dataset, label_profile
from trellislib.dependence import information_of_counts, pair_counts, phi_coefficients

Y = np.array([[1, 0, 1, 0], [1, 1, 1, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0]])
INFORMATION = np.array([[9, 0.1, 0.5, 0], [0.1, 9, 0.1, 0], [0.5, 0.1, 9, 0], [0, 0, 0, 9]])


def dataset(Y=Y, X=None, values=None, names=None):
    X = np.arange(2.0 * len(Y)).reshape(-1, 2) if X is None else X
    names = names or tuple("abcdefgh"[: Y.shape[1]])
    return Dataset(X, Y, tuple(f"x{j}" for j in range(X.shape[1])), names, values or (("0", "1"),) * Y.shape[1])


def test_a_label_by_hand():
    profile = label_profile(dataset(), 1, INFORMATION, signs=-INFORMATION, n_partners=2, n_features=1)

    assert (profile.label, profile.name, profile.n_relevant, profile.frequency, profile.imbalance) == (
        1,
        "b",
        2,
        0.4,
        1.5,
    )
    assert profile.partners.to_dict("list") == {
        "label": ["a", "c"],
        "MI (nats)": [0.1, 0.1],
        "together": [1, 1],
        "phi": [-0.1, -0.1],
    }
    assert profile.partners.index.tolist() == [0, 2]
    assert profile.examples.to_dict("list") == {"with": ["a, c", "(no other)"], "x0": [2.0, 4.0]}
    assert profile.examples.index.tolist() == [1, 2]


def test_the_most_informative_features_come_first():
    """By hand: x2 is whether b is relevant, x0 its opposite and noise, x1 is constant, and x3 is not known in part."""
    b = Y[:, 1].astype(float)
    X = np.column_stack([[1, 0, 1, 1, 1], np.full(5, 7.0), b, np.where(np.arange(5) == 0, np.nan, 1 - 2 * b)])
    profile = label_profile(dataset(X=X), 1, INFORMATION)

    assert profile.examples.columns.tolist() == ["with", "x2", "x3", "x0", "x1"]


@settings(max_examples=30)
@given(st.integers(0, 999))
def test_features_are_in_the_order_of_their_correlation(seed):
    rng = np.random.default_rng(seed)
    labels, X = rng.integers(2, size=(25, 2)), 1e4 + rng.random((25, 6))
    labels[:2, 0] = [0, 1]
    correlations = np.abs([np.corrcoef(column, labels[:, 0])[0, 1] for column in X.T])
    for of in (X, sparse.csr_array(X - 1e4)):
        profile = label_profile(dataset(labels, of), 0, np.zeros((2, 2)), n_features=6)
        assert profile.examples.columns[1:].tolist() == [f"x{j}" for j in np.argsort(-correlations)]


def test_a_label_that_never_occurs():
    profile = label_profile(dataset(), 3, INFORMATION)

    assert (profile.n_relevant, profile.frequency, profile.imbalance) == (0, 0.0, np.inf)
    assert profile.examples.empty
    assert profile.partners["label"].tolist() == ["a", "b", "c"]
    assert "phi" not in profile.partners


def test_profiles_are_themselves():
    """Tables have no single answer to whether they are equal."""
    one, other = (label_profile(dataset(), 0, INFORMATION) for _ in range(2))

    assert one == one
    assert one != other
    assert len({one, other}) == 2


def test_an_only_label():
    profile = label_profile(dataset(Y[:, :1]), 0, INFORMATION[:1, :1])

    assert profile.partners.empty
    assert profile.examples["with"].tolist() == ["(no other)"] * 3


def test_values_are_named_where_there_are_more_than_two():
    data = dataset(np.array([[1, 2], [2, 0]]), values=(("no", "some", "much"), ("low", "mid", "high")))
    profile = label_profile(data, 0, np.zeros((2, 2)))

    assert profile.n_relevant == 2
    assert profile.examples["with"].tolist() == ["b = high", "(no other)"]


def test_a_feature_that_is_called_like_the_column_of_labels():
    data = Dataset(np.ones((1, 1)), np.ones((1, 1), dtype=int), ("with",), ("a",), (("0", "1"),))

    assert label_profile(data, 0, np.zeros((1, 1))).examples.iloc[0].tolist() == ["(no other)", 1.0]


@pytest.mark.parametrize("label", [-1, 4])
def test_no_label_no_profile(label):
    with pytest.raises(ValueError, match=rf"data: got .*label {label}, .*expected .*0 .*3"):
        label_profile(dataset(), label, INFORMATION)


@settings(max_examples=30)
@given(st.integers(0, 999))
def test_sparse_and_dense_agree_with_each_other_and_with_the_statistics(seed):
    rng = np.random.default_rng(seed)
    Y = rng.integers(2, size=(30, 5)) * rng.integers(2, size=(30, 5))
    X = rng.random((30, 3)).round(1)
    dense, thin = dataset(Y, X), dataset(sparse.csr_array(Y), sparse.csr_array(X))
    counts = pair_counts(Y)
    information, signs = information_of_counts(counts), phi_coefficients(counts)
    statistics = dense.statistics()
    for label in range(5):
        one, other = (label_profile(data, label, information, signs) for data in (dense, thin))
        assert one.examples.equals(other.examples)
        assert one.partners.equals(other.partners)
        assert one.frequency == statistics.frequencies.iloc[label]
        assert one.imbalance == statistics.imbalance.iloc[label]
        together = (Y[:, [label]] * Y).sum(axis=0)
        assert one.partners["together"].tolist() == together[one.partners.index].tolist()
        assert (np.diff(one.partners["MI (nats)"]) <= 0).all()
