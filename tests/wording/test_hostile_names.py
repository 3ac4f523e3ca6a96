"""Names are text: whatever they hold, no file that is written of them runs it, renders it or breaks at it."""

import ast
import csv
import io
import json
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trellislib.data import Dataset, load
from trellislib.data.reading.source import Source
from trellislib.data.tables.columns import unique_names
from trellislib.data.writing.csv_text import csv_text
from trellislib.experiment import Store
from trellislib.figures import export, rank_diagram
from trellislib.graphs import LabelGraph, written_graph
from trellislib.report import markup
from trellislib.score_tables import as_latex, as_markdown, as_text
from trellislib.wording import without_controls

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
PIECES = [
    *("\n", "\r\n", "\x1b[31m", "\x9b2J", "\u202e", "\u2028", "\0", "\x85", "\t"),
    *('"', "'", "\\", "`", "#", "%", "$", "{", "}", "&", "_", "^", "~", "|", "<b>", "</svg>", "&#10;", "]]>", "-->"),
    *("=1+1", "@x", "+x", "-x", "import os", '"""', "\\input{x}", "];x [", "http://x.org", "sky"),
]
NAMES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join)


def dataset(*names):
    Y = np.array([[0, 1], [1, 0], [1, 1]])
    values = (("no", "yes"),) * 2
    return Dataset(np.arange(3.0)[:, None], Y, (names[2],), (f"1{names[0]}", f"2{names[1]}"), values, name=names[3])


@settings(max_examples=25)
@given(st.tuples(NAMES, NAMES, NAMES, NAMES))
def test_no_writer_lets_a_name_be_more_than_text(names):
    data = dataset(*names)
    entered = [data.name, *data.label_names, *data.feature_names]
    assert not any(map(CONTROL.search, entered))
    graph = LabelGraph([(), (0,)])

    def drawn(kind):
        return written_graph(graph, data.label_names, kind).decode()

    # GraphViz: outside of quotes there is nothing but our own words.
    outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", drawn("dot"))
    assert re.fullmatch(r"digraph labels \{\n(  [\w ,=\[\];>-]*\n)*\}\n", outside)
    tikz = drawn("tikz")
    assert tikz.count("\n") == written_graph(graph, ("a", "b"), "tikz").count(b"\n")
    assert not re.search(r"\\input|(?<!\\)[&#$%_]", tikz.partition("exclude/.style={dashed}]")[2])
    assert json.loads(drawn("json"))["nodes"][0]["label"] == data.label_names[0]
    for kind in ("graphml", "gexf"):
        ElementTree.fromstring(drawn(kind))

    scores = pd.DataFrame([[0.5, 0.25]], index=[data.name], columns=list(data.label_names))
    rows = list(csv.reader(io.StringIO(csv_text(scores))))
    assert len(rows) == 2
    assert not any(cell[:1] in "=+@\t\r\n" for row in rows for cell in row if cell)
    for written in (as_text, as_latex, as_markdown):
        if all(" ".join(name.split()) for name in scores.index):
            assert not CONTROL.search(written(scores, scores.rank(axis=1)).replace("\n", ""))
    html = markup.tag("p", data.name, title=data.label_names[0])
    assert (ElementTree.fromstring(html).text or "") == data.name


@given(NAMES)
def test_a_name_in_a_comment_of_python_stays_there(name):
    assert ast.parse(f"# {without_controls(name)}\nx = {name!r}\n").body[0].value.value == name


def test_drawings_hold_names_as_text():
    def elements(name):
        ranks = pd.Series({name: 1.0, "b": 2.0})
        return {element.tag for element in ElementTree.fromstring(export(rank_diagram(ranks, 0.5, []), "svg")).iter()}

    assert elements("".join(PIECES)) <= elements("a")


@given(NAMES, NAMES)
def test_names_are_one_line_wherever_they_enter(name, other):
    columns, _ = unique_names([f"x{name}", f"y{other}", name])
    assert len(set(columns)) == 3
    assert not any(map(CONTROL.search, columns))


@pytest.mark.parametrize("form", ["csv", "json"])
def test_files_and_the_store_have_names_on_one_line(form, tmp_path):
    name = "sky\nprint(1)\x1b[31m\u202e"
    frame = pd.DataFrame({f"{name}x": [0.5, 0.25, 0.75], name: [0, 1, 1]})
    content = frame.to_csv(index=False) if form == "csv" else frame.to_json(orient="records")
    data = load(Source(content.encode(), f"{name}.{form}"), labels=[name])
    assert (data.label_names, data.feature_names) == (("sky print(1) [31m",), ("sky print(1) [31m x",))
    store = Store(tmp_path / "results.sqlite")
    store.begin(name)
    assert store.runs().title.tolist() == ["sky print(1) [31m"]
