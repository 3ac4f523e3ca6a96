"""What a method is, as text: the same for two estimators that would do the same, and different for others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import joblib
import numpy as np
from sklearn.base import BaseEstimator

WRITTEN = 50  # cells of an array that are written out


def parameters_of(estimator: BaseEstimator) -> str:
    """Return an estimator's class and all of its parameters, those within parameters too, as JSON with sorted keys.

    What JSON cannot hold is told by its type and a hash of its content.

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
    told = [name for name in names if len({json.dumps(of_one.get(name)) for of_one in flat.values()}) > 1]
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
        return [_described(part) for part in value]
    if isinstance(value, Mapping):
        return {str(name): _described(part) for name, part in value.items()}
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return {"class": type(value).__qualname__, "hash": joblib.hash(value)}


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
    return value.rpartition(".")[2] if isinstance(value, str) else json.dumps(value)
