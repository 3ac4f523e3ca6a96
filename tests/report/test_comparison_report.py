from dataclasses import replace

import pytest
from sentences import holds
from sklearn.dummy import DummyClassifier
from sklearn.svm import SVC

from trellislib import ClassifierTrellis, IndependentClassifiers
from trellislib.data import simulate_label_dag
from trellislib.experiment import KFold, run
from trellislib.metrics import MEASURES
from trellislib.report import as_pdf, comparison_report, pdf
from trellislib.summaries import about_result

NAME = "<img src='http://x.org'/> & $y"
METHODS = {"IC": IndependentClassifiers(), NAME: ClassifierTrellis(width=2, random_state=0)}


def made(number):
    return replace(simulate_label_dag(n_instances=60, n_labels=3, random_state=number), name=f"dag {number}")


@pytest.fixture(scope="module")
def results():
    return run([made(number) for number in range(5)], METHODS, KFold(3))


def test_one_data_set_has_all_scores_of_all_methods(parsed, results):
    one = results.select(["dag 0"])
    page = parsed(comparison_report(one, datasets=[made(0)], script="results = 1 < 2"))
    page.check_alone()
    summary = one.of_dataset("dag 0").summary()
    rows = {row[0]: row for row in page.cells()}
    assert rows["Score"] == ["Score", "IC", NAME]
    for key in one.measures:
        if key in MEASURES:
            measure = MEASURES[key]
            row = rows[f"{measure.name} {'↑' if measure.higher_is_better else '↓'}"]
            for place, method in enumerate(("IC", NAME), 1):
                mean, spread, rank = (summary.loc[method, (key, what)] for what in ("mean", "std", "rank"))
                assert row[place] == f"{mean:.3f} ± {spread:.3f} ({rank:g})"
    assert about_result(one.of_dataset("dag 0"), MEASURES["accuracy"]) in page.text
    holds(page.text, "60 rows", "3-fold", "Classifier trellis (CT)", made(0).digest, "results = 1 < 2", "seed 0")


def test_several_data_sets_have_the_tables_and_the_tests(parsed, results):
    page = parsed(comparison_report(results, "exact_match"))
    page.check_alone()
    cells = [cell for row in page.cells() for cell in row]
    for key in ("exact_match", "accuracy", "hamming_score"):
        for mean in results.table(key).to_numpy().ravel():
            assert any(cell.startswith(f"{mean:.3f} ±") for cell in cells)
    assert cells.count("avg rank") == 5
    assert len(page.named("img")) == 1
    holds(page.text, "exact match", *results.fits["digest"].unique())


def test_what_did_not_finish_is_said(parsed):
    fails = IndependentClassifiers(SVC(probability=True, gamma=-1.0))
    results = run([made(0)], {"IC": IndependentClassifiers(DummyClassifier()), "bad": fails}, KFold(3))
    page = parsed(comparison_report(results))
    holds(page.text, "bad on dag 0", "failed", "0 of 3 fits")
    with pytest.raises(ValueError, match="nothing to report"):
        comparison_report(results.select(methods=["bad"]))
    with pytest.raises(KeyError, match="'nonsense'"):
        comparison_report(results, "nonsense")


def test_one_pair_of_methods_on_two_data_sets_is_not_tested(parsed, results):
    holds(parsed(comparison_report(results.select(["dag 0", "dag 1"], ["IC"]))).text, "No test can show")


def test_a_pdf_needs_a_browser(monkeypatch):
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with pytest.raises(OSError, match="A PDF needs Chromium"):
        as_pdf("<p>1</p>")


@pytest.mark.skipif(pdf.browser() is None, reason="no Chromium on the path")
@pytest.mark.slow
def test_a_browser_prints_the_pdf(results):
    assert as_pdf(comparison_report(results)).startswith(b"%PDF-")
