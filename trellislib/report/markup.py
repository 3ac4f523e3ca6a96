"""HTML in which all text is escaped, and one page of it that loads nothing."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

import pandas as pd

from trellislib.figures import Drawing, export

if TYPE_CHECKING:
    import plotly.graph_objects as go

TEMPLATE = Template(Path(__file__).with_name("template.html").read_text(encoding="utf-8"))
_REFUSED = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # no characters of XML


class Html(str):
    """Text that is HTML already."""


def tag(name: str, *content: str, **attributes: str) -> Html:
    """Return an element; what is not `Html` is escaped.

    Examples
    --------
    >>> print(tag("p", "a < b ", tag("b", "&"), lang="en"))
    <p lang="en">a &lt; b <b>&amp;</b></p>
    """
    given = "".join(f' {key}="{_escaped(value)}"' for key, value in attributes.items())
    inner = "".join(part if isinstance(part, Html) else _escaped(part) for part in content)
    return Html(f"<{name}{given}>{inner}</{name}>" if content else f"<{name}{given} />")


def _escaped(text: str) -> str:
    return escape(_REFUSED.sub("\N{REPLACEMENT CHARACTER}", text))


def section(title: str, *parts: str) -> Html:
    """Return parts under a heading; nothing where there are none."""
    return tag("section", tag("h2", title), *parts) if any(parts) else Html("")


def paragraphs(sentences: Iterable[str]) -> Html:
    """Return each sentence in a line of its own."""
    return Html("".join(tag("p", sentence) for sentence in sentences if sentence))


def terms(described: Mapping[str, str]) -> Html:
    """Return words and what they mean."""
    return tag("dl", *(part for word, what in described.items() for part in (tag("dt", word), tag("dd", what))))


def table(cells: pd.DataFrame, first: str) -> Html:
    """Return a table of texts; `first` is the heading of its index."""
    heading = tag("tr", *(tag("th", str(name), scope="col") for name in (first, *cells.columns)))
    rows = [
        tag("tr", tag("th", str(name), scope="row"), *(tag("td", _together(str(cell)) or " ") for cell in row))
        for name, row in zip(cells.index, cells.itertuples(index=False), strict=True)
    ]
    return tag("div", tag("table", tag("thead", heading), tag("tbody", *rows)), **{"class": "wide"})


def _together(cell: str) -> str:
    """Return a cell that is not broken into lines if there is a number in it."""
    return cell.replace(" ", "\N{NO-BREAK SPACE}") if any(sign.isdigit() for sign in cell) else cell


def picture(figure: go.Figure | Drawing, caption: str) -> Html:
    """Return a figure, as SVG within the page, with a caption that says what it shows."""
    source = "data:image/svg+xml;base64," + base64.b64encode(export(figure, "svg")).decode()
    return tag("figure", tag("img", src=source, alt=caption), tag("figcaption", caption))


def code(text: str) -> Html:
    """Return lines of a program."""
    return tag("pre", tag("code", text)) if text else Html("")


def page(title: str, answer: str, *parts: str) -> str:
    """Return a whole page: its title, the sentence that answers it, and what that rests on."""
    body = [tag("h1", title), tag("p", answer, **{"class": "answer"}), *filter(None, parts)]
    return TEMPLATE.substitute(title=_escaped(title), body=Html("\n".join(body)))
