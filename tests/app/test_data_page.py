"""The Data page: packaged sets, simulations, and files that people drop, good and bad."""

import gzip
import re

import numpy as np
import pytest

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
XML = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="warm"/><label name="sunny"/></labels>'
WRONG_XML = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="warm"/><label name="sunnny"/></labels>'
YEAST = "yeast: N = 2,417 · D = 103 · L = 14"

BAD = {
    "empty.csv": (b"", "empty"),
    "header_only.csv": (b"x,a,b\n", "no rows"),
    "short_row.csv": (b"x,a,b\n0.1,1,0\n0.2,1\n", "line 3"),
    "short_row.arff": (b"@relation r\n@attribute x numeric\n@attribute a {0,1}\n\n@data\n1,1\n2,0\n3\n", "line 8"),
    "csv_named.arff": (CSV, "line 1"),
    "binary.csv": (bytes(range(256)) * 20, "binary"),
    "picture.png": (b"\x89PNG\r\n\x1a\n" + bytes(200), "binary"),
    "book.xlsx": (b"PK\x03\x04" + bytes(200), "zip"),
    "broken.csv.gz": (gzip.compress(CSV * 50)[:60], "damaged"),
    "labels_only.xml": (XML, "ARFF"),
    "not_xml.xml": (b"<labels><label", "ARFF"),
    "unknown_value.arff": (b"@relation r\n@attribute x numeric\n@attribute a {0,1}\n@data\n1,1\n2,7\n", "line 6"),
}


def assert_sky(visitor, labels=("sunny", "warm")):
    data = visitor.workspace().dataset
    values = {"sunny": [1, 0, 1, 0], "warm": [0, 0, 1, 1]}
    assert data.label_names == labels
    assert data.feature_names == ("x", "z")
    np.testing.assert_array_equal(data.Y, np.column_stack([values[label] for label in labels]))
    assert visitor.loaded == "sky: N = 4 · D = 2 · L = 2"


@pytest.mark.parametrize(
    ("name", "loaded"),
    [
        ("movies", "movies: N = 17,029 · D = 827 · L = 21"),
        ("solar-flare", "solar-flare: N = 1,066 · D = 27 · L = 3"),
        ("yeast", YEAST),
    ],
)
def test_packaged_sets_are_chosen_by_name(visitor, name, loaded):
    visitor.choose_packaged("solar-flare").choose_packaged(name)

    assert visitor.loaded == loaded
    assert visitor.takeaway.startswith(f"{name} has ")
    assert visitor.at.selectbox(key="packaged").value == name


def test_metrics_of_yeast(visitor):
    shown = {metric.label: metric.value for metric in visitor.go("data").at.metric}

    assert shown["Instances N"] == "2,417"
    assert shown["Cardinality"] == "4.24"
    assert shown["Density"] == "0.303"
    assert shown["Label sets"] == "198"
    assert shown["Unlabelled"] == "0"


def test_csv_is_asked_about_and_used_as_proposed(visitor):
    visitor.upload(("sky.csv", CSV))

    assert "sky.csv does not say which of its 4 columns are labels. Proposed: sunny, warm." in visitor.said
    assert visitor.widget("label choice").value == "the last columns"
    assert visitor.widget("label count").value == 2
    assert list(visitor.table("z").columns) == ["x", "z", "sunny", "warm"]
    assert visitor.loaded == YEAST, "nothing is loaded before it was agreed to"

    visitor.click("accept")
    assert_sky(visitor)
    assert "load('sky.csv', labels=-2)" in visitor.code
    assert not visitor.errors


def test_csv_labels_are_the_last_n(visitor):
    visitor.upload(("sky.csv", CSV)).set("label count", 1).click("accept")

    assert visitor.workspace().dataset.label_names == ("warm",)
    assert "labels=-1" in visitor.code


def test_csv_labels_are_the_first_n(visitor):
    content = b"\n".join(b",".join(line.split(b",")[::-1]) for line in CSV.split())
    visitor.upload(("sky.csv", content)).set("label choice", "the first columns").set("label count", 2).click("accept")

    assert_sky_order = visitor.workspace().dataset
    assert assert_sky_order.label_names == ("warm", "sunny")
    assert assert_sky_order.feature_names == ("z", "x")
    assert "labels=2" in visitor.code


def test_csv_labels_are_chosen_by_name(visitor):
    visitor.upload(("sky.csv", CSV)).set("label choice", "chosen by name")
    visitor.set("label names", ["warm", "sunny"]).click("accept")

    assert_sky(visitor, ("warm", "sunny"))
    assert "labels=['warm', 'sunny']" in visitor.code


def test_csv_without_a_chosen_label_cannot_be_used(visitor):
    visitor.upload(("sky.csv", CSV)).set("label choice", "chosen by name").set("label names", [])

    assert visitor.at.button(key="accept").disabled


def test_labels_that_cannot_be_are_one_sentence(visitor):
    """A column of fractions, and every column of the file."""
    visitor.upload(("sky.csv", CSV)).set("label choice", "chosen by name")
    visitor.set("label names", ["x", "z", "sunny", "warm"]).click("accept")

    (error,) = visitor.errors
    assert error.startswith("sky.csv: ")
    assert visitor.loaded == YEAST


def test_code_of_an_upload_loads_the_same(visitor, tmp_path, monkeypatch):
    (tmp_path / "sky.csv").write_bytes(CSV)
    monkeypatch.chdir(tmp_path)
    visitor.upload(("sky.csv", CSV)).set("label choice", "chosen by name").set("label names", ["warm"]).click("accept")
    found = {}
    exec(visitor.code, found)

    assert found["data"].digest == visitor.workspace().dataset.digest


@pytest.mark.parametrize("order", [1, -1])
def test_mulan_arff_and_xml_are_used_at_once(visitor, order):
    visitor.upload(*[("sky.arff", ARFF), ("sky.xml", XML)][::order])

    assert_sky(visitor, ("warm", "sunny"))
    assert "2 labels" in visitor.at.success[0].value
    assert "load('sky.arff', labels='sky.xml')" in visitor.code


def test_meka_arff_is_used_at_once(visitor):
    columns = ARFF.replace(b"@relation sky", b"@relation 'sky: -C -2'")
    visitor.upload(("sky.ARFF", columns))

    assert_sky(visitor)
    assert "load('sky.ARFF')" in visitor.code


def test_arff_that_says_nothing_is_asked_about(visitor):
    visitor.upload(("sky.arff", ARFF)).click("accept")

    assert_sky(visitor)


def test_upper_case_ending_and_gzip_are_good(visitor):
    """Case B46: a good file is not refused for its name."""
    visitor.upload(("SKY.CSV", CSV)).click("accept")
    assert visitor.loaded.startswith("SKY: N = 4")
    visitor.upload(("sky.csv.gz", gzip.compress(CSV))).click("accept")
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
    assert error.endswith(". The data loaded before are still here.")
    assert "Traceback" not in error
    assert "\n" not in error
    assert visitor.loaded == before
    assert "accept" not in [button.key for button in visitor.at.button]

    visitor.go("start").go("data")
    assert not visitor.errors, "it is said once"
    assert visitor.loaded == before


def test_xml_with_an_unknown_label_is_refused(visitor):
    visitor.upload(("sky.arff", ARFF), ("sky.xml", WRONG_XML))

    (error,) = visitor.errors
    assert error.startswith("sky.arff: ")
    assert "sunnny" in error
    assert "sky.xml" in error
    assert visitor.loaded == YEAST


def test_two_data_files_are_refused(visitor):
    visitor.upload(("one.csv", CSV), ("two.csv", CSV))

    (error,) = visitor.errors
    assert error.startswith("Got one.csv, two.csv, but one data file")
    assert visitor.loaded == YEAST


def test_a_bad_file_after_a_good_one_keeps_the_good_one(visitor):
    visitor.upload(("sky.csv", CSV)).click("accept")
    visitor.upload(("empty.csv", b""))

    assert len(visitor.errors) == 1
    assert visitor.loaded.startswith("sky: ")


def test_taking_the_file_away_keeps_the_data(visitor):
    visitor.upload(("sky.csv", CSV)).click("accept")
    visitor.upload()

    assert not visitor.errors
    assert_sky(visitor)


def test_a_second_file_is_asked_about_anew(visitor):
    """The answers for one file are not taken over for the next."""
    visitor.upload(("sky.csv", CSV)).set("label choice", "chosen by name").set("label names", ["warm"])
    visitor.upload(("rain.csv", b"p,q,r,wet\n0.5,0.1,0.7,1\n0.2,0.3,0.4,0\n0.6,0.1,0.2,1\n"))

    assert "rain.csv does not say" in visitor.said
    assert visitor.workspace().dataset.name == "yeast"
    visitor.click("accept")
    assert not visitor.errors
    assert visitor.workspace().dataset.label_names == ("wet",)


def test_the_proposal_for_a_second_file_is_its_own(visitor):
    visitor.upload(("sky.csv", CSV))
    assert visitor.widget("label count").value == 2
    wider = b"x,a,b,c,d\n" + b"".join(
        b"0.%d,%d,%d,%d,%d\n" % (i, i & 1, i >> 1 & 1, i >> 2, i in (1, 2)) for i in range(8)
    )
    visitor.upload(("wide.csv", wider))

    assert "Proposed: a, b, c, d." in visitor.said
    assert visitor.widget("label count").value == 4


def test_room_is_simulated_by_its_form(visitor, number):
    visitor.choose_source("Light-sensor room")
    number(visitor, "Tiles per side W").set_value(4)
    number(visitor, "Instances N").set_value(300)
    number(visitor, "Sensors D").set_value(8)
    visitor.press("Simulate the room")

    assert not visitor.errors
    assert visitor.loaded.endswith("N = 300 · D = 8 · L = 16")
    found = {}
    exec(visitor.code, found)
    assert found["data"].digest == visitor.workspace().dataset.digest


def test_label_dag_is_simulated_by_its_form(visitor, number):
    visitor.choose_source("Label DAG")
    number(visitor, "Labels L").set_value(7)
    number(visitor, "Instances N").set_value(120)
    number(visitor, "delta").set_value(0.3)
    visitor.press("Simulate the labels")

    assert not visitor.errors
    assert visitor.loaded.endswith("N = 120 · D = 10 · L = 7")
    found = {}
    exec(visitor.code, found)
    assert found["data"].digest == visitor.workspace().dataset.digest


def test_difficulty_sets_alpha_and_sigma(visitor, number):
    from trellislib.data import DIFFICULTIES

    visitor.choose_source("Label DAG")
    for difficulty, values in DIFFICULTIES.items():
        visitor.set("difficulty", difficulty)
        assert {"alpha": number(visitor, "alpha").value, "sigma2": number(visitor, "sigma²").value} == values


def test_label_dag_that_cannot_be_is_one_sentence(visitor, number):
    visitor.choose_source("Label DAG")
    number(visitor, "Features D").set_value(2)
    number(visitor, "Relevant features T").set_value(5)
    visitor.press("Simulate the labels")

    assert len(visitor.errors) == 1
    assert visitor.loaded == YEAST


def test_the_chosen_source_stays_through_pages(visitor):
    visitor.choose_source("Label DAG").go("trellis").go("data")

    assert visitor.widget("way").value == "Label DAG"


def test_numbers_of_the_label_table(visitor, meka_arff):
    rows = ["1,0,0.5,1", "1,1,0.1,2", "1,0,0.2,3", "0,0,0.9,4"]
    visitor.upload(("four.arff", meka_arff({"often": "0,1", "rare": "0,1"}, rows)))
    table = visitor.table("IRLbl")

    assert table.loc["often", "frequency"] == 0.75
    assert table.loc["rare", "frequency"] == 0.25
    assert table.loc["rare", "IRLbl"] == 3
    sets = visitor.table("labels")
    assert sets["labels"].tolist() == ["often", "often, rare", "(none)"]
    assert sets["instances"].tolist() == [2, 1, 1]
    assert "rare is 3 times rarer than often" in visitor.takeaway


@pytest.fixture
def number():
    """Return a number field by its label."""

    def by_label(visitor, label):
        (found,) = [field for field in visitor.at.number_input if re.fullmatch(label, field.label)]
        return found

    return by_label
