"""The lessons as pages: their texts, with the numbers that the dashboard would show at its defaults."""

from importlib import import_module
from pathlib import Path

from streamlit.logger import set_log_level
from views.lessons.frame import MODULES, NUMBERS
from views.lessons.text import Content, Question, Text, filled, read

LIVE = "```{note}\nA live figure of the dashboard: `trellislib app`, **Lesson {number}**.\n```"


def write_lessons(folder: Path) -> None:
    """Write a page for each lesson, and one that lists them."""
    folder.mkdir(exist_ok=True)
    set_log_level("ERROR")  # it warns that no browser is connected
    for number, module in enumerate(MODULES, start=1):
        text = read(number)
        (folder / f"{number}.md").write_text(page(text, import_module(f"views.lessons.{module}").LESSON), "utf-8")
    index = [
        "# Lessons",
        "",
        f"{len(NUMBERS)} pages of about five minutes each.",
        "",
        "```{toctree}",
        *map(str, NUMBERS),
        "```",
    ]
    (folder / "index.md").write_text("\n".join(index) + "\n", "utf-8")


def page(text: Text, content: Content) -> str:
    """Return a lesson as Markdown, its facts filled in and its questions answered."""
    facts = content.facts()
    parts = [f"# {text.number}. {text.title}", f"*{text.question}* {text.minutes} minutes."]
    for block in text.blocks:
        if isinstance(block, Question):
            answer = content.questions[block.name]()
            options = "\n".join(f"- {filled(option, facts)}" for option in block.options)
            parts += [f"**{filled(block.text, facts)}**", options]
            parts += ["<details><summary>Answer</summary>", f"**{answer.right}.** {answer.why}"]
            parts += [filled(block.then, facts), "</details>"]
        else:
            parts.append(filled(block.text, facts) if block.texts else LIVE.replace("{number}", str(text.number)))
    return "\n\n".join(filter(None, parts)) + "\n"
