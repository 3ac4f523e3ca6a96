"""The stage: a page as a projector shows it, its figure as large as the screen; keys lead from page to page.

Page Up and Page Down are what a presenter's remote control sends. They follow links, for a page that is left by its
script keeps its knobs in the address.

A visit is on it where its address has ``present=1``, and stays on it from page to page until it is ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import segno
import streamlit as st
from state import address
from streamlit.navigation.page import StreamlitPage

from components.parts import button, plain
from components.scripts import browser_component

_fit = browser_component("trellis_stage", __file__)
LOCAL = ("localhost", "127.0.0.1", "::1")


def show(pages: Sequence[StreamlitPage], page: StreamlitPage) -> None:
    """Show the button that leads to the stage; on it, what leads to the pages around this one, to phones, and away."""
    with st.container(horizontal=True, gap="xsmall", key="stage"):
        if not address.is_presented():
            button("Present", "present", "present_to_all", address.present, True, type="tertiary")
            return
        around = [one.url_path for one in pages]
        at = around.index(page.url_path)
        for key, label, icon, to in (
            ("PageUp", "Page before", "navigate_before", at - 1),
            ("PageDown", "Next page", "navigate_next", at + 1),
        ):
            with st.container(key=f"stage-{key}", width="content"):
                there = 0 <= to < len(pages)
                st.page_link(
                    pages[to if there else at], label=label, icon=f":material/{icon}:", help=key, disabled=not there
                )
        if st.button("QR code", icon=":material/qr_code_2:", shortcut="Q", key="qr"):
            _code()
        button("End", "end presenting", "close", address.present, False, shortcut="E")
        _fit(key="fit")


@st.dialog("Open this page on your device")
def _code() -> None:
    """Show the page's link as a picture that a phone reads."""
    link = address.link()
    try:
        st.image(segno.make(link, micro=False).svg_data_uri(scale=8, border=4, light="white"), width="stretch")
    except segno.DataOverflowError:
        st.caption("The link is too long for a code.")
    st.code(link, language=None, wrap_lines=True)
    if urlsplit(link).hostname in LOCAL:
        st.caption(plain("This address works on this machine only. Serve the dashboard on one that others reach."))
