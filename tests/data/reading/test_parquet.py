import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.reading.frames import frame_table
from trellislib.data.reading.parquet import read_parquet
from trellislib.running.memory import limited_memory


def written(table):
    file = io.BytesIO()
    pq.write_table(pa.table(table), file)
    return file.getvalue()


GOOD = written(
    {
        "x": [1.5, None],
        "n": pa.array([1, None], pa.int8()),
        "b": [True, False],
        "hue": ["red", "blue"],
        "kind": pa.array(["k", "l"]).dictionary_encode(),
        "on": pa.array([0, 1], pa.timestamp("s")),
    }
)


def test_columns_of_every_type():
    table = read_parquet(GOOD, "sky.parquet")
    assert table.columns == ("x", "n", "b", "hue", "kind", "on")
    assert table.categories[:5] == (None, None, ("False", "True"), ("blue", "red"), ("k", "l"))
    np.testing.assert_array_equal(table.cells, [[1.5, 1, 1, 1, 0, 0], [np.nan, np.nan, 0, 0, 1, 1]])
    assert table.unusable == {"on": "dates"}
    alike(table.provenance, ("Read as Parquet: 2 rows of 6 columns.",))


def test_a_frame_is_read_back():
    frame = pd.DataFrame({"x": [0.5, 0.1], "hue": ["red", "blue"], "sunny": [True, False]})
    file = io.BytesIO()
    frame.to_parquet(file)
    ours, table = frame_table(frame), read_parquet(file)
    assert (table.columns, table.categories) == (ours.columns, ours.categories)
    np.testing.assert_array_equal(table.cells, ours.cells)


def test_lists_of_texts_are_labels_that_can_be_split():
    table = read_parquet(written({"x": [1.0, 2.0, 3.0], "tags": [["sea", "sky"], [], ["sky"]]}), "sky.parquet")
    assert table.categories[1] == ('["sea", "sky"]', '["sky"]')
    has_line(table.notes, "Column 'tags' holds lists", "as texts", "sky")
    data = table.split("tags").to_dataset()
    assert (data.label_names, data.Y.tolist()) == (("sea", "sky"), [[1, 1], [0, 0], [0, 1]])


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        ([{"a": 1}], "struct<a: int64>"),
        ([b"ab"], "binary"),
        ([[[1]]], "list<element: list<element: int64>>"),
        ([[{"a": 1}]], "list<element: struct<a: int64>>"),
    ],
)
def test_nested_columns_are_refused_by_name(column, sentence):
    with pytest.raises(DataError) as caught:
        read_parquet(written({"x": [1.0], "y": column}), "sky.parquet")
    expected = f"sky.parquet: column 'y' holds {sentence}, neither numbers nor texts; leave it out of the file."
    assert str(caught.value) == expected


def test_no_rows():
    with pytest.raises(DataError, match=r"sky.parquet: there are no rows"):
        read_parquet(written({"x": pa.array([], pa.float64())}), "sky.parquet")


def test_what_is_too_large_is_refused_before_it_is_read(monkeypatch):
    content = written({"x": np.zeros(10**6, dtype=np.int8)})
    assert len(content) < 10**5
    monkeypatch.setattr(pq.ParquetFile, "read", None)
    with (
        limited_memory(0.01),
        pytest.raises(DataError, match=r"sky.parquet: reading .*need .* 1,000,000 rows .*1"),
    ):
        read_parquet(content, "sky.parquet")


@settings(max_examples=30)
@given(st.data())
def test_damaged_files_are_refused_in_one_sentence(data):
    content = bytearray(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
    content = content[: data.draw(st.integers(4, len(content)))]
    sentence = ""
    try:
        read_parquet(bytes(content), "sky.parquet")
    except DataError as error:
        sentence = str(error)
    assert not sentence or (sentence.startswith("sky.parquet: ") and "\n" not in sentence)


def test_texts_that_are_no_utf_8_are_refused():
    file = io.BytesIO()
    pd.DataFrame({"x": ["caff", "thee"], "a": [0, 1]}).to_parquet(file, compression=None, use_dictionary=False)
    content = file.getvalue()
    assert content.count(b"caff") >= 1
    with pytest.raises(DataError, match=r"t\.parquet: the Parquet file is damaged .*UTF8"):
        read_parquet(content.replace(b"caff", b"caf\xe9"), "t.parquet")
