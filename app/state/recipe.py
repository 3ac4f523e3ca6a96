"""The Python that trains and compares what a page did, with the same numbers."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from sklearn.base import BaseEstimator

from state.sources import Source
from trellislib.experiment import Budget, Given, KFold, Split
from trellislib.graphs import LabelGraph


@dataclass
class Script:
    """Python as it is written piece by piece: what it imports, and its lines."""

    imports: set[tuple[str, str]] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)

    def use(self, module: str, *names: str) -> None:
        """Import names from a module."""
        self.imports |= {(module, name) for name in names}

    def add(self, *lines: str) -> None:
        self.lines += lines

    def __str__(self) -> str:
        by_module: dict[str, list[str]] = {}
        for module, name in sorted(self.imports):
            by_module.setdefault(module, []).append(name)
        imports = [f"from {module} import {', '.join(names)}" for module, names in by_module.items()]
        return "\n".join([*imports, "", *self.lines])


def comparison_code(
    sources: Sequence[Source],
    methods: Sequence[Mapping[str, BaseEstimator]],
    protocol: KFold | Split | Given,
    seed: int,
    budget: Budget | None = None,
) -> str:
    """Return the Python of `comparison`."""
    return str(comparison(sources, methods, protocol, seed, budget))


def comparison(
    sources: Sequence[Source],
    methods: Sequence[Mapping[str, BaseEstimator]],
    protocol: KFold | Split | Given,
    seed: int,
    budget: Budget | None = None,
) -> Script:
    """Return a script that trains and scores `methods`, those of each source, on the data of `sources`."""
    script = Script({("trellislib.data", source.function) for source in sources})
    imports = script.imports
    cv = _cv(protocol)
    if len(sources) == 1 and budget is None and cv is not None:
        script.use("trellislib.experiment", "evaluate")
        (source,), (of_source,) = sources, methods
        body = [f"data = {source.code}", "methods = {", *_entries(of_source, imports, 1), "}"]
        body += [f"result = evaluate(data, methods, cv={cv!r}, seed={seed!r})", "print(result.summary().T)"]
    else:
        script.use("trellislib.experiment", "run", type(protocol).__name__)
        limits = ""
        if budget is not None:
            script.use("trellislib.experiment", "Budget")
            limits = f", budget={budget!r}"
        body = [f"data = [{', '.join(source.code for source in sources)}]", "methods = ["]
        for of_source in methods:
            body += ["    {", *_entries(of_source, imports, 2), "    },"]
        body += [
            "]",
            "of_data = {one.digest: methods_of_one for one, methods_of_one in zip(data, methods)}",
            f"result = run(data, lambda one: of_data[one.digest], {protocol!r}, seeds=[{seed!r}]{limits})",
            "for key in result.measures:",
            "    print(key, result.table(key), sep='\\n')",
        ]
    script.add(*body)
    return script


def _cv(protocol: KFold | Split | Given) -> int | float | None:
    """Return how `evaluate` calls a protocol, None where only `run` knows it."""
    if isinstance(protocol, Split):
        return protocol.test
    return protocol.folds if isinstance(protocol, KFold) and protocol.repeats == 1 else None


def _entries(methods: Mapping[str, BaseEstimator], imports: set[tuple[str, str]], depth: int) -> list[str]:
    return [f"{'    ' * depth}{name!r}: {expression(method, imports)}," for name, method in methods.items()]


def expression(value: object, imports: set[tuple[str, str]]) -> str:
    """Return Python that makes `value`, with nothing left out, and note what it needs from where."""
    if isinstance(value, BaseEstimator):
        imports.add(_public(type(value)))
        default = inspect.signature(type(value)).parameters
        given = [
            f"{name}={expression(part, imports)}"
            for name, part in sorted(value.get_params(deep=False).items())
            if not _same(part, default[name].default)
        ]
        return f"{type(value).__name__}({', '.join(given)})"
    if isinstance(value, LabelGraph):
        imports.add(("trellislib.graphs", "LabelGraph"))
        return f"LabelGraph({list(value.parents)!r}, {list(value.order)!r})"
    if isinstance(value, np.ndarray):
        imports.add(("numpy", "array"))
        return f"array({value.tolist()!r})"
    if isinstance(value, np.generic):
        return repr(value.item())
    if isinstance(value, (list, tuple)):
        parts = [expression(part, imports) for part in value]
        if isinstance(value, list):
            return f"[{', '.join(parts)}]"
        return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
    return repr(value)


def _same(value: object, default: object) -> bool:
    """Return whether a parameter is as it would be if left out."""
    if value is default:
        return True
    return type(value) is type(default) and not isinstance(value, (np.ndarray, BaseEstimator)) and value == default


def _public(kind: type) -> tuple[str, str]:
    """Return where users import a class from."""
    if kind.__module__.startswith("trellislib."):
        return "trellislib", kind.__name__
    public = [part for part in kind.__module__.split(".") if not part.startswith("_")]
    return ".".join(public), kind.__name__
