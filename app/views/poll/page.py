"""Poll: ask a class a question; phones answer by a link, and the answers are counted here."""

import streamlit as st
from components.link_code import link_code
from components.parts import button, head, plain
from state import address, session
from state.polls import LONGEST_QUESTION, Poll, polls, written
from state.registry import workspaces

from trellislib.wording import counted
from views.poll import counts

READY = {
    "Is it clear?": ("Is everything clear so far?", ("Yes", "Mostly", "No")),
    "Which labels?": (
        "Does one of these labels help to predict the other?",
        ("Yes", "Only where the features say little", "No"),
    ),
    "Which method?": (
        "Which method gets most label sets exactly right here?",
        ("Independent classifiers (IC)", "A classifier chain (CC)", "A classifier trellis (CT)", "They are equal"),
    ),
}

workspace = session.workspace()


def form() -> None:
    """Let a question be chosen or written, and asked."""
    head(
        "Ask a class",
        "Phones answer by a link, without accounts. The server counts the answers and keeps nothing after the poll.",
    )
    first = READY["Is it clear?"]
    if address.POLL_QUESTION not in st.session_state:
        _draft(*first)
    with st.container(horizontal=True):
        for name, ready in READY.items():
            button(name, name, "quiz", _draft, *ready)
    question = st.text_input(
        "Question", key=address.POLL_QUESTION, bind="query-params", max_chars=LONGEST_QUESTION, width=900
    )
    answers = st.text_area(
        "Answers, 2 to 5, one a line", key=address.POLL_ANSWERS, bind="query-params", height=160, width=900
    )
    options = written((answers or "").splitlines())
    if address.POLL_RIGHT in st.query_params:
        st.session_state[address.POLL_RIGHT] = address.unveiled(st.query_params.pop(address.POLL_RIGHT))
    if st.session_state.get(address.POLL_RIGHT) not in (None, *options):
        st.session_state[address.POLL_RIGHT] = None
    with st.popover("Right answer, if there is one", icon=":material/check:"):  # closed, for the class sees the screen
        about = "The class sees it when you show it."
        right = st.radio(about, options, None, key=address.POLL_RIGHT)
    if st.button("Ask", icon=":material/how_to_vote:", type="primary", key="ask"):
        try:
            workspace.poll = polls().ask(question or "", options, workspace.poll, right or "")
        except ValueError as error:
            st.error(plain(str(error)), icon=":material/error:")
        else:
            workspaces().keep(workspace)  # a reload leads back to it
            st.rerun()


def _draft(question: str, answers: tuple[str, ...]) -> None:
    st.session_state[address.POLL_QUESTION] = question
    st.session_state[address.POLL_ANSWERS] = "\n".join(answers)
    st.session_state[address.POLL_RIGHT] = None


def asked(poll: Poll) -> None:
    """Show the way to the question, and what is answered."""
    st.title(plain(poll.question), anchor=False)
    way, answers = st.columns([2, 3], gap="large")
    with way:
        link_code(address.poll_link(workspace.poll))
    with answers:
        with st.container(horizontal=True, vertical_alignment="center"):
            if not poll.is_closed:
                hide = {"label": "Hide counts", "icon": "visibility_off"}
                show = {"label": "Show counts", "icon": "visibility", "type": "primary"}
                button(key="turn counts", act=poll.turn, shortcut="S", **(hide if poll.is_shown else show))
            if poll.right and not poll.is_revealed:
                button("Show the right answer", "reveal", "check", poll.reveal, shortcut="A")
            if poll.is_closed:
                button("New question", "end poll", "quiz", polls().end, workspace.poll, type="primary")
            else:
                button("Close voting", "close poll", "stop_circle", poll.close)
        with st.container(key="poll"):
            answered()


@st.fragment(run_every=1.5)
def answered() -> None:
    """Show how many have answered, and what, for as long as the poll goes on."""
    poll = polls().get(workspace.poll)
    if poll is None:
        st.rerun()
    poll.watch()
    st.markdown(f"**{counted(sum(poll.counts().values()), 'vote')}**")
    if poll.is_shown:
        counts.show(poll)
    else:
        st.markdown("\n".join(f"- {plain(answer)}" for answer in poll.answers))


if poll := polls().get(workspace.poll):
    asked(poll)
else:
    form()
