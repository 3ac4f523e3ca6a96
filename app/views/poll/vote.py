"""What a voter sees: the question, the answers to choose from, and the counts when the presenter shows them."""

import secrets

import streamlit as st
from components.parts import head, plain
from state import address
from state.polls import MOST_VOTES, Poll, polls

from views.poll import counts

code = st.query_params.get(address.POLL, "")
voter = st.session_state.setdefault("voter", secrets.token_hex(16))  # of this visit alone


@st.fragment(run_every=2)
def ballot() -> None:
    poll = polls().get(code)
    if poll is None:
        head("Poll", "No question is open at this link. The next one appears here.")
        return
    key = f"vote {poll.number}"
    head(poll.question, _said(poll))
    st.radio(
        poll.question,
        poll.answers,
        index=None,
        key=key,
        format_func=plain,
        label_visibility="collapsed",
        on_change=lambda: poll.vote(voter, st.session_state[key]),
        disabled=not poll.admits(voter),
    )
    if poll.is_shown:
        counts.show(poll)


def _said(poll: Poll) -> str:
    vote = poll.vote_of(voter)
    if poll.is_revealed and vote:
        return "Your answer is right." if vote == poll.right else f"Your answer is not right. Right is: {poll.right}."
    if poll.is_closed:
        return "Voting is closed." + (" Your vote is counted." if vote else "")
    if vote:
        return "Your vote is counted. You can change it until the poll ends."
    if poll.admits(voter):
        return "Choose an answer. Only its count is kept, until the poll ends."
    return f"This poll has {MOST_VOTES:,} votes, and takes no more."


with st.container(key="poll"):
    ballot()
