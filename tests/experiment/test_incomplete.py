"""Instances of which only some labels are known: where they go, what fills them, and what of them is scored."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from sentences import Containing, has_line
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.multioutput import MultiOutputClassifier
from sklearn.tree import DecisionTreeClassifier

from trellislib import ClassifierTrellis, IndependentClassifiers
from trellislib.data.dataset import Dataset, PartiallyLabelled
from trellislib.experiment import Budget, Given, KFold, Split, evaluate, incomplete, run
from trellislib.metrics import MEASURES

N, N_INCOMPLETE = 12, 5
FORMS = pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])


def dataset(form=np.asarray, n_incomplete=N_INCOMPLETE, **more):
    """Data whose first feature is the number of the row, from 100 for incomplete rows; y = (x > 0, x > 1, not)."""
    x = np.linspace(-1.0, 2.0, N + n_incomplete)
    Y = np.column_stack([x > 0, x > 1, x <= 0]).astype(np.int8)
    order = np.random.default_rng(0).permutation(N + n_incomplete)
    X = np.column_stack([[*range(N), *range(100, 100 + n_incomplete)], x[order]])
    Y = Y[order]
    known = np.ones((n_incomplete, 3), dtype=bool)
    known[np.arange(n_incomplete), np.arange(n_incomplete) % 3] = False
    junk = np.where(known, Y[N:], 5)  # where nothing is known, a code means nothing
    return Dataset(
        form(X[:N]),
        form(Y[:N]),
        ("row", "x"),
        ("a", "b", "c"),
        (("0", "1"),) * 3,
        incomplete=PartiallyLabelled(form(X[N:]), junk, known) if n_incomplete else None,
        **more,
    )


def numbers(X):
    """Return which rows these are."""
    return (X.toarray() if sparse.issparse(X) else X)[:, 0].astype(int).tolist()


def went(data, protocol):
    """Return the numbers of the rows that train and of those that test, for each fit."""
    return [
        (numbers(incomplete.to_train(data, train)[0]), numbers(incomplete.to_test(data, test).X))
        for _, _, train, test in protocol.divide(data, 0)
    ]


@FORMS
def test_folds_test_each_partly_labelled_instance_once(form):
    data = dataset(form)
    fits = went(data, KFold(4, repeats=2))

    assert len(fits) == 8
    for of_repeat in (fits[:4], fits[4:]):
        tested = sorted(number for _, test in of_repeat for number in test)
        assert tested == [*range(N), *range(100, 100 + N_INCOMPLETE)]
    for train, test in fits:
        assert sorted(train + test) == [*range(N), *range(100, 100 + N_INCOMPLETE)]


@pytest.mark.parametrize("protocol", [Split(0.25), KFold(3), Given(8)], ids=lambda protocol: protocol.words)
def test_they_go_where_their_complete_row_goes(protocol):
    for n_incomplete in (N_INCOMPLETE, 2 * N + 3):
        for train, test in went(dataset(n_incomplete=n_incomplete), protocol):
            for side in (train, test):
                complete = [number for number in side if number < 100]
                expected = [number for number in range(100, 100 + n_incomplete) if (number - 100) % N in complete]
                assert [number for number in side if number >= 100] == expected


def test_rows_on_neither_side_take_theirs_with_them():
    data = dataset()
    assert numbers(incomplete.to_train(data, np.array([0, 0, 7]))[0]) == [0, 0, 7, 100]
    assert numbers(incomplete.to_test(data, np.array([7])).X) == [7]
    assert incomplete.to_test(data, np.array([7])).known is None


@FORMS
def test_unknown_labels_are_filled_by_independent_classifiers_of_the_complete_training_rows(form):
    data, rows = dataset(form), np.arange(8)
    X, Y = incomplete.to_train(data, rows)
    guessed = IndependentClassifiers().fit(data.X[rows], data.Y[rows]).predict(data.incomplete.X)
    codes, given, known = (
        part.toarray() if sparse.issparse(part) else part for part in (Y, guessed, data.incomplete.known)
    )

    assert sparse.issparse(Y) == sparse.issparse(X) == (form is not np.asarray)
    assert Y.dtype == data.Y.dtype
    assert_array_equal(codes[8:][known], data.incomplete.Y[known])
    assert_array_equal(codes[8:][~known], given[~known])
    assert given[~known].any(), "or this could not be reported from 0"


def test_gaps_of_features_are_filled_for_the_fill():
    data = dataset()
    gappy = data.incomplete.X.copy()
    gappy[0, 1] = np.nan
    data = Dataset(
        data.X, data.Y, *(getattr(data, name) for name in ("feature_names", "label_names", "label_values")),
        incomplete=PartiallyLabelled(gappy, data.incomplete.Y, data.incomplete.known),
    )  # fmt: skip
    X, Y = incomplete.to_train(data, np.arange(8))
    assert np.isnan(X[8, 1])
    assert set(np.unique(Y)) == {0, 1}


@FORMS
def test_tested_rows_have_their_known_labels(form):
    data = dataset(form)
    tested = incomplete.to_test(data, np.arange(2, 9))
    Y = tested.Y.toarray() if sparse.issparse(tested.Y) else tested.Y
    going = slice(2, 5)

    assert_array_equal(tested.known, np.vstack([np.ones((7, 3), dtype=bool), data.incomplete.known[going]]))
    assert_array_equal(Y[7:][data.incomplete.known[going]], data.incomplete.Y[going][data.incomplete.known[going]])


class Constant(ClassifierMixin, BaseEstimator):
    """Predicts the first label only."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        return np.tile([1, 0, 0], (X.shape[0], 1))

    def predict_proba(self, X):
        return self.predict(X) * 0.5 + 0.001 * np.array(numbers(X))[:, None]


@FORMS
def test_scores_are_those_of_the_known_labels(form):
    data = dataset(form)
    result = evaluate(data, {"constant": Constant()}, cv=[(np.arange(4, N), np.arange(4))])
    assert result.fits["status"].tolist() == ["done"], result.fits["reason"][0]
    tested = incomplete.to_test(data, np.arange(4))
    method = Constant().fit(None, None)

    assert tested.known.sum() < tested.known.size
    for key, measure in MEASURES.items():
        other = method.predict(tested.X) if measure.needs == "labels" else method.predict_proba(tested.X)
        np.testing.assert_equal(
            result.fits[key][0], measure.function(tested.Y, np.asarray(other), known=tested.known), key
        )
    right = (tested.known & (method.predict(tested.X) == tested.Y)).sum()
    assert result.fits["hamming_score"][0] == pytest.approx(right / tested.known.sum())


def test_unknown_labels_never_count_as_0():
    """A method that always says 1 is right on all known labels, which are 1."""
    Y = np.ones((4, 2), dtype=int)
    known = np.array([[True, False], [False, True]] * 2)
    X = np.arange(8.0).reshape(4, 2)
    data = Dataset(
        X, Y, ("x", "z"), ("a", "b"), (("0", "1"),) * 2, incomplete=PartiallyLabelled(X, np.where(known, 1, 0), known)
    )
    result = evaluate(data, {"IC": IndependentClassifiers()}, cv=2)

    for key in ("hamming_score", "exact_match", "accuracy", "macro_f1"):
        assert result.fits[key].tolist() == [1.0, 1.0], key
    has_line(result.notes[1], "a and b", "same value", "all 4 instances")


def test_known_labels_of_them_count_as_values():
    """The second label is constant in the complete rows only, and in the first fold nobody trains with a 1."""
    X = np.arange(8.0).reshape(4, 2)
    Y = np.array([[0, 0], [1, 0], [0, 0], [1, 0]])
    of = PartiallyLabelled(X[:1], np.array([[0, 1]]), np.array([[False, True]]))
    data = Dataset(X, Y, ("x", "z"), ("a", "b"), (("0", "1"),) * 2, incomplete=of)
    result = evaluate(data, {"IC": IndependentClassifiers()}, cv=[([2, 3], [0, 1]), ([0, 1], [2, 3])])

    assert result.notes == (
        Containing("labels unknown", "1 trains", "filled", "1 is scored"),
        Containing("b", "not relevant", "training row", "fold 1"),
    )


@pytest.mark.parametrize(
    ("protocol", "budget"),
    [(Split(0.25), None), (KFold(3), None), (Given(8), None), (KFold(3), Budget(seconds=60))],
    ids=lambda of: getattr(of, "words", of and "budget"),
)
def test_all_protocols_run_with_them(protocol, budget):
    methods = {
        "CT": ClassifierTrellis(random_state=0),
        "trees": MultiOutputClassifier(DecisionTreeClassifier(random_state=0)),
    }
    results = run([dataset(name="incomplete")], methods, protocol, budget=budget)

    assert results.fits["status"].eq("done").all(), results.fits["reason"].unique()
    assert results.table("hamming_score").notna().all(axis=None)
    has_line(results.notes, "labels unknown", "take part")


def test_without_incomplete_rows_there_is_no_note_and_rows_are_unchanged():
    data = dataset(n_incomplete=0)
    X, Y = incomplete.to_train(data, np.arange(5))
    assert_array_equal(X, data.X[:5])
    assert_array_equal(Y, data.Y[:5])
    assert incomplete.to_test(data, np.arange(5)).known is None
    assert incomplete.note(data, [(np.arange(5), np.arange(5, N))]) == []


def test_labels_of_more_values():
    X = np.arange(12.0).reshape(6, 2)
    Y = np.array([[0, 1], [2, 0], [1, 1], [0, 0], [2, 1], [1, 0]])
    of = PartiallyLabelled(X[:2] + 0.5, np.array([[2, 0], [0, 1]]), np.array([[True, False], [False, True]]))
    data = Dataset(X, Y, ("x", "z"), ("a", "b"), (("u", "v", "w"), ("0", "1")), incomplete=of)
    result = evaluate(data, {"IC": IndependentClassifiers()}, cv=3)

    assert result.fits["status"].eq("done").all(), result.fits["reason"].unique()
    assert result.measures == ["hamming_score", "exact_match"]


def test_in_a_published_division_each_keeps_to_its_side():
    whole = dataset()
    parts = PartiallyLabelled(whole.incomplete.X, whole.incomplete.Y, whole.incomplete.known, n_train=2)
    sided = replace(whole, n_train=4, incomplete=parts)
    ((_, _, train, test),) = Given(4).divide(sided, 0)

    assert numbers(incomplete.to_train(sided, train)[0]) == [0, 1, 2, 3, 100, 101]
    assert numbers(incomplete.to_test(sided, test).X) == [*range(4, N), 102, 103, 104]
    for protocol in (KFold(4), Split(0.5)):
        for trained, tested in went(sided, protocol):
            assert not set(trained) & set(tested)
