import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from trellislib.data.tables.columns import Columns, unique_names


@given(st.lists(st.sampled_from(["a", "b", "a (2)", "a (3)", "c"]), max_size=9))
def test_unique_names_are_unique(names):
    unique, notes = unique_names(names)
    assert len(set(unique)) == len(names)
    assert all(new.startswith(old) for new, old in zip(unique, names, strict=True))
    assert bool(notes) == (len(set(names)) < len(names))


CELLS = np.array([[0, 1, 0.5], [2, np.nan, 0], [0, 0, 0]])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_what_a_column_holds(form):
    toy = Columns("toy", ("a", "b", "c"), (None, None, None), form(CELLS), unusable={"c": "dates"})
    assert toy.is_sparse == (form is sparse.csr_array)
    assert [toy.present(j).tolist() for j in range(3)] == [[0, 2], [0, 1], [0, 0.5]]
    assert [toy.n_missing(j) for j in range(3)] == [0, 1, 0]
    assert [toy.n_values(j) for j in range(3)] == [2, 2, np.inf]
    np.testing.assert_array_equal(np.column_stack([toy.column(j) for j in range(3)]), CELLS)
