import pickle
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import MinMaxScaler, Normalizer, StandardScaler

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers, LeastSquares
from trellislib.labels.graph import LabelGraph
from trellislib.learners import feature_maps
from trellislib.learners.feature_maps import GaussianLandmarks, MappedConditionals, mapped
from trellislib.learners.neighbours import NeighbourLabels
from trellislib.learners.training_set import TrainingSet
from trellislib.running.memory import Size

RNG = np.random.default_rng(0)
X = RNG.uniform(-2, 2, (80, 2)) * [1, 100]
ROWS = X
RING = np.column_stack([X[:, 0] ** 2 + (X[:, 1] / 100) ** 2 > 2, X[:, 0] > 0]).astype(int)
COUNTS = sparse.csr_array(RNG.poisson(0.4, (80, 12)))
INDEPENDENT = LabelGraph.independent(2)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "CSR"])
def test_with_as_many_landmarks_as_rows_the_kernel_is_exact(form):
    Z = MinMaxScaler().fit_transform(X)
    landmarks = GaussianLandmarks().fit(form(Z))
    F, squared = landmarks.transform(form(Z)), cdist(Z, Z, "sqeuclidean")
    assert_allclose(F @ F.T, np.exp(-squared / squared.mean()), atol=1e-8)


def test_rows_count_as_often_as_they_weigh():
    weight = RNG.integers(1, 4, len(X))
    plain, weighted = GaussianLandmarks().fit(np.repeat(X, weight, axis=0)), GaussianLandmarks().fit(X, None, weight)
    assert weighted.nystroem_.gamma == pytest.approx(plain.nystroem_.gamma)


def test_few_landmarks_are_training_rows_and_a_seed_draws_them():
    one, other = (GaussianLandmarks(7, random_state=seed).fit(X) for seed in (0, 1))
    assert one.transform(X).shape == (80, 7)
    assert all((row == X).all(axis=1).any() for row in one.nystroem_.components_)
    assert_array_equal(GaussianLandmarks(7).fit(X).transform(X), one.transform(X))
    assert not np.array_equal(one.nystroem_.components_, other.nystroem_.components_)


def test_rows_that_are_all_the_same():
    same = np.full((5, 3), 1e8 / 3)
    assert_allclose(GaussianLandmarks().fit_transform(same) @ np.ones(5) != 0, [True] * 5)
    method = IndependentClassifiers("auto").fit(same, [[0, 1], [0, 1], [0, 0], [1, 1], [0, 0]])
    assert_array_equal(method.predict(same), [[0, 1]] * 5)


def test_least_squares_of_a_kernel_is_kernel_ridge_regression():
    """With an intercept: on a centred kernel, and centred labels."""
    fitted = LeastSquares(0.5, "nystroem").prepare(TrainingSet.of(X, RING)).fit(INDEPENDENT)
    scaler = MinMaxScaler().fit(X)
    Z, new = scaler.transform(X), scaler.transform(X + 0.1)
    width = cdist(Z, Z, "sqeuclidean").mean()
    K, K_new = (np.exp(-cdist(rows, Z, "sqeuclidean") / width) for rows in (Z, new))
    centred = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    centred_new = K_new - K.mean(axis=0) - K_new.mean(axis=1, keepdims=True) + K.mean()
    ridge = KernelRidge(alpha=0.5, kernel="precomputed").fit(centred, RING - RING.mean(axis=0))
    scores = fitted.given(X + 0.1).scores([0, 1], RING.T.astype(float))
    assert_allclose(scores, (ridge.predict(centred_new) + RING.mean(axis=0)).T, atol=1e-6)


@pytest.mark.parametrize(
    ("features", "by_hand"),
    [
        ("scaled", MinMaxScaler()),
        (StandardScaler(), StandardScaler()),
        ("nystroem", make_pipeline(MinMaxScaler(), GaussianLandmarks(30))),
    ],
    ids=["scaled", "transformer", "nystroem"],
)
@pytest.mark.parametrize("alpha", [0.5, "loo"])
@pytest.mark.parametrize(
    "method",
    [IndependentClassifiers, ClassifierChain, partial(ClassifierTrellis, random_state=0)],
    ids=["IC", "CC", "CT"],
)
def test_a_map_is_a_step_before_the_method(method, alpha, features, by_hand):
    found = method(LeastSquares(alpha, features, n_components=30)).fit(X, RING)
    plain = method(LeastSquares(alpha)).fit(clone(by_hand).fit(X).transform(X), RING)
    new = X + 0.1
    assert_allclose(found.predict_proba(new), plain.predict_proba(clone(by_hand).fit(X).transform(new)), atol=1e-9)


def test_rows_of_counts_are_brought_to_unit_length():
    of_map, changed = mapped(TrainingSet.of(COUNTS, RING), "scaled", 500)
    assert sparse.issparse(changed.X)
    assert_allclose(changed.X.toarray(), Normalizer().fit_transform(COUNTS).toarray())
    assert_allclose(of_map.transform(COUNTS).toarray(), changed.X.toarray())


def test_auto_takes_the_map_with_the_smaller_leave_one_out_error():
    flat = np.random.default_rng(0).random((80, 6))
    noisy = flat[:, :2] + np.random.default_rng(1).normal(0, 0.3, (80, 2))
    for X, Y, is_kernel in ((ROWS, RING[:, :1], True), (flat, (noisy > 0.5).astype(int), False)):
        errors = []
        for features in ("scaled", "nystroem"):
            training = LeastSquares(0.1, features).prepare(TrainingSet.of(X, Y))
            ((_, given),) = training.held_out(LabelGraph.independent(Y.shape[1]))
            errors.append(((given.scores(range(Y.shape[1]), Y.T) - Y.T) ** 2).sum())
        assert (errors[1] < errors[0]) == is_kernel
        for alpha in (0.1, "loo"):
            fitted = LeastSquares(alpha, "auto").prepare(TrainingSet.of(X, Y)).fit(LabelGraph.independent(Y.shape[1]))
            assert isinstance(fitted.features, MinMaxScaler) == (not is_kernel)


def test_of_very_many_features_and_rows_no_linear_map_is_tried(monkeypatch):
    tried = []
    monkeypatch.setattr("trellislib.learners.least_squares.MOST_LINEAR", 1)
    fit = feature_maps.mapped
    monkeypatch.setattr(
        "trellislib.learners.least_squares.mapped", lambda *given: tried.append(given[1]) or fit(*given)
    )
    LeastSquares("loo", "auto").prepare(TrainingSet.of(X, RING)).fit(INDEPENDENT)
    assert tried == ["nystroem"]
    tried.clear()
    monkeypatch.setattr("trellislib.learners.least_squares.WITH_NEIGHBOURS", range(80, 81))
    LeastSquares("loo", "auto").prepare(TrainingSet.of(X, RING)).fit(INDEPENDENT)
    assert tried == ["nystroem", "nystroem+neighbours"]


def test_auto_takes_the_labels_of_neighbours_where_copies_have_the_same_labels(monkeypatch):
    monkeypatch.setattr("trellislib.learners.least_squares.WITH_NEIGHBOURS", range(1000))
    rng = np.random.default_rng(0)
    rows, labels = rng.random((40, 5)), rng.integers(2, size=(40, 3))  # nothing but a copy knows the labels
    X, Y = np.repeat(rows, 4, axis=0), np.repeat(labels, 4, axis=0)
    fitted = IndependentClassifiers("auto").fit(X, Y)
    assert isinstance(fitted.conditionals_.features, FeatureUnion)
    assert (fitted.predict(rows) == labels).all()
    assert not isinstance(IndependentClassifiers("auto").fit(rows, labels).conditionals_.features, FeatureUnion)


@pytest.mark.parametrize("data", [X, COUNTS], ids=["dense", "CSR"])
@pytest.mark.parametrize("base", ["scaled", "nystroem"])
def test_labels_of_neighbours_stand_next_to_the_other_features(data, base):
    training_set = TrainingSet.of(data, RING)
    of_map, changed = mapped(training_set, f"{base}+neighbours", 30)
    _, plain = mapped(training_set, base, 30)
    F, P, new = (X.toarray() if sparse.issparse(X) else X for X in (changed.X, plain.X, of_map.transform(data[:7])))
    scaled = mapped(training_set, "scaled", 30)[1].X
    assert_allclose(F, np.hstack([P, NeighbourLabels().fit(scaled, RING).training_features_]))
    assert_allclose(new[:, : P.shape[1]], P[:7])
    assert_allclose(new[:, P.shape[1] :], NeighbourLabels().fit(scaled, RING).transform(scaled[:7]))


@pytest.mark.parametrize("features", ["scaled", "nystroem", "auto", StandardScaler()])
def test_a_map_is_fitted_once_for_a_training_set(features, monkeypatch):
    fits = []
    fit = feature_maps.mapped
    monkeypatch.setattr("trellislib.learners.least_squares.mapped", lambda *given: fits.append(given[1]) or fit(*given))
    training_set = TrainingSet.of(X, RING)
    for graph in (INDEPENDENT, LabelGraph.chain([0, 1])):
        training = LeastSquares("loo", features).prepare(training_set)
        training.fit(graph)
        list(training.held_out(graph))
    assert fits == (["scaled", "nystroem"] if features == "auto" else [features])


def test_rows_held_out_are_those_of_mapped_features():
    Z = MinMaxScaler().fit_transform(X)
    ((rows, given),) = LeastSquares("loo", "scaled").prepare(TrainingSet.of(X, RING)).held_out(INDEPENDENT)
    ((_, plain),) = LeastSquares("loo").prepare(TrainingSet.of(Z, RING)).held_out(INDEPENDENT)
    columns = RING.T.astype(float)
    assert rows.tolist() == list(range(80))
    assert_allclose(given.scores([0, 1], columns), plain.scores([0, 1], columns), atol=1e-9)


@pytest.mark.parametrize("data", [X, COUNTS], ids=["dense", "CSR"])
def test_a_pickled_method_holds_its_map(data):
    method = ClassifierTrellis("auto", random_state=0).fit(data, RING)
    assert isinstance(method.conditionals_, MappedConditionals)
    again = pickle.loads(pickle.dumps(method))
    assert_allclose(again.predict_proba(data), method.predict_proba(data))


def test_automatic_is_better_than_linear_where_it_must_be():
    new = RNG.uniform(-2, 2, (200, 2)) * [1, 100]
    truth = np.column_stack([new[:, 0] ** 2 + (new[:, 1] / 100) ** 2 > 2, new[:, 0] > 0])
    linear, automatic = (IndependentClassifiers(base).fit(X, RING).predict(new) == truth for base in (None, "auto"))
    assert automatic.mean(axis=0)[0] > 0.9 > linear.mean(axis=0)[0]


def test_parameters_are_nested_and_cloned():
    method = IndependentClassifiers(LeastSquares("loo", StandardScaler()))
    method.set_params(estimator__alpha=3.0, estimator__features__with_mean=False)
    copied = clone(method).estimator
    assert (copied.alpha, copied.features.with_mean) == (3.0, False)
    assert clone(IndependentClassifiers("auto")).get_params()["estimator"] == "auto"


def test_what_is_no_map_is_refused():
    prepare = TrainingSet.of(X, RING)
    with pytest.raises(ValueError, match=r"features='rbf'.*'scaled'.*transformer"):
        LeastSquares(features="rbf").prepare(prepare)
    with pytest.raises(TypeError, match=r"features=3, .*transformer"):
        LeastSquares(features=3).prepare(prepare)
    with pytest.raises(ValueError, match="n_components=0"):
        LeastSquares(features="nystroem", n_components=0).prepare(prepare)
    with pytest.raises(TypeError, match=r"estimator='best'.*'auto'"):
        IndependentClassifiers("best").fit(X, RING)
    with pytest.raises(ValueError, match="NaN"):
        IndependentClassifiers("auto").fit(np.where(X > 0, X, np.nan), RING)


@pytest.mark.parametrize("base", ["auto", LeastSquares("loo"), LeastSquares(features="scaled")])
def test_chunks_are_refused_in_a_sentence(base):
    with pytest.raises(TypeError, match=r"chunks are read once: expected a number as alpha, and features=None"):
        IndependentClassifiers(base).fit_chunks([(X, RING)])


def test_memory_that_maps_need():
    size = Size(10_000, 1_500, 50)
    plain, tuned, kernel, automatic = (
        LeastSquares(*given).memory_needed(size).n_bytes
        for given in ((1.0,), ("loo",), ("loo", "nystroem"), ("loo", "auto"))
    )
    assert tuned >= plain + 3 * 8 * 1_500**2
    assert kernel >= 2 * 8 * 10_000 * 500
    assert automatic >= kernel
    many = Size(10_000, 100_000, 50, dense_features=False)
    assert (
        LeastSquares("loo", "auto").memory_needed(many).n_bytes < 1e9 < LeastSquares("loo").memory_needed(many).n_bytes
    )
