"""Downloads, from a server on this machine; nothing here reaches a network."""

import hashlib
import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from sentences import alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.sets.known import KNOWN, KnownFile, KnownSet
from trellislib.running.progress import CancelledError

pytest.importorskip("pooch")
module = import_module("trellislib.data.sets.fetching")
download_module = import_module("trellislib.data.sets.download")
library = import_module("trellislib.data.sets.library")
fetch = module.fetch

ARFF = "@relation sky\n@attribute x numeric\n@attribute p {0,1}\n@attribute q {0,1}\n@data\n0.5,0,1\n1.5,1,0\n"
XML = '<labels><label name="p"/><label name="q"/></labels>'


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def sky(**changed):
    files = (
        KnownFile("sky.arff", sha256(ARFF), len(ARFF)),
        KnownFile("sky.xml", sha256(XML), len(XML), ("heaven.xml",)),
    )
    given = {"files": files, "folder": "skies", "n_features": 1, **changed}
    return KnownSet("sky", "Sky", None, n_instances=2, n_labels=2, label_cardinality=1.0, **given)


@pytest.fixture
def know(monkeypatch):
    """Return what makes this set the one that is known as "sky"."""

    def add(known):
        both = {**KNOWN, "sky": known}
        monkeypatch.setattr(library, "KNOWN", both)
        for place in (library, module):
            monkeypatch.setattr(place, "known_set", both.__getitem__)

    add(sky())
    return add


@pytest.fixture
def published(tmp_path):
    folder = tmp_path / "server/data/skies"
    folder.mkdir(parents=True)
    (folder / "sky.arff").write_text(ARFF)
    (folder / "sky.xml").write_text(XML)
    return folder


@pytest.fixture
def server(tmp_path, published, monkeypatch, know, serve):
    server = serve(tmp_path / "server")
    monkeypatch.setattr(module, "MULAN", server.address)
    monkeypatch.setattr(module, "OPENML", f"{server.address}/openml")
    monkeypatch.setattr(download_module, "_CHUNK", 16)
    monkeypatch.setenv("TRELLISLIB_CACHE", str(tmp_path / "cache"))
    return server


def kept(tmp_path):
    return sorted(path.name for path in (tmp_path / "cache").rglob("*") if path.is_file())


def failure(key="sky", **arguments):
    with pytest.raises(DataError) as error:
        fetch(key, **arguments)
    return str(error.value)


def test_the_address_is_that_of_one_commit():
    assert module.MULAN.startswith("https://raw.githubusercontent.com/tsoumakas/mulan/43f6389095ad7198")


def test_a_set_is_fetched_once(tmp_path, server):
    steps = []
    data = fetch("sky", progress=lambda *step: steps.append(step))
    assert data.name == "Sky"
    assert data.X.tolist() == [[0.5], [1.5]]
    assert data.notes == ()
    total = len(ARFF) + len(XML)
    assert steps[0] == (16, total, "sky.arff")
    assert steps[-1] == (total, total, "sky.xml")
    assert [done for done, _, _ in steps] == sorted(done for done, _, _ in steps)
    assert kept(tmp_path) == ["sky.arff", "sky.xml"]
    server.stop()
    assert fetch("sky").digest == data.digest
    assert library.origin("sky") == "download"
    assert library.obtain("sky").digest == data.digest
    assert server.asked == [("/data/skies/sky.arff", 200), ("/data/skies/sky.xml", 200)]


def test_another_cache(tmp_path, server):
    fetch("sky", cache=tmp_path / "mine")
    assert kept(tmp_path) == []
    assert (tmp_path / "mine/sky/sky.arff").read_text() == ARFF


def test_another_name_of_the_same_file(tmp_path, server, published):
    (published / "sky.xml").rename(published / "heaven.xml")
    fetch("sky")
    assert kept(tmp_path) == ["sky.arff", "sky.xml"]
    assert [code for _, code in server.asked] == [200, 404, 200]


def test_a_changed_file_is_refused_and_removed(tmp_path, server, published):
    (published / "sky.xml").write_text(XML.replace("q", "r"))
    alike(
        failure(),
        "Sky: the set could not be fetched (sky.xml arrived damaged or changed: its checksum is not that of the file); "
        "try again later, or get the files elsewhere and open them from a folder.",
    )
    assert kept(tmp_path) == ["sky.arff"]
    (published / "sky.xml").write_text(XML)
    assert fetch("sky").n_labels == 2


def test_a_file_that_is_not_there(tmp_path, server, published):
    (published / "sky.arff").unlink()
    has_line(failure(), "server answers 404", f"{server.address}/skies/sky.arff")
    assert kept(tmp_path) == []


def test_a_server_that_is_not_there(tmp_path, server):
    server.stop()
    message = failure()
    has_line(message, "Sky", "set", "not", "fetched", f"{server.address}/skies/sky.arff cannot", "reached")
    assert "open them from a folder" in message
    assert kept(tmp_path) == []


def test_a_damaged_file_in_the_cache_is_fetched_again(tmp_path, server):
    fetch("sky")
    (tmp_path / "cache/sky/sky.arff").write_text("half")
    assert fetch("sky").n_instances == 2
    assert (tmp_path / "cache/sky/sky.arff").read_text() == ARFF


def test_a_folder_that_cannot_be_written(tmp_path, server):
    (tmp_path / "cache").write_text("a file, no folder")
    assert "cannot be written to" in failure()


def test_cancel_and_go_on(tmp_path, server):
    answers = iter([False, False, False, True])
    with pytest.raises(CancelledError):
        fetch("sky", cancelled=lambda: next(answers))
    assert kept(tmp_path) == [".sky.arff.part"]
    assert (tmp_path / "cache/sky/.sky.arff.part").read_text() == ARFF[:32]
    assert library.origin("sky") is None
    assert fetch("sky").n_instances == 2
    assert server.ranges == [None, "bytes=32-", None]
    assert kept(tmp_path) == ["sky.arff", "sky.xml"]


def test_a_connection_that_is_cut_again_and_again(tmp_path, server):
    server.cut = 40
    assert fetch("sky").n_instances == 2
    assert (tmp_path / "cache/sky/sky.arff").read_text() == ARFF
    assert server.ranges[:3] == [None, "bytes=32-", "bytes=64-"]  # in whole blocks of 16


def test_what_is_not_offered():
    alike(failure("mediamill"), "MediaMill: this set is not offered for download; open it from a folder.")
    assert "it is simulated" in failure("local400")
    has_line(failure("iris"), "iris", "no data set", "known", "name")


OPENML = """@RELATION 'heaven'
@ATTRIBUTE row REAL
@ATTRIBUTE x REAL
@ATTRIBUTE 'p' {FALSE,TRUE}
@ATTRIBUTE "q, r" {FALSE,TRUE}
@DATA
1,0.5,FALSE,TRUE
2,1e-17,TRUE,FALSE
"""


@pytest.fixture
def openml(tmp_path, server):
    """Publish a data set of OpenML, and return what changes what is said of it."""
    folder = tmp_path / "server/data/openml"
    (folder / "features").mkdir(parents=True)
    (folder / "heaven.arff").write_text(OPENML)

    def publish(data_id=7, targets=("p", "q, r"), left_out=("row",), **changed):
        expected = {
            "name": "heaven",
            "url": f"{server.address}/openml/heaven.arff",
            "md5_checksum": hashlib.md5(OPENML.encode()).hexdigest(),
            **changed,
        }
        features = [
            {
                "name": name,
                "is_target": str(name in targets).lower(),
                "is_ignore": "false",
                "is_row_identifier": str(name in left_out).lower(),
            }
            for name in ("row", "x", "p", "q, r")
        ]
        (folder / str(data_id)).write_text(json.dumps({"data_set_description": expected}))
        (folder / f"features/{data_id}").write_text(json.dumps({"data_features": {"feature": features}}))
        return folder

    publish()
    return publish


def test_any_set_of_openml(tmp_path, server, openml):
    steps = []
    data = fetch(7, progress=lambda *step: steps.append(step))
    assert data.name == "heaven"
    assert (data.feature_names, data.label_names) == (("x",), ("p", "q, r"))
    assert data.label_values == (("FALSE", "TRUE"),) * 2
    assert data.X.tolist() == [[0.5], [1e-17]]
    assert data.Y.tolist() == [[0, 1], [1, 0]]
    assert "From OpenML, data set 7." in data.provenance
    assert kept(tmp_path) == ["openml-7-description.json", "openml-7-features.json", "openml-7.arff"]
    assert steps[-1][2] == "openml-7.arff"
    server.stop()
    assert fetch(np.int64(7)).digest == data.digest


def test_a_set_of_openml_whose_download_is_cut(server, openml):
    server.cut = 100
    assert fetch(7).n_instances == 2


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"md5_checksum": "0" * 32}, "openml-7.arff arrived damaged or changed"),
        ({"url": "ftp://nowhere/heaven.arff"}, "ftp://nowhere/heaven.arff cannot be reached"),
        ({"url": None}, "openml-7-description.json: OpenML's description of the data set gives no file to download."),
        ({"targets": ()}, "heaven: OpenML names no target column of data set 7"),
    ],
)
def test_a_set_of_openml_that_is_not_right(server, openml, change, expected):
    openml(**change)
    assert expected in failure(7)


def test_a_number_that_openml_does_not_know(server, openml):
    alike(
        failure(8),
        f"OpenML's data set 8: it could not be fetched (the server answers 404 to {server.address}/openml/8); check "
        "the number, or try again later.",
    )


def test_openml_out_of_reach(server, openml):
    server.stop()
    has_line(failure(7), "openml/7 cannot be reached", "check", "number", "try again")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"data_set_description": []}', "[" * 100_000])
def test_an_answer_that_is_no_description(server, openml, content):
    (openml() / "7").write_text(content)
    alike(failure(7), "openml-7-description.json: this is not what OpenML says of a data set; remove the file.")


def test_openml_where_mulan_fails(tmp_path, server, openml, know, published):
    know(sky(data_id=7, n_features=2))
    (published / "sky.arff").unlink()
    data = fetch("sky")
    assert (data.name, data.label_names) == ("Sky", ("p", "q, r"))
    server.stop()
    assert fetch("sky").digest == data.digest
    assert library.origin("sky") == "download"


def test_openml_is_not_asked_where_mulan_gives_the_set(server, openml, know):
    know(sky(data_id=7))
    fetch("sky")
    assert not any("openml" in path for path, _ in server.asked)


def test_a_known_set_of_openml_alone(server, openml, know):
    know(sky(data_id=7, folder=None, n_features=2))
    assert fetch("sky").n_instances == 2


def test_openml_has_another_set_under_the_number(tmp_path, server, openml, know):
    know(sky(data_id=7, folder=None, n_features=3))
    has_line(failure(), "OpenML's data set 7", "not", "published", "2 rows", "4 columns")
    assert kept(tmp_path) == []


def test_both_fail(tmp_path, server, openml, know, published):
    know(sky(data_id=8))
    (published / "sky.arff").unlink()
    message = failure()
    has_line(message, "Sky", "set", "not", "fetched", "the server answers 404")
    assert message.count("404") == 2
    assert kept(tmp_path) == []


SHARED = Path(__file__).parents[3].parent / "shared/data/mulan"


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"the folder of real files is not there ({SHARED})")
def test_what_arrives_is_what_was_published(tmp_path, monkeypatch, serve):
    """The files of emotions and flags, over a connection that is cut every 100 kB."""
    server = serve(SHARED.parent)
    server.cut = 100_000
    monkeypatch.setattr(module, "MULAN", server.address.replace("/data", "/mulan"))
    for key in ("emotions", "flags"):
        fetch(key, cache=tmp_path)
        for file in KNOWN[key].files:
            assert (tmp_path / key / file.name).read_bytes() == (SHARED / key / file.name).read_bytes()
