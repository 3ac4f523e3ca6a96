"""The XML file in which Mulan names the labels of an ARFF file."""

from __future__ import annotations

from typing import NoReturn
from xml.parsers import expat

from trellislib.data.dataset import DataError
from trellislib.data.reading.source import FileLike, Source, decoded

MAX_XML = 64 * 2**20
"""Bytes of an XML file, which is read at once; a million labels take less."""

_START = 40  # bytes of a file that is no XML that are shown


def read_mulan_xml(source: FileLike | Source, name: str | None = None) -> tuple[str, ...]:
    """Read the label names of a Mulan XML file.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The XML file, which may be packed.
    name : str, optional
        What to call it; by default the file's own name.

    Returns
    -------
    tuple of str
        In document order; a label that holds others comes before them.

    Raises
    ------
    DataError
        If it is no well-formed XML, has a DOCTYPE or entities (which are refused unread), or names no labels.

    Examples
    --------
    >>> read_mulan_xml(b'<labels><label name="animal"><label name="owl"/></label></labels>')
    ('animal', 'owl')
    """
    source = Source(source, name)
    content = source.content(MAX_XML)
    if not content.strip():
        raise source.error("the file has nothing but blanks" if content else "the file is empty (zero bytes)")
    try:
        labels = _parse(source, content, None)
    except expat.ExpatError as error:
        try:
            labels = _parse(source, decoded(content).encode(), "utf-8")  # says UTF-8, or nothing, and is not
        except expat.ExpatError:
            raise _not_well_formed(source, content, error) from error
    return tuple(dict.fromkeys(labels))


def _parse(source: Source, content: bytes, encoding: str | None) -> list[str]:
    labels: list[str] = []
    tags: list[str] = []  # the outermost one
    parser = expat.ParserCreate(encoding)

    def refuse(*_: object) -> NoReturn:
        raise source.error("a DOCTYPE or entity is not allowed in a file of label names", parser.CurrentLineNumber)

    def start(tag: str, attributes: dict[str, str]) -> None:
        if not tags:
            tags.append(tag)
        if _plain(tag) != "label":
            return
        name = next((value for key, value in attributes.items() if _plain(key) == "name"), "")
        if not name:
            raise source.error("this <label> has no name", parser.CurrentLineNumber)
        labels.append(name)

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    try:
        parser.Parse(content, True)
    except DataError:
        raise
    except (LookupError, ValueError) as error:
        raise source.error(f"this XML is in an encoding that cannot be read ({error}); save it as UTF-8") from error
    if not labels:
        raise source.error(f'this XML names no labels; expected <label name="..."> elements, not <{tags[0][:_START]}>')
    return labels


def _plain(name: str) -> str:
    """Return the name of a tag or attribute without its namespace, in lower case."""
    return name.rpartition(":")[2].lower()


def _not_well_formed(source: Source, content: bytes, error: expat.ExpatError) -> Exception:
    start = decoded(content[:_START]).lstrip().split("\n")[0]
    if start[:1].isascii() and start[:1].isprintable() and not start.startswith("<"):
        return source.error(f"this is not XML, which starts with '<', but with {start!r}")
    cause = expat.errors.messages.get(error.code, str(error))
    return source.error(f"this is not well-formed XML ({cause})", error.lineno)
