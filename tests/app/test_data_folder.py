"""The folder of data sets that the server was started with: on the Data page, and in links."""

import io

import pandas as pd
import pytest
from sentences import has_line, holds
from state import address
from state.sources import Source, folder_source, from_folder

from trellislib.data import DataError

ARFF = b"""@relation sky
@attribute x numeric
@attribute sunny {0,1}
@attribute warm {0,1}
@data
0.5,1,0
0.1,0,0
0.9,1,1
0.3,0,1
"""
XML = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="warm"/><label name="sunny"/></labels>'
CSV = b"x,z,wet,cold\n0.5,1.5,1,0\n0.1,2.5,0,0\n0.9,0.5,1,1\n0.3,1.0,0,1\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with two data sets: one that says all, and one that does not."""
    place = tmp_path / "secret place"
    (place / "sky").mkdir(parents=True)
    (place / "sky" / "sky.arff").write_bytes(ARFF)
    (place / "sky" / "sky.xml").write_bytes(XML)
    (place / "rain.csv").write_bytes(CSV)
    (tmp_path / "outside.csv").write_bytes(CSV)
    monkeypatch.setenv("TRELLIS_DATA", str(place))
    return place


def test_without_a_folder_the_page_does_not_speak_of_one(visitor, monkeypatch):
    for name in ("TRELLIS_DATA", "TRELLISLIB_DATA"):
        monkeypatch.delenv(name, raising=False)

    assert "Folder" not in visitor.go("data").widget("way").options


def test_a_set_is_loaded_with_a_click(visitor, folder, monkeypatch):
    visitor.choose_source("Folder")
    assert sorted(visitor.widget("folder set").options) == ["rain", "sky"]
    visitor.set("folder set", "sky")
    assert visitor.loaded.startswith("yeast: ")
    visitor.click("load folder")

    holds(visitor.loaded, "sky", "N = 4", "D = 1", "L = 2")
    assert visitor.workspace().dataset.label_names == ("warm", "sunny")
    assert "load(['sky/sky.arff', 'sky/sky.xml'])" in visitor.code
    has_line(visitor.text, "folder", "data sets")
    assert visitor.at.query_params["data"] == "folder~sky"
    everything = visitor.text + visitor.code + str(visitor.at.query_params)
    assert "secret place" not in everything, "nobody learns where the folder is"
    monkeypatch.chdir(folder)
    found = {}
    exec(visitor.code, found)
    assert found["data"].digest == visitor.workspace().dataset.digest


def test_a_set_that_asks_is_asked_about(visitor, folder):
    visitor.choose_source("Folder").set("folder set", "rain").click("load folder")
    assert visitor.loaded.startswith("yeast: ")
    has_line(visitor.text, "rain.csv", "not say", "4 columns", "labels")
    visitor.click("accept")

    assert visitor.loaded.startswith("rain: ")
    assert visitor.at.query_params["data"] == 'chosen~rain~{"labels":-2}'


def test_a_sheet_of_a_workbook_of_the_folder_is_chosen(visitor, visit, folder):
    rows = pd.read_csv(io.BytesIO(CSV))
    with pd.ExcelWriter(folder / "book.xlsx") as book:
        rows.to_excel(book, sheet_name="old", index=False)
        rows[:3].to_excel(book, sheet_name="new", index=False)
    visitor.choose_source("Folder").set("folder set", "book").click("load folder")
    visitor.answer(sheet="new")
    visitor.click("accept")

    assert visitor.loaded.startswith("book: N = 3")
    assert "sheet='new'" in visitor.code
    assert visit(data=visitor.at.query_params["data"]).loaded == visitor.loaded


def test_a_link_to_a_set_of_the_folder(visitor, visit, folder):
    visitor.choose_source("Folder").set("folder set", "sky").click("load folder")

    stranger = visit(data=visitor.at.query_params["data"])
    assert stranger.loaded == visitor.loaded
    assert stranger.workspace().dataset.digest == visitor.workspace().dataset.digest
    assert stranger.at.query_params["data"] == "folder~sky"


def test_a_link_to_files_that_were_changed_shows_them_as_they_are(visit, folder):
    holds(visit(data="folder~sky").loaded, "sky", "N = 4", "D = 1", "L = 2")

    (folder / "sky" / "sky.arff").write_bytes(ARFF + b"0.2,1,1\n")
    holds(visit(data="folder~sky").loaded, "sky", "N = 5", "D = 1", "L = 2")


@pytest.mark.parametrize("expected", ["folder~rain", "chosen~rain", "chosen~sky"])
def test_a_link_to_what_somebody_chose_asks_to_choose_it(visit, folder, expected):
    stranger = visit(data=expected)

    assert stranger.loaded.startswith("yeast: ")
    assert "on Data" in stranger.notices
    assert "Go to Data" in [link.label for link in stranger.at.main.get("page_link")]
    assert not stranger.go("data").at.main.get("page_link"), "it is there"


@pytest.mark.parametrize(
    "name", ["../outside.csv", "../outside", "/etc/passwd", "sky/sky.arff", "secret place", "no", ""]
)
def test_a_link_names_sets_and_no_paths(visit, folder, name):
    stranger = visit(data=f"folder~{name}")

    assert stranger.loaded.startswith("yeast: ")
    assert "does not exist here" in stranger.notices


def test_an_address_is_read_as_it_was_written(folder):
    source = folder_source("sky")

    assert address.written(source) == "folder~sky"
    assert address.read("folder~sky") == source
    chosen = Source("load", (*source.arguments, ("labels", -1)), "sky")
    assert address.written(chosen) == "chosen~sky"
    with pytest.raises(ValueError, match=r"choices of labels. Load .*Data"):
        address.read("chosen~sky")


def test_a_folder_that_is_not_there_is_one_sentence(visitor, visit, monkeypatch, tmp_path):
    monkeypatch.setenv("TRELLIS_DATA", str(tmp_path / "nowhere"))
    visitor.choose_source("Folder")

    assert "does not exist" in visitor.notices
    assert str(tmp_path) not in visitor.notices + visit(data="folder~sky").notices


def test_a_file_that_cannot_be_read_is_one_sentence(visitor, folder):
    (folder / "rain.csv").write_bytes(b"")
    visitor.choose_source("Folder").set("folder set", "rain").click("load folder")

    (error,) = visitor.errors
    has_line(error, "rain.csv", "file", "empty")
    assert visitor.loaded.startswith("yeast: ")


def test_a_name_that_the_folder_has_not_is_refused(folder):
    with pytest.raises(DataError, match=r"no data set .*name"):
        from_folder("nothing")
