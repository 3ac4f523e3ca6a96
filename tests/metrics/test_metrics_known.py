"""Scores where some true labels are not known: by hand, by plain loops over known cells, and as without any gap."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from pandas.testing import assert_frame_equal
from scipy import sparse

from trellislib import metrics
from trellislib.metrics import MEASURES, per_label_scores

LABEL_KEYS = [key for key, measure in MEASURES.items() if measure.needs == "labels"]
SCORE_KEYS = [key for key in MEASURES if key not in LABEL_KEYS]
OF_INSTANCES = ["average_precision", "ranking_loss", "one_error", "coverage"]

# Not known: the third label of the first row, the first of the third row.
TRUE = np.array([[1, 0, 9], [0, 1, 1], [9, 0, 0]])
PRED = np.array([[1, 1, 1], [0, 1, 0], [1, 0, 0]])
KNOWN = np.array([[True, True, False], [True, True, True], [False, True, True]])
SCORES = np.array([[0.9, 0.6, 0.8], [0.2, 0.7, 0.4], [0.7, 0.1, 0.5]])


def by_hand(key):
    of = MEASURES[key]
    return of.function(TRUE, PRED if of.needs == "labels" else SCORES, known=KNOWN)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hamming_score", 5 / 7),  # seven known cells; wrong are (0, 1) and (1, 2)
        ("exact_match", 1 / 3),  # the last row
        ("accuracy", (1 / 2 + 1 / 2 + 1) / 3),  # the last row has no known label that is true or predicted
        ("example_f1", (2 / 3 + 2 / 3 + 1) / 3),
        ("macro_f1", (1 + 2 / 3 + 0) / 3),  # first label in two rows, second in three, third in two
        ("micro_f1", 4 / 6),  # two right, three true, three predicted
        ("macro_auc", (1 + 1 + 0) / 3),  # .9 over .2; .7 over .6 and .1; .4 under .5
        ("micro_auc", (4 + 4 + 2) / 12),  # .9, .7 and .4 over .6, .2, .1 and .5
        ("average_precision", 1.0),  # only the second row is complete: .7 and .4 are its highest
        ("ranking_loss", 0.0),
        ("one_error", 0.0),
        ("coverage", 2.0),
        ("log_loss", -np.log([0.9, 0.4, 0.8, 0.7, 0.4, 0.9, 0.5]).mean()),
        # In bins of a tenth: .1 by itself, relevant in none; likewise .2, .5, .6; .4, .7 and .9, relevant in all.
        ("calibration_error", (0.1 + 0.2 + 0.5 + 0.6 + 0.6 + 0.3 + 0.1) / 7),
    ],
)
def test_by_hand(key, value):
    assert by_hand(key) == pytest.approx(value)


def test_per_label_by_hand():
    found = per_label_scores(TRUE, PRED, SCORES, known=KNOWN)

    np.testing.assert_allclose(found["frequency"], [1 / 2, 1 / 3, 1 / 2])
    np.testing.assert_allclose(found["hamming"], [1, 2 / 3, 1 / 2])
    np.testing.assert_allclose(found["precision"], [1, 1 / 2, 0])
    np.testing.assert_allclose(found["recall"], [1, 1, 0])
    np.testing.assert_allclose(found["f1"], [1, 2 / 3, 0])
    np.testing.assert_allclose(found["auc"], [1, 1, 0])


@st.composite
def partly_known(draw):
    """Return true and predicted codes, scores with ties, and known cells: some in each row and in each column."""
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 5)))
    true, pred = draw(hnp.arrays(np.int8, (2, *shape), elements=st.integers(0, 1)))
    scores = draw(hnp.arrays(float, shape, elements=st.sampled_from([0.0, 0.125, 0.25, 1.0])))
    known = draw(hnp.arrays(bool, shape))
    known[draw(st.integers(0, shape[0] - 1))] = True  # a complete row
    known[:, draw(st.integers(0, shape[1] - 1))] = True
    return true, pred, scores, known


def looped(true, pred, scores, known):
    """Return all scores of known cells by plain loops."""
    cells = list(zip(*np.nonzero(known), strict=True))
    rows = [[label for row, label in cells if row == of] for of in range(len(true))]

    def union(labels, n):
        return sum(true[n, label] or pred[n, label] for label in labels)

    def both(cells):
        return sum(true[cell] and pred[cell] for cell in cells)

    def f1(cells, empty):
        below = sum(int(true[cell]) + int(pred[cell]) for cell in cells)
        return 2 * both(cells) / below if below else empty

    def auc(cells):
        pairs = [(scores[a], scores[b]) for a in cells for b in cells if true[a] > true[b]]
        return np.mean([(a > b) + (a == b) / 2 for a, b in pairs]) if pairs else np.nan

    def calibration(cells):
        bins = {min(int(10 * scores[cell]), 9): [] for cell in cells}
        for cell in cells:
            bins[min(int(10 * scores[cell]), 9)].append(scores[cell] - true[cell])
        return sum(abs(sum(of_bin)) for of_bin in bins.values()) / len(cells)

    columns = [[cell for cell in cells if cell[1] == label] for label in range(true.shape[1])]
    areas = [area for area in map(auc, columns) if not np.isnan(area)]
    return {
        "brier_score": np.mean([(scores[cell] - true[cell]) ** 2 for cell in cells]),
        "accuracy": np.mean(
            [
                both([(n, label) for label in labels]) / union(labels, n) if union(labels, n) else 1.0
                for n, labels in enumerate(rows)
            ]
        ),
        "hamming_score": np.mean([true[cell] == pred[cell] for cell in cells]),
        "exact_match": np.mean([all(true[n, label] == pred[n, label] for label in ls) for n, ls in enumerate(rows)]),
        "micro_f1": f1(cells, 0.0),
        "macro_f1": np.mean([f1(column, 0.0) for column in columns]),
        "example_f1": np.mean([f1([(n, label) for label in labels], 1.0) for n, labels in enumerate(rows)]),
        "macro_auc": np.mean(areas) if areas else np.nan,
        "micro_auc": auc(cells),
        "log_loss": np.mean(
            [-np.log(max(p if true[cell] else 1 - p, 2**-52)) for cell in cells for p in [scores[cell]]]
        ),
        "calibration_error": calibration(cells),
    }


@settings(max_examples=50)
@given(partly_known())
def test_against_loops(drawn):
    true, pred, scores, known = drawn
    noise = np.where(known, true, 7)
    expected = looped(true, pred, scores, known)
    for key, value in expected.items():
        other = pred if MEASURES[key].needs == "labels" else scores
        np.testing.assert_allclose(MEASURES[key].function(noise, other, known=known), value, err_msg=key)
        np.testing.assert_allclose(
            MEASURES[key].function(sparse.csr_array(noise), sparse.csr_array(other), known=known), value, err_msg=key
        )


@settings(max_examples=50)
@given(partly_known())
def test_rankings_of_instances_are_those_of_complete_rows(drawn):
    true, _, scores, known = drawn
    whole = known.all(axis=1)
    for key in OF_INSTANCES:
        function = MEASURES[key].function
        assert function(true, scores, known=known) == function(true[whole], scores[whole])


@settings(max_examples=50)
@given(partly_known())
def test_where_all_is_known_nothing_changes(drawn):
    true, pred, scores, known = drawn
    everything = np.ones_like(known)
    for key, measure in MEASURES.items():
        other = pred if measure.needs == "labels" else scores
        np.testing.assert_equal(measure.function(true, other, known=everything), measure.function(true, other), key)
    assert_frame_equal(per_label_scores(true, pred, scores, known=everything), per_label_scores(true, pred, scores))


def test_every_measure_is_tested_by_loops_or_by_complete_rows():
    assert {*looped(*np.ones((3, 1, 1), int), np.ones((1, 1), bool)), *OF_INSTANCES} == set(MEASURES)


@pytest.mark.parametrize("key", ["hamming_score", "exact_match"])
def test_labels_of_more_values(key):
    true, pred = np.array([[0, 2], [1, 0]]), np.array([[0, 1], [1, 0]])
    assert MEASURES[key].function(true, pred, known=np.array([[True, False], [True, True]])) == 1.0


@pytest.mark.parametrize("key", MEASURES)
@pytest.mark.parametrize(
    ("known", "message"),
    [
        (np.ones((2, 2), bool), r"Got known .*shape \(2, 2\), .*expected booleans .*shape \(3, 3\) .*Y_true"),
        (np.ones((3, 3)), r"Got known .*shape \(3, 3\), .*expected booleans"),
        (np.array([[True] * 3, [False] * 3, [True] * 3]), r"Nothing .*known .*instance 1, .*cannot .*scored"),
        (np.array([[True, True, False]] * 3), r"Nothing .*known .*label 2, .*cannot .*scored"),
    ],
)
def test_known_labels_must_cover_all_labels(key, known, message):
    with pytest.raises(ValueError, match=message):
        MEASURES[key].function(PRED, PRED if MEASURES[key].needs == "labels" else SCORES, known=known)


@pytest.mark.parametrize("key", OF_INSTANCES)
def test_rankings_of_instances_need_a_complete_one(key):
    with pytest.raises(ValueError, match=r"No instance .*all .*labels known"):
        MEASURES[key].function(PRED, SCORES, known=~np.eye(3, dtype=bool))


def test_arrays_of_a_user_stay_as_they_are():
    given_codes, given_scores, given_known = TRUE.copy(), SCORES.copy(), KNOWN.copy()
    for key in LABEL_KEYS + SCORE_KEYS:
        by_hand(key)
    np.testing.assert_array_equal(TRUE, given_codes)
    np.testing.assert_array_equal(SCORES, given_scores)
    np.testing.assert_array_equal(KNOWN, given_known)
    assert metrics.accuracy(TRUE, PRED, known=KNOWN) == by_hand("accuracy")
