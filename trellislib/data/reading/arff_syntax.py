"""How ARFF writes lines and values: comments, commas, quotes and escapes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

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
