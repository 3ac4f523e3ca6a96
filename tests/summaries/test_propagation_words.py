import numpy as np
import pandas as pd

from trellislib.summaries.propagation import about_edge_effects, about_independent, about_propagation

NAMES = ["a", "b", "c"]


def labels(**columns):
    table = {"label": [2, 0], "n_inputs": [0, 1], "given_predicted": [0.9, 0.7], "given_true": [0.9, 0.8]}
    counts = {"n_rows": 100, "n_own": [10, 20], "n_dragged": [0, 10], "n_overruled": 0, "n_saved": 0}
    return pd.DataFrame(table | {"lost": [0.0, 0.1]} | counts | columns)


def edges(gains, p):
    return pd.DataFrame({"parent": 0, "child": range(1, len(gains) + 1), "gain": gains, "p": p})


def test_what_is_dragged_along_and_who_loses_most():
    assert about_propagation(labels(), NAMES) == (
        "80.0% of label values are right, and 85.0% given true inputs: 10 of 40 errors are dragged along; a loses "
        "most, 10 points."
    )
    one = about_propagation(labels(n_own=[0, 0], n_dragged=[0, 1]), NAMES)
    assert "1 of 1 error is dragged along" in one


def test_errors_of_the_inference_and_values_that_errors_make_right():
    table = labels(n_overruled=[3, 0], n_saved=[0, 1])
    assert "10 of 43 errors are dragged along, and wrong inputs make 1 value right; a loses" in (
        about_propagation(table, NAMES)
    )


def test_nothing_lost_nothing_handed_on_and_nothing_known():
    assert about_propagation(labels(lost=[0.0, -0.1]), NAMES).endswith("; no label loses by it.")
    assert about_propagation(labels(n_inputs=[0, 0]), NAMES) == (
        "80.0% of label values are right; no label is predicted from others, so no error is handed on."
    )
    unknown = labels(given_predicted=[np.nan, np.nan], n_rows=0)
    assert about_propagation(unknown, NAMES).startswith("No label can be judged")
    assert about_independent(unknown) == "No label of independent classifiers (IC) can be judged."


def test_a_label_counts_as_often_as_it_is_judged():
    table = labels(n_rows=[30, 10])
    assert about_propagation(table, NAMES).startswith("85.0% of label values are right, and 87.5% given true inputs: ")
    assert about_independent(table) == "Independent classifiers (IC) are right in 85.0% of label values."
    unknown = labels(n_rows=[30, 0], given_predicted=[0.9, np.nan], given_true=[0.9, np.nan], lost=[0.0, np.nan])
    assert about_independent(unknown) == "Independent classifiers (IC) are right in 90.0% of label values."


def test_which_edges_help_and_hurt():
    table = edges([0.03, 0.02, 0.001, -0.04], [0.001, 0.01, 0.9, 0.02])
    said = "Of 4 edges, 2 clearly help and 1 clearly hurts accuracy; a → d hurts most, by 0.04."
    assert about_edge_effects(table, [*NAMES, "x", "d"]) == said
    undirected = about_edge_effects(table[:2], NAMES, "Hamming score", is_directed=False)
    assert undirected == "Of 2 edges, 2 clearly help and none clearly hurts Hamming score; a ↔ b helps most, by 0.03."


def test_edges_that_make_no_clear_difference():
    assert about_edge_effects(edges([0.1, -0.1], [0.06, 1.0]), NAMES) == (
        "None of 2 edges by itself makes a clear difference in accuracy."
    )
    assert about_edge_effects(edges([0.1], [0.06]), NAMES) == "The one edge makes no clear difference in accuracy."
    assert about_edge_effects(edges([], []), NAMES) == "There are no edges."
