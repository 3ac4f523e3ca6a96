import gzip
import io
import struct
import warnings
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import scipy.io
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sentences import alike

from trellislib.data.dataset import DataError
from trellislib.data.reading import mat_child, matlab
from trellislib.data.reading.matlab import is_mat, read_mat, starts_as_mat, variables
from trellislib.data.reading.named_arrays import Unread
from trellislib.data.reading.source import Source
from trellislib.running.memory import limited_memory

X = np.array([[0.5, 1, 7], [0.1, 2, 8], [0.7, 3, 9], [0.2, 4, 6], [0.3, 5, 5]])
Y = np.array([[1, 0], [0, 0], [1, 1], [0, 1], [0, 0]])
OF_MATLAB = Path(scipy.io.__file__).parent / "matlab" / "tests" / "data"
CONTENT = {
    "data": np.array([[0.5, 1, 7], [0.1, 2, 8]]),
    "target": sparse.csc_array([[1.0, 0, 2], [0, 3, 0]]),
    "names": np.array(["a", "bb", "größe"], dtype=object),
    "text": "sky",
}


def saved(content, **options):
    file = io.BytesIO()
    scipy.io.savemat(file, content, **options)
    return file.getvalue()


def read(content):
    return variables(Source(b"", "toy.mat"), content)


def message_of(content):
    with pytest.raises(DataError, match=r"^toy.mat: .*\.$") as caught:
        read(content)
    return str(caught.value)


@pytest.mark.parametrize(
    ("labels", "compressed"),
    [(Y * 1.0, False), (Y.T * 2.0 - 1, True), (sparse.csc_array(Y * 1.0), True), (sparse.csc_array(Y.T * 1.0), False)],
)
def test_matrices_may_lie_either_way_round(labels, compressed):
    data = read_mat(saved({"data": X, "target": labels}, do_compression=compressed), "toy.mat").to_dataset()
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.Y, Y)
    assert data.name == "toy"


def test_files_of_ml_knn_come_in_two_parts():
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
    alike(table.provenance, ("A MATLAB file, unpacked from gzip with a (5 x 3).",))
    assert starts_as_mat(content)


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ({"a": X, "b": Y}, ["X", "Y", "'a'", "'b'"]),
        ({"data": X, "target": Y[:4]}, ["'data' 5 x 3", "'target' 4 x 2"]),
        ({"data": X * 1j, "target": Y}, ["'data'", "complex"]),
        ({"data": np.zeros((2, 2, 2)), "target": Y}, ["'data'", "3 dimensions"]),
    ],
)
def test_arrays_that_make_no_table_are_refused_by_name(content, parts):
    with pytest.raises(DataError, match=r"^toy.mat: ") as error:
        read_mat(saved(content), "toy.mat")
    assert all(part in str(error.value) for part in parts)


@pytest.mark.parametrize("compressed", [False, True])
def test_what_scipy_saves_is_read_back(compressed):
    types = ["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "?"]
    numbers = {f"of_{dtype.strip('?')}": np.arange(6).reshape(2, 3).astype(dtype) for dtype in types}
    rows = {"rows": ["sky", "blue"], "complex": np.eye(2) * 1j}
    found = read(saved({**CONTENT, **numbers, **rows, "s": {"inner": np.arange(3)}}, do_compression=compressed))
    assert set(found) == {*CONTENT, *numbers, *rows, "s.inner"}
    for name, array in ({"data": CONTENT["data"]} | numbers).items():
        np.testing.assert_array_equal(found[name], array)
    assert found["target"].toarray().tolist() == [[1, 0, 2], [0, 3, 0]]
    assert found["names"] == ("a", "bb", "größe")
    assert (found["text"], found["rows"]) == (("sky",), ("sky", "blue"))
    assert found["s.inner"].tolist() == [[0, 1, 2]]
    assert isinstance(found["complex"], Unread)


@pytest.mark.skipif(not OF_MATLAB.exists(), reason="scipy came without its test files")
def test_every_variable_of_matlabs_own_files_is_given_or_named():
    given_here = unread = 0
    for path in sorted(OF_MATLAB.glob("*.mat")):
        content = path.read_bytes()
        if content[124:128] not in (b"\x00\x01IM", b"\x01\x00MI"):
            continue
        try:
            with warnings.catch_warnings(action="ignore"):
                theirs = scipy.io.loadmat(path, spmatrix=False)
                ours = {name: (kind, value) for name, kind, value in mat_child.variables(content)}
        except Exception:  # scipy's own damaged files
            continue
        for name in set(theirs) - {"__header__", "__version__", "__globals__", "__function_workspace__"}:
            fields = [key for key in ours if key.startswith(f"{name}.")]
            assert name in ours or fields or theirs[name].dtype.names is not None, (path.name, name)
            kind, value = ours.get(name, ("", None))
            if kind == "dense":
                np.testing.assert_array_equal(value, theirs[name])
                given_here += 1
            unread += kind == "unread"
    assert given_here > 20
    assert unread > 10


def test_objects_and_functions_are_left_alone():
    for name in ("testobject_7.4_GLNX86.mat", "testfunc_7.4_GLNX86.mat"):
        path = OF_MATLAB / name
        if path.exists():
            assert any("never loaded" in getattr(value, "what", "") for value in read(path.read_bytes()).values())


def test_versions_4_and_7_3_are_refused_with_what_to_do():
    header = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM"
    new = [header + bytes(384) + b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + bytes(600)]
    old = [saved({"data": CONTENT["data"], "text": "sky"}, format="4"), struct.pack("<5i", 0, 9, 9, 0, 2) + b"a\0"]
    for version, contents in (("version 7.3", new), ("version 4", old)):
        for content in contents:
            assert is_mat(content[:512])
            assert all(part in message_of(content) for part in (version, "-v7"))


def element(kind, content):
    return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)


def packed(content):
    return struct.pack("<II", 15, len(content)) + content


def matrix(kind, dims, *parts, name=b"a"):
    head = element(6, struct.pack("<II", kind, 0)), element(5, struct.pack(f"<{len(dims)}i", *dims)), element(1, name)
    return element(14, b"".join((*head, *parts)))


def file_of(*elements):
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + b"".join(elements)


def sparse_of(n_rows, row, ends, n_numbers=1):
    lists = (
        element(5, struct.pack("<i", row)),
        element(5, struct.pack("<2i", 0, ends)),
        element(9, bytes(8 * n_numbers)),
    )
    return matrix(5, (n_rows, 1), *lists)


@pytest.mark.parametrize(
    "content",
    [
        file_of(matrix(6, (10**9, 10**9), element(9, bytes(8)))),
        file_of(matrix(6, (-1, -1), element(9, bytes(8)))),
        file_of(matrix(1, (10**9, 10**9))),
        file_of(sparse_of(3, row=7, ends=1)),
        file_of(sparse_of(3, row=0, ends=9)),
        file_of(struct.pack("<II", 14, 2**32 - 1)),
        file_of(packed(b"no zlib")),
        file_of(packed(zlib.compress(matrix(6, (1, 1), element(9, bytes(8))))[:-6])),
        b"",
        b"MATLAB 5.0",
        b"x,y\n1,0\n" * 40,
    ],
)
def test_what_lies_is_refused(content):
    assert any(cause in message_of(content) for cause in ("damaged", "no MATLAB file", "memory"))


def test_rows_beyond_all_proportion_are_left_to_the_table():
    assert read(file_of(sparse_of(2**31 - 1, row=0, ends=1)))["a"].shape == (2**31 - 1, 1)


def test_lists_inside_lists_without_end_end_no_more_than_their_own_process():
    inner = matrix(6, (1, 1), element(9, bytes(8)))
    for _ in range(5000):
        inner = matrix(1, (1, 1), inner)
    with suppress(DataError):
        assert isinstance(read(file_of(inner))["a"], Unread)


def test_a_file_beyond_the_memory_budget_is_refused():
    bomb = packed(zlib.compress(matrix(6, (1, 2**22), element(9, bytes(2**25))), 9))
    with limited_memory(1 / 64):
        assert "TRELLISLIB_MEMORY" in message_of(file_of(bomb))


def test_a_sparse_matrix_whose_columns_end_before_they_start_is_refused():
    content = saved({"a": sparse.csc_array(np.eye(3))})
    starts = np.arange(4, dtype="<i4").tobytes()
    assert content.count(starts) == 1
    assert "damaged" in message_of(content.replace(starts, np.array([0, 2, 83886083, 0], dtype="<i4").tobytes()))


def test_two_variables_of_one_name_are_refused():
    one = matrix(6, (1, 1), element(9, bytes(8)))
    assert "'a'" in message_of(file_of(one, one))


@pytest.mark.parametrize(
    ("child", "cause"),
    [
        ("import os; os.abort()", "damaged"),
        ("import time; time.sleep(3600)", "1 second"),
        ("exit(77)", "archive bomb"),
        ("import os; os.kill(os.getpid(), 9)", "TRELLISLIB_MEMORY"),
        ("exit(78)", "damaged"),
    ],
)
def test_a_process_that_crashes_hangs_or_takes_too_much_is_one_sentence(tmp_path, monkeypatch, child, cause):
    script = tmp_path / "child.py"
    script.write_text(child)
    monkeypatch.setattr(matlab, "_CHILD", script)
    monkeypatch.setattr(matlab, "SECONDS", 1)
    assert cause in message_of(saved({"data": X}))


def test_a_matlab_file_is_recognised_by_its_first_bytes():
    assert not is_mat(b"x" * 126 + b"IM,y\n1,0\n")
    assert is_mat(saved(CONTENT)[:512])
    assert not is_mat(b"x,y\n1,0\n" * 50)
    assert not is_mat(b"")


GOOD = saved(CONTENT)


@settings(max_examples=5)
@given(st.lists(st.tuples(st.integers(128, len(GOOD) - 1), st.integers(0, 255)), max_size=4))
def test_damaged_bytes_give_arrays_or_one_sentence(changes):
    damaged = bytearray(GOOD)
    for place, byte in changes:
        damaged[place] = byte
    with suppress(DataError):
        assert isinstance(read(bytes(damaged)), dict)
