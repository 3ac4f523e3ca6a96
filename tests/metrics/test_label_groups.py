import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from trellislib import IndependentClassifiers
from trellislib.data import simulate_label_dag
from trellislib.experiment import evaluate
from trellislib.metrics import brier_score, frequency_groups, group_scores, per_label_scores


@given(st.integers(3, 9), st.integers(0, 999))
def test_groups_have_the_f1_of_their_columns(n_labels, seed):
    rng = np.random.default_rng(seed)
    true, predicted = rng.integers(2, size=(2, 12, n_labels))
    of_labels = per_label_scores(true, predicted)
    groups = frequency_groups(of_labels["support"])
    found = group_scores(of_labels)
    assert found["labels"].max() - found["labels"].min() <= 1
    for group, row in found.iterrows():
        columns = np.flatnonzero(groups == group)
        micro = sk.f1_score(true[:, columns].ravel(), predicted[:, columns].ravel(), zero_division=0)
        macro = np.mean([sk.f1_score(true[:, one], predicted[:, one], zero_division=0) for one in columns])
        assert row[["micro_f1", "macro_f1"]].tolist() == pytest.approx([micro, macro])
    ordered = of_labels["support"].groupby(groups, observed=True).agg(["min", "max"])
    assert (ordered["min"].to_numpy()[:-1] >= ordered["max"].to_numpy()[1:]).all()


def test_groups_of_an_evaluation_are_of_all_test_rows():
    data = simulate_label_dag(n_instances=60, n_labels=4, random_state=0)
    result = evaluate(data, {"IC": IndependentClassifiers()}, 3)
    assert result.label_scores()["support"].tolist() == np.asarray(data.Y.sum(axis=0)).ravel().tolist()
    assert result.group_scores()["support"].sum() == data.Y.sum()
    assert result.group_scores().loc["IC"].index.tolist() == ["head", "middle", "tail"]
    few = evaluate(simulate_label_dag(n_instances=60, n_labels=2, random_state=0), {"IC": IndependentClassifiers()}, 2)
    assert few.group_scores().empty


def test_brier_score_as_scikit_learn_has_it():
    rng = np.random.default_rng(0)
    true, p = rng.integers(2, size=(9, 3)), rng.random((9, 3))
    expected = pd.Series([sk.brier_score_loss(true[:, label], p[:, label]) for label in range(3)])
    assert brier_score(true, p) == pytest.approx(expected.mean())
    assert per_label_scores(true, true, p)["brier_score"].tolist() == pytest.approx(expected.tolist())
