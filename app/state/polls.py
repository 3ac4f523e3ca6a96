"""Polls of a class, in the server's memory only: a question, its answers, and who gave which, by a name for the visit.

A poll goes with its end, or once its presenter has been gone for an hour. Its code, which the presenter's workspace
has, is that of the next one as well, so that phones which are there need no new link.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

from trellislib.wording import counted

GONE = 3600.0  # seconds after which a poll goes if its presenter does not come back
MOST_POLLS = 64
MOST_VOTES = 1_000  # of a poll
FEWEST_ANSWERS, MOST_ANSWERS = 2, 5
LONGEST_QUESTION, LONGEST_ANSWER = 300, 120  # characters


@dataclass(eq=False)
class Poll:
    """A question, its answers, and what was chosen so far."""

    question: str
    answers: tuple[str, ...]
    right: str = ""  # which answer is, if one is
    is_shown: bool = False  # whether all see the counts
    is_revealed: bool = False  # whether all see which answer is right
    is_closed: bool = False  # whether votes count no more
    number: str = field(default_factory=lambda: secrets.token_hex(8))  # which tells it from the one before
    _seen: float = field(default_factory=time.monotonic)
    _votes: dict[str, str] = field(default_factory=dict)  # by voter
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def vote(self, voter: str, answer: str) -> None:
        """Count an answer in place of the voter's last one, unless there are too many voters already."""
        with self._lock:
            if self.admits(voter):
                self._votes[voter] = answer

    def admits(self, voter: str) -> bool:
        return not self.is_closed and (voter in self._votes or len(self._votes) < MOST_VOTES)

    def turn(self) -> None:
        """Show the counts, or hide them again."""
        self.is_shown = not self.is_shown

    def reveal(self) -> None:
        """Show which answer is right, after which no vote counts."""
        self.is_revealed = True
        self.close()

    def close(self) -> None:
        """Take no more votes, and show the counts."""
        self.is_closed = self.is_shown = True

    def vote_of(self, voter: str) -> str | None:
        return self._votes.get(voter)

    def counts(self) -> dict[str, int]:
        """Return how often each answer was given."""
        with self._lock:
            given = Counter(self._votes.values())
        return {answer: given[answer] for answer in self.answers}

    def watch(self) -> None:
        """Note that the presenter is there."""
        self._seen = time.monotonic()

    @property
    def is_forgotten(self) -> bool:
        return time.monotonic() - self._seen > GONE


class Polls:
    """The polls that go on, by their codes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, Poll] = {}

    def ask(self, question: str, answers: Sequence[str], code: str = "", right: str = "") -> str:
        """Begin a poll under a code, or a new one; return it. A ValueError says in one sentence what is wrong.

        `right` is the right answer, if there is one; it is ignored where it is none of the answers.
        """
        poll = _poll(question, answers, right)
        with self._lock:
            self._forget()
            if len(self._held.keys() - {code}) >= MOST_POLLS:
                raise ValueError(f"{MOST_POLLS} polls go on at this server: end one of them, or ask later.")
            code = code or secrets.token_urlsafe(24)
            self._held[code] = poll
        return code

    def get(self, code: str) -> Poll | None:
        with self._lock:
            self._forget()
            return self._held.get(code)

    def end(self, code: str) -> None:
        """Forget a poll and its votes."""
        with self._lock:
            self._held.pop(code, None)

    def _forget(self) -> None:
        self._held = {code: poll for code, poll in self._held.items() if not poll.is_forgotten}


def written(answers: Sequence[str]) -> list[str]:
    """Return the answers as a poll has them: no empty ones, and no blanks but between words."""
    return [" ".join(text.split()) for text in answers if text.strip()]


def _poll(question: str, answers: Sequence[str], right: str) -> Poll:
    question, options = " ".join(question.split()), written(answers)
    if not 0 < len(question) <= LONGEST_QUESTION:
        raise ValueError(f"Got a question of {len(question):,} characters, but expected 1 to {LONGEST_QUESTION}.")
    if not FEWEST_ANSWERS <= len(options) <= MOST_ANSWERS:
        raise ValueError(
            f"Got {counted(len(options), 'answer')}, but expected {FEWEST_ANSWERS} to {MOST_ANSWERS}, one a line."
        )
    for option, times in Counter(options).items():
        if len(option) > LONGEST_ANSWER:
            raise ValueError(
                f"The answer {option[:20]}... has {len(option):,} characters, but expected {LONGEST_ANSWER} at most."
            )
        if times > 1:
            raise ValueError(f"The answer {option} is there {times} times: keep one of them.")
    return Poll(question, tuple(options), right if right in options else "")


@st.cache_resource
def polls() -> Polls:
    return Polls()
