"""What plays steps one after the other: a slider and buttons, B, P and N on the keyboard, the step in the address."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import streamlit as st
from state import address

from components.parts import button

PACE = 1.2  # seconds between steps
ALONE = 30.0  # seconds without a step after which nobody watches; a busy server may take some for one
BEHIND = 3  # steps by which a slow browser may be late
SLIDING = 200  # steps up to which a slider finds each
# The step that was taken last. A key that is pressed before the browser has that step comes with the slider's old one.
SHOWN = "step shown"


@dataclass
class Playing:
    """A player that runs: of which steps, at which it is, and when it took that one."""

    of: Hashable
    step: int
    last: float


def play(draw: Callable[[int], None], n_steps: int, of: Hashable) -> int:
    """Show the buttons, and what `draw` makes of the step that they are at, from 0; return that step.

    A player that runs goes on as long as its steps are `of` the same.
    """
    st.session_state["step"] = min(max(st.session_state.get("step", 1), 1), n_steps)
    player = st.session_state.get("player")
    if player and (player.of != of or time.monotonic() - player.last > ALONE):  # nobody watched it
        _pause()
        player = None
    # A player that rests is a part of the page, so that the page follows each step; one that runs reruns itself alone.
    if player:
        st.fragment(_turn, run_every=PACE)(draw, n_steps, of)
    else:
        with st.container():  # as a fragment is, so that nothing jumps between the two
            _turn(draw, n_steps, of)
    return st.session_state["step"] - 1


def _turn(draw: Callable[[int], None], n_steps: int, of: Hashable) -> None:
    """Take the next step if it is time for it; show the buttons and the step."""
    player = st.session_state.get("player")
    if player and time.monotonic() - player.last > PACE / 2:
        st.session_state["step"] = player.step = min(st.session_state["step"] + 1, n_steps)
        player.last = time.monotonic()
        if st.session_state["step"] == n_steps:
            _pause()
    if player is not None and "player" not in st.session_state:
        st.rerun()
    if st.session_state.pop("paused here", False):
        st.rerun()
    if n_steps > 1:
        _buttons(n_steps, of)
    draw(st.session_state["step"] - 1)


def _buttons(n_steps: int, of: Hashable) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="own knobs"):
        at = (st.slider if n_steps <= SLIDING else st.number_input)(
            "Step",
            1,
            n_steps,
            key="step",
            bind="query-params",
            width=150 if address.is_presented() else 220,
            on_change=_slid,
        )  # comes first, for what the address says is known from here on
        st.session_state[SHOWN] = at
        button("First", "first step", "first_page", _go, 1, disabled=at == 1)
        button("Back", "step back", "chevron_left", _move, -1, n_steps, shortcut="B", disabled=at == 1)
        if "player" in st.session_state:
            button("Pause", "pause", "pause", _pause_here, shortcut="P", type="primary")
        else:
            button("Play", "play", "play_arrow", _play, of, n_steps, shortcut="P", type="primary")
        button("Next", "step on", "chevron_right", _move, 1, n_steps, shortcut="N", disabled=at == n_steps)
        button("Last", "last step", "last_page", _go, n_steps, disabled=at == n_steps)


def _play(of: Hashable, n_steps: int) -> None:
    """Start the player, at the end from the first step again."""
    shown = st.session_state[SHOWN]
    st.session_state["step"] = 1 if shown >= n_steps else shown
    st.session_state["player"] = Playing(of, st.session_state["step"], time.monotonic())


def _pause() -> None:
    st.session_state.pop("player", None)


def _pause_here() -> None:
    """Stop a player that runs, and let the page follow."""
    if st.session_state.pop("player", None):
        st.session_state["paused here"] = True


def _slid() -> None:
    """Stop a player that runs where somebody moved the slider.

    A browser that is behind sends one of the steps just before, which nobody chose.
    """
    player: Playing | None = st.session_state.get("player")
    if player and player.step - BEHIND <= st.session_state["step"] <= player.step:
        st.session_state["step"] = player.step
    else:
        _pause_here()


def _go(step: int) -> None:
    _pause_here()
    st.session_state["step"] = st.session_state[SHOWN] = step


def _move(by: int, n_steps: int) -> None:
    _go(min(max(st.session_state[SHOWN] + by, 1), n_steps))
