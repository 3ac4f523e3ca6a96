"""The text of a lesson: a Markdown file of `assets/lessons`, read into blocks, its facts filled in.

A file begins with front matter, one `name: value` per line between two lines of `---`::

    ---
    title: The chain
    question: Does the order of a chain matter?
    paper: Background and Related Work: Classifier Chains
    page: trellis
    opens: Place labels in a trellis
    ---

`paper` is the section of the paper; `page` the folder in `app/views` of the page that the lesson's end leads to, with
`opens` on its link. Then come blocks: prose in Markdown, and

- ``:::live NAME`` on a line of its own: the place of what ``Content.live[NAME]()`` draws, with its controls; with
  ``:::live NAME right``, this is to the right of the prose before it, where the window has room for both;
- ``:::question NAME``, the question, its options as a list (``- option``), prose if any, and ``:::``: the page asks it,
  and ``Content.questions[NAME]()`` finds which option is right and why, an `Answer`. The prose below the options is
  shown once the question is answered, so that nothing gives the answer away;
- ``:::screen`` on a line of its own, where the next screen begins: one idea a screen.

``{name}`` anywhere in prose, questions and options is filled with ``Content.facts()[name]``, as plain text. No number
and no claim is written in the text itself. The module of a lesson, as `frame.MODULES` names it,
holds its `Content` as ``LESSON``. Facts may follow the controls: live figures are drawn first in every run, each draws
its controls before all else, and facts read ``st.session_state.get(key, default)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path

from components.parts import plain
from state.assets import ASSETS
from state.call import Script

FOLDER = ASSETS / "lessons"
FRONT = ("title", "question", "paper", "page", "opens")
WORDS_A_MINUTE, SECONDS_A_FIGURE = 130, 20  # of a reader who looks at figures, too
PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class LessonError(ValueError):
    """A lesson's file is not as it should be."""


@dataclass(frozen=True)
class Answer:
    """Which option is right, as it is written once facts are filled in, and why."""

    right: str
    why: str


@dataclass(frozen=True)
class Content:
    """What a lesson computes: its facts, its figures by name, its answers by name, and the same in Python."""

    facts: Callable[[], Mapping[str, str]]
    live: Mapping[str, Callable[[], None]]
    questions: Mapping[str, Callable[[], Answer]]
    code: Callable[[], Script | str]
    query: Callable[[], Mapping[str, str]] = field(default=dict)  # of the link to the full page
    knobs: Callable[[], None] = lambda: None  # on every screen


@dataclass(frozen=True)
class Prose:
    """A piece of Markdown."""

    text: str

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.text,)


@dataclass(frozen=True)
class Live:
    """The place of a live figure, which may be to the right of the prose before it."""

    name: str
    is_right: bool = False
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A question with its options, and the prose that follows once it is answered."""

    name: str
    text: str
    options: tuple[str, ...]
    then: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.text, *self.options, self.then)


Block = Prose | Live | Question
Screen = tuple[Block, ...]


@dataclass(frozen=True)
class Text:
    """A lesson's file: what it is called and asks, and its screens."""

    number: int
    title: str
    question: str
    paper: str
    page: str
    opens: str
    screens: tuple[Screen, ...]

    @property
    def blocks(self) -> Screen:
        """All blocks of all screens."""
        return tuple(block for screen in self.screens for block in screen)

    @property
    def n_words(self) -> int:
        """How many words there are to read, those after an answer included."""
        return sum(len(text.split()) for block in self.blocks for text in block.texts)

    @property
    def minutes(self) -> int:
        """How long the lesson takes: its words, and a look at each figure."""
        n_figures = sum(isinstance(block, Live) for block in self.blocks)
        return ceil(self.n_words / WORDS_A_MINUTE + n_figures * SECONDS_A_FIGURE / 60)

    def check(self, content: Content, facts: Mapping[str, str]) -> None:
        """Raise a LessonError unless the text names everything that is there, and everything that it names is there."""
        texts = [text for block in self.blocks for text in block.texts]
        named = {name for text in texts for name in PLACEHOLDER.findall(text)}
        for what, ours, theirs in (
            ("facts", named, set(facts)),
            ("live figures", {block.name for block in self.blocks if isinstance(block, Live)}, set(content.live)),
            ("questions", {block.name for block in self.blocks if isinstance(block, Question)}, set(content.questions)),
        ):
            if ours != theirs:
                raise LessonError(
                    f"Lesson {self.number}: got the {what} {sorted(ours)}, but expected {sorted(theirs)}."
                )


def filled(text: str, facts: Mapping[str, str], *, escape: bool = True) -> str:
    """Return a text with its facts, escaped for Markdown; a LessonError where it names no fact."""

    def fact(found: re.Match[str]) -> str:
        if found[1] not in facts:
            raise LessonError(f"Got the fact {found[1]!r}, but expected one of {sorted(facts)}.")
        return plain(facts[found[1]]) if escape else facts[found[1]]

    if "{" in PLACEHOLDER.sub("", text) or "}" in PLACEHOLDER.sub("", text):
        raise LessonError(f"Got a brace that is no fact's in {text[:60]!r}, but expected facts as in {{name}}.")
    return PLACEHOLDER.sub(fact, text)


def read(number: int, folder: Path = FOLDER) -> Text:
    """Return the text of a lesson; a LessonError where there is not one file of this number, or it is no lesson."""
    files = sorted(folder.glob(f"{number}-*.md"))
    if len(files) != 1:
        raise LessonError(f"Got {len(files)} files of lesson {number}, but expected one.")
    return parsed(number, files[0].read_text(encoding="utf-8"))


def parsed(number: int, content: str) -> Text:
    """Return a lesson from the content of its file; see `read`."""
    parts = re.fullmatch(r"---\n(.*?)\n---\n(.*)", content, re.DOTALL)
    if parts is None:
        raise LessonError(
            f"Lesson {number}: got no front matter, but expected {', '.join(FRONT)} between lines of ---."
        )
    front = dict(line.split(": ", 1) for line in parts[1].splitlines() if ": " in line)
    if tuple(front) != FRONT:
        raise LessonError(f"Lesson {number}: got front matter of {list(front)}, but expected {list(FRONT)}.")
    return Text(number=number, screens=tuple(map(tuple, _screens(number, parts[2]))), **front)


def _screens(number: int, content: str) -> list[list[Block]]:
    screens: list[list[Block]] = [[]]
    prose: list[str] = []

    def end_prose() -> None:
        text = "\n".join(prose).strip()
        if text:
            screens[-1].append(Prose(text))
        prose.clear()

    lines = iter(content.splitlines())
    for line in lines:
        if not line.startswith(":::"):
            prose.append(line)
            continue
        end_prose()
        match line[3:].split():
            case ["screen"]:
                screens.append([])
            case ["live", name]:
                screens[-1].append(Live(name))
            case ["live", name, "right"] if screens[-1] and isinstance(screens[-1][-1], Prose):
                screens[-1].append(Live(name, is_right=True))
            case ["question", name]:
                inside: list[str] = []
                for below in lines:
                    if below.strip() == ":::":
                        break
                    inside.append(below)
                else:
                    raise LessonError(
                        f"Lesson {number}: got no end of question {name!r}, but expected a line of ':::'."
                    )
                listed = [place for place, below in enumerate(inside) if below.startswith("- ")]
                if len(listed) < 2 or not (asked := " ".join(map(str.strip, inside[: listed[0]])).strip()):
                    raise LessonError(f"Lesson {number}: got question {name!r}, but expected a text and two options.")
                options = tuple(inside[place][2:].strip() for place in listed)
                screens[-1].append(Question(name, asked, options, "\n".join(inside[listed[-1] + 1 :]).strip()))
            case _:
                raise LessonError(
                    f"Lesson {number}: got {line!r}, but expected ':::live NAME', ':::question NAME' or ':::screen'."
                )
    end_prose()
    return screens
