"""How long the sentences of pages may be, and words that they do without; see CONTRIBUTING, "How we write"."""

import re

ANSWER, CAPTION, SENTENCE = 25, 40, 30  # words at most: of a sentence that answers, of a caption, of any sentence
FORBIDDEN = re.compile(
    r"\b(of late|anew|beside|told|goes with|for it (?:is|names|has)|left aside|left as it is|looks odd|beyond chance"
    r"|hang together|nothing separates|within its spread|no other method beats|also on|until then)\b",
    re.IGNORECASE,
)


def sentences(text):
    """Return the sentences of a text, each without what Markdown adds."""
    plain = re.sub(r"[*`]|:material/\w+:", "", text)
    return [sentence for sentence in re.split(r"(?<=[.!?])\s+|\n+", plain) if sentence.strip()]


def too_long(text, most):
    """Return the sentences of a text that have more words than `most`."""
    return [sentence for sentence in sentences(text) if len(sentence.split()) > most]


def wordy(answer, captions, text):
    """Return what is wrong with the words of a page: of its answer, of its captions outside of boxes, of all text."""
    found = [f"An answer is long: {sentence}" for sentence in too_long(answer, ANSWER)]
    found += [f"A caption is long: {caption}" for caption in captions if len(caption.split()) > CAPTION]
    return found + [f"It says {word[0]!r}." for word in FORBIDDEN.finditer(text)]
