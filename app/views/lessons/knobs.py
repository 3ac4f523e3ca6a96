"""The knobs of lessons: what is chosen by them, and two select boxes that never hold the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

import streamlit as st
from components.parts import plain

_Value = TypeVar("_Value")


def knob(key: str, default: _Value) -> Callable[[], _Value]:
    """Return what reads the control of a key: `default` where it is not drawn yet, or an address leaves it empty."""

    def chosen() -> _Value:
        value = st.session_state.get(key)
        return default if value is None else value

    return chosen


def two_knobs(key: str, default: tuple[str, str]) -> Callable[[], tuple[str, str]]:
    """Return what reads the two select boxes of `two_different`."""
    one, other = (knob(f"{key}_{place}", default[place]) for place in (0, 1))
    return lambda: (one(), other())


def two_different(
    labels: tuple[str, str],
    options: Sequence[str],
    start: tuple[str, str],
    key: str,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    """Let two different options be chosen; they are in the session as ``{key}_0`` and ``{key}_1``."""
    offered = list(options)
    with st.container(horizontal=True):
        for place, label in enumerate(labels):
            first = offered.index(start[place]) if start[place] in offered else 0
            chosen = st.selectbox(
                label, offered, index=first, format_func=plain, key=f"{key}_{place}", bind="query-params", width=width
            )
            offered = [other for other in offered if other != chosen]
