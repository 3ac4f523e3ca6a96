"""A page of HTML, parsed as XML: it must be well-formed, and load nothing."""

import re
import xml.etree.ElementTree as ET

import pytest


class Parsed:
    """A report as its reader has it."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.root = ET.fromstring(html.partition("\n")[2])  # after the doctype
        self.text = " ".join(" ".join(self.named("body")[0].itertext()).split())

    def named(self, tag: str) -> list[ET.Element]:
        return [element for element in self.root.iter() if element.tag.rpartition("}")[2] == tag]

    def cells(self) -> list[list[str]]:
        """The rows of all tables."""
        return [
            ["".join(cell.itertext()).replace("\N{NO-BREAK SPACE}", " ").strip() for cell in row]
            for row in self.named("tr")
        ]

    def check_alone(self) -> None:
        """See that it loads nothing, runs nothing, and is small."""
        assert not self.named("script") + self.named("link") + self.named("iframe")
        sources = [value for element in self.root.iter() for key, value in element.items() if key in ("src", "href")]
        assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
        assert not re.findall(r"url\(|@import", self.html)
        assert len(self.html.encode()) < 2_000_000
        assert "default-src 'none'" in self.html


@pytest.fixture
def parsed():
    return Parsed
