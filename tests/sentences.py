"""What a sentence must hold, so that tests leave its wording free."""

import re


def holds(sentence, *parts):
    """Assert that a sentence has each part in it, as whole words and numbers: 5 is not in "-5" or "0.5"."""
    for part in map(str, parts):
        before = r"(?<![-+\w])(?<!\d[.,])" if part[0].isdigit() else r"(?<!\w)"
        assert re.search(rf"{before}{re.escape(part)}(?!\w|[.,]\d)", sentence), f"{part!r} is not in {sentence!r}"
