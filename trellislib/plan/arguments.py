"""What a function or a class may be given, by its signature and its annotations."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from sklearn.base import BaseEstimator

from trellislib.plan.section import Section, is_number, is_whole, nearest

_SCALARS: dict[Any, tuple[str, Callable[[Any], bool]]] = {
    int: ("a whole number", is_whole),
    float: ("a number", is_number),
    str: ("a text", lambda value: isinstance(value, str)),
    bool: ("true or false", lambda value: isinstance(value, bool)),
    types.NoneType: ("nothing", lambda value: value is None),
}


def check_arguments(section: Section, function: Callable[..., Any], given: Mapping[str, Any], who: str) -> None:
    """Raise a PlanError for arguments that a function does not take, or whose type its annotations rule out.

    What is not annotated, as in scikit-learn, may be anything. Errors call the function `who`.
    """
    offered = inspect.signature(function).parameters
    hints = get_type_hints(function.__init__ if isinstance(function, type) else function)  # type: ignore[misc]
    for name, value in given.items():
        if name not in offered:
            raise section.error(f"{who} has no parameter {name!r}{nearest(name, offered)}")
        choices = list(_choices(hints.get(name, Any)))
        if not any(_may_be(value, choice) for choice in choices):
            words = " or ".join(dict.fromkeys(filter(None, map(_words, choices))))
            raise section.error(f"got {name} = {value!r} for {who}, but expected {words}")


def _choices(hint: Any) -> Iterator[Any]:
    """Yield the types of which a hint allows any."""
    if get_origin(hint) in (Union, types.UnionType):
        for part in get_args(hint):
            yield from _choices(part)
    else:
        yield hint


def _may_be(value: Any, kind: Any) -> bool:
    """Return whether a value out of a file may be meant for a type; of lists and tables that is not known."""
    if kind in _SCALARS:
        return _SCALARS[kind][1](value)
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if isinstance(value, BaseEstimator):
        return kind is Any or not isinstance(kind, type) or isinstance(value, kind)
    return kind is Any or (isinstance(value, (list, dict)) and not _is_estimator(kind))


def _is_estimator(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseEstimator)


def _words(kind: Any) -> str:
    """Return what a type is, as far as a file can have it."""
    if kind in _SCALARS:
        return "" if kind is types.NoneType else _SCALARS[kind][0]
    if get_origin(kind) is Literal:
        return " or ".join(f'"{value}"' for value in get_args(kind))
    if _is_estimator(kind):
        return "the name of a class, or a table with its class" + f" ({kind.__name__})" * (kind is not BaseEstimator)
    return "a list" if get_origin(kind) is not None and get_origin(kind) is not Callable else ""
