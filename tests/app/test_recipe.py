"""The Python that the pages offer makes the very estimators and data that they use."""

import ast

import numpy as np
import pytest
from components import catalogue
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from state.call import Script
from state.recipe import comparison
from state.sources import Source, load
from state.tuning import Shape
from views.trellis.pattern_editor import REACH

from trellislib import (
    BayesianClassifierChain,
    BeamSearch,
    ClassifierChain,
    ClassifierDependencyTrellis,
    ClassifierTrellis,
    GibbsSampling,
    IndependentClassifiers,
    LeastSquares,
    ProbabilisticClassifierChain,
    RAkEL,
    ThresholdedClassifier,
)
from trellislib.data import Dataset
from trellislib.experiment import Budget, Given, KFold, Split
from trellislib.graphs import LabelGraph, trellis
from trellislib.methods import METHODS

SMALL = Source.of("simulate_label_dag", n_instances=80, n_labels=4, n_features=3, random_state=1)
LEARNERS = pytest.mark.parametrize("learner", catalogue.BASE_LEARNERS, ids=lambda learner: learner.name)


def one_set(methods, folds=3, seed=0):
    """Return the script that trains `methods` on a small data set."""
    return str(comparison([SMALL], [methods], KFold(folds), seed))


def run(code):
    """Run the code without its last lines, which train; return its names."""
    tree = ast.parse(code)
    tree.body = [
        line for line in tree.body if "evaluate(" not in ast.unparse(line) and "print" not in ast.unparse(line)
    ]
    found = {}
    exec(compile(tree, "recipe", "exec"), found)
    return found


def settings(estimator):
    """Return all parameters, nested estimators by their class and their own parameters."""
    return {
        key: (type(value).__name__, settings(value))
        if hasattr(value, "get_params")
        else [(name, type(step).__name__, settings(step)) for name, step in value]
        if key == "steps"
        else value
        for key, value in estimator.get_params(deep=False).items()
    }


def with_gaps():
    X = np.array([[0.0, np.nan], [1.0, 2.0], [3.0, 4.0]])
    return Dataset(X, np.array([[0], [1], [1]]), ("x", "z"), ("a",), (("0", "1"),))


@LEARNERS
def test_every_base_learner_is_made_again_by_its_code(learner):
    for parameter in learner.choices:
        methods = {
            name: catalogue.method(
                name,
                learner.make(parameter, 3),
                {"order": "random"} if name == "CC" else {},
                Shape(2, "custom", ((0, -1), (-2, 1)), "random", 5),
                3,
            )
            for name in METHODS
        }
        found = run(one_set(methods, 4, 3))
        assert list(found["methods"]) == list(methods)
        for name, method in methods.items():
            assert settings(found["methods"][name]) == settings(method)


@pytest.mark.parametrize("scaling", catalogue.SCALINGS)
@pytest.mark.parametrize("fill", catalogue.FILLS)
@pytest.mark.parametrize("data", [load(SMALL), with_gaps()], ids=["whole", "gaps"])
def test_preparation_is_made_again_by_its_code(scaling, fill, data):
    method = catalogue.with_preprocessing(IndependentClassifiers(LeastSquares(alpha=0.1)), scaling, data, fill)
    found = run(one_set({"IC": method}))

    assert type(found["methods"]["IC"]) is type(method)
    assert settings(found["methods"]["IC"]) == settings(method)


@pytest.mark.parametrize(
    "method",
    [
        ProbabilisticClassifierChain(inference=BeamSearch(5, maximize="marginals"), order="frequency"),
        ClassifierDependencyTrellis(inference=GibbsSampling(50, 5), random_state=1),
        ThresholdedClassifier(
            ClassifierTrellis(LogisticRegression(C=9), random_state=0), threshold="per-label", random_state=2
        ),
        BayesianClassifierChain(structure=LabelGraph([(), (0,), (0, 1), ()], [3, 0, 1, 2])),
        BayesianClassifierChain(structure=trellis(np.ones((4, 4)), random_state=0)),
        ClassifierTrellis(dependence=np.arange(16.0).reshape(4, 4) + np.arange(16.0).reshape(4, 4).T, random_state=0),
        ClassifierChain(order=np.array([3, 1, 0, 2])),
        RAkEL(labelset_size=np.int64(2), overlapping=False, random_state=0),
        SimpleImputer(),
    ],
    ids=lambda method: type(method).__name__,
)
def test_nested_objects_are_made_again_by_their_code(method):
    made = run(one_set({"M": method}))["methods"]["M"]
    if isinstance(method, SimpleImputer):
        assert np.isnan(made.missing_values)
        return
    data = load(SMALL)

    assert type(made) is type(method)
    assert_array_equal(made.fit(data.X, data.Y).predict(data.X), clone(method).fit(data.X, data.Y).predict(data.X))


def test_code_reads_as_a_person_would_write_it():
    methods = {
        "CC": ClassifierChain(LeastSquares(alpha=10.0)),
        "CT": ClassifierTrellis(width=3, parents="left-up", placement="random", random_state=1),
    }

    assert str(comparison([Source.of("packaged", name="yeast")], [methods], Split(0.33), 7)).splitlines() == [
        "from trellislib import ClassifierChain, ClassifierTrellis, LeastSquares",
        "from trellislib.data import packaged",
        "from trellislib.experiment import evaluate",
        "",
        "data = packaged('yeast')",
        "methods = {",
        "    'CC': ClassifierChain(estimator=LeastSquares(alpha=10.0)),",
        "    'CT': ClassifierTrellis(placement='random', random_state=1, width=3),",
        "}",
        "result = evaluate(data, methods, cv=0.33, seed=7)",
        "print(result.summary().T)",
    ]


def test_code_of_several_data_sets_reads_as_a_person_would_write_it():
    sources = [Source.of("packaged", name="yeast"), SMALL]
    methods = [{"CT": ClassifierTrellis(width=width)} for width in (3, 2)]

    assert str(comparison(sources, methods, KFold(10, repeats=10), 7, Budget(60.0, None))).splitlines() == [
        "from trellislib import ClassifierTrellis",
        "from trellislib.data import packaged, simulate_label_dag",
        "from trellislib.experiment import Budget, KFold, run",
        "",
        "data = [",
        "    packaged('yeast'),",
        "    simulate_label_dag(n_instances=80, n_labels=4, n_features=3, random_state=1),",
        "]",
        "methods = [{'CT': ClassifierTrellis(width=3)}, {'CT': ClassifierTrellis(width=2)}]",
        "of_data = {one.digest: methods_of_one for one, methods_of_one in zip(data, methods)}",
        "result = run(",
        "    data,",
        "    lambda one: of_data[one.digest],",
        "    KFold(folds=10, repeats=10),",
        "    seeds=[7],",
        "    budget=Budget(seconds=60.0, gib=None),",
        ")",
        "for key in result.measures:",
        "    print(key, result.table(key), sep='\\n')",
    ]


@pytest.mark.parametrize(
    ("protocol", "budget"),
    [(KFold(3, repeats=2), None), (Given(60), None), (Split(0.25), Budget(60.0, 4.0))],
    ids=["repeats", "given", "budget"],
)
def test_what_evaluate_does_not_know_is_run(protocol, budget):
    """One data set with repeats, a given division or a budget: the script divides and limits as it is told."""
    found = {}
    code = str(comparison([SMALL], [{"IC": IndependentClassifiers()}], protocol, 3, budget))
    exec(code, found)

    fits = found["result"].fits
    assert set(fits["protocol"]) == {protocol.words}
    assert set(fits["seed"]) == {3}
    assert len(fits) == protocol.n_fits
    assert fits["status"].eq("done").all(), fits["reason"].unique()
    assert fits["budget_seconds"].dropna().unique().tolist() == ([] if budget is None else [60.0])


def test_the_largest_custom_pattern_is_not_abbreviated():
    reach = REACH
    cells = [(row, column) for row in range(-reach, 1) for column in range(-reach, reach + 1)]
    offsets = [cell for cell in cells if cell < (0, 0)]
    assert len(offsets) == 24
    code = one_set({"CT": ClassifierTrellis(parents=offsets)})

    assert run(code)["methods"]["CT"].parents == offsets


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (Source.of("packaged", name="yeast"), "packaged('yeast')"),
        (Source.of("load", source="it's.csv", labels=-3), """load("it's.csv", labels=-3)"""),
        (Source.of("load", source="a.arff", labels="a.xml"), "load('a.arff', labels='a.xml')"),
        (Source.of("load", source="a.csv", labels=["b", "c"]), "load('a.csv', labels=['b', 'c'])"),
        (Source.of("simulate_room", width=3, random_state=0), "simulate_room(width=3, random_state=0)"),
    ],
)
def test_source_code(source, code):
    assert Script().text(source.call.named("")) == code


def test_a_source_is_loaded_once():
    assert load(SMALL) is load(Source.of("simulate_label_dag", **dict(SMALL.arguments)))
    found = {}
    exec(str(Script().use(SMALL.call)), found)
    assert found["data"].digest == load(SMALL).digest
