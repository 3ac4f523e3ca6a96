"""Pin the setting of a page as A, and compare it with the one that its knobs have now, B.

A page writes its setting as a text that it can read back, and asks for what is pinned where the button should be:

    pinned = pinning("room", written(setting), read)
    if pinned is None:
        show(setting)
    else:
        st.markdown(plain(f"{changes(knobs_of(pinned), knobs_of(setting))}: accuracy rises from 0.25 to 0.5."))
        left, right = sides()
        with left:
            show(pinned)
        with right:
            show(setting)

`pinning` keeps what is pinned for the visit, and in the address as ``room_a``, so that a link opens with both. What is
shown twice needs keys that differ, such as ``show(pinned, key="estimates a")``. `changes` says which knobs differ, for
the sentence that states the difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.parts import button, plain
from trellislib.wording import listed

T = TypeVar("T")
MOST_CHARACTERS = 1_500  # of a pinned setting in an address


def pinning(page: str, setting: str | None, read: Callable[[str], T]) -> T | None:
    """Show "Pin as A", or "Unpin A" where a setting is pinned; return what is pinned, None where nothing is.

    Parameters
    ----------
    page
        What the page is called: the address has the pinned setting as ``page_a``.
    setting
        The setting that the knobs have now, as `read` reads it; None where there is nothing to pin yet.
    read
        Returns the setting of a text, which may be from an address: a ValueError says in one sentence what is wrong.
    """
    name = f"{page}_a"
    text = st.session_state.setdefault(name, st.query_params.get(name, ""))
    pinned = None
    try:
        if len(text) > MOST_CHARACTERS:
            raise ValueError(f"It has {len(text):,} characters, but at most {MOST_CHARACTERS:,} are read.")
        pinned = read(text) if text else None
    except ValueError as error:
        st.session_state[name] = text = ""
        # Not where the button is, for a row of knobs has no room for it.
        st.toast(plain(f"The pinned setting cannot be shown. {error}"), icon=":material/warning:", duration="long")
    _in_address(name, text)
    if pinned is None:
        is_short = setting is not None and len(setting) <= MOST_CHARACTERS
        button("Pin as A", f"pin {page}", "keep", _keep, name, setting or "", disabled=not is_short, help=_HELP)
    else:
        button("Unpin A", f"pin {page}", "keep_off", _keep, name, "", help="Show the current setting alone.")
    return pinned


_HELP = "Keep this setting as A. Then change a knob: A and the new setting B are shown side by side."


def _keep(name: str, text: str) -> None:
    st.session_state[name] = text


def _in_address(name: str, text: str) -> None:
    if not text:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != text:
        st.query_params[name] = text


def sides() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return the places of A and of B, next to each other under these names."""
    first, second = st.columns(2, gap="small")
    first.markdown("**A**, pinned")
    second.markdown("**B**, now")
    return first, second


def changes(first: Mapping[str, object], second: Mapping[str, object]) -> str:
    """Return in words which knobs differ, as "N 5,000 instead of 1,000 and another scene"; empty where none does.

    Parameters
    ----------
    first, second
        The value of each knob in A and in B by what the knob is called. What is no text is only said to be another.
    """
    changed = {knob: value for knob, value in second.items() if value != first[knob]}
    return listed(
        [
            f"{knob} {value} instead of {first[knob]}" if isinstance(value, str) else f"another {knob}"
            for knob, value in changed.items()
        ]
    )
