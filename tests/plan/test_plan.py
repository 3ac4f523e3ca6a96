"""Experiment files give what they describe, and say in one sentence what is wrong with them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sentences import has_line, holds
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from trellislib import (
    AncestralSampling,
    ClassifierChain,
    ClassifierTrellis,
    EnsembleClassifierChains,
    IndependentClassifiers,
    LeastSquares,
    Logistic,
    PerLabel,
    ThresholdedClassifier,
)
from trellislib.data import load, packaged, simulate_label_dag, simulate_room
from trellislib.experiment import Budget, Given, KFold, Split, Store, run
from trellislib.paper import paper_method
from trellislib.plan import PlanError, read_plan

DATA = {"label_dag": {"n_instances": 60, "n_labels": 3}}
IC = {"method": "IC"}
ROWS = "x,y,sunny,warm\n" + "".join(f"{i},{i % 3},{i % 2},{int(i > 5)}\n" for i in range(12))


def described(tmp_path, **changes):
    """Return the path of a file that describes a small experiment, with some keys changed or, as None, left out."""
    content = {"data": [DATA], "methods": [IC]} | changes
    path = tmp_path / "small.json"
    path.write_text(json.dumps({key: value for key, value in content.items() if value is not None}))
    return path


def method(tmp_path, **keys):
    (planned,) = read_plan(described(tmp_path, methods=[keys])).methods
    return planned


def source(tmp_path, **keys):
    (planned,) = read_plan(described(tmp_path, data=[keys])).data
    return planned.load()


def refusal(path):
    with pytest.raises(PlanError) as raised:
        read_plan(path)
    sentence = str(raised.value)
    assert sentence.startswith(str(path))
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence.removeprefix(str(path))


def same(one, other):
    return (one.X != other.X).sum() == 0 and (one.Y != other.Y).sum() == 0 and one.label_names == other.label_names


def test_toml_and_json_give_the_same_plan(tmp_path):
    toml = tmp_path / "small.toml"
    toml.write_text(
        'title = "Small"\nseeds = [3, 1]\n[protocol]\nfolds = 4\nrepeats = 2\n[budget]\nseconds = 7\n'
        '[[data]]\nlabel_dag = { n_instances = 60, n_labels = 3 }\n[[methods]]\nmethod = "IC"\n'
    )
    other = described(tmp_path, title="Small", seeds=[3, 1], protocol={"folds": 4, "repeats": 2}, budget={"seconds": 7})
    for plan in (read_plan(toml), read_plan(str(other))):
        assert (plan.title, plan.seeds, plan.protocol, plan.budget) == ("Small", (3, 1), KFold(4, 2), Budget(7))
        assert plan.methods[0].estimator.get_params() == IndependentClassifiers().get_params()


def test_what_is_left_out_is_as_it_is_by_default(tmp_path):
    plan = read_plan(described(tmp_path))
    assert (plan.title, plan.seeds, plan.protocol, plan.budget) == ("small", (0,), KFold(5), None)


def test_a_test_share_is_a_split(tmp_path):
    assert read_plan(described(tmp_path, protocol={"test": 0.25})).protocol == Split(0.25)


def test_data_are_those_of_the_functions_that_are_named(tmp_path):
    (tmp_path / "sky.csv").write_text(ROWS)
    (tmp_path / "sky.xml").write_text('<labels><label name="warm"/><label name="sunny"/></labels>')
    assert same(source(tmp_path, packaged="yeast")[0], packaged("yeast"))
    assert same(source(tmp_path, room={"n_instances": 9, "width": 10})[0], simulate_room(9, 10, random_state=0))
    assert same(source(tmp_path, label_dag={"random_state": 5})[0], simulate_label_dag(random_state=5))
    for labels in (-2, ["warm", "sunny"], "sky.xml"):
        expected = load(tmp_path / "sky.csv", tmp_path / labels if isinstance(labels, str) else labels)
        data, protocol = source(tmp_path, load="sky.csv", labels=labels, name="Sky")
        assert same(data, expected)
        assert (data.name, protocol) == ("Sky", None)


def test_a_known_set_is_taken_from_where_it_is(tmp_path):
    data, _ = source(tmp_path, known="yeast")
    assert (data.name, data.n_instances) == ("Yeast", 2417)


def test_training_and_test_files_divide_their_set_and_no_other(tmp_path):
    lines = ROWS.splitlines(keepends=True)
    (tmp_path / "sky-train.csv").write_text("".join(lines[:9]))
    (tmp_path / "sky-test.csv").write_text(lines[0] + "".join(lines[9:]))
    given = {"train": "sky-train.csv", "test": "sky-test.csv", "labels": -2}
    data, protocol = source(tmp_path, **given)
    assert (data.n_instances, protocol) == (12, Given(8))

    path = described(tmp_path, data=[DATA, given, DATA | {"name": "again"}], protocol={"folds": 3})
    fits = read_plan(path).run().fits
    assert fits.groupby("dataset", sort=False)["protocol"].unique().str[0].to_dict() == {
        "Label DAG": "3-fold",
        "sky": Given(8).words,
        "again": "3-fold",
    }


def test_methods_are_those_of_the_registry_with_their_parameters(tmp_path):
    trellis = method(
        tmp_path,
        method="CT",
        name="CT, width 4",
        width=4,
        parents=[[0, -1], [-1, 0]],
        estimator={"class": "sklearn.svm.LinearSVC", "C": 0.1},
        inference={"class": "AncestralSampling", "n_samples": 20},
    )
    expected = ClassifierTrellis(LinearSVC(C=0.1), width=4, inference=AncestralSampling(20))
    assert trellis.name == "CT, width 4"
    made = trellis.estimator.get_params()
    assert made.pop("parents") == [[0, -1], [-1, 0]]
    shown = {name: value for name, value in expected.get_params().items() if name in made}
    assert {name: repr(value) for name, value in made.items()} == {name: repr(value) for name, value in shown.items()}


def test_base_learners_by_name_by_path_and_within_each_other(tmp_path):
    assert isinstance(method(tmp_path, method="IC", estimator="Logistic").estimator.estimator, Logistic)
    assert method(tmp_path, method="CT", estimator="auto").estimator.estimator == "auto"
    tuned = {"class": "LeastSquares", "alpha": "loo", "features": {"class": "sklearn.preprocessing.StandardScaler"}}
    learner = method(tmp_path, method="IC", estimator=tuned).estimator.estimator
    assert (learner.alpha, type(learner.features)) == ("loo", StandardScaler)
    assert method(tmp_path, method="IC", estimator={"class": "LeastSquares", "alpha": 2}).estimator.estimator.alpha == 2
    nested = {"class": "PerLabel", "estimator": "sklearn.svm.LinearSVC", "calibrate": True}
    learner = method(tmp_path, method="IC", estimator=nested).estimator.estimator
    assert isinstance(learner, PerLabel)
    assert isinstance(learner.estimator, LinearSVC)


def test_estimators_of_scikit_learn_within_each_other(tmp_path):
    made = method(tmp_path, method="sklearn.multiclass.OneVsRestClassifier", estimator="sklearn.svm.LinearSVC")
    assert isinstance(made.estimator.estimator, LinearSVC)


def test_a_classifier_of_scikit_learn_is_a_method(tmp_path):
    made = method(tmp_path, method="sklearn.neighbors.KNeighborsClassifier", n_neighbors=3)
    assert made.name == "KNeighborsClassifier"
    assert isinstance(made.estimator, KNeighborsClassifier)
    assert made.estimator.n_neighbors == 3


def test_features_are_scaled_and_thresholds_chosen(tmp_path):
    path = described(tmp_path, methods=[{"method": "CC", "scale": "to unit variance", "threshold": "per-label"}])
    plan = read_plan(path)
    data, _ = plan.data[0].load()
    made = plan.methods_for(data)["CC"]
    assert isinstance(made, Pipeline)
    assert list(made.named_steps) == ["scale", "method"]
    assert isinstance(made[-1], ThresholdedClassifier)
    assert made[-1].threshold == "per-label"
    assert isinstance(made[-1].estimator, ClassifierChain)


@pytest.mark.parametrize(
    ("given", "strategy"),
    [({}, "mean"), ({"fill": "median"}, "median"), ({"fill": "zero"}, "constant"), ({"fill": "as they are"}, None)],
    ids=str,
)
def test_missing_features_are_filled_as_the_file_requests(tmp_path, given, strategy):
    plan = read_plan(described(tmp_path, methods=[{"method": "IC", **given}]))
    data, _ = plan.data[0].load()
    gappy = replace(data, X=np.where(np.arange(data.X.size).reshape(data.X.shape) == 1, np.nan, data.X))

    made = plan.methods_for(gappy)["IC"]
    assert plan.methods_for(data)["IC"] is plan.methods[0].estimator
    assert (made.named_steps["fill"].strategy if isinstance(made, Pipeline) else None) == strategy


@pytest.mark.parametrize("threshold", ["cardinality", 0.5, 0.3])
def test_ensembles_choose_thresholds_of_their_own(tmp_path, threshold):
    members = {"max_samples": 0.67, "voting": "soft", "threshold": threshold}
    (planned,) = read_plan(described(tmp_path, methods=[{"method": "ECC", **members}])).methods
    assert isinstance(planned.estimator, EnsembleClassifierChains)
    assert planned.estimator.get_params() == EnsembleClassifierChains(**members).get_params()


def test_the_papers_ensembles_as_in_the_code_can_be_written(tmp_path):
    entry = {"method": "ECC", "estimator": "LeastSquares", "scale": "to [0, 1]"}
    members = {"max_samples": 0.67, "voting": "soft", "threshold": "cardinality"}
    plan = read_plan(described(tmp_path, methods=[entry | members]))
    data, _ = plan.data[0].load()
    papers = paper_method("ECC", "fast", data, "code")
    assert str(plan.methods_for(data)["ECC"].get_params()) == str(papers.get_params())
    assert papers[-1].threshold == "cardinality"


def test_a_threshold_of_one_half_is_another_decision_than_the_joint_one(tmp_path):
    methods = [{"method": "PCC"}, {"method": "PCC", "threshold": 0.5, "name": "by labels"}]
    data = simulate_label_dag(300, 5, random_state=0)
    made = read_plan(described(tmp_path, methods=methods)).methods_for(data)
    joint, by_labels = (method.fit(data.X, data.Y) for method in made.values())
    np.testing.assert_array_equal(by_labels.predict(data.X), by_labels.predict_proba(data.X) > 0.5)
    assert np.any(by_labels.predict(data.X) != joint.predict(data.X))


def test_a_run_has_the_scores_of_run_and_the_store_the_text(tmp_path):
    path = described(tmp_path, seeds=[0, 4], protocol={"folds": 3}, methods=[IC, {"method": "CT"}])
    store = Store(tmp_path / "results.sqlite")
    results = read_plan(path).run(store)
    data = simulate_label_dag(60, 3, random_state=0)
    methods = {"IC": IndependentClassifiers(LeastSquares()), "CT": ClassifierTrellis()}
    expected = run([data], methods, KFold(3), seeds=(0, 4))
    np.testing.assert_array_equal(results.table("accuracy"), expected.table("accuracy"))
    kept = store.runs().iloc[0]
    assert (kept["title"], kept["state"]) == ("small", "done")
    assert path.read_text() in kept["code"]
    assert f"python -m trellislib run {path}" in kept["code"]


def test_a_file_that_cannot_be_read(tmp_path):
    assert "No such file" in refusal(tmp_path / "none.toml")
    other = tmp_path / "plan.yaml"
    assert ".toml or .json" in refusal(other)
    binary = tmp_path / "plan.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    assert "not in UTF-8" in refusal(binary)
    binary.write_text('title = "a"\nseeds = [0,, 1]\n')
    has_line(refusal(binary), "not valid TOML", "Invalid value (at line 2", "column 12)")
    listed = tmp_path / "plan.json"
    listed.write_text("{\n  'a': 1}")
    assert "at line 2, column 3" in refusal(listed)
    listed.write_text("[]")
    has_line(refusal(listed), "object", "keys title", "seeds")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"titel": "a"}, ": there is no key 'titel'; the nearest is 'title'."),
        ({"title": 3}, ": got title = 3, but expected a text."),
        ({"data": None}, ": there is no 'data'; give it one or more tables."),
        ({"data": []}, ": got data = [], but expected one or more tables."),
        ({"methods": {"method": "IC"}}, ": got methods = {'method': 'IC'}, but expected one or more tables."),
        ({"seeds": [0, 0]}, ": got seeds = [0, 0], but expected a list of different whole numbers from 0 on."),
        ({"seeds": [True]}, ": got seeds = [True], but expected a list of different whole numbers from 0 on."),
        ({"seeds": 1}, ": got seeds = 1, but expected a list of different whole numbers from 0 on."),
        ({"protocol": 5}, ": got protocol = 5, but expected a table of keys and values."),
        ({"protocol": {"fold": 5}}, ", protocol: there is no key 'fold'; the nearest is 'folds'."),
        ({"protocol": {"folds": 1}}, ", protocol: got folds = 1, but expected a whole number of 2 or more."),
        ({"protocol": {"folds": 2.5}}, ", protocol: got folds = 2.5, but expected a whole number of 2 or more."),
        ({"protocol": {"test": 33}}, ", protocol: got test = 33, but expected a number between 0 and 1."),
        (
            {"protocol": {"test": 0.3, "folds": 5}},
            ", protocol: got a test share and folds; give either of them.",
        ),
        ({"budget": {"minutes": 5}}, ", budget: there is no key 'minutes'; there are gib, seconds."),
        ({"budget": {"gib": 0}}, ", budget: got gib = 0, but expected a number above 0."),
    ],
)
def test_what_is_wrong_with_the_whole(tmp_path, changes, sentence):
    assert refusal(described(tmp_path, **changes)) == sentence


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({}, "got nothing, but expected one of packaged, known, load, train, room, label_dag"),
        ({"packed": "yeast"}, "got packed, but expected one of packaged,"),
        ({"packaged": "yeast", "room": {}}, "got packaged and room, but expected one of"),
        ({"packaged": "yeest"}, "got packaged = 'yeest', but expected one of 'yeast', 'movies', 'solar-flare'"),
        ({"packaged": "yeast", "labels": -2}, "there is no key 'labels'"),
        ({"known": "scenes"}, "there is no known data set 'scenes'; the nearest is 'scene'"),
        ({"load": "none.arff"}, "none.arff; name one by its path from the experiment's file"),
        ({"load": "sky.csv", "labels": "none.xml"}, "there is no file"),
        (
            {"load": "sky.csv", "labels": 2.5},
            "got labels = 2.5, but expected an XML file, a list of names, or a number",
        ),
        ({"load": "sky.csv", "labels": []}, "got labels = [], but expected"),
        ({"load": "sky.csv", "test": "sky.csv"}, "there is no key 'test'"),
        ({"train": "sky.csv"}, "there is no 'test'; give it a text"),
        ({"room": {"widht": 10}}, "room has no parameter 'widht'; the nearest is 'width'"),
        ({"room": {"width": "wide"}}, "got width = 'wide' for room, but expected a whole number"),
        ({"room": 3}, "got room = 3, but expected a table of keys and values"),
        ({"packaged": "yeast", "name": ""}, "got name = '', but expected a text"),
    ],
)
def test_what_is_wrong_with_a_data_set(tmp_path, data, sentence):
    (tmp_path / "sky.csv").write_text(ROWS)
    found = refusal(described(tmp_path, data=[DATA, data]))
    assert found.startswith(", data 2: ")
    assert sentence in found


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ({}, ": there is no 'method'; give it a text."),
        ({"method": "ECTT"}, ": there is no method 'ECTT'; the nearest is 'ECT'."),
        ({"method": "ct", "width": 3}, ": there is no method 'ct'; the nearest is 'CT'."),
        ({"method": "CT", "widht": 4}, ": CT has no parameter 'widht'; the nearest is 'width'."),
        ({"method": "IC", "width": 4}, ": IC has no parameter 'width'; there are decide, estimator."),
        ({"method": "CT", "width": "four"}, ": got width = 'four' for CT, but expected a whole number."),
        ({"method": "CT", "width": True}, ": got width = True for CT, but expected a whole number."),
        ({"method": "RAkEL", "overlapping": 1}, ": got overlapping = 1 for RAkEL, but expected true or false."),
        ({"method": "CC", "order": 3}, ": got order = 3 for CC, but expected a list or a text."),
        ({"method": "IC", "estimator": "Logistik"}, ": trellislib has no class 'Logistik'; the nearest is 'Logistic';"),
        (
            {"method": "IC", "estimator": 5},
            ': got estimator = 5 for IC, but expected the name of a class, or a table with its class or "auto".',
        ),
        ({"method": "IC", "estimator": {"C": 1}}, ", estimator: there is no 'class'; give it a text."),
        (
            {"method": "IC", "estimator": {"class": "Logistic", "c": 1}},
            ", estimator: Logistic has no parameter 'c'; the nearest is 'C'.",
        ),
        (
            {"method": "IC", "estimator": "AncestralSampling"},
            "expected a learner of trellislib or a classifier, or 'auto'.",
        ),
        (
            {"method": "IC", "estimator": "sklearn.linear_model.Ridge"},
            "expected a learner of trellislib or a classifie",
        ),
        ({"method": "IC", "estimator": "sklearn.svm.LinearSVCs"}, ": there is no class 'sklearn.svm.LinearSVCs' ("),
        ({"method": "IC", "estimator": "sklearn.none.A"}, ": there is no class 'sklearn.none.A' ("),
        ({"method": "IC", "estimator": "sklearn.utils.Bunch"}, ": sklearn.utils.Bunch is no estimator."),
        ({"method": "IC", "estimator": "sklearn.base.clone"}, ": sklearn.base.clone is no estimator."),
        ({"method": "IC", "estimator": "trellislib.inference.Inference"}, "trellislib.inference.Inference is no estim"),
        (
            {"method": "IC", "estimator": "os.system"},
            ": got the class 'os.system', but expected one of sklearn or trel",
        ),
        ({"method": "subprocess.Popen", "args": "ls"}, ": got the class 'subprocess.Popen', but expected one of sklea"),
        (
            {"method": "CT", "inference": "Logistic"},
            "but expected the name of a class, or a table with its class (Inference).",
        ),
        ({"method": "sklearn.multiclass.OneVsRestClassifier"}, "cannot be made: "),
        ({"method": "sklearn.cluster.FeatureAgglomeration"}, "FeatureAgglomeration does not predict;"),
        (
            {"method": "IC", "scale": "large"},
            ": got scale = 'large', but expected one of 'as they are', 'to [0, 1]', 'to unit variance'.",
        ),
        (
            {"method": "IC", "fill": "guess"},
            ": got fill = 'guess', but expected one of 'automatic', 'mean', 'median', 'most frequent', 'zero', 'as ",
        ),
        (
            {"method": "IC", "threshold": 2},
            ": got threshold = 2, but expected one of 'cardinality', 'per-label', 'f1' or a number between 0 and 1.",
        ),
        (
            {"method": "sklearn.neighbors.KNeighborsClassifier", "threshold": 0.4},
            ": sklearn.neighbors.KNeighborsClassifier is no method of trellislib,",
        ),
    ],
)
def test_what_is_wrong_with_a_method(tmp_path, keys, sentence):
    found = refusal(described(tmp_path, methods=[IC | {"name": "first"}, keys]))
    assert found.startswith(", methods 2")
    assert sentence in found


TEXTS = "sklearn.feature_extraction.text.CountVectorizer"
KEPT = {"class": "sklearn.cluster.FeatureAgglomeration", "memory": "kept"}
SEARCH = {"method": "sklearn.model_selection.GridSearchCV", "estimator": "sklearn.cluster.AgglomerativeClustering"}


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        ({"method": "sklearn.pipeline.Pipeline", "steps": [], "memory": "kept"}, "memory = 'kept' for"),
        ({"method": "IC", "estimator": {"class": "LeastSquares", "features": KEPT}}, "memory = 'kept' for"),
        (SEARCH | {"param_grid": {"memory": ["kept"]}}, "memory = ['kept'] for"),
        (SEARCH | {"param_grid": [{}, {"estimator__memory": ["kept"]}]}, "estimator__memory = ['kept'] for"),
        (SEARCH | {"param_grid": {}, "pre_dispatch": "print(1)"}, "pre_dispatch = 'print(1)' for"),
        ({"method": "IC", "estimator": {"class": TEXTS, "input": "file"}}, "input = 'file' for"),
    ],
)
def test_no_estimator_reaches_beyond_the_data(tmp_path, keys, named):
    holds(refusal(described(tmp_path, methods=[keys])), f"got {named}", "which would")


def test_parameters_that_may_reach_beyond_the_data_may_have_harmless_values(tmp_path):
    assert method(tmp_path, **SEARCH, param_grid={}, pre_dispatch=2).estimator.pre_dispatch == 2
    assert method(tmp_path, method="sklearn.pipeline.Pipeline", steps=[], memory=None).estimator.memory is None


def test_two_methods_of_one_name_are_refused(tmp_path):
    found = refusal(described(tmp_path, methods=[IC, IC | {"estimator": "Logistic"}]))
    holds(found, "methods 2", "the name 'IC' is taken", "another name")


def test_rows_of_a_file_are_kept_together(tmp_path):
    rows = "who,x,sunny,warm\n" + "".join(f"p{i // 3},{i},{i % 2},{int(i > 5)}\n" for i in range(12))
    (tmp_path / "sky.csv").write_text(rows)
    data, _ = source(tmp_path, load="sky.csv", labels=-2, groups="who")
    assert (data.feature_names, data.n_apart) == (("x",), 4)
    data = {"load": "sky.csv", "labels": -2, "groups": "who"}
    results = read_plan(described(tmp_path, data=[data], protocol={"folds": 4})).run()
    assert len(results.fits) == 4
    has_line(results.notes, "who", "4 groups")


def test_files_are_read_as_load_reads_them(tmp_path):
    (tmp_path / "sky.csv").write_text("x,tags\n1,sea;sky\n2,sea\n3,sky\n")
    data, _ = source(tmp_path, load="sky.csv", split=["tags", ";"])
    assert data.label_names == ("sea", "sky")
    for wrong in ({"split": 3}, {"split": []}, {"ancestors": "yes"}, {"text": "all"}, {"long": ["x", 2]}):
        (key,) = wrong
        holds(refusal(described(tmp_path, data=[{"load": "sky.csv", **wrong}])), f"{key} =", "expected")
