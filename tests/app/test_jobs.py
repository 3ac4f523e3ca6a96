import threading
import time

import pytest
from state import jobs
from state.jobs import Job
from state.turns import TURNS, Turns

from trellislib.running.progress import stop_if


@pytest.fixture
def gate():
    """A gate that work waits at; opened at the end, so that no thread stays behind."""
    opened = threading.Event()
    yield opened
    opened.set()


def wait_until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.005)


def held(gate):
    """Return work that waits at the gate, stops when it is cancelled, and then returns how it ended."""

    def work(progress, cancelled):
        while not gate.wait(0.005):
            if cancelled():
                return "cut short"
        return "whole"

    return work


def test_a_job_waits_then_runs_then_is_done(gate):
    states = []

    def work(progress, cancelled):
        states.append(job.state)
        assert gate.wait(10)
        return 42

    job = Job()
    assert (job.state, job.is_active, job.share, job.elapsed, job.left) == ("waiting", True, 0.0, 0.0, None)
    gate.set()
    job.run(work)

    assert states == ["running"]
    assert (job.state, job.is_active, job.result, job.error) == ("done", False, 42, "")


def test_start_does_the_work_on_another_thread(gate):
    threads = []

    def work(progress, cancelled):
        threads.append(threading.current_thread())
        return "ok"

    job = jobs.start(work, "a")
    wait_until(lambda: not job.is_active)

    assert (job.state, job.result) == ("done", "ok")
    assert threads != [threading.current_thread()]
    assert threads[0].daemon, "a server that is stopped does not wait for it"


@pytest.mark.parametrize(
    ("error", "sentence"), [(ValueError("the matrix is singular"), "the matrix is singular"), (KeyError(), "KeyError")]
)
def test_failure_is_a_sentence(error, sentence):
    def work(progress, cancelled):
        raise error

    job = Job()
    job.run(work)

    assert (job.state, job.error, job.result, job.is_active) == ("failed", sentence, None, False)


def test_a_failure_frees_its_place():
    def work(progress, cancelled):
        raise ValueError("no")

    failing = [jobs.start(work, "a") for _ in range(4)]
    after = jobs.start(lambda progress, cancelled: "ok", "a")
    wait_until(lambda: not any(job.is_active for job in [*failing, after]))

    assert after.result == "ok"


def test_progress_is_seen_from_outside(gate):
    reached = threading.Event()

    def work(progress, cancelled):
        progress(3, 12, "CC, fold 1")
        reached.set()
        assert gate.wait(10)

    job = jobs.start(work, "a")
    assert reached.wait(10)

    assert (job.done, job.total, job.what, job.share) == (3, 12, "CC, fold 1", 0.25)
    assert job.elapsed > 0
    assert job.left == pytest.approx(3 * job.elapsed, rel=0.5)


@pytest.mark.parametrize(("done", "total", "share"), [(0, 0, 0.0), (5, 4, 1.0), (1, 4, 0.25)])
def test_share_is_between_0_and_1(done, total, share):
    job = Job(done=done, total=total)

    assert job.share == share


def test_elapsed_stops_at_the_end():
    job = Job()
    job.run(lambda progress, cancelled: None)
    first = job.elapsed
    time.sleep(0.02)

    assert job.elapsed == first


def test_cancel_keeps_what_was_finished(gate):
    job = jobs.start(held(gate), "a")
    wait_until(lambda: job.state == "running")
    job.cancel()

    assert job.state in ("cancelling", "cancelled")
    wait_until(lambda: not job.is_active)
    assert job.result == "cut short", "what was finished is there as soon as the job has ended"
    assert job.state == "cancelled", "the end of the work does not make it done"


def test_a_job_cancelled_before_it_began_never_runs(gate):
    blocking = [jobs.start(held(gate), f"visitor {n}") for n in range(TURNS.places)]
    wait_until(lambda: all(job.state == "running" for job in blocking))
    ran = []
    waiting = jobs.start(lambda progress, cancelled: ran.append(1), "a")
    waiting.cancel()
    gate.set()
    after = jobs.start(lambda progress, cancelled: "ok", "a")
    wait_until(lambda: not after.is_active)

    assert waiting.state == "cancelled"
    assert not ran


def test_only_so_many_jobs_run_at_once(gate):
    started = [jobs.start(held(gate), f"visitor {n}") for n in range(TURNS.places + 2)]
    wait_until(lambda: sum(job.state == "running" for job in started) == TURNS.places)
    time.sleep(0.05)

    assert sorted(job.state for job in started) == ["running"] * TURNS.places + ["waiting"] * 2
    gate.set()
    wait_until(lambda: all(job.state == "done" for job in started))


def test_cancelling_an_ended_job_changes_nothing():
    job = Job()
    job.run(lambda progress, cancelled: 1)
    job.cancel()

    assert (job.state, job.result) == ("done", 1)


def test_a_job_that_nobody_watches_is_ended(gate, monkeypatch):
    monkeypatch.setattr(jobs, "UNWATCHED", 0.05)
    job = jobs.start(held(gate), "a")
    wait_until(lambda: not job.is_active)

    assert job.state == "cancelled"


def test_a_job_that_is_watched_goes_on(gate, monkeypatch):
    monkeypatch.setattr(jobs, "UNWATCHED", 0.5)
    job = jobs.start(held(gate), "a")
    until = time.monotonic() + 1.2
    while time.monotonic() < until:
        job.watch()
        time.sleep(0.02)

    assert job.state == "running"


def test_work_that_stops_by_raising_is_cancelled_not_failed():
    def work(progress, cancelled):
        stop_if(cancelled)

    job = Job()
    job.cancel()
    job.state = "waiting"  # it was cancelled after it had started
    job.run(work)

    assert (job.state, job.error) == ("cancelled", "")


def test_visitors_take_turns():
    """With one place, a visitor's second work comes after everybody's first, and who had a turn lately comes later."""
    turns, gate, began = Turns(places=1), threading.Event(), []

    def take(visitor, name):
        job = Job()
        turns.take(visitor, job, lambda progress, cancelled: (gate.wait(10), began.append(name)))
        return job

    asked = [take("a", name) for name in ("a1", "a2", "a3")]
    asked += [take("b", "b1"), take("c", "c1"), take("b", "b2")]
    wait_until(lambda: asked[0].state == "running")
    assert [turns.ahead(job) for job in asked] == [0, 3, 5, 1, 2, 4]
    asked[4].cancel()
    assert turns.ahead(asked[1]) == 2
    gate.set()
    wait_until(lambda: not any(job.is_active for job in asked))

    assert began == ["a1", "b1", "a2", "b2", "a3"]
