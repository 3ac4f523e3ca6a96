"""Words that sentences share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

FEW_NAMES = 3
ROUNDING = 1e-9  # relative difference of sums up to which only the order of their terms tells them apart


def ratio_of(ratio: float) -> str:
    """Return a ratio of times to the two digits that it deserves."""
    digits = 1 - int(np.floor(np.log10(ratio)))
    rounded = round(ratio, digits)
    return f"{rounded:,.{max(digits, 0)}f} times"


def named(methods: Sequence[str], most: int = FEW_NAMES) -> str:
    """Return names with their verb: A is; A and B are; A, B and 3 more are."""
    return f"{listed(methods, most)} {'is' if len(methods) == 1 else 'are'}"


def number_of(number: int, what: str) -> str:
    """Return how many of something there are: 1 pair; 2,000 pairs."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def listed(names: Sequence[str], most: int = 6) -> str:
    """Return names in a row: A; A and B; A, B and C; of more than `most` the first, and how many more."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1:,} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def amount(value: float) -> str:
    """Return a number to three digits, but in full from a thousand on: 0.125; 2; 1,250."""
    short = f"{value:.3g}"
    return f"{value:,.0f}" if "e+" in short else short


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
