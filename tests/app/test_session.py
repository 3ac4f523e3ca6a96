import hashlib
import threading
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sentences import has_line, holds
from state import registry, session
from state.jobs import Job
from state.registry import Workspaces
from state.removed_runs import bring_back, remove
from state.runs import Run
from state.sources import first
from state.tuning import Shape
from state.uploaded import Dropped
from state.visit_sets import Loaded, VisitSets
from state.workspace import Workspace

from trellislib.experiment import Store


def workspace(token, *states):
    """Return a workspace with a run in each of the states."""
    made = Workspace(token, VisitSets(Loaded(first(), SimpleNamespace(digest="made"))), shape=Shape(1))
    made.runs = [Run(n, "IC on made, 5-fold", "", Job(state=state)) for n, state in enumerate(states, 1)]
    return made


def kept(held, tokens):
    return [token for token in tokens if held.get(token) is not None]


def test_an_unknown_token_is_nobodys():
    held = Workspaces()

    assert held.get("unknown") is None
    assert held.get(None) is None


def test_the_least_recently_used_is_dropped(monkeypatch):
    monkeypatch.setattr(registry, "MOST_WORKSPACES", 3)
    held = Workspaces()
    for token in "abc":
        held.keep(workspace(token))
    held.get("a")
    held.keep(workspace("d"))

    assert kept(held, "abcd") == ["a", "c", "d"]


def test_active_jobs_stay(monkeypatch):
    monkeypatch.setattr(registry, "MOST_WORKSPACES", 3)
    held = Workspaces()
    held.keep(workspace("busy", "done", "running"))
    held.keep(workspace("waiting", "waiting"))
    held.keep(workspace("idle", "done", "cancelled", "failed"))
    held.keep(workspace("new"))

    assert kept(held, ["busy", "waiting", "new"]) == ["busy", "waiting", "new"]
    assert held.get("idle") is None


def test_a_new_job_stays_though_all_others_are_active(monkeypatch):
    """Otherwise whoever comes last would lose everything on each click."""
    monkeypatch.setattr(registry, "MOST_WORKSPACES", 2)
    held = Workspaces()
    for token in ("one", "two", "three"):
        held.keep(workspace(token, "running"))
    held.keep(workspace("new"))

    assert held.get("new") is not None


@pytest.mark.parametrize("what", [VisitSets, Dropped])
def test_those_that_take_too_much_are_dropped(monkeypatch, what):
    monkeypatch.setattr(registry, "MOST_BYTES", 250)
    monkeypatch.setattr(what, "n_bytes", property(lambda kept: 100))
    held = Workspaces()
    for token in "abc":
        held.keep(workspace(token, *(["running"] if token == "a" else [])))

    assert kept(held, "abc") == ["a", "c"]


def test_many_can_come_at_once():
    held = Workspaces()
    threads = [threading.Thread(target=lambda n=n: held.keep(workspace(f"token {n}"))) for n in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(kept(held, [f"token {n}" for n in range(40)])) == 40


def titles(*numbers):
    return {number: f"run {number}" for number in numbers}


def test_a_run_that_goes_on_is_not_removed():
    made = workspace("a", "running", "done", "waiting")
    remove(made, titles(1, 2, 3))

    assert [run.number for run in made.runs] == [1, 3]
    assert made.runs[0].job.state == "running"
    assert list(made.removed[0].titles) == [2]


def test_a_run_that_goes_on_elsewhere_is_not_removed(tmp_path):
    store = Store(tmp_path / "results.sqlite")
    number = store.begin("IC")
    made = workspace("a")
    remove(made, titles(number), store)

    assert store.runs().index.tolist() == [number]
    assert not made.removed


def test_removing_a_run_twice_is_nothing_new():
    """Two tabs of one address can both show its button."""
    made = workspace("a", "done", "done")
    remove(made, titles(1))
    remove(made, titles(1))

    assert [run.number for run in made.runs] == [2]
    assert len(made.removed) == 1


def test_removed_runs_come_back_to_their_places():
    """The last one first, though a newer run has begun since."""
    made = workspace("a", "done", "done", "done", "done")
    remove(made, titles(2, 4))
    remove(made, titles(1))
    made.runs.insert(0, Run(5, "newer", "", Job(state="done")))

    assert bring_back(made, None) == [1]
    assert bring_back(made, None) == [2, 4]
    assert bring_back(made, None) == []
    assert [run.number for run in made.runs] == [5, 1, 2, 3, 4]


def ended(*states):
    """Return results of fits that ended so."""
    return SimpleNamespace(fits=pd.DataFrame({"status": states}))


@pytest.mark.parametrize(
    ("job", "outcome"),
    [
        (Job(state="failed", error="the matrix is singular"), "failed: the matrix is singular"),
        (Job(state="done", started=5.0, ended=135.4, result=ended("done", "done")), "done in 2 min 10 s"),
        (
            Job(state="done", started=5.0, ended=6.0, result=ended("done", "over time", "failed")),
            "done in 1 s, 2 of 3 fits did not finish",
        ),
        (Job(state="cancelled", started=1.0, ended=1.31), "cancelled after 0.31 s, 0 fits kept"),
        (Job(state="cancelled"), "cancelled after 0 s, 0 fits kept"),
    ],
)
def test_outcome_in_words(job, outcome):
    assert Run(1, "IC, CT on made, 5-fold", "", job).outcome == outcome


def test_title_of_a_run():
    description = "IC, CT on made"
    assert Run(3, description, "", Job()).title == f"3: {description}"
    holds(Run(-1, description, "", Job()).title, description, "not")
    assert "-1" not in Run(-1, description, "", Job()).title


def test_two_visitors_share_nothing(visit):
    one, other = visit(), visit()
    assert one.workspace().token != other.workspace().token
    one.choose_packaged("solar-flare")
    one.go("train").set("folds", 2).click("train").wait()
    other.run()

    assert one.loaded.startswith("solar-flare")
    assert other.loaded.startswith("yeast")
    assert len(one.workspace().runs) == 1
    assert other.workspace().runs == []
    assert len(other.go("compare").charts) == 2, "results are everybody's"


def test_a_copy_also_knows_what_its_link_was_made_with(visit, monkeypatch):
    one = visit(data='file~mine.csv~{"labels":-1}')
    one.choose_packaged("movies").workspace().holder = "a session that a browser shows"
    monkeypatch.setattr(registry, "is_open", bool)
    other = visit(one.workspace().token)
    assert other.workspace() is not one.workspace()

    other.upload(("mine.csv", CSV)).click("accept")
    assert other.workspace().dataset.label_names == ("warm",)


def test_the_address_leads_back_to_the_workspace(visit):
    one = visit().choose_packaged("solar-flare")
    token = one.at.query_params["workspace"]
    again = visit(token)

    assert again.loaded == one.loaded
    assert again.workspace() is one.workspace()


def test_an_unknown_address_gives_a_new_workspace(visit):
    stranger = visit("no-such-token")

    assert stranger.loaded.startswith("yeast")
    assert stranger.workspace().token != "no-such-token"
    assert any("no longer stored" in toast.value for toast in stranger.at.toast)
    stranger.choose_packaged("solar-flare")
    assert stranger.at.query_params["workspace"] == stranger.workspace().token


def test_the_shared_data_set_is_never_changed(visit):
    one, other = visit(), visit()
    data = one.workspace().dataset
    before = (
        hashlib.sha256(np.ascontiguousarray(data.X)).digest(),
        hashlib.sha256(np.ascontiguousarray(data.Y)).digest(),
    )
    assert data is other.workspace().dataset
    one.go("trellis").go("dependence").go("train").set("scaling", "to unit variance").set("folds", 2)
    one.click("train").wait().go("compare")

    assert (
        hashlib.sha256(np.ascontiguousarray(data.X)).digest(),
        hashlib.sha256(np.ascontiguousarray(data.Y)).digest(),
    ) == before


def test_what_is_on_screen_is_never_dropped(visit, monkeypatch):
    """An open page holds its workspace, though the server has forgotten it."""
    monkeypatch.setattr(registry, "MOST_WORKSPACES", 1)
    one = visit().choose_packaged("solar-flare")
    visit().choose_packaged("movies")

    assert registry.workspaces().get(one.workspace().token) is None
    assert one.run().loaded.startswith("solar-flare")


def test_a_run_trains_what_its_page_showed(visit):
    """Another tab of the workspace may have loaded other data between the page and the click."""
    one = visit().choose_packaged("solar-flare")
    other = visit(one.workspace().token)
    one.go("train").set("folds", 2)
    other.choose_packaged("yeast")
    one.click("train").wait()

    assert one.workspace().runs[0].job.result.datasets == ("solar-flare",)
    has_line(one.workspace().runs[0].name, "solar-flare", "Automatic", "2-fold")
    assert one.loaded.startswith("yeast")


def test_the_tuned_trellis_outlives_a_refresh(visit):
    one = visit().go("trellis").set("width", 5).set("pattern", "custom").set("parent-2+0", True)
    again = visit(one.workspace().token).go("train")

    assert "width 5, parents custom" in again.captions
    assert again.workspace().shape.custom == ((0, -1), (-1, 0), (-2, 0))


def test_a_placement_chosen_right_before_the_page_is_left_is_kept(visit):
    """A click on another page ends the run of this one, or comes with the choice."""
    one = visit().go("trellis").set("seed", 7)
    one.widget("placement").set_value("random")
    one.go("train")

    assert "random, seed 7" in one.captions
    assert one.go("trellis").widget("placement").value == "random"
    assert one.set("width", 2).go("compare").go("train").workspace().shape.width == 2


def test_the_number_of_ended_jobs_is_limited(visitor, monkeypatch):
    monkeypatch.setattr("state.workspace.MOST_PIECES", 2)
    workspace = visitor.workspace()
    for key in range(4):
        workspace.start(key, lambda progress, cancelled, key=key: 10 * key)
        visitor.wait(lambda key=key: not workspace.job(key).is_active)

    assert [workspace.job(key) and workspace.job(key).result for key in range(4)] == [None, None, 20, 30]


CSV = b"x,z,sunny,warm\n0.5,1.5,1,0\n0.1,2.5,0,0\n0.9,0.5,1,1\n0.3,1.0,0,1\n"


def test_tokens_cannot_be_guessed():
    tokens = {session._new_token() for _ in range(1000)}

    assert len(tokens) == 1000
    assert all(len(token) >= 22 for token in tokens), "128 random bits"
    for at in range(20):
        assert len({token[at] for token in tokens}) > 40, "no place has fewer than some of the 64 letters"


def test_no_near_token_leads_to_a_workspace(visit):
    """Neither a part of a token nor one of another case does, nor what is often tried."""
    one = visit().upload(("mine.csv", CSV))
    one.click("accept")
    token = one.workspace().token

    for guess in (token[:-1], token + "a", token.swapcase(), token[::-1], "", "0", "1", "mine", "*", "%", "None"):
        if guess == token:
            continue
        stranger = visit(guess)
        assert stranger.loaded.startswith("yeast"), guess
        assert [kept.dataset.name for kept in stranger.workspace().sets] == ["yeast"]


def test_a_link_without_the_token_gives_names_only(visit):
    one = visit().upload(("mine.csv", CSV))
    one.click("accept")
    (link,) = [box.value for box in one.at.code if box.language != "python"]
    assert one.workspace().token not in link

    stranger = visit(data=one.at.query_params["data"])
    assert "mine.csv" in stranger.notices
    assert stranger.loaded.startswith("yeast")
    assert [kept.dataset.name for kept in stranger.workspace().sets] == ["yeast"]


def test_visit_sets_come_back_with_the_workspace(visit):
    one = visit().upload(("mine.csv", CSV))
    first = one.workspace().dataset.digest
    one.click("accept").click(f"load {first}")
    again = visit(one.workspace().token)

    assert [kept.dataset.name for kept in again.workspace().sets] == ["yeast", "mine"]
    assert again.loaded.startswith("yeast")
