"""The stage: a page as a projector shows it, its figure as large as the screen; keys lead from page to page.

Page Up and Page Down are what a presenter's remote control sends. They follow links, for a page that is left by its
script keeps its knobs in the address.

A visit is on it where its address has ``present=1``, and stays on it from page to page until it is ended.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from state import address
from streamlit.navigation.page import StreamlitPage

from components.link_code import link_code
from components.parts import button
from components.scripts import browser_component

_fit = browser_component("trellis_stage", __file__)
BEFORE_POLL = "page before the poll"


def show(pages: Sequence[StreamlitPage], page: StreamlitPage, poll: StreamlitPage) -> None:
    """Show the button that leads to the stage; on it, what leads to the pages around this one, to phones, and away.

    A poll is asked from any of the pages, and leads back to that page alone.
    """
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="stage"):
        if not address.is_presented():
            button("Present", "present", "present_to_all", address.present, True, type="tertiary")
            return
        paths = [one.url_path for one in pages]
        if page.url_path == poll.url_path:
            pages = [pages[paths.index(st.session_state.get(BEFORE_POLL, paths[0]))], poll]
            at = 1
        else:
            at = paths.index(page.url_path)
            st.session_state[BEFORE_POLL] = page.url_path
        for key, label, icon, to in (
            ("PageUp", "Page before", "navigate_before", at - 1),
            ("PageDown", "Next page", "navigate_next", at + 1),
        ):
            if 0 <= to < len(pages):
                with st.container(key=f"stage-{key}", width="content"):
                    st.page_link(pages[to], label=label, icon=f":material/{icon}:", help=key)
        if page.url_path != poll.url_path:
            st.page_link(poll, label="Ask", icon=":material/how_to_vote:", help="Ask the class a question")
            if st.button("QR code", icon=":material/qr_code_2:", shortcut="Q", key="qr"):
                _code()
        button("End", "end presenting", "close", address.present, False, shortcut="E")
        _fit(key="fit")


@st.dialog("Open this page on your device")
def _code() -> None:
    link_code(address.link())
