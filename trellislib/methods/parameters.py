"""The parameters of a method are the annotated fields of its class, inherited with their defaults and descriptions."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field, is_dataclass
from typing import Any, TypeVar, dataclass_transform, get_type_hints

T = TypeVar("T")


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def with_parameters(cls: type[T]) -> type[T]:
    """Make the annotated fields of a class its parameters, and complete its docstring.

    The class gets an ``__init__`` that stores its own fields and those of its bases (and nothing else, as scikit-learn
    asks), unless it defines one. Its own fields come first in the signature, which is by keyword. The sections
    Parameters and Attributes of its docstring get the entries that its bases describe and it does not. A class thus
    declares and describes only what it adds or changes.

    Parameters
    ----------
    cls : type
        A subclass of `trellislib.methods.MultiOutputMethod`. A learned attribute is a ``field(init=False)``.

    Returns
    -------
    type
        The same class.

    Examples
    --------
    >>> @with_parameters
    ... class Smoother:
    ...     '''Smooths.
    ...
    ...     Parameters
    ...     ----------
    ...     width : int, default=3
    ...         Instances in a window.
    ...     '''
    ...
    ...     width: int = 3
    >>> @with_parameters
    ... class WideSmoother(Smoother):
    ...     '''Smooths more.
    ...
    ...     Parameters
    ...     ----------
    ...     shape : str, default="box"
    ...         Shape of the window.
    ...     '''
    ...
    ...     shape: str = "box"
    >>> inspect.signature(WideSmoother)
    <Signature (*, shape: str = 'box', width: int = 3) -> None>
    >>> "width : int, default=3" in WideSmoother.__doc__
    True
    """
    has_init = "__init__" in vars(cls)
    dataclass(kw_only=True, eq=False, repr=False)(cls)
    if not has_init:
        _describe_init(cls)
    cls.__doc__ = _completed_docstring(cls)
    return cls


def _describe_init(cls: type) -> None:
    """Give a generated ``__init__`` its signature: each class's own parameters before those of its bases."""
    hints = get_type_hints(cls)  # resolved here, as each base has them by the imports of its own module
    declared = [name for base in cls.__mro__ for name in inspect.get_annotations(base)]
    init: Any = cls.__init__  # type: ignore[misc]
    generated = inspect.signature(init).parameters.values()
    in_order = sorted(
        (one.replace(annotation=hints.get(one.name, one.empty)) for one in generated),
        key=lambda one: (one.kind, declared.index(one.name) if one.name in declared else -1),
    )
    init.__annotations__ = {one.name: one.annotation for one in in_order if one.name in hints} | {"return": None}
    init.__signature__ = inspect.Signature(in_order, return_annotation=None)


def _completed_docstring(cls: type) -> str:
    """Return the docstring of a class with what its bases describe of its parameters and attributes."""
    described: dict[str, dict[str, str]] = {"Parameters": {}, "Attributes": {}}
    for base in filter(is_dataclass, reversed(cls.__mro__)):  # down to the class, whose own descriptions hold
        for name, entries in described.items():
            entries |= _entries(_sections(base).get(name, ""))
    sections = _sections(cls)
    summary = sections.pop("")
    in_order = [described["Parameters"].get(name, name) for name in inspect.signature(cls).parameters]
    completed = {
        "Parameters": "\n".join(in_order),
        "Attributes": "\n".join(described["Attributes"].values()),
        **{name: text for name, text in sections.items() if name not in described},
    }
    parts = [f"{name}\n{'-' * len(name)}\n{text.strip()}" for name, text in completed.items() if text]
    return "\n\n".join([summary.strip(), *parts])


def _sections(cls: type) -> dict[str, str]:
    """Return the sections of a numpydoc docstring by their names, what comes before the first as that of no name."""
    summary, *rest = re.split(r"^(\w+)\n-+\n", inspect.cleandoc(cls.__doc__ or ""), flags=re.MULTILINE)
    return {"": summary, **dict(zip(rest[::2], rest[1::2], strict=True))}


def _entries(section: str) -> dict[str, str]:
    """Return the entries of a section, as ``name : type`` and an indented description, by name."""
    entries = re.split(r"^(?=\w)", section, flags=re.MULTILINE)[1:]
    return {entry.split(maxsplit=1)[0]: entry.rstrip() for entry in entries}
