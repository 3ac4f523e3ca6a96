"""The words that sentences share: names in a row, numbers of things, shares and amounts; and text as LaTeX takes it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
Key = TypeVar("Key")
Text = TypeVar("Text")

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
FEW_NAMES = 3
ROUNDING = 1e-9  # relative difference of sums up to which only the order of their terms tells them apart


def without_controls(name: str) -> str:
    r"""Return a name without what would break out of a line, command a terminal or turn text round: a blank instead.

    Names are what they are in files otherwise. Every name and title passes this when it enters the library.

    Examples
    --------
    >>> without_controls("sky\nprint(1)"), without_controls("a\x1b[31m\u202eb")
    ('sky print(1)', 'a [31m b')
    """
    return name if name.isprintable() else _CONTROLS.sub(" ", name).strip()


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names in a row; of more than `most` the first, and how many more.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed("abcdefg", 4)
    ('a, b and c', 'a, b, c and 4 more')
    """
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1:,} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def quoted(name: str) -> str:
    r"""Return a name in quotes for a message, its backslashes as they stand in the file.

    Examples
    --------
    >>> print(quoted(r"m\'usica"))
    "m\'usica"
    """
    return repr(name).replace("\\\\", "\\")


def quoted_names(names: Sequence[str], most: int = 4) -> str:
    """Return names in quotes, in a row as by `listed`.

    Examples
    --------
    >>> print(quoted_names(["a", "b"]), "/", quoted_names("abcdefg"))
    'a' and 'b' / 'a', 'b', 'c' and 4 more
    """
    return listed([quoted(name) for name in names], most)


def named(methods: Sequence[str], most: int = FEW_NAMES) -> str:
    """Return names with their verb: A is; A and B are; A, B and 3 more are."""
    return f"{listed(methods, most)} {agreed(len(methods), 'is', 'are')}"


def counted(n: int, what: str) -> str:
    """Return a number and what it counts.

    Examples
    --------
    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{n:,} {what}{agreed(n, '', 's')}"


def agreed(n: int, of_one: T, of_many: T) -> T:
    """Return the words that agree with a number of things.

    Examples
    --------
    >>> agreed(1, "was", "were"), agreed(0, "was", "were")
    ('was', 'were')
    """
    return of_one if n == 1 else of_many


def grouped(texts: Mapping[Key, Text]) -> Iterator[tuple[Text, list[Key]]]:
    """Yield each text with the keys that have it.

    Examples
    --------
    >>> list(grouped({0: "is text", 1: "is a date", 2: "is text"}))
    [('is text', [0, 2]), ('is a date', [1])]
    """
    groups = defaultdict(list)
    for key, text in texts.items():
        groups[text].append(key)
    yield from groups.items()


def ratio_of(ratio: float) -> str:
    """Return a ratio of times to the two digits that it deserves."""
    digits = 1 - int(np.floor(np.log10(ratio)))
    rounded = round(ratio, digits)
    return f"{rounded:,.{max(digits, 0)}f} times"


def roughly(ratio: float) -> str:
    """Return a ratio of times that were measured once, in the one digit that would come back; between 1 and 3 in more.

    Examples
    --------
    >>> [roughly(ratio) for ratio in (0.043, 1.26, 2.6, 3.7, 46.0)]
    ['about 0.04 times', 'about 1.3 times', 'about 2.5 times', 'about 4 times', 'about 50 times']
    """
    if 2 <= ratio < 3:
        rounded = round(2 * ratio) / 2
    else:
        rounded = round(ratio, (1 <= ratio < 2) - int(np.floor(np.log10(ratio))))
    return f"about {rounded:,.10g} times"


def amount(value: float) -> str:
    """Return a number to three digits, but in full from a thousand on: 0.125; 2; 1,250."""
    short = f"{value:.3g}"
    return f"{value:,.0f}" if "e+" in short else short


def three_digits(value: float) -> str:
    """Return a measured number to three digits, zeros at its end too, so that the next one has as many.

    What rounds to a whole number has no decimals, and from a thousand on all digits are there.

    Examples
    --------
    >>> [three_digits(value) for value in (0, 0.41, 0.0615, 1.7, 2.0, 123.4, 1250)]
    ['0', '0.410', '0.0615', '1.70', '2', '123', '1,250']
    """
    short = f"{value:#.3g}"
    return f"{value:,.0f}" if float(short).is_integer() else short


def percent(share: float, decimals: int = 0) -> str:
    """Return a share as a percentage, but never rounded to none or all."""
    least = 10.0 ** -(2 + decimals)
    if 0 < share <= least / 2:  # at half, formatting would round to even
        return f"less than {least:.{decimals}%}"
    if 1 - least / 2 <= share < 1 - ROUNDING:
        return f"more than {1 - least:.{decimals}%}"
    return f"{share:.{decimals}%}"


def in_nats(information: float) -> str:
    """Return mutual information to a thousandth of a nat; 0 is none at all."""
    return f"{thousandths(information)} nats"


def thousandths(value: float) -> str:
    """Return a number to three decimals, or that it is less than these show; 0 is nothing at all."""
    if value == 0:
        return "0"
    return "less than 0.001" if 0 < value < 0.0005 else f"{value:.3f}"


def in_points(mean: float, error: float, *, signed: bool = True) -> str:
    """Return a mean of shares in points, with its standard error unless that is NaN: +0.50 ± 0.20 points."""
    points = round(100 * mean, 2) + 0.0  # without a minus before zero
    within = "" if np.isnan(error) else f" ± {100 * error:.2f}"
    return f"{f'{points:+.2f}' if signed else f'{abs(points):.2f}'}{within} points"


def p_value(p: float) -> str:
    """Return a p-value as people write it."""
    return f"{p:.2g}" if p > 1e-300 else "< 1e-300"


def sentence(error: BaseException) -> str:
    """Return the first line of an error's message, or its type where it has none.

    Examples
    --------
    >>> sentence(ValueError("Not this time.")), sentence(KeyError())
    ('Not this time.', 'KeyError')
    """
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
