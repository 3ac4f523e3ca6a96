import numpy as np
import pytest
from scipy import sparse

from trellislib.data import Dataset, other_labels, pair_examples

Y = np.array([[0, 0, 1], [1, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]])


def dataset(Y, values=("no", "yes")):
    return Dataset(
        np.zeros((len(Y.toarray() if sparse.issparse(Y) else Y), 1)), Y, ("x",), ("a", "b", "c"), (values,) * 3
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_examples_of_both_and_of_one_only(form):
    found = pair_examples(dataset(form(Y)), 0, 1)

    assert found.index.tolist() == [1, 3, 2, 5]
    assert found.to_numpy().tolist() == [
        ["yes", "yes", "c"],
        ["yes", "yes", "(no other)"],
        ["yes", "no", "(no other)"],
        ["no", "yes", "c"],
    ]
    assert found.columns.tolist() == ["a", "b", "also"]


def test_labels_that_never_occur_have_no_examples():
    assert len(pair_examples(dataset(0 * Y), 0, 2)) == 0


def test_few_of_many_values():
    codes = np.random.default_rng(0).integers(0, 5, (200, 3))
    found = pair_examples(dataset(codes, ("p", "q", "r", "s", "t")), 2, 0, n_cells=3, per_cell=1)

    assert found[["c", "a"]].to_numpy().tolist() == [["t", "t"], ["t", "s"], ["t", "r"]]
    for row, (c, a) in found[["c", "a"]].iterrows():
        assert ("pqrst"[codes[row, 2]], "pqrst"[codes[row, 0]]) == (c, a)


def test_labels_of_one_name_stay_separate():
    data = Dataset(np.zeros((6, 1)), Y, ("x",), ("a", "also", "c"), (("0", "1"),) * 3)

    assert pair_examples(data, 0, 1).columns.tolist() == ["a", "also", "also"]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_values_are_named_where_there_are_more_than_two(form):
    data = dataset(form(np.array([[1, 2, 1], [2, 0, 0], [0, 1, 0]])), ("low", "mid", "high"))

    assert other_labels(data, np.array([2, 0])) == ["b = mid", "a = mid, b = high, c = mid"]
    assert other_labels(data, np.arange(3), [0, 2]) == ["b = high", "(no other)", "b = mid"]
    assert pair_examples(data, 0, 2)["also"].tolist() == ["b = high", "(no other)"][::-1]


@pytest.mark.parametrize("pair", [(-1, 0), (0, 3), (5, 7)])
def test_no_label_no_examples(pair):
    with pytest.raises(ValueError, match=r"got .*label (-1|3|5), .*expected .*0 .*2"):
        pair_examples(dataset(Y), *pair)
