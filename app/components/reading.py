"""Files of a visitor read in a process of its own, which the visitor can stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TypeVar

import streamlit as st

from trellislib.data import DataError
from trellislib.data.reading.apart import read_apart
from trellislib.data.reading.source import Source
from trellislib.wording import counted

T = TypeVar("T")

SHOWN_AFTER = 1.0  # seconds


def reading(read: Callable[[list[Source]], T], files: Sequence[tuple[str, bytes]], stop: Callable[[], None]) -> T:
    """Return what `read` makes of files, given by name and content; a button stops what takes longer, and calls `stop`.

    Raises the errors of `trellislib.data.reading.apart.read_apart`.
    """
    place, began, shown = st.empty(), monotonic(), 0
    what = f"Reading {counted(len(files), 'file')} ({sum(len(content) for _, content in files) / 1e6:.3g} MB)"
    line = None

    def look() -> bool:
        """Show the seconds so far: what the page draws also ends this run, where the visitor has clicked."""
        nonlocal shown, line
        if (seconds := int((monotonic() - began) / SHOWN_AFTER)) > shown:
            if line is None:
                with place.container(horizontal=True, vertical_alignment="center"):
                    line = st.empty()
                    st.button("Stop reading", icon=":material/stop_circle:", key="stop reading", on_click=stop)
            shown = seconds
            line.caption(f"{what} for {counted(round(seconds * SHOWN_AFTER), 'second')}…")
        return False

    try:
        found = read_apart(read, files, look)
    except DataError:
        place.empty()
        raise
    place.empty()
    return found
