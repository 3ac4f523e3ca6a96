"""Words that sentences share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def ratio_of(ratio: float) -> str:
    """Return a ratio of times to the two digits that it deserves."""
    digits = 1 - int(np.floor(np.log10(ratio)))
    rounded = round(ratio, digits)
    return f"{rounded:,.{max(digits, 0)}f} times"


def named(methods: Sequence[str], most: int = 3) -> str:
    """Return names with their verb: A is; A and B are; A, B, C and 2 more are."""
    if len(methods) == 1:
        return f"{methods[0]} is"
    if len(methods) > most:
        return f"{', '.join(methods[:most])} and {len(methods) - most} more are"
    return f"{', '.join(methods[:-1])} and {methods[-1]} are"


def number_of(number: int, what: str) -> str:
    """Return how many of something there are: 1 pair; 2,000 pairs."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names in a row: A; A and B; A, B and C; of more than `most` the first, and how many more."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
