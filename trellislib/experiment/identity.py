"""What a method is, as text: the same for two estimators that would do the same, and different for others."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from types import BuiltinFunctionType, CellType, CodeType, FunctionType
from typing import Any, TypeVar
from uuid import uuid4

import joblib
import numpy as np
from sklearn.base import BaseEstimator

from trellislib.learners import LeastSquares
from trellislib.methods.base import MultiOutputMethod
from trellislib.running.moved import MOVED

LATER = (  # parameters that came after results were stored: at these values a method is the same one
    (MultiOutputMethod, "decide", None),
    (LeastSquares, "features", None),
    (LeastSquares, "n_components", 500),
)
ABSENT = ["absent"]  # no parameter is described so: lists within descriptions are values
WRITTEN = 50  # cells of an array that are written out
LONG = 2_000  # characters of a list, a mapping or a data class that are written out
LONGEST = 60  # characters that distinguish two methods of one name, before they are numbered instead
PLAIN = (type(None), bool, int, float, str, list, tuple, dict, set, frozenset, np.ndarray)

EARLIER = {now: earlier for earlier, now in MOVED.items()}  # so that results stored before a move are still recognised

K = TypeVar("K", bound=Hashable)


def parameters_of(estimator: BaseEstimator) -> str:
    """Return an estimator's class and all of its parameters, those within parameters too, as JSON with sorted keys.

    What JSON cannot hold, or is long, is described by its type and a hash of its content. Functions and classes that
    can be imported are described by their names only, whatever has become of their code since; those of ``__main__`` (a
    script, a notebook) or of another function by a hash of their code too. What cannot be hashed is like nothing else,
    itself included.

    Examples
    --------
    >>> from trellislib.learners import LeastSquares
    >>> parameters_of(LeastSquares(alpha=2.0))
    '{"alpha": 2.0, "class": "trellislib.learners.least_squares.LeastSquares"}'
    """
    return json.dumps(_described(estimator), sort_keys=True)


def differing(parameters: Mapping[K, str], groups: Iterable[Iterable[K]] | None = None) -> dict[K, str]:
    """Return the parameters in which descriptions by `parameters_of` differ, as in ``"width 4"``, by the same keys.

    Those of a group are compared with each other, by default all. What differs in one group is then given for all.
    """
    return {
        key: ", ".join(_in_words(name.rpartition(".")[2], value) for name, value in differ.items())
        for key, differ in _differing(parameters, groups).items()
    }


def distinguishing_words(groups: Iterable[Iterable[str]]) -> dict[str, str]:
    """Return the shortest words that distinguish descriptions by `parameters_of` within their groups, or numbers.

    Descriptions get the same words where what differs in a group is the same for them, and "" where nothing does. The
    last step of a pipeline is compared with methods that need no preparation.

    Examples
    --------
    >>> from trellislib.learners import LeastSquares
    >>> one, two = (parameters_of(LeastSquares(alpha=alpha)) for alpha in (1.0, 2.0))
    >>> list(distinguishing_words([[one, two], [one]]).values())
    ['alpha 1.0', 'alpha 2.0']
    """
    given = [list(dict.fromkeys(group)) for group in groups]
    variants = {text: text for group in given for text in group}
    words = differing(variants, given)
    several = [[words[text] for text in group] for group in given if len(group) > 1]
    if (
        all(len(set(group)) == len(group) and all(group) for group in several)
        and max(map(len, words.values())) <= LONGEST
    ):
        return words
    differ = {text: json.dumps(of_one) for text, of_one in _differing(variants, given).items()}
    numbers = {of_one: str(number) for number, of_one in enumerate(dict.fromkeys(differ.values()), 1)}
    return {text: numbers[differ[text]] for text in variants}


def _differing(parameters: Mapping[K, str], groups: Iterable[Iterable[K]] | None) -> dict[K, dict[str, Any]]:
    """Return of each description the parameters that are not the same within every group."""
    flat = {key: _flat(json.loads(text)) for key, text in parameters.items()}
    found: dict[str, None] = {}
    for group in [list(parameters)] if groups is None else groups:
        compared = [flat[key] for key in group]
        names = dict.fromkeys(name for of_one in compared for name in of_one)
        differ = [name for name in names if len({json.dumps(of_one.get(name, ABSENT)) for of_one in compared}) > 1]
        kinds = tuple(name.removesuffix("class") for name in differ if name.endswith(".class"))
        found |= {name: None for name in differ if name.endswith(".class") or not (kinds and name.startswith(kinds))}
    return {key: {name: of_one[name] for name in found if name in of_one} for key, of_one in flat.items()}


def _described(value: Any, within: tuple[Any, ...] = ()) -> Any:
    """Return a value as JSON can hold it; `within` are the functions and classes whose code it is part of."""
    describe = partial(_described, within=within)
    if isinstance(value, BaseEstimator):
        given = {name: describe(part) for name, part in _compared_parameters(value).items()}
        return {"class": describe(type(value)), **given}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return describe(value.item())
    if isinstance(value, np.ndarray) and value.size <= WRITTEN:
        return describe(value.tolist())
    if isinstance(value, (list, tuple)):
        return _shortened(value, [describe(part) for part in value])
    if isinstance(value, (set, frozenset)):  # whose order is another in another process
        return {"class": type(value).__name__, "of": sorted((describe(part) for part in value), key=json.dumps)}
    if isinstance(value, Mapping):
        return _shortened(value, {str(name): describe(part) for name, part in value.items()})
    if isinstance(value, (type, FunctionType, BuiltinFunctionType, np.ufunc)):
        return f"{_path(value)}{_mark(value, within)}"
    if is_dataclass(value):  # by its fields: what it has computed and kept does not make it another
        given = {part.name: describe(getattr(value, part.name)) for part in fields(value)}
        return _shortened(value, {"class": describe(type(value)), **given})
    return {"class": describe(type(value)), "hash": _hash(value)}


def _compared_parameters(estimator: BaseEstimator) -> dict[str, Any]:
    """Return an estimator's parameters without those that came later and are at their defaults."""
    given = estimator.get_params(deep=False)
    for kind, name, default in LATER:
        if isinstance(estimator, kind) and type(given[name]) is type(default) and given[name] == default:
            del given[name]
    return given


def _path(value: Any) -> str:
    """Return where a function or a class is defined, or was before its module moved."""
    return f"{EARLIER.get(value.__module__, value.__module__)}.{value.__qualname__}"


def _mark(value: Any, within: tuple[Any, ...]) -> str:
    """Return a hash of the code of a function or a class that cannot be imported."""
    if not _cannot_be_imported(value) or value in within:
        return ""
    if isinstance(value, FunctionType):
        return f" #{joblib.hash(_code(value, (*within, value)))}"
    return f" #{joblib.hash(_code_of_class(value, (*within, value)))}" if isinstance(value, type) else ""


def _cannot_be_imported(value: Any) -> bool:
    return value.__module__ == "__main__" or "<" in value.__qualname__


def _shortened(value: Any, described: list | dict) -> Any:
    """Return a description, or where it is long its hash."""
    text = json.dumps(described, sort_keys=True)
    return described if len(text) <= LONG else {"class": type(value).__qualname__, "hash": joblib.hash(text)}


def _hash(value: Any) -> str:
    try:
        return str(joblib.hash(value))
    except Exception:  # whatever it raises that cannot be pickled
        return uuid4().hex


def _code(function: FunctionType, within: tuple[Any, ...]) -> list:
    """Return what a function does, as far as it is written in it, and what it has taken from where it stands."""
    taken = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return [
        _of_code(function.__code__, within),
        _described([_content(cell) for name, cell in taken if name != "__class__"], within),
        _described(function.__defaults__, within),
        _described(function.__kwdefaults__, within),
    ]


def _content(cell: CellType) -> Any:
    """Return what a function has taken, or None where it is yet to be set."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _of_code(code: CodeType, within: tuple[Any, ...]) -> list:
    constants = [
        _of_code(part, within) if isinstance(part, CodeType) else _described(part, within) for part in code.co_consts
    ]
    return [code.co_code, code.co_names, code.co_varnames, constants]


def _code_of_class(kind: type, within: tuple[Any, ...]) -> list:
    """Return what a class and those that it is made of do, as far as these cannot be imported."""
    return [
        [_path(base) for base in kind.__mro__],
        [
            [name, type(member).__name__, [_described(part, within) for part in _parts(member)]]
            for base in kind.__mro__
            if _cannot_be_imported(base)
            for name, member in sorted(vars(base).items())
            if isinstance(member, FunctionType) or not name.startswith("__")
        ],
    ]


def _parts(member: Any) -> list:
    """Return the functions of a member of a class, or what it holds."""
    if isinstance(member, (staticmethod, classmethod)):
        return [member.__func__]
    if isinstance(member, property):
        return [member.fget, member.fset, member.fdel]
    if isinstance(member, cached_property):
        return [member.func]
    return [member] if isinstance(member, (FunctionType, type, *PLAIN)) else []


def _flat(described: Any, name: str = "") -> dict[str, Any]:
    """Return the parameters of a description, those within parameters by dotted names."""
    if not isinstance(described, dict) or not described:
        return {name: described}
    described = _method_first(described)
    return {
        path: value
        for key, part in described.items()
        for path, value in _flat(part, f"{name}.{key}" if name else key).items()
    }


def _method_first(described: dict[str, Any]) -> dict[str, Any]:
    """Return of a pipeline its last step, in which what comes before is a parameter; anything else as it is."""
    match described:
        case {"class": str(kind), "steps": [*before, [name, {"class": _} as method]]} if kind.endswith(".Pipeline"):
            names = [name, *described.get("names", [])]
            return _method_first(method) | {"pipeline": {**described, "steps": before, "names": names}}
    return described


def _in_words(name: str, value: Any) -> str:
    return _shown(value) if name == "class" else f"{name} {_shown(value)}"


def _shown(value: Any) -> str:
    """Return a value as people write it; of a class or a function the end of its name, and the start of its hash."""
    if not isinstance(value, str):
        return repr(value)
    name, mark, code = value.partition(" #")
    parts = name.split(".")
    if mark:
        return f"{parts[-1]} #{code[:6]}"
    return parts[-1] if all(part.isidentifier() for part in parts) else value
