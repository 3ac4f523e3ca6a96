import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sentences import has_line, holds
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from trellislib import (
    ClassifierChain,
    ClassifierTrellis,
    EnsembleClassifierChains,
    IndependentClassifiers,
    LabelPowerset,
    LeastSquares,
    Logistic,
    Model,
    ModelError,
    PerLabel,
    ThresholdedClassifier,
    fit_model,
    load_model,
    save_model,
)
from trellislib.data import Dataset, from_frame, load, read_table, simulate_label_dag
from trellislib.data.dataset import DataError
from trellislib.methods import METHODS
from trellislib.metrics import MEASURES, accuracy
from trellislib.models import Predictions

N = 24
FRAME = pd.DataFrame(
    {
        "age": np.arange(N) % 7 + 0.5,
        "town": ["Oslo", "Lima", "Rome"] * 8,
        "member": ["yes", "no"] * 12,
        "zeta": [0, 1, 1] * 8,
        "alpha": ["dry", "wet"] * 12,
    }
)
LABELS = ["zeta", "alpha"]
NEW = pd.DataFrame(
    {"row": [900, 901, 902], "town": ["Oslo", "Lima", "Rome"], "member": ["yes", "no", "no"], "age": [0.5, 1.5, 2.5]}
)


@pytest.fixture(scope="module")
def data():
    return from_frame(FRAME, LABELS, name="toy")


@pytest.fixture(scope="module")
def model(data):
    return fit_model(
        data, ClassifierChain(DecisionTreeClassifier(random_state=0)), scores={"accuracy": 0.5}, n_scored=9
    )


@pytest.fixture(scope="module")
def simulated():
    return simulate_label_dag(n_instances=60, n_labels=4, random_state=0)


def kept(model, **options):
    file = io.BytesIO()
    save_model(model, file, **options)
    return load_model(file, **options)


def test_predictions_are_tables_with_ids_first_and_labels_in_their_order(model):
    found = model.predict(NEW, probabilities=True)
    frame = found.frame(probabilities=True)
    assert frame.columns.tolist() == ["row", "zeta", "alpha", "P(zeta)", "P(alpha = wet)"]
    assert frame["row"].tolist() == [900, 901, 902]
    assert frame["zeta"].tolist() == [0, 1, 1]
    assert frame["alpha"].tolist() == ["wet" if member == "no" else "dry" for member in NEW["member"]]
    assert found.frame().columns.tolist() == ["row", "zeta", "alpha"]
    assert found.label_sets() == [(), ("zeta", "alpha"), ("zeta", "alpha")]
    np.testing.assert_array_equal(found.probabilities, model.predict_proba(NEW))
    has_line(found.notes, "'row'", "names the rows")


def test_rows_may_come_as_table_frame_file_or_array(model, data, tmp_path):
    FRAME.to_csv(tmp_path / "toy.csv", index=False)
    expected = model.predict(data.X).Y
    for new in (FRAME, read_table(tmp_path / "toy.csv"), tmp_path / "toy.csv", str(tmp_path / "toy.csv")):
        np.testing.assert_array_equal(model.predict(new).Y, expected)
    with pytest.raises(ModelError, match=r"\(2, 3\), but this model expects \(n_rows, 5\)"):
        model.predict(np.zeros((2, 3)))


def test_a_model_says_how_it_came_about(model):
    origin = model.origin
    assert (origin.data, origin.n_instances, origin.scores, origin.n_scored) == ("toy", N, {"accuracy": 0.5}, 9)
    holds(origin.settings, "ClassifierChain", "DecisionTreeClassifier")
    assert set(origin.versions) == {"trellislib", "scikit-learn", "numpy", "Python"}
    assert origin.when.endswith("+00:00")
    holds(repr(model), "'toy'", "2 labels", "24 rows")


def test_a_method_that_was_fitted_before_is_a_model_too(data):
    rows = np.arange(12)
    method = IndependentClassifiers().fit(data.X[rows], data.Y[rows])
    model = kept(Model.of_fitted(method, data.fit_features(rows), n_instances=12, scores={"accuracy": 1.0}))
    assert (model.origin.n_instances, model.origin.settings) == (12, "IndependentClassifiers()")
    np.testing.assert_array_equal(model.predict(FRAME).Y, method.predict(data.X))


def test_gaps_of_new_rows_are_filled_with_means_of_training(data):
    model = fit_model(data, IndependentClassifiers())
    gap = NEW.assign(age=[np.nan, 1.5, 2.5])
    mean = NEW.assign(age=[FRAME["age"].mean(), 1.5, 2.5])
    np.testing.assert_allclose(model.predict_proba(gap), model.predict_proba(mean))
    has_line(model.predict(gap).notes, "1 feature cell", "empty in new rows", "filled")
    takes = fit_model(data, IndependentClassifiers(RandomForestClassifier(2, random_state=0)))
    has_line(takes.predict(gap).notes, "1 feature cell", "taken")
    bare = fit_model(data, IndependentClassifiers(), fill="as they are")
    with pytest.raises(ModelError) as raised:
        bare.predict(NEW.assign(age=[0.5, np.nan, 2.5]))
    holds(str(raised.value), "new rows", "row 2", "'age'", "fill")


def test_scores_are_those_of_the_labels_in_the_table(model):
    new = FRAME.iloc[:6].assign(zeta=[0, 1, 1, 1, 1, 1])
    scored = model.score(new)
    predicted = model.predict(new).Y
    true = np.column_stack([new["zeta"], new["alpha"] == "wet"]).astype(int)
    assert scored.measures["accuracy"] == accuracy(true, predicted)
    assert set(scored.measures.index) == set(MEASURES)
    assert scored.per_label.index.tolist() == LABELS
    unknown = new.assign(zeta=[None, None, 1, 1, 1, 1], alpha=[None, *new["alpha"][1:]])
    assert model.score(unknown).measures["hamming_score"] == 1 - 1 / 9  # of 5 rows, one knows one label
    with pytest.raises(ModelError) as raised:
        model.score(FRAME.drop(columns="alpha"))
    holds(str(raised.value), "new rows", "'alpha'", "scored")
    with pytest.raises(ModelError, match="by name"):
        model.score(np.zeros((2, 5)))
    with pytest.raises(ModelError, match="no row knows any label"):
        model.score(new.assign(zeta=np.nan, alpha=None).astype({"alpha": object}))


def test_labels_of_more_values_have_a_probability_of_each():
    frame = FRAME.assign(sky=["blue", "grey", "red"] * 8)[["age", "town", "sky", "zeta"]]
    model = kept(fit_model(from_frame(frame, ["sky", "zeta"])))
    found = model.predict(frame, probabilities=True).frame(probabilities=True)
    assert found["sky"].tolist() == frame["sky"].tolist()
    assert found.columns[2:5].tolist() == ["P(sky = blue)", "P(sky = grey)", "P(sky = red)"]
    np.testing.assert_allclose(found.iloc[:, 2:5].sum(axis=1), 1)
    one = fit_model(from_frame(frame.drop(columns="zeta"), ["sky"]), LabelPowerset())
    assert one.predict(frame).labels()["sky"].tolist() == frame["sky"].tolist()
    assert one.predict_proba(frame)[0].shape == (N, 3)


def test_estimators_of_scikit_learn_are_methods_too(simulated):
    model = fit_model(simulated, MultiOutputClassifier(LogisticRegression()))
    again = kept(model)
    np.testing.assert_array_equal(again.predict_proba(simulated.X), model.predict_proba(simulated.X))
    assert model.predict_proba(simulated.X).shape == simulated.Y.shape


def test_without_probabilities_one_sentence_says_so(data):
    model = fit_model(data, ClassifierChain(LinearSVC()))
    assert model.predict(NEW).probabilities is None
    with pytest.raises(ModelError, match="gives no probabilities"):
        model.predict(NEW, probabilities=True)


def test_thresholds_are_named_where_they_decide(simulated):
    model = fit_model(simulated, ThresholdedClassifier(threshold="per-label", random_state=0))
    thresholds = kept(model).thresholds
    assert tuple(thresholds.index) == simulated.label_names
    np.testing.assert_array_equal(thresholds, model.method.threshold_)
    assert fit_model(simulated, ClassifierChain()).thresholds is None


def test_partly_labelled_rows_train_too():
    frame = FRAME.assign(zeta=[None, *FRAME["zeta"][1:]])
    data = from_frame(frame, LABELS, missing_labels="masked")
    assert fit_model(data, IndependentClassifiers()).origin.n_instances == N


LEARNERS = {
    "automatic": "auto",
    "least squares, leave-one-out": LeastSquares("loo"),
    "logistic": Logistic(),
    "calibrated": PerLabel(LinearSVC(), calibrate=True),
    "SVM": LinearSVC(),
    "SGD": SGDClassifier(loss="log_loss", random_state=0),
    "Bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=2),
    "forest": RandomForestClassifier(2, random_state=0),
    "neighbours": KNeighborsClassifier(3),
    "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
}


@pytest.fixture(scope="module")
def every_model(simulated):
    methods = {key: entry.method() for key, entry in METHODS.items()}
    methods |= {name: ClassifierTrellis(learner, random_state=0) for name, learner in LEARNERS.items()}
    methods |= {"decided": ClassifierChain(decide="accuracy"), "votes": EnsembleClassifierChains(decide="example_f1")}
    for method in methods.values():
        few = {"random_state": 0, "n_estimators": 3, "n_iterations": 12, "n_burn_in": 2}
        method.set_params(**{name: few[name] for name in few.keys() & method.get_params(deep=False)})
    return {name: fit_model(simulated, method) for name, method in methods.items()}


def test_every_method_and_learner_predicts_the_same_in_another_process(every_model, simulated, tmp_path):
    for name, model in every_model.items():
        save_model(model, tmp_path / f"{name}.model")
    code = (
        "import sys, pathlib, numpy as np\n"
        "from trellislib import load_model\n"
        "X, found = np.load('X.npy'), {}\n"
        "for path in pathlib.Path('.').glob('*.model'):\n"
        "    model = load_model(path)\n"
        "    found[path.stem + '/labels'] = model.predict(X).Y\n"
        "    if model.gives_probabilities:\n"
        "        found[path.stem + '/chances'] = model.predict_proba(X)\n"
        "np.savez('found.npz', **found)\n"
    )
    np.save(tmp_path / "X.npy", simulated.X)
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    found = np.load(tmp_path / "found.npz")
    for name, model in every_model.items():
        np.testing.assert_array_equal(found[f"{name}/labels"], model.predict(simulated.X).Y, err_msg=name)
        if model.gives_probabilities:
            np.testing.assert_array_equal(found[f"{name}/chances"], model.predict_proba(simulated.X), err_msg=name)


def test_a_kept_model_takes_the_same_tables(model):
    again = kept(model)
    pd.testing.assert_frame_equal(again.predict(NEW).frame(), model.predict(NEW).frame())
    assert again.origin == model.origin
    assert again.label_names == ("zeta", "alpha")


def test_texts_and_lists_of_labels_are_kept():
    said = [f"word{i % 5} sea sky number{i}" for i in range(N)]
    rows = "\n".join(f"{text},{'sea|sun' if i % 5 else 'sun'}" for i, text in enumerate(said))
    data = load(f"said,tags\n{rows}\n".encode(), split=("tags", "|"), text="tf-idf")
    model = kept(fit_model(data))
    assert model.predict(pd.DataFrame({"said": ["word0 sea", "unheard"]})).label_sets()[0] == ("sun",)
    assert model.score(read_table(b"said,tags\nword1 sky,sea|sun\n")).measures["exact_match"] == 1


def test_a_sparse_model_of_many_labels_loads_from_few_parts():
    rng = np.random.default_rng(0)
    Y = sparse.csr_array((rng.random((40, 500)) < 0.02).astype(int))
    names = tuple(f"label {i}" for i in range(500))
    X = sparse.csr_array(rng.random((40, 3)))
    data = Dataset(X, Y, ("a", "b", "c"), names, (("0", "1"),) * 500)
    file = io.BytesIO()
    model = fit_model(data, ClassifierTrellis(random_state=0))
    save_model(model, file)
    with ZipFile(file) as archive, ZipFile(io.BytesIO(archive.read("estimator.skops"))) as parts:
        assert len(parts.namelist()) < 30
    again = load_model(file)
    assert (again.predict(X).Y != model.predict(X).Y).nnz == 0
    assert again.method.graph_ == model.method.graph_
    assert again.predict(X).frame().shape == (40, 500)


class Mine(ClassifierMixin, BaseEstimator):
    """A user's own base learner."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(X.shape[0], self.classes_[0])


def test_classes_of_ones_own_must_be_trusted_by_name(data):
    model = fit_model(data, IndependentClassifiers(Mine()))
    with pytest.raises(ModelError) as raised:
        save_model(model, io.BytesIO())
    holds(str(raised.value), f"{Mine.__module__}.Mine", "trusted=[...]")
    np.testing.assert_array_equal(kept(model, trusted=[Mine]).predict(NEW).Y, model.predict(NEW).Y)
    file = io.BytesIO()
    save_model(model, file, trusted=[Mine])
    with pytest.raises(ModelError, match="Mine"):
        load_model(file)


def rewritten(model, path, change=lambda about: None, compression=0, **parts):
    """Save a model, and write the file anew with something changed."""
    file = io.BytesIO()
    save_model(model, file)
    with ZipFile(file) as archive:
        about = json.loads(archive.read("model.json"))
        change(about)
        parts = {"model.json": json.dumps(about), "estimator.skops": archive.read("estimator.skops")} | parts
    with ZipFile(path, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def test_what_is_no_model_file_is_one_sentence(model, tmp_path):
    path = tmp_path / "a.model"
    save_model(model, path)
    whole = path.read_bytes()
    refused = {}
    for name, content in {"cut": whole[: len(whole) // 2], "csv": b"x,y\n1,2\n", "empty": b""}.items():
        (tmp_path / name).write_bytes(content)
        refused[tmp_path / name] = "no model file"
    FRAME.to_parquet(tmp_path / "b.parquet")
    refused[tmp_path / "b.parquet"] = "no model file"
    with ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("data.csv", "x,y\n")
    refused[tmp_path / "c.zip"] = "no model file"
    refused[tmp_path / "nowhere"] = "cannot be read"
    refused[rewritten(model, tmp_path / "d", lambda about: about.update(format="x"))] = "no model file"
    refused[rewritten(model, tmp_path / "e", lambda about: about.update(number=9))] = "later trellislib"
    refused[rewritten(model, tmp_path / "f", lambda about: about["schema"].pop("columns"))] = "damaged"
    refused[rewritten(model, tmp_path / "g", lambda about: about.pop("origin"))] = "damaged"
    refused[rewritten(model, tmp_path / "h", **{"model.json": b"{"})] = "damaged"
    refused[rewritten(model, tmp_path / "i", **{"estimator.skops": b"not it"})] = "no model file"
    refused[rewritten(model, tmp_path / "j", compression=ZIP_DEFLATED)] = "no model file"
    for path, why in refused.items():
        with pytest.raises(ModelError) as raised:
            load_model(path)
        holds(str(raised.value), str(path), why)
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("package", "number"), [("scikit-learn", "0.1.2"), ("trellislib", "99.0")])
def test_another_version_is_refused_unless_asked_for(model, tmp_path, package, number):
    path = rewritten(model, tmp_path / "m", lambda about: about["origin"]["versions"].update({package: number}))
    with pytest.raises(ModelError) as raised:
        load_model(path)
    holds(str(raised.value), str(path), f"{package} {number}", "any_version=True")
    assert load_model(path, any_version=True).label_names == model.label_names


def test_a_file_that_would_call_a_function_is_refused(model, tmp_path):
    node = {"__class__": "system", "__module__": "os", "__loader__": "ConstructorFromReduceNode", "__id__": 1}
    node["content"] = {"__class__": "tuple", "__module__": "builtins", "__loader__": "TupleNode", "content": []}
    forged = io.BytesIO()
    with ZipFile(forged, "w") as archive:
        archive.writestr("schema.json", json.dumps(node | {"protocol": 2, "_skops_version": "0.16.0"}))
    path = rewritten(model, tmp_path / "m", **{"estimator.skops": forged.getvalue()})
    with pytest.raises(ModelError, match=r"os\.system"):
        load_model(path)


CASES = Path(__file__).parents[2].parent / "shared" / "cases" / "inputs"
needs_cases = pytest.mark.skipif(not CASES.is_dir(), reason="needs the shared cases")


@needs_cases
def test_columns_are_matched_by_name():
    model = fit_model(load(CASES / "B21_train.csv", labels=-2), ClassifierChain(DecisionTreeClassifier(random_state=0)))
    expected = model.predict(CASES / "B21_test_same_order.csv").Y
    np.testing.assert_array_equal(model.predict(CASES / "B21_test_reordered.csv").Y, expected)
    extra = model.predict(CASES / "B21_test_extra_column.csv")
    np.testing.assert_array_equal(extra.Y, expected)
    assert extra.frame().columns.tolist() == ["id", "A", "B"]
    with pytest.raises(DataError, match="'x2'"):
        model.predict(CASES / "B21_test_missing_x2.csv")


@needs_cases
def test_a_model_that_is_loaded_elsewhere_keeps_names_and_columns():
    data = load(CASES / "C09_train.csv", labels=-3)
    model = kept(fit_model(data, ClassifierChain(LogisticRegression(C=1000))))
    found = model.predict(CASES / "C09_new_rows.csv")
    assert found.frame().columns.tolist() == ["row", "zeta", "alpha", "mid"]
    assert found.Y.tolist() == [[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0], [1, 1, 1]]
    has_line(found.notes, "'row'", "not in C09_train.csv")


def test_a_step_that_is_called_fill_and_does_more_is_not_left_out():
    data = simulate_label_dag(n_instances=60, n_labels=3, random_state=0)
    shifted = replace(data, X=5 + 3 * data.X)
    fitted = Pipeline([("fill", StandardScaler()), ("ic", IndependentClassifiers(Logistic()))]).fit(*shifted.arrays())
    np.testing.assert_array_equal(Model.of_fitted(fitted, shifted).predict(shifted.X).Y, fitted.predict(shifted.X))


@pytest.mark.parametrize(
    "about", ["[" * 200_000, '{"format": "trellislib model", "number": 1, "origin": {"versions": {"x": 1}}}']
)
def test_a_file_of_nonsense_is_refused_in_a_sentence(about):
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("model.json", about)
        archive.writestr("estimator.skops", b"")
    with pytest.raises(ModelError, match="model file"):
        load_model(file)


def test_labels_near_one_half_and_the_most_probable_ones_are_named():
    chances = np.array([[0.45, 0.9, 0.1], [0.2, 0.61, 0.5]])
    found = Predictions(pd.DataFrame(index=range(2)), chances > 0.5, chances, tuple("abc"), (("0", "1"),) * 3)
    assert found.unsure() == [("a",), ("c",)]
    assert found.unsure(0.2) == [("a",), ("b", "c")]
    assert found.most_probable(2) == [0, 1]
