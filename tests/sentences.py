"""What a sentence must hold, so that tests leave its wording free."""

import re
from collections import Counter


def holds(sentence, *parts):
    """Assert that a sentence has each part in it, as whole words and numbers: 5 is not in "-5" or "0.5"."""
    for part in map(str, parts):
        assert _is_in(part, sentence), f"{part!r} is not in {sentence!r}"


class Containing:
    """Equal to a sentence that has each part in it, in place of that sentence in an expected tuple or dict."""

    def __init__(self, *parts):
        self.parts = tuple(map(str, parts))

    def __eq__(self, other):
        return isinstance(other, str) and all(_is_in(part, other) for part in self.parts)

    __hash__ = None

    def __repr__(self):
        return f"Containing{self.parts}"


def has_line(text, *parts):
    """Assert that one line of a text, or one of several texts, has the parts in this order, with any words between."""
    lines = text.splitlines() if isinstance(text, str) else list(text)
    pattern = r"(?!\w|[.,]\d).*(?<![-+\w])(?<!\d[.,])".join(re.escape(part) for part in parts)
    assert any(re.search(pattern, line, re.DOTALL) for line in lines), f"no line of {text!r} has {parts}"


def _is_in(part, sentence):
    before = r"(?<![-+\w])(?<!\d[.,])" if part[0].isdigit() else r"(?<!\w)"
    return re.search(rf"{before}{re.escape(part)}(?!\w|[.,]\d)", sentence) is not None


def alike(found, expected):
    """Assert that sentences, alone or in collections, hold the names, numbers and negations of those expected."""
    if isinstance(expected, str) and expected.count(" ") > 2:
        missing = _content(expected) - _content(found)
        assert not missing, f"{[*missing]} of {expected!r} is not in {found!r}"
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected), f"{found!r} are not as many as {expected!r}"
        for one, other in zip(found, expected, strict=True):
            alike(one, other)
    else:
        assert found == expected


def _content(sentence):
    """Return how often each quoted name, number and negation is in a sentence."""
    parts = r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|\d[\d.,]*\d|\d|\b(?:no|not|none|never|nothing|without)\b"
    return Counter(re.findall(parts, sentence, re.IGNORECASE))
