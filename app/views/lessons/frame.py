"""A lesson as a page: its screens of text and live figures, its questions, and the way to the next.

The screen is in the address, so that a lesson resumes where it was left.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from itertools import zip_longest

import streamlit as st
from components.parts import button, foot, plain
from components.scripts import browser_component
from state import address
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage

from views.lessons.text import Answer, Block, Content, LessonError, Live, Prose, Question, Screen, Text, filled, read

MODULES = (  # of what lessons compute
    "many_labels",
    "independence",
    "chain",
    "structure",
    "trellis",
    "verdict",
    "deciding",
    "depth",
)
NUMBERS = range(1, len(MODULES) + 1)
RIGHT = (4, 7)  # the widths of prose and of a figure to its right
TRIES = 2  # after which the answer is given

_begins_at_its_top = browser_component("trellis_lesson", __file__)


def view(number: int) -> StreamlitPage:

    def lesson() -> None:
        show(number, import_module(f"views.lessons.{MODULES[number - 1]}").LESSON)

    return st.Page(lesson, title=f"Lesson {number}", url_path=f"lesson-{number}", visibility="hidden")


def show(number: int, content: Content) -> None:
    text = read(number)
    st.title(text.title, anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.markdown(f"**{plain(text.question)}**", width="content")
        st.caption(f"Lesson {number} of {len(NUMBERS)}, about {text.minutes} minutes.", width="content")
    content.knobs()
    body = st.container()
    at = turning(number, len(text.screens))
    with body:
        places = arranged(text.screens[at - 1])
    for block, place in places:  # before all else, for a control has its value from the address once it is drawn
        if isinstance(block, Live):
            with place:
                content.live[block.name]()
    facts = content.facts()
    text.check(content, facts)
    for block, place in places:
        with place:
            match block:
                case Prose():
                    st.markdown(filled(block.text, facts), width=760)
                case Question():
                    if ask(number, block, content.questions[block.name](), facts) and block.then:
                        st.markdown(filled(block.then, facts), width=760)
    leave(text, content.query())
    foot(content.code())


def arranged(screen: Screen) -> list[tuple[Block, DeltaGenerator]]:
    """Return the blocks of a screen with their places, one below the other unless a figure goes to the right."""
    places: list[tuple[Block, DeltaGenerator]] = []
    for block, after in zip_longest(screen, screen[1:]):
        if isinstance(after, Live) and after.is_right:
            left, right = st.columns(RIGHT, gap="medium")
            places += [(block, left), (after, right)]
        elif not (isinstance(block, Live) and block.is_right):
            places.append((block, st.container()))
    return places


def turning(number: int, n_screens: int) -> int:
    """Let one of several screens be chosen, also by the arrow keys; return its number, from 1."""
    if st.session_state.setdefault("screen of lesson", number) != number:  # on the way from another one
        st.session_state.update({"screen": 1, "screen of lesson": number})
    if n_screens == 1:
        return 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="turning"):
        back, forth = st.container(width="content"), st.container(width="content")
        with forth, st.container(horizontal=True, vertical_alignment="center", gap="small"):
            chosen = st.segmented_control(
                "Screen",
                range(1, n_screens + 1),
                default=1,
                required=True,
                key="screen",
                bind="query-params",
                format_func=lambda number: f"{number} of {n_screens}",
                label_visibility="collapsed",
            )
            at = chosen or 1
            is_last = at == n_screens
            look = "secondary" if is_last else "primary"
            button("Next", "screen on", "chevron_right", _turn, at + 1, shortcut="Right", disabled=is_last, type=look)
        with back:
            button("Back", "screen back", "chevron_left", _turn, at - 1, shortcut="Left", disabled=at == 1)
        _begins_at_its_top(data={"screen": f"{number} {at}"}, key="turned")
    return at


def _turn(to: int) -> None:
    st.session_state["screen"] = to


def ask(number: int, question: Question, answer: Answer, facts: Mapping[str, str]) -> bool:
    """Ask a question; once it is answered, or missed twice, say what is right and why. Return whether that is so."""
    key = f"lesson {number} {question.name}"
    options = [filled(option, facts, escape=False) for option in question.options]
    if answer.right not in options:
        raise LessonError(f"Got the right answer {answer.right!r}, but expected one of {options}.")
    if st.session_state.get(f"{key} options", options) != options:  # knobs made another question of it
        st.session_state[key], st.session_state[f"{key} tries"] = None, 0
    st.session_state[f"{key} options"] = options
    with st.container(border=True):
        chosen = st.radio(
            filled(question.text, facts),
            options,
            index=None,
            format_func=plain,
            key=key,
            persist_state="session",  # for whoever turns back to its screen
            on_change=take_note,
            args=(key, answer.right),
        )
        is_over = chosen == answer.right or st.session_state.get(f"{key} tries", 0) >= TRIES
        if chosen is not None and st.session_state.get(f"{key} right", answer.right) != answer.right:
            st.info(plain(f"As the knobs are now: {answer.right}. {answer.why}"), icon=":material/tune:")
        elif chosen == answer.right:
            st.success(plain(f"Right. {answer.why}"), icon=":material/check:")
        elif chosen is not None and is_over:
            st.info(plain(f"Not quite. The right answer is: {answer.right}. {answer.why}"), icon=":material/close:")
        elif chosen is not None:
            st.info("Not quite. Try again.", icon=":material/refresh:")
        elif question.then:
            st.caption("The explanation appears after your answer.")
        if address.is_presented():
            asked = {
                address.POLL_QUESTION: filled(question.text, facts, escape=False),
                address.POLL_ANSWERS: "\n".join(options),
                address.POLL_RIGHT: address.veiled(answer.right),
            }
            st.page_link("views/poll/page.py", label="Ask the class", icon=":material/how_to_vote:", query_params=asked)
    return chosen is not None and is_over


def take_note(key: str, right: str) -> None:
    """Keep what was right when an option was chosen, which a knob may change afterwards, and count what is wrong.

    A click on options that a knob was just changing chooses nothing.
    """
    st.session_state[f"{key} right"] = right
    if st.session_state.get(key) not in (None, right):
        st.session_state[f"{key} tries"] = st.session_state.get(f"{key} tries", 0) + 1


def leave(text: Text, query: Mapping[str, str]) -> None:
    """Show the ways from a lesson: to the paper's section, to the full page, to its neighbours, to all lessons."""
    st.caption(f"In the paper: {plain(text.paper)}.")
    with st.container(horizontal=True):
        st.page_link(
            f"views/{text.page}/page.py",
            label=f"Open this on the full page: {plain(text.opens)}",
            icon=":material/open_in_new:",
            query_params=dict(query),
        )
        if text.number - 1 in NUMBERS:
            before = read(text.number - 1)
            st.page_link(view(before.number), label=f"Before: {plain(before.title)}", icon=":material/arrow_back:")
        st.page_link("views/lessons/page.py", label="All lessons", icon=":material/school:")
        if text.number + 1 in NUMBERS:
            after = read(text.number + 1)
            st.page_link(view(after.number), label=f"Next: {plain(after.title)}", icon=":material/arrow_forward:")
