"""Text as LaTeX source."""

import pytest

from trellislib.wording.latex import latex_escaped, one_line, tikz_escaped


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("a_b & 50% #1 $", r"a\_b \& 50\% \#1 \$"),
        ("\\ ~ ^", r"\textbackslash{} \textasciitilde{} \textasciicircum{}"),
        ("<{|}>", r"\textless{}\{\textbar{}\}\textgreater{}"),
        ("---", "-{}-{}-"),
        ("*x", "{*}x"),
        ("a\tb\nc\x00d\x7fe", "a b c d e"),
        ("", ""),
    ],
)
def test_what_latex_reads_otherwise_is_escaped(text, source):
    assert latex_escaped(text) == tikz_escaped(text) == source


def test_a_drawing_has_straight_quotes_and_signs():
    assert tikz_escaped("'a' ≤ \u2212`") == r"\textquotesingle{}a\textquotesingle{} \(\leq\) \(-\)\textasciigrave{}"


def test_blanks_become_one():
    assert one_line("  a \n\t b ") == "a b"
