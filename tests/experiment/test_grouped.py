import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from iterstrat.ml_stratifiers import MultilabelStratifiedKFold, MultilabelStratifiedShuffleSplit
from scipy import sparse
from sentences import has_line
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.model_selection import KFold as PlainKFold

from trellislib import IndependentClassifiers
from trellislib.data import DataError, Table, load
from trellislib.data.dataset import Dataset
from trellislib.experiment import Given, KFold, LabelStratifiedGroupKFold, Split, evaluate, folds, run
from trellislib.experiment.fits import notes
from trellislib.experiment.grouped import grouped_folds


def labels(n_rows, n_labels, seed):
    return (np.random.default_rng(seed).random((n_rows, n_labels)) < 0.3).astype(int)


def data_of(Y, groups=None, **given):
    names = tuple(f"l{k}" for k in range(Y.shape[1]))
    groups = None if groups is None else pd.Series(groups, name="patient")
    X = np.arange(len(Y))[:, np.newaxis] * 1.0
    return Dataset(X, Y, ("x",), names, (("0", "1"),) * len(names), groups=groups, **given)


@settings(max_examples=30)
@given(st.integers(12, 40), st.integers(2, 5), st.integers(2, 4), st.integers(0, 99))
def test_groups_of_one_row_give_the_folds_of_rows(n_rows, n_labels, n_folds, seed):
    Y = labels(n_rows, n_labels, seed)
    expected = MultilabelStratifiedKFold(n_folds, shuffle=True, random_state=seed).split(Y, Y)
    fold = grouped_folds(Y, np.arange(n_rows), np.full(n_folds, 1 / n_folds), seed)
    for i, (_, test) in enumerate(expected):
        if len(test):  # of few rows, iterative stratification leaves folds empty
            assert np.flatnonzero(fold == i).tolist() == test.tolist()
        else:
            break
    data, alone = data_of(Y), data_of(Y, list(map(str, range(n_rows))))
    for cv in (n_folds, 0.25):
        for one, other in zip(folds(data, cv, seed), folds(alone, cv, seed), strict=True):
            assert [part.tolist() for part in one] == [part.tolist() for part in other]


def test_a_split_of_groups_of_one_row_is_that_of_rows():
    Y = labels(60, 4, 1)
    ((_, test),) = MultilabelStratifiedShuffleSplit(1, test_size=0.25, random_state=3).split(Y, Y)
    assert np.flatnonzero(grouped_folds(Y, np.arange(60), np.array([0.75, 0.25]), 3)).tolist() == test.tolist()


@settings(max_examples=40)
@given(st.integers(2, 4), st.integers(0, 999), st.booleans())
def test_no_group_is_divided_and_no_fold_is_empty(n_folds, seed, is_sparse):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 12, 80)
    groups[:n_folds] = np.arange(n_folds)
    Y = labels(80, 3, seed)
    fold = grouped_folds(sparse.csr_array(Y) if is_sparse else Y, np.unique(groups, return_inverse=True)[1],
                         np.full(n_folds, 1 / n_folds), seed)  # fmt: skip
    assert pd.Series(fold).groupby(groups).nunique().max() == 1
    assert len(np.unique(fold)) == n_folds


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_an_empty_side_gets_the_smallest_group(share):
    groups = np.repeat([0, 1, 2], [4, 3, 5])
    fold = grouped_folds(np.zeros((12, 0)), groups, np.array([share, 1 - share]), 0)
    assert [groups[fold == side].tolist() for side in (0, 1)][share > 0.5] == [1, 1, 1]
    assert all(map(len, *folds(data_of(labels(12, 2, 0), groups), share)))


def test_labels_are_spread_better_than_by_chance():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(60), rng.integers(1, 9, 60))
    Y = (rng.random((60, 5)) < 0.25).astype(int)[groups]

    def unevenness(found):
        return sum(np.abs(Y[test].mean(axis=0) - Y.mean(axis=0)).sum() for _, test in found)

    ours = unevenness(LabelStratifiedGroupKFold(5, random_state=0).split(Y, Y, groups))
    plain = [unevenness(GroupKFold(5, shuffle=True, random_state=s).split(Y, Y, groups)) for s in range(20)]
    assert ours < min(plain)


def test_data_with_groups_keep_them_together_everywhere():
    groups = np.repeat([f"p{k}" for k in range(20)], 4)
    data = data_of(labels(80, 3, 0), groups)
    for protocol in (KFold(5, repeats=2), Split(0.3)):
        for *_, train, test in protocol.divide(data, 0):
            assert not set(groups[train]) & set(groups[test])
            assert len(train) + len(test) == 80
    assert evaluate(data, {"IC": IndependentClassifiers()}, 4).folds_done()["IC"] == 4
    assert (run([data], {"IC": IndependentClassifiers()}, KFold(4)).fits["status"] == "done").all()
    assert data.digest != data_of(labels(80, 3, 0)).digest
    some = data.select(np.arange(0, 80, 3))
    assert some.groups.tolist() == groups[::3].tolist()
    with pytest.raises(ValueError, match=r"21 folds.* 20 groups \(patient\)"):
        folds(data, 21)
    with pytest.raises(ValueError, match=r"patient 'p\d+'"):
        folds(data, [(np.arange(2), np.arange(2, 80))])
    assert len(folds(data, GroupKFold(4))) == 4
    with pytest.raises(ValueError, match="single group"):
        folds(data_of(labels(9, 2, 0), ["a"] * 9), 0.5)


def test_a_published_split_says_how_many_groups_it_divides():
    data = data_of(labels(12, 2, 0), np.repeat(["a", "b", "c"], 4))
    for n_train, found in ((6, ("1 of 3 groups", "patient", "too high")), (8, ("patient", "together", "3 groups"))):
        ((*_, train, test),) = Given(n_train).divide(data, 0)
        has_line(notes(data, [(train, test)]), *found)


def test_labels_of_several_values_are_divided_by_group_too():
    data = load(b"who,x,A\n" + b"".join(b"p%d,%d,%s\n" % (i // 3, i, b"rst"[i % 3 :][:1]) for i in range(30)), ["A"],
                groups="who")  # fmt: skip
    for train, test in folds(data, 5):
        assert not set(data.groups[train]) & set(data.groups[test])


def test_partially_labelled_rows_go_with_their_group():
    rows = [f"p{i // 3},{i},{i % 2},{'' if i % 6 == 5 else i % 3 % 2}" for i in range(60)]
    data = load(("who,x,A,B\n" + "\n".join(rows) + "\n").encode(), ["A", "B"], groups="who", missing_labels="masked")
    assert data.n_incomplete == 10
    from trellislib.experiment.incomplete import to_test, to_train

    for train, test in folds(data, 4):
        X_train, _ = to_train(data, train)
        assert not set((X_train[:, 0] // 3).astype(int)) & set((to_test(data, test).X[:, 0] // 3).astype(int))


def test_scikit_learn_takes_the_splitter():
    groups, Y = np.repeat(np.arange(12), 3), labels(36, 3, 2)
    search = GridSearchCV(IndependentClassifiers(), {"decide": [None]}, cv=LabelStratifiedGroupKFold(3, random_state=0))
    assert search.fit(Y * 1.0, Y, groups=groups).n_splits_ == 3
    with pytest.raises(ValueError, match="no groups"):
        next(LabelStratifiedGroupKFold(3).split(Y, Y))
    with pytest.raises(ValueError, match="12 groups"):
        next(LabelStratifiedGroupKFold(13).split(Y, Y, groups))
    with pytest.raises(ValueError, match="patient"), pytest.warns(UserWarning, match="groups"):
        folds(data_of(Y, groups), PlainKFold(5))


def test_a_column_of_groups_is_no_feature_and_may_have_gaps():
    table = Table("visits.csv", ("who", "x", "ill"), (("ann", "bob"), None, None),
                  np.array([[0, 1, 0], [1, 2, 1], [np.nan, 3, 0], [0, 4, 1]]))  # fmt: skip
    data = table.to_dataset(["ill"], groups="who")
    assert (data.feature_names, data.groups.tolist()) == (("x",), ["ann", "bob", "(row 3)", "ann"])
    assert data.n_apart == 3
    assert any("'who'" in note and "3 groups of 1 to 2 rows" in note for note in data.notes)
    with pytest.raises(DataError, match=r"visits\.csv: 'ill' cannot be both"):
        table.to_dataset(["ill"], groups="ill")
    with pytest.raises(DataError, match=r"no column 'whom'.*nearest name is 'who'"):
        table.to_dataset(["ill"], groups="whom")
