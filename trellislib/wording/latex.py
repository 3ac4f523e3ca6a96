r"""Text as LaTeX source that prints it, for tables, drawings and graphs alike."""

from __future__ import annotations

from trellislib.wording import without_controls

_ESCAPED = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    }
)
_SIGNS = str.maketrans(
    {
        '"': r"{\ttfamily\char34}",
        "'": r"\textquotesingle{}",
        "`": r"\textasciigrave{}",
        "←": r"\(\leftarrow\)",
        "→": r"\(\rightarrow\)",
        "\u2212": r"\(-\)",
        "≤": r"\(\leq\)",
        "≥": r"\(\geq\)",
        "★": r"\(\star\)",
    }
)


def one_line(text: str) -> str:
    """Return a text without control characters, every run of blanks and line ends as a single blank."""
    return " ".join(without_controls(text).split())


def latex_escaped(text: str) -> str:
    r"""Return a text as LaTeX source that prints it.

    Examples
    --------
    >>> print(latex_escaped("CT_a & 50%"))
    CT\_a \& 50\%
    """
    text = one_line(text).translate(_ESCAPED)
    while "--" in text:  # else two hyphens become a dash
        text = text.replace("--", "-{}-")
    return f"{{{text[0]}}}{text[1:]}" if text.startswith(("[", "*")) else text  # else it belongs to the \\ before it


def tikz_escaped(text: str) -> str:
    r"""Return a text as LaTeX source that prints it in a drawing, with straight quotes, arrows and stars.

    Examples
    --------
    >>> print(tikz_escaped("a_1 → ★"))
    a\_1 \(\rightarrow\) \(\star\)
    """
    return latex_escaped(text).translate(_SIGNS)
