"""An instance of weight 2 counts in every score as if it stood there twice, and one of weight 0 as if absent."""

import numpy as np
import pytest
from scipy import sparse

from trellislib.metrics import MEASURES, group_scores, per_label_scores

RNG = np.random.default_rng(0)
TRUE = (RNG.random((30, 4)) < 0.4).astype(int)
PREDICTED = np.where(RNG.random(TRUE.shape) < 0.7, TRUE, 1 - TRUE)
CHANCES = np.round(np.clip(0.5 * PREDICTED + 0.5 * RNG.random(TRUE.shape), 0, 1), 2)
WEIGHT = RNG.integers(0, 4, 30)
KNOWN = RNG.random(TRUE.shape) < 0.8
KNOWN[:, 0] = KNOWN[:9] = True
ROWS = np.repeat(np.arange(30), WEIGHT)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("known", [None, KNOWN], ids=["all known", "some known"])
@pytest.mark.parametrize("key", MEASURES)
def test_weights_count_as_repetitions(key, known, form):
    measure = MEASURES[key]
    other = PREDICTED if measure.needs == "labels" else CHANCES
    weighted = measure.function(form(TRUE), form(other), known=known, sample_weight=WEIGHT)
    of_rows = None if known is None else known[ROWS]
    assert weighted == pytest.approx(measure.function(form(TRUE[ROWS]), form(other[ROWS]), known=of_rows))
    ones = measure.function(form(TRUE), form(other), known=known, sample_weight=np.ones(30))
    assert ones == pytest.approx(measure.function(form(TRUE), form(other), known=known))


@pytest.mark.parametrize("known", [None, KNOWN], ids=["all known", "some known"])
def test_scores_of_labels(known):
    weighted = per_label_scores(TRUE, PREDICTED, CHANCES, known=known, sample_weight=WEIGHT)
    repeated = per_label_scores(
        TRUE[ROWS], PREDICTED[ROWS], CHANCES[ROWS], known=None if known is None else known[ROWS]
    )
    np.testing.assert_allclose(weighted, repeated)
    np.testing.assert_allclose(group_scores(weighted), group_scores(repeated))


def test_f1_of_groups_is_a_share_where_one_row_counts():
    true, predicted = np.ones((10, 3), dtype=int), np.zeros((10, 3), dtype=int)
    predicted[0] = 1
    found = group_scores(per_label_scores(true, predicted, sample_weight=np.eye(10)[0]))
    assert found["micro_f1"].tolist() == found["support"].tolist() == [1, 1, 1]


@pytest.mark.parametrize("weight", [np.zeros(30), -np.ones(30), np.ones(29)])
def test_weights_that_cannot_be(weight):
    for measure in MEASURES.values():
        with pytest.raises(ValueError, match="sample_weight"):
            measure.function(TRUE, PREDICTED, sample_weight=weight)
