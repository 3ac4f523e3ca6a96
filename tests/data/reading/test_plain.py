"""Plain numbers are read by pandas' parser, with the result of the careful reader."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.data import DataError, read_csv
from trellislib.data.reading import delimited, plain
from trellislib.data.reading.source import Source

PLAIN = st.one_of(
    st.integers(-20, 20).map(str),
    st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15).map(repr),
    st.sampled_from(["", "0", "-0", "+1", ".5", "5.", "1e3", "1E-3", "0.10"]),
)
ODD = ["007", "-01", "00", "-", "e", "1e", "1e400", "12345678901234567890", "1.234,5", "NA", "?", " 1", "1_0", "1-2"]
ODD += ["--1", "é", '"1"', "1 %"]


def tables(cells):
    rows = {n: st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=6) for n in range(1, 5)}
    return st.integers(1, 4).flatmap(rows.__getitem__)


def outcome(content):
    try:
        table = read_csv(content)
    except DataError as error:
        return str(error)
    cells = table.cells.tobytes() if isinstance(table.cells, np.ndarray) else table.cells
    return table.columns, table.categories, cells, table.provenance, table.notes, table.unusable


@given(
    st.one_of(tables(PLAIN), tables(st.one_of(PLAIN, st.sampled_from(ODD)))),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.sampled_from([7, 2**20]),
)
def test_the_result_is_that_of_the_careful_reader(rows, end, is_ended, size):
    header = [f"column {j}" for j in range(len(rows[0]))]
    content = (end.join(",".join(row) for row in [header, *rows]) + end * is_ended).encode()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plain, "_BLOCK", size)
        found = outcome(content)
        patched.setattr(delimited, "plain_blocks", lambda *_: [])
        assert outcome(content) == found


@pytest.mark.parametrize(
    "content",
    [b"1,2\n3\n", b"1,2\n3,4,5\n6\n", b"1\n\n2\n", b"01,1\n", b"1,x\n", b"1,1e999\n", b"9007199254740993,1\n"],
)
def test_what_is_not_plain_is_left_to_the_careful_reader(content):
    n_columns = content.split(b"\n")[0].count(b",") + 1
    assert plain.plain_blocks(Source(content), 0, n_columns) == []


def test_plain_numbers_are_exact(monkeypatch):
    values = np.random.default_rng(0).normal(size=(500, 3)) * 10.0 ** np.arange(-200, 100, 100)
    content = "a,b,c\n" + "\n".join(",".join(map(repr, row)) for row in values.tolist())
    monkeypatch.setattr(delimited, "read_cells", None)  # the careful reader is not asked

    assert (read_csv(content.encode()).cells == values).all()


TEXTS = st.sampled_from(
    ["red", "blue", "Zürich", "2020-01-31", "a b", "7", "07", "1.0", "NA", "", "-", "yes", " no", "x"]
)


@given(
    st.integers(1, 3).flatmap(
        lambda n: st.lists(st.tuples(TEXTS, *[PLAIN] * n, TEXTS), min_size=1, max_size=8).map(lambda rows: rows * 20)
    ),
    st.sampled_from([40, 2**20]),
    st.sampled_from(["1", "é", "1.0", "nan", '"1"']),
    st.integers(0, 159),
)
def test_texts_among_plain_numbers_are_read_as_the_careful_reader_does(rows, size, odd, place):
    rows = [list(row) for row in rows]
    rows[place % len(rows)][1] = odd  # in a column of numbers, perhaps below those that are looked at
    header = [f"column {j}" for j in range(len(rows[0]))]
    rows += [header] * (place % 7 == 0)
    content = "\n".join(",".join(row) for row in [header, *rows]).encode()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plain, "_BLOCK", size)
        found = outcome(content)
        patched.setattr(delimited, "plain_blocks", lambda *_: [])
        assert outcome(content) == found


def test_a_header_of_numbers_that_stands_again_is_skipped():
    rows = "".join(f"sea,{i}\n" for i in range(80))
    assert read_csv(f"place,2020\n{rows}place,2020\n".encode()).cells.shape == (80, 2)


def test_texts_do_not_send_numbers_to_the_careful_reader():
    content = "place,x,day\n" + "".join(f"Zürich,{i}.5,2020-10-{i % 20 + 10}\n" for i in range(200))
    seen = {"Zürich": 0.0}, {f"2020-10-{i + 10}": float(i) for i in range(20)}
    blocks = plain.plain_blocks(Source(content.encode()), 1, 3, dict(zip((0, 2), seen, strict=True)))
    assert np.concatenate(blocks)[:3].tolist() == [[0, 0.5, 0], [0, 1.5, 1], [0, 2.5, 2]]
    assert plain.plain_blocks(Source(content.replace("7.5", "é").encode()), 1, 3, {0: seen[0], 2: seen[1]}) == []


def test_a_row_that_is_longer_than_the_header_is_no_reason_to_look_beyond_it():
    with pytest.raises(DataError, match="line 3"):
        read_csv(b"x,y\n1,2\n1,2,red\n1,2\n")
