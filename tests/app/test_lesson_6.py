"""Lesson 6: what it says of ranks, critical distances and times."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata
from sentences import has_line, holds
from views.lessons import verdict

from trellislib import ClassifierTrellis, EnsembleClassifierChains
from trellislib.data import simulate_label_dag
from trellislib.paper.published import published

ADDRESS = {"verdict_sets": "12", "verdict_draw": "3", "verdict_score": "exact match", "verdict_method_1": "CT"}
Q_SEVEN, Q_FIVE = 2.693, 2.459  # of Demsar's table, at 0.10


def paper_scores(measure="accuracy"):
    return published(measure).set_index("dataset").dropna()


def average_ranks(scores, direction=-1):
    return dict(zip(scores, np.mean([rankdata(direction * row) for row in scores.to_numpy()], axis=0), strict=True))


def asked(lesson, name):
    """Return the options of a question, as they are shown."""
    return lesson.widget(f"lesson 6 {name}").options


def unasked(lesson):
    """Return the labels of the questions as they are read."""
    return "\n".join(re.sub(r"\\([^A-Za-z0-9\s])", r"\1", radio.label) for radio in lesson.at.main.radio)


@pytest.mark.parametrize(
    ("score", "name"), [("accuracy", "accuracy"), ("exact_match", "exact match"), ("hamming_score", "Hamming score")]
)
def test_the_paper_s_ranks_are_computed_again(visitor, score, name):
    lesson = visitor.go("lesson_6").set("verdict_score", score)
    table = paper_scores(score)
    ranks = average_ranks(table)
    printed = published(f"{score}_ranks").set_index("dataset").loc["avg rank", "CT"]
    assert len(table) == 8
    has_line(lesson.text, f"published {name}", "8 of 10 data sets", "finished")
    has_line(lesson.text, f"The paper prints {printed:.2f} for CT", f"Here it is {ranks['CT']:.2f}")
    has_line(unasked(lesson), f"In {name}", "CT", f"average rank {ranks['CT']:.2f}", "IC", f"{ranks['IC']:.2f}")
    has_line(lesson.text, "Iman", "Davenport", "level", "0.10")
    distance = Q_SEVEN * np.sqrt(7 * 8 / (6 * 8))
    assert float(re.search(r"Here it is ([\d.]+), ", lesson.text)[1]) == pytest.approx(distance, abs=1e-3)
    right = "The difference is not significant"
    if abs(ranks["IC"] - ranks["CT"]) >= distance:
        right = "CT is better" if ranks["CT"] < ranks["IC"] else "IC is better"
    lesson.set("lesson 6 better", right)
    assert "critical distance of 2.908" in lesson.at.success[0].value.replace("\\", "")
    shown = re.search(r"four times as many data sets is ([\d.]+)\.\n", lesson.text)
    assert float(shown[1]) == pytest.approx(distance / 2, abs=1e-3)


def test_a_significant_pair_is_called_better(visitor, monkeypatch):
    monkeypatch.setattr(verdict, "BASELINE", "CDT")
    lesson = visitor.go("lesson_6").set("verdict_score", "exact_match")
    ranks = average_ranks(paper_scores("exact_match"))
    assert ranks["CDT"] - ranks["CT"] > 2.909
    lesson.set("lesson 6 better", "CT is better")
    assert "at least the critical distance" in lesson.at.success[0].value


def test_more_data_sets_shorten_the_critical_distance(visitor):
    lesson = visitor.go("lesson_6")
    for n in (4, 8, 40):
        lesson.turn(3).set("verdict_sets", n)
        distance = Q_FIVE * np.sqrt(5 * 6 / (6 * n))
        reported = float(re.search(r"critical distance is ([\d.]+)\. If", unasked(lesson))[1])
        assert reported == pytest.approx(distance, abs=0.001)
        assert f"No more than these {n}" in asked(lesson, "needed")
        assert f"a significant difference on these {n} data sets" in lesson.turn(2).text
    assert lesson.widget("verdict_draw").disabled  # all data sets are the same in every draw
    of_all = re.search(r"(\d+) pairs? of 10 shows? a significant difference on these 40 data sets\.", lesson.text)[1]
    lesson.set("verdict_sets", 8)
    assert not lesson.widget("verdict_draw").disabled
    has_line(lesson.text, "significant difference", f"{of_all} on all 40")


def test_two_different_methods_are_looked_at(visitor):
    lesson = visitor.go("lesson_6").turn(3).set("verdict_method_0", "IC")
    assert "IC" not in lesson.widget("verdict_method_1").options
    has_line(unasked(lesson), "The gap", "IC", "CC")


def test_chain_and_trellis_are_compared_by_measured_scores(visitor, monkeypatch):
    scores, seconds = verdict.pool()
    seconds = seconds.assign(CC=2.0, CT=0.5)
    monkeypatch.setattr(verdict, "pool", lambda: (scores, seconds))
    lesson = visitor.go("lesson_6").set("verdict_sets", 40).turn(4)
    ranks = average_ranks(scores)
    reported = (
        f"CC takes 4.0 times as long as the trellis CT, with average ranks of {ranks['CC']:.2f} and {ranks['CT']:.2f}"
    )
    has_line(lesson.text, reported, "chain of 6 labels", "15 edges", "trellis", "7")


def test_scores_are_those_of_the_simulated_sets(visitor):
    lesson = visitor.go("lesson_6").set("verdict_sets", 40).turn(3)
    lesson.set("verdict_method_0", "ECC").set("verdict_method_1", "CT")
    for option in asked(lesson, "needed")[:2]:  # until it is right, or was wrong twice
        lesson.set("lesson 6 needed", option)
    for name, method in (("ECC", EnsembleClassifierChains(random_state=0)), ("CT", ClassifierTrellis(random_state=0))):
        right = []
        for seed in range(40):
            data = simulate_label_dag(400, 6, random_state=seed)
            predicted = method.fit(data.X[:200], data.Y[:200]).predict(data.X[200:])
            right.append((predicted == data.Y[200:]).all(axis=1).mean())
        assert f"{np.mean(right):.1%} for {name}" in lesson.text


@pytest.mark.parametrize(
    ("gap", "right"),
    [
        # 2.459 * sqrt(5 * 6 / (6 * 8)) = 1.944 on 8 data sets, / sqrt(2) = 1.375 on 16, / 2 = 0.972 on 32.
        (1.95, "No more than these 8"),
        (1.94, "More, but at most twice as many"),
        (1.38, "More, but at most twice as many"),
        (1.37, "More than twice, but at most four times as many"),
        (-0.98, "More than twice, but at most four times as many"),
        (0.97, "More than four times as many"),
        (0.0, "More than four times as many"),
    ],
)
def test_the_data_sets_that_a_gap_needs(monkeypatch, gap, right):
    found, text = verdict.ranked(8, 1)
    monkeypatch.setitem(found.average_ranks, "CC", 3.0 - gap)
    monkeypatch.setitem(found.average_ranks, "IC", 3.0)
    monkeypatch.setattr(verdict, "ranked", lambda n, number: (found, text))
    answer = verdict.needed()
    assert answer.right == right
    assert ("no number of data sets" in answer.why) == (gap == 0)


def test_the_best_rank_has_its_price(visitor):
    lesson = visitor.go("lesson_6").turn(4)
    train, test = (published(name).set_index("dataset") for name in ("training_time", "test_time"))
    seconds = (train + test).dropna()
    seconds = seconds[(seconds > 0).all(axis=1)]
    means = np.exp(np.log(seconds).mean())
    ranks = pd.Series(average_ranks(paper_scores()))
    best, fastest = ranks.idxmin(), means.idxmin()
    assert best != fastest
    has_line(lesson.text, f"{len(seconds)} data sets", "none", "missing")
    reported = re.search(
        r"(\w+) has the best average rank, ([\d.]+) places ahead of (\w+)\. \3 is the fastest, "
        r"and \1 takes ([\d.]+) times",
        lesson.text,
    )
    assert reported.group(1, 3) == (best, fastest)
    assert float(reported[2]) == pytest.approx(ranks[fastest] - ranks[best], abs=0.006)
    assert float(reported[4]) == pytest.approx(means[best] / means[fastest], rel=0.05)


def test_times_are_measured_here(visitor):
    lesson = visitor.go("lesson_6").turn(4).set("verdict_times", "Measured here")
    shown = [trace["name"] for trace in lesson.figures[-1]["data"]]
    assert sorted(shown) == sorted(verdict.METHODS)
    assert "Measured again" in lesson.code
    exec(lesson.code.replace(".show()", ""), {})


def test_a_best_method_that_is_the_fastest_is_named(monkeypatch):
    ranks, seconds = pd.Series({"IC": 2.0, "CT": 1.0}), pd.Series({"IC": 1.5, "CT": 1.0})
    monkeypatch.setattr(verdict, "priced", lambda: (ranks, seconds))
    holds(verdict.cost_of_best(), "CT has the best average rank", "fastest")


def test_its_controls_are_in_the_address(visit):
    lesson = visit(**ADDRESS).go("lesson_6")
    for name, value in ADDRESS.items():
        lesson.at.query_params[name] = value
    lesson.run()
    assert "by its published exact match" in lesson.text
    assert "on these 12 data sets" in lesson.turn(2).text
    assert lesson.widget("verdict_draw").value == 3
    has_line(unasked(lesson.turn(3)), "The gap", "CC", "CT")
