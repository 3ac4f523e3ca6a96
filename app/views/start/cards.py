"""Cards in a row, each as a whole the link to a page."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def row(name: str, number: int) -> list[DeltaGenerator]:
    """Return the places of a number of cards next to each other; on a phone they stand below each other."""
    with st.container(key=f"cards-{name}"):
        return st.columns(number, gap="small")


def card(key: str, view: str, label: str, icon: str) -> DeltaGenerator:
    place = st.container(border=True, gap="xxsmall", height="stretch", key=f"card-{key}")
    place.page_link(f"views/{view}/page.py", label=label, icon=f":material/{icon}:")
    return place
