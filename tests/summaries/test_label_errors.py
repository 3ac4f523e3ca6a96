from dataclasses import replace

import pytest
from sentences import holds

from trellislib.data import simulate_label_dag
from trellislib.inspection import suspicious_labels
from trellislib.summaries.label_errors import about_label_errors


@pytest.fixture(scope="module")
def data():
    return simulate_label_dag(n_instances=60, n_labels=3, random_state=0)


def test_a_list_that_was_cut_says_at_least(data):
    found = suspicious_labels(data, most=3)
    n_sure = int((found["confident"] & (found["margin"] < 0)).sum())
    assert n_sure
    holds(about_label_errors(found, data, most=3), f"At least {n_sure} of 180 labels")


def test_where_nothing_looks_wrong_it_says_so(data):
    certain = replace(data, X=data.Y.astype(float), feature_names=data.label_names)
    holds(about_label_errors(suspicious_labels(certain).head(0), certain), "None of 180 labels")


def test_a_single_label_is_in_agreement_and_has_no_others(data):
    found = suspicious_labels(data)
    one = found[found["confident"] & (found["margin"] < 0)].head(1)
    sentence = about_label_errors(one, data)
    holds(sentence, "1 of 180 labels looks wrong")
    assert "the most" not in sentence
