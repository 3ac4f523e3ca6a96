"""Names that are broken onto two lines, where one line has too little room."""

from __future__ import annotations

import re

BETWEEN = " -_/.,:;"  # after which a name is broken first
VOWELS = "aeiouyäöüáéíóúàèìòùâêîôû"
SYLLABLE = re.compile(rf"(?i)[^{VOWELS}\W\d][hlr]?[{VOWELS}]")  # how one begins


def in_two_lines(name: str, letters: int) -> str:
    r"""Break a name that has more than so many letters onto two lines of at most as many.

    It is broken between words, else between syllables as far as vowels show them, and as near to its middle as it can.
    The end of a name that two lines cannot hold is left out.

    Examples
    --------
    >>> in_two_lines("Drama", 7), in_two_lines("Documentary", 7), in_two_lines("low quality", 7)
    ('Drama', 'Docu-\nmentary', 'low\nquality')
    """
    if len(name) <= letters:
        return name
    most = 2 * letters - 1  # the first line of a broken word ends with a hyphen
    if len(name) > most:
        name = f"{name[: most - 1]}…"
    broken = (_broken(name, at) for at in range(1, len(name)))
    first, second = min(
        (cost, max(len(first), len(second)), first, second)
        for cost, first, second in broken
        if max(len(first), len(second)) <= letters
    )[2:]
    return f"{first}\n{second}"


def _broken(name: str, at: int) -> tuple[int, str, str]:
    """Return how bad it is to break a name at a letter, and the two parts."""
    before, after = name[:at], name[at:]
    if before[-1] in BETWEEN:
        return 0, before.rstrip(), after
    splits_onset = before[-1].lower() not in VOWELS and after[0].lower() in "hlr"
    is_syllable = at > 1 and before[-1].isalpha() and not splits_onset and SYLLABLE.match(after)
    return 1 if is_syllable else 2, f"{before}-", after
