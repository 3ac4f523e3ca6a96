"""advise: the answer on files, what it rests on, and the recommended method in a model file."""

from functools import partial

import pytest
from sentences import has_line, holds

from trellislib import load_model
from trellislib.advice import advise, comparison
from trellislib.command_line import advising, main
from trellislib.data import simulate_label_dag


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A table of four labels, of which the advice comes soon."""
    monkeypatch.setattr(comparison, "STRUCTURES", ("CT",))
    quick = partial(advise, learners=["logistic"], n_repeats=1)
    monkeypatch.setattr(advising, "advise", lambda data, score, seconds, **more: quick(data, score, 1e5, **more))
    path = tmp_path / "labels.csv"
    simulate_label_dag(n_instances=80, n_labels=4, random_state=0).frame().to_csv(path, index=False)
    return path


def test_it_prints_the_answer_and_what_it_rests_on_and_keeps_the_method(file, tmp_path, capsys):
    model = tmp_path / "best.model"
    assert main(["advise", str(file), "--labels", "4", "--score", "exact_match", "-o", str(model), "--sets"]) == 0
    printed = capsys.readouterr().out
    holds(printed, "exact match", "independent classifiers", "80 rows", "5 folds")
    has_line(printed, "CT", "logistic")
    has_line(printed, "model is in", str(model))
    kept = load_model(model)
    assert (kept.n_labels, [sets.confidence for sets in kept.sets]) == (4, [0.8, 0.9, 0.95])


def test_an_unknown_score_is_refused_in_a_sentence(file, capsys):
    assert main(["advise", str(file), "--labels", "4", "--score", "speed"]) == 1
    holds(capsys.readouterr().err, "speed", "accuracy")


def test_it_writes_a_report(file, tmp_path, capsys):
    report = tmp_path / "verdict.html"
    assert main(["advise", str(file), "--labels", "4", "--report", str(report)]) == 0
    answer = capsys.readouterr().out.splitlines()[0]
    assert answer in report.read_text(encoding="utf-8")
    assert main(["advise", str(file), "--labels", "4", "--report", str(tmp_path / "verdict.doc")]) == 1
    holds(capsys.readouterr().err, "verdict.doc", ".html or .pdf")
