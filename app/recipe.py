"""The Python that trains and compares what a page did, with the same numbers."""

from __future__ import annotations

from collections.abc import Mapping

from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sources import Source


def comparison_code(source: Source, methods: Mapping[str, BaseEstimator], cv: int | float, seed: int) -> str:
    """Return a script that evaluates `methods` on the data of `source`."""
    imports = {
        ("trellislib.data", source.function),
        ("trellislib.experiment", "evaluate"),
        *(found for method in methods.values() for found in _classes(method)),
    }
    by_module: dict[str, list[str]] = {}
    for module, name in sorted(imports):
        by_module.setdefault(module, []).append(name)
    lines = [f"from {module} import {', '.join(names)}" for module, names in by_module.items()]
    lines += ["", f"data = {source.code}", "methods = {"]
    lines += [f"    {name!r}: {_call(method)}," for name, method in methods.items()]
    lines += ["}", f"result = evaluate(data, methods, cv={cv!r}, seed={seed!r})", "print(result.summary().T)"]
    return "\n".join(lines)


def _call(estimator: BaseEstimator) -> str:
    """Return the call that makes `estimator`, on one line and with nothing left out."""
    return " ".join(estimator.__repr__(N_CHAR_MAX=10**6).split())


def _classes(estimator: BaseEstimator) -> set[tuple[str, str]]:
    """Return module and name of every class that the call names."""
    nested = [value for value in estimator.get_params().values() if isinstance(value, BaseEstimator)]
    if isinstance(estimator, Pipeline):
        nested = [step for _, step in estimator.steps]
    return {_public(estimator)}.union(*(_classes(value) for value in nested))


def _public(estimator: BaseEstimator) -> tuple[str, str]:
    """Return where users import the class of `estimator` from."""
    module = type(estimator).__module__
    if module.startswith("trellislib."):
        return "trellislib", type(estimator).__name__
    public = [part for part in module.split(".") if not part.startswith("_")]
    return ".".join(public), type(estimator).__name__
