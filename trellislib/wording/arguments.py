"""How sentences name what a person gives: an argument in Python, an option of a command, or a key of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias

Writer: TypeAlias = Callable[[str, object], str | None]
"""Returns an argument with its value as people give it there; None for one that cannot be given there."""

_writer: ContextVar[Writer] = ContextVar("writer", default=lambda name, value: None)


@contextmanager
def naming(writer: Writer) -> Iterator[None]:
    """Have sentences that are made within name arguments as `writer` does."""
    token = _writer.set(writer)
    try:
        yield
    finally:
        _writer.reset(token)


def given(name: str, value: object, otherwise: str | None = None) -> str:
    """Return an argument with its value as a person gives it.

    - `otherwise`: How it is given outside of `naming`; as in Python by default.

    Examples
    --------
    >>> given("split", ("tags", ";"))
    "split=('tags', ';')"
    >>> with naming(lambda name, value: f"--{name} {value}"):
    ...     given("text", "tf-idf")
    '--text tf-idf'
    """
    return _writer.get()(name, value) or otherwise or f"{name}={value!r}"
