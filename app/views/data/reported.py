"""What a person should know of the data set that is loaded: how it was read, what was changed, what looks odd."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from components.parts import plain

from trellislib.data import Dataset
from trellislib.data.report import Report, report

SHOWN = 3  # sentences of a list; more of them are behind an expander
LISTS = {
    "odd": ("Please check", ":orange[:material/visibility:]"),
    "changed": ("Changed while reading", ":material/edit_note:"),
    "read": ("How it was read", ":material/description:"),
}


@st.cache_resource(
    max_entries=16,
    ttl="6h",
    show_spinner=False,
    hash_funcs={Dataset: lambda data: (data.digest, data.name, data.n_train, data.notes, data.provenance)},
)
def reported(data: Dataset) -> Report:
    """Return the report on a data set, found once."""
    return report(data)


def show_report(data: Dataset, *, is_open: bool) -> None:
    """Show the report, unfolded for who has just brought the data."""
    found = reported(data)
    lists = {name: getattr(found, name) for name in LISTS if getattr(found, name)}
    if not lists:
        return
    with st.expander("What to know of these data", expanded=is_open, icon=":material/fact_check:"):
        for column, (name, sentences) in zip(st.columns(len(lists)), lists.items(), strict=True):
            title, icon = LISTS[name]
            with column:
                st.markdown(f"{icon} **{title}**\n\n{_bullets(sentences[:SHOWN])}")
                more = sentences[SHOWN:]
                if more:
                    with st.expander(f"{len(more):,} more"):
                        st.markdown(_bullets(more))


def _bullets(sentences: Sequence[str]) -> str:
    return "\n".join(f"- :small[{plain(' '.join(sentence.split()))}]" for sentence in sentences)
