"""Files that people drop on the Data page, good and bad, one or several at once."""

import gzip
import io
import zipfile

import numpy as np
import pytest
from sentences import alike, has_line, holds
from state import uploaded
from state.choices import Choices

from trellislib.data import read_table
from trellislib.data.reading.source import Source
from trellislib.running.progress import CancelledError

CSV = b"x,z,sunny,warm\n0.5,1.5,1,0\n0.1,2.5,0,0\n0.9,0.5,1,1\n0.3,1.0,0,1\n"
ARFF = b"""@relation sky
@attribute x numeric
@attribute z numeric
@attribute sunny {0,1}
@attribute warm {0,1}
@data
0.5,1.5,1,0
0.1,2.5,0,0
0.9,0.5,1,1
0.3,1.0,0,1
"""
MEKA = ARFF.replace(b"@relation sky", b"@relation 'sky: -C -2'")
XML = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="warm"/><label name="sunny"/></labels>'
WRONG_XML = XML.replace(b'"sunny"', b'"sunnny"')
YEAST = "yeast: N = 2,417 · D = 103 · L = 14"

BAD = {
    "empty.csv": (b"", "empty"),
    "header_only.csv": (b"x,a,b\n", "no rows"),
    "short_row.csv": (b"x,a,b\n0.1,1,0\n0.2,1\n", "line 3"),
    "short_row.arff": (b"@relation r\n@attribute x numeric\n@attribute a {0,1}\n\n@data\n1,1\n2,0\n3\n", "line 8"),
    "csv_named.arff": (CSV, "line 1"),
    "binary.csv": (bytes(range(256)) * 20, "binary"),
    "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(200), "picture"),
    "book.xlsx": (b"PK\x03\x04" + bytes(200), "zip"),
    "broken.csv.gz": (gzip.compress(CSV * 50)[:60], "damaged"),
    "labels_only.xml": (XML, "no table with it"),
    "not_xml.xml": (b"<labels><label", "no table with it"),
    "unknown_value.arff": (b"@relation r\n@attribute x numeric\n@attribute a {0,1}\n@data\n1,1\n2,7\n", "line 6"),
}


def assert_sky(visitor, labels=("sunny", "warm"), name="sky"):
    data = visitor.workspace().dataset
    values = {"sunny": [1, 0, 1, 0], "warm": [0, 0, 1, 1]}
    assert data.label_names == labels
    assert data.feature_names == ("x", "z")
    np.testing.assert_array_equal(data.Y, np.column_stack([values[label] for label in labels]))
    holds(visitor.loaded, name, "N = 4", "D = 2", "L = 2")


def packed(**files):
    """Return a zip archive of files, whose names have `_` for the dot."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


def names(visitor):
    return [kept.dataset.name for kept in visitor.workspace().sets]


@pytest.mark.parametrize("order", [1, -1])
def test_mulan_arff_and_xml_are_used_at_once(visitor, order):
    visitor.upload(*[("sky.arff", ARFF), ("sky.xml", XML)][::order])

    assert_sky(visitor, ("warm", "sunny"))
    assert "2 labels" in visitor.at.success[0].value
    assert "load(['sky.arff', 'sky.xml'])" in visitor.code


def test_meka_arff_is_used_at_once(visitor):
    visitor.upload(("sky.ARFF", MEKA))

    assert_sky(visitor)
    assert "load('sky.ARFF')" in visitor.code


def test_rows_to_train_and_to_test_on_become_one_set(visitor):
    head, rows = MEKA.split(b"@data\n")
    lines = rows.splitlines(keepends=True)
    visitor.upload(
        ("sky-test.arff", head + b"@data\n" + b"".join(lines[3:])),
        ("sky-train.arff", head + b"@data\n" + b"".join(lines[:3])),
    )

    assert_sky(visitor)
    assert visitor.workspace().dataset.n_train == 3
    assert "load(['sky-train.arff', 'sky-test.arff'])" in visitor.code


def test_upper_case_ending_and_gzip_are_good(visitor):
    """Case B46: a good file is not refused for its name."""
    visitor.upload(("SKY.CSV", CSV)).click("accept")
    assert_sky(visitor, name="SKY")
    visitor.upload(("sky.csv.gz", gzip.compress(CSV.replace(b"1.5", b"1.25")))).click("accept")
    assert_sky(visitor)


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_one_sentence_and_change_nothing(visitor, name):
    content, cause = BAD[name]
    visitor.choose_packaged("solar-flare")
    before = visitor.loaded
    visitor.upload((name, content))

    (error,) = visitor.errors
    assert error.startswith(name)
    assert cause in error
    has_line(error, "previous data", "still loaded")
    assert "Traceback" not in error
    assert "\n" not in error
    assert visitor.loaded == before
    assert "accept" not in [button.key for button in visitor.at.button]

    visitor.at.file_uploader(key="files").set_value([])
    visitor.run()
    assert not visitor.errors, "it is said while the file is in the box"


def test_what_is_wrong_is_not_shown_after_another_page(visitor):
    visitor.upload(("empty.csv", b""))
    visitor.at.file_uploader(key="files").set_value([])
    visitor.go("start").go("data")

    assert not visitor.errors


def test_xml_with_an_unknown_label_is_refused(visitor):
    visitor.upload(("sky.arff", ARFF), ("sky.xml", WRONG_XML))

    (error,) = visitor.errors
    assert error.startswith("sky.arff: ")
    assert "sunnny" in error
    assert "sky.xml" in error
    assert visitor.loaded == YEAST


def test_several_sets_at_once(visitor):
    """What leaves no question is loaded, what does waits, and what is none is said: each by its own name."""
    visitor.upload(
        *[("one.arff", MEKA), ("two.arff", ARFF), ("two.xml", XML)],
        *[("three.csv", CSV), ("four.csv", CSV.replace(b"0.5", b"0.7"))],
        *[("empty.csv", b""), ("picture.png", BAD["picture.png"][0])],
    )

    assert names(visitor) == ["yeast", "one", "two"]
    assert visitor.loaded.startswith("one: ")
    alike(visitor.at.success[0].value.replace("\\", ""), "one (2 labels) and two (2 labels) are loaded; one is shown.")
    assert [upload.title for upload in visitor.workspace().dropped.pending] == ["three.csv", "four.csv"]
    (error,) = visitor.errors
    lines = error.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["- empty.csv", "- picture.png"]
    assert "are still loaded" not in error, "others were loaded"
    has_line(visitor.captions, "The other files", "loaded", "wait", "choices")

    visitor.set("pending", visitor.workspace().dropped.pending[1].number)
    has_line(visitor.text, "four.csv", "not say", "4 columns", "labels")
    visitor.click("accept")
    assert visitor.loaded.startswith("four: ")
    assert "three.csv does not say" in visitor.text, "the other one is next"
    visitor.click("leave out")
    assert names(visitor) == ["yeast", "one", "two", "four"]
    assert not visitor.workspace().dropped.pending


def test_a_file_that_comes_later_is_joined_to_what_waits(visitor):
    """The box keeps what was dropped, and its files belong together still."""
    box = [("sky.arff", ARFF, "text/plain")]
    visitor.upload(("sky.arff", ARFF))
    assert [upload.title for upload in visitor.workspace().dropped.pending] == ["sky.arff"]
    uploader = visitor.at.file_uploader(key="files")
    uploader.set_value([*box, ("sky.xml", XML, "text/xml")])
    visitor.run()

    assert_sky(visitor, ("warm", "sunny"))
    assert not visitor.workspace().dropped.pending
    assert not visitor.errors


def test_an_archive_is_read_and_named(visitor, tmp_path, monkeypatch):
    content = packed(sky_arff=ARFF, sky_xml=XML)
    (tmp_path / "sky.zip").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    visitor.upload(("sky.zip", content))

    assert_sky(visitor, ("warm", "sunny"))
    assert "load('sky.zip')" in visitor.code
    found = {}
    exec(visitor.code, found)
    assert found["data"].digest == visitor.workspace().dataset.digest


def test_the_sets_of_an_archive_have_their_own_names(visitor, tmp_path, monkeypatch):
    """Python that named the archive would not say which of its data sets is meant."""
    other = MEKA.replace(b"0.5", b"0.6")
    visitor.upload(("many.zip", packed(one_arff=MEKA, two_arff=other, three_csv=CSV)))
    assert [upload.title for upload in visitor.workspace().dropped.pending] == ["three.csv"]
    assert names(visitor) == ["yeast", "one", "two"]

    (tmp_path / "one.arff").write_bytes(MEKA)
    monkeypatch.chdir(tmp_path)
    found = {}
    exec(visitor.code, found)
    assert found["data"].digest == visitor.workspace().dataset.digest

    visitor.upload()
    assert not visitor.workspace().dropped.pending, "the archive was taken away, and what waited of it"


def test_the_same_content_twice_is_noted_once(visitor):
    visitor.upload(("one.arff", MEKA), ("two.arff", MEKA))
    has_line(visitor.at.success[0].value, "loaded", "2 labels")
    has_line(visitor.notices, "two equals", "stays loaded")
    assert names(visitor) == ["yeast", "one"]

    visitor.click("mend").click("accept mended")
    has_line(visitor.at.success[0].value, "loaded", "2 labels")
    assert "equals" not in visitor.notices


class InBox(io.BytesIO):
    """A file in the box, which stays the same one while others come and go."""

    def __init__(self, name, content):
        super().__init__(content)
        self.name, self.file_id = name, name


@pytest.mark.parametrize(
    "pair",
    [
        {"sky-train.csv": CSV, "sky-test.csv": CSV},
        {"sky.arff": ARFF, "sky.xml": WRONG_XML},
    ],
    ids=["waiting", "wrong"],
)
def test_a_file_that_is_taken_away_leaves_the_other_one(pair):
    """Two files that were one data set, or none: what stays in the box is asked about by itself."""
    one, _, bad = box = [InBox(*item) for item in [*pair.items(), ("empty.csv", b"")]]
    dropped = uploaded.Dropped()

    def read(gather, files):
        return gather([Source(content, name) for name, content in files])

    assert dropped.receive(box, read) == []

    assert dropped.receive([one, bad], read) == []
    assert [upload.files for upload in dropped.pending] == [(one.name,)]
    assert [problem.text.partition(":")[0] for problem in dropped.problems] == ["empty.csv"], (
        "of the others nothing changed"
    )
    asked = dropped.pending[0]
    dropped.receive([one], read)
    assert dropped.pending == [asked], "it is not read again, for nothing of it was taken away"
    assert not dropped.problems
    dropped.receive([], read)
    assert not dropped.pending


def test_what_waits_is_not_more_than_there_is_room_for(visitor, monkeypatch):
    one = uploaded.Upload(1, read_table(Source(CSV, "a.csv")), ("a.csv",)).n_bytes
    monkeypatch.setattr(uploaded, "MOST_WAITING_BYTES", 2 * one)
    visitor.upload(
        *[(f"{name}.csv", CSV.replace(b"0.5", value)) for name, value in [("a", b"5"), ("b", b"6"), ("c", b"7")]]
    )

    assert [upload.title for upload in visitor.workspace().dropped.pending] == ["b.csv", "c.csv"]
    (error,) = visitor.errors
    has_line(error, "a.csv", "wait", "choices", "Make", "drop", "again")

    monkeypatch.setattr(uploaded, "MOST_WAITING_BYTES", 0)
    visitor.upload(("d.csv", CSV), ("sky.arff", MEKA))
    assert [upload.title for upload in visitor.workspace().dropped.pending] == ["d.csv"], "the latest stays"
    assert_sky(visitor)


def test_a_copy_that_forgets_meanwhile_does_not_get_between():
    """Two workspaces may share what was read; each gets what it asked for."""

    class Forgotten(dict):
        def __setitem__(self, what, made):
            """Keep nothing, as if another thread forgot it at once."""

    table = read_table(Source(b"x,a,b\n1,1,0\n2,,1\n3,0,1\n", "sky.csv"))
    upload = uploaded.Upload(1, table, ("sky.csv",), _last=Forgotten())
    assert upload.questions(Choices(), ("a",)).n_lacking == 1
    assert upload.questions(Choices(), ("b",)).n_lacking == 0


def test_a_bad_file_after_a_good_one_keeps_the_good_one(visitor):
    visitor.upload(("sky.csv", CSV)).click("accept")
    visitor.upload(("empty.csv", b""))

    assert len(visitor.errors) == 1
    assert visitor.loaded.startswith("sky: ")


def test_taking_the_file_away_keeps_the_data_and_takes_the_question(visitor):
    visitor.upload(("sky.csv", CSV)).click("accept")
    visitor.upload()
    assert not visitor.errors
    assert_sky(visitor)

    visitor.upload(("rain.csv", CSV.replace(b"sunny", b"wet")))
    assert "rain.csv does not say" in visitor.text
    visitor.upload()
    assert "rain.csv" not in visitor.text


def test_names_of_files_are_text(visitor):
    visitor.upload(("<b>*a*</b>.csv", b""), ("$x$ [y](z).csv", CSV))

    raw = "\n".join(error.value for error in visitor.at.error)
    assert "\\<b\\>\\*a\\*\\</b\\>" in raw
    (question,) = [text.value for text in visitor.at.main.markdown if "does not say" in text.value]
    assert "\\$x\\$ \\[y\\]\\(z\\)\\.csv" in question


def test_two_visitors_have_their_own_files(visit):
    one, other = visit(), visit()
    one.upload(("mine.csv", CSV), ("sky.arff", MEKA))
    other.go("data")

    assert names(one) == ["yeast", "sky"]
    assert names(other) == ["yeast"]
    assert "mine.csv" not in other.text
    assert not other.workspace().dropped.pending


def test_a_mended_file_takes_the_place_of_the_one_that_could_not_be_used(visitor):
    """Whichever of two files that belong together was wrong."""
    box = [("sky.arff", ARFF, "text/plain"), ("sky.xml", WRONG_XML, "text/xml")]
    uploader = visitor.choose_source("Your files").at.file_uploader(key="files")
    uploader.set_value(box)
    visitor.run()
    assert len(visitor.errors) == 1
    visitor.at.file_uploader(key="files").set_value([*box, ("sky.xml", XML, "text/xml")])
    visitor.run()

    assert not visitor.errors
    assert_sky(visitor, ("warm", "sunny"))


def test_what_declares_labels_and_no_feature_is_one_sentence(visitor):
    visitor.upload(
        ("sky.arff", b"@relation 'sky: -C 1'\n@attribute a {0,1}\n@attribute day date\n@data\n1,2020-01-01\n")
    )

    (error,) = visitor.errors
    assert error.startswith("sky.arff: ")
    assert not visitor.workspace().dropped.pending
    assert visitor.loaded == YEAST


def test_a_sheet_is_read_as_files_are_and_stays_when_that_is_stopped():
    upload = uploaded.Upload(1, read_table(CSV, "sky.xlsx"), ("sky.xlsx",))
    before, asked = upload.table, []

    def stopped(read, files):
        asked.extend(files)
        raise CancelledError("stopped")

    with pytest.raises(CancelledError):
        upload.take_sheet(b"content", "new", stopped)
    assert (upload.table, asked) == (before, [("sky.xlsx", b"content")])
