"""Work in processes of their own."""

import os
import random
import subprocess
import sys
import threading

import cloudpickle
import numpy as np
import psutil
import pytest
from sentences import holds

from trellislib.data import DataError
from trellislib.running.apart import ApartError, Worker, _how_it_ended
from trellislib.running.progress import CancelledError

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # other processes cannot import it


@pytest.fixture(scope="module")
def worker():
    worker = Worker(held={"a": 1})
    yield worker
    worker.end()


def test_what_is_held_is_the_first_argument_and_progress_the_last(worker):
    assert worker.call(lambda held, key, progress: held[key], ("a",)) == 1


def test_it_runs_elsewhere_with_its_progress(worker):
    def work(_, progress):
        progress(1, 2, "half")
        return os.getpid()

    steps = []
    assert worker.call(work, progress=lambda *step: steps.append(step)) == worker.pid != os.getpid()
    assert steps == [(1, 2, "half")]


def test_errors_come_over_and_the_process_goes_on(worker):
    def fails(*_):
        raise DataError("sky.csv: no.", ["sky.csv"])

    before = worker.pid
    with pytest.raises(DataError, match=r"^sky\.csv: no\.$") as error:
        worker.call(fails)
    assert error.value.files == ("sky.csv",)
    assert worker.call(lambda *_: os.getpid()) == before


class TwoError(Exception):
    """Can be written, and not read again."""

    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda *_: threading.Lock(), "cannot pickle '_thread.lock'"),
        (lambda *_: (_ for _ in ()).throw(TwoError("a", "b")), "a and b"),
        (lambda *_: sys.exit(3), "exit, with code 3"),
    ],
    ids=["result", "error", "exit"],
)
def test_what_cannot_be_sent_back_is_an_error_and_the_process_goes_on(worker, act, message):
    before = worker.pid
    with pytest.raises(RuntimeError, match=message):
        worker.call(act)
    assert worker.call(lambda *_: os.getpid()) == before


def test_processes_draw_their_own_numbers_and_are_where_the_caller_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRELLISLIB_OF_A_TEST", "here")
    workers = [Worker(), Worker()]
    found = [
        one.call(lambda *_: (np.random.rand(), random.random(), os.getcwd(), os.environ["TRELLISLIB_OF_A_TEST"]))
        for one in workers
    ]
    for one in workers:
        one.end()
    assert len({*found[0][:2], *found[1][:2]}) == 4
    assert [one[2:] for one in found] == [(str(tmp_path), "here")] * 2


def works_for_ever(*_):
    while True:
        pass


def test_too_much_of_the_processor():
    worker = Worker()
    with pytest.raises(ApartError, match=r"more than 0\.2 s of the processor") as error:
        worker.call(works_for_ever, processor_seconds=0.2)
    assert error.value.over == "time"
    assert not worker.is_running


def test_cancelled_or_interrupted_in_the_middle():
    worker = Worker()
    with pytest.raises(CancelledError):
        worker.call(works_for_ever, cancelled=lambda: True)
    assert not worker.is_running

    def interrupts():
        raise KeyboardInterrupt

    worker = Worker()
    with pytest.raises(KeyboardInterrupt):
        worker.call(works_for_ever, cancelled=interrupts)
    assert not psutil.pid_exists(worker.pid) or psutil.Process(worker.pid).status() == psutil.STATUS_ZOMBIE


def test_how_a_process_ended():
    assert _how_it_ended(0) == "ended with code 0"
    holds(_how_it_ended(-9), "signal 9", "memory")
    holds(_how_it_ended(-99), "signal 99")


def test_the_main_module_is_not_executed_again(tmp_path):
    """A page is one, and a script of a user need not guard itself."""
    script = tmp_path / "script.py"
    script.write_text("from trellislib.running.apart import Worker\nprint(Worker(1).call(lambda held, _: held + 1))\n")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("2\n", "")


class OnlyHere:
    """Can be written, and raises where it is read."""

    def __reduce__(self):
        return int, ("no number",)


def test_a_result_that_cannot_be_read_here_is_named():
    worker = Worker()
    with pytest.raises(ApartError, match=r"answer cannot be read: .*no number"):
        worker.call(lambda *_: OnlyHere())
    assert not worker.is_running
