"""The XML file in which Mulan names the labels of an ARFF file."""

from __future__ import annotations

from typing import NoReturn
from xml.parsers import expat

from trellislib.data.source import FileLike, Source


def read_mulan_xml(source: FileLike | Source, name: str | None = None) -> tuple[str, ...]:
    """Read the label names of a Mulan XML file.

    Parameters
    ----------
    source : str, path, bytes or binary file
        The XML file.
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
    with source.binary() as file:
        content = file.read()
    if not content:
        raise source.error("the file is empty (zero bytes)")
    try:
        labels = _parse(source, content, None)
    except expat.ExpatError as error:
        try:
            if _is_utf8(content):
                raise
            labels = _parse(source, content, "iso-8859-1")  # says UTF-8, or nothing, and is not
        except expat.ExpatError:
            cause = expat.errors.messages.get(error.code, str(error))
            raise source.error(f"this is not well-formed XML ({cause})", error.lineno) from error
    if not labels:
        raise source.error('this XML names no labels; expected <label name="..."> elements')
    return tuple(dict.fromkeys(labels))


def _parse(source: Source, content: bytes, encoding: str | None) -> list[str]:
    labels: list[str] = []
    parser = expat.ParserCreate(encoding)

    def refuse(*_: object) -> NoReturn:
        raise source.error("a DOCTYPE or entity is not allowed in a file of label names", parser.CurrentLineNumber)

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag.rpartition(":")[2] != "label":
            return
        if not attributes.get("name"):
            raise source.error("this <label> has no name", parser.CurrentLineNumber)
        labels.append(attributes["name"])

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    parser.Parse(content, True)
    return labels


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
