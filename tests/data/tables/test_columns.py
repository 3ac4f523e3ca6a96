import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
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


SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 5))


@given(arrays(float, SHAPES, elements=st.sampled_from([0, 1, -2, 0.5, np.nan])))
def test_columns_of_a_wide_table_are_summed_up_as_each_by_itself(cells):
    names = tuple(f"c{j}" for j in range(cells.shape[1]))
    one_by_one = Columns("t", names, (None,) * len(names), cells)
    at_once = Columns("t", names, (None,) * len(names), cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("trellislib.data.tables.columns._WIDE", 0)
        patch.setattr("trellislib.data.tables.columns._BLOCK_CELLS", 8)
        assert at_once._of_all is not None
    for j in range(len(names)):
        assert at_once.n_missing(j) == one_by_one.n_missing(j)
        assert at_once.n_values(j) == one_by_one.n_values(j)
        assert at_once.present(j).tolist() == one_by_one.present(j).tolist()
