"""What trellislib is, and the ways in for those who are new to it."""

from __future__ import annotations

import streamlit as st

from views.start.cards import card, row

WHAT = "trellislib shows how labels depend on each other, how that changes predictions, and what it costs."
# The page, the text of the link, its icon, and what is there.
WAYS = (
    ("data", "Look at your data", "table", "Load a file, or choose one of the packaged and simulated sets."),
    ("verdict", "Is structure worth it?", "gavel", "One button compares chains and trellises with no structure."),
    ("room", "Play with the room", "sensors", "Put people among light sensors, and see which method finds them."),
    ("lessons", "Take the lessons", "school", "Learn about labels, chains and the trellis in eight short lessons."),
)


def show() -> None:
    for column, (view, label, icon, what) in zip(row("ways", len(WAYS)), WAYS, strict=True):
        with column, card(f"way-{view}", view, label, icon):
            st.caption(what)
