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
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import sparse

from trellislib.data.dataset import DataError
from trellislib.data.reading.mat_files import is_mat, variables
from trellislib.data.reading.named_arrays import Unread
from trellislib.data.reading.source import Source

LENIENT = {"bad_miutf8_array_name.mat"}  # a name in Latin-1
OF_MATLAB = Path(scipy.io.__file__).parent / "matlab" / "tests" / "data"
CONTENT = {
    "data": np.array([[0.5, 1, 7], [0.1, 2, 8]]),
    "target": sparse.csc_array([[1.0, 0, 2], [0, 3, 0]]),
    "names": np.array(["a", "bb", "größe"], dtype=object),
    "text": "sky",
}


def read(content):
    return variables(Source(b"", "toy.mat"), content)


def saved(content, **options):
    file = io.BytesIO()
    scipy.io.savemat(file, content, **options)
    return file.getvalue()


@pytest.mark.parametrize("compressed", [False, True])
def test_what_scipy_saves(compressed):
    found = read(saved({**CONTENT, "s": {"inner": np.arange(3)}}, do_compression=compressed))
    assert set(found) == {"data", "target", "names", "text", "s.inner"}
    np.testing.assert_array_equal(found["data"], CONTENT["data"])
    assert found["target"].toarray().tolist() == [[1, 0, 2], [0, 3, 0]]
    assert found["names"] == ("a", "bb", "größe")
    assert found["text"] == ("sky",)
    assert found["s.inner"].tolist() == [[0, 1, 2]]


def test_version_4():
    found = read(saved({"data": CONTENT["data"], "target": CONTENT["target"], "text": ["sky", "blue"]}, format="4"))
    np.testing.assert_array_equal(found["data"], CONTENT["data"])
    assert found["target"].toarray().tolist() == [[1, 0, 2], [0, 3, 0]]
    assert found["text"] == ("sky", "blue")


NUMBERS = arrays(st.sampled_from(["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "?"]), array_shapes(max_dims=3))


@settings(deadline=None)
@given(NUMBERS, st.booleans())
def test_numbers_are_those_that_scipy_reads(array, compressed):
    content = saved({"a": array}, do_compression=compressed)
    np.testing.assert_array_equal(read(content)["a"], scipy.io.loadmat(io.BytesIO(content))["a"])


def same(ours, theirs):
    if isinstance(ours, Unread) or theirs.dtype.kind in "OVc":
        return theirs.dtype.kind in "OVc" and isinstance(ours, (Unread, tuple, np.ndarray))
    if sparse.issparse(theirs):
        return sparse.issparse(ours) and np.array_equal(ours.toarray(), theirs.toarray())
    if theirs.dtype.kind == "U":
        return [text.rstrip() for text in theirs] == [text.rstrip() for text in ours if text or theirs.size]
    return np.array_equal(ours, theirs, equal_nan=True)


@pytest.mark.skipif(not OF_MATLAB.exists(), reason="scipy came without its test files")
def test_files_of_matlab_are_read_as_scipy_reads_them():
    compared = 0
    for path in sorted(OF_MATLAB.glob("*.mat")):
        try:
            with warnings.catch_warnings(action="ignore"):
                theirs = scipy.io.loadmat(path, spmatrix=False)
        except Exception:
            theirs = None
        try:
            ours = read(path.read_bytes())
        except DataError:
            ours = None
        if theirs is None or ours is None:
            assert ours is None or path.name in LENIENT, path.name
            assert theirs is None, path.name
            continue
        for name in set(theirs) - {"__header__", "__version__", "__globals__", "__function_workspace__", "None"}:
            if name not in ours:  # a struct, for which its fields stand
                assert theirs[name].dtype.names or path.name == "test_empty_struct.mat"
                continue
            assert same(ours[name], theirs[name]), (path.name, name)
            compared += 1
    assert compared > 60


def test_objects_and_functions_are_left_alone():
    for name in ("testobject_7.4_GLNX86.mat", "testfunc_7.4_GLNX86.mat"):
        path = OF_MATLAB / name
        if path.exists():
            assert any(isinstance(value, Unread) for value in read(path.read_bytes()).values())


def test_version_7_3_is_refused_with_what_to_do():
    header = b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(124) + b"\x00\x02IM"
    for content in (header + bytes(384) + b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + bytes(600)):
        with pytest.raises(DataError, match=r"^toy.mat: this MATLAB file is of version 7.3 .*save it with -v7\.$"):
            read(content)
        assert is_mat(content[:512])


def element(kind, content):
    return struct.pack("<II", kind, len(content)) + content + bytes(-len(content) % 8)


def matrix(kind, dims, *parts, name=b"a"):
    head = element(6, struct.pack("<II", kind, 0)), element(5, struct.pack(f"<{len(dims)}i", *dims)), element(1, name)
    return element(14, b"".join((*head, *parts)))


def file_of(*elements):
    return b"MATLAB 5.0 MAT-file".ljust(124) + b"\x00\x01IM" + b"".join(elements)


def test_the_bytes_by_hand():
    assert read(file_of(matrix(6, (1, 2), element(9, struct.pack("<2d", 1, 2.5)))))["a"].tolist() == [[1, 2.5]]


@pytest.mark.parametrize(
    "content",
    [
        file_of(matrix(6, (10**9, 10**9), element(9, bytes(8)))),
        file_of(matrix(6, (-1, -1), element(9, bytes(8)))),
        file_of(matrix(1, (10**9, 10**9))),
        file_of(matrix(4, (2, 10**9), element(16, b"ab"))),
        file_of(
            matrix(
                5, (3, 1), element(5, struct.pack("<i", 7)), element(5, struct.pack("<2i", 0, 1)), element(9, bytes(8))
            )
        ),
        file_of(
            matrix(
                5, (3, 1), element(5, struct.pack("<i", 0)), element(5, struct.pack("<2i", 0, 9)), element(9, bytes(8))
            )
        ),
        file_of(struct.pack("<II", 14, 2**32 - 1)),
        file_of(element(9, bytes(8))),
        file_of(element(15, b"no zlib")),
        file_of(element(15, zlib.compress(matrix(6, (1, 1), element(9, bytes(8))))[:-6])),
        file_of(element(15, zlib.compress(b""))),
        b"",
        b"MATLAB 5.0",
        b"x,y\n1,0\n" * 40,
        struct.pack("<5i", 0, 10**9, 10**9, 0, 2) + b"a\0",
        struct.pack("<5i", 2, 1, 3, 0, 2) + b"a\0" + struct.pack("<3d", float("nan"), 1, 0),
    ],
)
def test_what_lies_is_refused(content):
    with pytest.raises(
        DataError, match=r"^toy.mat: (the MATLAB file is damaged or cut short|this is no MATLAB file)\.$"
    ):
        read(content)


def test_rows_beyond_all_proportion_are_left_to_the_table():
    lists = element(5, struct.pack("<i", 0)), element(5, struct.pack("<2i", 0, 1)), element(9, bytes(8))
    assert read(file_of(matrix(5, (2**31 - 1, 1), *lists)))["a"].shape == (2**31 - 1, 1)


def test_lists_inside_lists_without_end_are_not_followed():
    inner = matrix(6, (1, 1), element(9, bytes(8)))
    for _ in range(5000):
        inner = matrix(1, (1, 1), inner)
    assert isinstance(read(file_of(inner))["a"], Unread)


def test_a_bomb_is_refused():
    bomb = zlib.compress(bytes(100 * 2**20), 9)
    with pytest.raises(DataError, match="archive bomb"):
        read(file_of(element(15, bomb)))


def test_a_sparse_matrix_whose_columns_end_before_they_start_is_refused():
    content = saved({"a": sparse.csc_array(np.eye(3))})
    starts = np.arange(4, dtype="<i4").tobytes()
    assert content.count(starts) == 1
    with pytest.raises(DataError, match="damaged"):
        read(content.replace(starts, np.array([0, 2, 83886083, 0], dtype="<i4").tobytes()))


def test_two_variables_of_one_name_are_refused():
    one = matrix(6, (1, 1), element(9, bytes(8)))
    with pytest.raises(DataError, match=r"^toy.mat: two variables are called 'a'; save them under different names\.$"):
        read(file_of(one, one))


def test_is_mat():
    assert not is_mat(b"x" * 126 + b"IM,y\n1,0\n")
    assert is_mat(saved(CONTENT)[:512])
    assert is_mat(saved({"data": CONTENT["data"]}, format="4")[:512])
    assert not is_mat(b"x,y\n1,0\n" * 50)
    assert not is_mat(b"")


FILES = [saved(CONTENT), saved({"data": CONTENT["data"], "target": CONTENT["target"]}, format="4")]


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(FILES), st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=4))
def test_damaged_bytes_give_arrays_or_one_sentence(content, changes):
    damaged = bytearray(content)
    for place, byte in changes:
        damaged[place % len(damaged)] = byte
    with suppress(DataError):
        assert isinstance(read(bytes(damaged)), dict)
