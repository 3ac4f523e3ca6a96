"""The commands print what the library computes, end with the right code, and keep what is finished."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from html import escape

import numpy as np
import pandas as pd
import pytest
from sentences import Containing, has_line, holds

from trellislib.command_line import main, meter
from trellislib.command_line.interruption import interruptible
from trellislib.command_line.meter import Meter
from trellislib.experiment import Store
from trellislib.experiment.store import VARIABLE
from trellislib.plan import read_plan

DATA = {"label_dag": {"n_instances": 60, "n_labels": 3}}
METHODS = [{"method": "IC"}, {"method": "CT"}, {"method": "ECC", "n_estimators": 2}]
PLAN = {"title": "Small", "protocol": {"folds": 3}, "data": [DATA], "methods": METHODS}
SCORES = "dataset,IC,CT,ECT\n" + "".join(f"d{i},0.{i}1,0.{i}2,0.{i}3\n" for i in range(1, 9))


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    """Keep the results of each test apart."""
    path = tmp_path / "results.sqlite"
    monkeypatch.setenv(VARIABLE, str(path))
    return path


def written(tmp_path, **changes):
    path = tmp_path / "small.json"
    path.write_text(json.dumps(PLAN | changes))
    return path


def called(capsys, *arguments):
    """Return the exit code, the output and the errors of a command."""
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def refused(capsys, *arguments):
    """Return the sentence with which a command is refused."""
    code, _, err = called(capsys, *arguments)
    sentence = err.splitlines()[-1]
    assert code == 1
    assert "Traceback" not in err
    assert sentence.startswith("trellislib: ")
    return sentence


def test_run_prints_the_tables_of_its_results(tmp_path, capsys, store):
    path = written(tmp_path)
    code, out, _ = called(capsys, "run", path, "--csv", tmp_path / "fits.csv")
    assert code == 0
    holds(out.splitlines()[0], "Run 1, Small", "1 data set", "3 methods", "9 fits", store)
    results = Store().results([1])
    for key, name in (("accuracy", "Accuracy (Jaccard)"), ("exact_match", "Exact match")):
        row = re.search(rf"^{re.escape(name)}, higher is better\n.*IC +CT +ECC\nLabel DAG +(.*)$", out, re.MULTILINE)
        found = [float(cell.split()[0]) for cell in re.split(r"  +", row[1])]
        assert found == pytest.approx(results.table(key).iloc[0].tolist(), abs=5e-4)
    for name in ("Hamming score, higher", "Training time (s), lower", "Test time (s), lower"):
        assert f"{name} is better" in out
    assert "Did not finish" not in out
    fits = pd.read_csv(tmp_path / "fits.csv")
    assert fits["accuracy"].tolist() == pytest.approx(results.fits["accuracy"].tolist())


def test_a_second_run_takes_what_the_store_has_unless_asked_to_make_it_again(tmp_path, capsys):
    path = written(tmp_path)
    for more in ([], [], ["--again"]):
        assert called(capsys, "run", path, *more)[0] == 0
    first, second, third = (list(Store().results([run]).fits.index) for run in (1, 2, 3))
    assert first == second
    assert not set(first) & set(third)


def test_what_did_not_finish_is_named_with_its_reason(tmp_path, capsys):
    bad = {"method": "IC", "name": "bad", "estimator": {"class": "sklearn.naive_bayes.MultinomialNB"}}
    code, out, _ = called(capsys, "run", written(tmp_path, methods=[METHODS[0], bad]))
    assert code == 0
    assert re.search(r"^Label DAG +0\.\d+ ± 0\.\d+ \(1\) +DNF$", out, re.MULTILINE)
    has_line(out, "bad on Label DAG", "failed", "Negative values in data")
    holds(refused(capsys, "run", written(tmp_path, methods=[bad])), "None of 3 fits", "finished")


def test_a_measure_that_data_do_not_have_leaves_them_out_of_its_table(tmp_path, capsys):
    data = [DATA, {"packaged": "solar-flare"}]
    _, out, _ = called(capsys, "run", written(tmp_path, data=data, methods=METHODS[:1]))
    accuracy, hamming = out.split("\n\n")[1:3]
    assert "(not defined for solar-flare: labels with more than two values)" in accuracy
    assert "\nsolar-flare " not in accuracy
    assert "\nsolar-flare " in hamming
    _, out, _ = called(capsys, "results")
    assert out.endswith("\n(not defined for solar-flare: labels with more than two values)\n")


def test_data_that_cannot_be_used_are_named(tmp_path, capsys):
    (tmp_path / "broken.csv").write_text("x,sunny\n1,2,3\n")
    broken = {"load": "broken.csv", "labels": -1}
    code, out, _ = called(capsys, "run", written(tmp_path, data=[broken, DATA], methods=METHODS[:1]))
    assert code == 0
    assert re.search(r"^- .*broken\.csv: line 2: expected 2 values but got 3; .*\.$", out, re.MULTILINE)
    sentence = refused(capsys, "run", written(tmp_path, data=[broken]))
    has_line(sentence, "broken.csv", "line 2", "expected 2 values", "got 3")


def test_errors_are_one_sentence(tmp_path, capsys, store):
    sentence = refused(capsys, "run", written(tmp_path, methods=[{"method": "CTT"}]))
    holds(sentence, f"trellislib: {tmp_path}/small.json, methods 1", "no method 'CTT'", "nearest is 'CT'")
    assert not store.exists()
    holds(refused(capsys, "run", written(tmp_path), "--csv", "fits.xlsx"), "trellislib: fits.xlsx", "expected", "csv")
    assert "There is no run 3" in refused(capsys, "results", 3)
    assert "There are no fits" in refused(capsys, "results")
    store.write_bytes(b"no database" * 100)
    has_line(refused(capsys, "runs"), f"{store}", "damaged", "no file", "results")


def test_a_command_that_is_not_understood_has_code_2(capsys):
    with pytest.raises(SystemExit) as raised:
        main(["walk"])
    assert raised.value.code == 2
    assert "invalid choice: 'walk'" in capsys.readouterr().err


@pytest.fixture
def filled(tmp_path):
    path = tmp_path / "small.json"
    path.write_text(json.dumps(PLAN))
    return read_plan(path).run(Store())


def test_runs_are_listed(filled, capsys, store, tmp_path):
    code, out, _ = called(capsys, "runs")
    assert code == 0
    assert re.search(r"^ +1 +Small +\S+ +done +Label DAG +IC, CT and ECC +9$", out, re.MULTILINE)
    other = tmp_path / "other.sqlite"
    holds(called(capsys, "runs", "--store", other)[1], f"no runs in {other}")


def test_results_are_printed_in_each_format(filled, capsys):
    best = f"{filled.table('hamming_score').max(axis=None):.3f}"
    expected = {"text": f"{best} ±", "markdown": f"**{best}** ±", "latex": rf"\textbf{{{best}}} $\pm$"}
    for how, cell in expected.items():
        code, out, _ = called(capsys, "results", 1, "--score", "hamming_score", "--format", how)
        assert code == 0
        assert cell in out
    out = called(capsys, "results", "--score", "hamming_score", "--format", "csv")[1]
    table = pd.read_csv(io.StringIO(out)).query("dataset == 'Label DAG'").set_index("method")["score"]
    assert table.to_dict() == pytest.approx(filled.table("hamming_score").loc["Label DAG"].to_dict())
    has_line(refused(capsys, "results", "--score", "acc"), "No fit", "measure 'acc'", "accuracy")


def test_fits_are_exported(filled, capsys, tmp_path):
    for name, read in (("fits.csv", pd.read_csv), ("fits.parquet", pd.read_parquet)):
        assert called(capsys, "export", tmp_path / name, 1)[:2] == (
            0,
            Containing("9 fits were written", tmp_path / name),
        )
        assert read(tmp_path / name)["accuracy"].tolist() == pytest.approx(filled.fits["accuracy"].tolist())
    has_line(refused(capsys, "export", tmp_path / "fits.txt"), "expected", "name", "csv", "parquet")


def test_a_report_has_the_numbers_and_the_plan_of_a_run(filled, capsys, tmp_path):
    path = tmp_path / "report.html"
    assert called(capsys, "report", 1, "-o", path, "--score", "hamming_score")[:2] == (0, Containing("9 fits", path))
    html = path.read_text(encoding="utf-8")
    for mean in filled.table("hamming_score").loc["Label DAG"]:
        assert f"{mean:.3f}\N{NO-BREAK SPACE}±" in html
    assert escape(Store().runs().code[1]) in html
    has_line(refused(capsys, "report", "-o", tmp_path / "report.doc"), "report.doc", "html", "pdf")
    has_line(refused(capsys, "report", 99, "-o", path), "no run 99")
    has_line(refused(capsys, "report", "-o", path, "--score", "acc"), "measure 'acc'")


def test_ranks_and_tests_of_a_table(tmp_path, capsys):
    path = tmp_path / "accuracy.csv"
    path.write_text(SCORES)
    code, out, _ = called(capsys, "rank", path)
    assert code == 0
    assert out.startswith("accuracy, higher is better (by its name)\n")
    assert re.search(r"^avg rank +3\.00 +2\.00 +1\.00$", out, re.MULTILINE)
    # 12 * 8 / (3 * 4) * (9 + 4 + 1 - 3 * 4); 6 of 6**8 orders; exp(-8)
    has_line(out, "Friedman", "16.000", "p = 3.57e-06", "exact", "0.000335", "chi-square")
    # 2.052 * sqrt(3 * 4 / (6 * 8)), Demsar's q
    has_line(out, "Nemenyi", "critical distance 1.026", "0.1", "8 data sets")
    groups = [line for line in out.splitlines() if line.startswith("No significant difference: ")]
    assert [line.split(": ")[1] for line in groups] == ["ECT, CT", "CT, IC"]
    has_line(out, "ECT", "better than IC", "accuracy", "0.10")


def test_the_direction_can_be_given(tmp_path, capsys):
    path = tmp_path / "table.csv"
    path.write_text(SCORES)
    best = {}
    for more in ((), ("--lower-is-better",), ("--higher-is-better",)):
        out = called(capsys, "rank", path, *more)[1]
        best[more] = re.search(r"^avg rank +(\S+)", out, re.MULTILINE)[1], out.splitlines()[0]
    assert [rank for rank, _ in best.values()] == ["3.00", "1.00", "3.00"]
    has_line(best[()][1], "higher", "better (by default)")
    loss = path.rename(tmp_path / "hamming_loss.csv")
    has_line(called(capsys, "rank", loss)[1], "lower is better", "name")


def test_unfinished_methods_by_each_rule(tmp_path, capsys):
    path = tmp_path / "accuracy.csv"
    path.write_text(SCORES.replace("0.83", "DNF"))
    has_line(called(capsys, "rank", path)[1], "Left out", "method", "not finish", "d8")
    last = called(capsys, "rank", path, "--unfinished", "last")[1]
    assert re.search(r"^d8 +0\.810 \(2\) +0\.820 \(1\) +DNF \(3\)$", last, re.MULTILINE)
    has_line(refused(capsys, "rank", path, "--unfinished", "refuse"), "ECT", "not finish", "d8")


def test_two_methods_are_tested_as_a_pair(tmp_path, capsys):
    path = tmp_path / "accuracy.csv"
    path.write_text("\n".join(line.rpartition(",")[0] for line in SCORES.splitlines()))
    code, out, _ = called(capsys, "rank", path)
    assert code == 0
    assert "Friedman" not in out
    has_line(out, "CT", "better than IC", "accuracy", "0.10")  # all 8 signs alike: p = 2 / 2**8
    test = "Wilcoxon: signed-rank test of each pair at 0.1, 8 data sets"
    (heading,) = [line for line in out.splitlines() if line.startswith(test)]
    holds(heading, "two methods")
    assert called(capsys, "rank", path, "--test", "wilcoxon")[1] == out.replace(heading, test)
    sentence = refused(capsys, "rank", path, "--test", "nemenyi")
    has_line(sentence, f"{path}", "two methods (IC, CT)", "Nemenyi", "three or more", "leave --test")


@pytest.mark.parametrize(
    ("name", "start"),
    [("cd.svg", b"<svg"), ("cd.pdf", b"%PDF"), ("cd.png", b"\x89PNG"), ("cd.tex", b"")],
)
@pytest.mark.parametrize("test", ["nemenyi", "wilcoxon"])
def test_a_diagram_is_drawn(tmp_path, capsys, name, start, test):
    path = tmp_path / "accuracy.csv"
    path.write_text(SCORES)
    code, out, _ = called(capsys, "rank", path, "--test", test, "--diagram", tmp_path / name)
    content = (tmp_path / name).read_bytes()
    assert code == 0
    assert out.endswith(f"The diagram is in {tmp_path / name}.\n")
    assert start in content[:200]
    if name in ("cd.svg", "cd.tex"):
        assert b"ECT" in content
    has_line(refused(capsys, "rank", path, "--diagram", "cd.gif"), "expected", "name", "svg", "pdf", "png", "tex")


def stopped_at(monkeypatch, stop, fit):
    """Let `stop` happen when the progress of a run comes to a fit."""
    show = Meter.__call__

    def shows(self, done, total, what):
        show(self, done, total, what)
        if what == fit and not happened:
            happened.append(what)
            stop()

    happened = []
    monkeypatch.setattr(Meter, "__call__", shows)
    return happened


def raises():
    raise KeyboardInterrupt


@pytest.mark.parametrize("stop", [raises, lambda: signal.raise_signal(signal.SIGINT)], ids=["at once", "when it can"])
def test_an_interrupted_run_keeps_what_is_finished_and_goes_on(tmp_path, capsys, monkeypatch, stop):
    path = written(tmp_path)
    with monkeypatch.context() as patch:
        happened = stopped_at(patch, stop, "CT on Label DAG, fit 2 of 3")
        code, out, err = called(capsys, "run", path)
    assert happened
    assert code == 130
    holds(err.splitlines()[-1], "Interrupted", f"python -m trellislib run {path}")
    before = Store().results([1])
    has_line(out, "Run 1", "Small", "1 data set", "3 methods", f"{len(before.fits)} fits")
    assert 4 <= len(before.fits) < 9
    assert re.search(r"^- CT on Label DAG: not all run \(1 of 3 fits done\)$", out, re.MULTILINE)
    assert Store().runs()["state"].tolist() == ["cancelled"]

    assert called(capsys, "run", path)[0] == 0
    after = Store().results([2])
    assert len(after.fits) == 9
    assert set(before.fits.index) < set(after.fits.index)


def test_the_second_interrupt_stops_at_once_and_the_handler_is_put_back():
    before = signal.getsignal(signal.SIGINT)
    with interruptible() as asked:
        assert not asked()
        signal.raise_signal(signal.SIGINT)
        assert asked()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_progress_is_one_line_of_a_terminal(monkeypatch):
    monkeypatch.setattr(meter.shutil, "get_terminal_size", lambda fallback=(80, 24): os.terminal_size((40, 20)))
    terminal, clock = Terminal(), Clock()
    tell = Meter(terminal, clock)
    for now, done, what in (
        (0.0, 0, "Loading"),
        (0.05, 1, "too soon to be sentence"),
        (30.0, 25, "IC"),
        (60, 50, "x" * 60),
    ):
        clock.now = now
        tell(done, 100, what)
    tell.clear()
    shown = terminal.getvalue().split("\r")[1:]
    expected = ["0%  Loading", Containing("25%", "IC", "1 min 30 s"), f"50%  {'x' * 33}…", "", ""]
    assert [text.rstrip() for text in shown] == expected
    assert all(len(text) < 40 for text in shown)
    assert "\n" not in terminal.getvalue()


def test_progress_without_a_terminal_is_a_line_now_and_then():
    stream, clock = io.StringIO(), Clock()
    tell = Meter(stream, clock)
    for clock.now in range(25):
        tell(clock.now, 100, f"fit {clock.now}")
    tell.clear()
    first, second, third = stream.getvalue().splitlines()
    assert first.split() == ["0%", "fit", "0"]
    holds(second, "10%", "fit 10", "1 min 30 s")
    holds(third, "20%", "fit 20", "1 min 20 s")


def test_the_paper_lists_its_experiments(capsys, tmp_path):
    code, out, _ = called(capsys, "paper", "--list", "--data", tmp_path)
    assert code == 0
    assert re.search(r"^placement: .*Table 6\.\n    0 of 2 data sets", out, re.MULTILINE)
    assert called(capsys, "paper", "--data", tmp_path)[1] == out
    has_line(refused(capsys, "paper", "placment"), "no experiment 'placment'", "nearest", "'placement'")
    has_line(refused(capsys, "paper", "placement", "--data", tmp_path), "none", "(emotions, scene)", "machine")
    assert "there is no such folder" in refused(capsys, "paper", "--list", "--data", tmp_path / "none")


def small_set(folder, name):
    """Write a set of 64 rows and 4 labels under the name of a known one; every order of them is tried."""
    content = "\n".join(
        [f"@relation {name}", *(f"@attribute x{j} numeric" for j in range(3))]
        + [f"@attribute y{j} {{0,1}}" for j in range(4)]
        + ["@data", *(f"{i},{i % 3},{i % 7},{','.join(str((i >> j) & 1) for j in range(4))}" for i in range(64))]
    )
    (folder / f"{name}.arff").write_text(content)
    labels = "".join(f'<label name="y{j}"></label>' for j in range(4))
    (folder / f"{name}.xml").write_text(f"<labels>{labels}</labels>")


def test_the_paper_prints_its_numbers_and_ours(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("TRELLISLIB_CACHE", str(tmp_path / "cache"))
    small_set(tmp_path, "emotions")
    report = tmp_path / "report.md"
    code, out, _ = called(capsys, "paper", "structure", "--data", tmp_path, "--report", report)
    assert code == 0
    ours = Store().results([1]).table("accuracy").loc["Music", "ECC"]
    assert re.search(rf"^ +Music +ECC +0\.588 +{ours:.3f} +-?\d", out, re.MULTILINE)
    assert re.search(r"^ +Scene +ECC +0\.698 +NaN +NaN$", out, re.MULTILINE)
    has_line(out, "paper", "not say", "OCC")
    text = report.read_text()
    assert text.startswith("# The paper, next to what runs here\n\nMade on 20")
    assert f"python -m trellislib paper structure --learner fast --ensembles text --data {tmp_path}\n" in text
    assert f"0.588 / **{ours:.3f}**" in text
    assert f"numpy {np.__version__}" in text


def test_an_experiment_of_the_paper_runs_on_another_data_set(capsys, tmp_path):
    report = tmp_path / "report.md"
    small_set(tmp_path, "flags")
    code, out, _ = called(capsys, "paper", "structure", "--on", "flags", "--data", tmp_path, "--report", report)
    assert code == 0
    assert re.search(r"^ *flags +ECC +NaN +0\.\d+ +NaN$", out, re.MULTILINE)
    assert "DNF" not in report.read_text()
    assert "--on flags" in report.read_text()
    assert "known are emotions" in refused(capsys, "paper", "placement", "--on", "iris")


def test_a_report_that_cannot_be_written_is_refused_before_anything_runs(capsys, tmp_path, store):
    sentence = refused(capsys, "paper", "room", "--report", tmp_path / "none" / "report.md")
    has_line(sentence, "report.md", "cannot", "(No such file or directory)")
    assert not store.exists()


def test_it_is_a_command(tmp_path, capsys):
    code, out, err = called(capsys, "run", written(tmp_path))
    assert (code, err.splitlines()[0]) == (0, "0%  Loading the data")
    has_line(out, "Run 1", "Small", "1 data set", "3 methods", "9 fits")
    wrong = subprocess.run(
        [sys.executable, "-m", "trellislib", "run", "none.toml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (wrong.returncode, wrong.stdout) == (1, "")
    holds(wrong.stderr, "trellislib: none.toml", "cannot be read", "No such file or directory")
    assert wrong.stderr.count("\n") == 1
