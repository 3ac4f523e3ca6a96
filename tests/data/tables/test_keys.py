"""Features and labels in two files, matched by a column that names the instances."""

import pytest
from sentences import Containing

from trellislib.data import load
from trellislib.data.dataset import DataError
from trellislib.data.reading.source import Source

X = "id,x\na,5\nb,6\nc,7\nd,8\n"
Y = "id,sea,sky\nc,1,0\na,0,1\ne,1,1\nd,1,1\n"


def loaded(x, y, **how):
    return load([Source(x.encode(), "sky-X.csv"), Source(y.encode(), "sky-Y.csv")], **how)


def test_another_order_and_other_rows():
    data = loaded(X, Y)
    assert data.X[:, data.feature_names.index("x")].tolist() == [5, 7, 8]
    assert data.Y.tolist() == [[0, 1], [1, 0], [1, 1]]
    assert Containing("matched by", "'id'") in data.provenance
    assert Containing("1 row of sky-X.csv", "no partner", "'b'") in data.notes
    assert Containing("1 row of sky-Y.csv", "no partner", "'e'") in data.notes


def test_labels_in_a_line_each():
    data = loaded(X, "id,label\na,sky\nc,sea\nc,sky\nd,sea\nb,sand\nb,sky\n")
    assert data.label_names == ("sand", "sea", "sky")
    assert data.Y.tolist() == [[0, 0, 1], [1, 0, 1], [0, 1, 1], [0, 1, 0]]


def test_labels_in_a_list():
    data = loaded(X, "id,tags\nd,sea|sky\nc,sky|sand\nb,sea\na,sea|sand\n")
    assert data.Y.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 1, 1]]


@pytest.mark.parametrize("y", ["id,sea\nw,1\nx,0\ny,1\nz,1\nq,1\n", "id,sea\na,1\na,0\nb,1\n", "sea,sky\n1,0\n0,1\n"])
def test_without_a_key_that_fits_the_rows_must_be_the_same(y):
    with pytest.raises(DataError, match=r"sky-Y.csv: it has . rows of labels, but sky-X.csv has 4 rows"):
        loaded(X, y)
