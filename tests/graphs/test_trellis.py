from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from trellislib.graphs import (
    PATTERNS,
    LabelGraph,
    Trellis,
    capture_bound,
    captured_by_each,
    captured_dependence,
    default_width,
    parse_pattern,
    random_captures,
    trellis,
)

pytestmark = pytest.mark.filterwarnings("ignore:Got width=")  # above the number of labels

# Dependence of six labels, worked through by hand below. Labels 2 and 3 tie for label 0.
SIX = np.array(
    [
        [0, 1, 5, 5, 2, 0],
        [1, 0, 2, 4, 3, 6],
        [5, 2, 0, 1, 7, 3],
        [5, 4, 1, 0, 2, 1],
        [2, 3, 7, 2, 0, 4],
        [0, 6, 3, 1, 4, 0],
    ]
)

offsets = st.tuples(st.integers(-3, 0), st.integers(-3, 3)).filter(lambda offset: offset < (0, 0))
patterns = st.one_of(st.sampled_from(sorted(PATTERNS)), st.lists(offsets, max_size=6))
widths = st.integers(1, 12)


@st.composite
def whole_dependences(draw, max_labels=9):
    """Symmetric matrices of small whole numbers: sums are exact, and ties are many."""
    n_labels = draw(st.integers(1, max_labels))
    upper = np.triu(draw(arrays(np.int64, (n_labels, n_labels), elements=st.integers(0, 4))), 1)
    return upper + upper.T


def from_label(first, dependence, **how):
    """The trellis that starts from a label: that of the first seed whose random label it is."""
    placed = (trellis(dependence, random_state=seed, **how) for seed in range(1000))
    return next(one for one in placed if one.order[0] == first)


def algorithm_1(dependence, width, pattern, first):
    """Algorithm 1 restated on a grid, one comparison at a time."""
    n_labels = len(dependence)
    grid = {(0, 0): first}
    for cell in range(1, n_labels):
        row, column = cell // width, cell % width
        chosen, most = None, None
        for label in range(n_labels):
            if label in grid.values():
                continue
            gain = 0
            for down, right in pattern:
                if 0 <= column + right < width:  # not round the edge into another row
                    parent = grid.get((row + down, column + right))
                    gain += 0 if parent is None else dependence[label][parent]
            if chosen is None or gain > most:  # a tie leaves the lower label
                chosen, most = label, gain
        grid[row, column] = chosen
    return tuple(grid.values())


def test_algorithm_1_by_hand_from_label_0():
    # cells 0 1 2 / 3 4 5. Cell 1 takes 2 (5, tied with 3, the lower label); cell 2 takes 4 (7 with 2);
    # cell 3 is under 0 and takes 3 (5); cell 4 is right of 3 and under 2: 1 has 4 + 2, 5 has 1 + 3; 5 is left over.
    placed = from_label(0, SIX, width=3)
    assert placed.order == (0, 2, 4, 3, 1, 5)
    assert placed.parents == ((), (3, 2), (0,), (0,), (2,), (1, 4))
    assert placed.positions == ((0, 0), (1, 1), (0, 1), (1, 0), (0, 2), (1, 2))
    assert captured_dependence(placed, SIX) == 5 + 7 + 5 + (4 + 2) + (6 + 4)


def test_algorithm_1_by_hand_from_label_3():
    placed = from_label(3, SIX, width=3)
    assert placed.order == (3, 0, 2, 1, 5, 4)
    assert captured_dependence(placed, SIX) == 5 + 5 + 4 + (6 + 0) + (4 + 7)


def test_algorithm_1_by_hand_with_the_diagonal():
    # width 2: cells 0 1 / 2 3 / 4 5 from label 0. Cell 1: 2. Cell 2 is under 0 only (its left and its diagonal are off
    # the lattice): 3. Cell 3 has left 3, up 2, diagonal 0: 1 has 4 + 2 + 1, 4 has 2 + 7 + 2, 5 has 1 + 3 + 0, so 4.
    # Cell 4 is under 3: 1 (4). Cell 5: 5, with left 1, up 4, diagonal 3.
    placed = from_label(0, SIX, width=2, parents="left-up-diagonal")
    assert placed.order == (0, 2, 3, 4, 1, 5)
    assert placed.parents == ((), (3,), (0,), (0,), (3, 2, 0), (1, 4, 3))


def test_a_width_of_one_is_a_chain_of_single_parents():
    placed = from_label(0, SIX, width=1)
    assert placed.order == (0, 2, 4, 5, 1, 3)  # 5 (tie), 7, 4, 6, the last
    assert placed.edges == tuple(sorted([(0, 2), (2, 4), (4, 5), (5, 1), (1, 3)], key=lambda edge: edge[1]))


@pytest.mark.parametrize("width", [6, 7, 100])
def test_a_width_of_all_labels_is_one_row(width):
    placed = from_label(0, SIX, width=width)
    assert placed.order == (0, 2, 4, 5, 1, 3)
    assert {row for row, _ in placed.positions} == {0}


@settings(deadline=None, max_examples=50)
@given(whole_dependences(), widths, patterns, st.integers(0, 2**32 - 1))
def test_placing_is_algorithm_1(dependence, width, pattern, seed):
    placed = trellis(dependence, width, pattern, random_state=seed)
    assert placed.order == algorithm_1(dependence, width, parse_pattern(pattern), placed.order[0])


@settings(deadline=None, max_examples=50)
@given(whole_dependences(), widths, patterns, st.sampled_from(["hill-climbing", "random"]), st.integers(0, 99))
def test_every_legal_pattern_gives_an_acyclic_graph_of_lattice_neighbours(dependence, width, pattern, how, seed):
    placed = trellis(dependence, width, pattern, placement=how, random_state=seed)
    drawing = placed.to_networkx()
    assert nx.is_directed_acyclic_graph(drawing)
    assert sorted(placed.order) == list(range(len(dependence)))
    assert [sorted(of) for of in nx.topological_generations(drawing)] == [list(of) for of in placed.levels]
    for child, parents in enumerate(placed.parents):
        row, column = placed.positions[child]
        around = {(row + down, column + right) for down, right in parse_pattern(pattern)}
        inside = {cell for cell in around if cell in placed.positions}
        assert {placed.positions[parent] for parent in parents} == inside


def test_the_diagonal_is_not_used():
    assert trellis(SIX + 100 * np.eye(6), width=3, random_state=0) == trellis(SIX, width=3, random_state=0)


@pytest.mark.parametrize("placement", ["hill-climbing", "random"])
def test_a_seed_reproduces_the_trellis_and_seeds_differ(placement):
    placed = [trellis(SIX, width=2, placement=placement, random_state=seed) for seed in range(20)]
    assert placed == [trellis(SIX, width=2, placement=placement, random_state=seed) for seed in range(20)]
    assert len({one.order for one in placed}) > 3


def test_every_label_can_come_first():
    assert {trellis(SIX, random_state=seed).order[0] for seed in range(100)} == set(range(6))


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.permutations(range(5)), st.integers(1, 6), st.sampled_from(sorted(PATTERNS)))
def test_renamed_labels_are_placed_alike(seed, name, width, pattern):
    upper = np.triu(np.random.default_rng(seed).random((5, 5)), 1)  # no ties: they alone depend on the names
    dependence = upper + upper.T
    renamed = np.empty_like(dependence)
    renamed[np.ix_(name, name)] = dependence
    placed = trellis(dependence, width, pattern, random_state=seed)
    again = from_label(name[placed.order[0]], renamed, width=width, parents=pattern)
    # The sum of equal numbers must not depend on their places; where the last cells have no parents, it is a tie.
    gains = [sum(dependence[parent, child] for parent in placed.parents[child]) for child in placed.order[1:]]
    if min(gains, default=1) > 0:
        assert again.order == tuple(name[label] for label in placed.order)


@pytest.mark.parametrize(("n_labels", "width"), [(1, 1), (2, 1), (3, 1), (4, 2), (8, 2), (9, 3), (15, 3), (16, 4)])
def test_the_default_width_is_the_root_rounded_down(n_labels, width):
    assert default_width(n_labels) == width
    assert trellis(np.zeros((n_labels, n_labels)), random_state=0).width == width


def test_a_short_last_row():
    placed = Trellis([4, 3, 2, 1, 0], 3, PATTERNS["left-up-diagonals"])
    # cells 4 3 2 / 1 0: label 1 has up 4 and up-right 3, label 0 has left 1, up 3, up-left 4 and up-right 2
    assert placed.parents == ((1, 3, 4, 2), (4, 3), (3,), (4,), ())


@pytest.mark.parametrize("width", [None, 1, 2, 50])
@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_one_label_is_one_node(width, pattern):
    placed = trellis(np.zeros((1, 1)), width, pattern, random_state=0)
    assert (placed.order, placed.edges, placed.levels, placed.positions) == ((0,), (), ((0,),), ((0, 0),))


def test_labels_without_dependence_all_have_a_place():
    placed = from_label(2, np.zeros((4, 4)), width=2)
    assert placed.order == (2, 0, 1, 3)


def test_patterns_that_people_draw():
    assert parse_pattern([(-1, 5), [0, -2], (-1, 5)]) == ((-1, 5), (0, -2))
    assert parse_pattern([]) == ()
    assert trellis(SIX, 3, [], random_state=0).edges == ()


@pytest.mark.parametrize("offset", [(0, 0), (0, 1), (1, 0), (1, -1), (1, -7)])
def test_a_parent_that_is_no_earlier_cell_is_refused(offset):
    with pytest.raises(ValueError, match="earlier cell"):
        trellis(SIX, 3, [(0, -1), offset])
    with pytest.raises(ValueError, match="earlier cell"):
        random_captures(SIX, 3, [offset])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"width": 0}, "width=0"),
        ({"width": -2}, "width=-2"),
        ({"width": 2.5}, "width=2.5"),
        ({"width": True}, "width=True"),
        ({"width": "3"}, "width='3'"),
        ({"width": 0, "placement": "random"}, "width=0"),
        ({"width": 2.0, "placement": "random"}, "width=2.0"),
        ({"parents": "up-left"}, "up-left"),
        ({"placement": "best"}, "best"),
    ],
)
def test_arguments_out_of_range_are_named(how, message):
    with pytest.raises(ValueError, match=message):
        trellis(SIX, **how)


@pytest.mark.parametrize("dependence", [np.zeros(3), np.zeros((2, 3)), np.array([[0, np.nan], [np.nan, 0]])])
def test_a_matrix_that_is_none_is_refused(dependence):
    with pytest.raises(ValueError, match="square matrix of finite"):
        trellis(dependence)


@pytest.mark.parametrize("placement", ["hill-climbing", "random"])
@pytest.mark.parametrize("dependence", [np.triu(SIX), SIX + np.eye(6, k=1), SIX * np.arange(1, 7)])
def test_dependence_that_depends_on_the_order_of_a_pair_is_refused(dependence, placement):
    with pytest.raises(ValueError, match="not symmetric"):
        trellis(dependence, placement=placement)


def test_dependence_that_is_symmetric_but_for_rounding_is_taken():
    rounded = SIX / 10
    rounded[0, 2] += 1e-12
    assert trellis(rounded, 3, random_state=0) == trellis(SIX, 3, random_state=0)


@pytest.mark.parametrize("width", [0, -2, 2.5, True, "3"])
@pytest.mark.parametrize(
    "call",
    [
        lambda width: Trellis([0, 1], width, [(0, -1)]),
        lambda width: capture_bound(SIX, width),
        lambda width: random_captures(SIX, width),
        lambda width: trellis(SIX, width),
    ],
    ids=["Trellis", "capture_bound", "random_captures", "trellis"],
)
def test_a_lattice_of_no_width_is_refused_everywhere(call, width):
    with pytest.raises(ValueError, match=rf"Got width={width!r}, .*expected .*integer .*least 1"):
        call(width)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 4, 8, 9])
@pytest.mark.parametrize("pattern", sorted(PATTERNS))
def test_the_width_is_the_default_one_everywhere(n_labels, pattern):
    upper = np.triu(np.random.default_rng(0).random((n_labels, n_labels)), 1)
    dependence, width = upper + upper.T, default_width(n_labels)
    assert trellis(dependence, None, pattern, random_state=0) == trellis(dependence, width, pattern, random_state=0)
    assert capture_bound(dependence, None, pattern) == capture_bound(dependence, width, pattern)
    drawn = random_captures(dependence, None, pattern, n_placements=20, random_state=0)
    assert np.array_equal(drawn, random_captures(dependence, width, pattern, n_placements=20, random_state=0))


def test_what_is_left_out_is_width_and_pattern():
    assert trellis(SIX, random_state=0) == trellis(SIX, 2, "left-up", random_state=0)
    assert capture_bound(SIX) == capture_bound(SIX, 2, "left-up")
    drawn = random_captures(SIX, random_state=0)
    assert np.array_equal(drawn, random_captures(SIX, 2, "left-up", n_placements=200, random_state=0))


def test_a_width_may_be_a_number_of_numpys():
    assert trellis(SIX, np.int64(3), random_state=0) == trellis(SIX, 3, random_state=0)
    assert type(trellis(SIX, np.int64(3), random_state=0).width) is int
    assert capture_bound(SIX, np.int32(3)) == capture_bound(SIX, 3)


def test_captured_dependence_is_the_sum_over_the_edges():
    assert captured_dependence(LabelGraph.chain(range(6)), SIX) == np.triu(SIX).sum()
    assert captured_dependence(LabelGraph.independent(6), SIX) == 0


@settings(deadline=None, max_examples=25)
@given(whole_dependences(max_labels=6), st.integers(1, 7), patterns, st.integers(0, 99))
def test_nothing_captures_more_than_the_bound(dependence, width, pattern, seed):
    bound = capture_bound(dependence, width, pattern)
    lattice = Trellis(range(len(dependence)), width, parse_pattern(pattern))
    child, parent = (np.array([edge[end] for edge in lattice.edges], dtype=int) for end in (1, 0))
    orders = np.array(list(permutations(range(len(dependence)))))
    best = dependence[orders[:, child], orders[:, parent]].sum(axis=1).max()
    assert best <= bound + 1e-9
    drawn = random_captures(dependence, width, pattern, n_placements=30, random_state=seed)
    assert drawn.max() <= best
    assert captured_dependence(trellis(dependence, width, pattern, random_state=seed), dependence) <= best


def test_bounds_by_hand():
    assert capture_bound(np.ones((6, 6)), 3) == 7  # all seven edges of a 2 x 3 lattice
    alone = np.zeros((4, 4))
    alone[0, 1] = alone[1, 0] = 2.5
    assert capture_bound(alone, 2) == 2.5
    star = np.zeros((6, 6))
    star[0, 1:] = star[1:, 0] = 1.0
    assert capture_bound(star, 3) == (3 + 5 * 1) / 2  # no cell has more than three neighbours
    assert capture_bound(np.zeros((1, 1)), 1) == 0


def test_random_captures_are_those_of_random_placements():
    drawn = random_captures(SIX, 6, [(0, -1)], n_placements=2000, random_state=0)
    assert drawn.shape == (2000,)
    pairs = SIX[np.triu_indices(6, 1)]
    assert drawn.mean() == pytest.approx(5 * pairs.mean(), rel=0.03)  # each of the five edges is a random pair
    assert np.array_equal(drawn, random_captures(SIX, 6, [(0, -1)], n_placements=2000, random_state=0))


def test_captures_of_climbing_are_those_of_each_seed():
    from trellislib.graphs import climbed_captures

    found = climbed_captures(SIX, 3, "left-up-diagonal", n_starts=4)
    each = [captured_dependence(trellis(SIX, 3, "left-up-diagonal", random_state=seed), SIX) for seed in range(4)]
    assert found.tolist() == each


# Swapped by hand


def test_two_labels_change_places():
    placed = Trellis([4, 2, 0, 1, 3], 2, [(0, -1), (-1, 0)])
    swapped = placed.swapped(4, 1)

    assert swapped.order == (1, 2, 0, 4, 3)
    assert (swapped.width, swapped.offsets) == (placed.width, placed.offsets)
    assert swapped.swapped(1, 4) == placed
    assert placed.swapped(3, 3) == placed


@pytest.mark.parametrize("pair", [(0, 5), (-1, 2)])
def test_what_is_no_label_is_not_swapped(pair):
    with pytest.raises(ValueError, match=r"expected .*0 .*4"):
        Trellis(range(5), 2, [(0, -1)]).swapped(*pair)


def test_captured_by_each_of_several():
    dependence = np.array([[0, 1, 2, 4], [1, 0, 8, 16], [2, 8, 0, 32], [4, 16, 32, 0]], dtype=float)
    start = Trellis([0, 1, 2, 3], 2, [(0, -1), (-1, 0)])
    graphs = [start, start.swapped(0, 3), LabelGraph([()] * 4)]

    assert captured_by_each(graphs, dependence) == [1 + 2 + 16 + 32, 16 + 32 + 1 + 2, 0]
    assert captured_by_each([], dependence) == []


@pytest.mark.parametrize("placement", ["hill-climbing", "swaps", "random"])
def test_a_width_above_the_number_of_labels_is_cut_with_a_warning(placement):
    dependence = np.ones((7, 7))
    with pytest.warns(UserWarning, match=r"width=100 for 7 labels"):
        wide = trellis(dependence, width=100, placement=placement, random_state=0)
    assert wide == trellis(dependence, width=7, placement=placement, random_state=0)
