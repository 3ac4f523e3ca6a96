"""What is packed, unpacked as it is read, and never more of it than an honest data set needs.

The first bytes of a file show what it is packed with. What comes out is counted, whatever the headers say: a file
that unpacks without end, or to absurdly more than it was, is refused before it takes memory.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import PurePosixPath
from tarfile import TarError
from typing import Any, BinaryIO, cast
from zipfile import BadZipFile, ZipFile, ZipInfo

from trellislib.data.dataset import DataError

MAX_UNPACKED = 4 * 2**30
"""Bytes that a packed file may unpack to; a dense table of that size fills the memory of any desk several times."""

UNSUSPICIOUS = 64 * 2**20
"""Bytes that may come out of any file, however small it is: a file of zeros packs well."""

MAX_RATIO = 800
"""How many bytes may come out of one that is read, past `UNSUSPICIOUS`: a dense table of which one random cell in a
thousand is not 0 stays below (486 for gzip, 643 for bzip2, 432 for xz); gzip itself cannot do more than 1032."""

TOO_LONG = 128 * 2**20, 100
"""Bytes that a file may unpack to, and how many times its size, before reading it takes too long: it is refused if what
its first `_FORETOLD` bytes came from says that it will unpack to more than both."""

MAX_LAYERS = 3
"""How often a file may be packed over, as ``x.arff.gz`` in a zip is twice."""

MAX_MEMBERS = 1000
"""Files that an archive may hold."""

_MAX_DIRECTORY = 4 * 2**20  # bytes of a zip's list of members, which is read at once
_LOCAL_HEADER = 30  # the least bytes that stand before a member of a zip
_HEAD = 10
_FORETOLD = 4 * 2**20
_STREAMS: tuple[tuple[re.Pattern[bytes], str, Callable[[Any], Any]], ...] = (
    (re.compile(rb"\x1f\x8b"), "gzip", lambda file: gzip.GzipFile(fileobj=file)),
    (re.compile(rb"BZh[1-9](?:1AY&SY|\x17\x72\x45\x38\x50\x90)"), "bzip2", bz2.BZ2File),
    (re.compile(rb"\xfd7zXZ\x00"), "xz", lzma.LZMAFile),
)
DAMAGED = (
    BadZipFile,
    OSError,
    TarError,
    ValueError,
    EOFError,
    MemoryError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    lzma.LZMAError,
    struct.error,
    zlib.error,
)
"""What unpacking or parsing damaged bytes raises."""

TOO_MANY = f"the archive holds more than {MAX_MEMBERS:,} files; unpack it and give the ones that you mean"
_JUNK = re.compile(r"(?:^|/)(?:__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)", re.IGNORECASE)
_OUTSIDE = re.compile(r"^$|^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)")

Refusal = Callable[[str], DataError]


@contextmanager
def unpacked(file: io.BufferedReader, refuse: Refusal) -> Iterator[tuple[io.BufferedReader, tuple[str, ...]]]:
    """Unpack a file as it is read.

    Raises `DataError` if an archive is damaged, encrypted or a bomb, or packed more than `MAX_LAYERS` times. While it
    is read, too.

    - `file`: At its start.
    - `refuse`: Makes the error of a cause.
    - `file`: What is in it; the file itself where it is not packed, or holds several files.
    - `packing`: What it was packed with, outermost first.

    Examples
    --------
    >>> with unpacked(io.BufferedReader(io.BytesIO(gzip.compress(b"owl"))), DataError) as (content, packing):
    ...     print(content.read(), packing)
    b'owl' ('gzip',)
    """
    packed, stream = counted(file, refuse)
    packing: tuple[str, ...] = ()
    with ExitStack() as stack:
        while layer := _layer(file, stream, refuse, stack):
            if len(packing) == MAX_LAYERS:
                raise refuse(f"it is packed more than {MAX_LAYERS} times over; unpack it first")
            kind, content = layer
            packing += (kind,)
            file = stream = stack.enter_context(buffered(content, packed, kind))
        yield file, packing


def _layer(file: io.BufferedReader, stream: Any, refuse: Refusal, stack: ExitStack) -> tuple[str, Any] | None:
    """Return what a file, read as `stream`, is packed with, and what is in it; None where it is not packed."""
    head = file.peek(_HEAD)[:_HEAD]
    for mark, kind, opened in _STREAMS:
        if mark.match(head):
            return kind, stack.enter_context(opened(stream))
    if is_zip(file):
        with damage_refused("zip", refuse):
            archive = stack.enter_context(open_zip(stream))
            files = data_files(archive, refuse)
            if files is not None and len(files) == 1:
                return "zip", stack.enter_context(archive.open(files[0]))
        file.seek(0)
    return None


def counted(file: io.BufferedReader, refuse: Refusal) -> tuple[Packed, Any]:
    """Return what counts the bytes that are read of the outermost file, and what to read `file` by."""
    if isinstance(file.raw, Unpacked):
        return file.raw.packed, file
    packed = Packed(file, refuse)
    return packed, packed


def is_zip(file: io.BufferedReader) -> bool:
    """Whether a file is a zip archive that can be looked into, which one inside another archive cannot."""
    return file.seekable() and file.peek(_HEAD).startswith((b"PK\x03\x04", b"PK\x05\x06"))


def open_zip(packed: Packed) -> ZipFile:
    """Open a zip archive; the list of its members is read."""
    return ZipFile(cast(BinaryIO, packed))


def data_files(archive: ZipFile, refuse: Refusal) -> list[ZipInfo] | None:
    """Return the files in a zip, without what systems add to it; None where it is a workbook or holds arrays.

    Raises `DataError` if it holds nothing, too much, something encrypted, or what lies or leads outside.
    """
    members = [member for member in archive.infolist() if not member.filename.endswith("/")]
    if len(members) > MAX_MEMBERS:
        raise refuse(TOO_MANY)
    for member in members:
        if member.flag_bits & 1:
            raise refuse(f"{member.filename!r} in the zip archive is encrypted; unpack it with its password first")
        if member.file_size > max(UNSUSPICIOUS, MAX_RATIO * member.compress_size):
            raise refuse(_bomb("zip"))
    if sum(member.file_size for member in members) > MAX_UNPACKED:
        raise refuse(_too_large("zip"))
    by_place = sorted(members, key=lambda member: member.header_offset)
    if any(a.header_offset + _LOCAL_HEADER + a.compress_size > b.header_offset for a, b in pairwise(by_place)):
        raise refuse("the files in the zip archive overlap, as those of an archive bomb do")
    names = [member.filename for member in members]
    if _is_document(names):
        return None
    files = [member for member in members if not is_junk(member.filename)]
    if not files:
        raise refuse("the zip archive holds no file")
    for member in files:
        if leads_outside(member.filename) or stat.S_ISLNK(member.external_attr >> 16):
            raise refuse(
                f"{member.filename!r} in the zip archive lies outside of it or is a link; pack the file itself"
            )
    return files


def leads_outside(path: str) -> bool:
    """Whether the path of a member is absolute, empty, or climbs out of its archive."""
    return _OUTSIDE.search(path) is not None


def is_junk(path: str) -> bool:
    """Whether a member is one that a system adds to an archive, and no file of its maker."""
    return _JUNK.search(path) is not None


def _is_document(names: list[str]) -> bool:
    """Whether files are the parts of an Excel or OpenDocument workbook, or the arrays of an .npz file."""
    arrays = [PurePosixPath(name).suffix == ".npy" for name in names]
    return "[Content_Types].xml" in names or "mimetype" in names or (bool(names) and all(arrays))


@contextmanager
def damage_refused(kind: str, refuse: Refusal) -> Iterator[None]:
    """Turn what unpacking damaged bytes raises into the error that says so."""
    try:
        yield
    except DataError:
        raise
    except DAMAGED as error:
        if isinstance(error, OSError) and error.errno is not None:  # the disk, not the archive
            raise
        raise refuse(f"the {kind} archive is damaged or cut short") from error


class Packed:
    """A packed file, how many bytes of it were read, and what makes its errors."""

    def __init__(self, file: io.BufferedReader, refuse: Refusal):
        self.file = file
        self.refuse = refuse
        self.n_read = 0
        self.size = 0  # unknown where it cannot be sought in
        if file.seekable():
            place = file.tell()
            self.size = file.seek(0, io.SEEK_END)
            file.seek(place)

    def read(self, size: int = -1) -> bytes:
        """Read bytes; only the list of a zip's members is read at once, and must not be long."""
        if size > _MAX_DIRECTORY:
            raise self.refuse(TOO_MANY)
        chunk = self.file.read(size)
        self.n_read += len(chunk)
        return chunk

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place."""
        return self.file.seek(offset, whence)

    def tell(self) -> int:
        """Return the place."""
        return self.file.tell()

    def seekable(self) -> bool:
        """Whether it can be sought in."""
        return self.file.seekable()


class Unpacked(io.RawIOBase):
    """The bytes that come out of a packed file, counted."""

    def __init__(self, content: Any, packed: Packed, kind: str):
        self.content = content
        self.packed = packed
        self.kind = kind
        self.n_unpacked = 0
        self.foretold = False  # whether its size was estimated from its start

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read bytes, unless there were too many."""
        refuse = self.packed.refuse
        with damage_refused(self.kind, refuse):
            chunk = self.content.read(len(buffer))
        self.n_unpacked += len(chunk)
        if self.n_unpacked > MAX_UNPACKED:
            raise refuse(_too_large(self.kind))
        if self.n_unpacked > max(UNSUSPICIOUS, MAX_RATIO * self.packed.n_read):
            raise refuse(_bomb(self.kind))
        if not self.foretold and self.n_unpacked > _FORETOLD:
            self.foretold = True
            expected = self.n_unpacked * self.packed.size / max(self.packed.n_read, 1)
            if expected > max(TOO_LONG[0], TOO_LONG[1] * self.packed.size):
                raise refuse(
                    f"the {self.kind} archive of {self.packed.size / 2**20:,.1f} MB unpacks to about "
                    f"{expected / 2**20:,.0f} MB, which takes too long to read; keep fewer rows, or unpack it"
                )
        buffer[: len(chunk)] = chunk
        return len(chunk)


def buffered(content: Any, packed: Packed, kind: str) -> io.BufferedReader:
    """Return the reader of what comes out of a packed file."""
    return io.BufferedReader(cast(io.RawIOBase, Unpacked(content, packed, kind)), 2**16)


def _too_large(kind: str) -> str:
    return f"the {kind} archive unpacks to more than {MAX_UNPACKED // 2**30} GB, which is too much for one data set"


def _bomb(kind: str) -> str:
    return (
        f"the {kind} archive unpacks to more than {MAX_RATIO} times its size, as an archive bomb does; "
        "if you trust it, unpack it first"
    )
