"""Where a data set comes from, and the Python that makes the same one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

import trellislib.data
from trellislib.data import Dataset


@dataclass(frozen=True)
class Source:
    """A call of a function of `trellislib.data`, as data."""

    function: str
    arguments: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, function: str, **arguments: Any) -> Source:
        return cls(function, tuple(arguments.items()))

    @property
    def code(self) -> str:
        """The call as Python, its first argument by position."""
        (_, first), *rest = self.arguments if self.function in ("packaged", "load") else (("", None), *self.arguments)
        given = [] if first is None else [repr(first)]
        return f"{self.function}({', '.join(given + [f'{name}={value!r}' for name, value in rest])})"


@st.cache_resource(max_entries=8, show_spinner="Loading the data…")
def load(source: Source) -> Dataset:
    """Make the data set of a source; the result is shared and never changed."""
    return getattr(trellislib.data, source.function)(**dict(source.arguments))
