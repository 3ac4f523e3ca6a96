"""The graphs of the paper's figures."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from trellislib.data import simulate_label_dag
from trellislib.data.sets.library import obtain
from trellislib.graphs import recovery
from trellislib.labels.graph import LabelGraph, UndirectedLabelGraph
from trellislib.paper import (
    graphical_models,
    measured_exponents,
    music_graphs,
    recovered_graphs,
    room_example,
    trellises,
)

SHARED = Path(__file__).parents[3] / "shared" / "data"
GROWTH = Path(__file__).parents[2] / "assets" / "growth.csv"


def test_graphical_models():
    models = graphical_models()
    assert list(models) == ["IC", "CC", "BCC", "CDN"]
    assert models["IC"].edges == ()
    assert models["CC"].parents[3] == (0, 1, 2)
    assert isinstance(models["BCC"], LabelGraph)
    assert all(len(parents) <= 1 for parents in models["BCC"].parents)
    assert isinstance(models["CDN"], UndirectedLabelGraph)
    assert models["CDN"].neighbours[0] == (1, 2, 3)


def test_trellises_of_nine_labels():
    placed = trellises()
    inner = {name: len(of.parents[4]) for name, of in placed.items()}
    assert inner == {"left-up": 2, "left-up-diagonal": 3, "left-up-diagonals": 4}
    assert {label + 1 for label in placed["left-up"].undirected().neighbours[4]} == {2, 4, 6, 8}  # ne(5) of the paper
    assert {label + 1 for label in placed["left-up-diagonal"].parents[4]} == {1, 2, 4}  # pa(5)


def test_room_example():
    example = room_example()
    assert (example.room.width, example.room.n_sensors) == (10, 12)
    assert example.tiles.sum() == 4
    assert example.observed.sum() == 3
    corner = example.tiles.reshape(10, 10)[0, 9]
    assert corner == 1
    assert not example.room.zones().reshape(12, 10, 10)[:, 0, 9].any()
    unseen = example.tiles.copy()
    unseen[9] = 0
    assert (example.room.zones() @ unseen > 0).astype(int).tolist() == example.observed.tolist()


def test_the_easy_graph_is_found_better_than_the_hard_one():
    found = {level: recovered_graphs(level, random_state=3) for level in ("easy", "medium", "hard")}
    agreement = {level: recovery(graphs["FS"], graphs["Truth"]).skeleton_f for level, graphs in found.items()}
    assert agreement["easy"] > agreement["hard"]
    for graphs in found.values():
        assert list(graphs) == ["Truth", "FS", "LEAD"]
        assert {graph.n_labels for graph in graphs.values()} == {20}
        assert max(len(parents) for parents in graphs["Truth"].parents) <= 1


def test_the_truth_is_that_of_the_data():
    data = simulate_label_dag(n_labels=6, alpha=1.0, sigma2=1.0, random_state=5)
    assert recovered_graphs("easy", random_state=5, n_labels=6)["Truth"] == LabelGraph(data.true_parents)


def test_unknown_difficulty():
    with pytest.raises(ValueError, match=r"Got .*difficulty 'harder', .*expected .*\['easy'"):
        recovered_graphs("harder")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real data sets are not in ../shared/data")
def test_music():
    music = obtain("emotions", SHARED)
    graphs = music_graphs(music)
    names = [name.split("-")[0] for name in music.label_names]
    linked = {frozenset((names[a], names[b])) for a, b in graphs["FS"].edges}
    assert frozenset(("quiet", "sad")) in linked  # the caption's co-occurrence
    assert graphs["LEAD"].n_labels == 6


def test_exponents():
    rows = [
        (method, base, variable, size, seconds, seconds**2)
        for method, base, power in [("CT", "least squares", 1.5), ("CT", "logistic", 3), ("CC", "least squares", 1)]
        for variable in ("L", "N")
        for size in (100, 10, 1000)
        for seconds in [1e-3 * size**power]
    ]
    growth = pd.DataFrame(rows, columns=["method", "base", "variable", "size", "train s", "predict s"])
    table = measured_exponents(growth)
    assert table.index.tolist() == ["IC", "CT", "EBCC", "CDT", "ECT", "ECC"]
    assert table.loc["CT", ["train L", "train N", "test L"]].tolist() == [1.5, 1.5, 3.0]
    assert table.loc["IC"].isna().sum() == 6
    assert np.isnan(table.loc["CT", "train D"])
    assert table.loc["CDT", "test"] == "O(TL)"


def test_exponents_of_what_was_measured():
    table = measured_exponents(pd.read_csv(GROWTH))
    assert table.filter(regex="^(train|test) ").notna().all(axis=None)
    assert table.loc["CT", "train N"] < 1.3  # no worse than linear in the instances, as the paper says
