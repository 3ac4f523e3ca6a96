import pytest

from trellislib.data.dataset import DataError
from trellislib.data.reading.proportion import MAX_COLUMNS, check_columns, check_memory, check_shape
from trellislib.data.reading.source import Source
from trellislib.running.memory import limited_memory

SOURCE = Source(b"", "toy.txt")


def test_columns_up_to_the_limit_pass():
    with limited_memory(64):
        check_columns(SOURCE, MAX_COLUMNS)
        with pytest.raises(DataError, match=r"^toy.txt: line 7: 4,000,001 columns .*many: .*most 4,000,000"):
            check_columns(SOURCE, MAX_COLUMNS + 1, 7)


def test_names_that_memory_has_no_room_for_are_refused():
    with limited_memory(0.1), pytest.raises(DataError, match=r"names .*1,000,000 columns.*budget"):
        check_columns(SOURCE, 1_000_000)


def test_memory_is_refused_in_one_sentence():
    with limited_memory(1):
        check_memory(SOURCE, 2**30, "the cells")
        with pytest.raises(DataError, match=r"^toy.txt: reading .*need .*2 GiB .*cells, .*GiB\)\.$"):
            check_memory(SOURCE, 2**31, "the cells")


@pytest.mark.parametrize("shape", [(100_000, 100_000), (1, 1), (0, 0)])
def test_small_shapes_pass_with_no_cells_at_all(shape):
    check_shape(SOURCE, shape, 0)


@pytest.mark.parametrize(("shape", "what"), [((2_000_001, 3), "rows"), ((3, 2_000_001), "columns")])
def test_shapes_are_held_against_the_cells(shape, what):
    check_shape(SOURCE, shape, 2_001)
    with pytest.raises(DataError, match=rf"2,000,001 {what} .*2,000 cells, .*cannot .*meant"):
        check_shape(SOURCE, shape, 2_000)
