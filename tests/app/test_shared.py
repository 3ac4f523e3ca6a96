"""A server for several people, each of whom has own results."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from sentences import holds
from state import results_store
from state.registry import workspaces

from trellislib.command_line.app import SHARED_VARIABLE
from trellislib.experiment import Store


@pytest.fixture
def shared(monkeypatch):
    monkeypatch.setenv(SHARED_VARIABLE, "1")


@pytest.fixture
def mine(shared, small):
    """A visitor of a shared server who has trained."""
    return small.go("train").set("folds", 2).set("methods", ["IC"]).click("train").wait()


def stored(visitor):
    store, trouble = results_store.opened(visitor.workspace().token)
    assert trouble == ""
    return store.runs()["title"].tolist() if store else []


def test_a_visit_sees_its_own_runs_only(mine, visit):
    (title,) = stored(mine)
    assert title in mine.go("compare").widget("runs").options[0]
    other = visit().go("compare")
    holds(other.takeaway, "No method", "trained")
    assert stored(other) == []
    assert not results_store.path_of(other.workspace().token).exists(), "a file only for who trains"
    holds(mine.go("compare").widget("runs").help, "address", "30 days")


def test_the_runs_of_the_results_file_are_offered_as_copies(results_file, shared, visit):
    store = Store(results_file)
    store.end(store.begin("Prepared by the teacher"), "done")
    first, second = visit().go("train"), visit().go("train")
    assert stored(first) == stored(second) == ["Prepared by the teacher"]
    (number,) = store.runs().index
    results_store.own(first.workspace().token)[0].remove(number)
    assert stored(first) == []
    assert stored(second) == store.runs()["title"].tolist() == ["Prepared by the teacher"]


def test_removing_an_offered_run_leaves_it_to_others(results_file, mine, visit):
    store, other = Store(results_file), visit()
    numbers = results_store.own(mine.workspace().token)[0].runs().index
    results_store.own(mine.workspace().token)[0].back_up(results_file)  # what the teacher has made before
    other.go("compare").click("remove")
    assert stored(other) == []
    assert list(store.runs().index) == list(numbers)
    other.click("undo removed runs")
    assert len(stored(other)) == 1


def test_runs_are_found_again_by_the_address_after_a_restart(mine, visit):
    token = mine.workspace().token
    workspaces().__init__()  # as a server that was started again
    again = visit(token).go("compare")
    assert again.workspace().token == token
    assert len(again.widget("runs").options) == 1
    assert again.at.query_params["workspace"] == token


def test_an_address_that_nobody_had_opens_a_new_visit(shared, visit):
    visitor = visit("made-up").go("train")
    assert visitor.workspace().token != "made-up"


def test_a_copy_of_a_visit_has_a_copy_of_its_runs(mine):
    token = mine.workspace().token
    results_store.copy(token, "another")
    copy, _ = results_store.opened("another")
    assert copy.runs()["title"].tolist() == stored(mine)
    copy.remove(copy.runs().index[0])
    assert len(stored(mine)) == 1


def test_undo_never_writes_into_the_file_that_is_offered(results_file, mine, visit):
    store = Store(results_file)
    store.end(store.begin("Prepared by the teacher"), "done")
    mine.go("compare").click("remove")
    results_store.path_of(mine.workspace().token).unlink()  # as where a copy of the visit could not be made
    mine.run().click("undo removed runs")
    assert store.runs()["title"].tolist() == ["Prepared by the teacher"]


def test_two_that_begin_at_once_have_one_file(results_file, shared):
    Store(results_file).begin("Prepared by the teacher")
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(lambda name: results_store.own("token")[0].begin(name), "abcd"))
    assert len(set(stores)) == 4
    assert len(results_store.opened("token")[0].runs()) == 5


def test_a_file_does_not_have_the_name_of_the_key(mine):
    token = mine.workspace().token
    path = results_store.path_of(token)
    assert path.is_file()
    assert token not in str(path)


def test_what_nobody_changed_for_long_is_removed(mine):
    path = results_store.path_of(mine.workspace().token)
    results_store.forget_old()
    assert path.exists()
    old = time.time() - results_store.KEPT - 60
    os.utime(path, (old, old))
    results_store.forget_old()
    assert not path.exists()


def test_all_visitors_share_one_file_otherwise(small, results_file):
    assert results_store.path_of("one") == results_store.path_of("other") == results_file
    results_store.forget_old()
    holds(results_store.who_sees(), "All visitors", "all runs")
