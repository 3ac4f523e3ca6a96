"""Methods, base learners and inferences as a file names them; nothing but estimators can be made."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from sklearn.base import BaseEstimator

import trellislib
from trellislib.learners import as_learner
from trellislib.methods import BASELINES, METHODS, Baseline, StackedIndependentClassifiers
from trellislib.plan.arguments import check_arguments
from trellislib.plan.section import TEXT, Section, is_whole, nearest

PACKAGES = ("sklearn", "trellislib")
NAMED = ("estimator", "inference")  # parameters whose text is the name of a class,
STACKED = "Stacked"
AUTOMATIC = ("estimator", "auto")  # but for this one
BEYOND: Mapping[str, tuple[Callable[[Any], bool], str]] = {  # parameters that reach beyond the data, and what may stand
    "memory": (lambda value: value is None, "would keep files; leave it out"),  # joblib also unpickles what lies there
    "input": (lambda value: value == "content", "would read files; leave it out"),
    "pre_dispatch": (is_whole, "would be evaluated; give a whole number"),
}


def method_of(section: Section, name: str, given: Mapping[str, Any]) -> BaseEstimator:
    """Return a method by its key in `trellislib.methods.METHODS` or `BASELINES`, or its path in scikit-learn.

    Raises
    ------
    PlanError
        If there is no such method, or it does not take a parameter.
    """
    if name in METHODS or name == STACKED:
        made = StackedIndependentClassifiers if name == STACKED else METHODS[name].method
        method = _made(section, made, given, name)
        if "estimator" in given:
            try:
                as_learner(method.estimator)
            except TypeError as error:
                raise section.error(str(error)) from error
        return method
    if name in BASELINES:
        return _made(section, Baseline, {"strategy": BASELINES[name], **given}, name)
    if "." in name:
        kind = _class(section, name)
        if not hasattr(kind, "predict"):
            raise section.error(
                f"{name} does not predict; name a classifier, as in 'sklearn.tree.DecisionTreeClassifier'"
            )
        return _made(section, kind, given, name)
    raise section.error(f"there is no method {name!r}{nearest(name, [*METHODS, *BASELINES, STACKED])}")


def _made(section: Section, kind: type[BaseEstimator], given: Mapping[str, Any], who: str) -> BaseEstimator:
    values = {name: _value(section, name, value) for name, value in given.items()}
    check_arguments(section, kind, values, who)
    _stay_within(section, values, who)
    try:
        return kind(**values)
    except (TypeError, ValueError) as error:  # a parameter without default, mostly
        raise section.error(f"{who} cannot be made: {error}") from error


def _stay_within(section: Section, value: Any, who: str) -> None:
    """Raise a PlanError for a parameter of `BEYOND`, also in tables and lists, as searches set parameters by these."""
    if isinstance(value, list):
        for part in value:
            _stay_within(section, part, who)
    elif isinstance(value, Mapping):
        for name, part in value.items():
            may_be, cause = BEYOND.get(name.rpartition("__")[2], (lambda _: True, ""))
            if not may_be(part):
                raise section.error(f"got {name} = {part!r} for {who}, which {cause}")
            _stay_within(section, part, who)


def _value(section: Section, name: str, value: Any) -> Any:
    """Return what a value of the file stands for: an estimator where it names a class."""
    if isinstance(value, str) and name in NAMED and (name, value) != AUTOMATIC:
        return _made(section, _class(section, value), {}, value)
    if isinstance(value, Mapping) and ("class" in value or name in NAMED):
        inner = Section(f"{section.where}, {name}", value)
        named = inner.need("class", TEXT)
        return _made(inner, _class(inner, named), inner.without("class"), named)
    return value


def _class(section: Section, name: str) -> type[BaseEstimator]:
    """Return a class of trellislib by its name, or any of the two packages by its dotted path."""
    if "." not in name:
        if name not in trellislib.__all__:
            raise section.error(
                f"trellislib has no class {name!r}{nearest(name, trellislib.__all__)}; name one of scikit-learn by its "
                "whole path, as in 'sklearn.svm.LinearSVC'"
            )
        found = getattr(trellislib, name)
    else:
        module, _, last = name.rpartition(".")
        if module.split(".")[0] not in PACKAGES:
            raise section.error(f"got the class {name!r}, but expected one of {' or '.join(PACKAGES)}")
        try:
            found = getattr(import_module(module), last)
        except (ImportError, AttributeError) as error:
            raise section.error(f"there is no class {name!r} ({error})") from error
    if not (isinstance(found, type) and issubclass(found, BaseEstimator)) or inspect.isabstract(found):
        raise section.error(f"{name} is no estimator")
    return found
