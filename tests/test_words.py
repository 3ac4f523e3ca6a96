"""The words of pages, also of branches that no test of a page takes: sentences in the source are short and plain."""

import ast
from pathlib import Path

import pytest
from words import CAPTION, FORBIDDEN, SENTENCE, too_long, wordy

ROOT = Path(__file__).parents[1]
MODULES = sorted([*ROOT.glob("app/**/*.py"), *ROOT.glob("trellislib/summaries/*.py")])
LESSONS = sorted(ROOT.glob("assets/lessons/*.md"))


def texts(module):
    """Yield the texts in a module that are no docstrings and no Python, with one word for each value in them."""
    tree = ast.parse(module.read_text("utf-8"))
    apart = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    apart |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in apart:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            text = "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
        else:
            continue
        if "import " not in text and " = " not in text:
            yield text


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sentences_in_the_source_are_short_and_plain(module):
    found = [text for text in texts(module) if " " in text and (too_long(text, SENTENCE) or FORBIDDEN.search(text))]
    assert not found


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_sentences_of_lessons_are_short_and_plain(lesson):
    text = lesson.read_text("utf-8")
    assert not too_long(text, SENTENCE)
    assert not FORBIDDEN.search(text)


def test_what_is_wordy_is_found():
    long = " ".join(["word"] * (CAPTION + 1))
    assert wordy("Short. And plain.", ["A caption."], "All of it.") == []
    assert len(wordy(f"Short. {long}.", [long], "What is told beside it.")) == 4
