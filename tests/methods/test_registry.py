import inspect
import re

import pytest

import trellislib
from trellislib.methods import METHODS, LabelGraphClassifier, MultiOutputMethod, ThresholdedClassifier

KEYS = ("IC", "CC", "PCC", "ECC", "MCC", "OCC", "BCC", "EBCC", "CDN", "CT", "ECT", "CDT", "ECDT", "LP", "PS")
KEYS += ("EPS", "RAkEL", "RGE", "MOF")
CLASSES = [*(entry.method for entry in METHODS.values()), ThresholdedClassifier]

every_entry = pytest.mark.parametrize("entry", METHODS.values(), ids=METHODS)
every_class = pytest.mark.parametrize("method", CLASSES, ids=lambda method: method.__name__)


def test_all_methods_are_there_in_the_order_in_which_they_are_offered():
    assert tuple(METHODS) == KEYS
    assert len({entry.method for entry in METHODS.values()}) == len({entry.name for entry in METHODS.values()}) == 19


@every_entry
def test_an_entry_tells_what_a_reader_needs(entry):
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


@every_class
def test_the_docstring_has_its_sections_and_names_every_parameter(method):
    sections = re.split(r"\n    (\w+)\n    -+\n", method.__doc__)
    of_name = dict(zip(sections[1::2], sections[2::2], strict=True))
    assert {"Parameters", "Attributes", "References", "Examples"} <= set(of_name)
    heads = re.findall(r"^    (\w[\w, ]*?)(?: :.*)?$", of_name["Parameters"], flags=re.MULTILINE)
    documented = {name for head in heads for name in head.split(", ")}
    assert documented == set(inspect.signature(method).parameters)
    assert ">>> from trellislib import" in of_name["Examples"]


@every_class
def test_the_attributes_that_the_docstring_names_are_learned(method):
    attributes = re.split(r"\n    (\w+)\n    -+\n", method.__doc__)
    text = dict(zip(attributes[1::2], attributes[2::2], strict=True))["Attributes"]
    names = {name for head in re.findall(r"^    (\w[\w, ]*) :", text, flags=re.MULTILINE) for name in head.split(", ")}
    X, Y = [[0.0], [0.2], [0.8], [1.0], [0.3]], [[0, 1], [0, 1], [1, 0], [1, 0], [1, 1]]
    settings = {"cv": 2} if method is ThresholdedClassifier else {}
    fitted = method(**settings).fit(X, Y)
    assert {name for name in names if not hasattr(fitted, name)} <= {"feature_names_in_", "label_names_in_"}
    if isinstance(fitted, LabelGraphClassifier):
        assert "graph_" in names
