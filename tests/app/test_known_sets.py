"""Known data sets on the Data page: those that are here are loaded, others can be downloaded."""

import pytest
from sentences import has_line


@pytest.fixture
def nothing_here(tmp_path, monkeypatch):
    """A machine without data sets but those of packages."""
    monkeypatch.delenv("TRELLISLIB_DATA", raising=False)
    monkeypatch.setenv("TRELLISLIB_CACHE", str(tmp_path))


def test_a_set_that_is_here_is_loaded_by_name(visitor, nothing_here):
    visitor.choose_source("Known sets").set("known", "yeast")

    assert visitor.loaded.startswith("Yeast: N = 2,417")
    assert visitor.at.query_params["data"] == "obtain~key~yeast"
    assert "obtain('yeast')" in visitor.code


def test_a_set_that_is_not_here_can_be_downloaded(visitor, nothing_here):
    visitor.choose_source("Known sets").set("known", "emotions")

    assert visitor.loaded.startswith("yeast: ")  # what was there before
    assert any(button.label.startswith("Download Music") for button in visitor.at.button)


def test_a_set_that_is_nowhere_has_a_note(visitor, nothing_here):
    visitor.choose_source("Known sets").set("known", "mediamill")

    has_line(visitor.notices, "MediaMill", "not", "machine")
    assert not any(button.label.startswith("Download MediaMill") for button in visitor.at.button)


def test_a_link_to_a_set_that_is_not_here_has_a_note(visit, nothing_here):
    visitor = visit(data="obtain~key~emotions")

    has_line(visitor.notices, "Music", "not", "machine")
    assert visitor.loaded.startswith("yeast: ")
