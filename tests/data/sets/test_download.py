"""Downloads that are interrupted, go on, and are checked."""

import hashlib
import socket
from importlib import import_module

import pytest
from sentences import holds

from trellislib.running.progress import CancelledError

pytest.importorskip("pooch")
module = import_module("trellislib.data.sets.download")
download, NotDownloadedError = module.download, module.NotDownloadedError

CONTENT = bytes(range(100))
SHA256 = f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"


@pytest.fixture
def server(tmp_path, monkeypatch, serve):
    monkeypatch.setattr(module, "_CHUNK", 16)
    (tmp_path / "server").mkdir()
    (tmp_path / "server/sky").write_bytes(CONTENT)
    return serve(tmp_path / "server")


@pytest.fixture
def get(tmp_path, server):
    """Return what downloads the file, after so many bytes of it (or others) have arrived before, and returns it."""
    folder = tmp_path / "kept"
    folder.mkdir()

    def get_it(part=None, checksum=SHA256, name="sky", **more):
        if part is not None:
            (folder / ".sky.part").write_bytes(part)
        download(server.address.replace("data", name), folder / "sky", checksum, **more)
        assert [path.name for path in folder.iterdir()] == ["sky"]
        return (folder / "sky").read_bytes()

    return get_it


def failure(get, *args, **kwargs):
    with pytest.raises(NotDownloadedError) as error:
        get(*args, **kwargs)
    return error.value


def test_once(server, get):
    arrived = []
    assert get(on_arrival=arrived.append) == CONTENT
    assert arrived == [16, 32, 48, 64, 80, 96, 100]
    assert get(on_arrival=arrived.append) == CONTENT
    assert server.ranges == [None]


@pytest.mark.parametrize("checksum", [None, f"md5:{hashlib.md5(CONTENT).hexdigest()}"])
def test_other_checksums(get, checksum):
    assert get(checksum=checksum) == CONTENT


@pytest.mark.parametrize("n_bytes", [None, 100])
@pytest.mark.parametrize(
    ("changed", "ranges", "codes"),
    [
        (None, ["bytes=50-"], [206]),
        ("without_ranges", ["bytes=50-"], [200]),
        ("wrong_ranges", ["bytes=50-", None], [206, 200]),
    ],
)
def test_a_download_goes_on_if_the_server_can(server, get, changed, ranges, codes, n_bytes):
    if changed:
        setattr(server, changed, True)
    assert get(CONTENT[:50], n_bytes=n_bytes) == CONTENT
    assert server.ranges == ranges
    assert [code for _, code in server.asked] == codes


def test_a_part_that_is_wrong_is_gone_on_with_once(server, get):
    assert get(b"moon") == CONTENT
    assert server.ranges == ["bytes=4-", None]


@pytest.mark.parametrize(
    ("part", "n_bytes", "ranges"),
    [
        (CONTENT, 100, []),
        (CONTENT, None, ["bytes=100-", None]),
        (CONTENT + b"more", 100, ["bytes=104-", None]),
        (CONTENT[::-1], 100, [None]),
    ],
)
def test_a_part_that_is_all_or_more(server, get, part, n_bytes, ranges):
    assert get(part, n_bytes=n_bytes) == CONTENT
    assert server.ranges == ranges


def test_a_connection_that_is_cut_again_and_again(server, get):
    server.cut = 40
    assert get() == CONTENT
    assert server.ranges == [None, "bytes=32-", "bytes=64-"]  # whole blocks of 16 are kept


def test_a_connection_that_gives_nothing_more(tmp_path, server, get):
    server.cut = 0
    assert str(failure(get, CONTENT[:50])) == f"{server.address.replace('data', 'sky')} cannot be reached"
    assert (tmp_path / "kept/.sky.part").read_bytes() == CONTENT[:50]
    server.cut = None
    assert get() == CONTENT
    assert server.ranges == ["bytes=50-", "bytes=50-"]


def test_cancelled(tmp_path, get):
    answers = iter([False, False, False, True])
    with pytest.raises(CancelledError):
        get(cancelled=lambda: next(answers))
    assert (tmp_path / "kept/.sky.part").read_bytes() == CONTENT[:32]
    assert get(cancelled=lambda: False) == CONTENT


@pytest.mark.parametrize("more", [{"checksum": f"sha256:{'0' * 64}"}, {"n_bytes": 60}])
@pytest.mark.parametrize("part", [None, CONTENT[:50]])
def test_another_file_than_was_published(tmp_path, get, more, part):
    why = str(failure(get, part, **more))
    holds(why, "sky", "damaged or changed", "checksum")
    assert list((tmp_path / "kept").iterdir()) == []


def test_what_is_not_there(get):
    assert failure(get, name="moon").status == 404


def test_a_server_that_is_not_there(server, get):
    server.stop()
    assert failure(get).status is None


def test_a_server_that_never_answers(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "TIMEOUT", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/sky"
        with pytest.raises(NotDownloadedError, match="cannot be reached"):
            download(address, tmp_path / "sky")


def test_a_folder_that_cannot_be_written_to(tmp_path, server):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(NotDownloadedError, match="cannot be written to"):
        download(server.address.replace("data", "sky"), tmp_path / "file/sky")
