"""Texts that say dates and times: which do, and what they say as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import nan

import numpy as np

PARTS = ("year", "month", "weekday", "hour")
"""What a date becomes, in the order of `parts_of`: months from 1, Monday is 1, hours with decimals."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY, _MONTH, _YEAR = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])", r"(?:\d{4}|\d{2})"
_MONTH_NAME = (
    "(?i:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?)"
)
_MIDNIGHT = r"24(?=:00(?::00(?:[.,]0+)?)?(?![\d:.,]|\s?[AaPp]))"  # which ends a day
_TIME = (
    rf"(?P<hour>[01]?\d|2[0-3]|{_MIDNIGHT}):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d(?:[.,]\d+)?))?(?:\s?(?P<half>[AaPp])[Mm])?"
    r"(?:\s?(?:Z|[-+]\d\d:?\d\d))?"
)
_DATES = (
    rf"(?P<year>\d{{4}})(?P<sign>[-/.])(?P<month>{_MONTH})(?P=sign)(?P<day>{_DAY})",
    rf"(?P<first>{_DAY})(?P<sign>[-/.])(?P<other>{_DAY})(?P=sign)(?P<year>{_YEAR})",
    rf"(?P<day>{_DAY})[-. ]?\s?(?P<name>{_MONTH_NAME})[-. ]?\s?(?P<year>{_YEAR})",
    rf"(?P<name>{_MONTH_NAME})\.?\s(?P<day>{_DAY}),?\s(?P<year>{_YEAR})",
)
_MONTH_OF_YEAR = r"(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])"
_FORMS = tuple(map(re.compile, (*(rf"(?:{form})(?:[T ]\s*{_TIME})?" for form in _DATES), _MONTH_OF_YEAR, _TIME)))
_NUMERIC = _FORMS[1]
_Day = tuple[float, float, float]
_NO_DAY = (nan, nan, nan)
_PIVOT = 69  # 69 is 1969 and 68 is 2068, as in C and Python
_TWELVE = 12


@dataclass(frozen=True)
class DateColumn:
    """How a column of dates became features.

    Attributes
    ----------
    parts : tuple of str
        Which of `PARTS` are features: those that differ between rows.
    day_first : bool
        Whether 3/4/2026 is the third of April, not the fourth of March.
    """

    parts: tuple[str, ...]
    day_first: bool

    def features(self, texts: Sequence[str]) -> np.ndarray:
        """Return the parts of each text, of shape (n_texts, n_parts); ``nan`` where it does not say one."""
        return parts_of(texts, self.day_first)[:, [PARTS.index(part) for part in self.parts]]

    @classmethod
    def of(cls, texts: Sequence[str]) -> DateColumn:
        """Return how distinct texts become features.

        Examples
        --------
        >>> DateColumn.of(["2026-01-31", "2026-02-01"])
        DateColumn(parts=('month', 'weekday'), day_first=True)
        """
        day_first = _day_comes_first(texts)
        found = parts_of(texts, day_first)
        differ = [
            part for part, cells in zip(PARTS, found.T, strict=True) if np.unique(cells[~np.isnan(cells)]).size > 1
        ]
        return cls(tuple(differ), day_first)


def says_date(text: str) -> bool:
    """Whether a text is a date, a time, or both.

    Examples
    --------
    >>> [says_date(text) for text in ("2026-01-31 8:30", "31 Jan 2026", "12/31/99", "8:30 pm", "31/31/2026", "2026")]
    [True, True, True, True, False, False]
    """
    return _said(text, day_first=True) is not None


def all_dates(texts: Iterable[str]) -> bool:
    """Whether there are texts, and each is a date, a time, or both."""
    texts = list(texts)
    return bool(texts) and all(map(says_date, texts))


def parts_of(texts: Sequence[str], day_first: bool) -> np.ndarray:
    """Return year, month, weekday and hour of each text, (n_texts, 4); ``nan`` for what it does not say.

    - `day_first`: Whether 3/4/2026 is in April.

    Examples
    --------
    >>> parts_of(["3/4/2026 6:30 pm", "31.12.99", "7:15", "30 Feb 2026"], day_first=True)
    array([[2026.  ,    4.  ,    5.  ,   18.5 ],
           [1999.  ,   12.  ,    5.  ,     nan],
           [    nan,     nan,     nan,    7.25],
           [    nan,     nan,     nan,     nan]])
    """
    found = np.full((len(texts), len(PARTS)), np.nan)
    for row, text in enumerate(texts):
        said = _said(text, day_first)
        if said is None:
            continue
        day, hour = said
        found[row] = *day, hour
    return found


def ambiguous(texts: Iterable[str], day_first: bool) -> str:
    """Return a text of which nothing tells whether the day stands before the month; empty where there is none."""
    texts = list(texts)
    numeric = [match for text in texts if (match := _NUMERIC.fullmatch(text.strip()))]
    if any(max(int(match["first"]), int(match["other"])) > _TWELVE for match in numeric):
        return ""
    return next((match[0] for match in numeric if match["first"] != match["other"]), "")


def _day_comes_first(texts: Iterable[str]) -> bool:
    """Whether the day stands before the month where both are numbers: a number above 12 tells, or else the sign."""
    numeric = [match for text in texts if (match := _NUMERIC.fullmatch(text.strip()))]
    if any(int(match["first"]) > _TWELVE for match in numeric):
        return True
    if any(int(match["other"]) > _TWELVE for match in numeric):
        return False
    return not any(match["sign"] == "/" for match in numeric)


def _said(text: str, day_first: bool) -> tuple[_Day, float] | None:
    """Return the day and the hour that a text says, ``nan`` for what it does not say; None if it is no date."""
    for form in _FORMS:
        if match := form.fullmatch(text.strip()):
            said = match.groupdict()
            if "first" in said and min(int(said["first"]), int(said["other"])) > _TWELVE:
                return None
            try:
                day = _day(said, day_first) if "year" in said else _NO_DAY
            except (ValueError, OverflowError):  # as of 30 February, or after the year 9999
                return _NO_DAY, nan
            return day, _hour(said)
    return None


def _day(said: dict[str, str], day_first: bool) -> _Day:
    """Return year, month and weekday."""
    year = int(said["year"])
    if len(said["year"]) == len("69"):
        year += 1900 if year >= _PIVOT else 2000
    if "first" in said:
        first, other = int(said["first"]), int(said["other"])
        day, month = (first, other) if first > _TWELVE or (day_first and other <= _TWELVE) else (other, first)
    else:
        month = _MONTHS.index(said["name"][:3].lower()) + 1 if "name" in said else int(said["month"])
        if "day" not in said:
            return year, month, nan
        day = int(said["day"])
    on = date(year, month, day) + timedelta(days=said.get("hour") == "24")
    return on.year, on.month, on.isoweekday()


def _hour(said: dict[str, str]) -> float:
    if said.get("hour") is None:
        return nan
    hour = int(said["hour"]) % 12 + 12 * (said["half"] in "pP") if said["half"] else int(said["hour"]) % 24
    seconds = float((said["second"] or "0").replace(",", "."))
    return hour + int(said["minute"]) / 60 + seconds / 3600
