"""What distinct texts of a column say as numbers: money, percent, units, ages, durations; and which say nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import nan

import numpy as np

from trellislib.data.reading.notation import COMMA, MOST_EXACT, POINT, number

_NO_VALUE = re.compile("[-\u2013\u2014.]+")
_NONE = frozenset(["none", "nil", "unknown", "missing", "n/d", "nd", "n.d."])
_CURRENCIES = r"[$€£¥₹₩₽₺₫฿₴]|US\$|USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|CNY|INR|KRW|BRL|R\$|SEK|NOK|DKK|PLN|CZK|HUF|kr\.?|zł"
_UNITS = (
    "%|‰|percent|ppm|[nµmcdk]?m|in|inch(?:es)?|ft|feet|yd|mi|miles?|[nµmk]?g|lbs?|oz|t|tons?|[mcd]?l|gal|m[²³2]|cm[²³2]|"
    "sq ?m|sqft|ha|[nµm]?s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?|mo|months?|y|yrs?|years?|"
    "years? old|°|deg|°?[CF]|[KMGT]i?B|[kMG]?Hz|[kMG]?W|[kMG]?Wh|[mk]?V|[mµ]?A|[kM]?J|kcal|cal|[kMh]?Pa|bar|mmHg|bpm|"
    "km/h|mph|m/s|mg/d[lL]|mmol/[lL]|g/[lL]|px|pt|pcs?|dpi|fps|db|stars?|points?|pts|x"
)
_AMOUNT = re.compile(
    rf"(?P<minus>\()?(?P<sign>[-+])?\s*(?P<before>{_CURRENCIES})?\s*"
    r"(?P<number>[-+]?[\d.,][\d.,' ]*?(?:[eE][-+]?\d+)?)\s*"
    rf"(?P<after>(?i:{_UNITS})|{_CURRENCIES})?(?(minus)\))"
)
_APART = re.compile(r"[1-9]\d{0,2}(?:([ '])\d{3})(?:\1\d{3})*(?=[.,]|$)")
_PLAIN = str.maketrans({"\u00a0": " ", "\u2009": " ", "\u202f": " ", "\u2212": "-", "\u2019": "'"})
_AGE = re.compile(r"(\d{1,4})([YMWD])")
_YEARS = {"Y": 1.0, "M": 1 / 12, "W": 7 / 365.25, "D": 1 / 365.25}
_DURATION = re.compile(r"(-)?(?:(\d+) days? ,?\s*)?(\d+):([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?")
_LASTING = re.compile(
    r"(?:(?P<d>\d+) ?d(?:ays?)?,? ?)?(?:(?P<h>\d+) ?h(?:ours?|rs?)?,? ?)?(?:(?P<m>\d+) ?m(?:in(?:ute)?s?)?,? ?)?"
    r"(?:(?P<s>\d+(?:[.,]\d+)?) ?s(?:ec(?:ond)?s?)?)?",
    re.IGNORECASE,
)
_ISO_LASTING = re.compile(r"P(?:(?P<d>\d+)D)?(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:[.,]\d+)?)S)?)?")
_HOURS = {"d": 24.0, "h": 1.0, "m": 1 / 60, "s": 1 / 3600}


def says_nothing(value: str) -> bool:
    """Whether a text may say that there is no value: ``-``, ``.``, ``None``, ``unknown``; other texts decide."""
    return is_dash(value) or value.strip().lower() in _NONE


def is_dash(value: str) -> bool:
    """Whether a text is of dashes or points only."""
    return _NO_VALUE.fullmatch(value.strip()) is not None


def amounts(values: Sequence[str], notation: int) -> np.ndarray | None:
    """Return the numbers that distinct texts of a column say, ``nan`` for those that say nothing; None if one has none.

    All must have the same unit or none, before or behind the number: ``$1,234.50``, ``12 %``, ``45 kg``. Ages as
    hospitals write them (``060Y``, ``011M``) become years; times and durations (``10:30``, ``36:10:00``, ``1h 30m``,
    ``PT90M``) hours.

    - `values`: The texts, without those that are missing for certain.
    - `notation`: How numbers are written where both ways fit.

    Examples
    --------
    >>> amounts(["$1,234.50", "$89", "-"], POINT).tolist(), amounts(["12%", "7.5 %"], POINT).tolist()
    ([1234.5, 89.0, nan], [12.0, 7.5])
    >>> amounts(["1.234,50 €", "89 €"], POINT).tolist(), amounts(["060Y", "006M"], POINT).tolist()
    ([1234.5, 89.0], [60.0, 0.5])
    >>> amounts(["1h 30m", "45 min"], POINT).tolist()
    [1.5, 0.75]
    >>> amounts(["M100", "M101"], POINT), amounts(["12 kg", "300 g"], POINT)
    (None, None)
    """
    texts = [_plain(value) for value in values]
    known = [i for i, text in enumerate(texts) if not says_nothing(text)]
    if not known:
        return None
    written = [texts[i] for i in known]
    read = _each(written, _years) or _each(written, _hours) or _lasting(written) or _with_units(written, notation)
    if read is None:
        return None
    result = np.full(len(values), nan)
    result[known] = read
    return result


def _plain(value: str) -> str:
    """Return a text with a plain minus, blanks and apostrophes."""
    return value.strip().translate(_PLAIN)


def _each(texts: Iterable[str], read: Callable[[str], float | None]) -> list[float] | None:
    found = []
    for text in texts:
        value = read(text)
        if value is None:
            return None
        found.append(value)
    return found


def _years(text: str) -> float | None:
    age = _AGE.fullmatch(text)
    return int(age[1]) * _YEARS[age[2]] if age and len(age[1]) in (3, 4) else None


def _hours(text: str) -> float | None:
    lasting = _DURATION.fullmatch(text)
    if lasting is None:
        return None
    seconds = float((lasting[5] or "0").replace(",", "."))
    hours = int(lasting[2] or 0) * 24 + int(lasting[3]) + int(lasting[4]) / 60 + seconds / 3600
    return -hours if lasting[1] else hours


def _lasting(texts: Sequence[str]) -> list[float] | None:
    """Return the hours of durations such as ``1h 30m`` or ``PT90M``, if one has several units or is of ISO 8601."""
    found = [[part for part in (match or {}).items() if part[1]] for match in map(_parts_of_duration, texts)]
    if not all(found) or not any(len(parts) > 1 or text[0] == "P" for parts, text in zip(found, texts, strict=True)):
        return None
    return [sum(float(number.replace(",", ".")) * _HOURS[unit] for unit, number in parts) for parts in found]


def _parts_of_duration(text: str) -> dict[str, str] | None:
    match = _ISO_LASTING.fullmatch(text) or _LASTING.fullmatch(text)
    return match.groupdict() if match else None


def _with_units(texts: Sequence[str], notation: int) -> list[float] | None:
    """Return the numbers of texts that have one unit at most."""
    found = list(map(_AMOUNT.fullmatch, texts))
    amount = [match for match in found if match is not None]
    if len(amount) < len(texts):
        return None
    units = {unit.lower() for match in amount for unit in (match["before"], match["after"]) if unit}
    if len(units) > 1:
        return None
    written = [_APART.sub(lambda run: re.sub(r"[ ']", "", run[0]), match["number"].strip()) for match in amount]
    ways = (notation, COMMA if notation == POINT else POINT) if units else (notation,)
    for way in ways:
        read = _each(written, lambda text, way=way: number(text, way))  # type: ignore[misc]
        if read is not None and np.abs(read).max() < MOST_EXACT:  # as infinite numbers, and nan, are not
            below = [bool(match["minus"]) != (match["sign"] == "-") for match in amount]
            return [-value if minus else value for value, minus in zip(read, below, strict=True)]
    return None
