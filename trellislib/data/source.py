"""Where a file comes from: a path, bytes or an upload, plain or gzipped, always read from its start.

Text is UTF-8; a byte that is not is taken for Windows' superset of Latin-1, byte by byte, so that one pass is
enough and a file need not be held in memory to find out how it was written.
"""

from __future__ import annotations

import codecs
import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from trellislib.data.dataset import DataError

FileLike = str | os.PathLike[str] | bytes | BinaryIO

_CONTROL = bytes(range(9)) + bytes(range(14, 27)) + bytes(range(28, 32)) + b"\x7f"
_KNOWN_FORMS = (
    (b"version https://git-lfs", "is a Git LFS pointer, not the data; fetch the file itself with 'git lfs pull'"),
    (b"pk\x03\x04", "is a zip archive or an Excel workbook; unpack it, or save the sheet as CSV"),
    (b"%pdf-", "is a PDF document, not a table"),
    (b"<?xml", "is XML, not a table; give the table, and this file as the one that names its labels"),
    (b"<labels", "is XML, not a table; give the table, and this file as the one that names its labels"),
    (b"<!doctype", "is a web page, not a table; download the file that the page links to"),
    (b"<html", "is a web page, not a table; download the file that the page links to"),
)


def _windows(error: UnicodeError) -> tuple[str, int]:
    """Decode the bytes that are not UTF-8."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


codecs.register_error("trellislib.windows", _windows)


class Source:
    r"""Something to read a data set from, and the name it goes by in messages.

    Parameters
    ----------
    source : str, path, bytes, binary file or Source
        A path, the content itself, or an open file (an upload), which is read from its start.
    name : str, optional
        What to call it; by default the file's own name.

    Examples
    --------
    >>> with Source(b"one\ntwo\n", "numbers.txt").text() as text:
    ...     print(list(text))
    ['one\n', 'two\n']
    """

    def __init__(self, source: FileLike | Source, name: str | None = None):
        self.name: str
        self._content: bytes | Path
        if isinstance(source, Source):
            self._content, own_name = source._content, source.name
        elif isinstance(source, (str, os.PathLike)):
            self._content = Path(source)
            own_name = self._content.name
        elif isinstance(source, (bytes, bytearray, memoryview)):
            self._content, own_name = bytes(source), "data"
        else:
            if source.seekable():
                source.seek(0)
            content: bytes | str = source.read()
            self._content = content.encode() if isinstance(content, str) else content
            own_name = Path(str(getattr(source, "name", "data"))).name
        self.name = name or own_name or "data"

    def error(self, cause: str, line: int | None = None) -> DataError:
        """Return the error that says what is wrong with this file, and on which line."""
        return DataError(f"{self.name}: {f'line {line}: ' if line else ''}{cause}.")

    @contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        """Open for reading bytes, unpacked if they are gzipped.

        Raises
        ------
        DataError
            If there is no such file, it cannot be read, or its archive is damaged.
        """
        with ExitStack() as stack:
            try:
                packed = stack.enter_context(self._open())
                gzipped = packed.read(2) == b"\x1f\x8b"
                packed.seek(0)
                yield stack.enter_context(gzip.GzipFile(fileobj=packed)) if gzipped else packed  # type: ignore[misc]
            except FileNotFoundError as error:
                raise self.error(f"there is no such file ({self._content!s})") from error
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise self.error("the gzip archive is damaged or cut short") from error
            except OSError as error:
                raise self.error(f"the file cannot be read ({error.strerror or error})") from error

    def _open(self) -> BinaryIO:
        if isinstance(self._content, bytes):
            return io.BytesIO(self._content)
        try:
            return self._content.open("rb")
        except ValueError as error:  # a name with a NUL in it
            raise self.error(f"this is no file name ({error})") from error

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """Open for reading text, without its byte-order mark and with every line ending in a newline.

        Raises
        ------
        DataError
            If it cannot be read, is empty, or is plainly no text.
        """
        with self.binary() as raw:
            buffered = io.BufferedReader(raw)  # type: ignore[type-var]
            head = buffered.peek(4096)[:4096]
            encoding = "utf-16" if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
            self._refuse_what_is_no_text(head, wide=encoding == "utf-16")
            text = io.TextIOWrapper(
                buffered, encoding, errors="replace" if encoding == "utf-16" else "trellislib.windows"
            )
            try:
                yield text
            finally:
                text.detach().detach()  # leaves closing to `binary`, which opened it

    def _refuse_what_is_no_text(self, head: bytes, *, wide: bool) -> None:
        if not head:
            raise self.error("the file is empty (zero bytes)")
        start = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
        for mark, cause in _KNOWN_FORMS:
            if start.startswith(mark):
                raise self.error(f"this {cause}")
        n_control = len(head) - len(head.translate(None, _CONTROL))
        if not wide and (b"\0" in head or n_control > len(head) / 20):
            raise self.error("this is a binary file, not text; expected an ARFF or CSV file")
