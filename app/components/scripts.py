"""Parts of a page that run in the browser: HTML, style and JavaScript are files next to the module that uses them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer


def browser_component(name: str, module: str) -> ComponentRenderer:
    """Return the component of the ``.html``, ``.css`` and ``.js`` files next to a module, given as its `__file__`."""
    html, css, js = (Path(module).with_suffix(f".{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    return st.components.v2.component(name, html=html, css=css, js=js)
