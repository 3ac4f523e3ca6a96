"""Label graphs as files: what is written is read back."""

import io
import json
import re
import shutil
import subprocess

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trellislib.dependence import InformationRows, PhiRows, information_of_counts, pair_counts, phi_coefficients
from trellislib.graphs import GRAPH_FORMATS, LabelGraph, Trellis, UndirectedLabelGraph, written_graph

HOSTILE = [
    "plain",
    'quo"te',
    "back\\slash\\",
    "two\nlines",
    "<b>&amp;</b>",
    "$x_1^2$ 50% #1 {~}",
    "été 漢字 😀",
    "",
    "0",
    "a -> b;",
    '\\N \\n \\"',
    "]]>",
]
N = len(HOSTILE)
PARENTS = [(), (0,), (0, 1), (), (3,), (2, 4), (), (), (), (8,), (), (10,)]
SYMMETRIC = np.add.outer(np.arange(N), np.arange(N)) / 100
SYMMETRIC[[0, 1], [1, 0]] = 5e-5  # an edge; shorter with an exponent
SIGNS = np.where(
    np.add.outer(np.arange(N), np.arange(N)) % 3 == 0, 0.0, np.cos(np.add.outer(np.arange(N), np.arange(N)))
)
PLACES = np.random.default_rng(0).random((N, 2))


def graph(kind="directed"):
    if kind == "trellis":
        return Trellis(range(N), 4, [(0, -1), (-1, 0)])
    return LabelGraph(PARENTS) if kind == "directed" else LabelGraph(PARENTS).undirected()


def written(kind, of="directed", names=HOSTILE, **options):
    options = {"positions": PLACES, "dependence": SYMMETRIC, "signs": SIGNS} | options
    return written_graph(graph(of), names, kind, **options)


def read(content, kind):
    """Return the graph that a file holds, its nodes by number, with their names as `label`."""
    if kind == "json":
        return nx.node_link_graph(json.loads(content), edges="links")
    drawing = (nx.read_graphml if kind == "graphml" else nx.read_gexf)(io.BytesIO(content))
    return nx.relabel_nodes(drawing, int)


@pytest.mark.parametrize("of", ["directed", "undirected", "trellis"])
@pytest.mark.parametrize("kind", ["graphml", "gexf", "json"])
def test_networkx_reads_the_graph_back(kind, of):
    drawing = read(written(kind, of), kind)

    assert drawing.is_directed() == (of != "undirected")
    assert [drawing.nodes[label]["label"] for label in range(N)] == HOSTILE
    assert sorted(map(sorted, drawing.edges)) == sorted(map(sorted, graph(of).edges))
    if drawing.is_directed():
        assert set(drawing.edges) == set(graph(of).edges)
    for one, other, known in drawing.edges(data=True):
        assert known["mi_nats"] == pytest.approx(SYMMETRIC[one, other])
        assert known["phi"] == pytest.approx(SIGNS[one, other])
        assert known["sign"] == ("exclude", "neither", "co-occur")[int(np.sign(SIGNS[one, other])) + 1]
    if of == "trellis":
        cells = [(drawing.nodes[label]["row"], drawing.nodes[label]["column"]) for label in range(N)]
        assert cells == list(graph(of).positions)


def test_places_are_written_where_there_are_any():
    places = PLACES.copy()
    places[3] = np.nan
    by_json, by_gexf = (read(written(kind, positions=places), kind) for kind in ("json", "gexf"))
    at = [by_json.nodes[label].get("x") for label in range(N)]

    assert at == [None if label == 3 else places[label, 0] for label in range(N)]
    assert "viz" not in by_gexf.nodes[3]
    shape = [by_gexf.nodes[label]["viz"]["position"] for label in (0, 5)]
    assert [spot["y"] for spot in shape] == pytest.approx([100 * places[0, 1], 100 * places[5, 1]])


def unquoted(text):
    """Return what Graphviz shows of a quoted label: escapes and entities undone."""
    shown = re.sub(r'\\(["\\n])', lambda found: {"n": "\n"}.get(found[1], found[1]), text)
    return shown.replace("&amp;", "&")


def parsed_dot(text):
    """Return whether a DOT file is directed, its labels by node, and its edges with their attributes."""
    head, *lines, end = text.removesuffix("\n").split("\n")
    assert end == "}"
    string = r'"(?:[^"\\]|\\.)*"'
    value = rf"(?:{string}|-?(?:\.\d+|\d+(?:\.\d*)?)|[a-zA-Z_]\w*)"  # of numbers, DOT knows no exponents
    labels, edges = {}, {}
    for line in lines:
        found = re.fullmatch(rf"  (\d+)(?: (->|--) (\d+))?(?: \[((?:\w+={value}(?:, )?)*)\])?;", line)
        assert found, line
        known = dict(re.findall(rf"(\w+)=({value})", found[4] or ""))
        if found[2]:
            assert found[2] == ("->" if head.startswith("digraph") else "--")
            edges[int(found[1]), int(found[3])] = known
        else:
            labels[int(found[1])] = unquoted(known["label"][1:-1])
    assert head in ("digraph labels {", "graph labels {")
    return head.startswith("digraph"), labels, edges


@pytest.mark.parametrize("of", ["directed", "undirected", "trellis"])
def test_dot_describes_the_graph(of):
    directed, labels, edges = parsed_dot(written("dot", of).decode())

    assert directed == (of != "undirected")
    assert [labels[label] for label in range(N)] == HOSTILE
    assert sorted(edges) == sorted(graph(of).edges)
    for edge, known in edges.items():
        assert float(known["mi_nats"][1:-1]) == pytest.approx(SYMMETRIC[edge], rel=1e-4)
        assert ("style" in known) == (SIGNS[edge] < 0)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_dot():
    shown = subprocess.run(["dot", "-Tplain"], input=written("dot"), capture_output=True, check=True).stdout.decode()

    assert len([line for line in shown.splitlines() if line.startswith("node ")]) == N


NAME = r"((?:[^{}\\]|\\[&%$#_{}]|\\text[a-z]+\{\}|\{\\ttfamily\\char34\})*)"


@pytest.mark.parametrize("of", ["directed", "undirected", "trellis"])
def test_tikz_draws_every_label_and_edge(of):
    text = written("tikz", of).decode()
    nodes = re.findall(rf"^  \\node\[label\] \((\d+)\) at \((-?[\d.]+),(-?[\d.]+)\) \{{{NAME}\}};$", text, re.MULTILINE)
    edges = re.findall(
        r"^  \\draw\[edge, line width=([\d.]+)pt(, exclude)?\] \((\d+)\) -- \((\d+)\);$", text, re.MULTILINE
    )

    assert [int(number) for number, *_ in nodes] == list(range(N))
    assert nodes[5][3] == r"\$x\_1\textasciicircum{}2\$ 50\% \#1 \{\textasciitilde{}\}"
    assert nodes[4][3] == r"\textless{}b\textgreater{}\&amp;\textless{}/b\textgreater{}"
    assert nodes[2][3] == r"back\textbackslash{}slash\textbackslash{}"
    assert sorted((int(one), int(other)) for *_, one, other in edges) == sorted(graph(of).edges)
    assert all(bool(dashed) == (SIGNS[int(one), int(other)] < 0) for _, dashed, one, other in edges)
    assert ("-latex" in text) == (of != "undirected")
    assert float(max(edges)[0]) == 2.4
    across, down = ([float(node[axis]) for node in nodes] for axis in (1, 2))
    if of == "trellis":
        assert across == [2.5 * (label % 4) for label in range(N)]
        assert down == [-1.5 * (label // 4) for label in range(N)]
    else:
        assert across == pytest.approx(10 * PLACES[:, 0], abs=0.001)
        assert down == pytest.approx(10 * PLACES[:, 1], abs=0.001)


def test_tikz_leaves_out_labels_without_a_place_with_a_note():
    places = PLACES.copy()
    places[0] = np.nan
    text = written("tikz", positions=places).decode()

    assert f"% {N - 1} of {N} labels" in text
    assert "(0)" not in text


def test_tikz_without_places_is_a_circle():
    text = written_graph(LabelGraph([(), (0,), (1,), ()]), list("abcd"), "tikz").decode()

    places = [[float(x), float(y)] for x, y in re.findall(r"at \((.*?),(.*?)\)", text)]
    np.testing.assert_allclose(places, [(5, 10), (10, 5), (5, 0), (0, 5)], atol=0.001)


def test_tikz_prints_names_as_they_are():
    names = ["a--b", "← ★", 'say "hi"', "[x]", "tab\tend\x7f"]
    text = written_graph(LabelGraph([()] * len(names)), names, "tikz").decode()

    printed = re.findall(r"at \(.*?\) \{(.*)\};", text)
    assert printed == [
        "a-{}-b",
        r"\(\leftarrow\) \(\star\)",
        r"say {\ttfamily\char34}hi{\ttfamily\char34}",
        "{[}x]",
        "tab end",
    ]


@pytest.mark.parametrize("unknown", [np.nan, np.inf])
@pytest.mark.parametrize("kind", GRAPH_FORMATS)
def test_what_is_no_number_is_left_out(kind, unknown):
    dependence, signs = SYMMETRIC.copy(), SIGNS.copy()
    dependence[0, 1], signs[0, 2] = unknown, np.nan
    content = written(kind, dependence=dependence, signs=signs)

    assert not re.search(rb"\b(nan|inf|infinity)\b", content, re.IGNORECASE)
    if kind == "json":
        edges = json.loads(content, parse_constant=pytest.fail)["links"]
        known = {(edge["source"], edge["target"]): edge for edge in edges}
        assert set(known[0, 1]) == {"source", "target", "phi", "sign"}
        assert set(known[0, 2]) == {"source", "target", "mi_nats"}


def test_values_that_are_found_where_they_are_asked_for():
    Y = np.random.default_rng(1).integers(0, 2, (60, N))
    counts = pair_counts(Y)
    rows = written("json", dependence=InformationRows(counts), signs=PhiRows(counts))

    assert rows == written("json", dependence=information_of_counts(counts), signs=phi_coefficients(counts))


@pytest.mark.parametrize("kind", GRAPH_FORMATS)
def test_the_same_graph_gives_the_same_bytes(kind, monkeypatch):
    once = written(kind)
    monkeypatch.setattr("time.strftime", lambda *_: "2001-01-01")

    assert written(kind) == once
    assert not re.search(rb"20\d\d-\d\d-\d\d", once)


@pytest.mark.parametrize("kind", GRAPH_FORMATS)
@pytest.mark.parametrize("of", [LabelGraph([()]), UndirectedLabelGraph([(), ()]), LabelGraph([])])
def test_small_graphs_without_edges(kind, of):
    assert written_graph(of, ["a", "b"][: of.n_labels], kind).decode()


@settings(deadline=None, max_examples=50)
@given(st.lists(st.text(max_size=12), min_size=1, max_size=5))
def test_any_name_comes_back(names):
    chain = LabelGraph.chain(range(len(names)))
    by_json = read(written_graph(chain, names, "json"), "json")
    by_xml = read(written_graph(chain, names, "gexf"), "gexf")
    _, by_dot, edges = parsed_dot(written_graph(chain, names, "dot").decode())

    assert [by_json.nodes[label]["label"] for label in range(len(names))] == names
    assert by_xml.number_of_edges() == len(edges) == len(chain.edges)
    for label, name in enumerate(names):
        assert by_dot[label] == name.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
        if all(ord(sign) >= 32 and sign not in "\ufffe\uffff" for sign in name):  # what XML can hold
            assert by_xml.nodes[label]["label"] == name


def test_what_cannot_be_written_is_refused():
    with pytest.raises(ValueError, match="kind='png', but expected one of"):
        written_graph(LabelGraph([()]), ["a"], "png")
    with pytest.raises(ValueError, match=r"Got 2 names, .*graph .*1 labels"):
        written_graph(LabelGraph([()]), ["a", "b"], "dot")
