"""Where a file comes from: a path, bytes or an upload, packed or not, always read from its start.

Text is UTF-8; a byte that is not is taken for Windows' superset of Latin-1, byte by byte, so that one pass is
enough and a file need not be held in memory to find out how it was written.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from trellislib.data.dataset import DataError
from trellislib.data.reading.packing import unpacked

FileLike = str | os.PathLike[str] | bytes | BinaryIO

MAX_LINE = 64 * 2**20
"""Characters of a line; a row of a million numbers has a quarter of them."""

UTF_8, UTF_16, WINDOWS = "UTF-8", "UTF-16", "Windows-1252 (Latin-1)"

_CONTROL = bytes(range(9)) + bytes(range(14, 27)) + bytes(range(28, 32)) + b"\x7f"
_XML = "is XML, not a table; give the table, and this file as the one that names its labels"
_WEB = "is a web page, not a table; download the file that the page links to"
_PICTURE = "is a picture, not a table"
_SAVE = "save it in UTF-8"
_KNOWN_FORMS = tuple(
    (re.compile(mark, re.IGNORECASE | re.DOTALL), cause)
    for mark, cause in (
        (rb"version https://git-lfs", "is a Git LFS pointer, not the data; fetch the file itself with 'git lfs pull'"),
        (rb"pk(\x03\x04|\x05\x06)", "is a zip archive or an Excel workbook; unpack it, or save the sheet as CSV"),
        (rb"rar!\x1a|7z\xbc\xaf\x27\x1c", "is a RAR or 7z archive; unpack it first"),
        (rb"\x28\xb5\x2f\xfd", "is packed with Zstandard; unpack it first"),
        (rb".{257}ustar", "is a tar archive; unpack it first"),
        (rb"%pdf-", "is a PDF document, not a table"),
        (rb"\{\\rtf", "is a text document (RTF), not a table"),
        (rb"<(!doctype html|html|head|body|!--|script)", _WEB),
        (rb"<(\?xml|labels|!doctype)", _XML),
        (
            rb"\x80[\x02-\x05]",
            "is a pickle, a binary file that is never loaded, since it can run code; write the table as CSV",
        ),
        (rb"\x89png|\xff\xd8\xff|gif8[79]a|bm....\0\0\0\0|ii\*\0|mm\0\*", _PICTURE),
        (rb"sqlite format 3\0", "is an SQLite database; write the table as CSV"),
        (rb"\x89hdf\r\n", "is an HDF5 file; write the table as CSV, NPZ or an older MATLAB file (-v7)"),
        (rb"\xd0\xcf\x11\xe0", "is an old Excel workbook (.xls); save it as .xlsx or CSV"),
        (
            rb"(?:[\t\r\n -~]\0){4}|(?:\0[\t\r\n -~]){4}",
            "is text in UTF-16 that does not start with its mark; " + _SAVE,
        ),
        (rb"\xff\xfe\0\0|\0\0\xfe\xff|(?:[\t\r\n -~]\0{3}){2}|(?:\0{3}[\t\r\n -~]){2}", "is text in UTF-32; " + _SAVE),
    )
)
_FORM_BYTES = 4096
_NO_SIGN = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
"""What no name of a file may have: ends of lines, which would break out of a line, and signs that turn it round."""


_FROM_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", errors="replace") for byte in range(128, 256)}
_NO_UTF8 = re.compile("[\udc80-\udcff]")


class Source:
    r"""Something to read a data set from, and the name it goes by in messages.

    Parameters
    ----------
    source : str, path, bytes, binary file or Source
        A path, the content itself, or an open file (an upload), which is read from its start.
    name : str, optional
        What to call it; by default the file's own name.

    Attributes
    ----------
    name : str
        What messages call it.
    packing : tuple of str
        What it is packed with ("gzip", "bzip2", "xz", "zip"), outermost first; known once it was opened.
    encoding : str
        How its text is encoded: `UTF_8`, `UTF_16` or `WINDOWS`; known once the text was read.
    sheet : str or None
        Of a workbook, the sheet that is wanted; None where nobody said which.

    Examples
    --------
    >>> source = Source(b"one\ntwo\n", "numbers.txt")
    >>> with source.text() as text:
    ...     print(list(text))
    ['one\n', 'two\n']
    >>> source.as_read
    'in UTF-8'
    """

    def __init__(self, source: FileLike | Source, name: str | None = None):
        self.name: str
        self.packing: tuple[str, ...] = ()
        self.encoding = UTF_8
        self.sheet: str | None = None
        self._content: bytes | Path | Callable[[], AbstractContextManager[io.BufferedReader]]
        if isinstance(source, Source):
            self._content, own_name, self.sheet = source._content, source.name, source.sheet
        elif isinstance(source, (str, os.PathLike)):
            if "\n" in os.fspath(source):
                raise DataError(
                    f"{name or 'data'}: a text of several lines is no path; give what is in a file as bytes."
                )
            self._content = Path(source)
            own_name = self._content.name
        elif isinstance(source, (bytes, bytearray, memoryview)):
            self._content, own_name = bytes(source), "data"
        else:
            own_name = Path(str(getattr(source, "name", "data"))).name
            self._content = _content_of(source, name or own_name)
        self.name = _NO_SIGN.sub(" ", name or own_name).strip() or "data"

    @classmethod
    def within(cls, opened: Callable[[], AbstractContextManager[io.BufferedReader]], name: str) -> Source:
        """Return the source of a file in an archive, which `opened` opens at its start each time."""
        source = cls(b"", name)
        source._content = opened
        return source

    def error(self, cause: str, line: int | None = None) -> DataError:
        """Return the error that says what is wrong with this file, and on which line."""
        return DataError(f"{self.name}: {f'line {line}: ' if line else ''}{cause}.", [self.name])

    @property
    def as_read(self) -> str:
        """How its text was read, for a sentence: "in UTF-8", or "in UTF-8, unpacked from gzip"."""
        return f"in {self.encoding}{self.unpacked_from}"

    @property
    def unpacked_from(self) -> str:
        """What it was unpacked from, for a sentence: ", unpacked from gzip in zip"; empty where it was not packed."""
        return f", unpacked from {' in '.join(reversed(self.packing))}" if self.packing else ""

    @contextmanager
    def binary(self) -> Iterator[io.BufferedReader]:
        """Open for reading bytes, unpacked where they are gzip, bzip2, xz, or a zip of one file.

        A workbook, an .npz file and a zip of several files are opened as they are. What is unpacked cannot be sought
        in: read it from start to end.

        Raises
        ------
        DataError
            If there is no such file, it cannot be read, or its archive is damaged or a bomb; while it is read, too.
        """
        try:
            with self._open() as file, unpacked(file, self.error) as (content, self.packing):
                yield content
        except FileNotFoundError as error:
            raise self.error(f"there is no such file ({self._content!s})") from error
        except OSError as error:
            raise self.error(f"the file cannot be read ({error.strerror or error})") from error

    def _open(self) -> AbstractContextManager[io.BufferedReader]:
        if isinstance(self._content, bytes):
            return io.BufferedReader(io.BytesIO(self._content))
        if callable(self._content):
            return self._content()
        try:
            mode = self._content.stat().st_mode
            if not stat.S_ISREG(mode):  # opening a pipe would wait for ever, and a device may have no end
                what = "a folder" if stat.S_ISDIR(mode) else "a pipe or a device"
                raise self.error(f"the file cannot be read (this is {what})")
            return self._content.open("rb")
        except DataError:
            raise
        except ValueError as error:  # a name with a NUL in it
            raise self.error(f"this is no file name ({error})") from error

    def content(self, most: int) -> bytes:
        """Return all the bytes, unpacked, of a file that must be read at once.

        Raises
        ------
        DataError
            As `binary` does, and if there are more than `most` bytes.
        """
        chunks, size = [], 0
        with self.binary() as file:
            while chunk := file.read(2**16):  # asked for more, it would take the memory first
                chunks.append(chunk)
                size += len(chunk)
                if size > most:
                    raise self.error(f"the file has more than {most // 2**20:,} MB, which none of its kind needs")
        return b"".join(chunks)

    @contextmanager
    def text(self) -> Iterator[io.TextIOWrapper]:
        """Open for reading text, without its byte-order mark and with every line ending in a newline.

        Raises
        ------
        DataError
            If it cannot be read, is empty, or is plainly no text; while it is read, if a line is longer than `MAX_LINE`
            or has a NUL in it.
        """
        with self.binary() as raw:
            head = raw.peek(_FORM_BYTES)[:_FORM_BYTES]
            wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and head[2:4] != b"\0\0"  # as of UTF-32
            self._refuse_what_is_no_text(head, wide=wide)
            self.encoding = UTF_16 if wide else UTF_8
            text = _Text(raw, self)
            try:
                yield text
            except UnicodeDecodeError as error:
                raise self.error("the text is cut short or not in the UTF-16 that its first bytes announce") from error
            finally:
                text.detach()  # leaves closing to `binary`, which opened it

    def _refuse_what_is_no_text(self, head: bytes, *, wide: bool) -> None:
        if not head:
            raise self.error("the file is empty (zero bytes)")
        start = head.decode("utf-16", errors="ignore").encode(errors="replace") if wide else head
        start = start.removeprefix(codecs.BOM_UTF8).lstrip()
        for mark, cause in _KNOWN_FORMS:
            if mark.match(start):
                raise self.error(f"this {cause}")
        n_control = len(head) - len(head.translate(None, _CONTROL))
        if not wide and (b"\0" in head or n_control > len(head) / 20):
            raise self.error("this is a binary file, not text; expected an ARFF or CSV file")


class _Text(io.TextIOWrapper):
    """The text of a source: bytes that are no UTF-8 as Windows means them, and no line without end."""

    def __init__(self, raw: io.BufferedReader, source: Source):
        wide = source.encoding == UTF_16
        super().__init__(raw, "utf-16" if wide else "utf-8-sig", errors="strict" if wide else "surrogateescape")
        self._source = source
        self._line = 0

    def readline(self, size: int = -1) -> str:  # type: ignore[override]
        """Return the next line."""
        line = super().readline(MAX_LINE + 1 if size < 0 else size)
        self._line += 1
        if len(line) > MAX_LINE:
            raise self._source.error(f"a line has more than {MAX_LINE:,} characters, which no table has", self._line)
        if "\0" in line:
            raise self._source.error("there is a NUL byte; the file is damaged, or binary", self._line)
        return line if line.isascii() else self._meant(line)

    def read(self, size: int | None = -1) -> str:
        """Return the rest of the text."""
        return self._meant(super().read(size))

    def _meant(self, text: str) -> str:
        if _NO_UTF8.search(text):
            self._source.encoding = WINDOWS
            return text.translate(_FROM_WINDOWS)
        return text


def decoded(content: bytes) -> str:
    """Return UTF-8 as text, and bytes that are none as Windows means them."""
    return content.decode(errors="surrogateescape").translate(_FROM_WINDOWS)


def _content_of(file: Any, name: str) -> bytes:
    """Return all that is in an open file."""
    try:
        if file.seekable():
            file.seek(0)
        content: bytes | str = file.read()
    except (OSError, ValueError) as error:  # ValueError: it is closed
        raise DataError(f"{name}: the file cannot be read ({error}).") from error
    return content.encode(errors="replace") if isinstance(content, str) else content
