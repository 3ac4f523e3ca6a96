"""Where an axis has ticks and what they say, as plotly chooses them."""

from __future__ import annotations

import math
import re

import numpy as np

MINUS = "\u2212"
_FORMAT = re.compile(r"(?P<sign>\+?)(?P<comma>,?)(?:\.(?P<digits>\d+))?(?P<trim>~?)(?P<kind>[defgrs%]?)")
_PREFIXES = {-12: "p", -9: "n", -6: "μ", -3: "m", 0: "", 3: "k", 6: "M", 9: "B", 12: "T"}


def step_for(span: float, length: float, least: float) -> float:
    """Return a step of 1, 2 or 5 times a power of ten, for about one tick for every `least` points of `length`."""
    rough = abs(span) / (min(max(length / least, 4), 9) + 1)
    if not rough > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return power * next(step for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))


def multiples(low: float, high: float, step: float, first: float = 0.0) -> np.ndarray:
    """Return `first` plus the multiples of `step` from `low` to `high`, whichever is less.

    Examples
    --------
    >>> multiples(0.05, 0.3, 0.1).round(6).tolist()
    [0.1, 0.2, 0.3]
    """
    low, high = min(low, high), max(low, high)
    start, stop = math.ceil((low - first) / step - 1e-6), math.floor((high - first) / step + 1e-6)
    return first + step * np.arange(start, min(stop, start + 1000) + 1)


def logarithmic(low: float, high: float, length: float, least: float) -> np.ndarray:
    """Return ticks from ``10**low`` to ``10**high``, as exponents: decades, or 1, 2 and 5 or all digits of each."""
    low, high = min(low, high), max(low, high)
    rough = (high - low) / (min(max(length / least, 4), 9) + 1)
    if rough > 0.7:
        return multiples(low, high, math.ceil(rough))
    if high - low < 1:
        values = multiples(10**low, 10**high, step_for(10**high - 10**low, length, least))
        return np.log10(values[values > 0])
    digits = (1, 2, 5) if rough > 0.3 else range(1, 10)
    decades = range(math.floor(low), math.ceil(high) + 1)
    ticks = np.array([decade + math.log10(digit) for decade in decades for digit in digits])
    return ticks[(ticks >= low - 1e-9) & (ticks <= high + 1e-9)]


def plain(values: np.ndarray, step: float | None = None) -> list[str]:
    """Return numbers as an axis says them: as many decimals as `step` needs, large and small ones with k, M or m, μ."""
    largest = float(np.abs(values).max(initial=0.0))
    power = 0
    if largest > 0 and abs(exponent := math.floor(math.log10(largest) + 0.01)) > 3:
        power = 3 * round((exponent - 1) / 3)
    prefix = _PREFIXES.get(power, f"e{power}")
    if step:
        decimals = max(0, -math.floor(math.log10(step / 10.0**power) + 1e-6))
        texts = [f"{value / 10.0**power:.{decimals}f}" for value in values]
    else:
        texts = [f"{value / 10.0**power:.6g}" for value in values]
    trimmed = [_trimmed(text) if step else text for text in texts]
    return [(text + prefix if float(text) else "0").replace("-", MINUS) for text in trimmed]


def formatted(value: float, form: str) -> str:
    """Return a number in a format of d3, such as ``.0%``, ``,`` or ``.3~g``.

    Raises
    ------
    ValueError
        If the format has parts that are not known here.

    Examples
    --------
    >>> formatted(0.25, ".0%"), formatted(1234.5, ",.1f"), formatted(0.5, ".3~g")
    ('25%', '1,234.5', '0.5')
    """
    match = _FORMAT.fullmatch(form)
    if match is None:
        raise ValueError(f"A still cannot write numbers in the format {form!r}; use one such as '.2f' or '.0%'.")
    kind, digits, comma = match["kind"], match["digits"], match["comma"]
    suffix = ""
    if kind == "s":
        power = 3 * math.floor(math.log10(abs(value)) / 3) if value else 0
        value, suffix = value / 10.0**power, _PREFIXES.get(power, f"e{power}").replace("B", "G")
        kind = "r"
    if kind in ("r", "g", ""):
        text = format(value, f"{match['sign']}{comma}.{digits or (6 if kind else 12)}g")
        if kind and not match["trim"] and digits and kind == "r":
            text = format(value, f"{match['sign']}{comma}#.{digits}g").rstrip(".")
    elif kind == "d":
        text = format(round(value), f"{match['sign']}{comma}d")
    else:
        text = format(value, f"{match['sign']}{comma}.{digits or 6}{kind}")
    if match["trim"]:
        number = text.rstrip("%")
        text = _trimmed(number) + text[len(number) :]
    return (text + suffix).replace("-", MINUS)


def _trimmed(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number and "e" not in number else number
