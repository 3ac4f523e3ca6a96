"""Label columns that are paths, with those above them; and lists together with label columns."""

import numpy as np
import pytest
from scipy import sparse
from sentences import Containing, has_line

from trellislib.data import DataError, load, read_table
from trellislib.data.tables.hierarchy import with_ancestor_columns
from trellislib.data.tables.schema import Schema
from trellislib.data.tables.table import Table

CSV = b"x,a/b/c,a/d,e,a\n1.5,1,0,0,0\n2.5,0,0,1,0\n0.5,0,,0,0\n0.1,0,1,1,1\n0.7,0,0,0,1\n"
LABELS = ["a/b/c", "a/d", "e", "a"]


def test_as_written_or_with_ancestors():
    written = load(CSV, LABELS)
    has_line(written.notes, "a/b/c", "as written", "ancestors=True")
    data = load(CSV, LABELS, ancestors=True, missing_labels="masked")
    assert data.label_names == ("a/b/c", "a/d", "e", "a", "a/b")
    assert data.Y.tolist() == [[1, 0, 0, 1, 1], [0, 0, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 1, 0]]
    assert data.incomplete.known.tolist() == [[True, False, True, False, True]]  # a/d may make a relevant
    has_line(data.notes, "above others were added", "1 label")
    has_line(data.notes, "1 cell of labels above others became 1")
    assert Containing("as written") not in data.notes


def test_sparse_tables_and_words():
    cells = sparse.csr_array([[5.0, 1, 0], [6, 0, 0]])
    table = Table("t.arff", ("x", "a/b", "a/c"), (None, ("no", "yes"), None), cells)
    found = with_ancestor_columns(table, ["a/b", "a/c"])
    assert found.is_sparse
    assert found.cells.toarray().tolist() == [[5, 1, 0, 1], [6, 0, 0, 0]]
    assert found.to_dataset().label_values == (("no", "yes"), ("0", "1"), ("0", "1"))


def test_what_is_no_hierarchy():
    table = read_table(b"x,a/b,a,p\n1.5,1,0,2\n2.5,0,0,1\n", "t.csv")
    assert table.with_ancestors(["p"]).labels == ("p",)
    with pytest.raises(DataError, match="column 'a' stands above labels but is none"):
        table.with_ancestors(["a/b"])
    grey = read_table(b"x,a/b\n1.5,grey\n2.5,blue\n", "t.csv")
    with pytest.raises(DataError, match="'a/b' is a path, but its values"):
        grey.with_ancestors(["a/b"])


def test_new_rows_need_no_ancestors():
    schema = load(CSV.replace(b",a\n", b",q\n"), ["a/b/c", "a/d", "e"], ancestors=True).schema
    found = schema.labels(read_table(b"x,q,a/b/c,a/d,e\n1.5,0,0,1,0\n", "new.csv"))
    assert schema.label_names == ("a/b/c", "a/d", "e", "a", "a/b")
    assert found.Y.tolist() == [[0, 1, 0, 1, 0]]
    has_line(found.notes, "new.csv", "above others")


LISTS = b"x,tags,urgent\n1.5,sea|sky,1\n2.5,sky,0\n0.5,,1\n"


@pytest.mark.parametrize("labels", [["tags", "urgent"], ["urgent", "tags"]])
def test_lists_and_a_label_column(labels):
    data = load(LISTS, labels, split=("tags", "|"))
    names = [name for label in labels for name in (("sea", "sky") if label == "tags" else ("urgent",))]
    assert data.label_names == tuple(names)
    assert data.feature_names == ("x",)
    by_name = dict(zip(names, data.Y.T.tolist(), strict=True))
    assert by_name == {"sea": [1, 0, 0], "sky": [1, 1, 0], "urgent": [1, 0, 1]}

    schema = Schema.from_json(data.schema.as_json())
    found = schema.labels(read_table(b"x,tags,urgent\n1.5,sea,\n2.5,,1\n0.1,,0\n", "new.csv"))
    codes = found.Y.toarray() if sparse.issparse(found.Y) else np.asarray(found.Y)
    assert dict(zip(names, codes.T.tolist(), strict=True)) == {"sea": [1, 0, 0], "sky": [0, 0, 0], "urgent": [0, 1, 0]}
    assert found.known[:, names.index("urgent")].tolist() == [False, True, True]
    assert found.known.sum() == 8
    assert schema.labels(read_table(b"x,tags\n1.5,sea\n", "new.csv")) is None  # it lacks a label


def test_lists_alone_are_as_before():
    data = load(LISTS, split=("tags", "|"))
    assert (data.label_names, data.schema.label_columns) == (("sea", "sky"), ())
    assert load(LISTS, ["sky", "urgent"], split=("tags", "|")).label_names == ("sky", "urgent")
