import gzip
import io
import pickle
import struct
import zipfile
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sentences import alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.reading.npz import read_npz, starts_as_npz
from trellislib.data.tables.table import Table

X = np.array([[0.5, 1, 7], [0.1, 2, 8], [0.7, 3, 9], [0.2, 4, 6]])
Y = np.array([[1, 0], [0, 0], [1, 1], [0, 1]])


def saved(save, *arrays, **named):
    file = io.BytesIO()
    save(file, *arrays, **named)
    return file.getvalue()


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize(
    "labels", [Y, Y.T, Y * 2 - 1, Y.astype(bool), Y.astype("u1"), Y.astype(">f4"), np.asfortranarray(Y)]
)
def test_features_and_labels(save, labels):
    table = read_npz(saved(save, X=X.astype("f4"), Y=labels, label_names=np.array(["a", "b"])), "toy.npz")
    data = table.to_dataset()
    np.testing.assert_allclose(data.X, X)
    assert data.Y.tolist() == Y.tolist()
    assert data.label_names == ("a", "b")
    has_line(table.provenance[0], "An NPZ file", "X (4 x 3)", "Y")


def test_codes_of_one_label():
    data = read_npz(saved(np.savez, x=X, y=np.array([2, 0, 1, 2], dtype="i1"))).to_dataset()
    assert data.label_values == (("0", "1", "2"),)


def test_bytes_are_texts():
    table = read_npz(
        saved(np.savez, X=X, y=np.array([b"wet", b"dry", b"wet", b"\xff"]), feature_names=np.array([b"a", b"b", b"c"]))
    )
    assert table.columns == ("a", "b", "c", "label")
    assert set(table.to_dataset().label_values[0]) == {"wet", "dry", "\ufffd"}


def test_train_and_test():
    table = read_npz(saved(np.savez, X_train=X[:3], Y_train=Y[:3], X_test=X[3:], Y_test=Y[3:]))
    assert table.n_train == 3
    np.testing.assert_array_equal(table.cells, np.hstack([X, Y]))


def test_a_single_matrix():
    for content in (saved(np.save, X), saved(np.savez, X), saved(np.save, np.asfortranarray(X))):
        table = read_npz(content)
        assert table.labels is None
        np.testing.assert_array_equal(table.cells, X)


@pytest.mark.parametrize(
    "form", [sparse.csr_array, sparse.csc_array, sparse.coo_array, sparse.csr_matrix, sparse.coo_matrix]
)
@pytest.mark.parametrize("compressed", [False, True])
def test_a_sparse_matrix(form, compressed):
    table = read_npz(saved(sparse.save_npz, form(np.eye(4, 3)), compressed=compressed))
    assert table.cells.toarray().tolist() == np.eye(4, 3).tolist()
    assert table.labels is None
    alike(table.provenance, ("A sparse matrix in an NPZ file with matrix (4 x 3).",))


def test_packed_over():
    content = gzip.compress(saved(np.savez, X=X, Y=Y))
    table = read_npz(content)
    has_line(table.provenance[0], "An NPZ file", "unpacked", "gzip")
    assert starts_as_npz(content)


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was loaded",))


def test_pickles_are_never_loaded():
    objects = np.array([Bomb(), Bomb()], dtype=object)
    with pytest.raises(DataError, match=r"^toy.npz: 'X' .*pickle, .*never loaded"):
        read_npz(saved(np.savez, X=objects, Y=Y), "toy.npz")
    with pytest.raises(DataError, match=r"pickle, .*never loaded"):
        read_npz(saved(np.save, objects))
    table = read_npz(saved(np.savez, X=X, Y=Y, classes=objects))
    assert table.notes == ("Not used: 'classes'.",)
    with pytest.raises(DataError):
        read_npz(pickle.dumps({"X": Bomb()}))


def with_header(header, data=b"", version=(1, 0)):
    header = header.encode() if isinstance(header, str) else header
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H" if version == (1, 0) else "<I", len(header)) + header + data


def shaped(shape, descr="'<f8'"):
    return f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}"


@pytest.mark.parametrize(
    "content",
    [
        with_header(shaped("(1000000000, 1000000000)"), bytes(64)),
        with_header(shaped("(-1, 3)"), bytes(64)),
        with_header(shaped("(3, 3)"), bytes(64)),
        with_header(shaped("(2, 2)", "'|V8'"), bytes(64)),
        with_header(shaped("(2, 2)", "'<M8[s]'"), bytes(64)),
        with_header(shaped("(2,)", "[('x', '<f8')]"), bytes(64)),
        with_header(shaped("(2, 2)", "'nonsense'"), bytes(64)),
        with_header("(" * 5000, bytes(64)),
        with_header("{" * 300, bytes(64), (2, 0)),
        with_header("'''", bytes(64)),
        with_header("1 + 'a", bytes(64)),
        with_header(shaped("(2, 2)"), bytes(32), (3, 0)),
        with_header(shaped("(2, 2)"), bytes(32), (9, 0)),
        b"\x93NUMPY",
        b"\x93NUMPY\x01\x00\xff\xff{}",
    ],
)
def test_headers_that_lie_are_refused(content):
    with pytest.raises(DataError):
        read_npz(content)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("X.npy", content)
    with pytest.raises(DataError):
        read_npz(file.getvalue())


def test_a_header_of_python_2_is_read():
    table = read_npz(with_header(shaped("(2L, 1L)"), np.array([0.5, 2]).tobytes()))
    assert table.cells.tolist() == [[0.5], [2]]


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_a_sparse_matrix_whose_parts_lie_is_refused(kind):
    indptr = [0, 2, 2, 2, 2]
    parts = {"data": [1.0, 2.0], "indices": [0, 9], "indptr": indptr, "row": [0, 0], "col": [0, 9]}
    with pytest.raises(DataError, match="damaged"):
        read_npz(saved(np.savez, format=np.array(kind), shape=[4, 4], **parts))


@pytest.mark.parametrize("kind", ["csr", "csc"])
@pytest.mark.parametrize("indptr", [[0, 2, 83886083, 0], [0, -1, 0, 0], [0, 1, 0, 1]])
def test_a_sparse_matrix_whose_rows_end_before_they_start_is_refused(kind, indptr):
    parts = {"data": [1.0] * indptr[-1], "indices": [0] * indptr[-1], "indptr": np.array(indptr, dtype=np.int32)}
    with pytest.raises(DataError, match="damaged"):
        read_npz(saved(np.savez, format=np.array(kind), shape=[3, 3], **parts))


def test_a_sparse_matrix_of_absurd_shape_is_refused():
    parts = {"data": [1.0], "row": [0], "col": [0]}
    with pytest.raises(DataError, match=r"1,000,000,000,000"):
        read_npz(saved(np.savez, format=np.array("coo"), shape=[10**12, 4], **parts))


@pytest.mark.parametrize("form", [sparse.bsr_array, sparse.dia_array])
def test_other_sparse_forms_are_refused_by_name(form):
    with pytest.raises(DataError, match=r"save .*csr, csc .*coo"):
        read_npz(saved(sparse.save_npz, form(np.eye(4))))


def test_starts_as_npz():
    assert starts_as_npz(saved(np.save, X))
    assert starts_as_npz(saved(np.savez, X=X, Y=Y))
    other = io.BytesIO()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("x.csv", "a\n1\n")
        archive.writestr("y.csv", "a\n1\n")
    assert not starts_as_npz(other.getvalue())
    assert not starts_as_npz(b"x,y\n1,0\n")
    with pytest.raises(DataError, match=r"^toy.npz: .*no NPZ .*NPY file\.$"):
        read_npz(b"x,y\n1,0\n", "toy.npz")


CONTENTS = [
    saved(np.savez, X=X, Y=Y),
    saved(np.save, X),
    saved(sparse.save_npz, sparse.csr_array(Y), compressed=False),
    saved(sparse.save_npz, sparse.coo_array(Y), compressed=False),
]


@settings(max_examples=50)
@given(st.sampled_from(CONTENTS), st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=4))
def test_damaged_bytes_give_a_table_or_one_sentence(content, changes):
    damaged = bytearray(content)
    for place, byte in changes:
        damaged[place % len(damaged)] = byte
    with suppress(DataError):
        assert isinstance(read_npz(bytes(damaged)), Table)


@pytest.mark.parametrize("code", [0xFFFFFFFF, 0x110000, 0xD800])
def test_texts_that_hold_no_characters_are_refused(code):
    content = saved(np.save, np.array(["a"]))[:-4] + struct.pack("<I", code)
    with pytest.raises(DataError, match="damaged or cut short"):
        read_npz(content)
