"""Several files at once."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sentences import alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.reading.gathering import gather
from trellislib.data.reading.source import Source

HEAD = "@relation sky\n@attribute x numeric\n@attribute p {0,1}\n@attribute q {0,1}\n@data\n"
ARFF = f"{HEAD}0.5,0,1\n1.5,1,0\n2.5,1,1\n"
XML = '<labels><label name="q"/><label name="p"/></labels>'


def files(**contents):
    """Return sources; in the names, a double underscore is a point and a single one a hyphen."""
    return [
        Source(text if isinstance(text, bytes) else text.encode(), name.replace("__", ".").replace("_", "-"))
        for name, text in contents.items()
    ]


def packed(name="sky.zip", **contents):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for source in files(**contents):
            with source.binary() as file:
                archive.writestr(f"folder/{source.name}", file.read())
    return Source(content.getvalue(), name)


def gathered(sources):
    """Return the files of each set, and what was said of the others."""
    sets, errors = gather(sources)
    return [found.files for found in sets], [str(error) for error in errors]


def the_only(sources):
    sets, errors = gather(sources)
    assert errors == []
    assert len(sets) == 1
    return sets[0].table


def test_a_table_and_its_xml():
    table = the_only(files(sky__xml=XML, sky__arff=ARFF))
    assert table.name == "sky.arff"
    assert (table.labels, table.labels_source) == (("q", "p"), "sky.xml")


def test_an_xml_wins_over_the_relations_name():
    table = the_only(files(sky__arff=ARFF.replace("sky", "'sky: -C 1'", 1), any__xml=XML))
    assert table.labels == ("q", "p")


@pytest.mark.parametrize("xml", [XML, f"\n {XML}", f"<!-- Names. -->{XML}", f"\ufeff{XML}".encode("utf-16-le")])
@pytest.mark.parametrize("name", ["sky__xml", "sky__XML__gz"])
def test_ways_to_write_xml(xml, name):
    assert the_only(files(sky__arff=ARFF, **{name: xml})).labels == ("q", "p")


@pytest.mark.parametrize(
    ("xml", "cause"), [("", "the file is empty (zero bytes)"), ("<html>404</html>", "this XML names no labels")]
)
def test_an_xml_that_is_none(xml, cause):
    sets, errors = gathered(files(sky__arff=ARFF, sky__xml=xml))
    assert sets == []
    assert errors[0].startswith(f"sky.xml: {cause}")
    has_line(errors[0], "sky.arff", "belongs", "left out")


def test_an_xml_that_is_called_otherwise():
    table = the_only(files(sky__arff=ARFF, labels__txt=XML))
    assert table.labels == ("q", "p")


def test_rows_to_train_and_to_test_on_with_their_xml():
    sources = files(sky_test__arff=f"{HEAD}9,1,1\n", sky__xml=XML, sky_train__arff=ARFF)
    assert gathered(sources) == ([("sky-train.arff", "sky-test.arff", "sky.xml")], [])
    table = the_only(sources)
    assert (table.name, table.n_train, table.labels) == ("sky", 3, ("q", "p"))
    assert table.cells[:, 0].tolist() == [0.5, 1.5, 2.5, 9]
    has_line(table.provenance, "The first 3 rows", "sky-train.arff", "other 1 sky-test.arff")
    data = table.to_dataset()
    assert (data.name, data.n_train) == ("sky", 3)


def test_features_and_labels():
    table = the_only(files(Y__csv="p,q\n0,1\n1,0\n", X__csv="x\n0.5\n1.5\n"))
    assert (table.columns, table.labels) == (("x", "p", "q"), ("p", "q"))
    has_line(table.provenance, "Each row", "Y.csv", "labels", "same row", "X.csv")


def test_arrays_of_features_and_labels_to_train_and_to_test_on():
    def npy(array):
        content = io.BytesIO()
        np.save(content, np.array(array))
        return content.getvalue()

    table = the_only(
        files(
            y_train__npy=npy([[0, 1], [1, 1]]),
            X_test__npy=npy([[0.9]]),
            X_train__npy=npy([[0.5], [0.6]]),
            y_test__npy=npy([[1, 0]]),
        )
    )
    assert table.n_train == 2
    assert table.cells.tolist() == [[0.5, 0, 1], [0.6, 1, 1], [0.9, 1, 0]]
    assert table.labels == table.columns[1:]


def test_the_four_files_of_extreme_classification():
    table = the_only(
        files(
            tst_X_Xf__txt="1 3\n1:9\n",
            trn_X_Y__txt="2 2\n0:1 1:1\n\n",
            tst_X_Y__txt="1 2\n1:1\n",
            trn_X_Xf__txt="2 3\n0:1.5 2:1\n1:2\n",
        )
    )
    assert table.columns == ("feature 0", "feature 1", "feature 2", "label 0", "label 1")
    assert table.labels == ("label 0", "label 1")
    assert table.cells.toarray().tolist() == [[1.5, 0, 1, 1, 1], [0, 2, 0, 0, 0], [0, 9, 0, 0, 1]]


def test_svmlight_files_of_other_widths():
    table = the_only(files(sky_train__txt="0,2 1:0.5 2:1\n0 1:2\n", sky_test__txt="1 1:1 3:7\n0,1 2:2\n"))
    frame = table.preview(9)
    assert frame["feature 3"].tolist() == [0, 0, 7, 0]
    assert frame["label 1"].tolist() == [0, 0, 1, 1]
    assert frame["label 2"].tolist() == [1, 0, 0, 0]
    assert set(table.labels) == {"label 0", "label 1", "label 2"}


def test_svmlight_files_with_one_label_a_row_in_one_of_them_only_are_not_mixed_up():
    _, errors = gathered(files(sky_train__txt="0,2 1:0.5\n0 1:2\n", sky_test__txt="1 1:1\n0 1:2\n"))
    alike(
        errors,
        [
            "sky-test.txt: there is no column 'label 0', which sky-train.txt has; the nearest name is 'label'; add the "
            "column."
        ],
    )


def test_an_archive_of_all_files():
    table = the_only([packed(X__csv="x\n1\n2\n", Y__csv="p\n0\n1\n")])
    assert table.name == "sky"
    assert table.to_dataset().name == "sky"


@pytest.mark.parametrize("more", [{"sky__xml": XML}, {}])
def test_what_is_no_data_in_an_archive_is_not_read(more):
    table = the_only([packed(sky__arff=ARFF, README__txt="Read, me.", cite__bib="", **more)])
    alike(table.provenance[-1], "In sky.zip, README.txt and cite.bib were not read.")
    assert table.columns == ("x", "p", "q")


def test_folders_in_an_archive():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for folder, labels in (("sky", "p\n0\n1\n"), ("sea", "q\n1\n1\n")):
            archive.writestr(f"{folder}/X.csv", "x\n1\n2\n")
            archive.writestr(f"{folder}/Y.csv", labels)
    sets, errors = gather([content.getvalue()])
    assert errors == []
    assert [(found.table.name, found.table.labels) for found in sets] == [("sky", ("p",)), ("sea", ("q",))]


def test_folders_of_rows_to_train_and_to_test_on():
    X, Y = b"x\n0.5\n0.1\n", b"p\n1\n0\n"
    files = {f"{rows}/{columns}.csv": text for rows in ("test", "train") for columns, text in (("X", X), ("y", Y))}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    table = the_only([Source(content.getvalue(), "sky.zip")])
    assert (table.name, table.columns, table.n_train, table.labels) == ("sky", ("x", "p"), 2, ("p",))


def test_the_files_of_an_archive_belong_together_first():
    sources = [
        packed("a.zip", X__csv="x\n1\n2\n", Y__csv="p\n0\n1\n"),
        packed("b.zip", X__csv="x\n3\n4\n", Y__csv="p\n0\n1\n"),
        packed("c.zip", sea__arff=ARFF, sun__arff=ARFF, sky__xml=XML),
        *files(sky__arff=ARFF),
    ]
    sets, errors = gathered(sources)
    assert sets == [("X.csv", "Y.csv"), ("X.csv", "Y.csv"), ("sea.arff",), ("sun.arff",), ("sky.arff", "sky.xml")]
    assert errors == []


def test_several_sets_and_bad_files_at_once():
    sets, errors = gathered(
        files(
            a__csv="x,p\n1,0\n",
            b__csv="",
            c_train__csv="x,p\n1,0\n",
            c_test__csv="x,q\n1,0\n",
            d__arff=ARFF,
            d__xml=XML.replace("q", "r"),
            e__xml=XML,
            X__csv="x,y\n1,2\n",
            Y__csv="p,q\n1,0\n0,0\n",
        )
    )
    assert sets == [("a.csv",)]
    alike(
        errors,
        [
            "b.csv: the file is empty (zero bytes).",
            "c-test.csv: there is no column 'p', which c-train.csv has; add the column.",
            "d.arff: there is no column 'r', which d.xml names as a label.",
            "Y.csv: it has 2 rows of labels, but X.csv has 1 row of features; give two files with the same rows.",
            "e.xml: by its name this XML file goes with none of the tables; name it as its table.",
        ],
    )


def test_files_that_are_left_out_with_a_bad_one_are_named():
    _, errors = gathered(files(sky_train__csv="", sky_test__csv="x\n1\n", sky__xml=XML))
    alike(
        errors,
        [
            "sky-train.csv: the file is empty (zero bytes); sky-test.csv and sky.xml, which belong to it, were left "
            "out too."
        ],
    )


def test_an_xml_alone():
    alike(
        gathered(files(sky__xml=XML)),
        (
            [],
            ["sky.xml: this XML file names labels, but there is no table with it; give both."],
        ),
    )


def test_files_that_cannot_be_opened(tmp_path):
    sets, errors = gathered([tmp_path / "none.csv", *files(a__csv="x,p\n1,0\n", b__zip=b"PK\x03\x04 and no more")])
    assert sets == [("a.csv",)]
    has_line(errors[0], "none.csv", "no", "file")
    has_line(errors[1], "b.zip", "zip archive", "damaged")


def test_nothing():
    assert gather([]) == ([], [])


PARTS = {
    "sky-train.arff": ARFF,
    "sky-test.arff": ARFF,
    "sky.xml": XML,
    "X.csv": "x\n1\n2\n",
    "Y.csv": "p\n0\n1\n",
    "sea.csv": "x,p\n1,0\n",
    "sea.arff": ARFF,
    "bad.csv": "",
    "other.xml": XML,
    "sea_labels.csv": "q\n1\n1\n",
}


@settings(max_examples=50)
@given(st.permutations(list(PARTS)), st.integers(0, len(PARTS)))
def test_every_file_is_used_or_named(order, n):
    names = order[:n]
    sets, errors = gathered([Source(PARTS[name].encode(), name) for name in names])
    errors_text = " ".join(errors)
    for name in names:
        uses = sum(name in found for found in sets)
        assert (
            (uses >= 1)
            if name in errors_text and name.endswith(".xml") and uses
            else (uses == 0 or name not in errors_text)
        )
        assert uses or name in errors_text
        assert uses <= 1 or name.endswith(".xml")
    again = gathered([Source(PARTS[name].encode(), name) for name in sorted(names)])
    assert sorted(again[0]) == sorted(sets)
    assert sorted(again[1]) == sorted(errors)


STARTS = [
    b"",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"<labels",
    b"\x1f\x8b",
    b"\x93NUMPY",
    b"x,p\n1,0\n",
    ARFF.encode(),
    b"1 1:2\n",
]
ODD_NAMES = st.sampled_from(
    ["X.csv", "Y.csv", "X.npy", "train.txt", "test.txt", "a.xml", "a.arff", "", "/", "a/X.csv", "."]
)


@given(st.lists(st.tuples(st.sampled_from(STARTS), st.binary(max_size=20), ODD_NAMES), max_size=4))
def test_odd_content_is_an_error_and_no_exception(files):
    sets, errors = gather([Source(start + junk, name) for start, junk, name in files])
    assert all(isinstance(error, DataError) for error in errors)
    assert len(files) == 0 or sets or errors
