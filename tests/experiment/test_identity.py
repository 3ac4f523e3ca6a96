import hashlib
import json
import subprocess
import sys
import threading
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from trellislib import (
    BayesianClassifierChain,
    ClassifierChain,
    ClassifierTrellis,
    EnsembleClassifierChains,
    IndependentClassifiers,
    PerLabel,
)
from trellislib.experiment.identity import differing, distinguishing_words, parameters_of
from trellislib.labels.graph import LabelGraph


class Given(BaseEstimator):
    def __init__(self, value=None):
        self.value = value


def same(one, other):
    return parameters_of(Given(one)) == parameters_of(Given(other))


def test_parameters_within_parameters_are_written():
    described = json.loads(parameters_of(EnsembleClassifierChains(PerLabel(LogisticRegression(C=3.0)), n_estimators=7)))
    assert described["class"] == "trellislib.methods.ensembles.EnsembleClassifierChains" or described["class"].endswith(
        ".EnsembleClassifierChains"
    )
    assert described["n_estimators"] == 7
    assert any(isinstance(part, dict) and part.get("estimator", {}).get("C") == 3.0 for part in described.values())


def test_pipelines_are_their_steps():
    one = parameters_of(make_pipeline(StandardScaler(), LogisticRegression()))
    assert parameters_of(make_pipeline(StandardScaler(), LogisticRegression())) == one
    assert parameters_of(make_pipeline(StandardScaler(with_mean=False), LogisticRegression())) != one
    assert parameters_of(make_pipeline(LogisticRegression())) != one


@pytest.mark.parametrize(
    "method",
    [
        ClassifierTrellis(random_state=0),
        ClassifierChain(PerLabel(DecisionTreeClassifier(max_depth=2)), order=[2, 0, 1]),
        IndependentClassifiers(),
        Given(np.random.RandomState(3)),
        Given({"a": {3, 1}, "b": frozenset("xyz")}),
    ],
    ids=lambda method: type(method).__name__,
)
def test_copies_are_the_same(method):
    assert parameters_of(clone(method)) == parameters_of(method)
    assert json.loads(parameters_of(method))["class"].endswith(type(method).__qualname__)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 2),
        (None, 0),
        ({1, 2}, {1, 3}),
        ({1, 2}, frozenset([1, 2])),
        (0, False),
        ("a", "b"),
        ([1, 2], [2, 1]),
        (np.arange(3), np.arange(4)),
        (np.arange(1000), np.arange(1000)[::-1].copy()),
        (list(range(5000)), list(range(4999, -1, -1))),
        (sparse.eye_array(3).tocsr(), sparse.eye_array(4).tocsr()),
        (np.log, np.exp),
        (len, max),
        (LogisticRegression, DecisionTreeClassifier),
        (np.random.RandomState(0), np.random.RandomState(1)),
        (LabelGraph([(), (0,)]), LabelGraph([(1,), ()])),
        (lambda x: x + 1, lambda x: x + 2),
        (lambda x: x.min(), lambda x: x.max()),
        (lambda x, by=1: x * by, lambda x, by=2: x * by),
        ([lambda x: [y + 1 for y in x]], [lambda x: [y + 2 for y in x]]),
        (Given(1).get_params, Given(2).get_params),
    ],
)
def test_other_values_are_other_methods(one, other):
    assert not same(one, other)
    assert same(one, one)


def test_what_a_function_takes_from_outside_counts():
    def times(factor):
        return lambda x: x * factor

    assert same(times(2), times(2))
    assert not same(times(2), times(3))


def test_numbers_of_numpy_are_numbers():
    assert same(np.int64(3), 3)
    assert same(np.float64(0.5), 0.5)
    assert same((1, 2), [1, 2])
    assert same(np.array([1.5, 2.0]), [1.5, 2.0])


def test_computed_and_cached_attributes_do_not_change_the_identity():
    graph = LabelGraph([(), (0,), (0, 1)])
    before = parameters_of(Given(graph))
    assert graph.edges
    assert graph.levels
    assert parameters_of(Given(graph)) == before
    wide = LabelGraph([()] + [(label,) for label in range(2000)])
    before = parameters_of(Given(wide))
    assert len(before) < 300
    assert wide.edges
    assert parameters_of(Given(wide)) == before


def test_a_method_with_a_graph_has_the_identity_that_it_had_before_the_module_of_graphs_moved():
    described = parameters_of(BayesianClassifierChain(structure=LabelGraph([(), (0,), (0, 1)])))
    assert '"class": "trellislib.label_graph.LabelGraph"' in described
    assert (
        hashlib.sha256(described.encode()).hexdigest()
        == "189f7ee2b029ea7d126e6e9546530b53a51a2749d34f2b1790445d53a0b93021"
    )


def test_what_cannot_be_hashed_is_like_nothing_else():
    lock = threading.Lock()
    assert not same(lock, lock)


@dataclass
class Two:
    left: object
    right: object


@dataclass
class Pair:
    left: object
    right: object


def test_data_classes_are_their_fields():
    assert same(Two(1, [2]), Two(1, [2]))
    assert not same(Two(1, 2), Two(2, 1))
    assert not same(Two(1, 2), Pair(1, 2))


SCRIPT_CLASS = """
from functools import cached_property
from sklearn.base import BaseEstimator

class Base:
    {in_base}

class Mine(Base, BaseEstimator):
    "{words}"
    {first}

    def fit(self, X, y):
        super().__init__()
        return Mine

made = {made}
"""
PARTS = {"in_base": "level = 1", "words": "", "first": "pass", "made": "Mine()"}


@pytest.mark.parametrize("made", ["Mine()", "Mine"])
def test_classes_of_a_script_are_their_code(made):
    def of_script(**parts):
        names = {"__name__": "__main__"}
        exec(SCRIPT_CLASS.format(**(PARTS | {"made": made} | parts)), names)
        return parameters_of(Given(names["made"]))

    plain = of_script()
    assert of_script() == of_script(words="Words.") == plain
    others = [{"in_base": "level = 2"}, {"in_base": "def predict(self, X): return X"}]
    others += [
        {"first": f"{decorator}\n    def part(self): return {value}"}
        for decorator in ("", "@property", "@cached_property", "@staticmethod", "@classmethod")
        for value in (1, 2)
    ]
    described = [of_script(**parts) for parts in others]
    assert len({plain, *described}) == 13


def test_classes_of_a_function_are_their_code():
    def made(factor):
        class Times(BaseEstimator):
            def fit(self, X, y):
                return super().__init__() or factor

        return Times()

    assert parameters_of(made(2)) == parameters_of(made(2)) != parameters_of(made(3))


def test_what_refers_to_itself_is_described():
    def down(n):
        return down(n - 1) if n else 0

    assert same(down, down)


def test_imported_classes_are_their_names():
    assert json.loads(parameters_of(Given(LogisticRegression)))["value"] == (
        "sklearn.linear_model._logistic.LogisticRegression"
    )


ELSEWHERE = """
import numpy as np
from sklearn.preprocessing import FunctionTransformer
from sklearn.pipeline import make_pipeline
from trellislib import ClassifierTrellis
from trellislib.experiment.identity import parameters_of

known = FunctionTransformer(lambda x: x in {"a", "b", "c", "d"})
print(parameters_of(make_pipeline(known, ClassifierTrellis(random_state=3))))
print(parameters_of(FunctionTransformer(kw_args={"a": {"x", "y", "z"}, "b": np.arange(999)})))
"""


def test_another_process_gives_the_same(tmp_path, capsys):
    (tmp_path / "script.py").write_text(ELSEWHERE)
    found = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, check=True)
    exec(compile("\n\n" + ELSEWHERE, "another.py", "exec"), {"__name__": "__main__"})
    assert capsys.readouterr().out == found.stdout
    assert len(found.stdout.splitlines()) == 2


def test_differing_names_only_what_differs():
    methods = {
        "one": ClassifierTrellis(width=4, random_state=0),
        "two": ClassifierTrellis(width=5, random_state=0),
        "three": ClassifierTrellis(width=None, random_state=0),
    }
    found = differing({name: parameters_of(method) for name, method in methods.items()})
    assert found == {"one": "width 4", "two": "width 5", "three": "width None"}


def test_differing_names_classes_and_parameters_that_only_one_has():
    methods = {"one": Given(LogisticRegression(C=1.0)), "two": Given(None)}
    found = differing({name: parameters_of(method) for name, method in methods.items()})
    assert found == {"one": "LogisticRegression", "two": "value None"}


def texts(*methods):
    return [parameters_of(method) for method in methods]


def test_names_are_distinct_within_each_group():
    fill = StandardScaler()
    wide = [ClassifierTrellis(width=width, random_state=0) for width in (4, 5, 6)]
    prepared = [make_pipeline(fill, method) for method in wide]
    found = distinguishing_words([texts(*wide[:2]), texts(*prepared[:2]), texts(prepared[2])])
    assert found == dict(
        zip(texts(*wide[:2], *prepared), ["width 4", "width 5", "width 4", "width 5", "width 6"], strict=True)
    )


def test_preparation_is_named_where_it_differs():
    method = ClassifierTrellis(random_state=0)
    one, other = texts(make_pipeline(StandardScaler(), method), make_pipeline(StandardScaler(with_std=False), method))
    assert distinguishing_words([[one, other]]) == {one: "with_std True", other: "with_std False"}
    named, again = texts(*(Pipeline([("fill", StandardScaler()), (name, method)]) for name in "ab"))
    assert distinguishing_words([[named, again]]) == {named: "names ['fill', 'a']", again: "names ['fill', 'b']"}


def test_numbers_are_those_of_what_differs():
    long = [list(range(place, 40 + place)) for place in range(2)]
    one, other = texts(*map(Given, long))
    there, here = texts(*(make_pipeline(StandardScaler(), Given(order)) for order in reversed(long)))
    assert distinguishing_words([[one, other], [there, here]]) == {one: "1", other: "2", there: "2", here: "1"}


def test_nothing_is_named_where_nothing_differs():
    one, other = texts(Given(1), Given(2))
    assert distinguishing_words([[one], [other]]) == {one: "", other: ""}
