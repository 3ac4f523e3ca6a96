import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse
from scipy.special import entr

from trellislib.dependence import counts as counts_module
from trellislib.dependence import information, information_of_counts
from trellislib.dependence.counts import PairCounts
from trellislib.graphs import PATTERNS, sparse_placement, trellis
from trellislib.graphs.placement import parent_cells
from trellislib.graphs.sparse_placement import SLACK, climb_sparse

offsets = st.tuples(st.integers(-3, 0), st.integers(-3, 3)).filter(lambda offset: offset < (0, 0))
patterns = st.one_of(st.sampled_from(sorted(PATTERNS.values())), st.lists(offsets, max_size=12, unique=True))


def counted(Z):
    """Count all pairs, and hold them."""
    return PairCounts.of(Z, np.arange(Z.shape[1] + 1))


def climb_dense(dependence, width, pattern, first):
    """Algorithm 1 from the matrix of all pairs: sums in the order of the parents, the lowest of equal labels."""
    order = [first]
    for cell in range(1, len(dependence)):
        row, column = divmod(cell, width)
        gain = np.zeros(len(dependence))
        for down, right in pattern:
            if row + down >= 0 and 0 <= column + right < width:
                gain += dependence[order[(row + down) * width + column + right]]
        gain[order] = -np.inf
        order.append(int(gain.argmax()))
    return order


def same_as_dense(counts, width, pattern, first):
    """Compare with the matrix of all pairs; return the order."""
    expected = climb_dense(information_of_counts(counts), width, pattern, first)
    found = climb_sparse(counts, parent_cells(len(counts.single), width, pattern), first)
    assert found == expected
    return found


@st.composite
def few_instances(draw):
    """Labels of so few instances that many tie, are constant, or occur in all instances but one."""
    shape = draw(st.integers(1, 8)), draw(st.integers(1, 24))
    dense = draw(arrays(bool, shape, elements=st.booleans(), fill=st.just(False)))
    often = draw(arrays(bool, shape[1], elements=st.booleans(), fill=st.just(False)))
    return sparse.csr_array(dense ^ often)


@settings(deadline=None, max_examples=50)
@given(few_instances(), st.integers(1, 30), patterns, st.data())
def test_the_order_is_that_of_the_dense_matrix_with_all_its_ties(Z, width, pattern, data):
    same_as_dense(counted(Z), width, pattern, data.draw(st.integers(0, Z.shape[1] - 1)))


@settings(deadline=None, max_examples=50)
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([5, 9, 12, 15, 30, 200]),
    st.integers(1, 80),
    st.floats(0.005, 0.5),
    st.integers(1, 30),
    patterns,
)
def test_the_order_is_that_of_the_dense_matrix_to_the_last_bit(seed, n_instances, n_labels, share, width, pattern):
    # With every label its complement, whose information is the same but for rounding.
    rng = np.random.default_rng(seed)
    Y = rng.random((n_instances, n_labels)) < share * rng.random(n_labels) ** -0.5
    Z = sparse.csr_array(np.column_stack([Y, ~Y])[:, rng.permutation(2 * n_labels)])
    same_as_dense(counted(Z), width, pattern, int(rng.integers(2 * n_labels)))


def test_where_rounding_makes_a_less_frequent_label_gain_more(monkeypatch):
    # In floating point that takes 100 million instances, so here terms are rounded to three digits, and the slack
    # is above twice the error of eight terms.
    def coarse(shares):
        return entr(shares).round(3)

    monkeypatch.setattr(information, "entr", coarse)
    monkeypatch.setattr(sparse_placement, "entr", coarse)
    monkeypatch.setattr(sparse_placement, "SLACK", 8e-3)
    rng = np.random.default_rng(0)
    single = rng.integers(1, 30, 80)
    counts = PairCounts(500, single, sparse.csr_array(np.diag(single)), np.arange(81))
    for pattern in PATTERNS.values():
        same_as_dense(counts, 9, pattern, 0)
    monkeypatch.setattr(sparse_placement, "SLACK", 0.0)
    with pytest.raises(AssertionError):
        same_as_dense(counts, 9, PATTERNS["left-up"], 0)


def test_labels_so_rare_that_rounding_decides():
    # At 10 million instances the information of two labels of one instance each is about the noise below which it
    # counts as 0, and that of labels of a few is not much above it.
    rng = np.random.default_rng(0)
    n_labels = 60
    entries = rng.integers(0, 300, 400), rng.integers(0, n_labels, 400) ** 2 // n_labels
    few = sparse.csr_array((np.ones(400, dtype=bool), entries), shape=(300, n_labels))
    counts = counted(few)
    counts = PairCounts(10**7, counts.single, counts.together, counts.starts)
    dependence = information_of_counts(counts)
    assert (dependence == 0).any()
    for pattern in ([(-1, 0)], *PATTERNS.values()):
        for width in (1, 7):
            expected = climb_dense(dependence, width, pattern, 3)
            assert climb_sparse(counts, parent_cells(n_labels, width, pattern), 3) == expected


def test_labels_in_all_instances_and_in_none_are_placed_by_index():
    Z = sparse.csr_array(np.array([[1, 0, 1, 0, 1], [1, 0, 1, 0, 1]]))
    assert same_as_dense(counted(Z), 2, PATTERNS["left-up"], 3) == [3, 0, 1, 2, 4]


def test_a_cell_without_parents_takes_the_lowest_label():
    Z = sparse.csr_array(np.eye(5, dtype=int)[[0, 1, 2, 3, 4, 4, 4]])
    assert same_as_dense(counted(Z), 1, [(0, -1)], 2) == [2, 0, 1, 3, 4]
    assert same_as_dense(counted(Z), 9, [(-1, 0)], 2) == [2, 0, 1, 3, 4]
    # Apart from label 2 are all others, of which the most frequent depends most; then they tie.
    assert same_as_dense(counted(Z), 9, [(0, -1)], 2) == [2, 4, 0, 1, 3]


def test_a_tie_of_a_label_that_co_occurs_with_one_that_does_not():
    # Label 0 and 1 with label 2, each in half of the instances: one the same, one the opposite. Both tell all of it.
    same, opposite = np.array([1, 1, 0, 0]), np.array([0, 0, 1, 1])
    for columns in ([same, opposite, same], [opposite, same, same]):
        counts = counted(sparse.csr_array(np.column_stack(columns)))
        assert same_as_dense(counts, 3, PATTERNS["left-up"], 2) == [2, 0, 1]


def test_rows_may_be_unsorted_and_hold_zeros_and_whole_floats():
    rng = np.random.default_rng(0)
    Z = (rng.random((40, 30)) < 0.1).astype(float)
    dense = Z.T @ Z
    rows, columns = np.divmod(rng.permutation(900), 30)
    rows, columns = rows[np.argsort(rows, kind="stable")], columns[np.argsort(rows, kind="stable")]
    together = sparse.csr_array((dense[rows, columns], columns, np.arange(31) * 30), shape=(30, 30))
    counts = PairCounts(40, dense.diagonal(), together, np.arange(31))
    found = climb_sparse(counts, parent_cells(30, 5, PATTERNS["left-up"]), 0)
    assert found == same_as_dense(counted(sparse.csr_array(Z)), 5, PATTERNS["left-up"], 0)


@pytest.mark.parametrize("n_instances", [10**3, 10**5, 10**7])
def test_the_error_of_a_value_is_within_the_slack(n_instances):
    # The information of labels that never co-occur, by log1p, which loses nothing where shares are small.
    rng = np.random.default_rng(0)
    single = np.concatenate([rng.integers(1, n_instances // 2, 50), rng.integers(1, 50, 50)])
    counts = PairCounts(n_instances, single, sparse.csr_array(np.diag(single)), np.arange(101))
    p = single[:, None] / n_instances
    q, odds = p.T, p / (1 - p)
    exact = -p * np.log1p(-q) - q * np.log1p(-p) + (1 - p - q) * np.log1p(-odds * odds.T)
    error = np.abs(information_of_counts(counts) - exact)
    np.fill_diagonal(error, 0)
    assert error.max() < SLACK / 2


def test_counts_do_not_overflow_the_type_of_the_indicators():
    Z = sparse.csr_array(np.ones((300, 2), dtype=np.int8))
    counts = counted(Z)
    assert counts.together.toarray().tolist() == [[300, 300], [300, 300]]
    assert counts.single.tolist() == [300, 300]
    assert Z.data.dtype == np.int8


def test_it_is_the_trellis_of_the_same_seed():
    rng = np.random.default_rng(1)
    counts = counted(sparse.csr_array(rng.random((100, 50)) < 0.05))
    placed = trellis(information_of_counts(counts), 7, "left-up-second", random_state=4)
    first = placed.order[0]
    found = climb_sparse(counts, parent_cells(50, 7, PATTERNS["left-up-second"]), first)
    assert tuple(found) == placed.order


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("held", [True, False], ids=["held", "on demand"])
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_of_information_place_as_the_matrix_does(monkeypatch, seed, held, weighted):
    rng = np.random.default_rng(seed)
    Z = sparse.csr_array((rng.random((60, 40)) < 0.1).astype(float))
    weight = rng.integers(1, 4, size=60).astype(float) if weighted else None
    whole = PairCounts.of(Z, np.arange(41), weight)
    if not held:
        monkeypatch.setattr(counts_module, "HELD_PAIRS", 0)
        monkeypatch.setattr(counts_module, "HELD_PER_COLUMN", 0)
    rows = information.InformationRows(PairCounts.of(Z, np.arange(41), weight))
    assert rows.is_sparse == (held and not weighted)
    for pattern in PATTERNS:
        placed = trellis(rows, 6, pattern, random_state=seed)
        assert placed == trellis(information_of_counts(whole), 6, pattern, random_state=seed)
