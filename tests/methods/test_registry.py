import inspect
import re
from typing import get_type_hints

import pytest

import trellislib
from trellislib.labels.graph import LabelGraph
from trellislib.methods import (
    METHODS,
    EnsembleClassifierTrellises,
    LabelGraphClassifier,
    MultiOutputMethod,
    RandomGraphEnsemble,
    ThresholdedClassifier,
)

KEYS = ("IC", "CC", "PCC", "ECC", "MCC", "OCC", "BCC", "EBCC", "CDN", "CT", "ECT", "CDT", "ECDT", "LP", "PS")
KEYS += ("EPS", "RAkEL", "RGE", "MOF")
CLASSES = [*(entry.method for entry in METHODS.values()), ThresholdedClassifier]

every_entry = pytest.mark.parametrize("entry", METHODS.values(), ids=METHODS)
every_class = pytest.mark.parametrize("method", CLASSES, ids=lambda method: method.__name__)


def test_all_methods_are_there_in_the_order_in_which_they_are_offered():
    assert tuple(METHODS) == KEYS
    assert len({entry.method for entry in METHODS.values()}) == len({entry.name for entry in METHODS.values()}) == 19


@every_entry
def test_an_entry_has_what_a_reader_needs(entry):
    assert METHODS[entry.key] is entry
    assert re.fullmatch(r"3|4|3\.[1-6]", entry.section)
    for text in (entry.name, entry.training, entry.prediction, entry.when):
        assert text.strip() == text != ""
    assert entry.when.endswith(".")
    assert entry.name.split("(")[0].split()[0].lower() in entry.method.__doc__.lower()


@every_class
def test_a_method_is_public_and_needs_no_argument(method):
    assert getattr(trellislib, method.__name__) is method
    assert method.__name__ in trellislib.__all__
    assert isinstance(method(), MultiOutputMethod)


def entries_of(method, section):
    """Return the names that a section of a docstring describes, and the text of all sections by name."""
    parts = re.split(r"^(\w+)\n-+\n", method.__doc__, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    return re.findall(r"^(\w+) : .+\n    \S", sections[section], flags=re.MULTILINE), sections


@every_class
def test_the_docstring_has_its_sections_and_describes_every_parameter_once(method):
    names, sections = entries_of(method, "Parameters")
    assert {"Parameters", "Attributes", "References", "Examples"} <= set(sections)
    assert names == list(inspect.signature(method).parameters)
    assert ">>> from trellislib import" in sections["Examples"]


@every_class
def test_the_attributes_that_the_docstring_names_are_learned(method):
    names, _ = entries_of(method, "Attributes")
    X, Y = [[0.0], [0.2], [0.8], [1.0], [0.3]], [[0, 1], [0, 1], [1, 0], [1, 0], [1, 1]]
    settings = {"cv": 2} if method is ThresholdedClassifier else {}
    fitted = method(decide="exact_match", **settings).fit(X, Y)
    assert {name for name in names if not hasattr(fitted, name)} <= {"feature_names_in_", "label_names_in_"}
    assert len(names) == len(set(names))
    if isinstance(fitted, LabelGraphClassifier):
        assert re.findall("^graph_ : (.+)", method.__doc__, flags=re.MULTILINE) == [type(fitted.graph_).__name__]
        inputs = "parents" if isinstance(fitted.graph_, LabelGraph) else "neighbours"
        (conditionals,) = re.findall(r"^conditionals_ : .+\n    (.+)", method.__doc__, flags=re.MULTILINE)
        assert inputs in conditionals or "forest" in conditionals


@every_class
def test_the_annotations_of_the_parameters_are_types(method):
    hints = get_type_hints(method.__init__)
    assert set(hints) == {*inspect.signature(method).parameters, "return"}


@every_class
def test_own_parameters_come_before_those_of_base_classes(method):
    names = list(inspect.signature(method).parameters)
    own = [name for name in inspect.get_annotations(method) if name in names]
    assert [name for name in names if name != "estimator"][: len(own)] == own


def test_parameters_of_a_trellis_come_before_those_of_any_ensemble():
    expected = "estimator inference width parents placement n_swaps payoff dependence n_estimators max_samples voting"
    names = [*expected.split(), "threshold", "n_jobs", "random_state", "decide"]
    assert list(inspect.signature(EnsembleClassifierTrellises).parameters) == names
    assert inspect.signature(EnsembleClassifierTrellises.__init__).parameters.keys() == {"self", *names}
    assert EnsembleClassifierTrellises("learner").estimator == "learner"


@every_class
def test_a_method_has_only_its_parameters_before_it_is_fitted(method):
    assert set(vars(method())) == set(method().get_params(deep=False))


def test_a_parameter_that_a_subclass_describes_again_has_its_own_description_and_default():
    assert inspect.signature(RandomGraphEnsemble).parameters["voting"].default == "soft"
    assert 'voting : {"hard", "soft"}, default="soft"' in RandomGraphEnsemble.__doc__
    assert 'default="hard"' not in RandomGraphEnsemble.__doc__
