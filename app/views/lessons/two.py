"""Two select boxes side by side that never hold the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st
from components.parts import plain


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
