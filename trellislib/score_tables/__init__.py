"""Score tables as people publish them, read and written: CSV, Markdown and LaTeX."""

from trellislib.score_tables.direction import likely_higher_is_better
from trellislib.score_tables.files import ScoreFile, read_scores
from trellislib.score_tables.report import as_csv, as_latex, as_markdown, as_text

__all__ = [
    "ScoreFile",
    "as_csv",
    "as_latex",
    "as_markdown",
    "as_text",
    "likely_higher_is_better",
    "read_scores",
]
