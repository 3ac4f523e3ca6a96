"""The Graphs page: structures side by side, one label in all of them, and what the features explain."""

import functools
import json
import re
import threading
import time

import numpy as np
import pandas as pd
import pytest
from sentences import has_line, holds
from state import structures
from state.assets import ASSETS
from views.graphs import conditional, found

from trellislib.data import packaged
from trellislib.graphs import LabelGraph, label_communities, recovery
from trellislib.running.progress import CancelledError

STRUCTURES = ["FS", "LEAD (signed)", "LEAD (error)", "MI tree", "PC", "Trellis"]
CONDITIONAL = "Marginal and conditional"


@pytest.fixture
def known(visitor):
    """A visitor with labels whose true graph is known."""
    visitor.choose_source("Label DAG")
    visitor.press("Simulate the labels")
    return visitor.go("graphs")


@pytest.fixture
def wide(visitor, meka_arff, tmp_path, monkeypatch):
    """A visitor with 160 labels, whose file is where Python looks for it."""
    rng = np.random.default_rng(0)
    Y = (rng.random((40, 1)) + rng.random((40, 160)) > 1).astype(int)
    rows = [",".join(map(str, [*y, 0.5, n])) for n, y in enumerate(Y)]
    content = meka_arff(dict.fromkeys([f"l{j}" for j in range(160)], "0,1"), rows)
    (tmp_path / "wide.arff").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return visitor.upload(("wide.arff", content))


def nodes(figure):
    """Return where a figure draws each label."""
    of_labels = [trace for trace in figure["data"] if "text" in trace]
    return {
        label: place
        for trace in of_labels
        for label, *place in zip(trace["customdata"], trace["x"], trace["y"], strict=True)
    }


def graphs_of(visitor):
    """Return the graphs that the Python of the page makes, by the names of their structures."""
    made, names = {}, [*STRUCTURES, structures.TRUE]
    exec(visitor.code, made)
    variables = {f"{name.translate(found.IN_NAMES).lower()}_graph": name for name in names}
    return {variables[variable]: graph for variable, graph in made.items() if variable in variables}


def n_edges(visitor, name="FS"):
    return (visitor.table(name)[name] != "").sum()


@pytest.mark.parametrize(
    "chosen", [["FS"], ["FS", "LEAD (signed)"], ["MI tree", "PC", "Trellis"], ["LEAD (error)", "PC", "FS", "Trellis"]]
)
def test_structures_side_by_side_on_the_same_places(visitor, same_figures, chosen):
    visitor.go("graphs").set("graphs", chosen)
    first, *others = map(nodes, visitor.figures)

    assert visitor.takeaway.startswith(f"{chosen[0]} {'finds' if len(chosen) == 1 else 'has'} ")
    assert visitor.widget("graphs").options == STRUCTURES
    assert len(visitor.charts) == len(chosen)
    assert set(first) == set(range(14))
    assert all(other == first for other in others)
    same_figures(visitor)


@pytest.mark.parametrize("name", [*STRUCTURES, "True graph"])
def test_code_finds_the_graphs_that_are_shown(known, name):
    known.set("graphs", list({name: None, "MI tree": None})).set("graph_parents", 2).set("graph_seed", 3)
    made = graphs_of(known)

    for shown, graph in made.items():
        assert f"{shown}, {len(graph.edges)} edges" in known.text.replace("**", "")
        assert n_edges(known, shown) == len(graph.edges)
    assert len(made) == len({name, "MI tree"})


def test_what_is_found_of_the_true_graph(known):
    known.set("graphs", ["True graph", "FS"])
    table = known.table("SHD ↓")
    agreement = recovery(graphs_of(known)["FS"], known.workspace().dataset.true_parents)

    assert list(table.index) == ["FS", "LEAD (signed)", "LEAD (error)", "MI tree", "Trellis"]
    assert table.loc["FS", "F of pairs ↑"] == agreement.skeleton_f
    assert table.loc["FS", "SHD ↓"] == agreement.shd
    assert "PC" in known.set("graphs", ["PC"]).table("SHD ↓").index


def test_the_level_of_the_tests_finds_more_or_fewer_edges(visitor):
    visitor.go("graphs").set("graph_level", 0.0001)
    few = n_edges(visitor)
    visitor.set("graph_level", 0.1)

    assert n_edges(visitor) > few


def test_weak_edges_are_taken_out_of_figures_counts_and_tables(visitor, same_figures):
    visitor.go("graphs")
    before = visitor.table("FS")
    visitor.set("graph_mi", 0.05)
    after = visitor.table("FS")

    assert after["MI (nats)"].min() >= 0.05
    assert after["label"].tolist() == before.loc[before["MI (nats)"] >= 0.05, "label"].tolist()
    assert f"FS has {n_edges(visitor)} edges" in visitor.takeaway
    same_figures(visitor)


def test_edges_list_their_graphs_and_can_be_filtered(visitor, downloads):
    visitor.go("graphs").set("graphs", ["FS", "LEAD (signed)", "MI tree"])
    edges = visitor.table("edge")
    alike = (edges["FS"] == edges["LEAD (signed)"]) & (edges["FS"] == edges["MI tree"])

    shared = (edges[["FS", "LEAD (signed)", "MI tree"]] != "").all(axis=1)
    assert (edges["edge"] == "all").tolist() == alike.tolist()
    assert (edges["edge"] == "all, reversed").tolist() == (shared & ~alike).tolist()
    assert set(edges["FS"]) == {"→", "←", ""}
    has_line(visitor.takeaway, f"All 3 join {shared.sum()}", f"{len(edges)} pairs")
    turned = f", {(shared & ~alike).sum()} of these in opposite directions" if (shared & ~alike).any() else ""
    has_line(visitor.captions, f"{shared.sum()}", f"{len(edges)} pairs", f"all graphs{turned}")
    visitor.set("graph_differences", True)
    assert visitor.table("edge").equals(edges[~alike])
    written = downloads["yeast-graphs-edges-table csv"]()
    assert written.splitlines()[0] == "label,other label,MI (nats),phi,edge,FS,LEAD (signed),MI tree"
    assert len(written.splitlines()) == 1 + (~alike).sum()


def test_the_trellis_is_the_one_that_was_tuned(visitor):
    visitor.go("trellis").set("width", 14).go("graphs").set("graphs", ["Trellis"])

    assert "Trellis, 13 edges" in visitor.text.replace("**", "")


def test_a_true_graph_is_shown_first_and_forgotten_with_its_data(known):
    assert known.widget("graphs").value == ["True graph", "FS", "LEAD (signed)"]
    known.choose_packaged("solar-flare").go("graphs")

    assert known.widget("graphs").value == ["FS", "LEAD (signed)"]
    assert len(known.charts) == 2


def test_what_somebody_chose_stays_with_other_data(visitor):
    visitor.go("graphs").set("graphs", ["Trellis", "MI tree"]).choose_packaged("solar-flare").go("graphs")

    assert visitor.widget("graphs").value == ["Trellis", "MI tree"]


# One label in all graphs


def test_a_label_is_emphasised_and_described(visitor, same_figures):
    visitor.go("graphs").set("graphs", ["FS", "LEAD (signed)", "Trellis"]).set("graph_label", "Class5")
    made = graphs_of(visitor)
    family = visitor.at.table[0].value.set_index("graph")
    family.index = [name.replace("\\", "") for name in family.index]

    for figure, graph in zip(visitor.figures, made.values(), strict=True):
        far, near = [trace for trace in figure["data"] if "text" in trace]
        assert set(near["customdata"]) == {4, *graph.neighbours[4]}
        assert far["opacity"] < 1
    names = visitor.workspace().dataset.label_names
    for name, graph in made.items():
        reported = family.loc[name]
        kinds = ("parents", "children", "other parents of its children")
        of_kinds = [set(reported[kind].replace(" and ", ", ").split(", ")) - {"none"} for kind in kinds]
        assert set.union(*of_kinds) == {names[one] for one in graph.markov_blanket(4)}
        assert of_kinds[:2] == [{names[one] for one in of[4]} for of in (graph.parents, graph.children)]
        assert reported["edges"] == str(len(graph.neighbours[4]))
    assert visitor.at.header[0].value == "Class5"
    assert "722 instances (29.9%)" in visitor.text
    assert visitor.table("together")["label"].iloc[0] == "Class6"
    assert len(visitor.table("with")) == 5
    same_figures(visitor)
    visitor.set("graph_label", None)
    assert "Click a label" in visitor.captions


@pytest.mark.parametrize("label", [None, "Class5"])
def test_a_neighbourhood_has_all_the_room(visitor, same_figures, label):
    visitor.go("graphs").set("graph_show", "Neighbourhood").set("graph_label", label)
    made = graphs_of(visitor).values()
    centre = found.most_connected(list(made)) if label is None else 4
    around = {centre}.union(*(graph.neighbours[centre] for graph in made))

    assert [set(nodes(figure)) for figure in visitor.figures] == [around] * 2
    name = visitor.workspace().dataset.label_names[centre]
    has_line(
        visitor.captions, "The graphs show", f"{len(around)}", "14 labels", f"{name}", "all", "neighbours", "any graph"
    )
    same_figures(visitor)


def test_communities_are_separate_and_named(visitor, same_figures):
    visitor.go("graphs").set("graph_show", "Communities")
    data = packaged("yeast")
    made = {}
    exec(visitor.code, made)
    groups = label_communities(made["information"], made["signs"])
    of_labels = visitor.figures[0]["data"][-1]

    for label in range(data.n_labels):
        assert (groups == groups[label]).tolist() == [
            symbol == of_labels["marker"]["symbol"][label] for symbol in of_labels["marker"]["symbol"]
        ]
    has_line(visitor.captions, "Communities", "■ Class5", "Class6")
    same_figures(visitor)


# Addresses


@pytest.mark.parametrize(
    ("address", "key", "value"),
    [
        ({"graphs": "Trellis"}, "graphs", ["Trellis"]),
        ({"graphs": "nothing"}, "graphs", ["FS", "LEAD (signed)"]),
        ({"graph_label": "Class3"}, "graph_label", "Class3"),
        ({"graph_label": "nobody"}, "graph_label", None),
        ({"graph_show": "Communities"}, "graph_show", "Communities"),
        ({"graph_show": "x"}, "graph_show", "Overview"),
        ({"graph_mi": "0.05"}, "graph_mi", 0.05),
        ({"graph_mi": "0.3"}, "graph_mi", 0.0),
        ({"graph_parents": "9"}, "graph_parents", 3),
        ({"graph_level": "0.05"}, "graph_level", 0.05),
        ({"graph_seed": "7"}, "graph_seed", 7),
        ({"graph_seed": "-7"}, "graph_seed", 0),
        ({"graph_view": "y"}, "graph_view", "Structures"),
        ({"graph_view": ""}, "graph_view", None),
        ({"graph_view": CONDITIONAL, "graph_pair": "Class1 and Class4"}, "graph_pair", (0, 3)),
        ({"graph_view": CONDITIONAL, "graph_pair": "one and another"}, "graph_pair", None),
    ],
)
def test_the_address_carries_the_knobs_and_wrong_ones_fall_back(visit, address, key, value):
    visitor = visit(**address).go("graphs")

    assert visitor.widget(key).value == value
    assert visitor.charts


# Marginal and conditional


def test_marginal_and_conditional_dependence(visitor, same_figures):
    visitor.go("graphs").set("graph_view", CONDITIONAL)

    has_line(visitor.takeaway, "The features explain most dependence away", "Class1", "Class4")
    assert len(visitor.charts) == 3
    assert len(visitor.figures[0]["data"][1]["customdata"]) == 91
    same_figures(visitor)
    visitor.set("graph_pair", (0, 3))
    assert visitor.at.header[0].value == "Class1 and Class4"
    pairs = conditional.table(visitor.workspace().dataset).set_index(["label", "other label"])
    has_line(visitor.text, f"explain {1 - pairs.loc[('Class1', 'Class4'), 'remains']:.0%}", "dependence")
    assert len(visitor.figures[0]["data"]) == 3
    same_figures(visitor)


def test_pairs_are_listed_by_the_share_that_is_explained_away(visitor):
    visitor.go("graphs").set("graph_view", CONDITIONAL)
    listed = visitor.table("remains")
    marginal = conditional.without_features(visitor.workspace().dataset)
    np.fill_diagonal(off := marginal.copy(), 0)

    assert listed["without"].min() >= conditional.FLOOR * off.max()
    assert len(listed) == (np.triu(off, 1) >= conditional.FLOOR * off.max()).sum()
    assert listed["remains"].is_monotonic_increasing
    np.testing.assert_allclose(listed["remains"], listed["beyond"] / listed["without"])


def test_a_pair_that_was_clicked_stays_with_its_data(visitor):
    visitor.go("graphs").set("graph_view", CONDITIONAL)
    visitor.at.session_state[conditional.CLICKED] = ("other data", (0, 99))
    visitor.run()

    assert len(visitor.widget("graph_pair").options) == 91


def test_pairs_of_other_data_are_forgotten(visitor):
    visitor.go("graphs").set("graph_view", CONDITIONAL).set("graph_pair", (0, 3))
    visitor.choose_packaged("solar-flare").go("graphs").set("graph_view", CONDITIONAL)

    assert visitor.widget("graph_pair").value is None


# Other data


def test_many_labels_are_drawn_in_part_with_a_note(wide, same_figures):
    wide.at.session_state["graphs"] = ["Trellis", "MI tree"]
    wide.go("graphs")

    has_line(wide.captions, "The graphs show", "150", "160 labels")
    assert len(nodes(wide.figures[0])) == 150
    has_line(wide.captions, "PC", "offered", "most", f"{structures.MOST_PC} labels")
    missing = sorted(set(range(160)) - set(nodes(wide.figures[0])))
    wide.set("graph_label", f"l{missing[0]}").set("graph_show", "Neighbourhood")
    assert missing[0] in nodes(wide.figures[0])
    same_figures(wide)
    has_line(wide.set("graph_view", CONDITIONAL).captions, "The figure shows", "2,000 strongest", "12,720 pairs")


def test_one_label_has_no_graph(visitor, meka_arff):
    rows = [f"{n % 2},{n},{n % 7}" for n in range(20)]
    visitor.upload(("one.arff", meka_arff({"only": "0,1"}, rows))).go("graphs")

    holds(visitor.takeaway, "only is the only label", "depends on no other")
    assert not visitor.charts


def test_labels_of_more_values_have_no_signs(visitor, same_figures):
    visitor.choose_packaged("solar-flare").go("graphs")
    visitor.set("graph_label", visitor.workspace().dataset.label_names[0])

    assert "phi" not in visitor.table("edge")
    assert "Orange" not in visitor.captions
    same_figures(visitor)
    same_figures(visitor.set("graph_view", CONDITIONAL))


def test_without_the_extra_the_page_explains_how_to_get_pc(visitor, monkeypatch):
    monkeypatch.setattr(structures, "HAS_PC", False)
    visitor.go("graphs")

    assert "pip install 'trellislib[pc]'" in visitor.captions
    assert "PC" not in visitor.widget("graphs").options


def test_missing_cells_are_filled_for_lead(visitor, meka_arff):
    rows = [f"{n % 2},{n // 2 % 2},{n % 3 % 2},{'?' if n % 5 == 0 else n},{n % 7}" for n in range(40)]
    visitor.upload(("gaps.arff", meka_arff(dict.fromkeys("abc", "0,1"), rows))).go("graphs")

    assert len(visitor.charts) == 2
    assert "SimpleImputer" in visitor.code


def test_a_slow_graph_is_found_by_a_job_while_the_others_are_shown(visitor, monkeypatch):
    monkeypatch.setattr(found, "MOST_SECONDS", 0)
    free, lead = threading.Event(), structures.lead

    @functools.wraps(lead)
    def slow(*inputs, **more):
        assert free.wait(60)
        return lead(*inputs, **more)

    monkeypatch.setattr(structures, "lead", slow)
    visitor.go("graphs")
    assert not visitor.workspace().pieces, "nobody asked for it"
    assert len(visitor.charts) == 1
    assert visitor.takeaway.startswith("FS finds 19 edges")
    assert "LEAD (signed) takes about" in visitor.captions
    assert list(graphs_of(visitor)) == ["FS"]
    visitor.click("find LEAD (signed)")
    free.set()
    visitor.wait(lambda: not visitor.workspace().active)
    assert len(visitor.charts) == 2
    has_line(visitor.takeaway, "FS", "19 edges", "LEAD (signed) 14")


def test_a_search_that_fails_shows_the_reason_and_can_be_started_again(visitor, monkeypatch):
    monkeypatch.setattr(found, "MOST_SECONDS", 0)
    lead, fails = structures.lead, [True]

    @functools.wraps(lead)
    def failing(*inputs, **more):
        if fails:
            fails.pop()
            raise ValueError("no room")
        return lead(*inputs, **more)

    monkeypatch.setattr(structures, "lead", failing)
    visitor.go("graphs").click("find LEAD (signed)").wait(lambda: not visitor.workspace().active)
    assert visitor.errors == ["LEAD (signed): no room"]
    visitor.click("find LEAD (signed)").wait(lambda: not visitor.workspace().active)
    assert len(visitor.charts) == 2


def test_a_search_with_other_knobs_ends_the_one_before(visitor, monkeypatch):
    monkeypatch.setattr(found, "MOST_SECONDS", 0)
    begun, lead = threading.Event(), structures.lead

    @functools.wraps(lead)
    def endless(*inputs, cancelled, **more):
        begun.set()
        while not cancelled():
            time.sleep(0.01)
        raise CancelledError("cancelled")

    visitor.go("graphs")
    monkeypatch.setattr(structures, "lead", endless)
    visitor.click("find LEAD (signed)")
    assert begun.wait(60)
    visitor.set("graph_parents", 2)
    monkeypatch.setattr(structures, "lead", lead)
    visitor.click("find LEAD (signed)").wait(lambda: not visitor.workspace().active)
    assert [job.state for job in visitor.workspace().pieces.values()] == ["cancelled", "done"]
    assert len(visitor.charts) == 2


# Files


def test_every_graph_is_saved_in_every_form(visitor, downloads):
    visitor.go("graphs").set("graph_mi", 0.05)
    made = graphs_of(visitor)

    for kind in ("dot", "graphml", "gexf", "json", "tikz"):
        assert downloads[f"yeast-FS-graph {kind}"]()
    drawing = json.loads(downloads["yeast-LEAD (signed)-graph json"]())
    edges = {(link["source"], link["target"]) for link in drawing["links"]}
    assert edges == set(made["LEAD (signed)"].edges)
    assert isinstance(made["FS"], LabelGraph)


def test_a_graph_of_a_neighbourhood_is_saved_without_places(visitor, downloads):
    visitor.go("graphs").set("graph_show", "Neighbourhood").set("graph_label", "Class9")

    for kind in ("json", "dot", "graphml", "gexf", "tikz"):
        assert downloads[f"yeast-FS-graph {kind}"]()
    labels = json.loads(downloads["yeast-FS-graph json"]())["nodes"]
    assert len(labels) == 14
    assert not any("x" in label for label in labels)


def test_matrices_and_pairs_are_saved(visitor, downloads):
    visitor.go("graphs").set("graph_view", CONDITIONAL)

    assert downloads["yeast-Beyond the features-matrix csv"]().startswith(",Class1,")
    table = downloads["yeast-marginal-and-conditional-table csv"]()
    assert table.splitlines()[0] == "label,other label,without,beyond,remains,MI"
    assert len(table.splitlines()) == 92


def test_of_many_labels_as_many_edges_are_drawn_as_there_are_labels_at_first(visitor, meka_arff):
    rng = np.random.default_rng(0)
    base = rng.random((200, 1))
    labels = (base + rng.random((200, 45)) > 1).astype(int)
    rows = [",".join([*map(str, row), f"{x:.3f}", "0"]) for row, x in zip(labels, base[:, 0], strict=True)]
    visitor.upload(("many.arff", meka_arff({f"l{j}": "0,1" for j in range(45)}, rows))).go("graphs")
    visitor.set("graphs", ["Trellis"])
    assert "45 drawn" in visitor.text

    visitor.set("graph_edges", 60)
    assert "60 drawn" in visitor.text
    assert "most_edges=60" in visitor.flat_code


def test_edges_over_samples(visitor, same_figures):
    visitor.go("graphs").set("graph_view", "Over samples")
    has_line(visitor.takeaway, "MI tree joins", "pairs", "90%", "50 samples")
    pairs = visitor.table("frequency")
    assert (pairs["frequency"] >= 0.9).all()
    assert pairs["direction"].between(0.5, 1).all()
    measured = pd.read_csv(ASSETS / "edge_frequencies.csv").query("structure == 'tree' and least == 0.9")
    kept, true = measured["kept"].sum(), measured["true"].sum()
    holds(visitor.captions, "MI tree was learned from 50 bootstrap samples", f"{true} of {kept} pairs in 90%")
    same_figures(visitor)
    visitor.set("sampled_least", 0.3).set("sampled_how", "halves")
    assert len(visitor.table("frequency")) >= len(pairs)
    visitor.set("sampled_least", 0.8)
    has_line(visitor.captions, "Stability selection", "at most", "false pairs")


def test_edges_over_samples_that_take_long_are_learned_by_a_job(visitor):
    visitor.go("graphs").set("graph_view", "Over samples").set("sampled_n", 20).set("sampled", "FS")
    visitor.click("samples").wait(lambda: not visitor.workspace().active)
    has_line(visitor.takeaway, "FS joins", "20 samples")


@pytest.mark.parametrize("structure", ["MI tree", "Trellis"])
def test_edges_over_samples_of_labels_of_many_values(visitor, structure):
    visitor.choose_packaged("solar-flare").go("graphs").set("graph_view", "Over samples").set("sampled", structure)
    has_line(visitor.takeaway, structure, "90%", "50 samples")
    assert not visitor.errors


def test_edges_over_samples_count_rows_as_they_weigh(visitor):
    rows = "".join(f"{i % 7 / 2},{i}.5,{i % 2},{int(i % 5 > 2)}\n" for i in range(40))
    visitor.upload(("survey.csv", f"w,x,a,b\n{rows}".encode())).answer(weights="w")
    visitor.click("accept").go("graphs").set("graph_view", "Over samples")
    assert re.search(r"resampled\('tree', [^()]*sample_weight=", visitor.flat_code)
    if structures.HAS_PC:
        visitor.set("sampled", "PC")
        has_line(visitor.captions, "PC counts every row once")
    assert not visitor.errors
