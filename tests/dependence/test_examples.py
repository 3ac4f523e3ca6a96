import numpy as np
import pytest
from scipy import sparse

from trellislib.data import Dataset
from trellislib.dependence import pair_examples

Y = np.array([[0, 0, 1], [1, 1, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 1]])


def dataset(Y, values=("no", "yes")):
    return Dataset(
        np.zeros((len(Y.toarray() if sparse.issparse(Y) else Y), 1)), Y, ("x",), ("a", "b", "c"), (values,) * 3
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_examples_of_both_and_of_one_only(form):
    found = pair_examples(dataset(form(Y)), 0, 1)

    assert found.index.tolist() == [1, 3, 2, 5]
    assert found.to_numpy().tolist() == [["yes", "yes", "c"], ["yes", "yes", ""], ["yes", "no", ""], ["no", "yes", "c"]]
    assert found.columns.tolist() == ["a", "b", "also"]


def test_labels_that_never_occur_have_no_examples():
    assert len(pair_examples(dataset(0 * Y), 0, 2)) == 0


def test_few_of_many_values():
    codes = np.random.default_rng(0).integers(0, 5, (200, 3))
    found = pair_examples(dataset(codes, ("p", "q", "r", "s", "t")), 2, 0, n_cells=3, per_cell=1)

    assert found[["c", "a"]].to_numpy().tolist() == [["t", "t"], ["t", "s"], ["t", "r"]]
    for row, (c, a) in found[["c", "a"]].iterrows():
        assert ("pqrst"[codes[row, 2]], "pqrst"[codes[row, 0]]) == (c, a)


def test_labels_of_one_name_are_kept_apart():
    data = Dataset(np.zeros((6, 1)), Y, ("x",), ("a", "also", "c"), (("0", "1"),) * 3)

    assert pair_examples(data, 0, 1).columns.tolist() == ["a", "also", "also"]
