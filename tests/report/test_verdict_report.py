from dataclasses import replace

import pytest
from sentences import holds

from trellislib import advise
from trellislib.advice import comparison
from trellislib.data import simulate_label_dag
from trellislib.report import verdict_report
from trellislib.running.progress import duration
from trellislib.wording import without_controls

HOSTILE = "<script>alert('x')</script> & \"q\" \x00 $x"


@pytest.fixture(scope="module")
def data():
    made = simulate_label_dag(n_instances=80, n_labels=4, random_state=0)
    return replace(made, label_names=(HOSTILE, "b", "c", "d"), name=HOSTILE, notes=("Of <b>1999</b>.",))


@pytest.fixture(scope="module")
def advice(data):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(comparison, "STRUCTURES", ("CT", "CC"))
        patched.setattr(comparison, "LEAD", 1.0)
        return advise(data, "exact_match", 600, learners=["logistic"], n_repeats=1)


def test_it_says_and_shows_what_the_advice_has(parsed, advice, data):
    page = parsed(verdict_report(advice, data))
    page.check_alone()
    for sentence in advice.sentences:
        assert sentence in page.text
    rows = {row[0]: row for row in page.cells()}
    for name, row in advice.table.join(advice.contrasts).iterrows():
        shown = rows[row["structure"].replace("baseline", "Baseline")]
        assert f"{row['mean']:.3f}" in shown
        assert duration(row["train_seconds"]) in shown
        if name in advice.contrasts.index:
            assert f"{row['difference']:+.3f}" in shown
            assert f"{row['low']:+.3f} to {row['high']:+.3f}" in shown
            assert f"{row['p']:.2g}" in shown
    assert len(page.named("img")) == 1
    holds(page.text, data.digest, "80 rows", "4 labels", "5 folds", "Exact match", "Classifier trellis", "scikit-learn")
    assert "Of <b>1999</b>." in page.text


def test_names_are_shown_as_they_are(parsed, advice, data):
    page = parsed(verdict_report(advice, data, f"print({HOSTILE!r})"))
    assert " ".join(without_controls(HOSTILE).split()) in " ".join(page.text.split())
    assert "\\x00" in page.text


def test_where_nothing_was_compared_it_says_so(parsed, data):
    empty = advise(data, "exact_match", 1e-6, learners=["logistic"], n_repeats=1)
    page = parsed(verdict_report(empty, data))
    page.check_alone()
    holds(page.text, "No answer yet")
