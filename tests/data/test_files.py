"""A data set from files."""

import gzip
import io
import zipfile

import numpy as np
import pytest
from sentences import alike

from trellislib.data.dataset import DataError
from trellislib.data.files import load
from trellislib.data.reading.formats import read_table
from trellislib.data.reading.source import Source

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


def test_a_missing_file_is_named():
    with pytest.raises(DataError, match=r"none.csv: .*no .*file \(/nowhere/none.csv\)"):
        load("/nowhere/none.csv")
    with pytest.raises(DataError, match="no such file"):
        load(CSV, "/nowhere/none.xml")


def test_unnamed_labels_are_refused():
    with pytest.raises(DataError, match=r"data: nothing .*file says .*2 columns .*labels"):
        load(CSV)


def test_a_column_that_lists_labels_is_proposed():
    content = b"x,tags\n1,sand|sea\n2,sea|sky|sand\n3,sky\n4,\n"
    with pytest.raises(DataError) as error:
        load(Source(content, "beach.csv"))
    alike(
        str(error.value),
        "beach.csv: nothing in the file says which columns are labels; column 'tags' looks as if it lists them, with "
        "'|' between two: give split=('tags', '|').",
    )
    for split in ("tags", ("tags", "|")):
        data = load(content, split=split)
        assert data.label_names == ("sand", "sea", "sky")
        assert data.Y.tolist() == [[1, 1, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0]]
    assert load(content, ["sky"], split="tags", leave_out=["sand"]).feature_names == ("x", "sea")


def test_choices_are_passed_on():
    content = b"x,c,A,B\n1,7,1,0\n2,7,,1\n3,7,0,0\n"
    data = load(content, -2, missing_labels="masked", relevant={"A": "0"}, drop_constant=True)
    assert data.feature_names == ("x",)
    assert data.Y.tolist() == [[0, 0], [1, 0]]
    assert data.incomplete.known.tolist() == [[False, True]]


def archive(**contents):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as zipped:
        for name, text in contents.items():
            zipped.writestr(name.replace("__", "."), text)
    return content.getvalue()


XML = b'<labels><label name="A"/></labels>'


def test_several_files_of_one_set(tmp_path):
    (tmp_path / "t.arff").write_bytes(ARFF.replace(b"-C -1", b""))
    (tmp_path / "t.xml").write_bytes(XML)
    both = tmp_path / "t.xml", tmp_path / "t.arff"
    assert load(both).label_names == load([str(path) for path in both]).label_names == ("A",)
    assert load(path for path in both).name == "t"
    assert load(Source(archive(t__arff=ARFF, t__xml=XML), "both.zip")).digest == load(both).digest


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ([], "data: no file was given; name at least one."),
        (
            [Source(ARFF, "a.arff"), Source(XML, "a.xml"), Source(CSV, "b.csv")],
            "a.arff: the files are 2 data sets, not one (a.arff with a.xml, b.csv); load each by itself.",
        ),
        ([Source(ARFF, "a.arff"), Source(b"", "b.csv")], "b.csv: the file is empty (zero bytes)."),
    ],
)
def test_files_that_are_not_one_set(sources, message):
    with pytest.raises(DataError) as error:
        load(sources)
    alike(str(error.value), message)


def test_an_archive_of_several_files_is_no_table():
    content = archive(a__csv=CSV, b__csv=CSV)
    with pytest.raises(DataError, match=r"sets.zip: .*archive holds 2 files, .*table .*expected; give"):
        read_table(content, "sets.zip")
    with pytest.raises(DataError, match=r"a.csv: .*files .*2 data sets, not .*\(a.csv, b.csv\)"):
        load(content)


def test_the_file_that_was_loaded_stays_open():
    with io.BytesIO(ARFF) as upload:
        load(upload)
        load(upload)
        assert not upload.closed
