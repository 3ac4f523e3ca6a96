"""Label graphs as files that other programs read.

Nodes are known by the numbers of the labels, so that no name can break a file or stand for two; the names are their
labels. Edges carry what is known of their pair: ``mi_nats``, ``phi`` and, in words, ``sign``. The same graph gives the
same bytes, always.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import networkx as nx
import numpy as np

from trellislib.dependence import InformationRows, PhiRows
from trellislib.graphs.placement import Trellis
from trellislib.graphs.positions import ring_positions
from trellislib.labels.graph import AnyLabelGraph, LabelGraph
from trellislib.wording.latex import tikz_escaped

GRAPH_FORMATS = ("dot", "graphml", "gexf", "json", "tikz")

SIDE = 10.0  # of a drawing: inches in DOT, centimetres in TikZ, units of 10 pixels in GEXF
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DATE = re.compile(r' lastmodifieddate="[^"]*"')
_ENTITY = re.compile(r"&(?=#?\w+;)")
_THINNEST, _THICKEST = 0.4, 2.4  # points


def written_graph(
    graph: AnyLabelGraph,
    names: Sequence[str],
    kind: str,
    *,
    positions: np.ndarray | None = None,
    dependence: np.ndarray | InformationRows | None = None,
    signs: np.ndarray | PhiRows | None = None,
) -> bytes:
    r"""Return a graph as the content of a file, in UTF-8.

    Parameters
    ----------
    graph : LabelGraph or UndirectedLabelGraph
        The graph; of a `Trellis`, also the row and column of each label are written.
    names : sequence of str
        Names of the labels, of any characters.
    kind : {"dot", "graphml", "gexf", "json", "tikz"}
        ``dot`` is for Graphviz, ``graphml`` for yEd, Cytoscape and igraph, ``gexf`` for Gephi, ``json`` is the
        node-link form of NetworkX and D3, and ``tikz`` is a picture for LaTeX.
    positions : ndarray of shape (n_labels, 2), optional
        Where labels are drawn, horizontally and vertically between 0 and 1. Labels whose position is nan are
        written without one, and left out of a TikZ picture, with their edges. TikZ draws a trellis on its lattice
        whatever the positions, and without positions other graphs on a circle.
    dependence : ndarray of shape (n_labels, n_labels), or InformationRows, optional
        Mutual information of every pair, in nats: the attribute ``mi_nats``, left out where it is not finite.
    signs : ndarray of shape (n_labels, n_labels), or PhiRows, optional
        Phi of every pair: the attributes ``phi`` and ``sign``, which is ``co-occur``, ``exclude`` or ``neither``;
        left out where it is not finite.

    Raises
    ------
    ValueError
        If the format is unknown, or there are not as many names as labels.

    Examples
    --------
    >>> print(written_graph(LabelGraph([(), (0,)]), ["sun", 'so "hot"'], "dot").decode())
    digraph labels {
      0 [label="sun"];
      1 [label="so \"hot\""];
      0 -> 1;
    }
    <BLANKLINE>
    """
    if kind not in _WRITERS:
        raise ValueError(f"Got kind={kind!r}, but expected one of {list(GRAPH_FORMATS)}.")
    if len(names) != graph.n_labels:
        raise ValueError(f"Got {len(names)} names, but the graph has {graph.n_labels} labels.")
    drawing = _annotated(graph, names, positions, dependence, signs)
    text: str = _WRITERS[kind](drawing)
    return text.encode("utf-8", errors="replace")  # lone surrogates, which no file can hold


def _annotated(
    graph: AnyLabelGraph,
    names: Sequence[str],
    positions: np.ndarray | None,
    dependence: np.ndarray | InformationRows | None,
    signs: np.ndarray | PhiRows | None,
) -> nx.Graph:
    """Return a graph for NetworkX with all that is known of its nodes and edges."""
    drawing = nx.DiGraph() if isinstance(graph, LabelGraph) else nx.Graph()
    for label, name in enumerate(names):
        drawing.add_node(label, label=str(name))
        if positions is not None and np.isfinite(positions[label]).all():
            drawing.nodes[label].update(x=float(positions[label, 0]), y=float(positions[label, 1]))
        if isinstance(graph, Trellis):
            row, column = graph.positions[label]
            drawing.nodes[label].update(row=row, column=column)
    drawing.add_edges_from(graph.edges)
    for edge, nats in _known(dependence, graph):
        drawing.edges[edge]["mi_nats"] = nats
    for edge, phi in _known(signs, graph):
        drawing.edges[edge].update(phi=phi, sign="co-occur" if phi > 0 else "exclude" if phi < 0 else "neither")
    return drawing


def _known(
    matrix: np.ndarray | InformationRows | PhiRows | None, graph: AnyLabelGraph
) -> list[tuple[tuple[int, int], float]]:
    """Return the edges with their entries of a matrix, where these are numbers; all are looked up at once."""
    if matrix is None or not graph.edges:
        return []
    one, other = np.array(graph.edges, dtype=int).T
    entries = np.asarray(matrix[one, other], dtype=float)
    known = zip(graph.edges, entries.tolist(), np.isfinite(entries).tolist(), strict=True)
    return [(edge, entry) for edge, entry, is_finite in known if is_finite]


def _json(drawing: nx.Graph) -> str:
    return json.dumps(nx.node_link_data(drawing, edges="links"), ensure_ascii=False, indent=1) + "\n"


def _graphml(drawing: nx.Graph) -> str:
    return _xml("\n".join(nx.generate_graphml(_for_xml(drawing))))


def _gexf(drawing: nx.Graph) -> str:
    drawing = _for_xml(drawing)
    for of_node in drawing.nodes.values():
        if "x" in of_node:
            place = {"x": 10 * SIDE * of_node.pop("x"), "y": 10 * SIDE * of_node.pop("y"), "z": 0.0}
            of_node["viz"] = {"position": place}
    text = "\n".join(nx.generate_gexf(drawing))
    return _xml(_DATE.sub("", text, count=1))  # the first is that of the file itself, before any name


def _for_xml(drawing: nx.Graph) -> nx.Graph:
    """Return a copy whose names have no characters that XML cannot hold."""
    drawing = drawing.copy()
    for of_node in drawing.nodes.values():
        of_node["label"] = _NO_XML.sub("\ufffd", of_node["label"])
    return drawing


def _xml(body: str) -> str:
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'


def _dot(drawing: nx.Graph) -> str:
    kind, joint = ("digraph", "->") if drawing.is_directed() else ("graph", "--")
    lines = [f"{kind} labels {{"]
    for label, of_node in drawing.nodes(data=True):
        given = [f"label={_dot_quoted(of_node['label'])}"]
        if "x" in of_node:
            given.append(f'pos="{SIDE * of_node["x"]:.4g},{SIDE * of_node["y"]:.4g}!"')
        given += [f"{key}={of_node[key]}" for key in ("row", "column") if key in of_node]
        lines.append(f"  {label} [{', '.join(given)}];")
    for one, other, of_edge in drawing.edges(data=True):
        given = [f'{key}="{of_edge[key]:.6g}"' for key in ("mi_nats", "phi") if key in of_edge]
        if "sign" in of_edge:
            given.append(f'sign="{of_edge["sign"]}"')
            given += ["style=dashed"] * (of_edge["sign"] == "exclude")
        attributes = f" [{', '.join(given)}]" if given else ""
        lines.append(f"  {one} {joint} {other}{attributes};")
    return "\n".join([*lines, "}", ""])


def _dot_quoted(name: str) -> str:
    """Return a name in quotes, such that Graphviz takes nothing in it for an escape or an entity."""
    name = _ENTITY.sub("&amp;", name.replace("\\", "\\\\").replace('"', '\\"'))
    return '"' + name.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n").replace("\0", "\ufffd") + '"'


def _tikz(drawing: nx.Graph) -> str:
    places = _places(drawing)
    strongest = max((of_edge.get("mi_nats", 0.0) for *_, of_edge in drawing.edges(data=True)), default=0.0)
    return "\n".join(
        [
            r"% Needs \usepackage{tikz}; to fit a column: \resizebox{\columnwidth}{!}{\input{...}}",
            r"\begin{tikzpicture}[",
            r"  label/.style={draw, rounded corners=2pt, fill=white, font=\small, inner sep=2pt},",
            f"  edge/.style={{{'-latex' if drawing.is_directed() else '-'}}}, exclude/.style={{dashed}}]",
            *_tikz_lines(drawing, places, strongest),
            "\\end{tikzpicture}\n",
        ]
    )


def _tikz_lines(drawing: nx.Graph, places: dict[int, tuple[float, float]], strongest: float) -> Iterator[str]:
    """Yield the nodes and edges of a picture."""
    if len(places) < len(drawing):
        yield f"% {len(places)} of {len(drawing)} labels, those that have a position."
    for label, (x, y) in places.items():
        name = drawing.nodes[label]["label"]
        yield rf"  \node[label] ({label}) at ({x:.3f},{y:.3f}) {{{tikz_escaped(name)}}};"
    for one, other, of_edge in drawing.edges(data=True):
        if one in places and other in places:
            share = of_edge.get("mi_nats", 0.0) / strongest if strongest > 0 else 0.0
            style = f"edge, line width={_THINNEST + (_THICKEST - _THINNEST) * share:.2f}pt"
            excludes = ", exclude" * (of_edge.get("sign") == "exclude")
            yield rf"  \draw[{style}{excludes}] ({one}) -- ({other});"


def _places(drawing: nx.Graph) -> dict[int, tuple[float, float]]:
    """Return where labels are drawn, in centimetres: a trellis on its lattice, else as given, else on a circle."""
    nodes = dict(drawing.nodes(data=True))
    if all("row" in of_node for of_node in nodes.values()):
        return {label: (2.5 * of["column"], -1.5 * of["row"]) for label, of in nodes.items()}
    if any("x" in of_node for of_node in nodes.values()):
        return {label: (SIDE * of["x"], SIDE * of["y"]) for label, of in nodes.items() if "x" in of}
    return {label: (SIDE * x, SIDE * y) for label, (x, y) in enumerate(ring_positions(len(nodes)).tolist())}


_WRITERS = {"dot": _dot, "graphml": _graphml, "gexf": _gexf, "json": _json, "tikz": _tikz}
