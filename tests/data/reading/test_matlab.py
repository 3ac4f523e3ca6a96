import gzip
import io

import numpy as np
import pytest
import scipy.io
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.reading.matlab import read_mat, starts_as_mat

X = np.array([[0.5, 1, 7], [0.1, 2, 8], [0.7, 3, 9], [0.2, 4, 6], [0.3, 5, 5]])
Y = np.array([[1, 0], [0, 0], [1, 1], [0, 1], [0, 0]])


def saved(content, **options):
    file = io.BytesIO()
    scipy.io.savemat(file, content, **options)
    return file.getvalue()


@pytest.mark.parametrize("options", [{}, {"do_compression": True}, {"format": "4"}])
@pytest.mark.parametrize("labels", [Y * 1.0, Y.T * 2.0 - 1, sparse.csc_array(Y * 1.0), sparse.csc_array(Y.T * 1.0)])
def test_either_way_round_in_every_version(options, labels):
    data = read_mat(saved({"data": X, "target": labels}, **options), "toy.mat").to_dataset()
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.Y, Y)
    assert data.name == "toy"


def test_files_of_ml_knn():
    target = (Y.T * 2 - 1).astype("i1")
    content = {"train_data": X[:3], "train_target": target[:, :3], "test_data": X[3:], "test_target": target[:, 3:]}
    table = read_mat(saved(content))
    assert table.n_train == 3
    data = table.to_dataset()
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.Y, Y)
    assert data.label_values == (("-1", "1"), ("-1", "1"))


def test_names_in_cells_and_fields_of_a_struct():
    names = np.array(["Owl", "Wren"], dtype=object)
    table = read_mat(saved({"birds": {"X": sparse.csc_array(X), "Y": Y, "label_names": names}}))
    assert table.labels == ("Owl", "Wren")
    assert sparse.issparse(table.cells)


def test_a_struct_to_train_on_and_one_to_test_on():
    content = {"train": {"X": X[:3], "Y": Y[:3]}, "test": {"X": X[3:], "Y": Y[3:]}}
    table = read_mat(saved(content))
    assert table.n_train == 3
    np.testing.assert_array_equal(table.cells, np.hstack([X, Y]))


def test_one_matrix_and_a_packed_file():
    content = gzip.compress(saved({"a": X}))
    table = read_mat(content)
    assert table.labels is None
    assert table.provenance == ("A MATLAB file, unpacked from gzip with a (5 x 3).",)
    assert starts_as_mat(content)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"a": X, "b": Y}, "expected features named X and labels named Y, but the file holds 'a' and 'b'"),
        ({"data": X, "target": Y[:4]}, "the shapes do not fit together ('data' 5 x 3, 'target' 4 x 2)"),
        ({"data": X * 1j, "target": Y}, "'data' is a matrix of complex numbers"),
        ({"data": np.zeros((2, 2, 2)), "target": Y}, "'data' has 3 dimensions"),
    ],
)
def test_refusals(content, said):
    with pytest.raises(DataError) as error:
        read_mat(saved(content), "toy.mat")
    assert str(error.value).startswith(f"toy.mat: {said}")
