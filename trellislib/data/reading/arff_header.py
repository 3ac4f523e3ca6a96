"""How ARFF writes lines and values, and its header: the attributes, and what the relation's name tells of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trellislib.data.escapes import unescape
from trellislib.data.reading.source import Source

# Nothing in these goes back over what it has matched (`*+`), or a long line would take the square of its length.
QUOTED = r"""'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)\""""
BARE = r"""(?!['"])([^,]*)"""
WEIGHT = re.compile(r"\{\s*[-+.\deE]+\s*\}")
MISSING = ("?", "")
_VALUE = re.compile(rf"\s*+(?:{QUOTED}|{BARE})\s*+(,|$)")
_COMMENT = re.compile(r"""\\.|(?<![^\s,{])(?:'(?:[^'\\]|\\.)*+(?:'|$)|"(?:[^"\\]|\\.)*+(?:"|$))|(?:^|\s)%.*""")

Line = tuple[int, str]


def lines_of(text: Iterable[str]) -> Iterator[Line]:
    """Yield the lines that say something, with their numbers and without comments."""
    for number, line in enumerate(text, 1):
        line = (uncommented(line) if "%" in line else line).strip()
        if line:
            yield number, line


def uncommented(line: str) -> str:
    """Return a line up to a ``%`` that starts it or follows a blank, outside of quotes."""
    comment = next((match for match in _COMMENT.finditer(line) if match[0].lstrip().startswith("%")), None)
    return line[: comment.start()] if comment else line


def split_values(source: Source, number: int, text: str) -> list[str | None]:
    r"""Split at commas outside quotes; blanks around a value may be left, and a missing one may be None.

    Raises `DataError` if a quote is not closed, or something follows it; the message names `source` and the line
    `number`.

    Examples
    --------
    >>> split_values(Source(b""), 1, r"'red, dark',it\'s, ?")
    ['red, dark', "it's", None]
    """
    values: list[str | None] = []
    if not has_quotes(text):
        values += text.split(",")
        return values
    end = 0
    while match := _VALUE.match(text, end):
        values.append(value_of(*match.groups()[:3]))
        end = match.end()
        if not match[4]:
            return values
    raise source.error(f"a quote is not closed, or not followed by a comma, in {clipped(text[end:].strip())}", number)


def has_quotes(text: str) -> bool:
    """Whether commas and blanks may be quoted or escaped in a text."""
    return "'" in text or '"' in text or "\\" in text


def value_of(single: str | None, double: str | None, bare: str | None) -> str | None:
    """Return a value as meant, of what stood in single quotes, double quotes or none; None where it is missing."""
    if bare is not None:
        bare = bare.strip()
        return None if bare in MISSING else unescape(bare)
    return unescape(single if single is not None else double or "")


def clipped(text: str) -> str:
    """Return the start of a text in quotes, for a message."""
    return repr(cut(text))


def cut(text: str, most: int = 40) -> str:
    """Return the start of a text, for a message."""
    return text if len(text) <= most else text[: most - 3] + "..."


MAX_NAME = 10_000
"""Characters of an attribute's name."""

MAX_VALUES = 1_000_000
"""Values that a nominal attribute may declare."""

_NAME = re.compile(rf"""(?:{QUOTED}|(?!['"])(\S+))\s*(.*)""")
_BRACES = re.compile(rf"\{{((?:[^'\"}}\\]|\\.|{QUOTED})*+)\}}")
_NUMERIC = re.compile(r"(?:numeric|real|integer)\b", re.IGNORECASE)
_OTHER = re.compile(r"(?:string|date|hierarchical)\b", re.IGNORECASE)
_HINT = re.compile(r"""(?:^|[\s:'"])-C(?:\s*=\s*|\s+|(?=[-+]))([-+]?\d{1,9})(?![\w.])""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a line ``@attribute`` declares: a name, the values if it is nominal, what it holds if that is unusable."""

    name: str
    values: tuple[str, ...] | None = None
    unusable: str = ""


def read_header(source: Source, lines: Iterator[Line]) -> tuple[str, list[Attribute]]:
    """Read up to and including ``@data``; return the relation's name and the attributes."""
    relation, started = "", False
    attributes: list[Attribute] = []
    number = 0
    for number, line in lines:
        keyword, rest = [*line.split(None, 1), ""][:2]
        match keyword.lower():
            case "@relation" if started or attributes:
                raise source.error("there is a second @relation; give each table a file of its own", number)
            case "@relation":
                relation, started = rest, True
            case "@attribute":
                attributes.append(_attribute(source, number, rest))
            case "@data" if attributes and rest:
                raise source.error(
                    f"expected the rows on lines of their own but found {clipped(rest)} after @data", number
                )
            case "@data" if attributes:
                return relation, attributes
            case "@data":
                raise source.error("there is no @attribute before @data", number)
            case _ if started or attributes:
                raise source.error(f"expected @attribute or @data but found {clipped(line)}", number)
            case _:
                raise source.error(
                    f"this is not an ARFF file, which starts with @relation, but found {clipped(line)}; "
                    "if it is a CSV file, name it .csv",
                    number,
                )
    if not number:
        raise source.error("the file has nothing but blank lines and comments")
    raise source.error("the file ends before @data", number)


def hinted_labels(relation: str, columns: tuple[str, ...]) -> tuple[tuple[str, ...] | None, str, str]:
    """Return the labels that MEKA's ``-C n`` in the relation's name says, what says so, and what is doubtful."""
    hint = _HINT.search(relation)
    if hint is None:
        return None, "", ""
    n = int(hint[1])
    if not 0 < abs(n) < len(columns):
        return None, "", f"The relation's name says -C {n}, which does not fit its {len(columns)} attributes."
    moved = re.search(r"attribute\.(remove|reorder)", relation, re.IGNORECASE)
    doubt = f"The relation's name says -C {n}, but also that columns were moved since: check the labels."
    return columns[:n] if n > 0 else columns[n:], f"-C {n} in the relation's name", doubt if moved else ""


def _attribute(source: Source, number: int, declaration: str) -> Attribute:
    match = _NAME.fullmatch(declaration)
    if match is None and declaration:
        raise source.error("the quote before the name of this attribute is not closed", number)
    if match is None or not any(match.groups()[:3]):
        raise source.error("this @attribute has no name", number)
    single, double, bare, kind = match.groups()
    typed = kind.startswith("{") or _NUMERIC.match(kind) or _OTHER.match(kind)
    if bare is not None and "{" in bare and (WEIGHT.fullmatch(kind) or not typed):
        bare, _, _ = bare.partition("{")  # no blank before the values: name{0,1}
        kind = declaration[declaration.index("{") :]
    name = unescape(single or double or bare)
    if len(name) > MAX_NAME:
        raise source.error(f"the name {clipped(name)} has more than {MAX_NAME:,} characters", number)
    if kind.startswith("{"):
        return Attribute(name, _declared(source, number, name, kind))
    if _NUMERIC.match(kind):
        return Attribute(name)
    if _OTHER.match(kind):
        return Attribute(name, (), "dates" if kind.lower().startswith("date") else "free text")
    if kind.lower().startswith("relational"):
        raise source.error(
            f"attribute {clipped(name)} is relational, a table in each of its cells; this is no multi-label data set, "
            "unless you leave it out",
            number,
        )
    raise source.error(
        f"attribute {clipped(name)} has the type {clipped(kind)}, but numeric, real, integer, string, date or a list "
        "of values in braces was expected",
        number,
    )


def _declared(source: Source, number: int, name: str, kind: str) -> tuple[str, ...]:
    """Return the values that a nominal attribute declares in braces."""
    braces = _BRACES.match(kind)
    end = braces.end() if braces else kind.rfind("}") + 1
    if not end:
        raise source.error(f"the values of attribute {clipped(name)} have no closing brace", number)
    rest = kind[end:].strip()
    if rest and not WEIGHT.fullmatch(rest):
        raise source.error(f"found {clipped(rest)} after the values of attribute {clipped(name)}", number)
    inside = kind[1 : end - 1].strip()
    if inside.count(",") >= MAX_VALUES:
        raise source.error(
            f"attribute {clipped(name)} declares more than {MAX_VALUES:,} values; declare it as a string", number
        )
    values = (value.strip() for value in split_values(source, number, inside) if value is not None)
    return tuple(dict.fromkeys(value for value in values if value not in MISSING))
