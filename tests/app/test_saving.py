"""What can be saved: every file of every page is what its name says."""

import io
import json
import re
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect

VIEWS = [
    ("start", {}),
    ("data", {}),
    ("dependence", {}),
    ("graphs", {}),
    ("graphs", {"graph_view": "Marginal and conditional"}),
    ("graphs", {"graph_label": "Class1"}),
    ("trellis", {}),
    ("trellis", {"view": "By hand", "swaps": "1-3"}),
    ("trellis", {"view": "Step by step"}),
    ("trellis", {"view": "Widths and patterns"}),
    ("trellis", {"view": "Seeds"}),
    ("trellis", {"view": "Directed and undirected"}),
    ("train", {}),
    ("label_dag", {}),
]
CHECKS = {
    "svg": lambda content: ElementTree.fromstring(content).tag == "{http://www.w3.org/2000/svg}svg",
    "png": lambda content: content.startswith(b"\x89PNG"),
    "pdf": lambda content: content.startswith(b"%PDF"),
    "tikz": lambda content: b"\\begin{tikzpicture}" in content and b"\\end{tikzpicture}" in content,
    "dot": lambda content: re.search(rb"(di)?graph\b.*\{", content) is not None,
    "graphml": lambda content: len(nx.read_graphml(io.BytesIO(content))) > 0,
    "gexf": lambda content: len(nx.read_gexf(io.BytesIO(content))) > 0,
    "json": lambda content: len(nx.node_link_graph(json.loads(content), edges="links")) > 0,
    "csv": lambda content: len(pd.read_csv(io.BytesIO(content))) > 0,
    "npz": lambda content: np.load(io.BytesIO(content))["matrix"].ndim == 2,
}


@pytest.mark.parametrize(("view", "query"), VIEWS, ids=[" ".join([view, *query.values()]) for view, query in VIEWS])
def test_every_file_is_what_its_name_says(visit, downloads, view, query):
    visitor = visit(**query)
    downloads.clear()
    visitor.go(view)

    assert downloads
    for key, content in downloads.items():
        kind = key.rpartition(" ")[2]
        made = content()
        assert CHECKS.get(kind, len)(made.encode() if isinstance(made, str) else made), key


@pytest.mark.browser
def test_a_figure_and_its_graph_are_saved(screen, tmp_path):
    page = screen.open("trellis")
    page.get_by_role("button", name="Save").first.click()
    for kind, check in (("SVG", CHECKS["svg"]), ("GraphML", CHECKS["graphml"])):
        button = page.get_by_role("button", name=kind, exact=True)
        expect(button).to_be_visible()
        with page.expect_download() as saved:
            button.click()
        path = tmp_path / saved.value.suggested_filename
        saved.value.save_as(path)
        assert path.name == {"SVG": "yeast-trellis.svg", "GraphML": "yeast-trellis-graph.graphml"}[kind]
        assert check(path.read_bytes())
    texts = [
        text.text for text in ElementTree.parse(tmp_path / "yeast-trellis.svg").iter() if text.tag.endswith("text")
    ]
    assert {f"Class{number}" for number in range(1, 15)} <= set(texts)
    assert screen.console == []
