"""What pages do where the results file cannot be used: they say so in a sentence, and nothing is lost in this visit."""

import sqlite3
from contextlib import closing

import pytest
from sentences import has_line
from state import results_store

from trellislib.experiment import Store, StoreError


def damaged(path):
    path.write_text("these are no results, but a text of someone else\n" * 9)


def foreign(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE other (x)")


def folder(path):
    path.mkdir()


def below_a_file(path):
    """Nothing can be written below a file, not even by root."""
    path.parent.rmdir()
    path.parent.write_text("a file")


UNUSABLE = pytest.mark.parametrize("spoil", [damaged, foreign, folder, below_a_file])


@pytest.fixture
def unusable(results_file, monkeypatch, spoil):
    path = results_file.parent / "folder" / "results.sqlite"
    path.parent.mkdir()
    monkeypatch.setenv("TRELLISLIB_STORE", str(path))
    spoil(path)
    return path


def trouble(visitor):
    """Return the sentence about the results file."""
    (warning,) = [warning for warning in visitor.warnings if "results.sqlite" in warning]
    return warning


@UNUSABLE
def test_a_file_that_cannot_be_used_stops_nobody(unusable, small):
    before = unusable.read_bytes() if unusable.is_file() else None
    small.go("compare")
    assert trouble(small).count(". ") == 0, "one sentence"
    has_line(small.takeaway, "No method", "trained", "small yet")
    small.go("train").set("folds", 2)
    has_line(trouble(small), "Results", "this visit", "not saved")
    small.click("train").wait()
    has_line(small.text, "IC", "CC", "CT", "small", "Automatic", "2-fold (not kept)", "done")

    small.set("methods", ["IC"]).click("train").wait().go("compare")
    assert trouble(small)
    assert list(small.at.table[0].value.columns) == ["IC"]
    assert len(small.charts) == 3
    small.set("runs", [-1])
    assert list(small.at.table[0].value.columns) == ["IC", "CC", "CT"]
    small.click("remove")
    assert list(small.at.table[0].value.columns) == ["IC"]
    assert not small.errors
    assert (unusable.read_bytes() if unusable.is_file() else None) == before, "it was left as it is"


def test_a_file_that_another_program_locks_is_said_soon(results_file, small, monkeypatch):
    monkeypatch.setattr(results_store, "PATIENCE", 0.05)
    Store(results_file)
    with closing(sqlite3.connect(results_file)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        small.go("compare")
        assert "locked" in trouble(small)
        assert str(results_file.parent) not in " ".join(small.warnings)
        small.go("train").set("methods", ["IC"]).set("folds", 2).click("train").wait()
        has_line(small.text, "IC", "not kept", "done")


@UNUSABLE
def test_other_pages_do_not_need_it(unusable, visitor):
    for view in ("start", "data", "scores"):
        visitor.go(view)
        assert not visitor.warnings


def test_a_file_that_can_only_be_read_shows_what_it_has(small, monkeypatch):
    small.go("train").set("folds", 2).click("train").wait()

    def refuse(*args):
        raise StoreError("results.sqlite cannot be used for results (attempt to write a readonly database).")

    monkeypatch.setattr(Store, "begin", refuse)
    small.set("methods", ["IC"]).click("train").wait().go("compare")
    assert small.widget("runs").value == [-2]
    assert list(small.at.table[0].value.columns) == ["IC"]
    small.set("runs", [1])
    assert list(small.at.table[0].value.columns) == ["IC", "CC", "CT"]


def test_a_run_that_is_not_stored_is_shown_alone(small, monkeypatch):
    small.go("train").set("folds", 2).click("train").wait()
    monkeypatch.setattr(Store, "begin", lambda *args: (_ for _ in ()).throw(StoreError("it is full")))
    small.set("methods", ["IC"]).click("train").wait().go("compare").set("runs", [1, -2])

    assert list(small.at.table[0].value.columns) == ["IC"]
    small.click("remove").click("undo removed runs")
    assert set(small.widget("runs").value) == {1, -2}


def test_a_file_that_breaks_during_a_run_ends_it_with_its_reason(small, results_file, monkeypatch):
    """The fits that were made are lost with the file, but not the page."""
    save = Store.save

    def break_off(self, run, row, of_labels=None):
        if row["fold"] == 2:
            raise StoreError("results.sqlite is damaged.")
        return save(self, run, row, of_labels)

    monkeypatch.setattr(Store, "save", break_off)
    small.go("train").set("folds", 3).click("train").wait()

    assert "failed: results.sqlite is damaged." in small.text
    small.go("compare")
    assert any("ended with an error" in info.value for info in small.at.info)
    assert "DNF (1 of 3 folds)" in set(small.at.table[0].value.to_numpy().ravel())
