import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from sentences import holds
from sklearn.base import BaseEstimator

from trellislib.data import simulate_label_dag
from trellislib.experiment import Given, KFold, Split, folds

DATA = simulate_label_dag(n_instances=60, n_labels=3, random_state=0)


def rows_of(divided):
    return [(repeat, fold, train.tolist(), test.tolist()) for repeat, fold, train, test in divided]


def test_k_fold_has_the_folds_of_evaluate():
    divided = KFold(4).divide(DATA, seed=7)
    assert [(repeat, fold) for repeat, fold, _, _ in divided] == [(1, 1), (1, 2), (1, 3), (1, 4)]
    for (_, _, train, test), (train_there, test_there) in zip(divided, folds(DATA, 4, 7), strict=True):
        assert_array_equal(train, train_there)
        assert_array_equal(test, test_there)


def test_repeats_test_each_row_once_and_differ():
    protocol = KFold(5, repeats=3)
    divided = protocol.divide(DATA, seed=2)
    assert len(divided) == protocol.n_fits == 15
    assert [repeat for repeat, *_ in divided] == [1] * 5 + [2] * 5 + [3] * 5
    for repeat in (1, 2, 3):
        tested = np.concatenate([test for of, _, _, test in divided if of == repeat])
        assert_array_equal(np.sort(tested), np.arange(60))
    assert rows_of(divided)[:5] == rows_of(KFold(5).divide(DATA, seed=2))
    assert rows_of(divided) == rows_of(protocol.divide(DATA, seed=2))


def test_repeats_of_one_seed_are_not_folds_of_another():
    tests = [frozenset(test.tolist()) for seed in range(4) for *_, test in KFold(2, repeats=4).divide(DATA, seed)]
    assert len(set(tests)) == 32


def test_a_split_is_that_of_evaluate():
    ((repeat, fold, train, test),) = Split(0.25).divide(DATA, seed=3)
    ((train_there, test_there),) = folds(DATA, 0.25, 3)
    assert (repeat, fold, Split.n_fits, len(test)) == (1, 1, 1, 15)
    assert_array_equal(train, train_there)
    assert_array_equal(test, test_there)


def test_given_rows_are_taken_in_their_order():
    for seed in (0, 1):
        ((repeat, fold, train, test),) = Given(45).divide(DATA, seed)
        assert (repeat, fold) == (1, 1)
        assert_array_equal(train, np.arange(45))
        assert_array_equal(test, np.arange(45, 60))


@pytest.mark.parametrize("n_train", [60, 61])
def test_given_rows_leave_some_on_both_sides(n_train):
    with pytest.raises(ValueError, match=rf"^Got {n_train} training rows, .* .*60: some must .*left .*test"):
        Given(n_train).divide(DATA, 0)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda: KFold(1), r"Got 1 .*number .*folds, .*expected .*whole number .*2"),
        (lambda: KFold(2.0), r"Got 2.0 .*number .*folds"),
        (lambda: KFold(True), r"Got True .*number .*folds"),
        (lambda: KFold(5, repeats=0), r"Got 0 .*number .*repeats, .*expected .*whole number .*1"),
        (lambda: KFold(5, "2"), r"Got '2' .*number .*repeats"),
        (lambda: Given(0), r"Got 0 .*number .*training rows, .*expected .*whole number .*1"),
        (lambda: Given(0.5), r"Got 0.5 .*number .*training rows"),
        (lambda: Split(0), r"Got 0 .*share .*test .*expected .*number .*0 .*1"),
        (lambda: Split(1.0), "Got 1.0 as the share"),
        (lambda: Split(30), "Got 30 as the share"),
        (lambda: Split(float("nan")), "Got nan as the share"),
        (lambda: Split("0.3"), "Got '0.3' as the share"),
    ],
)
def test_protocols_that_are_none(make, complaint):
    with pytest.raises(ValueError, match=f"^{complaint}"):
        make()


def test_numbers_of_numpy_are_numbers():
    assert KFold(np.int64(3), np.int32(2)).words == "2 x 3-fold"
    assert Split(np.float64(0.25)) == Split(0.25)
    assert Given(np.int64(7)) == Given(7)


def test_words():
    assert KFold(5).words == "5-fold"
    assert KFold(10, repeats=10).words == "10 x 10-fold"
    holds(Split().words, "1/3", "testing")
    holds(Split(0.3).words, "0.3", "testing")
    holds(Given(1211).words, "first 1,211 rows", "training")


SHARES = st.floats(0.01, 0.99) | st.sampled_from([1 / 3, 0.333, 0.3333, 0.3331, 2 / 3, 0.25])


@given(SHARES, SHARES)
def test_splits_of_the_same_words_divide_alike(one, other):
    assert (Split(one).words == Split(other).words) == (one == other)


class Thirds:
    """What somebody else wrote."""

    words = "thirds"
    n_fits = 1

    def divide(self, dataset, seed):
        return [(np.int64(1), np.int64(1), np.arange(0, 20), np.arange(20, 60))]


def test_protocols_of_others_are_taken(tmp_path):
    from trellislib import IndependentClassifiers
    from trellislib.experiment import Store, run

    method: dict[str, BaseEstimator] = {"IC": IndependentClassifiers()}
    results = run([DATA], method, Thirds(), store=Store(tmp_path / "r.sqlite"))
    assert results.fits["protocol"].tolist() == ["thirds"]
    assert results.table("hamming_score").notna().all(axis=None)
