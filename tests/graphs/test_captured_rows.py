"""What placements capture is the same of a matrix and of rows that are found where they are asked for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trellislib.dependence import InformationRows, information_of_counts, pair_counts, pairs
from trellislib.graphs import capture_bound, captured_dependence, climbed_captures, placement, random_captures, trellis

pytestmark = pytest.mark.filterwarnings("ignore:Got width=")  # above the number of labels


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 12), st.integers(1, 5), st.integers(1, 40), st.booleans())
def test_rows_capture_what_the_matrix_does(n_labels, width, cells, is_assigned):
    Y = np.random.default_rng(n_labels).integers(0, 2, (30, n_labels))
    counts = pair_counts(Y)
    matrix, rows = information_of_counts(counts), InformationRows(counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "BLOCK_CELLS", cells)
        if not is_assigned:
            patch.setattr(placement, "ASSIGNED_LABELS", 0)
        for found, parents in ((rows, "left-up"), (rows, "left-up-diagonals")):
            placed = trellis(matrix, width, parents, random_state=0)
            assert captured_dependence(placed, found) == pytest.approx(
                sum(matrix[edge] for edge in placed.edges), abs=1e-12
            )
            ours, expected = (
                random_captures(of, width, parents, n_placements=5, random_state=1) for of in (found, matrix)
            )
            assert ours == pytest.approx(expected, abs=1e-12)
            assert capture_bound(found, width, parents) == pytest.approx(capture_bound(matrix, width, parents))
            ours, expected = (climbed_captures(of, width, parents, n_starts=2) for of in (found, matrix))
            assert ours == pytest.approx(expected, abs=1e-12)
