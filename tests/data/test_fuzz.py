"""Whatever the bytes, a loader returns or says why not, soon and within memory; `tests/fuzzing` looks deeper.

``pytest -m fuzz`` spoils 20,000 files of each form, or as many as the variable TRELLIS_FUZZ says.
"""

import os
import random
import resource
import tracemalloc
from contextlib import suppress
from time import process_time

import loader_inputs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trellislib.data.dataset import DataError

SECONDS = 60  # of this process, however busy the machine is: what goes wrong takes hours
MEMORY = 16 * 2**20  # bytes for whatever the content
TIMES = 300  # the size of the content, packed or not

FILES = int(os.environ.get("TRELLIS_FUZZ", "20000"))
MOST_SECONDS, MOST_GROWTH = 5, 500 * 2**10  # of one of these files, and in KB for all of a form

KEYS = pytest.mark.parametrize("key", loader_inputs.READERS)
NAMES = st.sampled_from(loader_inputs.NAMES)
GOOD = {key: st.sampled_from(seeds) for key, seeds in loader_inputs.SEEDS.items()}
ANY_GOOD = st.one_of(*GOOD.values())
PLACES = st.integers(0, 2**16)
CUTS = st.lists(st.tuples(PLACES, PLACES, PLACES), max_size=3)
FLIPS = st.lists(st.tuples(PLACES, st.integers(0, 255)), max_size=4)
TEXTS = st.one_of(*(st.lists(st.sampled_from(tokens), max_size=40) for tokens in loader_inputs.TOKENS.values()))
few = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])


def returns_or_says_why(key, content, name):
    read = loader_inputs.reader(key)
    tracemalloc.start()
    start = process_time()
    try:
        with suppress(DataError):
            read(content, name)
        seconds, peak = process_time() - start, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert seconds < SECONDS
    assert peak < MEMORY + TIMES * len(content)


def message_of(key, content):
    with pytest.raises(DataError) as caught:
        loader_inputs.reader(key)(content, "t")
    return str(caught.value)


@KEYS
def test_the_good_files_are_read(key):
    for content in loader_inputs.SEEDS[key]:
        loader_inputs.reader(key)(content, "t")


@KEYS
@few
@given(content=st.binary(max_size=200), name=NAMES)
def test_any_bytes(key, content, name):
    returns_or_says_why(key, content, name)


@pytest.mark.parametrize("key", [key for key in loader_inputs.READERS if key != "mat"])  # see test_matlab
@few
@given(data=st.data(), cuts=CUTS, flips=FLIPS, name=NAMES)
def test_good_files_spoilt(key, data, cuts, flips, name):
    content = loader_inputs.spoilt(data.draw(GOOD[key]), data.draw(ANY_GOOD), cuts, flips)
    returns_or_says_why(key, content, name)


@KEYS
@few
@given(tokens=TEXTS, encoding=st.sampled_from(["utf-8", "latin-1", "utf-16"]), name=NAMES)
def test_words_of_the_forms_of_text(key, tokens, encoding, name):
    returns_or_says_why(key, "".join(tokens).encode(encoding, errors="replace"), name)


@pytest.mark.parametrize("key", ["arff", "csv", "npz", "parquet", "svmlight", "xml"])
def test_a_message_is_one_short_sentence_with_the_name_of_the_file(key):
    for content in (b"", b"\0\1\2", b"\x1f\x8b\x08junk", b"x" * 10**6, b"PK\3\4" + bytes(40)):
        message = message_of(key, content)
        assert message.startswith("t: ")
        assert message.endswith(".")
        assert "\n" not in message
        assert len(message) < 300


@pytest.mark.fuzz
@pytest.mark.slow
@KEYS
def test_many_files_spoilt(key):
    rng = random.Random(key)
    read, seeds = loader_inputs.reader(key), loader_inputs.SEEDS[key]
    others = [seed for of_form in loader_inputs.SEEDS.values() for seed in of_form]
    words = [word.encode() for word in loader_inputs.TOKENS.get(key, loader_inputs.TOKENS["csv"])]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(FILES // 50 if key == "mat" else FILES):  # each of which is read in a process of its own
        content = rng.choice(seeds)
        other = rng.choice(seeds) if number % 4 else rng.choice(others)
        if number % 3 == 0:  # words of the form, put anywhere
            other = b"".join(rng.choices(words, k=rng.randint(1, 8)))
        cuts = [[rng.randrange(2**16) for _ in range(3)] for _ in range(rng.randint(0, 3))]
        flips = [(rng.randrange(2**16), rng.randrange(256)) for _ in range(rng.randint(0, 4))]
        content = loader_inputs.spoilt(content, other, cuts, flips)
        start = process_time()
        try:
            read(content, rng.choice(loader_inputs.NAMES))
        except DataError:
            pass
        except Exception as error:
            raise AssertionError(f"file {number} of {key}: {content!r}") from error
        assert process_time() - start < MOST_SECONDS, f"file {number} of {key}: {content!r}"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_GROWTH
