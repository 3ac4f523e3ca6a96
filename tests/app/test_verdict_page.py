"""Verdict: one button, an answer that gets surer while fits end, and what it rests on."""

import html
import threading
from functools import partial

import pytest
from sentences import holds
from state import inquiry

from trellislib import advise
from trellislib.advice import comparison

QUICK = partial(advise, learners=["logistic"], n_repeats=1)


@pytest.fixture(autouse=True)
def two_structures(monkeypatch):
    monkeypatch.setattr(comparison, "STRUCTURES", ("CT", "CC"))
    monkeypatch.setattr(comparison, "LEAD", 1.0)  # without stacked classifiers
    monkeypatch.setattr(inquiry, "advise", lambda data, score, seconds, **more: QUICK(data, score, 1e5, **more))


def ended(visitor):
    (job,) = visitor.workspace().pieces.values()
    return visitor.wait(lambda: not job.is_active)


def test_before_it_is_asked_it_says_what_is_compared_and_how_long_that_takes(small):
    small.go("verdict")
    assert small.title == "Is label structure worth it?"
    holds(small.takeaway, "60 s", "independent classifiers", "chains", "trellises", "accuracy")
    holds(small.text, "CT", "ECC", "5 %")


def test_one_click_gives_the_answer_what_to_use_and_what_it_rests_on(small):
    ended(small.go("verdict").click("verdict"))
    (job,) = small.workspace().pieces.values()
    for sentence in job.result.sentences:
        holds(small.text, sentence)
    assert small.takeaway.strip("*") == job.result.sentences[0]
    table = small.table("Method")
    assert {name.removeprefix("★ ") for name in table["Method"]} == {"IC", "CT", "baseline", "CC"}
    assert [name.removeprefix("★ ") for name in table["Method"] if name.startswith("★")] == [
        job.result.table.loc[job.result.recommended, "structure"]
    ]
    assert table["accuracy"].is_monotonic_decreasing
    (figure,) = small.figures
    assert [trace["x"][0] for trace in figure["data"]] == pytest.approx(list(job.result.contrasts["difference"]))
    holds(small.captions, "5 folds", "80 rows")


def test_the_report_has_the_answer_and_the_python(small, downloads):
    small.go("verdict")
    assert not any("report" in key for key in downloads)
    ended(small.click("verdict"))
    page = html.unescape(downloads["small-verdict-report html"]())
    holds(page, small.takeaway.strip("*"), small.code)


def test_what_is_known_so_far_is_shown_while_it_goes_on(small, monkeypatch):
    gate, reached = threading.Event(), threading.Event()

    def waits(data, score, seconds, so_far, **more):
        def keep(advice):
            so_far(advice)
            if not advice.contrasts.empty:
                reached.set()
                assert gate.wait(60)

        return QUICK(data, score, 1e5, so_far=keep, **more)

    monkeypatch.setattr(inquiry, "advise", waits)
    small.go("verdict").click("verdict")
    assert reached.wait(60)
    small.run()
    holds(small.text, "So far", "CT")
    assert small.widget("verdict").disabled
    gate.set()
    ended(small)
    assert "So far" not in small.text


def test_another_score_is_another_question(small):
    small.go("verdict").set("verdict_score", "exact_match")
    holds(small.takeaway, "exact match")
    ended(small.click("verdict"))
    holds(small.takeaway, "exact match")
    small.set("verdict_score", "accuracy")
    holds(small.takeaway, "60 s", "accuracy")


def test_a_comparison_that_fails_says_why(small, monkeypatch):
    def fails(*given, **more):
        raise ValueError("there is no room")

    monkeypatch.setattr(inquiry, "advise", fails)
    ended(small.go("verdict").click("verdict"))
    assert small.errors == ["there is no room"]


def test_python_of_the_page_asks_the_same(small):
    small.go("verdict").set("verdict_score", "exact_match")
    assert "advise(data, 'exact_match', 60)" in small.flat_code
