"""What is chosen of one data set means nothing of another."""

from __future__ import annotations

import streamlit as st

from trellislib.data import Dataset


def came(data: Dataset, chosen: str) -> bool:
    """Return whether these data are others than when it was last asked for something that is chosen of them."""
    key = f"{chosen} of data"
    before = st.session_state.get(key, data.digest)
    st.session_state[key] = data.digest
    return before != data.digest
