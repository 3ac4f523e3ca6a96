"""Archives of several files, read without unpacking them to the disk."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import PurePosixPath

from trellislib.data.reading.packing import (
    MAX_MEMBERS,
    TOO_MANY,
    Packed,
    buffered,
    counted,
    damage_refused,
    data_files,
    is_junk,
    is_zip,
    leads_outside,
    open_zip,
)
from trellislib.data.reading.source import FileLike, Source

_TAR_HEADER = 512


def members(source: FileLike | Source, name: str | None = None) -> list[Source]:
    r"""Return the files in a zip or tar archive, the latter packed or not.

    In the order of the archive, each called by its name without its folders, or with them where another has the same.
    What is no archive, a workbook, an .npz file and a zip of one file (which `Source` unpacks) are their own only
    member. Raises `DataError` if the archive is damaged, encrypted or a bomb, has too many files, or one that lies or
    leads outside of it.

    Examples
    --------
    >>> from zipfile import ZipFile
    >>> content = io.BytesIO()
    >>> with ZipFile(content, "w") as archive:
    ...     archive.writestr("sky/x.csv", "a\n1\n")
    ...     archive.writestr("sky/y.csv", "b\n0\n")
    >>> [member.name for member in members(content)]
    ['x.csv', 'y.csv']
    """
    source = Source(source, name)
    with source.binary() as file:
        if is_zip(file):
            with damage_refused("zip", source.error), open_zip(Packed(file, source.error)) as archive:
                files = data_files(archive, source.error)
            opened, paths = _in_zip, [member.filename for member in files or ()]
        elif file.peek(_TAR_HEADER)[257:262] == b"ustar":
            with damage_refused("tar", source.error), tarfile.open(fileobj=file, mode="r|") as tar:
                opened, paths = _in_tar, list(_tar_files(tar, source))
        else:
            paths = []
    if not paths:
        return [source]
    if len(set(paths)) < len(paths):
        raise source.error("two files in the archive have the same name")
    names = [PurePosixPath(path).name for path in paths]
    return [
        Source.within(partial(opened, source, path), name if names.count(name) == 1 else path)
        for path, name in zip(paths, names, strict=True)
    ]


def _tar_files(tar: tarfile.TarFile, source: Source) -> Iterator[str]:
    """Yield the paths of the files in a tar archive."""
    for count, member in enumerate(tar, 1):
        if count > MAX_MEMBERS:
            raise source.error(TOO_MANY)
        if member.isdir() or is_junk(member.name):
            continue
        if not member.isreg() or member.issparse() or leads_outside(member.name):
            raise source.error(f"{member.name!r} in the tar archive is a link, no plain file, or lies outside of it")
        yield member.name


@contextmanager
def _in_zip(source: Source, path: str) -> Iterator[io.BufferedReader]:
    """Open a file in a zip archive."""
    with source.binary() as file, ExitStack() as stack:
        packed, stream = counted(file, source.error)
        with damage_refused("zip", source.error):
            archive = stack.enter_context(open_zip(stream))
            content = stack.enter_context(archive.open(path))
        yield stack.enter_context(buffered(content, packed, "zip"))


@contextmanager
def _in_tar(source: Source, path: str) -> Iterator[io.BufferedReader]:
    """Open a file in a tar archive, which is read up to there: only one that is not packed could be sought in."""
    with source.binary() as file, ExitStack() as stack:
        packed, stream = counted(file, source.error)
        with damage_refused("tar", source.error):
            tar = stack.enter_context(tarfile.open(fileobj=stream, mode="r|"))
            content = next(tar.extractfile(member) for member in tar if member.name == path)
        yield stack.enter_context(buffered(content, packed, "tar"))
