"""The data sets that a visit keeps: named, switched between, removed, and not more of them than there is room for."""

from dataclasses import replace

import numpy as np
import pytest
from components.parts import plain
from sentences import alike, has_line, holds
from state import visit_sets
from state.choices import Choices
from state.sources import Source
from state.uploaded import Upload
from state.visit_sets import Loaded, VisitSets

from trellislib.data import Dataset

CSV = b"x,z,sunny,warm\n0.5,1.5,1,0\n0.1,2.5,0,0\n0.9,0.5,1,1\n0.3,1.0,0,1\n"
MEKA = b"""@relation 'sky: -C -2'
@attribute x numeric
@attribute sunny {0,1}
@attribute warm {0,1}
@data
0.5,1,0
0.1,0,0
0.9,1,1
0.3,0,1
"""
VIEWS = ("start", "data", "dependence", "graphs", "trellis", "train", "compare", "label_dag", "paper")


def made(name, seed=0, n_rows=4, function="load"):
    """Return a small data set of this name, from a file or from elsewhere; each seed gives another."""
    rng = np.random.default_rng(seed)
    data = Dataset(
        rng.normal(size=(n_rows, 2)), rng.integers(2, size=(n_rows, 1)), ("x", "z"), ("a",), (("0", "1"),), name
    )
    return Loaded(Source.of(function, source=f"{name}.csv"), data)


def names(kept):
    return [loaded.dataset.name for loaded in kept]


def digest(kept, name):
    return next(loaded.dataset.digest for loaded in kept if loaded.dataset.name == name)


def test_sets_come_in_their_order_and_the_newest_is_shown():
    kept = VisitSets(made("a", 1))
    kept.add(made("b", 2))
    kept.add(made("c", 3))
    assert (names(kept), kept.shown.dataset.name) == (["a", "b", "c"], "c")

    kept.show(digest(kept, "a"))
    assert (names(kept), kept.shown.dataset.name) == (["a", "b", "c"], "a")


def test_other_content_under_an_old_name_is_distinguished():
    kept = VisitSets(made("mine", 1))
    kept.add(made("mine", 2))
    kept.add(made("mine", 3))

    assert names(kept) == ["mine", "mine (2)", "mine (3)"]


def test_the_same_content_comes_once_under_its_first_name():
    kept = VisitSets(made("a", 1))
    kept.add(made("b", 2))
    kept.add(made("again", 1))

    assert (names(kept), kept.shown.dataset.name) == (["a", "b"], "a")
    assert kept.shown.source == Source.of("load", source="a.csv")


@pytest.mark.parametrize(("function", "n_train"), [("obtain", None), ("load", 2)], ids=["chosen by name", "divided"])
def test_the_same_content_takes_its_place_if_it_knows_more(function, n_train):
    kept = VisitSets(made("a", 1))
    kept.add(made("b", 2))
    again = made("again", 1, function=function)
    kept.add(replace(again, dataset=replace(again.dataset, n_train=n_train)))

    assert (names(kept), kept.shown.dataset.name) == (["again", "b"], "again")
    assert kept.shown.dataset.n_train == n_train


def test_a_set_can_take_the_place_of_another():
    kept = VisitSets(made("a", 1))
    kept.add(made("b", 2))
    kept.add(made("c", 3))
    kept.rename(digest(kept, "b"), "birds")
    kept.add(made("b", 4), instead_of=digest(kept, "birds"))
    assert (names(kept), kept.shown.dataset.name) == (["a", "birds", "c"], "birds")

    kept.add(made("c", 3), instead_of=digest(kept, "birds"))
    assert names(kept) == ["a", "c"], "it is there already, and stays as it is"
    assert kept.shown.dataset.name == "c"


def test_renaming():
    kept = VisitSets(made("a", 1))
    kept.add(made("b", 2))

    assert kept.rename(digest(kept, "b"), "birds") == "birds"
    assert kept.rename(digest(kept, "birds"), "birds") == "birds", "its own name is free to it"
    assert kept.rename(digest(kept, "birds"), "a") == "a (2)"
    assert names(kept) == ["a", "a (2)"]


def test_removing_shows_what_was_shown_before():
    kept = VisitSets(made("a", 1))
    kept.add(made("b", 2))
    kept.add(made("c", 3))
    kept.show(digest(kept, "a"))
    kept.remove(digest(kept, "a"))
    assert (names(kept), kept.shown.dataset.name) == (["b", "c"], "c")

    kept.remove("no such digest")
    kept.remove(digest(kept, "b"))
    kept.remove(digest(kept, "c"))
    assert names(kept) == ["c"], "the last one stays"


def test_the_one_that_was_removed_last_is_brought_back_as_it_was():
    kept = VisitSets(made("a", 1))
    kept.add(made("b", 2))
    kept.add(made("c", 3))
    n_bytes = kept.n_bytes
    kept.show(digest(kept, "b"))
    kept.remove(digest(kept, "b"))
    assert kept.removed.dataset.name == "b"
    assert kept.n_bytes == n_bytes, "it takes its memory still"
    kept.bring_back()
    assert (names(kept), kept.shown.dataset.name, kept.removed) == (["a", "b", "c"], "b", None)

    kept.remove(digest(kept, "a"))
    kept.rename(digest(kept, "b"), "birds")
    assert kept.removed is None, "something else was done"
    kept.bring_back()
    assert names(kept) == ["birds", "c"]


def test_a_set_whose_table_is_gone_gets_it_back_from_the_same_files():
    gone = made("a", 1)
    again = replace(made("again", 1), upload=Upload(2, None, ("again.csv",)), choices=Choices())

    merged = gone.with_table_of(again)
    assert (merged.dataset.name, merged.upload) == ("a", again.upload)
    assert merged.with_table_of(made("more", 1)) is merged


def test_of_too_many_those_that_nobody_shares_go_first(monkeypatch):
    monkeypatch.setattr(visit_sets, "MOST_SETS", 3)
    kept = VisitSets(made("packaged", 1, function="packaged"))
    kept.add(made("a", 2))
    kept.add(made("b", 3))
    kept.show(digest(kept, "a"))

    assert kept.add(made("c", 4)) == ["b"]
    assert kept.add(made("d", 5)) == ["a"]
    assert kept.add(made("simulated", 6, function="simulate_room")) == ["c"]
    assert names(kept) == ["packaged", "d", "simulated"]
    assert kept.add(made("another", 7, function="packaged")) == ["d"]
    assert kept.add(made("more", 8, function="packaged")) == ["simulated"]
    assert kept.add(made("one more", 9, function="obtain")) == ["packaged"], "where all others are shared, too"


def test_of_too_much_the_least_recently_shown_go_and_the_shown_one_stays(monkeypatch):
    monkeypatch.setattr(visit_sets, "MOST_BYTES", 100_000)
    kept = VisitSets(made("a", 1, n_rows=2_000))
    assert kept.add(made("b", 2, n_rows=2_000)) == []
    assert kept.add(made("c", 3, n_rows=2_000)) == ["a"]
    assert kept.add(made("huge", 4, n_rows=20_000)) == ["b", "c"]
    assert names(kept) == ["huge"]


@pytest.mark.parametrize(("function", "gone"), [("simulate_room", ["a"]), ("packaged", [])])
def test_what_is_simulated_takes_room_and_what_is_shared_does_not(monkeypatch, function, gone):
    monkeypatch.setattr(visit_sets, "MOST_BYTES", 100_000)
    kept = VisitSets(made("a", 1, n_rows=4_000, function=function))

    assert kept.add(made("b", 2, n_rows=4_000, function=function)) == gone


def test_a_copy_goes_its_own_way():
    kept = VisitSets(made("a", 1))
    copied = kept.copy()
    copied.add(made("b", 2))
    copied.rename(digest(copied, "a"), "mine")

    assert names(kept) == ["a"]
    assert kept.shown.dataset.name == "a"


# On the pages


def upload(visitor, *contents):
    for n, content in enumerate(contents):
        visitor.upload((f"sky{n}.arff", content))
    return visitor


def test_with_one_set_the_sidebar_has_its_name(visitor):
    assert not visitor.at.sidebar.selectbox
    assert visitor.at.sidebar.text[0].value == "yeast"
    assert "Your" not in "".join(expander.label for expander in visitor.go("data").at.expander)


def test_sets_are_listed_and_switched_between(visitor):
    upload(visitor, MEKA)

    holds(visitor.loaded, "sky0", "N = 4", "D = 1", "L = 2")
    assert list(visitor.at.sidebar.selectbox[0].options) == ["yeast", "sky0"]
    has_line(visitor.text, "2,417 instances", "103 features", "14 labels", "installed package")
    title, details = visitor.text.split("**sky0**", 1)[1].splitlines()[:2]
    holds(title, "loaded")
    has_line(details, "4 instances", "1 feature", "2 labels", "sky0.arff")
    assert [button.label for button in visitor.at.main.button if button.label.startswith(("Load", "Edit"))] == [
        *("Edit yeast", "Load yeast", "Edit sky0")
    ], "each button has a name of its own"

    visitor.press("Load yeast")
    assert visitor.loaded.startswith("yeast: ")
    assert "packaged('yeast')" in visitor.code
    assert [*visitor.workspace().sets][1].dataset.name == "sky0"


def edit(visitor, name, new=None):
    """Open the form of a set, and write a name in it."""
    visitor.press(f"Edit {plain(name)}")
    if new is not None:
        visitor.at.text_input[0].set_value(new)
    return visitor


@pytest.mark.parametrize("view", VIEWS)
def test_the_sidebar_switches_on_every_page(visitor, view):
    """From more labels to fewer and back, with what was chosen of the others still in the widgets."""
    upload(visitor, MEKA).press("Load yeast").go(view)
    yeast, sky = (kept.dataset.digest for kept in visitor.workspace().sets)

    visitor.set("loaded set", sky)
    assert visitor.loaded.startswith("sky0: ")
    visitor.set("loaded set", yeast)
    holds(visitor.loaded, "yeast", "N = 2,417", "D = 103", "L = 14")


def test_renaming_on_the_page(visitor):
    edit(upload(visitor, MEKA), "sky0", "  *my* sky ").press("Rename")

    assert visitor.loaded.startswith("*my* sky: ")
    has_line(visitor.takeaway, "*my* sky", "4 instances")
    assert "\\*my\\* sky" in "".join(text.value for text in visitor.at.main.markdown)
    assert not visitor.at.text_input, "the form is closed"
    edit(visitor, "*my* sky", "   ").press("Rename")
    assert visitor.loaded.startswith("*my* sky: ")


def test_a_set_that_is_gone_cannot_be_renamed(visitor):
    """Who clicks twice in a row has the buttons of before for the second click."""
    edit(upload(visitor, MEKA), "sky0", "birds")
    visitor.workspace().sets.remove(visitor.workspace().dataset.digest)
    visitor.press("Rename")

    assert [kept.dataset.name for kept in visitor.workspace().sets] == ["yeast"]


def test_what_was_loaded_of_files_is_shown_next_to_what_is_shown(visitor):
    upload(visitor, MEKA)
    has_line(visitor.at.success[0].value, "sky0", "loaded", "2 labels")

    visitor.press("Load yeast")
    alike(visitor.at.success[0].value.replace("\\", ""), "sky0 (2 labels) is loaded; yeast is shown.")


def test_removing_on_the_page(visitor):
    edit(upload(visitor, MEKA, MEKA.replace(b"0.3", b"0.4")), "sky0").press("Remove")
    assert [kept.dataset.name for kept in visitor.workspace().sets] == ["yeast", "sky1"]
    assert visitor.loaded.startswith("sky1: ")
    assert "Removed sky0." in visitor.text
    assert "Remove" not in [button.label for button in visitor.at.button], "a second click removes no other set"

    edit(visitor, "sky1").press("Remove")
    assert visitor.loaded.startswith("yeast: ")
    assert not visitor.at.sidebar.selectbox
    visitor.click("undo")
    assert visitor.loaded.startswith("sky1: "), "it was shown"
    assert "Removed" not in visitor.text


def test_a_new_upload_under_an_old_name_is_a_new_set(visitor):
    visitor.upload(("mine.arff", MEKA)).upload(("mine.arff", MEKA.replace(b"0.3", b"0.4")))

    assert [kept.dataset.name for kept in visitor.workspace().sets] == ["yeast", "mine", "mine (2)"]
    assert visitor.loaded.startswith("mine (2): ")
    visitor.upload(("mine.arff", MEKA))
    assert [kept.dataset.name for kept in visitor.workspace().sets] == ["yeast", "mine", "mine (2)"]
    assert visitor.loaded.startswith("mine: ")


def test_what_had_to_go_is_noted(visitor, monkeypatch):
    monkeypatch.setattr(visit_sets, "MOST_SETS", 2)
    upload(visitor, MEKA, MEKA.replace(b"0.3", b"0.4"))

    assert "sky0 was removed" in visitor.notices
    assert [kept.dataset.name for kept in visitor.workspace().sets] == ["yeast", "sky1"]


def test_who_copies_a_workspace_goes_its_own_way(visitor, visit, monkeypatch):
    upload(visitor, MEKA)
    visitor.workspace().holder = "a session that a browser shows"
    monkeypatch.setattr("state.registry.is_open", bool)
    other = visit(visitor.workspace().token)
    assert [kept.dataset.name for kept in other.workspace().sets] == ["yeast", "sky0"]

    edit(other.go("data"), "sky0").press("Remove")
    assert [kept.dataset.name for kept in visitor.workspace().sets] == ["yeast", "sky0"]
