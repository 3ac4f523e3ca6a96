"""Pieces that every page has: its head, its figures, its foot."""

from __future__ import annotations

import re

import plotly.graph_objects as go
import streamlit as st

QUIET = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}


def head(title: str, takeaway: str) -> None:
    """Show a page's title, and under it the one sentence that answers it."""
    st.title(title, anchor=False)
    st.markdown(plain(takeaway))


def figure(chart: go.Figure, alt: str, key: str, **options: object) -> object:
    """Show a chart with its takeaway as text for those who do not see it."""
    return st.plotly_chart(chart, key=key, alt=alt, config=QUIET, **options)


def plain(text: str) -> str:
    """Escape text that may hold names from a file, so that Markdown shows it as it is written."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|<>$:~^=&])", r"\\\1", text)


def python_box(code: str) -> None:
    """Offer the Python that gives what the page shows."""
    with st.expander("The same in Python", icon=":material/code:"):
        st.code(code, language="python")
