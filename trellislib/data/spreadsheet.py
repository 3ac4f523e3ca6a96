"""Cells that a spreadsheet would take for formulas.

A program that opens a CSV file may run a cell that starts like a formula, quotes or not. OWASP ("CSV Injection") names
what starts one: ``=``, ``+``, ``-``, ``@``, a tab, a carriage return, a line feed, and the full-width forms of the
signs. Blanks before them are trimmed by some programs, so they do not help. The remedy is an apostrophe before the
text. A plain number such as -1.5 starts with a sign too, but is no formula and stays a number.

`as_meant` undoes `neutralised` for every text, since a text that starts with apostrophes and then a formula gets one
apostrophe more.
"""

from __future__ import annotations

import re

_NUMBER = r" *[-+]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][-+]?[0-9]+)? *\Z"
_FORMULA = re.compile(rf"'*(?!{_NUMBER})\s*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")


def neutralised(text: str) -> str:
    """Return a text with an apostrophe before it, if a spreadsheet might run it as a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def as_meant(text: str) -> str:
    """Return a text without the apostrophe that `neutralised` put before it."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
