"""Which reader a file gets, and that whatever is in it loads or is refused."""

import bz2
import gzip
import io
import lzma
import pickle
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.io import savemat

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.choice import read_mulan_xml
from trellislib.data.reading.formats import read_table

ARFF = b"@RELATION 'ok: -C -1'\n@ATTRIBUTE x1 NUMERIC\n@ATTRIBUTE A {0,1}\n@DATA\n1,0\n2,1\n3,1\n4,0\n"
CSV = b"x1,A\n1,0\n2,1\n3,1\n4,0\n"


def test_a_csv_that_calls_itself_arff_is_refused():
    with pytest.raises(DataError, match=r"t.arff: line 1: .*not .*ARFF file.*name .*.csv"):
        read_table(CSV, "t.arff")


@pytest.mark.parametrize("name", ["PK", "PAR1", "MATLAB 5.0 MAT-file", "relation", "GIF8"])
def test_a_column_that_is_called_as_other_files_start(name):
    assert read_table(f"{name},A\n1.5,0\n2,1\n".encode()).columns == (name, "A")


def test_a_pickle_is_not_opened():
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("unpickled",))

    with pytest.raises(DataError, match="binary"):
        read_table(pickle.dumps(Trap()), "t.csv")


def archive(**contents):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as zipped:
        for name, text in contents.items():
            zipped.writestr(name.replace("__", "."), text)
    return content.getvalue()


def saved(save, *args, **kwargs):
    content = io.BytesIO()
    save(content, *args, **kwargs)
    return content.getvalue()


@pytest.mark.parametrize("packed", [bytes, gzip.compress, bz2.compress, lzma.compress, lambda c: archive(inside=c)])
@pytest.mark.parametrize("name", ["t.arff.gz.csv", "t", "t.txt"])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (ARFF, "ARFF"),
        (CSV, "CSV"),
        (b"1,0 1:2.5\n 1:3\n", "svmlight"),
        (b"2 3 2\n0,1 0:1.5 2:1\n 1:2\n", "extreme classification"),
        (saved(np.savez, X=np.eye(3), Y=np.eye(3)[:, :2]), "NPZ"),
        (saved(np.save, np.eye(3)), "NPY"),
        (saved(savemat, {"data": np.eye(3), "target": np.eye(3)[:, :2]}), "MATLAB"),
        (saved(pd.DataFrame({"x": [1.5, 2], "A": [0, 1]}).to_parquet), "Parquet"),
        (saved(pd.DataFrame({"x": [1.5, 2], "A": [0, 1]}).to_excel, index=False), "Excel"),
        (b"x\tA\nc\td\n\tclass\n1.5\t0\n2\t1\n", "Orange"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_forms_are_recognized_by_content(content, expected, name, packed):
    assert expected in read_table(packed(content), name).provenance[0]


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"\x89HDF\r\n\x1a\n" + bytes(100), "HDF5"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100), "xls"),
        (b"PAR1" + bytes(100), ""),
        (b"PAR1\x15" + bytes(100) + b"PAR1", ""),
        (b"\x93NUMPY" + bytes(100), ""),
        (b"MATLAB 5.0 MAT-file" + bytes(200), ""),
        (b"MATLAB 7.3 MAT-file" + bytes(200), "7.3"),
        (archive(**{"[Content_Types].xml": "", "xl/workbook.xml": ""}), ""),
        (archive(**{"a.npy": "", "b.npy": ""}), ""),
    ],
    ids=lambda value: value if isinstance(value, str) else "start",  # an archive has the time in it
)
def test_what_only_starts_as_a_form_is_refused(content, cause):
    with pytest.raises(DataError, match=rf"^t: .*{cause}"):
        read_table(content, "t")


LINES = ["@relation t\n", "@attribute ", "@data\n", "x ", "numeric\n", "real\n", "string\n", "{0,1}\n", "-C 1", "1:2 "]
SIGNS = ["'", '"', "\\", "{", "}", ",", ";", "\t", "|", "\n", "\r\n", "\0", "%"]
CELLS = ["1", "0", "?", "nan", "inf", "1_0", "a", "é", "TRUE"]
PIECES = st.sampled_from([*LINES, *SIGNS, *CELLS])
ENDINGS = st.sampled_from(["t.arff", "t.csv", "t.ARFF.gz", "t.txt", "t"])


def outcome(call, *args):
    """Return what a call returns, or the message of its DataError; nothing else may be raised."""
    try:
        return call(*args)
    except DataError as error:
        return str(error)


def loads_or_says_why(content, name):
    table = outcome(read_table, content, name)
    if isinstance(table, str):
        assert table.startswith(f"{name}: ")
        assert table.endswith(".")
        return
    for labels in (table.propose_labels(), table.columns[-1:], table.columns[:1]):
        data = outcome(table.to_dataset, labels)
        assert isinstance(data, Dataset) or data.startswith(f"{name}: ")


@given(st.lists(PIECES, max_size=40).map("".join), ENDINGS, st.booleans())
@example("@relation t\n@attribute a {0,1}\n@attribute x real\n@data\n0,1\n", "t.arff", False)
@example("x,a\n9e999,1\n", "t.csv", True)
@example("x,a\n\x85,1\n", "t.csv", False)
def test_any_text_loads_or_is_refused_with_a_reason(text, name, packed):
    content = text.encode()
    loads_or_says_why(gzip.compress(content, mtime=0) if packed else content, name)


@given(st.binary(max_size=80), ENDINGS, st.sampled_from([b"", ARFF, CSV, b"\xff\xfe", b"\x1f\x8b\x08"]))
def test_any_bytes_load_or_are_refused_with_a_reason(junk, name, start):
    loads_or_says_why(start + junk, name)


@given(st.lists(st.sampled_from([CSV, ARFF, b"0", b"{", b"'", b'"', b"\xff", b"\n", b","]), max_size=6), ENDINGS)
def test_a_good_file_with_something_in_it(parts, name):
    loads_or_says_why(b"".join(parts), name)


@given(st.binary(max_size=60) | st.text(st.sampled_from("<>/label nm='&;!?x\n"), max_size=60).map(str.encode))
def test_any_xml_is_read_or_refused(content):
    labels = outcome(read_mulan_xml, content, "l.xml")
    assert isinstance(labels, tuple) or labels.startswith("l.xml: ")
