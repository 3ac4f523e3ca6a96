"""What a method is, as text: the same for two estimators that would do the same, and different for others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any
from uuid import uuid4

import joblib
import numpy as np
from sklearn.base import BaseEstimator

ABSENT = ["absent"]  # no parameter is described so: lists within descriptions are values
WRITTEN = 50  # cells of an array that are written out
LONG = 2_000  # characters of a list, a mapping or a data class that are written out


def parameters_of(estimator: BaseEstimator) -> str:
    """Return an estimator's class and all of its parameters, those within parameters too, as JSON with sorted keys.

    What JSON cannot hold, or is long, is told by its type and a hash of its content; a function that has no name to
    import it by, by a hash of its code. What cannot be hashed is like nothing else, itself included.

    Examples
    --------
    >>> from trellislib.learners import LeastSquares
    >>> parameters_of(LeastSquares(alpha=2.0))
    '{"alpha": 2.0, "class": "trellislib.learners.least_squares.LeastSquares"}'
    """
    return json.dumps(_described(estimator), sort_keys=True)


def differing(parameters: Mapping[str, str]) -> dict[str, str]:
    """Say in what descriptions by `parameters_of` differ from each other.

    Parameters
    ----------
    parameters : mapping of hashable to str
        The descriptions, by whatever tells them apart.

    Returns
    -------
    dict
        By the same keys, the parameters whose values are not the same everywhere, as in ``"width 4"``.
    """
    flat = {key: _flat(json.loads(text)) for key, text in parameters.items()}
    names = list(dict.fromkeys(name for of_one in flat.values() for name in of_one))
    told = [name for name in names if len({json.dumps(of_one.get(name, ABSENT)) for of_one in flat.values()}) > 1]
    return {
        key: ", ".join(f"{name.rpartition('.')[2]} {_said(of_one[name])}" for name in told if name in of_one)
        for key, of_one in flat.items()
    }


def _described(value: Any) -> Any:
    if isinstance(value, BaseEstimator):
        kind = type(value)
        given = {name: _described(part) for name, part in value.get_params(deep=False).items()}
        return {"class": f"{kind.__module__}.{kind.__qualname__}", **given}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return _described(value.item())
    if isinstance(value, np.ndarray) and value.size <= WRITTEN:
        return _described(value.tolist())
    if isinstance(value, (list, tuple)):
        return _shortened(value, [_described(part) for part in value])
    if isinstance(value, (set, frozenset)):  # whose order is another in another process
        return {"class": type(value).__name__, "of": sorted((_described(part) for part in value), key=json.dumps)}
    if isinstance(value, Mapping):
        return _shortened(value, {str(name): _described(part) for name, part in value.items()})
    if isinstance(value, FunctionType) and (value.__module__ == "__main__" or "<" in value.__qualname__):
        return {"function": value.__qualname__, "hash": joblib.hash(_code(value))}
    if isinstance(value, (type, FunctionType, BuiltinFunctionType, np.ufunc)):
        return f"{value.__module__}.{value.__qualname__}"
    if is_dataclass(value):  # by its fields: what it has computed and kept does not make it another
        return _shortened(value, {part.name: _described(getattr(value, part.name)) for part in fields(value)})
    return {"class": type(value).__qualname__, "hash": _hash(value)}


def _shortened(value: Any, described: list | dict) -> Any:
    """Return a description, or where it is long its hash."""
    text = json.dumps(described, sort_keys=True)
    return described if len(text) <= LONG else {"class": type(value).__qualname__, "hash": joblib.hash(text)}


def _hash(value: Any) -> str:
    try:
        return str(joblib.hash(value))
    except Exception:  # whatever it raises that cannot be pickled
        return uuid4().hex


def _code(function: FunctionType) -> list:
    """Return what a function does, as far as it is written in it, and what it has taken from where it stands."""
    taken = [cell.cell_contents for cell in function.__closure__ or ()]
    return [
        _of_code(function.__code__),
        _described(taken),
        _described(function.__defaults__),
        _described(function.__kwdefaults__),
    ]


def _of_code(code: CodeType) -> list:
    constants = [_of_code(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    return [code.co_code, code.co_names, code.co_varnames, constants]


def _flat(described: Any, name: str = "") -> dict[str, Any]:
    """Return the parameters of a description, those within parameters by dotted names."""
    if not isinstance(described, dict):
        return {name: described}
    return {
        path: value
        for key, part in described.items()
        for path, value in _flat(part, f"{name}.{key}" if name else key).items()
    }


def _said(value: Any) -> str:
    """Return a value as people say it, of a class or a function the last part of its name."""
    if not isinstance(value, str):
        return repr(value)
    parts = value.split(".")
    return parts[-1] if all(part.isidentifier() for part in parts) else value
