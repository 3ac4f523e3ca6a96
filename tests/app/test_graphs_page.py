"""The Graphs page: two structures side by side, and what each finds of a known graph."""

import json

import numpy as np
import pytest
import structures

from trellislib.graphs import recovery


@pytest.fixture
def known(visitor):
    """A visitor with labels whose true graph is known."""
    visitor.choose_source("Label DAG")
    visitor.press("Simulate the labels")
    return visitor.go("graphs")


def nodes(chart):
    """Return what a chart draws of the labels: where, and as what."""
    trace = json.loads(chart.proto.spec)["data"][-1]
    return trace["x"], trace["y"], trace["text"]


def test_two_structures_side_by_side_on_the_same_places(visitor):
    visitor.go("graphs")
    left, right = visitor.charts

    assert visitor.takeaway.startswith("FS has ")
    assert nodes(left) == nodes(right)
    assert visitor.widget("left graph").options == ["FS", "LEAD (signed)", "LEAD (error)", "MI tree", "PC", "Trellis"]


@pytest.mark.parametrize("name", ["FS", "LEAD (signed)", "LEAD (error)", "MI tree", "PC", "Trellis", "True graph"])
def test_code_finds_the_graphs_that_are_shown(known, name, capsys):
    known.set("left graph", name).set("right graph", "MI tree").set("most parents", 2).set("graph seed", 3)
    found = {}
    exec(known.code, found)

    for shown, graph in found["graphs"].items():
        assert f"{shown}, {len(graph.edges)} edges" in known.said.replace("**", "")
        directions = known.table(shown)[shown]
        assert (directions != "").sum() == len(graph.edges)
    assert len(found["graphs"]) == len({name, "MI tree"})


def test_what_is_found_of_the_true_graph(known, capsys):
    known.set("left graph", "FS")
    found = {}
    exec(known.code, found)
    table = known.table("SHD ↓")
    agreement = recovery(found["graphs"]["FS"], known.workspace().dataset.true_parents)

    assert list(table.index) == ["FS", "LEAD (signed)", "LEAD (error)", "MI tree", "Trellis"]
    assert table.loc["FS", "F of pairs ↑"] == agreement.skeleton_f
    assert table.loc["FS", "SHD ↓"] == agreement.shd
    assert "PC" in known.set("left graph", "PC").table("SHD ↓").index


def test_the_level_of_the_tests_finds_more_or_fewer_edges(visitor):
    def n_edges():
        return (visitor.table("FS")["FS"] != "").sum()

    visitor.go("graphs").set("level", 0.0001)
    few = n_edges()
    visitor.set("level", 0.1)

    assert n_edges() > few


def test_the_trellis_is_the_one_that_was_tuned(visitor):
    visitor.go("trellis").set("width", 14).go("graphs").set("left graph", "Trellis")

    assert "Trellis, 13 edges" in visitor.said.replace("**", "")


def test_a_true_graph_is_forgotten_with_its_data(known):
    assert known.widget("left graph").value == "True graph"
    known.choose_packaged("solar-flare").go("graphs")

    assert known.widget("left graph").value == "FS"
    assert len(known.charts) == 2


def test_many_labels_are_drawn_in_part_and_this_is_said(visitor, meka_arff):
    rng = np.random.default_rng(0)
    Y = (rng.random((40, 1)) + rng.random((40, 160)) > 1).astype(int)
    rows = [",".join(map(str, [*y, 0.5, n])) for n, y in enumerate(Y)]
    visitor.upload(("wide.arff", meka_arff(dict.fromkeys([f"l{j}" for j in range(160)], "0,1"), rows))).go("graphs")

    assert "Drawn are the 150 of 160 labels" in visitor.captions
    assert len(nodes(visitor.charts[0])[2]) == 150
    assert f"PC is offered for up to {structures.MOST_PC} labels" in visitor.captions


def test_without_the_extra_the_page_says_how_to_get_pc(visitor, monkeypatch):
    monkeypatch.setattr(structures, "HAS_PC", False)
    visitor.go("graphs")

    assert "pip install 'trellislib[pc]'" in visitor.captions
    assert "PC" not in visitor.widget("left graph").options


def test_missing_cells_are_filled_for_lead(visitor, meka_arff, capsys):
    rows = [f"{n % 2},{n // 2 % 2},{n % 3 % 2},{'?' if n % 5 == 0 else n},{n % 7}" for n in range(40)]
    visitor.upload(("gaps.arff", meka_arff(dict.fromkeys("abc", "0,1"), rows))).go("graphs")

    assert len(visitor.charts) == 2
    assert "SimpleImputer" in visitor.code
