r"""Tables as LaTeX and Markdown write them: the rows of each, and its names with and without their escapes.

What `latex_escaped` and `markdown_escaped` write, `latex_plain` and `markdown_plain` read. The readers also take what
other people write, in which a macro around a name or a number is only for its looks: ``\texttt{IC}`` is IC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from trellislib.data.reading.delimited import Row
from trellislib.wording.latex import latex_escaped as latex_escaped
from trellislib.wording.latex import one_line

_SIGNS = {
    "textbackslash": "\\",
    "backslash": "\\",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
    "pm": "±",
    "textpm": "±",
    "infty": "∞",
    "dagger": "†",
    "ddagger": "‡",
    "ast": "*",
    "star": "*",
    "bullet": "•",
    "circ": "◦",
}
_RULE = re.compile(
    r"\\(?:hline|(?:top|mid|bottom)rule|addlinespace|cline|cmidrule)(?![a-zA-Z])"
    r"(?:[ \t]*(?:\[[^\]\n]*\]|\([^)\n]*\)|\{[^}\n]*\}))*"
)
_COMMENT = re.compile(r"((?<!\\)(?:\\\\)*)%.*")
_TABULAR = re.compile(r"\\begin\s*\{(tabular[*xy]?|longtable)\}")
_ROW_END = re.compile(r"\\\\\*?(?:[ \t]*\[[^\]\n]*\])?|\\tabularnewline(?![a-zA-Z])")
_LATEX_ROW = re.compile(r"(?<!\\)&.*\\\\")
_SPANNING = re.compile(r"\s*\\multicolumn\s*\{\s*(\d+)\s*\}\s*\{[^{}]*\}")
_TOKEN = re.compile(
    r"\\multirow\s*\{[^{}]*\}\s*\{[^{}]*\}"
    r"|\\(?:cite[a-z]*|ref|label|footnote|(?:text|cell|row)?color|rotatebox|[hv]space)\*?\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}"
    r"|\\([a-zA-Z]+)\*?(?:\{\}|\s*)|\\(.)|[{}$~]"
)
_MARKDOWN_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_MARKS = re.compile(r"(\*\*|__|\*|_|`)(.+)\1")
_NEEDS_BACKSLASH = re.compile(r"[\\`*_\[\]<>|~&$]")
_BACKSLASHED = re.compile(r"\\([!-/:-@\[-`{-~])")


def latex_plain(source: str) -> str:
    r"""Return what LaTeX source prints, without its looks.

    Examples
    --------
    >>> latex_plain(r"\textbf{0.517} $\pm$ 0.03"), latex_plain(r"\texttt{EBCC}-\textsc{fs}")
    ('0.517 ± 0.03', 'EBCC-fs')
    """

    def plain(token: re.Match[str]) -> str:
        macro, sign = token.groups()
        if macro:
            return _SIGNS.get(macro, "")
        if sign:
            return sign if sign in "&%$#_{}" else " " if sign in ",;: " else ""
        return " " if token[0] == "~" else ""

    return one_line(_TOKEN.sub(plain, source))


def is_latex(text: str) -> bool:
    r"""Whether a text has a tabular, or rows of one: cells between ``&`` up to a ``\\``."""
    return bool(_TABULAR.search(text) or _LATEX_ROW.search(text))


def count_latex_tables(text: str) -> int:
    """Return the number of tabulars in a text."""
    return len(_TABULAR.findall(_without_comments(text)))


def latex_rows(text: str) -> Iterator[Row]:
    r"""Yield the rows of the first tabular of a text, or of a text that has rows only, each with its line's number.

    Rules, comments and what is around the tabular are left out; a cell that spans several columns is followed by
    empty ones.

    Examples
    --------
    >>> list(latex_rows(r"\hline Music & \textbf{0.5} (1) & DNF \\ \hline"))
    [(1, ['Music', '0.5 (1)', 'DNF'])]
    """
    text = _RULE.sub(lambda rule: " " * len(rule[0]), _without_comments(text))
    start, end = 0, len(text)
    tabular = _TABULAR.search(text)
    if tabular:
        start = _after_arguments(text, tabular.end())
        end = text.find(rf"\end{{{tabular[1]}}}", start)
        end = len(text) if end < 0 else end
    while start < end:
        row_end = _ROW_END.search(text, start, end)
        row = text[start : row_end.start() if row_end else end]
        if row.strip():
            blank = len(row) - len(row.lstrip())
            yield text.count("\n", 0, start + blank) + 1, [*_latex_cells(row)]
        start = row_end.end() if row_end else end


def _latex_cells(row: str) -> Iterator[str]:
    for cell in re.split(r"(?<!\\)&", row):
        spanning = _SPANNING.match(cell)
        yield latex_plain(cell[spanning.end() :] if spanning else cell)
        yield from [""] * (int(spanning[1]) - 1 if spanning else 0)


def _without_comments(text: str) -> str:
    return _COMMENT.sub(lambda comment: comment[1] + " " * (len(comment[0]) - len(comment[1])), text)


def _after_arguments(text: str, at: int) -> int:
    """Return where the arguments in braces and brackets end that start at a place."""
    closing = {"{": "}", "[": "]"}
    while at < len(text) and text[at] in closing:
        opened, depth = text[at], 0
        while at < len(text):
            depth += (text[at] == opened) - (text[at] == closing[opened])
            at += 1
            if depth == 0:
                break
    return at


def markdown_escaped(text: str) -> str:
    r"""Return a text as the source of a Markdown cell that shows it.

    Examples
    --------
    >>> print(markdown_escaped("CT_a|b"))
    CT\_a\|b
    """
    return _NEEDS_BACKSLASH.sub(lambda sign: f"\\{sign[0]}", one_line(text))


def markdown_plain(source: str) -> str:
    """Return what a Markdown cell shows, without marks around the whole of it.

    Examples
    --------
    >>> markdown_plain(" **`IC`** ")
    'IC'
    """
    source = source.strip()
    while marked := _MARKS.fullmatch(source):
        source = marked[2]
    return one_line(_BACKSLASHED.sub(r"\1", source))


def is_markdown(text: str) -> bool:
    """Whether a text has a table of Markdown: a rule of dashes below a header, or all lines between bars."""
    return bool(count_markdown_tables(text)) or all(
        line.strip().startswith("|") and line.strip().endswith("|") for line in text.split("\n") if line.strip()
    )


def count_markdown_tables(text: str) -> int:
    """Return the number of rules in a text that follow a line with bars."""
    lines = text.split("\n")
    return sum("|" in above and _is_rule(line) for above, line in pairwise(lines))


def markdown_rows(text: str) -> Iterator[Row]:
    r"""Yield the rows of a text that have bars, each with its line's number; the rule below the header is left out.

    Examples
    --------
    >>> list(markdown_rows("| | IC |\n|---|---:|\n| a\\|b | **0.5** |\n"))
    [(1, ['', 'IC']), (3, ['a|b', '0.5'])]
    """
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if "|" not in bare or _is_rule(bare):
            continue
        bare = bare.removeprefix("|")
        bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
        yield number, [markdown_plain(cell) for cell in re.split(r"(?<!\\)\|", bare)]


def _is_rule(line: str) -> bool:
    return "|" in line and _MARKDOWN_RULE.fullmatch(line) is not None
