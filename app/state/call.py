"""Calls that run and print themselves, so that the Python that a page shows is what the page ran."""

from __future__ import annotations

import dataclasses
import inspect
import operator
import sys
from collections.abc import Callable, Sequence
from functools import cache, cached_property, partial
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from trellislib.graphs import LabelGraph

WIDEST = 100  # characters of a line before it is broken


class Call:
    """A call of a function, whose result is found once, when it is asked for.

    Arguments are values, other calls, and lists, tuples and dictionaries of these. Of a call, ``call.part`` is an
    attribute of its result, ``call[key]`` an item of it, and ``call(...)`` a call of it: each again a `Call`.
    """

    def __init__(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> None:
        self._function, self._args, self._kwargs = function, args, kwargs
        self._name = ""
        self._find: Callable[[], Any] = self.run

    def __getattr__(self, name: str) -> Call:
        if name.startswith("_"):
            raise AttributeError(name)
        return Call(getattr, self, name)

    def __getitem__(self, key: Any) -> Call:
        return Call(operator.getitem, self, key)

    def __call__(self, *args: Any, **kwargs: Any) -> Call:
        return Call(self, *args, **kwargs)

    def named(self, name: str) -> Call:
        """Give the result a name in scripts; what has none is written where it is used."""
        self._name = name
        return self

    @property
    def is_named(self) -> bool:
        """Whether its result has a name."""
        return bool(self._name)

    def given(self, result: Any) -> Call:
        """Take a result that this very call has given before."""
        return self.found_by(lambda: result)

    def found_by(self, find: Callable[[], Any]) -> Call:
        """Ask `find`, such as a cache, for the result of this very call."""
        self._find = find
        return self

    @cached_property
    def value(self) -> Any:
        """The result."""
        return self._find()

    def run(self, **more: Any) -> Any:
        """Return the result; `more` are arguments that scripts leave out, such as what reports progress."""
        return self.prepared()(**more)

    def prepared(self) -> Callable[..., Any]:
        """Return the function with its arguments, whose results are found now: for a job on another thread."""
        return partial(value_of(self._function), *value_of(self._args), **value_of(self._kwargs))


def constant(module: ModuleType, name: str) -> Call:
    """Return what a module has under a name: what is no function or class, and so does not know its own."""
    return Call(getattr, module, name)


def known(name: str, result: Any) -> Call:
    """Return a result that lines of a script define under a name."""
    return Call(known, name, result).named(name).given(result)


def value_of(argument: Any) -> Any:
    """Return an argument with the results of the calls in it."""
    if isinstance(argument, Call):
        return argument.value
    if type(argument) in (list, tuple):
        return type(argument)(map(value_of, argument))
    if type(argument) is dict:
        return {key: value_of(value) for key, value in argument.items()}
    return argument


@dataclasses.dataclass(frozen=True)
class _Group:
    """Python in brackets, which may be broken into a line for each part."""

    opening: str
    parts: tuple[str | _Group, ...]
    closing: str

    def __str__(self) -> str:
        return f"{self.opening}{', '.join(map(str, self.parts))}{self.closing}"


_Text = str | _Group


class Script:
    """Python that is written call by call: its imports, and its lines."""

    def __init__(self) -> None:
        self.imports: set[tuple[str, str]] = set()
        self.lines: list[str] = []
        self._of_calls: dict[int, tuple[Call, _Text]] = {}
        self._of_names: dict[str, str] = {}

    def use(self, *things: Any) -> Script:
        """Import functions, classes and constants, and define results that have a name."""
        for thing in things:
            self.text(thing)
        return self

    def add(self, lines: str = "", *uses: Any) -> Script:
        """Add lines as they are, and import what they use."""
        self.lines += lines.splitlines() or [""]
        return self.use(*uses)

    def show(self, *figures: Call) -> Script:
        """Show figures."""
        for figure in figures:
            self.lines += _laid_out(self._text(figure.show()))
        return self

    def print(self, *results: Any) -> Script:
        """Print results on a line."""
        self.lines += _laid_out(_Group("print(", tuple(map(self._text, results)), ")"))
        return self

    def let(self, name: str, value: Any) -> Call:
        """Define a value under a name; return the call that the script then has for it."""
        self.lines += _laid_out(_prefixed(f"{name} = ", self._text(value)))
        return known(name, value)

    def text(self, value: Any) -> str:
        """Return Python that makes a value or a call; what it needs is defined or imported above."""
        return str(self._text(value))

    def __str__(self) -> str:
        by_module: dict[str, list[str]] = {}
        for module, name in sorted(self.imports):
            by_module.setdefault(module, []).append(name)
        standard: list[str] = []
        other: list[str] = []
        for module, names in by_module.items():
            lines = _laid_out(_Group(f"from {module} import ", tuple(names), ""), "(", ")")
            (standard if module.partition(".")[0] in sys.stdlib_module_names else other).extend(lines)
        blocks = [standard, other, self.lines]
        return "\n\n".join("\n".join(block).strip("\n") for block in blocks if block)

    def _text(self, value: Any) -> _Text:
        if isinstance(value, Call):
            if id(value) not in self._of_calls:
                self._of_calls[id(value)] = value, self._defined(value)
            return self._of_calls[id(value)][1]
        if isinstance(value, BaseEstimator):
            return self._estimator(value)
        if isinstance(value, LabelGraph):
            return self._call(self._imported(LabelGraph), (list(value.parents), list(value.order)), {})
        if isinstance(value, np.ndarray):
            return self._call(self._imported(np.array), (value.tolist(),), {})
        if isinstance(value, np.generic):
            return repr(value.item())
        if isinstance(value, partial):
            return self._call(self._imported(partial), (value.func, *value.args), value.keywords)
        if isinstance(value, slice):
            return f"{value.start}:{value.stop}"
        if type(value) is dict:
            items = [_prefixed(f"{self._text(key)}: ", self._text(part)) for key, part in value.items()]
            return _Group("{", tuple(items), "}")
        if type(value) is list:
            return _Group("[", tuple(map(self._text, value)), "]")
        if type(value) is tuple:
            return _Group("(", tuple(map(self._text, value)), ",)" if len(value) == 1 else ")")
        if isinstance(value, type) or inspect.isroutine(value):
            return self._imported(value)
        if dataclasses.is_dataclass(value):
            fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
            return self._call(self._imported(type(value)), (), fields)
        return repr(value)

    def _defined(self, call: Call) -> _Text:
        """Return the name of a call, defined above where it is not yet; without a name, the call itself."""
        if call._function is known:
            return call._name
        written = self._called(call)
        if not call._name:
            return written
        name, number = call._name, 1
        while self._of_names.get(name, str(written)) != str(written):
            number += 1
            name = f"{call._name}_{number}"
        if name not in self._of_names:
            self._of_names[name] = str(written)
            self.lines += _laid_out(_prefixed(f"{name} = ", written))
        return name

    def _called(self, call: Call) -> _Text:
        function, args = call._function, call._args
        if function is getattr and isinstance(args[0], ModuleType):
            self.imports.add((args[0].__name__, args[1]))
            return args[1]
        if function is getattr:
            return _followed(self._text(args[0]), f".{args[1]}")
        if function is operator.getitem:
            return _followed(self._text(args[0]), f"[{', '.join(map(self.text, _keys(args[1])))}]")
        return self._call(self.text(function), args, call._kwargs)

    def _call(self, head: str, args: Sequence[Any], kwargs: dict[str, Any]) -> _Text:
        parts = [self._text(value) for value in args]
        parts += [_prefixed(f"{name}=", self._text(value)) for name, value in kwargs.items()]
        return _Group(f"{head}(", tuple(parts), ")")

    def _estimator(self, method: BaseEstimator) -> _Text:
        """Return Python that makes an estimator: the parameters that are not as they are by default."""
        default = inspect.signature(type(method)).parameters
        given = {
            name: value
            for name, value in sorted(method.get_params(deep=False).items())
            if not _same(value, default[name].default)
        }
        return self._call(self._imported(type(method)), (), given)

    def _imported(self, thing: Any) -> str:
        """Return the name of a function or class, and import it; of a class method, the class."""
        owner = getattr(thing, "__self__", None)
        if isinstance(owner, type):
            return f"{self._imported(owner)}.{thing.__name__}"
        if thing.__module__ != "builtins":
            self.imports.add((public_module(thing), thing.__name__))
        return thing.__name__


@cache
def public_module(thing: Any) -> str:
    """Return the shortest path of a public module that offers a function or class."""
    root, name = thing.__module__.partition(".")[0], thing.__name__
    offering = [
        path
        for path, module in list(sys.modules.items())
        if (path == root or path.startswith(f"{root}."))
        and "._" not in path
        and getattr(module, "__name__", "") == path
        and (name in getattr(module, "__all__", ()) or path == thing.__module__)
        and vars(module).get(name) is thing
    ]
    return min(offering, key=lambda path: (path.count("."), path), default=thing.__module__)


def _keys(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def _same(value: Any, default: Any) -> bool:
    """Return whether a parameter is as it would be if left out."""
    if value is default:
        return True
    return type(value) is type(default) and not isinstance(value, (np.ndarray, BaseEstimator)) and value == default


def _prefixed(prefix: str, text: _Text) -> _Text:
    if isinstance(text, str):
        return prefix + text
    return dataclasses.replace(text, opening=prefix + text.opening)


def _followed(text: _Text, suffix: str) -> _Text:
    if isinstance(text, str):
        return text + suffix
    return dataclasses.replace(text, closing=text.closing + suffix)


def _laid_out(text: _Text, opening: str = "", closing: str = "") -> list[str]:
    """Return a text as lines: one, or where that is too long, one for each of its parts."""
    if isinstance(text, str) or len(str(text)) <= WIDEST or not text.parts:
        return [str(text)]
    lines = [text.opening + opening]
    for part in text.parts:
        *first, last = _laid_out(part)
        lines += [f"    {line}" for line in (*first, f"{last},")]
    return [*lines, closing + (text.closing[1:] if text.closing == ",)" else text.closing)]
