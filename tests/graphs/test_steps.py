"""Algorithm 1 step by step, against the trellis that it comes to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from trellislib.dependence import InformationRows, information_of_counts, pair_counts
from trellislib.graphs import PATTERNS, captured_dependence, parse_pattern, placement_steps, trellis

pytestmark = pytest.mark.filterwarnings("ignore:Got width=")  # above the number of labels

FOUR = np.array([[0, 9, 1, 3], [9, 0, 0, 5], [1, 0, 0, 2], [3, 5, 2, 0]])
offsets = st.tuples(st.integers(-3, 0), st.integers(-3, 3)).filter(lambda offset: offset < (0, 0))
patterns = st.one_of(st.sampled_from(sorted(PATTERNS)), st.lists(offsets, max_size=6))


@st.composite
def dependences(draw):
    """Symmetric matrices: of whole numbers, with many ties, or of any, with none."""
    n_labels = draw(st.integers(1, 9))
    elements = draw(st.sampled_from([st.integers(0, 4).map(float), st.floats(0, 1, width=32)]))
    upper = np.triu(draw(arrays(float, (n_labels, n_labels), elements=elements)), 1)
    return upper + upper.T


def steps_from(first, dependence, width, pattern="left-up"):
    """The steps that start from a label."""
    found = (placement_steps(dependence, width, pattern, random_state=seed) for seed in range(1000))
    return next(steps for steps in found if steps[0].chosen == first)


def test_four_labels_by_hand():
    # Width 2, from label 2. Cell 1 is right of it: 3 has 2, 0 has 1, 1 has 0. Cell 2 is under it: 0 has 1, 1 has 0.
    # Cell 3 has left 0 and up 3, and takes 1, which is left over: 9 + 5.
    steps = steps_from(2, FOUR, 2)
    assert len(steps) == 4
    assert [step.chosen for step in steps] == [2, 3, 0, 1]
    assert [step.parents for step in steps] == [(), (2,), (2,), (0, 3)]
    assert [(step.row, step.column) for step in steps] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert [step.candidates.tolist() for step in steps] == [[0, 1, 2, 3], [3, 0, 1], [0, 1], [1]]
    assert [step.gains.tolist() for step in steps] == [[0, 0, 0, 0], [2, 1, 0], [1, 0], [14]]
    assert steps[3].shares.tolist() == [[9, 5]]
    assert [step.gain for step in steps] == [0, 2, 1, 14]
    assert steps.captured.tolist() == [0, 2, 3, 17]
    assert not steps.captured.flags.writeable
    assert [step.is_random for step in steps] == [True, False, False, False]


def test_ties_are_the_others_that_gain_as_much():
    tied = np.ones((4, 4)) - np.eye(4)
    steps = steps_from(1, tied, 4)
    assert steps[1].ties == (2, 3)
    assert steps[1].chosen == 0
    assert steps[0].ties == ()  # it is drawn
    assert steps[3].ties == ()


def test_the_label_that_was_drawn_is_found_among_the_candidates():
    step = steps_from(2, FOUR, 2)[0]
    assert (step.place, step.candidates[step.place]) == (2, 2)
    assert step.shares.shape == (4, 0)


def test_a_sequence_like_any_other():
    steps = placement_steps(FOUR, 2, random_state=0)
    assert [step.cell for step in steps[1:3]] == [1, 2]
    assert steps[-1].cell == 3
    with pytest.raises(IndexError):
        steps[4]


@settings(deadline=None, max_examples=50)
@given(dependences(), st.integers(1, 10), patterns, st.integers(0, 2**32 - 1))
def test_steps_come_to_the_trellis(dependence, width, pattern, seed):
    steps = placement_steps(dependence, width, pattern, random_state=seed)
    placed = trellis(dependence, width, pattern, random_state=seed)
    assert steps.trellis == placed
    assert tuple(step.chosen for step in steps) == placed.order
    assert all(step.candidates[0] == step.chosen for step in list(steps)[1:])  # found anew, by the gains alone
    assert steps.captured[-1] == pytest.approx(captured_dependence(placed, dependence))
    assert steps.captured.tolist() == pytest.approx(np.cumsum([step.gain for step in steps]).tolist())


@settings(deadline=None, max_examples=50)
@given(dependences(), st.integers(1, 10), patterns, st.integers(0, 99))
def test_gains_and_ties_one_by_one(dependence, width, pattern, seed):
    steps = placement_steps(dependence, width, pattern, random_state=seed)
    grid = {}
    for cell, step in enumerate(steps):
        row, column = cell // width, cell % width
        parents = [
            grid[row + down, column + right]
            for down, right in parse_pattern(pattern)
            if (row + down, column + right) in grid
        ]
        assert step.parents == tuple(parents)
        free = sorted(set(range(len(dependence))) - set(grid.values()))
        gains = {label: sum(dependence[label, parent] for parent in parents) for label in free}
        assert dict(zip(step.candidates.tolist(), step.gains.tolist(), strict=True)) == pytest.approx(gains)
        assert sorted(free, key=lambda label: (-step.gains[step.candidates == label][0], label)) == list(
            step.candidates
        )
        if cell:
            most = max(step.gains)
            equal = {label for label, gain in zip(step.candidates, step.gains, strict=True) if gain == most}
            assert set(step.ties) == equal - {step.chosen}
        grid[row, column] = step.chosen


@pytest.mark.parametrize("dependence", [np.zeros((2, 3)), np.array([[0, 1], [2, 0]])])
def test_what_is_no_dependence_is_refused(dependence):
    with pytest.raises(ValueError, match="dependence"):
        placement_steps(dependence)


@settings(deadline=None, max_examples=50)
@given(dependences(), st.integers(1, 5), patterns, st.integers(0, 99))
def test_matrices_that_are_symmetric_but_for_rounding(dependence, width, pattern, seed):
    """With ties, what is left of rounding decides, and must do so as in the placement."""
    noise = np.random.default_rng(seed).uniform(-1e-12, 1e-12, dependence.shape)
    matrix = dependence + noise
    steps = placement_steps(matrix, width, pattern, random_state=seed)
    assert steps.trellis == trellis(matrix, width, pattern, random_state=seed)
    assert [step.candidates[0] for step in steps[1:]] == [step.chosen for step in steps[1:]]
    assert sum(step.gain for step in steps) == pytest.approx(captured_dependence(steps.trellis, matrix), abs=1e-9)


@pytest.mark.parametrize("n_values", [2, 3])
def test_rows_that_are_found_where_they_are_asked_for(n_values):
    counts = pair_counts(np.random.default_rng(n_values).integers(0, n_values, (40, 12)))
    whole, rows = information_of_counts(counts), InformationRows(counts)
    of_whole, of_rows = (placement_steps(given, 4, random_state=0) for given in (whole, rows))
    assert of_rows.trellis == of_whole.trellis
    assert of_rows.strongest == pytest.approx(of_whole.strongest)
    for one, other in zip(of_whole, of_rows, strict=True):
        assert one.candidates[0] == other.candidates[0]
        np.testing.assert_allclose(one.gains, other.gains, atol=1e-12)


def test_the_strongest_edge():
    assert placement_steps(FOUR, 2, random_state=0).strongest == max(
        FOUR[edge] for edge in trellis(FOUR, 2, random_state=0).edges
    )
    assert placement_steps(np.zeros((1, 1))).strongest == 0


def test_a_step_is_itself_alone_and_cannot_be_written_to():
    one, other = (placement_steps(FOUR, 2, random_state=0)[1] for _ in range(2))
    assert one == one
    assert one != other  # and does not fail on its arrays
    assert len({one, other}) == 2
    for array in (one.candidates, one.shares, one.gains):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
