"""Several files at once: which of them belong together, and what data sets they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from trellislib.data.dataset import DataError
from trellislib.data.filenames import bundled, labelled, names_labels, stem
from trellislib.data.reading.choice import with_labels
from trellislib.data.reading.combining import joined, stacked, widened
from trellislib.data.reading.formats import data_members, read_table, reader_of
from trellislib.data.reading.source import FileLike, Source
from trellislib.data.reading.svmlight import read_svmlight
from trellislib.data.tables.table import Table
from trellislib.wording import agreed, listed

_START = 128
_UNSEEN = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"  # blanks and byte-order marks
_XML_STARTS = (b"<?xml", b"<labels")


@dataclass(frozen=True)
class Gathered:
    """A data set among files.

    Attributes
    ----------
    files : tuple of str
        The names of the files that it was read from, the table first.
    table : Table
        What was read; `table.labels` are those that the files declare, None where they do not.
    """

    files: tuple[str, ...]
    table: Table


def gather(sources: Iterable[FileLike | Source]) -> tuple[list[Gathered], list[DataError]]:
    r"""Return the data sets that files are, and of the others why they are none.

    The names of files show which belong together: a table and the XML file that names its labels, files of
    features and of labels, files to train and to test on. The files in an archive belong together first; what is no
    data in it by its name, such as a README, is not read, as `provenance` says.

    Parameters
    ----------
    sources : iterable of str, path, bytes or binary file
        In any order.

    Returns
    -------
    sets : list of Gathered
        Those that lie in an archive as a whole, then the others, in the order of their first files.
    errors : list of DataError
        One for every data set that could not be read, and for every file that belongs to none; `files` are the names
        of all its files, and of the archives in which they are.

    Examples
    --------
    >>> train = Source(b"x,sunny\n0.5,1\n0.1,0\n", "sky-train.csv")
    >>> test = Source(b"x,sunny\n0.7,1\n", "sky-test.csv")
    >>> sets, errors = gather([test, train])
    >>> sets[0].files, sets[0].table.n_train, errors
    (('sky-train.csv', 'sky-test.csv'), 2, [])
    """
    errors: list[DataError] = []
    loose: list[Source] = []
    found: list[_Together] = []
    unread: dict[Source, str] = {}  # of a file in an archive, which other files there were not read
    archives: dict[str, set[str]] = defaultdict(set)  # in which of them a file is
    for source, held, others in _opened(sources, errors):
        for member in held if held != [source] else ():
            archives[member.name].add(source.name)
        if len(held) > 1:
            together, unused = _together(held, errors, stem(source.name))
            found += (files for files in together if len(files.all) > 1)
            loose += [*(files.all[0] for files in together if len(files.all) == 1), *unused]
        else:
            loose += held
        if others:
            names = listed([other.name for other in others], 4)
            were = agreed(len(others), "was", "were")
            unread |= dict.fromkeys(held, f"In {source.name}, {names} {were} not read.")
    together, unused = _together(loose, errors)
    sets = []
    for files in (*found, *together):
        named = tuple(source.name for source in files.all)
        notes = dict.fromkeys(unread[source] for source in files.all if source in unread)
        try:
            table = files.read()
        except DataError as error:
            errors.append(_naming_all(error, named))
        else:
            sets.append(Gathered(named, replace(table, provenance=(*table.provenance, *notes))))
    alone = len(sets) + len(errors) == 0
    errors += (_unused(xml, alone=alone) for xml in unused)
    for problem in errors:
        problem.files += tuple({name for file in problem.files for name in archives.get(file, ())})
    return sets, errors


def _opened(
    sources: Iterable[FileLike | Source], errors: list[DataError]
) -> Iterator[tuple[Source, list[Source], list[Source]]]:
    """Yield each file that can be opened, with the files of data in it and the others."""
    for given in sources:
        try:
            source = Source(given)
            members = data_members(source)
        except DataError as error:
            errors.append(error)
        else:
            yield source, *members


@dataclass(frozen=True)
class _Together:
    """Files that are one data set, as `trellislib.data.filenames.Bundle` has them, and what to call it."""

    tables: tuple[tuple[Source, ...], ...]
    xml: Source | None
    title: str

    @property
    def all(self) -> tuple[Source, ...]:
        return (*(source for rows in self.tables for source in rows), *([self.xml] if self.xml else []))

    def read(self) -> Table:
        parts = [reduce(joined, map(_read, rows)) for rows in self.tables]
        if len(parts) == 2 and all(reader_of(rows[0]) is read_svmlight for rows in self.tables):
            parts = [widened(*parts), widened(*parts[::-1])]
        table = reduce(stacked, parts)
        if self.title:
            table = replace(table, name=self.title)
        return with_labels(table, self.xml) if self.xml else table


def _read(source: Source) -> Table:
    """Read a file; an error names it."""
    try:
        return read_table(source)
    except DataError as error:
        error.files = error.files or (source.name,)
        raise


def _together(
    files: Sequence[Source], errors: list[DataError], title: str = ""
) -> tuple[list[_Together], list[Source]]:
    """Return which files are one data set, called `title` if their names say nothing, and the XML files of none."""
    tables: list[Source] = []
    xmls: list[Source] = []
    for source in files:
        try:
            (xmls if _is_xml(source) else tables).append(source)
        except DataError as error:
            errors.append(error)
    bundles = labelled(bundled([table.name for table in tables]), [xml.name for xml in xmls])
    together = [
        _Together(
            tuple(tuple(tables[i] for i in rows) for rows in bundle.tables),
            None if bundle.xml is None else xmls[bundle.xml],
            bundle.title or (title if bundle.n_files > 1 else ""),
        )
        for bundle in bundles
    ]
    used = {bundle.xml for bundle in bundles}
    return together, [xml for i, xml in enumerate(xmls) if i not in used]


def _is_xml(source: Source) -> bool:
    with source.binary() as file:
        start = file.read(_START).translate(None, _UNSEEN).lower()
    return names_labels(source.name) or start.startswith(_XML_STARTS)


def _naming_all(error: DataError, files: Sequence[str]) -> DataError:
    """Return an error that also names the files that were left out with the one that it is about."""
    others = [name for name in files if name not in error.files]
    if not others:
        return error
    belong = agreed(len(others), "which belongs to it, was", "which belong to it, were")
    return DataError(f"{str(error).removesuffix('.')}; {listed(others, 4)}, {belong} left out too.", files)


def _unused(xml: Source, *, alone: bool) -> DataError:
    if alone:
        return xml.error("this XML file names labels, but there is no table with it; give both")
    return xml.error(
        "by its name this XML file goes with none of the tables; name it as the table whose labels it names"
    )
