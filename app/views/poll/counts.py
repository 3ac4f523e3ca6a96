"""How often each answer of a poll was given, and which is right."""

from __future__ import annotations

import streamlit as st
from components.parts import plain
from state.polls import Poll


def show(poll: Poll) -> None:
    counts = poll.counts()
    n_votes = sum(counts.values())
    for answer, count in counts.items():
        share = count / max(n_votes, 1)
        mark = "✓ " if poll.is_revealed and answer == poll.right else ""
        st.progress(share, text=plain(f"{mark}{answer}: {count} ({share:.0%})"))
