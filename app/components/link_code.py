"""A link as a picture that a phone reads, and as text."""

from __future__ import annotations

from urllib.parse import urlsplit

import segno
import streamlit as st

from components.parts import plain

LOCAL = ("localhost", "127.0.0.1", "::1")


def link_code(link: str) -> None:
    """Show a link to be read by a phone, and to be copied."""
    try:
        code = segno.make(link, micro=False).svg_data_uri(scale=8, border=4, light="white")
        st.image(code, width=400, alt="QR code of the link below")
    except segno.DataOverflowError:
        st.caption("The link is too long for a code.")
    st.code(link, language=None, wrap_lines=True)
    if urlsplit(link).hostname in LOCAL:
        how = "Start the dashboard by: trellislib app --address 0.0.0.0, and open it by the address of this machine."
        st.info(plain(f"This address works on this machine only. {how}"))
