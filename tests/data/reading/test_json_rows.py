"""JSON of every layout that people have, and the lists in it."""

import json

import numpy as np
import pandas as pd
import pytest
from sentences import Containing

from trellislib.data import load, read_table
from trellislib.data.dataset import DataError
from trellislib.data.reading import json_rows
from trellislib.data.reading.json_rows import read_json

RECORDS = [
    {"id": 3, "x": 0.5, "tags": ["it's wet", "sea, sky"], "place": {"lat": 1.5, "name": "Föhn"}},
    {"id": 1, "x": None, "tags": [], "place": {"lat": 2, "name": "bay"}},
    {"id": 7, "x": 2, "tags": ["wind"], "place": {"lat": 3, "name": "bay"}},
]
LINES = "\n".join(map(json.dumps, RECORDS)) + "\n\n"
FRAME = pd.DataFrame(RECORDS)
LAYOUTS = {
    "records": json.dumps(RECORDS, indent=1),
    "lines": LINES,
    "in an object": json.dumps({"version": 1, "items": RECORDS}),
    "columns": json.dumps({name: [record[name] for record in RECORDS] for name in RECORDS[0]}),
    "pandas": FRAME.to_json(),
    "split": FRAME.to_json(orient="split"),
}


@pytest.mark.parametrize("name", ["sky.json", "sky.jsonl", "sky"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout, name):
    source = LAYOUTS[layout].encode()
    if layout not in ("records", "lines", "in an object"):  # whose cells are no records
        source = json.dumps(json.loads(source.replace(b'"place"', b'"_"'))).encode()
        with pytest.raises(DataError, match=r"column '_' holds a dict in row 1"):
            read_table(source, name)
        return
    data = load_named(source, name)
    assert data.label_names == ("it's wet", "sea, sky", "wind")
    assert data.Y.tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert data.feature_names == ("id", "x", "place.lat", "place.name")
    np.testing.assert_array_equal(data.X[:, 1:], [[0.5, 1.5, 0], [np.nan, 2, 1], [2, 3, 1]])


def load_named(content, name):
    table = read_table(content, name)
    return table.split(*table.proposal().split).to_dataset()


@pytest.mark.parametrize("layout", ["columns", "pandas", "split"])
def test_layouts_by_column(layout):
    flat = FRAME.drop(columns="place")
    layouts = {
        "columns": json.dumps(flat.to_dict("list")),
        "pandas": flat.to_json(),
        "split": flat.to_json(orient="split"),
    }
    content = layouts[layout].replace("NaN", "null").encode()
    data = load(content)
    assert data.Y.tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    np.testing.assert_array_equal(data.X, [[3, 0.5], [1, np.nan], [7, 2]])


def test_lists_kept_as_texts_are_the_same_lists():
    frame = FRAME.drop(columns="place")
    as_json = frame.assign(tags=[json.dumps(tags) for tags in frame["tags"]])
    for table in (frame, as_json):  # the former as Python writes a list
        data = load(table.to_csv(index=False).encode())
        assert data.label_names == ("it's wet", "sea, sky", "wind")
        assert data.Y.tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert load(b'x,tags\n1,"[""F\\u00f6hn""]"\n2,"[\'F\\xf6hn\', \'b\']"\n').label_names == ("Föhn", "b")


def test_lists_of_measurements_are_no_labels():
    for vectors in ([[0.5, 1], [1, 2]], [[1, 2, 3], [4, 5, 6]]):
        assert (
            read_json(json.dumps([{"x": i, "v": v} for i, v in enumerate(vectors)]).encode()).proposal().split is None
        )
    listed = [{"x": i, "v": v} for i, v in enumerate([[1, 2], [3], [1]])]
    assert load(json.dumps(listed).encode()).label_names == ("1", "2", "3")


def test_how_it_was_read():
    for layout, said in (("records", "a record for each row"), ("lines", "each line"), ("in an object", "'items'")):
        assert Containing("JSON", said, "3 rows of 5 columns") in read_table(LAYOUTS[layout].encode()).provenance


def test_what_a_record_does_not_name_is_missing():
    table = read_json(b'[{"x": 1, "on": true}, {"y": 9007199254740993}, {"x": 2, "on": false}]')
    assert table.columns == ("x", "on", "y")
    assert table.categories == (None, ("False", "True"), ("9007199254740993",))
    np.testing.assert_array_equal(table.cells, [[1, 1, np.nan], [np.nan, np.nan, 0], [2, 0, np.nan]])


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b'[{"x": 1}, {"x": }]', r"line 1: .*no JSON \(Expecting value\)"),
        (b'{"x": 1}\n{"x": 2}\n{"x" 3}\n', r"line 3: .*no JSON"),
        (b"[1, 2, 3]", r"no table; expected a list of records"),
        (b"[]", r"no table"),
        (b"[{}]", r"no cell"),
        (b'{"x": [1, 2], "y": [1]}', r"'y' has 1 cell, but 'x' has 2"),
        (b'[{"x": Infinity}]', r"infinite number"),
        (b"[" * 100_000, r"too deep"),
        (b'[{"x": ' + b"9" * 5000 + b"}]", r"number that cannot be read"),
        (b'[{"x": {"y": {"z": 1}}}]', r"column 'x.y' holds a dict in row 1"),
    ],
)
def test_what_is_no_table(content, cause):
    with pytest.raises(DataError, match=rf"^sky.json: .*{cause}.*\.$"):
        read_json(content, "sky.json")


def test_records_that_name_other_columns_each_are_refused_before_they_take_memory():
    with pytest.raises(DataError, match=r"3,000 cells of 9,000,000.*sparse ARFF"):
        read_json(json.dumps([{f"c{i}": 1} for i in range(3000)]).encode())


def test_too_large(monkeypatch):
    monkeypatch.setattr(json_rows, "MAX_JSON", 10)
    with pytest.raises(DataError, match="larger than"):
        read_json(LINES.encode())
