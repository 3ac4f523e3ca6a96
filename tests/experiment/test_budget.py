"""Fits in processes of their own."""

import os
import pickle
import subprocess
import sys
import threading
import time
from contextlib import closing

import cloudpickle
import numpy as np
import pandas as pd
import psutil
import pytest
from sentences import Containing, holds
from sklearn.linear_model import LogisticRegression

from trellislib import ClassifierChain, ClassifierTrellis, EnsembleClassifierChains, PerLabel
from trellislib.data import simulate_label_dag
from trellislib.experiment import Budget
from trellislib.experiment.budget import Fitter
from trellislib.experiment.fits import TIMES, fit_and_score
from trellislib.running import apart

cloudpickle.register_pickle_by_value(sys.modules[__name__])
DATA = simulate_label_dag(n_instances=120, n_labels=5, random_state=0)
TRAIN, TEST = np.arange(80), np.arange(80, 120)
AMPLE = Budget(seconds=600, gib=4)


def fitters_children(fitter):
    return [worker.pid for worker in fitter._idle]


@pytest.fixture(scope="module")
def fitter():
    with closing(Fitter(DATA, AMPLE)) as fitter:
        yield fitter


# ---------------------------------------------------------------- what a budget is


def test_a_budget_in_words():
    holds(str(Budget(seconds=86_400, gib=2)), "86,400 s", "2 GiB", "fit")
    holds(str(Budget(gib=0.5)), "0.5 GiB")
    assert " s" not in str(Budget(gib=0.5))
    assert str(Budget()) == "no limit"


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"gib": -1}, {"seconds": "10"}, {"gib": float("nan")}])
def test_no_budget(wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(ValueError, match=rf"^Got {name}={value!r} .*expected .*number above"):
        Budget(**wrong)


def test_numbers_of_numpy_are_numbers():
    assert str(Budget(seconds=np.int64(5), gib=np.float32(2))) == str(Budget(seconds=5, gib=2))


@pytest.mark.parametrize(
    ("mine", "other", "covers"),
    [
        ((10, 2), (10, 2), True),
        ((10, 2), (9, 1), True),
        ((10, 2), (11, 2), False),
        ((10, 2), (10, 3), False),
        ((10, 2), (10, None), False),
        ((10, None), (5, 8), True),
        ((None, None), (None, None), True),
        ((10, None), (None, None), False),
    ],
)
def test_what_a_budget_covers(mine, other, covers):
    assert Budget(*mine).covers(*other) is covers


# ---------------------------------------------------------------- fits within it


def test_scores_are_those_of_here(fitter):
    for method in (ClassifierTrellis(random_state=0), ClassifierChain(PerLabel(LogisticRegression()))):
        row, details = fitter(method, TRAIN, TEST)
        here, details_here = fit_and_score(DATA, method, TRAIN, TEST)
        assert row.pop("memory_mib") > 50
        for time_of in TIMES:
            assert row.pop(time_of) > 0
            here.pop(time_of)
        assert (row.pop("status"), row.pop("reason")) == (here.pop("status"), here.pop("reason")) == ("done", "")
        assert row == pytest.approx(here, rel=1e-9)
        assert details.keys() == details_here.keys()
        for name, table in details.items():
            pd.testing.assert_frame_equal(table, details_here[name])


def test_a_process_is_used_again(fitter, acting):
    fitter(acting(), TRAIN, TEST)
    (first,) = fitters_children(fitter)
    row, _ = fitter(acting(), TRAIN, TEST)
    assert row["status"] == "done"
    assert fitters_children(fitter) == [first]


def test_what_fails_is_a_reason_and_the_process_goes_on(fitter, acting):
    def fails(*_):
        raise RuntimeError("No such luck.\nA second line.")

    assert fitter(acting(fails), TRAIN, TEST)[0].items() >= {"status": "failed", "reason": "No such luck."}.items()
    assert len(fitters_children(fitter)) == 1
    assert fitter(acting(), TRAIN, TEST)[0]["status"] == "done"


def test_what_a_learner_prints_or_reads_does_not_disturb(fitter, acting):
    def talks(*_):
        import os
        import subprocess
        import sys
        import warnings

        print("to the pipe" * 10_000, flush=True)
        os.write(1, b"and to its number")
        sys.__stdout__.write("and so")
        subprocess.run(["echo", "so does another process"], check=True)
        warnings.warn("a warning", stacklevel=1)
        assert sys.stdin.read() == ""
        assert subprocess.run(["cat"], capture_output=True, check=True).stdout == b""

    assert fitter(acting(talks), TRAIN, TEST)[0].items() >= {"status": "done", "reason": ""}.items()
    assert fitter(acting(), TRAIN, TEST)[0]["status"] == "done"


def test_warnings_of_learners_are_no_failures(fitter):
    row, _ = fitter(ClassifierChain(PerLabel(LogisticRegression(max_iter=1))), TRAIN, TEST)
    assert row["status"] == "done"


def test_progress_within_a_fit(fitter, acting):
    def slow(*_):
        import time

        time.sleep(0.15)
        return 0

    reported = []
    chain = ClassifierChain(PerLabel(acting(slow)))
    row, _ = fitter(chain, TRAIN, TEST, lambda *step: reported.append(step))
    assert row["status"] == "done", row["reason"]
    assert len(reported) >= 3
    assert [done for done, *_ in reported] == sorted({done for done, *_ in reported})
    assert {total for _, total, _ in reported} == {5}


@pytest.mark.skipif(os.name == "nt", reason="signals are not those of Windows")
def test_a_crash_is_a_reason(acting):
    def ends(*_):
        import os

        os.kill(os.getpid(), 11)

    with closing(Fitter(DATA, AMPLE)) as fitter:
        assert fitter(acting(ends), TRAIN, TEST) == (
            {"status": "failed", "reason": Containing("process", "ended", "signal 11 (SIGSEGV)")},
            {},
        )
        assert fitters_children(fitter) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_crash_is_seen_though_another_process_holds_the_pipe(acting, tmp_path):
    started = tmp_path / "started"

    def leaves_a_child(*_):
        import os
        import time

        if child := os.fork():
            started.write_text(str(child))
        else:
            time.sleep(600)
        os._exit(4)

    with closing(Fitter(DATA, AMPLE)) as fitter:
        assert fitter(acting(leaves_a_child), TRAIN, TEST) == (
            {"status": "failed", "reason": Containing("process", "ended", "code 4")},
            {},
        )
        assert fitters_children(fitter) == []
    child = psutil.Process(int(started.read_text()))
    assert child.is_running()
    child.kill()


def test_over_time_with_all_that_it_started(acting, tmp_path, clock, wait_until):
    started = tmp_path / "started"

    def starts_another(*_):
        import subprocess
        import sys
        import time

        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        started.write_text(str(other.pid))
        time.sleep(600)

    clock(lambda: started.exists() and started.read_text())
    with closing(Fitter(DATA, Budget(seconds=100))) as fitter:
        row, details = fitter(acting(starts_another), TRAIN, TEST)
    assert row.pop("memory_mib") > 50
    assert row == {"status": "over time", "reason": Containing("more than 100 s")}
    assert details == {}
    wait_until(lambda: has_gone(int(started.read_text())))


def has_gone(pid):
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_starting_the_process_is_not_of_the_time_and_a_forgotten_one_ends(acting, tmp_path, monkeypatch, wait_until):
    """The process starts after 30 looks at a clock on which each takes a second, so that all others take less."""
    go, looks = tmp_path / "go", []

    def now():
        looks.append(1)
        if len(looks) == 30:
            go.touch()
        return min(len(looks), 30)

    monkeypatch.setattr(apart, "CAN_FORK", False)
    monkeypatch.setattr(apart, "monotonic", now)
    wait = f"import os, time\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\n"
    monkeypatch.setattr(apart, "START", wait + apart.START)
    fitter = Fitter(DATA, Budget(seconds=20))
    assert fitter(acting(), TRAIN, TEST)[0]["status"] == "done"
    (pid,) = fitters_children(fitter)
    del fitter
    wait_until(lambda: has_gone(pid))


class SlowToRead:
    """Takes an hour to be read, so that only a process that is ended early answers at all."""

    def __reduce__(self):
        return time.sleep, (3_600,)


def test_what_takes_too_long_to_read_is_over_time(acting, monkeypatch):
    many = np.zeros(200_000, dtype=int)  # more than the pipe holds, so that writing them does not end either
    with closing(Fitter(DATA, AMPLE)) as fitter:
        assert fitter(acting(), TRAIN, TEST)[0]["status"] == "done"
        fitter.budget = Budget(seconds=0.5)
        monkeypatch.setattr(apart, "STARTS", 0.25)
        row, details = fitter(acting(SlowToRead()), many, TEST)
    assert (row["status"], details) == ("over time", {})
    assert "not begun" in row["reason"]
    assert "0.75 s" in row["reason"]


def test_over_memory(acting):
    def takes(*_):
        import time

        held = bytearray(600 * 2**20)
        held[:: 2**12] = b"x" * len(held[:: 2**12])
        time.sleep(600)

    with closing(Fitter(DATA, Budget(gib=0.5))) as fitter:
        row, _ = fitter(acting(takes), TRAIN, TEST)
        assert row["memory_mib"] > 512
        assert (row["status"], row["reason"]) == ("over memory", Containing("more than 0.5 GiB"))


def test_what_the_library_refuses_is_over_memory_in_its_words():
    wide = simulate_label_dag(n_instances=20, n_labels=3, random_state=0)
    many = wide.__class__(
        wide.X, np.tile(wide.Y, 3000), wide.feature_names, tuple(f"l{i}" for i in range(9000)), (("0", "1"),) * 9000
    )
    with closing(Fitter(many, Budget(gib=0.4))) as fitter:
        row, _ = fitter(EnsembleClassifierChains(), np.arange(15), np.arange(15, 20))
    assert row["status"] == "over memory"
    holds(row["reason"], "more than the budget", "410 MiB")
    assert row["memory_mib"] < 410


def test_what_cannot_be_sent_is_a_reason_and_the_process_goes_on(fitter, acting):
    fitter(acting(), TRAIN, TEST)
    (first,) = fitters_children(fitter)
    method = acting(lambda *_: 0)
    method.act = threading.Lock()
    row, _ = fitter(method, TRAIN, TEST)
    assert row["status"] == "failed"
    holds(row["reason"], "cannot be sent", "cannot pickle '_thread.lock'")
    assert fitter(acting(), TRAIN, TEST)[0]["status"] == "done"
    assert fitters_children(fitter) == [first]


class Elsewhere:
    """Cannot be read where the parent is not."""

    def __reduce__(self):
        return __import__, ("a_module_that_is_not_there",)


def test_what_cannot_be_read_is_a_reason(acting):
    with closing(Fitter(DATA, AMPLE)) as fitter:
        row, _ = fitter(acting(Elsewhere()), TRAIN, TEST)
        assert row["status"] == "failed"
        holds(row["reason"], "cannot be read", "No module named 'a_module_that_is_not_there'")


def test_closing_from_another_thread_ends_the_process_after_its_fit(acting):
    fitter = Fitter(DATA, AMPLE)
    found = []
    thread = threading.Thread(target=lambda: found.append(fitter(acting(), TRAIN, TEST)))
    thread.start()
    fitter.close()
    thread.join()
    assert found[0][0]["status"] == "done"
    assert fitters_children(fitter) == []


def test_sent_elsewhere_it_starts_its_own(fitter, acting):
    fitter(acting(), TRAIN, TEST)
    copy = pickle.loads(pickle.dumps(fitter))
    assert (copy.budget, copy._idle, copy.cancelled) == (AMPLE, [], None)


SCRIPT = """
import sys, time
from pathlib import Path
import numpy as np
from sklearn.base import BaseEstimator
from trellislib.data import simulate_label_dag
from trellislib.experiment import Budget, KFold, run

class Sleeps(BaseEstimator):
    def __init__(self, path):
        self.path = path

    def fit(self, X, y):
        import os, subprocess
        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path(self.path).write_text(f"{os.getpid()} {other.pid} ")
        time.sleep(600)

run([simulate_label_dag(n_instances=50, n_labels=3, random_state=0)], {"sleeps": Sleeps(sys.argv[1])},
    budget=Budget(seconds=600))
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are not those of Windows")
def test_a_killed_parent_takes_its_child_along(tmp_path, wait_until):
    (tmp_path / "script.py").write_text(SCRIPT)
    pids = tmp_path / "pids"
    parent = subprocess.Popen([sys.executable, str(tmp_path / "script.py"), str(pids)])
    wait_until(lambda: pids.exists() and pids.read_text().endswith(" "))
    started = [int(pid) for pid in pids.read_text().split()]
    parent.kill()
    parent.wait()
    wait_until(lambda: all(has_gone(pid) for pid in started))
