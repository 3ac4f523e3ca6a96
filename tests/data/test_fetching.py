"""Downloads, from a server on this machine; nothing here reaches a network."""

import hashlib
import socket
import threading
import zlib
from functools import partial
from http.client import IncompleteRead
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from types import SimpleNamespace
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np
import pandas as pd
import pytest

from trellislib.data.dataset import DataError
from trellislib.data.known import KNOWN, KnownFile, KnownSet
from trellislib.progress import CancelledError

pytest.importorskip("pooch")
module = import_module("trellislib.data.fetching")
library = import_module("trellislib.data.library")
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
    given = {"files": files, "folder": "skies", **changed}
    return KnownSet("sky", "Sky", None, n_instances=2, n_labels=2, n_features=1, label_cardinality=1.0, **given)


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


class Server:
    """Serves a folder, and keeps what was asked for."""

    def __init__(self, folder):
        self.asked = asked = []

        class Handler(SimpleHTTPRequestHandler):
            def log_request(self, code="-", size="-"):
                asked.append((self.path, int(code)))

            def log_message(self, *_):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
        self.address = f"http://127.0.0.1:{self.http.server_port}/data"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()

    def stop(self):
        if self.thread.is_alive():
            self.http.shutdown()
            self.thread.join()
            self.http.server_close()


@pytest.fixture
def published(tmp_path):
    folder = tmp_path / "server/data/skies"
    folder.mkdir(parents=True)
    (folder / "sky.arff").write_text(ARFF)
    (folder / "sky.xml").write_text(XML)
    return folder


@pytest.fixture
def server(tmp_path, published, monkeypatch, know):
    server = Server(tmp_path / "server")
    monkeypatch.setattr(module, "MULAN", server.address)
    monkeypatch.setenv("TRELLISLIB_CACHE", str(tmp_path / "cache"))
    yield server
    server.stop()


def kept(tmp_path):
    return sorted(path.name for path in (tmp_path / "cache").rglob("*") if path.is_file())


def failure(key="sky", **arguments):
    with pytest.raises(DataError) as error:
        fetch(key, **arguments)
    return str(error.value)


def test_the_address_is_that_of_one_commit():
    assert module.MULAN.startswith("https://raw.githubusercontent.com/tsoumakas/mulan/43f6389095ad7198")


def test_a_set_is_fetched_once(tmp_path, server):
    told = []
    data = fetch("sky", progress=lambda *step: told.append(step))
    assert data.name == "Sky"
    assert data.X.tolist() == [[0.5], [1.5]]
    assert data.notes == ()
    assert told == [(0, 2, "sky.arff"), (1, 2, "sky.xml"), (2, 2, "Sky")]
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
    assert failure() == (
        "Sky: the set could not be fetched (sky.xml arrived damaged or changed: its SHA-256 is not that of the file); "
        "try again later, or get the files elsewhere and open them from a folder."
    )
    assert kept(tmp_path) == ["sky.arff"]
    (published / "sky.xml").write_text(XML)
    assert fetch("sky").n_labels == 2


def test_a_file_that_is_not_there(tmp_path, server, published):
    (published / "sky.arff").unlink()
    assert f"the server answers 404 to {server.address}/skies/sky.arff" in failure()
    assert kept(tmp_path) == []


def test_a_server_that_is_not_there(tmp_path, server):
    server.stop()
    message = failure()
    assert message.startswith(f"Sky: the set could not be fetched ({server.address}/skies/sky.arff cannot be reached)")
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


def test_cancel_between_files(tmp_path, server):
    answers = iter([False, True])
    with pytest.raises(CancelledError):
        fetch("sky", cancelled=lambda: next(answers))
    assert kept(tmp_path) == ["sky.arff"]
    assert fetch("sky").n_instances == 2
    assert [path for path, _ in server.asked].count("/data/skies/sky.arff") == 1


def test_without_pooch(monkeypatch, server):
    monkeypatch.setattr(module, "find_spec", lambda _: None)
    assert failure() == (
        "Sky: downloads need the package 'pooch', which is not installed; install it with: "
        'pip install "trellislib[fetch]".'
    )


def test_what_is_not_offered():
    assert failure("mediamill") == "MediaMill: this set is not offered for download; open it from a folder."
    assert "it is simulated" in failure("local400")
    assert failure("iris").startswith("iris: no data set is known by this name")


def openml(monkeypatch, give):
    """Have OpenML answer, and return what it was asked."""
    asked = []

    def fetch_openml(**arguments):
        asked.append(arguments)
        if isinstance(give, Exception):
            raise give
        return give

    monkeypatch.setattr(module, "fetch_openml", fetch_openml)
    return asked


def bunch(n_rows=2):
    words = pd.CategoricalDtype(["FALSE", "TRUE"])
    target = pd.DataFrame({"p": ["FALSE", "TRUE"], "q, r": ["TRUE", "FALSE"]}, dtype=words)
    return SimpleNamespace(data=pd.DataFrame({"x": [0.1 + 0.2, 1e-17]})[:n_rows], target=target[:n_rows])


def test_openml_where_mulan_fails(tmp_path, monkeypatch, server, know):
    know(sky(data_id=7))
    asked = openml(monkeypatch, bunch())
    server.stop()
    told = []
    data = fetch("sky", progress=lambda *step: told.append(step))
    assert asked == [{"data_id": 7, "parser": "liac-arff", "as_frame": True, "cache": False, "n_retries": 1}]
    assert data.name == "Sky"
    assert data.label_names == ("p", "q, r")
    assert data.label_values == (("FALSE", "TRUE"),) * 2
    np.testing.assert_array_equal(data.X, [[0.1 + 0.2], [1e-17]])
    assert data.Y.tolist() == [[0, 1], [1, 0]]
    assert data.notes == ("From OpenML, data set 7.",)
    assert kept(tmp_path) == ["sky-openml.csv"]
    assert told[-1] == (1, 1, "OpenML's data set 7")
    assert fetch("sky").digest == data.digest
    assert len(asked) == 1


def test_openml_is_not_asked_where_mulan_gives_the_set(monkeypatch, server, know):
    know(sky(data_id=7))
    asked = openml(monkeypatch, bunch())
    fetch("sky")
    assert asked == []


def test_a_set_of_openml_alone(monkeypatch, server, know):
    know(sky(data_id=7, folder=None))
    openml(monkeypatch, bunch())
    assert fetch("sky").n_instances == 2
    assert server.asked == []


@pytest.mark.parametrize(
    ("give", "said"),
    [
        (URLError("no route"), "OpenML cannot be reached for its data set 7"),
        (ValueError("Dataset with data_id 7 not found."), "OpenML does not give its data set 7: Dataset with"),
        (EOFError("Compressed file ended"), "OpenML's data set 7 arrived incomplete or damaged"),
        (IncompleteRead(b"half"), "OpenML's data set 7 arrived incomplete or damaged"),
        (zlib.error("invalid block type"), "OpenML's data set 7 arrived incomplete or damaged"),
        (bunch(1), "OpenML's data set 7 is not the published one: it has 1 rows of 3 columns"),
    ],
)
def test_both_fail(tmp_path, monkeypatch, server, know, give, said):
    know(sky(data_id=7))
    openml(monkeypatch, give)
    server.stop()
    message = failure()
    assert message.startswith("Sky: the set could not be fetched (http://127.0.0.1")
    assert f"; {said}" in message
    assert kept(tmp_path) == []


@pytest.mark.parametrize("before", [None, 77.0])
def test_a_server_of_openml_that_never_answers(monkeypatch, server, know, before):
    know(sky(data_id=7, folder=None))
    monkeypatch.setattr(module, "TIMEOUT", 0.05)
    ours = socket.getdefaulttimeout()
    socket.setdefaulttimeout(before)
    try:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}"
            monkeypatch.setattr(module, "fetch_openml", lambda **_: urlopen(address))
            assert "(OpenML cannot be reached for its data set 7)" in failure()
        assert socket.getdefaulttimeout() == before
    finally:
        socket.setdefaulttimeout(ours)


def test_scikit_learn_takes_what_it_is_asked(monkeypatch, server, know):
    """Up to the point where it would open the address."""

    def urlopen(*_):
        raise URLError("no route")

    know(sky(data_id=7, folder=None))
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", urlopen)
    with pytest.warns(UserWarning, match="A network error occurred"):
        assert "(OpenML cannot be reached for its data set 7)" in failure()


def test_nothing_half_written_stays_of_openml(tmp_path, monkeypatch, server, know):
    know(sky(data_id=7, folder=None))
    openml(monkeypatch, bunch())

    def to_csv(self, path, index):
        path.write_text("p,q")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_csv", to_csv)
    assert "cannot be written to: No space left on device" in failure()
    assert kept(tmp_path) == []
