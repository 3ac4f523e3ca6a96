import pandas as pd
import pytest
from components.tables import methods_table, scores_table
from sklearn.svm import LinearSVC

from trellislib import ClassifierChain, IndependentClassifiers
from trellislib.command_line.tables import not_on, score_table
from trellislib.data import simulate_label_dag
from trellislib.experiment import KFold, evaluate, run
from trellislib.report import comparison_report


@pytest.fixture(scope="module")
def data():
    return simulate_label_dag(n_instances=40, n_labels=3, random_state=0)


METHODS = {"SVM": IndependentClassifiers(LinearSVC()), "CC": ClassifierChain()}


def test_the_reason_stands_where_the_number_would(data):
    result = evaluate(data, METHODS, 2)
    assert result.why_missing("macro_auc") == {"SVM": "no probabilities"}
    assert result.why_missing("accuracy") == {}
    assert scores_table(result).loc["Macro AUC ↑", "SVM"] == "no probabilities"
    assert methods_table(result, "accuracy").loc["SVM", "Log loss ↓"] == "no probabilities"


def test_tables_and_reports_give_the_reason(data):
    results = run([data, data.select(slice(30))], METHODS, KFold(2))
    assert results.undefined("macro_auc") == {"datasets": {}, "methods": {"SVM": "no probabilities"}}
    assert "SVM" not in score_table(results, "macro_auc")
    assert not_on(results, "macro_auc") == "(not defined for SVM: no probabilities)\n"
    assert "no macro AUC (no probabilities)" in comparison_report(results, "macro_auc")
    one = comparison_report(run([data], METHODS, KFold(2)))
    assert "no probabilities" in one
    assert "DNF" not in one


def test_every_one_of_the_best_has_a_star_and_the_rank_of_the_statistics(data):
    result = evaluate(data, {name: ClassifierChain() for name in "abc"}, 2)
    row = scores_table(result).loc["Accuracy (Jaccard) ↑"]
    assert row.str.endswith("★ 2").all(), "three that tie for the first place share rank 2"
    assert methods_table(result, "accuracy")["Accuracy (Jaccard) ↑"].str.endswith("★").all()
    pd.testing.assert_series_equal(
        result.summary()["accuracy", "rank"], pd.Series(2.0, list("abc")), check_names=False, check_index_type=False
    )
