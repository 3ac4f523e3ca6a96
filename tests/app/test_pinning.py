"""The component that pins a setting as A next to the present one, B."""

from components.pinning import MOST_CHARACTERS, changes
from streamlit.testing.v1 import AppTest


def page():
    import streamlit as st
    from components.pinning import pinning, sides

    def read(text):
        if not text.isdecimal():
            raise ValueError(f"Got {text[:20]!r}, but expected a number.")
        return int(text)

    n = st.number_input("N", 0, 100, 3, key="n")
    found = pinning("page", str(n), read)
    if found is not None:
        a, b = sides()
        a.write(f"shown {found}")
        b.write(f"shown {n}")


def opened(**query):
    at = AppTest.from_function(page)
    for name, value in query.items():
        at.query_params[name] = value
    return at.run()


def texts(at):
    return [one.value for one in at.markdown]


def test_a_setting_is_pinned_compared_and_unpinned():
    at = opened()
    assert (texts(at), at.button(key="pin page").label) == ([], "Pin as A")
    at.button(key="pin page").click().run()
    at.number_input(key="n").set_value(7).run()
    assert [text for text in texts(at) if text.startswith("shown")] == ["shown 3", "shown 7"]
    assert at.query_params["page_a"] == "3"
    assert at.button(key="pin page").label == "Unpin A"
    at.button(key="pin page").click().run()
    assert texts(at) == []
    assert "page_a" not in at.query_params


def test_a_link_opens_with_both():
    at = opened(page_a="5")
    assert [text for text in texts(at) if text.startswith("shown")] == ["shown 5", "shown 3"]


def test_a_link_that_cannot_be_read_is_reported_once():
    for wrong, what in (("x", "expected a number"), ("9" * (MOST_CHARACTERS + 1), "1,501 characters")):
        at = opened(page_a=wrong)
        (warning,) = at.toast
        assert what in warning.value.replace("\\", "")
        assert at.run().toast.len == 0
        assert "page_a" not in at.query_params


def test_changes_name_what_differs():
    a, b = {"N": "1,000", "W": "10", "scene": (1, 2)}, {"N": "5,000", "W": "10", "scene": (1, 3)}
    assert changes(a, b) == "N 5,000 instead of 1,000 and another scene"
    assert changes(a, a) == ""
