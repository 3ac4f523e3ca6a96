"""Scores against values worked by hand, scikit-learn, and plain loops over random codes."""

import inspect
import warnings
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn import metrics as sk

from trellislib import metrics
from trellislib.metrics import MEASURES, per_label_scores

LABEL_KEYS = [key for key, measure in MEASURES.items() if measure.needs == "labels"]
SCORE_KEYS = [key for key, measure in MEASURES.items() if measure.needs == "scores"]


def codes(n_values=2):
    shapes = st.tuples(st.integers(1, 7), st.integers(1, 6))
    return shapes.flatmap(lambda shape: hnp.arrays(np.int8, (2, *shape), elements=st.integers(0, n_values - 1)))


@st.composite
def ranked(draw):
    true = draw(codes())[0]
    # few distinct values, so that ties are common
    return true, draw(hnp.arrays(float, true.shape, elements=st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0])))


# ---------------------------------------------------------------- by hand


def test_empty_truth_and_empty_prediction_are_perfect():
    """Case B24: empty/empty, nothing/one, one/nothing, and half of two."""
    true = np.array([[0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 0, 1]])
    pred = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 0], [1, 0, 0]])
    assert metrics.accuracy(true, pred) == 0.375
    assert metrics.accuracy(true, pred, empty=0.0) == 0.125
    assert metrics.hamming_score(true, pred) == 0.75
    assert metrics.exact_match(true, pred) == 0.25
    assert metrics.example_f1(true, pred) == pytest.approx((1 + 2 / 3) / 4)


def test_auc_leaves_out_labels_without_a_curve():
    """Case B27: the third label has no positive."""
    true = np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 0]])
    scores = np.array([[0.8, 0.3, 0.2], [0.6, 0.7, 0.1], [0.5, 0.7, 0.9], [0.4, 0.1, 0.3]])
    # A: pairs (.8,.6) (.8,.4) (.5,.4) right, (.5,.6) wrong: 3/4. B: .7 beats .3 and .1, ties with .7: 5/6.
    assert metrics.macro_auc(true, scores) == pytest.approx((3 / 4 + 5 / 6) / 2)
    auc = per_label_scores(true, true, scores)["auc"]
    np.testing.assert_allclose(auc, [3 / 4, 5 / 6, np.nan])
    assert auc.notna().sum() == 2
    assert metrics.micro_auc(true, scores) == pytest.approx(sk.roc_auc_score(true.ravel(), scores.ravel()))


def test_auc_with_no_curve_at_all_is_nan():
    nothing = np.zeros((3, 2), dtype=int)
    assert np.isnan(metrics.macro_auc(nothing, np.eye(3, 2)))
    assert np.isnan(metrics.micro_auc(nothing + 1, np.eye(3, 2)))
    assert per_label_scores(nothing, nothing, np.eye(3, 2))["auc"].isna().all()


def test_f1_by_hand():
    true = np.array([[1, 0, 0], [1, 1, 0]])
    pred = np.array([[1, 1, 0], [0, 1, 0]])
    # A: tp 1, fn 1: 2/3. B: tp 1, fp 1: 2/3. C: neither. Together: tp 2, fp 1, fn 1: 4/6.
    assert metrics.macro_f1(true, pred) == pytest.approx(4 / 9)
    assert metrics.macro_f1(true, pred, empty=1.0) == pytest.approx(7 / 9)
    assert metrics.micro_f1(true, pred) == pytest.approx(2 / 3)
    assert metrics.example_f1(true, pred) == pytest.approx(2 / 3)
    nothing = np.zeros((2, 3), dtype=int)
    assert metrics.micro_f1(nothing, nothing) == 0.0
    assert metrics.micro_f1(nothing, nothing, empty=1.0) == 1.0


def test_rankings_by_hand():
    true = np.array([[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
    scores = np.array([[0.9, 0.8, 0.7, 0.1], [0.5, 0.5, 0.2, 0.1], [0.1, 0.2, 0.3, 0.4]])
    assert metrics.average_precision(true, scores) == pytest.approx(((1 + 2 / 3) / 2 + 1 / 2 + 1) / 3)
    assert metrics.ranking_loss(true, scores) == pytest.approx((1 / 4 + 1 / 3 + 0) / 3)
    assert metrics.one_error(true, scores) == pytest.approx((0 + 1 / 2 + 1) / 3)  # half of the tied labels is wrong
    assert metrics.one_error(true, scores, empty=0.0) == pytest.approx(1 / 6)
    assert metrics.coverage(true, scores) == pytest.approx((3 + 2 + 0) / 3)


def test_per_label_scores_by_hand():
    true = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 0]])
    pred = np.array([[1, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0]])
    table = per_label_scores(sparse.csr_array(true), pred)
    assert table.index.tolist() == [0, 1, 2]
    np.testing.assert_allclose(table["frequency"], [0.5, 0.75, 0])
    np.testing.assert_allclose(table["precision"], [1, 2 / 3, 0])
    np.testing.assert_allclose(table["recall"], [0.5, 2 / 3, 0])
    np.testing.assert_allclose(table["f1"], [2 / 3, 2 / 3, 0])
    np.testing.assert_allclose(table["hamming"], [0.75, 0.5, 1])
    assert table["auc"].isna().all()


def test_labels_of_more_values():
    true, pred = np.array([[0, 2, 1], [1, 0, 0]]), np.array([[0, 1, 1], [1, 0, 0]])
    assert metrics.hamming_score(true, pred) == pytest.approx(5 / 6)
    assert metrics.exact_match(true, pred) == 0.5
    table = per_label_scores(true, pred)
    assert table.columns.tolist() == ["frequency", "hamming"]
    assert table["frequency"].tolist() == [0.5, 0.5, 0.5]
    assert table["hamming"].tolist() == [1.0, 0.5, 1.0]


def test_a_third_value_that_is_only_predicted_is_one_too():
    true, pred = np.array([[0, 1], [1, 0]]), np.array([[0, 1], [2, 0]])
    for scores in (None, np.zeros((2, 2))):
        table = per_label_scores(true, pred, scores)
        assert table.columns.tolist() == ["frequency", "hamming"]
        assert table["hamming"].tolist() == [0.5, 1.0]
    assert per_label_scores(true, true).columns.tolist() == [
        "frequency",
        "hamming",
        "support",
        "predicted",
        "precision",
        "recall",
        "f1",
        "auc",
        "brier_score",
        "log_loss",
    ]


# ---------------------------------------------------------------- against loops and scikit-learn


@given(codes(n_values=4))
def test_any_codes_against_loops(pair):
    true, pred = pair
    right = [[a == b for a, b in zip(*rows, strict=True)] for rows in zip(true, pred, strict=True)]
    assert metrics.hamming_score(true, pred) == pytest.approx(np.mean(right))
    assert metrics.exact_match(true, pred) == pytest.approx(np.mean([all(row) for row in right]))
    table = per_label_scores(true, sparse.csr_array(pred))
    np.testing.assert_allclose(table["hamming"], np.mean(right, axis=0))
    np.testing.assert_allclose(table["frequency"], [np.mean([code != 0 for code in column]) for column in true.T])
    assert ("f1" in table) == (max(true.max(), pred.max()) < 2)
    for key in ("hamming_score", "exact_match"):
        assert MEASURES[key].function(sparse.csr_array(true), pred) == MEASURES[key].function(true, pred)


@given(codes())
def test_sets_against_loops(pair):
    true, pred = pair
    sets = [tuple(set(np.flatnonzero(row)) for row in rows) for rows in zip(true, pred, strict=True)]
    jaccard = [len(a & b) / len(a | b) if a | b else 1.0 for a, b in sets]
    f1 = [2 * len(a & b) / (len(a) + len(b)) if a | b else 1.0 for a, b in sets]
    assert metrics.accuracy(true, pred) == pytest.approx(np.mean(jaccard))
    assert metrics.example_f1(true, pred) == pytest.approx(np.mean(f1))


@given(codes())
def test_f1_against_scikit_learn(pair):
    true, pred = pair
    labels = [
        sk.precision_recall_fscore_support(a, b, labels=[1], average="micro", zero_division=0)
        for a, b in zip(true.T, pred.T, strict=True)
    ]
    precision, recall, f1, _ = zip(*labels, strict=True)
    table = per_label_scores(true, pred)
    np.testing.assert_allclose(table["precision"], precision)
    np.testing.assert_allclose(table["recall"], recall)
    np.testing.assert_allclose(table["f1"], f1)
    assert metrics.macro_f1(true, pred) == pytest.approx(np.mean(f1))
    assert metrics.micro_f1(true, pred) == pytest.approx(
        sk.f1_score(true.ravel(), pred.ravel(), zero_division=0, labels=[1], average="micro")
    )


@given(codes())
def test_dense_and_sparse_predictions_alike(pair):
    true, pred = pair
    for key in LABEL_KEYS:
        value = MEASURES[key].function(true, pred)
        assert 0 <= value <= 1
        for forms in ((sparse.csr_array, sparse.csr_array), (np.asarray, sparse.csr_matrix), (list, np.asarray)):
            assert MEASURES[key].function(forms[0](true), forms[1](pred)) == value


@given(ranked())
def test_rankings_against_loops(pair):
    true, scores = pair
    expected = {"average_precision": [], "ranking_loss": [], "one_error": [], "coverage": []}
    for y, s in zip(true, scores, strict=True):
        inside, outside = np.flatnonzero(y), np.flatnonzero(y == 0)
        pure = [np.mean(y[s >= s[label]]) for label in inside]
        wrong = [s[a] <= s[b] for a in inside for b in outside]
        expected["average_precision"].append(np.mean(pure) if len(inside) and len(outside) else 1.0)
        expected["ranking_loss"].append(np.mean(wrong) if wrong else 0.0)
        expected["one_error"].append(1 - y[s == s.max()].mean())
        expected["coverage"].append(np.sum(s >= s[inside].min()) if len(inside) else 0)
    for key, rows in expected.items():
        for Y in (true, sparse.csr_array(true)):
            assert MEASURES[key].function(Y, scores) == pytest.approx(np.mean(rows))


@given(ranked())
def test_auc_against_pairs(pair):
    true, scores = pair

    def area(y, s):
        above, below = s[y == 1], s[y == 0]
        wins = (above[:, None] > below) + 0.5 * (above[:, None] == below)
        return wins.mean() if wins.size else np.nan

    areas = np.array([area(y, s) for y, s in zip(true.T, scores.T, strict=True)])
    np.testing.assert_allclose(per_label_scores(true, true, scores)["auc"], areas)
    defined = areas[~np.isnan(areas)]
    np.testing.assert_allclose(metrics.macro_auc(true, scores), defined.mean() if defined.size else np.nan)
    np.testing.assert_allclose(metrics.micro_auc(sparse.csr_array(true), scores), area(true.ravel(), scores.ravel()))


def test_larger_data_against_scikit_learn():
    rng = np.random.default_rng(0)
    true = (rng.random((300, 12)) < 0.2).astype(np.int8)
    scores = rng.random((300, 12)).round(2)
    pred = (scores > 0.7).astype(np.int8)
    expected = {
        "accuracy": sk.jaccard_score(true, pred, average="samples", zero_division=1),
        "hamming_score": 1 - sk.hamming_loss(true, pred),
        "exact_match": sk.accuracy_score(true, pred),
        "micro_f1": sk.f1_score(true, pred, average="micro"),
        "macro_f1": sk.f1_score(true, pred, average="macro"),
        "example_f1": sk.f1_score(true, pred, average="samples", zero_division=1),
        "average_precision": sk.label_ranking_average_precision_score(true, scores),
        "macro_auc": sk.roc_auc_score(true, scores, average="macro"),
        "micro_auc": sk.roc_auc_score(true, scores, average="micro"),
        "ranking_loss": sk.label_ranking_loss(true, scores),
        "coverage": sk.coverage_error(true, scores),
    }
    for key, value in expected.items():
        second = pred if MEASURES[key].needs == "labels" else scores
        assert MEASURES[key].function(sparse.csr_array(true), second) == pytest.approx(value), key


# ---------------------------------------------------------------- what is taken and refused


def test_arrays_of_a_user_stay_as_they_are():
    double = sparse.csr_array((np.array([1, 0, 1, 0]), np.array([1, 1, 0, 2]), np.array([0, 3, 4])), shape=(2, 3))
    pred = np.array([[1, 1, 0], [0, 0, 0]])
    for key in LABEL_KEYS:
        assert MEASURES[key].function(double, pred) == MEASURES[key].function(pred, pred)
    assert metrics.one_error(double, pred) == metrics.one_error(pred, pred)
    assert metrics.coverage(double, pred) == metrics.coverage(pred, pred)
    assert double.nnz == 4
    assert double.indices.tolist() == [1, 1, 0, 2]


@pytest.mark.parametrize("key", MEASURES)
def test_shapes_that_differ(key):
    with pytest.raises(ValueError, match=r"Got Y_true .*shape \(2, 3\) .*\w+ .*shape \(3, 2\), .*must .*equal"):
        MEASURES[key].function(np.zeros((2, 3), dtype=int), np.zeros((3, 2)))


@pytest.mark.parametrize("key", MEASURES)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (3,)])
def test_shapes_that_are_no_matrix(key, shape):
    with pytest.raises(ValueError, match=r"expected \(n_instances, n_labels\), .*least"):
        MEASURES[key].function(np.zeros(shape, dtype=int), np.zeros(shape))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("key", MEASURES)
def test_more_values_only_where_relevance_is_not_needed(key, form):
    measure = MEASURES[key]
    true = form(np.array([[0, 1], [0, 2]]))
    if not measure.binary_only:
        assert measure.function(true, true) == 1.0
        return
    with pytest.raises(ValueError, match=r"^Got 2 .*Y_true \(instance 1, label 1\), .*score needs binary labels"):
        measure.function(true, np.zeros((2, 2)))
    if measure.needs == "labels":
        with pytest.raises(ValueError, match="in Y_pred"):
            measure.function(np.zeros((2, 2)), true)


@pytest.mark.parametrize("key", SCORE_KEYS)
def test_scores_must_be_finite(key):
    with pytest.raises(ValueError, match=r"Got nan .*scores \(instance 1, label 0\), .*expected finite numbers"):
        MEASURES[key].function(np.eye(2), np.array([[0.0, 1.0], [np.nan, 0.0]]))


@pytest.mark.parametrize("key", SCORE_KEYS)
def test_sparse_scores(key):
    true, scores = np.array([[1, 0], [0, 1], [1, 0]]), np.array([[0.5, 0.0], [0.0, 0.0], [0.1, 0.2]])
    assert MEASURES[key].function(true, sparse.csr_array(scores)) == MEASURES[key].function(true, scores)


@pytest.mark.parametrize("key", ["log_loss", "calibration_error"])
@pytest.mark.parametrize("wrong", [-0.1, 1.5])
def test_probabilities_lie_between_0_and_1(key, wrong):
    with pytest.raises(ValueError, match=rf"Got {wrong} \(instance 1, label 0\), .*expected a probability"):
        MEASURES[key].function(np.eye(2), np.array([[0.0, 1.0], [wrong, 0.0]]))


def test_log_loss_is_the_mean_of_scikit_learns_of_each_label():
    rng = np.random.default_rng(0)
    true, p = rng.integers(2, size=(40, 5)), rng.random((40, 5))
    p[:3] = true[:3]  # certain, and right
    expected = np.mean([sk.log_loss(true[:, label], p[:, label], labels=[0, 1]) for label in range(5)])
    assert metrics.log_loss(true, p) == pytest.approx(expected)
    assert metrics.log_loss([[1]], [[0.0]]) == pytest.approx(sk.log_loss([1], [0.0], labels=[0, 1]))


def test_probabilities_that_are_frequencies_are_calibrated():
    rng = np.random.default_rng(0)
    p = rng.random((20_000, 3))
    true = (rng.random(p.shape) < p).astype(int)
    assert metrics.calibration_error(true, p) < 0.01
    assert metrics.calibration_error(true, p / 2) == pytest.approx(0.25, abs=0.01)
    bins = metrics.reliability(true, p, n_bins=4)
    assert bins["cells"].sum() == p.size
    np.testing.assert_allclose(bins["probability"], [1 / 8, 3 / 8, 5 / 8, 7 / 8], atol=0.01)


# ---------------------------------------------------------------- the register


def test_register_in_order_and_by_function_name():
    assert list(MEASURES) == [
        "accuracy",
        "hamming_score",
        "exact_match",
        "micro_f1",
        "macro_f1",
        "example_f1",
        "average_precision",
        "macro_auc",
        "micro_auc",
        "ranking_loss",
        "one_error",
        "coverage",
        "log_loss",
        "brier_score",
        "calibration_error",
    ]
    for key, measure in MEASURES.items():
        assert measure.key == key
        assert measure.function is getattr(metrics, key)
        assert list(inspect.signature(measure.function).parameters)[1] in ("Y_pred", "scores", "probabilities")
        assert measure.description.endswith(".")
    assert len({measure.name for measure in MEASURES.values()}) == len(MEASURES)


@pytest.mark.parametrize("key", MEASURES)
def test_a_perfect_prediction_is_best(key):
    """The direction of each measure: the truth itself scores no worse than its opposite."""
    true = np.random.default_rng(0).integers(2, size=(30, 5))
    measure = MEASURES[key]
    best, worst = measure.function(true, true), measure.function(true, 1 - true)
    assert (best > worst) == measure.higher_is_better
    assert type(best) is float


def test_the_log_loss_of_each_label_is_that_of_its_column():
    rng = np.random.default_rng(0)
    true, p = rng.integers(2, size=(8, 3)), rng.random((8, 3))
    known = rng.random((8, 3)) < 0.8
    for of_known in (known | True, known):
        found = per_label_scores(true, true, p, known=of_known)["log_loss"]
        for label, rows in enumerate(of_known.T):
            assert found[label] == pytest.approx(metrics.log_loss(true[rows][:, [label]], p[rows][:, [label]]))
    assert per_label_scores(true, true, 2 * p)["log_loss"].isna().all(), "these are no probabilities"


def of_any_choice(true, scores, k):
    """The share of relevant labels, averaged over all orders of the labels that agree with the scores."""
    orders = [order for order in permutations(range(len(true))) if (np.diff(scores[list(order)]) <= 0).all()]
    return np.mean([true[list(order[:k])].mean() for order in orders])


@given(ranked(), st.integers(0, 99))
def test_no_ranking_depends_on_the_order_of_the_columns(pair, seed):
    true, scores = pair
    order = np.random.default_rng(seed).permutation(true.shape[1])
    for key in ("average_precision", "ranking_loss", "one_error", "coverage", "micro_auc", "macro_auc"):
        of_order = MEASURES[key].function(true[:, order], scores[:, order])
        assert of_order == pytest.approx(MEASURES[key].function(true, scores), nan_ok=True)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 4), st.integers(0, 999))
def test_precision_at_k_counts_the_first_k_labels(k, seed):
    rng = np.random.default_rng(seed)
    true, scores = rng.integers(2, size=(5, 4)), rng.integers(3, size=(5, 4)) / 2  # with ties
    expected = np.mean([of_any_choice(*row, k) for row in zip(true, scores, strict=True)])
    assert metrics.precision_at_k(sparse.csr_array(true), scores, k) == pytest.approx(expected)
    if k == 1:
        assert expected == pytest.approx(1 - metrics.one_error(true, scores))
    known = np.ones(true.shape, dtype=bool)
    known[0, 0] = False
    of_known = metrics.precision_at_k(true, scores, k, known=known)
    assert of_known == metrics.precision_at_k(true[1:], scores[1:], k)


@pytest.mark.parametrize("k", [0, 3])
def test_no_precision_at_more_labels_than_there_are(k):
    with pytest.raises(ValueError, match=f"Got k={k}, but expected 1 to 2"):
        metrics.precision_at_k([[1, 0]], [[0.5, 0.2]], k)


def test_no_warnings_for_one_label_or_one_instance():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for shape in ((1, 1), (4, 1), (1, 4)):
            for fill in (0, 1):
                Y = np.full(shape, fill)
                for measure in MEASURES.values():
                    measure.function(Y, Y)
