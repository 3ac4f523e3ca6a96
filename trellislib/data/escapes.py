"""The backslashes of ARFF names and values."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"""\\(['"\\%,{} tnr])""")
_BLANKS = {"t": "\t", "n": "\n", "r": "\r"}


def unescape(text: str) -> str:
    """Return `text` as meant: a backslash before a quote, blank, comma, brace or other sign of ARFF is dropped."""
    return _ESCAPE.sub(lambda match: _BLANKS.get(match[1], match[1]), text) if "\\" in text else text
