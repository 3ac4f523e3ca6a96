"""Cards in a row, each as a whole the link to a page."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

STYLE = """<style>
[class*="st-key-cards-"] [data-testid="stColumn"] {position: relative; min-width: min(9.5rem, 100%)}
[class*="st-key-cards-"] [class*="st-key-card-"]:focus-within, [class*="st-key-cards-"] [class*="st-key-card-"]:hover
  {outline: 2px solid #1F7AB8}
[class*="st-key-cards-"] [data-testid="stPageLink"] a::after {content: ""; position: absolute; inset: 0; z-index: 1}
[class*="st-key-cards-"] :has(> [data-testid="stPageLink"]), [class*="st-key-cards-"] [data-testid="stPageLink"],
[class*="st-key-cards-"] [data-testid="stPageLink"] * {position: static}
</style>"""


def row(name: str, number: int) -> list[DeltaGenerator]:
    """Return the places of a number of cards beside each other; on a phone they stand below each other."""
    st.html(STYLE)
    with st.container(key=f"cards-{name}"):
        return st.columns(number, gap="small")


def card(key: str, view: str, label: str, icon: str) -> DeltaGenerator:
    """Begin a card with the link that all of it is, and return it."""
    place = st.container(border=True, gap="xxsmall", height="stretch", key=f"card-{key}")
    place.page_link(f"views/{view}/page.py", label=label, icon=f":material/{icon}:")
    return place
