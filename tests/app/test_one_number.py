"""The same data and method have the same score on every page and in Python."""

import pytest
from components.catalogue import LEAST_SQUARES
from state import derived
from state.tuning import AS_INFERRED
from views.start.building import scores_shown

from trellislib import ClassifierTrellis, IndependentClassifiers
from trellislib.data import packaged
from trellislib.experiment import Store, evaluate


def test_a_method_has_one_score_on_start_trellis_train_and_in_python(visitor, results_file):
    methods = {
        "IC": IndependentClassifiers(),
        "CT": ClassifierTrellis(width=3, placement="swaps", random_state=0),
    }
    in_python = evaluate(packaged("yeast"), methods).fits.groupby("method")[["accuracy", "exact_match"]].mean()

    visitor.go("trellis")
    (table,) = [table.value for table in visitor.at.table if "Accuracy ↑" in table.value]
    workspace = visitor.workspace()
    exact, accuracy, _ = scores_shown(derived.bench(workspace.dataset).filling(workspace.shown))
    visitor.go("train").set("methods", ["IC", "CT"]).set("learner", LEAST_SQUARES).set("decide", AS_INFERRED)
    visitor.click("train").wait()
    trained = Store(results_file).results([1])
    for key, column, on_start in (
        ("accuracy", "Accuracy ↑", accuracy),
        ("exact_match", "Exact match ↑", exact),
    ):
        for name, place in (("IC", 0), ("CT", -1)):
            score = in_python.loc[name, key]
            assert on_start["values"][place] == pytest.approx(score)
            assert table.loc[name, column].replace("*", "").startswith(f"{score:.3f} ±")
            assert trained.table(key).loc["yeast", name] == pytest.approx(score)
