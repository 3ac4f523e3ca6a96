"""Pieces that every page has."""

import pytest
from streamlit.testing.v1 import AppTest


@pytest.mark.parametrize(("words", "folds"), [(40, 0), (41, 1)])
def test_a_note_of_more_than_40_words_is_folded(words, folds):
    def page(words):
        from components.parts import remark

        remark("word " * words)

    at = AppTest.from_function(page, args=(words,)).run()
    assert [fold.label for fold in at.expander] == ["About this figure"] * folds
    assert len(at.caption[0].value.split()) == words
