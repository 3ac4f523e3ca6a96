"""The Dependence page: map, clusters, zoom and pair, with few labels and many."""

import io
import re

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect
from sentences import has_line, holds

from trellislib.data import packaged, simulate_room
from trellislib.dependence import (
    co_occurrence,
    mutual_information,
    pair_counts,
    residual_gram,
    residual_information,
    strongest_pairs,
)
from trellislib.figures import CLICKABLE_LABELS, tile_size


def shapes(figure):
    """Return the frames of a map by their dash: of what is selected, and of clusters."""
    framed = figure["layout"].get("shapes", [])
    return [one for one in framed if "dash" not in one["line"]], [one for one in framed if "dash" in one["line"]]


@pytest.fixture
def large(visitor, meka_arff, tmp_path, monkeypatch):
    """A visitor with more labels than cells can be clicked, in the folder of their file."""
    rng = np.random.default_rng(0)
    common = rng.random((60, 8)) < 0.4
    Y = (common[:, np.arange(160) % 8] ^ (rng.random((60, 160)) < 0.1)).astype(int)
    rows = [f"{','.join(map(str, row))},{row[0]},{row[1]}" for row in Y]
    content = meka_arff({f"l{label}": "0,1" for label in range(160)}, rows)
    (tmp_path / "large.arff").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return visitor.upload(("large.arff", content)).go("dependence")


def test_the_strongest_pairs_of_both_senses_are_named(visitor):
    visitor.go("dependence")

    has_line(
        visitor.captions,
        "Class12",
        "Class13 co-occur most (0.529 nats)",
        "Class4",
        "Class6 exclude",
        "other most (0.0646 nats)",
    )
    visitor.set("unit", "bits")
    assert "co-occur most (0.763 bits)" in visitor.captions


@pytest.mark.parametrize(
    "knobs",
    [
        {},
        {"order": "file", "unit": "bits", "diagonal": True},
        {"order": "frequency", "clusters": 3, "first-label": 0, "second-label": 5},
        {"clusters": 5, "zoom": 5},
        {"dependence": "residual", "clusters": 2, "unit": "bits"},
        {"dependence": "co-occurrence", "diagonal": True},
    ],
)
def test_the_python_draws_the_same_figures(visitor, same_figures, knobs):
    visitor.go("dependence")
    for key, value in knobs.items():
        visitor.set(key, value)

    same_figures(visitor)


def test_the_python_draws_the_same_figures_of_more_values(visitor, same_figures):
    visitor.choose_packaged("solar-flare").go("dependence")
    same_figures(visitor)
    assert "depend on each other most" in visitor.captions
    assert "co-occurrence" not in visitor.widget("dependence").options

    visitor.set("dependence", "residual")
    same_figures(visitor)


def test_the_python_draws_the_same_figures_of_many_labels(large, same_figures):
    same_figures(large)
    large.set("clusters", 8).set("zoom", 2)
    same_figures(large)
    large.set("zoom", 0).set("order", "file").set("rows", 1).set("columns", 0)
    same_figures(large)


def test_clusters_are_cut_and_framed(visitor):
    visitor.go("dependence").set("clusters", 4)
    of_map, tree = visitor.figures
    table = visitor.table("closest pair")
    _, frames = shapes(of_map)

    assert len(table) == 4
    assert table["size"].sum() == 14
    assert len(frames) == (table["size"] > 1).sum()
    assert sorted(frame["x1"] - frame["x0"] for frame in frames) == sorted(table["size"][table["size"] > 1])
    assert tree["layout"]["yaxis"]["ticktext"] == of_map["layout"]["yaxis"]["ticktext"]
    assert "fall into 4 clusters" in visitor.captions

    visitor.set("order", "file")
    assert not shapes(visitor.figures[0])[1], "clusters lie apart in other orders"


def test_zoom_shows_the_labels_of_a_cluster_alone(visitor):
    visitor.go("dependence").set("clusters", 4)
    table = visitor.table("closest pair")
    number = int(table["size"].idxmax())
    visitor.set("zoom", number)
    shown = visitor.figures[0]["layout"]["xaxis"]["ticktext"]

    assert len(shown) == table.loc[number, "size"]
    assert set(table.loc[number, "labels"].split(" and ")[0].split(", ")) <= set(shown)
    labels = [packaged("yeast").label_names.index(name) for name in shown]
    information = mutual_information(packaged("yeast").Y)[np.ix_(labels, labels)]
    one, other = np.unravel_index(np.triu(information, k=1).argmax(), information.shape)
    has_line(visitor.captions, "The strongest pair", "labels", f"{shown[one]}", f"{shown[other]}")

    visitor.set("zoom", 0)
    assert len(visitor.figures[0]["layout"]["xaxis"]["ticktext"]) == 14


def test_fewer_clusters_than_the_one_that_is_zoomed_into_show_all_labels(visitor):
    visitor.go("dependence").set("clusters", 14 // 2)
    visitor.set("zoom", max(visitor.widget("zoom").options and [1])).set("clusters", 1).set("clusters", 14)

    assert len(visitor.figures[0]["layout"]["xaxis"]["ticktext"]) == 14


def test_what_the_features_leave_of_a_pair(visitor):
    data = packaged("yeast")
    beyond = residual_gram(data.X, data.Y).pair(3, 7)
    visitor.go("dependence").set("first-label", 3).set("second-label", 7)
    shown = {metric.label: metric.value for metric in visitor.at.metric}

    assert shown["Remains beyond the features"] == f"{beyond.information / beyond.ignoring:.0%}"
    assert shown["Mutual information"] == f"{mutual_information(data.Y)[3, 7]:#.3g} nats"
    has_line(visitor.text, f"{beyond.information / beyond.ignoring:.0%} of the dependence remains")


def test_the_table_of_a_pair_holds_observed_and_expected_counts(visitor):
    visitor.go("dependence").set("first-label", 3).set("second-label", 7)
    Y = packaged("yeast").Y
    Y = Y.toarray() if hasattr(Y, "toarray") else Y
    n, both = len(Y), int((Y[:, 3] & Y[:, 7]).sum())
    expected = Y[:, 3].sum() * Y[:, 7].sum() / n

    assert visitor.at.table[0].value.iloc[1, 1] == f"{both:,} ({expected:,.0f})"


def test_examples_have_the_values_that_they_list(visitor):
    visitor.go("dependence").set("first-label", 3).set("second-label", 7)
    examples = visitor.table("also")
    Y = packaged("yeast").Y
    Y = Y.toarray() if hasattr(Y, "toarray") else Y

    assert examples[["Class4", "Class8"]].astype(int).to_numpy().tolist() == Y[examples.index][:, [3, 7]].tolist()
    assert set(map(tuple, Y[examples.index][:, [3, 7]].tolist())) == {(1, 1), (1, 0), (0, 1)}


def test_a_pair_of_other_data_is_the_strongest_of_these(visitor):
    visitor.go("dependence").set("first-label", 0).set("second-label", 1)
    visitor.choose_packaged("solar-flare").go("dependence")
    row = visitor.table("other label").iloc[0]

    assert (visitor.widget("first-label").value, visitor.widget("second-label").value) == tuple(
        packaged("solar-flare").label_names.index(row[side]) for side in ("label", "other label")
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"first-label": "Nobody"},
        {"zoom": "Cluster 99 (3 labels)", "clusters": "2"},
        {"clusters": "1000"},
        {"clusters": "many", "order": "size", "unit": "bytes", "diagonal": "perhaps"},
        {"dependence": "Love", "rows": "1 to 3", "columns": "x"},
        {"order": "", "unit": "", "dependence": "", "zoom": "", "clusters": "", "first-label": ""},
    ],
)
def test_a_wrong_address_shows_what_is_right_of_it(visit, wrong):
    visitor = visit()
    for key, value in wrong.items():
        visitor.at.query_params[key] = value
    visitor.go("dependence")

    assert len(visitor.figures) == 2
    assert not visitor.errors


def test_the_address_names_a_pair_and_a_cut(visit):
    visitor = visit()
    visitor.at.query_params["first-label"] = "Class4"
    visitor.at.query_params["second-label"] = "Class8"
    visitor.at.query_params["clusters"] = "3"
    visitor.go("dependence")

    assert "Class4 and Class8" in visitor.text
    assert len(visitor.table("closest pair")) == 3


def test_one_label_has_no_dependence(visitor, meka_arff):
    visitor.upload(("one.arff", meka_arff({"only": "0,1"}, ["0,1,2", "1,2,3"]))).go("dependence")

    holds(visitor.takeaway, "only is the only label", "no dependence")
    assert not visitor.charts


def test_two_labels_can_be_cut(visitor, meka_arff):
    rows = [f"{n % 2},{n % 2},{n},{n}" for n in range(20)]
    visitor.upload(("two.arff", meka_arff({"a": "0,1", "b": "0,1"}, rows))).go("dependence")

    assert len(visitor.table("closest pair")) == 1
    visitor.set("clusters", 2)
    has_line(visitor.captions, "clusters", "one label each")


def test_many_labels_have_an_overview_and_a_part(large):
    overview, part, tree = large.figures
    tile = tile_size(160)
    n_tiles = -(-160 // tile)

    assert len(overview["data"][1]["customdata"]) == n_tiles**2
    assert len(part["layout"]["xaxis"]["ticktext"]) <= tile < CLICKABLE_LABELS
    assert len(shapes(overview)[0]) == 1, "the part is framed"
    pair = large.widget("first-label").value, large.widget("second-label").value
    assert list(pair) in part["data"][1]["customdata"], "the strongest pair is in the part that is shown first"
    assert len(tree["layout"]["yaxis"]["ticktext"]) == 60

    large.set("rows", 0).set("columns", n_tiles - 1)
    assert large.figures[1]["layout"]["yaxis"]["ticktext"] != large.figures[1]["layout"]["xaxis"]["ticktext"]


@pytest.mark.slow
def test_a_thousand_labels(visitor):
    data = simulate_room(2000, width=33, random_state=0)
    workspace = visitor.workspace()
    from state.sources import Source

    workspace.use(Source.of("simulate_room", n_instances=2000, width=33, random_state=0), data)
    visitor.go("dependence")

    assert visitor.loaded.endswith("L = 1,089")
    assert len(visitor.figures) == 3
    assert sum(len(chart.proto.spec) for chart in visitor.charts) < 3_000_000
    assert "of 592,416 label pairs" in visitor.takeaway


def test_very_many_labels_have_no_clusters(large, monkeypatch):
    """What cannot hold all pairs shows their overview, in the order of the file."""
    from state import derived

    before = large.figures[0]["data"][0]["z"]
    large.set("order", "file")
    whole = large.figures[0]["data"][0]["z"]
    assert before != whole
    monkeypatch.setattr(derived, "WHOLE_LABELS", 100)
    large.run()

    assert len(large.figures) == 2
    assert large.figures[0]["data"][0]["z"] == whole
    assert "zoom" not in [box.key for box in large.at.selectbox]
    assert large.widget("dependence").options == ["Marginal"]


@pytest.mark.parametrize(
    ("kind", "column", "matrix"),
    [
        ("residual", "beyond the features (nats)", lambda data: residual_information(data.X, data.Y)),
        ("co-occurrence", "co-occurrence", lambda data: co_occurrence(pair_counts(data.Y))),
    ],
)
def test_sentence_pairs_and_file_follow_the_dependence_that_is_shown(visitor, downloads, kind, column, matrix):
    data = packaged("yeast")
    first, second, strength = strongest_pairs(matrix(data))
    names = data.label_names
    visitor.go("dependence").set("dependence", kind)
    table = visitor.table("other label")

    assert f"{names[first[0]]} and {names[second[0]]}" in visitor.takeaway
    assert table["label"].tolist() == [names[label] for label in first]
    assert table["other label"].tolist() == [names[label] for label in second]
    np.testing.assert_allclose(table[column], strength)
    np.testing.assert_allclose(table["MI (nats)"], mutual_information(data.Y)[first, second])
    written = pd.read_csv(io.StringIO(downloads["Download all 91 pairs (CSV)"]()))
    np.testing.assert_allclose(written[column], strength)


def test_the_closest_clusters_are_listed_first_by_what_the_tree_shows(visitor):
    visitor.go("dependence")
    table = visitor.table("closest pair")
    levels = [point[0] for point in visitor.figures[1]["data"][2]["customdata"]]

    assert sorted(table.index - 1) == sorted(levels)
    assert table["mean"].dropna().is_monotonic_decreasing
    assert table["size"].iloc[-1] == 1
    x = visitor.figures[1]["data"][2]["x"]
    for number, row in table[table["size"] == 2].iterrows():
        assert row["mean"] == pytest.approx(x[number - 1]), "of two labels the mean is where the tree joins them"


def test_a_cluster_that_no_longer_exists_is_dropped_with_a_note(visitor):
    visitor.go("dependence").set("clusters", 14 // 2)
    visitor.set("zoom", 7)
    assert visitor.at.session_state["zoom"] == 7
    visitor.set("clusters", 2)

    assert visitor.at.session_state["zoom"] == 0
    assert "all labels are shown" in visitor.captions
    visitor.run()
    assert "all labels are shown" not in visitor.captions


# With a browser


def cell(page: Page, plot: int, row: int, column: int, n: int) -> tuple[float, float]:
    """Return where a cell of a map of n x n cells lies on the screen."""
    layer = page.locator(".js-plotly-plot").nth(plot).locator(".nsewdrag").first
    expect(layer).to_be_visible()
    layer.scroll_into_view_if_needed()
    box = layer.bounding_box()
    side = min(box["width"], box["height"])
    left, top = box["x"] + (box["width"] - side) / 2, box["y"] + (box["height"] - side) / 2
    return left + side * (column + 0.5) / n, top + side * (row + 0.5) / n


def test_a_click_on_the_map_chooses_a_pair_that_the_address_keeps(screen):
    page = screen.open("dependence?order=File")
    x, y = cell(page, 0, row=2, column=6, n=14)
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    expect(page.get_by_text(re.compile(r"Class3 and Class7 \w+"))).to_be_visible()
    screen.rest()
    expect(page).to_have_url(re.compile("first-label=Class3"))
    page.reload()
    screen.rest()
    expect(page.get_by_text(re.compile(r"Class3 and Class7 \w+"))).to_be_visible()
    assert not screen.console


def test_a_click_on_the_tree_zooms_into_a_cluster(screen):
    page = screen.open("dependence?clusters=2")
    names = page.locator(".js-plotly-plot").first.locator("g.ytick text")
    expect(names).to_have_count(14)
    text = "document.querySelectorAll('.js-plotly-plot')[1].data[2].hovertext"
    sizes = [int(re.search(r": (\d+) label", text)[1]) for text in page.evaluate(text)]
    largest = sizes.index(max(sizes))
    point = page.locator(".js-plotly-plot").nth(1).locator(".scatterlayer .points path").nth(largest)
    screen.click_middle(point)
    expect(names).to_have_count(max(sizes))
    screen.rest()
    expect(page).to_have_url(re.compile(f"zoom={largest + 1}"))
    assert not screen.console
