import gzip
import io
import lzma
import tarfile
import zipfile

import numpy as np
import pytest

from trellislib.data.dataset import DataError
from trellislib.data.reading import archive, packing
from trellislib.data.reading.archive import members

FILES = {"set/x.csv": b"a,b\n1,2\n", "set/labels.xml.gz": gzip.compress(b"<labels/>"), "readme": b"hi"}


def zipped(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return packed.getvalue()


def tarred(files, mode="w"):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as opened:
        for name, content in files.items():
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(content)
            opened.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def content_of(member):
    with member.binary() as file:
        return file.read()


PACK = [zipped, tarred] + [lambda files, mode=mode: tarred(files, mode) for mode in ("w:gz", "w:bz2", "w:xz")]


@pytest.mark.parametrize("pack", PACK)
def test_members_are_sources_in_the_order_of_the_archive(pack, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(pack(FILES | {"__MACOSX/._x": b"\0", "set/Thumbs.db": b"\0"}))
    for source in (path, path.read_bytes()):
        found = members(source)
        assert [member.name for member in found] == ["x.csv", "labels.xml.gz", "readme"]
        for _ in range(2):
            assert [content_of(member) for member in found] == [b"a,b\n1,2\n", b"<labels/>", b"hi"]
        assert found[1].packing == ("gzip",)


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_names_keep_their_folders_where_they_are_not_unique(pack):
    found = members(pack({"train/x.csv": b"1", "test/x.csv": b"2", "test/y.csv": b"3"}))
    assert [member.name for member in found] == ["train/x.csv", "test/x.csv", "y.csv"]
    assert [content_of(member) for member in found] == [b"1", b"2", b"3"]


def test_what_is_no_archive_of_files_is_its_own_only_member():
    arrays = io.BytesIO()
    np.savez(arrays, X=np.eye(2), Y=np.eye(2))
    workbook = zipped({"[Content_Types].xml": b"<", "xl/workbook.xml": b"<"})
    for content in (
        b"a,b\n",
        b"",
        gzip.compress(b"a,b\n", mtime=0),
        zipped({"x.csv": b"a"}),
        arrays.getvalue(),
        workbook,
    ):
        (only,) = members(content, "it")
        assert only.name == "it"


def test_a_workbook_in_an_archive_can_be_read():
    workbook = zipped({"[Content_Types].xml": b"<", "xl/workbook.xml": b"<"})
    for pack in (zipped, tarred):
        assert content_of(members(pack({"book.xlsx": workbook, "x.csv": b"1"}))[0]) == workbook


def refused(content):
    with pytest.raises(DataError) as caught:
        [content_of(member) for member in members(content, "a.zip")]
    assert str(caught.value).startswith(("a.zip: ", "x: "))
    return str(caught.value)


def test_paths_and_links_that_lead_outside_are_refused():
    for path in ("../x", "/etc/x", "a/../../x", "C:\\x", "..\\x"):
        assert "lies outside" in refused(zipped({path: b"1", "b": b"2"}))
        assert "lies outside" in refused(tarred({path: b"1", "b": b"2"}))
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE):
        info = tarfile.TarInfo("x")
        info.type, info.linkname = kind, "/etc/passwd"
        assert "is a link" in refused(tarred({info: b""}))


def test_too_many_members_and_the_same_name_twice(monkeypatch):
    monkeypatch.setattr(packing, "MAX_MEMBERS", 3)
    monkeypatch.setattr(archive, "MAX_MEMBERS", 3)
    many = {str(i): b"1" for i in range(4)}
    assert "holds more than" in refused(zipped(many))
    assert "holds more than" in refused(tarred(many))
    twice = tarred({tarfile.TarInfo("x"): b"1", tarfile.TarInfo("y"): b"1"}).replace(b"y\0", b"x\0", 1)
    fixed = bytearray(twice)
    header = fixed[1024:1536]
    header[148:156] = b" " * 8
    fixed[1024 + 148 : 1024 + 156] = f"{sum(header):06o}\0 ".encode()
    assert "have the same name" in refused(bytes(fixed))


def test_a_bomb_among_the_members_is_refused(monkeypatch):
    monkeypatch.setattr(packing, "UNSUSPICIOUS", 2**16)
    bomb = b"0,0\n" * 2**19
    assert "bomb" in refused(zipped({"x": bomb, "y": b"1"}))
    assert "bomb" in refused(zipped({"x": gzip.compress(bomb), "y": b"1"}))
    assert "bomb" in refused(tarred({"x": bomb, "y": b"1"}, "w:gz"))
    assert "bomb" in refused(tarred({"x": lzma.compress(bomb * 8), "y": b"1"}))


@pytest.mark.parametrize("pack", PACK)
def test_an_archive_that_is_cut_short_is_refused(pack):
    whole = pack({"x.csv": bytes(range(256)) * 8, "y.csv": b"2"})
    causes = set()
    for cut in range(1, len(whole), 23):
        try:
            [content_of(member) for member in members(whole[:cut], "a.zip")]
        except DataError as error:
            causes.add(str(error).partition(": ")[2])
    assert causes
    assert all(cause.endswith("archive is damaged or cut short.") for cause in causes)
