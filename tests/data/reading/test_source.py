import bz2
import gzip
import io
import lzma
import os
import zipfile

import numpy as np
import pytest
from sentences import alike, has_line

from trellislib.data.dataset import DataError
from trellislib.data.reading import packing, source
from trellislib.data.reading.arff import read_arff
from trellislib.data.reading.source import Source

TEXT = "@relation t\n@attribute größe numeric\n@data\n1\n2\n"


def zipped(files, **kwargs):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, **kwargs) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def text_of(content, name="t.arff"):
    opened = Source(content, name)
    with opened.text() as text:
        return text.read(), opened


def cause_of(content):
    with pytest.raises(DataError) as caught, Source(content, "t.arff").text() as text:
        list(text)
    message = str(caught.value)
    assert message.startswith("t.arff: ")
    assert message.endswith(".")
    assert len(message) < 250
    return message.removeprefix("t.arff: ")


@pytest.mark.parametrize(
    ("pack", "packing"),
    [
        (lambda content: content, ()),
        (gzip.compress, ("gzip",)),
        (bz2.compress, ("bzip2",)),
        (lzma.compress, ("xz",)),
        (lambda content: zipped({"a/t.arff": content}), ("zip",)),
        (lambda content: zipped({"t.arff": content, "__MACOSX/._t.arff": b"\0", "a/.DS_Store": b"\0"}), ("zip",)),
        (lambda content: zipped({"t.arff.gz": gzip.compress(content)}), ("zip", "gzip")),
        (lambda content: bz2.compress(lzma.compress(gzip.compress(content))), ("bzip2", "xz", "gzip")),
    ],
)
def test_what_is_packed_is_read_as_if_it_were_not(pack, packing, tmp_path):
    packed = pack(TEXT.encode())
    path = tmp_path / "no ending"
    path.write_bytes(packed)
    for content in (packed, path, io.BytesIO(packed)):
        text, opened = text_of(content)
        assert text == TEXT
        assert opened.packing == packing
        assert text_of(opened)[0] == TEXT  # a second time
    expected = {
        (): "in UTF-8",
        ("gzip",): "in UTF-8, unpacked from gzip",
        ("zip", "gzip"): "in UTF-8, unpacked from gzip in zip",
    }
    assert opened.as_read == expected.get(packing, opened.as_read)


def test_what_is_packed_too_often_is_refused():
    content = TEXT.encode()
    for _ in range(4):
        content = gzip.compress(content)
    has_line(cause_of(content), "packed more than 3 times over")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, lambda content: zipped({"a": content})])
def test_a_damaged_archive_is_refused_wherever_it_is_damaged(pack):
    packed = pack(TEXT.encode() + bytes(range(32, 127)) * 20)
    kind = Source(packed)
    with kind.binary() as file:
        whole = file.read()
    causes = set()
    for cut in range(10, len(packed)):
        try:
            with Source(packed[:cut], "t.arff").binary() as file:
                content = file.read()
        except DataError as error:
            causes.add(str(error))
        else:  # the end of some formats says nothing that is needed
            assert content in (whole, packed[:cut])
    alike(causes, {f"t.arff: the {kind.packing[0]} archive is damaged or cut short."})


@pytest.mark.parametrize(
    "pack",
    [
        gzip.compress,
        bz2.compress,
        lzma.compress,
        lambda content: zipped({"a": content}),
        lambda content: zipped({"a": gzip.compress(content)}),
    ],
)
def test_a_bomb_is_stopped_by_its_ratio_and_by_its_size(pack, monkeypatch):
    monkeypatch.setattr(packing, "UNSUSPICIOUS", 2**16)
    packed = pack(b"0,0\n" * 2**19)
    assert len(packed) < 2**13
    has_line(cause_of(packed), "unpacks", "more than 800 times", "size", "archive bomb")
    monkeypatch.setattr(packing, "UNSUSPICIOUS", 2**30)
    monkeypatch.setattr(packing, "MAX_UNPACKED", 2**20)
    has_line(cause_of(packed), "too much", "data set")


def test_a_zip_with_a_false_size_gives_no_more_than_it_declares():
    packed = bytearray(zipped({"a": b"0,0\n" * 1000}))
    for mark, at in ((b"PK\1\2", 24), (b"PK\3\4", 22)):
        where = packed.index(mark) + at
        packed[where : where + 4] = (8).to_bytes(4, "little")
    assert "damaged" in cause_of(bytes(packed))


def patched(content, mark, at, value):
    where = content.index(mark) + at
    return content[:where] + value + content[where + len(value) :]


def test_bad_zips():
    good = zipped({"a": b"1", "b": b"2"})
    has_line(cause_of(patched(good, b"PK\1\2", 8, b"\1")), "'a'", "zip archive", "encrypted")
    assert "overlap" in cause_of(patched(good, b"PK\1\2", 20, (2**20).to_bytes(4, "little")))
    has_line(cause_of(zipped({"../a": b"1"})), "'../a'", "zip archive lies outside")
    has_line(cause_of(patched(good, b"PK\1\2", 28, b"\0\0\1\0")), "''", "zip archive lies outside")
    assert "holds no file" in cause_of(zipped({"__MACOSX/a": b"1"}))
    assert "holds no file" in cause_of(zipped({}))
    assert "more than 1,000 files" in cause_of(zipped({str(i): b"" for i in range(1001)}))
    has_line(cause_of(good), "zip archive", "Excel workbook")
    assert "is damaged" in cause_of(patched(zipped({"a": b"1"}), b"PK\1\2", 10, b"\x63"))  # no such way to pack
    link = zipfile.ZipInfo("a")
    link.external_attr = 0o120777 << 16
    assert "is a link" in cause_of(zipped({link: "/etc/passwd"}))


def test_a_zip_with_a_long_list_of_members_is_not_read(monkeypatch):
    monkeypatch.setattr(packing, "_MAX_DIRECTORY", 200)
    assert "holds more than" in cause_of(zipped({"a" * 100: b"1", "b" * 100: b"2"}))


def test_workbooks_and_arrays_are_opened_as_they_are():
    arrays = io.BytesIO()
    np.savez(arrays, X=np.eye(2))
    for content in (arrays.getvalue(), zipped({"[Content_Types].xml": b"<"}), zipped({"mimetype": b"x"})):
        opened = Source(content)
        with opened.binary() as file:
            assert file.read() == content
            assert file.seekable()
        assert opened.packing == ()


@pytest.mark.parametrize(
    ("content", "text", "encoding"),
    [
        (b"a\nb", "a\nb", "UTF-8"),
        (b"\xef\xbb\xbfa\r\nb", "a\nb", "UTF-8"),
        ("ü€".encode(), "ü€", "UTF-8"),
        ("ü€".encode("utf-16-le"), None, None),
        (b"\xff\xfe" + "ü€\n".encode("utf-16-le"), "ü€\n", "UTF-16"),
        (b"\xfe\xff" + "ü€\n".encode("utf-16-be"), "ü€\n", "UTF-16"),
        (b"\xfc\x80 \xc3\xbc", "ü€ ü", "Windows-1252 (Latin-1)"),
        (b"\x81.", "\ufffd.", "Windows-1252 (Latin-1)"),
        (b"a\rb\r", "a\nb\n", "UTF-8"),
    ],
)
def test_encodings_and_line_ends(content, text, encoding):
    if text is None:
        assert "binary" in cause_of(content + b"\n\0")
        return
    read, opened = text_of(content)
    assert read == text
    assert opened.encoding == encoding
    with opened.text() as lines:
        assert "".join(lines) == text
    assert opened.encoding == encoding


def test_a_windows_byte_far_into_the_file_is_noted():
    opened = Source(b"x,1\n" * 10_000 + b"\xe9\n")
    with opened.text() as text:
        next(text)
        assert opened.encoding == "UTF-8"  # as far as it was read
        assert list(text)[-1] == "é\n"
    assert opened.as_read == "in Windows-1252 (Latin-1)"


def test_a_line_without_end_is_stopped(monkeypatch):
    monkeypatch.setattr(source, "MAX_LINE", 1000)
    alike(cause_of(b"1\n" + b"0" * 1000 + b"\n"), "line 2: a line has more than 1,000 characters, which no table has.")
    text_of(b"1\n" + b"0" * 999 + b"\n")


def test_a_nul_is_named_with_its_line():
    alike(cause_of(b"1,2\n" * 2000 + b"1,\0\n"), "line 2001: there is a NUL byte; the file is damaged, or binary.")


def test_half_a_character_at_the_end_of_utf16():
    assert "not in the UTF-16" in cause_of("a\n".encode("utf-16") + b"\x00")


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (b"", "the file is empty (zero bytes)."),
        (
            "x,a\n1,0\n".encode("utf-16-le"),
            "this is text in UTF-16 that does not start with its mark; save it in UTF-8.",
        ),
        (
            "x,a\n1,0\n".encode("utf-16-be"),
            "this is text in UTF-16 that does not start with its mark; save it in UTF-8.",
        ),
        ("x,a\n1,0\n".encode("utf-32-le"), "this is text in UTF-32; save it in UTF-8."),
        ("x,a\n1,0\n".encode("utf-32-be"), "this is text in UTF-32; save it in UTF-8."),
        (b"\xff\xfe\0\0" + "x,a\n1,0\n".encode("utf-32-le"), "this is text in UTF-32; save it in UTF-8."),
        (b"version https://git-lfs.github.com/spec/v1\noid", "this is a Git LFS pointer"),
        (b"%PDF-1.4\n", "this is a PDF document"),
        (b"\n <!DOCTYPE HTML>\n<p>", "this is a web page"),
        ("<html>".encode("utf-16"), "this is a web page"),
        (b"<?xml version='1.0'?>", "this is XML, not a table"),
        (b"\x80\x04\x95rest", "this is a pickle, a binary file that is never loaded, since it can run code"),
        (b"Rar!\x1a\x07\x00", "this is a RAR or 7z archive"),
        (b"7z\xbc\xaf\x27\x1c", "this is a RAR or 7z archive"),
        (b"\x28\xb5\x2f\xfdrest", "this is packed with Zstandard"),
        (b"SQLite format 3\0", "this is an SQLite database"),
        (b"\x89PNG\r\n\x1a\n", "this is a picture"),
        (b"\xff\xd8\xff\xe0", "this is a picture"),
        (b"\x89HDF\r\n\x1a\n", "this is an HDF5 file"),
        (b"\xd0\xcf\x11\xe0\xa1", "this is an old Excel workbook"),
        (b"\1\2\3\4", "this is a binary file"),
    ],
)
def test_what_is_no_table_is_called_what_it_is(content, cause):
    assert cause_of(content).startswith(cause)


def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", "/dev/zero"):
        with pytest.raises(DataError, match=r"cannot .*read \(this .*pipe .*device\)\.$"):
            read_arff(path)
    with pytest.raises(DataError, match=r"cannot .*read \(this .*folder\)\.$"):
        read_arff(tmp_path)
    with pytest.raises(DataError, match=r"there is no such file"):
        read_arff(tmp_path / "none")
    with pytest.raises(DataError, match=r"this is no file name"):
        read_arff("a\0b")


def test_an_upload_that_cannot_be_read():
    closed = io.BytesIO(b"x")
    closed.close()
    with pytest.raises(DataError, match=r"^up\.csv: .*file cannot .*read"):
        Source(closed, "up.csv")


def test_the_content_of_a_file_is_no_path():
    with pytest.raises(DataError) as caught:
        Source("x,a\n1,0\n")
    alike(str(caught.value), "data: a text of several lines is no path; give what is in a file as bytes.")


def test_no_name_holds_the_end_of_a_line():
    assert Source(b"", "sky\nprint(1)\u2028.arff").name == "sky print(1) .arff"
    assert Source(b"", "\n").name == "data"


def test_what_would_take_too_long_is_refused_from_its_start(monkeypatch):
    content = "".join(f"{n * 7919 % 10**9},{n % 7},{n % 7}\n" for n in range(100_000)).encode()
    monkeypatch.setattr(packing, "TOO_LONG", (2**20, 2))
    monkeypatch.setattr(packing, "_FORETOLD", 2**18)
    opened = Source(gzip.compress(content, 5), "wide.csv.gz")
    with pytest.raises(DataError, match=r"wide\.csv\.gz: .*about \d+ MB"), opened.binary() as file:
        file.read()
    with Source(gzip.compress(content, 0)).binary() as file:  # hardly packed, so that nobody is surprised
        assert len(file.read()) == len(content)
