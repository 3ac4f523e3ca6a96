"""What can be saved: every file of every page is what its name says."""

import io
import json
import re
import tomllib
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from components.saving import DATASET_FORMS, ENDINGS, TITLES, dataset_files, matrix_files, table_files
from playwright.sync_api import expect
from scipy import sparse

from trellislib.data import Dataset, load
from trellislib.data.reading.source import Source
from trellislib.data.writing import FORMS, written

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
    ("trellis", {"view": "Widths"}),
    ("trellis", {"view": "Seeds"}),
    ("trellis", {"view": "CT and CDT"}),
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


PICTURES = ("svg", "png", "pdf")


@pytest.mark.parametrize(("view", "query"), VIEWS, ids=[" ".join([view, *query.values()]) for view, query in VIEWS])
def test_every_file_has_the_format_of_its_name(visit, downloads, view, query):
    visitor = visit(**query)
    downloads.clear()
    visitor.go(view)

    assert downloads
    pictures = [key for key in downloads if key.rpartition(" ")[2] in PICTURES]
    # Each chart is made in one of its forms, which differ in nothing but the last step of drawing it, in turn.
    for key in (downloads.keys() - pictures) | set(pictures[:: len(PICTURES) + 1]):
        content, kind = downloads[key], key.rpartition(" ")[2]
        made = content()
        assert CHECKS.get(kind, len)(made.encode() if isinstance(made, str) else made), key


def sky(X=None, values=("0", "1"), **more):
    X = np.array([[0.5, 2.0], [0.1, -1.0], [0.0, 0.0]]) if X is None else X
    Y = np.array([[0, 1], [1, 0], [1, 1]])[: X.shape[0]]
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    return Dataset(X, Y, names, ("=a", "b"), (values,) * 2, name="sky", **more)


@pytest.mark.parametrize("kind", DATASET_FORMS)
def test_a_data_set_is_saved_in_every_form(kind):
    data = sky(n_train=2)
    content = dataset_files(data)[kind]()
    labels = data.label_names if kind == "csv" else None

    assert TITLES[kind] in FORMS
    back = load(Source(content, f"sky.{ENDINGS.get(kind, kind)}"), labels)
    assert back.label_names == data.label_names
    assert (back.X.toarray() if sparse.issparse(back.X) else back.X).tolist() == data.X.tolist()
    assert (back.Y.toarray() if sparse.issparse(back.Y) else back.Y).tolist() == data.Y.tolist()


def test_the_files_of_mulan_are_in_one_archive():
    data = sky(n_train=2)
    with zipfile.ZipFile(io.BytesIO(dataset_files(data)["mulan"]())) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}

    assert held == written(data, "Mulan ARFF")


def test_nothing_is_made_before_it_is_asked_for(monkeypatch):
    made = []
    monkeypatch.setattr("components.saving.blocks_of", lambda data, form: made.append(form) or {"sky": [b"content"]})
    files = dataset_files(sky())

    assert made == []
    assert files["meka"]() == b"content"
    assert made == ["MEKA ARFF"]


def test_forms_that_cannot_hold_a_data_set_are_not_offered():
    assert list(dataset_files(sky(values=("p", "q", "r")))) == ["mulan", "meka", "csv", "parquet"]


def test_sparse_data_are_not_offered_with_too_many_zeros(monkeypatch):
    monkeypatch.setattr("components.saving.MOST_CELLS", 11)

    assert list(dataset_files(sky())) == list(DATASET_FORMS)
    assert list(dataset_files(sky(sparse.csr_array(sky().X)))) == ["mulan", "meka", "svmlight"]


def test_tables_and_matrices_hold_no_formulas():
    table = pd.DataFrame({"=x": ["@a", "b"], "y": [-1.0, 2.0]}, index=pd.Index(["-r", "s"], name="+i"))

    assert table_files(table, index=True)["csv"]() == "'+i,'=x,y\n'-r,'@a,-1.0\ns,b,2.0\n"
    assert matrix_files(np.eye(1), ["=x"])["csv"]() == ",'=x\n'=x,1.0\n"


def test_streamlit_adds_nothing_to_what_pages_show():
    """No CSV of its own, whose cells a spreadsheet might run, and no output for a bare expression."""
    config = tomllib.loads((Path(__file__).parents[2] / "app" / ".streamlit" / "config.toml").read_text())

    assert config["client"]["disableDataExport"] is True
    assert config["runner"]["magicEnabled"] is False


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
