import gzip
import io
import pickle

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.files import load, read_table
from trellislib.data.mulan import read_mulan_xml

ARFF = b"@RELATION 'ok: -C -1'\n@ATTRIBUTE x1 NUMERIC\n@ATTRIBUTE A {0,1}\n@DATA\n1,0\n2,1\n3,1\n4,0\n"
CSV = b"x1,A\n1,0\n2,1\n3,1\n4,0\n"


@pytest.mark.parametrize(
    ("name", "content", "labels"),
    [
        ("good.ARFF", ARFF, None),
        ("good.arff.gz", gzip.compress(ARFF, mtime=0), None),
        ("good.txt", ARFF, None),
        ("good", b"% about\n\n" + ARFF, None),
        ("good.CSV", CSV, ["A"]),
        ("good.csv.gz", gzip.compress(CSV, mtime=0), -1),
        ("good.tsv", CSV.replace(b",", b"\t"), ("A",)),
        ("good.csv", CSV, np.array(["A"])),
        ("good.csv", CSV, b'<labels><label name="A"/></labels>'),
    ],
)
def test_every_way_in_gives_the_same_data_set(tmp_path, name, content, labels):
    path = tmp_path / name
    path.write_bytes(content)
    upload = io.BytesIO(content)
    upload.name = name
    upload.read()
    for source in (path, str(path), upload):
        data = load(source, labels)
        assert data.name == "good"
        assert data.label_names == ("A",)
        assert data.Y.ravel().tolist() == [0, 1, 1, 0]
        assert data.X.ravel().tolist() == [1, 2, 3, 4]
    assert read_table(content, name).name == name


def test_a_csv_that_calls_itself_arff_is_refused():
    with pytest.raises(DataError, match=r"t.arff: line 1: this is not an ARFF file.*name it .csv"):
        read_table(CSV, "t.arff")


def test_a_missing_file_is_named():
    with pytest.raises(DataError, match=r"none.csv: there is no such file \(/nowhere/none.csv\)"):
        load("/nowhere/none.csv")
    with pytest.raises(DataError, match="no such file"):
        load(CSV, "/nowhere/none.xml")


def test_nothing_says_which_columns_are_labels():
    with pytest.raises(DataError, match="data: nothing in the file says which of its 2 columns are labels"):
        load(CSV)


def test_a_pickle_is_not_opened():
    class Trap:
        def __reduce__(self):
            return (pytest.fail, ("unpickled",))

    with pytest.raises(DataError, match="binary"):
        read_table(pickle.dumps(Trap()), "t.csv")


def test_the_file_that_was_loaded_stays_open():
    with io.BytesIO(ARFF) as upload:
        load(upload)
        load(upload)
        assert not upload.closed


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


@settings(deadline=None)
@given(st.lists(PIECES, max_size=40).map("".join), ENDINGS, st.booleans())
@example("@relation t\n@attribute a {0,1}\n@attribute x real\n@data\n0,1\n", "t.arff", False)
@example("x,a\n9e999,1\n", "t.csv", True)
@example("x,a\n\x85,1\n", "t.csv", False)
def test_any_text_loads_or_says_why(text, name, packed):
    content = text.encode()
    loads_or_says_why(gzip.compress(content, mtime=0) if packed else content, name)


@settings(deadline=None)
@given(st.binary(max_size=80), ENDINGS, st.sampled_from([b"", ARFF, CSV, b"\xff\xfe", b"\x1f\x8b\x08"]))
def test_any_bytes_load_or_say_why(junk, name, start):
    loads_or_says_why(start + junk, name)


@settings(deadline=None)
@given(st.lists(st.sampled_from([CSV, ARFF, b"0", b"{", b"'", b'"', b"\xff", b"\n", b","]), max_size=6), ENDINGS)
def test_a_good_file_with_something_in_it(parts, name):
    loads_or_says_why(b"".join(parts), name)


@settings(deadline=None)
@given(st.binary(max_size=60) | st.text(st.sampled_from("<>/label nm='&;!?x\n"), max_size=60).map(str.encode))
def test_any_xml_is_read_or_refused(content):
    labels = outcome(read_mulan_xml, content, "l.xml")
    assert isinstance(labels, tuple) or labels.startswith("l.xml: ")
