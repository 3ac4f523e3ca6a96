import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from plotly.colors import sample_colorscale
from sentences import holds

from trellislib.dependence import UNITS, pooled
from trellislib.figures import CLICKABLE_LABELS, dependence_heatmap, label_order, overview_heatmap, tile_size
from trellislib.figures.matrix import NAMED_LABELS, POOLED_LABELS

I4 = np.array(
    [
        [0.69, 0.30, 0.01, 0.05],
        [0.30, 0.60, 0.02, 0.04],
        [0.01, 0.02, 0.50, 0.20],
        [0.05, 0.04, 0.20, 0.40],
    ]
)
NAMES = ("a<b>", "$x$", "c & d", "10")


def random_information(n, seed=0):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) * 0.1, k=1)
    return upper + upper.T + np.eye(n) * 0.7


def cells(figure):
    """Return what each of the points over the cells says and selects, by (row, column)."""
    points = figure.data[1]
    return {
        (row, column): (tuple(pair), text)
        for row, column, pair, text in zip(
            points.y, points.x, np.asarray(points.customdata).tolist(), points.hovertext, strict=True
        )
    }


def test_cells_hold_the_values_in_order():
    order = np.array([2, 0, 3, 1])
    figure = dependence_heatmap(I4, NAMES, order)
    z = figure.data[0].z

    assert z.shape == (4, 4)
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            assert (
                np.isnan(z[row, column]) if one == other else z[row, column] == pytest.approx(I4[one, other], rel=1e-6)
            )
    assert figure.data[0].zmin == 0


def test_the_information_is_not_changed():
    before = I4.copy()
    dependence_heatmap(I4, NAMES, np.arange(4))

    assert_array_equal(I4, before)


def test_entropies_on_the_diagonal_and_bits():
    figure = dependence_heatmap(I4, NAMES, np.arange(4), unit="bits", diagonal=True)

    assert_allclose(figure.data[0].z, I4 / UNITS["bits"], atol=1e-5)
    assert figure.data[0].colorbar.title.text.startswith("bits")
    assert all(part in cells(figure)[0, 0][1] for part in ("a&lt;b&gt;", "entropy 0.995 bits"))


def test_a_click_on_a_cell_gives_its_pair():
    """Case B42: the cell and its mirror image are the same pair of labels, whatever the order."""
    order = np.array([3, 1, 0, 2])
    found = cells(dependence_heatmap(I4, NAMES, order))

    assert len(found) == 16
    for (row, column), (pair, _) in found.items():
        assert pair == (order[row], order[column])
    assert set(found[0, 2][0]) == set(found[2, 0][0]) == {3, 0}


def test_the_pair_of_a_cell_reaches_the_browser_as_a_list():
    """A packed array of numbers would come back from a click as a mapping, {"0": 2, "1": 6}."""
    points = json.loads(dependence_heatmap(I4, NAMES, np.arange(4)).to_json())["data"][1]

    assert points["customdata"][1] == [0, 1]


def test_hover_names_the_pair_as_it_is_written():
    found = cells(dependence_heatmap(I4, NAMES, np.arange(4)))

    assert found[0, 1][1].split("<br>") == ["a&lt;b&gt;", "&#36;x&#36;", "0.3 nats"]
    assert found[2, 3][1].split("<br>") == ["c &amp; d", "10", "0.2 nats"]


def test_points_are_square_and_invisible_and_the_map_lets_clicks_through():
    heatmap, points = dependence_heatmap(I4, NAMES, np.arange(4)).data

    assert heatmap.hoverinfo == "skip"
    assert points.marker.symbol == "square"
    assert points.marker.color == "rgba(0,0,0,0.004)"
    assert points.unselected.marker.opacity == 0


def test_number_like_names_stay_names():
    """Case B40: positions are numbers, names are their labels: nothing merges or moves."""
    names = ("1E1", "2A1", "3E2", "2001-01-01")
    figure = dependence_heatmap(I4, names, np.array([1, 0, 2, 3]))

    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert axis.tickvals == (0, 1, 2, 3)
        assert axis.ticktext == ("2A1", "1E1", "3E2", "2001-01-01")
    assert figure.data[0].x is None
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1], "the first label is at the top"


def test_long_names_are_cut_on_the_axis_and_whole_on_hover():
    long = "a label whose name is very long indeed"
    figure = dependence_heatmap(I4, (long, *NAMES[1:]), np.arange(4))

    assert figure.layout.xaxis.ticktext[0].endswith("…")
    assert cells(figure)[0, 1][1].startswith(long)


def test_the_selected_pair_is_framed_in_both_its_cells():
    figure = dependence_heatmap(I4, NAMES, np.array([2, 0, 3, 1]), selected=(0, 3))
    frames = {((shape.x0 + shape.x1) / 2, (shape.y0 + shape.y1) / 2) for shape in figure.layout.shapes}

    assert frames == {(1, 2), (2, 1)}


def test_one_label():
    figure = dependence_heatmap(np.array([[0.5]]), ("only",), np.array([0]), diagonal=True)

    assert figure.data[0].z.tolist() == [[0.5]]


@pytest.mark.parametrize(("n", "clickable"), [(CLICKABLE_LABELS, True), (CLICKABLE_LABELS + 1, False)])
def test_many_labels_have_no_points_and_no_names(n, clickable):
    figure = dependence_heatmap(random_information(n), [str(j) for j in range(n)], np.arange(n))

    assert len(figure.data) == 1 + clickable
    assert not figure.layout.xaxis.tickvals
    assert figure.layout.xaxis.title.text == f"{n} labels"
    assert n > NAMED_LABELS


def test_above_500_labels_a_cell_is_the_strongest_of_a_block():
    n = 2 * POOLED_LABELS + 3
    information = random_information(n)
    order = np.random.default_rng(1).permutation(n)
    figure = dependence_heatmap(information, [str(j) for j in range(n)], order, selected=(0, 1))
    z = figure.data[0].z

    ordered = information[np.ix_(order, order)]
    np.fill_diagonal(ordered, 0)
    assert z.shape == (335, 335)
    for row, column in ((0, 0), (3, 200), (334, 334), (334, 0)):
        block = ordered[3 * row : 3 * row + 3, 3 * column : 3 * column + 3]
        assert z[row, column] == pytest.approx(block.max(), abs=1e-5)
    assert z.max() == pytest.approx(ordered.max(), abs=1e-5), "the strongest pair is not lost"
    assert "3 x 3 pairs" in figure.data[0].hovertemplate
    assert not figure.layout.shapes


def test_a_thousand_labels_make_a_small_message():
    """Case B48."""
    n = 983
    figure = dependence_heatmap(random_information(n), [f"tag_{j}" for j in range(n)], np.arange(n))

    assert len(figure.to_json()) < 4_000_000


def test_figures_are_json_without_nan():
    assert json.loads(dependence_heatmap(I4, NAMES, np.arange(4)).to_json())


@pytest.mark.parametrize(
    ("order", "expected"),
    [("file", [0, 1, 2, 3]), ("frequency", [3, 1, 2, 0])],
)
def test_label_order(order, expected):
    assert label_order(I4, np.array([0.1, 0.3, 0.3, 0.9]), order).tolist() == expected


def test_clustered_order_puts_dependent_labels_side_by_side():
    apart = I4[np.ix_([0, 2, 1, 3], [0, 2, 1, 3])]
    place = np.argsort(label_order(apart, np.ones(4), "clustered"))

    assert abs(place[0] - place[2]) == 1
    assert abs(place[1] - place[3]) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 40])
@pytest.mark.parametrize("value", [0.0, 0.3])
def test_clustered_order_of_equally_dependent_labels_is_an_order(n, value):
    information = np.full((n, n), value)

    assert sorted(label_order(information, np.ones(n), "clustered")) == list(range(n))


def test_unknown_order_is_refused():
    with pytest.raises(ValueError, match="clustered"):
        label_order(I4, np.ones(4), "size")


def frames(figure):
    """Return the corners of the frames, as rows and columns of cells: those of clusters are dotted."""
    found = {True: [], False: []}
    for shape in figure.layout.shapes:
        corners = (shape.y0 + 0.5, shape.y1 + 0.5, shape.x0 + 0.5, shape.x1 + 0.5)
        found[shape.line.dash == "dot"].append(corners)
    return found[False], found[True]


def test_clusters_are_framed_but_for_single_labels():
    order = np.array([2, 0, 3, 1])
    figure = dependence_heatmap(
        I4, NAMES, order, selected=(0, 3), clusters=[np.array([2]), np.array([3, 0]), np.array([1])]
    )

    assert frames(figure) == ([(1, 2, 2, 3), (2, 3, 1, 2)], [(1, 3, 1, 3)])


def test_a_value_has_the_colour_of_its_square_root():
    """A quarter of the largest value looks as half of it does on the plain scale."""
    figure = dependence_heatmap(I4, NAMES, np.arange(4))
    colors = dict(figure.data[0].colorscale)

    assert [colors[share] for share in (0.0, 0.25, 1.0)] == sample_colorscale("Cividis", [0.0, 0.5, 1.0])


@pytest.mark.parametrize(("n", "step"), [(30, 1), (31, 2), (60, 2)])
def test_names_that_do_not_fit_are_shown_only_on_hover(n, step):
    names = [f"label {j}" for j in range(n)]
    figure = dependence_heatmap(random_information(n), names, np.arange(n))

    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert axis.tickvals == tuple(range(0, n, step))
        assert axis.ticktext == tuple(names[::step])
    assert cells(figure)[0, 1][1].startswith("label 0<br>label 1<br>")


def test_some_labels_alone():
    figure = dependence_heatmap(I4, NAMES, np.array([3, 1]), selected=(1, 3))

    assert figure.data[0].z[0, 1] == pytest.approx(0.04)
    assert cells(figure)[0, 1][0] == (3, 1)
    assert figure.layout.xaxis.ticktext == ("10", "&#36;x&#36;")
    assert frames(figure)[0] == [(1, 2, 0, 1), (0, 1, 1, 2)]
    assert not dependence_heatmap(I4, NAMES, np.array([3, 1]), selected=(1, 2)).layout.shapes


def test_rows_and_columns_of_different_labels():
    figure = dependence_heatmap(I4, NAMES, np.array([0, 2]), columns=np.array([2, 3, 1]), selected=(3, 0))

    assert_allclose(figure.data[0].z, [[0.01, 0.05, 0.30], [np.nan, 0.20, 0.02]], rtol=1e-6)
    assert cells(figure)[1, 1] == ((2, 3), "c &amp; d<br>10<br>0.2 nats")
    assert (len(figure.layout.yaxis.ticktext), len(figure.layout.xaxis.ticktext)) == (2, 3)
    assert frames(figure)[0] == [(0, 1, 1, 2)]


def test_what_is_no_information_keeps_its_values_and_has_its_name():
    figure = dependence_heatmap(I4, NAMES, np.arange(4), unit="co-occurrence")

    assert figure.data[0].z[0, 1] == pytest.approx(0.3)
    assert figure.data[0].colorbar.title.text.startswith("co-occurrence")


@pytest.mark.parametrize("n", [151, 200, 201, 983, 1600, 4096, 10_000])
def test_tiles_are_whole_blocks_that_can_be_clicked(n):
    tile = tile_size(n)

    assert tile % -(-n // 200) == 0
    assert 25 <= tile <= CLICKABLE_LABELS
    assert (-(-n // tile)) ** 2 <= CLICKABLE_LABELS**2


def test_an_overview_is_clicked_by_tiles():
    """Of 403 labels, three in a block, 27 along a side of a tile."""
    n = 403
    information = random_information(n)
    order = np.random.default_rng(2).permutation(n)
    names = [f"tag_{label}" for label in range(n)]
    figure = overview_heatmap(
        pooled(information, order), names, order, unit="bits", selected=(1, 2), clusters=[order[:30], order[30:]]
    )
    heatmap, points = figure.data

    assert heatmap.z.shape == (135, 135)
    assert len(points.x) == 15**2
    assert list(points.customdata[16]) == [1, 1]
    assert (points.x[16], points.y[16]) == (13, 13), "the middle of the second nine cells"
    ordered = information[np.ix_(order, order)]
    strongest = ordered[27:54, :27].max() / UNITS["bits"]
    row, column, value = points.hovertext[15].split("<br>")
    holds(row, "labels 28 to 54", f"{names[order[27]]} to {names[order[53]]}")
    holds(column, "labels 1 to 27", f"{names[order[0]]} to {names[order[26]]}")
    holds(value, "at most", f"{strongest:.3g} bits")
    selected, clusters = frames(figure)
    assert selected == [(9, 18, 18, 27)]
    assert_allclose(clusters, [(0, 10, 0, 10), (10, 403 / 3, 10, 403 / 3)])
    assert all(part in figure.layout.xaxis.title.text for part in ("403 labels", "of 3"))


def test_an_overview_of_ten_thousand_labels_is_a_small_message():
    n = 10_000
    names = [f"label {label}" for label in range(n)]
    figure = overview_heatmap(np.random.default_rng(0).random((200, 200)), names, np.arange(n))

    assert len(figure.to_json()) < 2_000_000


def test_a_map_of_other_blocks_is_refused():
    with pytest.raises(ValueError, match=r"shape \(100, 100\), .*403 labels .*135 blocks .*3"):
        overview_heatmap(np.zeros((100, 100)), [f"l{label}" for label in range(403)], np.arange(403))


def test_pairs_that_exclude_each_other_have_a_minus_where_the_colour_is_seen():
    signs = np.array([[1, -0.5, -0.1, 0.2], [-0.5, 1, 0.1, -0.2], [-0.1, 0.1, 1, 0.4], [0.2, -0.2, 0.4, 1.0]])
    order = np.array([2, 0, 3, 1])
    marks = np.array(dependence_heatmap(I4, NAMES, order, signs=signs).data[0].text)

    # Labels 0 and 1 (0.30 nats), 1 and 3 (0.04 of 0.30): the pair 0 and 2 (0.01 of 0.30) is too dark.
    assert [tuple(order[place].tolist()) for place in np.argwhere(marks != "")] == [(0, 1), (3, 1), (1, 0), (1, 3)]


def test_names_of_many_labels_stand_upright():
    few, many = (
        dependence_heatmap(random_information(n), [f"a long name {one}" for one in range(n)], np.arange(n))
        for n in (10, 21)
    )
    assert (few.layout.xaxis.tickangle, many.layout.xaxis.tickangle) == (-45, -90)
