import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trellislib.data.spreadsheet import as_meant, neutralised

SIGNS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20"


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("before", ["", "'", "''", " ", "'  "])
def test_what_starts_a_formula_is_neutralised(sign, before):
    text = f"{before}{sign}cmd|' /C calc'!A0"
    assert neutralised(text) == f"'{text}"


@pytest.mark.parametrize(
    "text", ["", "sky", "'sky'", "a=b", "1+1", "x-1", "-1.5", "+1", "-1,5", " -2e-5 ", "-.5", "'-1.5"]
)
def test_other_texts_stay(text):
    assert neutralised(text) == text


@pytest.mark.parametrize("text", ["-1+1", "-1.5.2", "+1-2", "-", "-1e", "\t-1", "-1\n", "-x", "-1;2", "-1 2"])
def test_what_is_hardly_a_number_is_neutralised(text):
    assert neutralised(text) == f"'{text}"


texts = st.text() | st.text(f"'{SIGNS} 1.,ex")


@given(texts)
def test_every_text_comes_back(text):
    assert as_meant(neutralised(text)) == text


@given(texts, texts)
def test_no_two_texts_become_one(one, other):
    assert (neutralised(one) == neutralised(other)) == (one == other)


@given(texts)
def test_nothing_that_is_written_starts_a_formula(text):
    written = neutralised(text)
    dangerous = written.lstrip()[:1] in tuple(SIGNS) or written[:1] in tuple("\t\r\n")
    number = re.fullmatch(r" *[-+]?[0-9.,]+([eE][-+]?[0-9]+)? *", written)
    assert not dangerous or number or not written.strip()
