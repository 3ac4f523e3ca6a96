"""Label powersets against multi-class classifiers by hand."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from trellislib import EnsemblePrunedSets, LabelPowerset, PrunedSets, RAkEL
from trellislib.labels.coding import LabelCoding
from trellislib.learners.training_set import TrainingSet
from trellislib.methods import powerset

LOGISTIC = LogisticRegression(max_iter=1000)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
bases = pytest.mark.parametrize("base", [LOGISTIC, TREE], ids=["logistic", "tree"])


def problem(n_labels=4, valued=False, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((50, 3))
    Y = (X @ rng.standard_normal((3, n_labels)) + 0.5 * rng.standard_normal((50, n_labels)) > 0).astype(int)
    if valued:
        Y[:, 1] += Y[:, 0]
    return X, Y


def joined(Y):
    return np.array(["".join(map(str, row)) for row in Y])


def parted(sets):
    return np.array([[int(digit) for digit in of] for of in sets])


@bases
@pytest.mark.parametrize("valued", [False, True], ids=["binary", "valued"])
def test_a_powerset_is_one_multi_class_problem(base, valued):
    X, Y = problem(valued=valued)
    by_hand = type(base)(**base.get_params()).fit(X, joined(Y))
    fitted = LabelPowerset(base).fit(X, Y)
    assert_array_equal(fitted.label_sets_, parted(by_hand.classes_))
    assert_array_equal(fitted.predict(X), parted(by_hand.predict(X)))
    P = by_hand.predict_proba(X)
    of_values = [
        np.column_stack([P[:, parted(by_hand.classes_)[:, label] == value].sum(axis=1) for value in np.unique(column)])
        for label, column in enumerate(Y.T)
    ]
    by_label = LabelPowerset(base, maximize="marginals").fit(X, Y)
    for method in (fitted, by_label):
        found = method.predict_proba(X)
        found = found if valued else [np.column_stack([1 - p, p]) for p in found.T]
        for one, other in zip(found, of_values, strict=True):
            assert_allclose(one, other, atol=1e-9)
    assert_array_equal(by_label.predict(X), np.transpose([p.argmax(axis=1) for p in of_values]))


def test_a_powerset_predicts_only_what_it_saw():
    X, Y = problem()
    seen = {tuple(row) for row in Y}
    assert {tuple(row) for row in LabelPowerset().fit(X, Y).predict(10 * X).tolist()} <= seen


# How often each label set occurs below: {0, 1} 3, {0} 4, {1} 2, {0, 2} 1, {0, 1, 2} 1, {} 2, {2} 1.
SETS = {(1, 1, 0): 3, (1, 0, 0): 4, (0, 1, 0): 2, (1, 0, 1): 1, (1, 1, 1): 1, (0, 0, 0): 2, (0, 0, 1): 1}
Y_SETS = np.array([of for of, times in SETS.items() for _ in range(times)])
X_SETS = np.arange(len(Y_SETS), dtype=float)[:, None]


class Spy(DecisionTreeClassifier):
    """Notes what it is fitted on."""

    seen: tuple = ()

    def fit(self, X, y, sample_weight=None):
        Spy.seen = (X.ravel().astype(int).tolist(), np.asarray(y).tolist())
        return super().fit(X, y, sample_weight)


def examples(**parameters):
    """Return the frequent sets, and for each row that is pruned the sets it comes back with."""
    fitted = PrunedSets(Spy(), **parameters).fit(X_SETS, Y_SETS)
    came_back = {}
    for row, number in zip(*Spy.seen, strict=True):
        came_back.setdefault(row, []).append(tuple(fitted.label_sets_[number].tolist()))
    changed = {row: sets for row, sets in came_back.items() if sets != [tuple(Y_SETS[row].tolist())]}
    left_out = sorted(set(range(len(Y_SETS))) - set(came_back))
    return [tuple(of) for of in fitted.label_sets_.tolist()], changed, left_out


def test_a_pruned_row_comes_back_as_its_largest_frequent_subsets():
    # Frequent: {0}, {0, 1}, {1}, {}. Row 9 is {0, 2}, row 10 {0, 1, 2}, row 13 {2}.
    kept, changed, left_out = examples(min_count=2, n_subsets=2)
    assert kept == [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0)]
    assert changed == {9: [(1, 0, 0)], 10: [(1, 1, 0), (1, 0, 0)]}  # the empty set is no subset to learn from
    assert left_out == [13]


def test_of_subsets_of_one_size_the_more_frequent_comes_first():
    _, changed, _ = examples(min_count=2, n_subsets=3)
    assert changed[10] == [(1, 1, 0), (1, 0, 0), (0, 1, 0)]
    _, changed, _ = examples(min_count=2, n_subsets=1)
    assert changed == {9: [(1, 0, 0)], 10: [(1, 1, 0)]}


def test_without_subsets_pruned_rows_are_left_out():
    kept, changed, left_out = examples(min_count=3, n_subsets=0)
    assert kept == [(1, 0, 0), (1, 1, 0)]
    assert changed == {}
    assert left_out == [7, 8, 9, 10, 11, 12, 13]


def test_a_row_without_a_frequent_subset_is_left_out():
    _, changed, left_out = examples(min_count=3, n_subsets=2)
    assert changed == {9: [(1, 0, 0)], 10: [(1, 1, 0), (1, 0, 0)]}
    assert left_out == [7, 8, 11, 12, 13]


def test_where_all_sets_would_be_pruned_the_most_frequent_stay():
    assert PrunedSets(min_count=50).fit(X_SETS, Y_SETS).label_sets_.tolist() == [[1, 0, 0]]
    X, Y = np.zeros((3, 1)), np.array([[0, 1], [1, 0], [1, 1]])
    assert PrunedSets().fit(X, Y).label_sets_.tolist() == Y.tolist()


def test_nothing_pruned_is_a_powerset():
    X, Y = problem()
    assert_array_equal(PrunedSets(min_count=1).fit(X, Y).predict(X), LabelPowerset().fit(X, Y).predict(X))
    assert examples(min_count=1) == (sorted(SETS), {}, [])


def test_a_set_counts_by_weight():
    X, Y = np.zeros((4, 1)), np.array([[0, 1], [1, 0], [1, 0], [1, 1]])
    assert PrunedSets(min_count=2).fit(X, Y).label_sets_.tolist() == [[1, 0]]
    assert PrunedSets(min_count=2).fit(X, Y, [2, 0.5, 0.5, 1]).label_sets_.tolist() == [[0, 1]]


def test_a_subset_of_labels_of_more_values_agrees_wherever_it_is_not_the_first_value():
    Y = np.array([[0, 1]] * 2 + [[1, 0]] * 2 + [[2, 0]] * 2 + [[2, 1]])
    fitted = PrunedSets(Spy(), min_count=2, n_subsets=9).fit(np.arange(7.0)[:, None], Y)
    assert fitted.label_sets_.tolist() == [[0, 1], [1, 0], [2, 0]]
    assert Spy.seen == ([0, 1, 2, 3, 4, 5, 6, 6], [0, 0, 1, 1, 2, 2, 0, 2])


def test_an_ensemble_of_pruned_sets_votes_and_forms_new_sets():
    X, Y = problem()
    fitted = EnsemblePrunedSets(TREE, min_count=2, n_estimators=4, random_state=0).fit(X, Y)
    votes = np.mean([member.predict(X) for member in fitted.estimators_], axis=0)
    clear = votes != 0.5  # ties are decided by probabilities
    assert_allclose(fitted.predict_proba(X)[clear], votes[clear], atol=1e-12)
    assert_array_equal(fitted.predict(X)[clear], votes[clear] > 0.5)
    assert all(member.min_count == 2 for member in fitted.estimators_)
    # Three rows in turn see {0, 1}, {0, 2}, {1, 2} most often; the vote of all is {0, 1, 2}, which nobody saw.
    dull = np.zeros((9, 1))
    sets = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]] * 3)
    voted = {
        tuple(
            EnsemblePrunedSets(DecisionTreeClassifier(), n_estimators=15, random_state=seed)
            .fit(dull, sets)
            .predict([[0.0]])[0]
        )
        for seed in range(8)
    }
    assert (1, 1, 1) in voted


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 7), st.integers(1, 8), st.none() | st.integers(1, 50), st.integers(0, 99))
def test_overlapping_labelsets_are_distinct_and_cover_all_labels(n_labels, size, wanted, seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((8, 2)), rng.integers(0, 2, (8, n_labels))
    fitted = RAkEL(labelset_size=size, n_labelsets=wanted, random_state=seed).fit(X, Y)
    size, labelsets = min(size, n_labels), fitted.labelsets_
    assert len(set(labelsets)) == len(labelsets) == len(fitted.estimators_)
    assert all(tuple(sorted(set(labelset))) == labelset and len(labelset) == size for labelset in labelsets)
    assert set().union(*labelsets) == set(range(n_labels))
    number = min(2 * n_labels if wanted is None else wanted, comb(n_labels, size))
    assert len(labelsets) == max(number, -(-n_labels // size))  # at least as many as cover all labels


@pytest.mark.parametrize(("n_labels", "size"), [(7, 3), (6, 3), (5, 2), (4, 1), (3, 9)])
def test_disjoint_labelsets_are_a_partition(n_labels, size):
    X, Y = problem(n_labels)
    labelsets = RAkEL(labelset_size=size, overlapping=False, random_state=0).fit(X, Y).labelsets_
    assert sorted(label for labelset in labelsets for label in labelset) == list(range(n_labels))
    size = min(size, n_labels)
    assert [len(labelset) for labelset in labelsets] == [size] * (n_labels // size) + [n_labels % size] * (
        n_labels % size > 0
    )


@bases
@pytest.mark.parametrize("overlapping", [True, False])
@pytest.mark.parametrize("valued", [False, True], ids=["binary", "valued"])
def test_labelsets_vote_on_their_labels(base, overlapping, valued):
    X, Y = problem(5, valued=valued)
    fitted = RAkEL(base, labelset_size=2, n_labelsets=6, overlapping=overlapping, random_state=1).fit(X, Y)
    n_values = Y.max(axis=0) + 1
    votes = [np.zeros((len(X), n)) for n in n_values]
    for labelset in fitted.labelsets_:
        of_set = parted(type(base)(**base.get_params()).fit(X, joined(Y[:, labelset])).predict(X))
        for label, predicted in zip(labelset, of_set.T, strict=True):
            votes[label][np.arange(len(X)), predicted] += 1
    assert_array_equal(fitted.predict(X), np.transpose([of.argmax(axis=1) for of in votes]))
    P = fitted.predict_proba(X)
    P = P if valued else [np.column_stack([1 - p, p]) for p in P.T]
    for one, of in zip(P, votes, strict=True):
        assert_allclose(one, of / of.sum(axis=1, keepdims=True), atol=1e-12)


@bases
@pytest.mark.parametrize("size", [4, 6])
@pytest.mark.parametrize("overlapping", [True, False])
def test_a_labelset_of_all_labels_is_a_powerset(base, size, overlapping):
    X, Y = problem()
    fitted = RAkEL(base, labelset_size=size, overlapping=overlapping, random_state=0).fit(X, Y)
    assert fitted.labelsets_ == [(0, 1, 2, 3)]
    assert_array_equal(fitted.predict(X), LabelPowerset(base).fit(X, Y).predict(X))


def test_as_many_labelsets_as_there_are_are_all():
    X, Y = problem(5)
    fitted = RAkEL(labelset_size=2, n_labelsets=99, random_state=0).fit(X, Y)
    assert sorted(fitted.labelsets_) == list(combinations(range(5), 2))


codes = st.tuples(st.integers(1, 25), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.int8, shape, elements=st.integers(0, 2) | st.just(0), fill=st.just(0))
)


@settings(deadline=None, max_examples=50)
@given(codes, st.randoms(use_true_random=False))
def test_sparse_label_sets_are_found_as_dense_ones(Y, random):
    stored = list(zip(*np.nonzero(Y), strict=True)) + [(0, 0)] * int(Y[0, 0] == 0)  # one zero among them
    random.shuffle(stored)
    stored.sort(key=lambda cell: cell[0])
    rows, labels = np.array(stored).T
    cells = (Y[rows, labels], labels, np.searchsorted(rows, np.arange(len(Y) + 1)))
    unsorted = sparse.csr_array(cells, shape=Y.shape)  # its labels are in no order
    before = [part.copy() for part in (unsorted.data, unsorted.indices, unsorted.indptr)]
    expected, of_row = np.unique(Y, axis=0, return_inverse=True)
    sets, found = TrainingSet.of(np.zeros((len(Y), 1)), unsorted).label_sets
    assert sparse.issparse(sets)
    assert_array_equal(sets.toarray(), expected)
    assert_array_equal(found, of_row.ravel())
    for part, was in zip((unsorted.data, unsorted.indices, unsorted.indptr), before, strict=True):
        assert_array_equal(part, was)
    sets, found = TrainingSet(np.zeros((len(Y), 1)), Y, LabelCoding.of(unsorted)).label_sets
    assert_array_equal(sets, expected)
    assert_array_equal(found, of_row.ravel())


def subsets_by_trying_all(Y, min_count, n_subsets):
    """Return rows and label sets to learn from, comparing every pruned set with every frequent one."""
    sets, of_row = np.unique(Y, axis=0, return_inverse=True)
    of_row = of_row.ravel()
    counts = np.bincount(of_row)
    frequent = counts >= min_count
    frequent |= (counts == counts.max()) & ~frequent.any()
    preferred = sorted(np.flatnonzero(frequent), key=lambda one: (-(sets[one] > 0).sum(), -counts[one], one))
    found = [(row, number) for row, number in enumerate(of_row) if frequent[number]]
    for pruned in np.flatnonzero(~frequent):
        within = [
            one for one in preferred if sets[one].any() and ((sets[one] == 0) | (sets[one] == sets[pruned])).all()
        ]
        for subset in within[:n_subsets]:
            found += [(row, subset) for row in np.flatnonzero(of_row == pruned)]
    return found


@settings(deadline=None, max_examples=50)
@given(codes, st.integers(1, 4), st.integers(0, 3), st.integers(1, 9))
def test_pruned_sets_against_trying_all(Y, min_count, n_subsets, cells):
    expected = subsets_by_trying_all(Y, min_count, n_subsets)
    method = PrunedSets(min_count=min_count, n_subsets=n_subsets)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(powerset, "BLOCK_CELLS", cells)
        for form in (np.asarray, sparse.csr_array):
            training_set = TrainingSet(np.zeros((len(Y), 1)), form(Y), LabelCoding.of(sparse.csr_array(Y)))
            rows, numbers = method._examples(training_set, *training_set.label_sets)
            assert list(zip(rows.tolist(), numbers.tolist(), strict=True)) == expected


SEVERAL = [
    LabelPowerset(TREE),
    LabelPowerset(maximize="marginals"),
    PrunedSets(TREE, min_count=2),
    EnsemblePrunedSets(TREE, min_count=2, n_estimators=2, random_state=0),
    RAkEL(TREE, labelset_size=2, n_labelsets=4, threshold="cardinality", random_state=0),
]


@pytest.mark.parametrize("method", SEVERAL)
@pytest.mark.parametrize("valued", [False, True], ids=["binary", "valued"])
def test_sparse_labels_are_learnt_as_dense_ones(method, valued):
    for seed in range(4):
        X, Y = problem(5, valued, seed)
        dense = method.fit(X, Y)
        predicted, probabilities = dense.predict(X), dense.predict_proba(X)
        fitted = method.fit(X, sparse.csr_array(Y))
        assert_array_equal(fitted.predict(X).toarray(), predicted)
        for one, other in zip(fitted.predict_proba(X), probabilities, strict=True):
            assert_allclose(one, other, atol=1e-12)
        if hasattr(fitted, "label_sets_"):
            assert sparse.issparse(fitted.label_sets_)
            assert fitted.score(X, sparse.csr_array(Y)) == np.mean((predicted == Y).all(axis=1))
