import numpy as np
import pandas as pd
from sentences import has_line

from trellislib.summaries.propagation import about_edge_effects, about_independent, about_propagation

NAMES = ["a", "b", "c"]


def labels(**columns):
    table = {"label": [2, 0], "n_inputs": [0, 1], "given_predicted": [0.9, 0.7], "given_true": [0.9, 0.8]}
    counts = {"n_rows": 100, "n_own": [10, 20], "n_inherited": [0, 10], "n_overruled": 0, "n_lucky": 0}
    return pd.DataFrame(table | {"lost": [0.0, 0.1]} | counts | columns)


def edges(gains, p):
    return pd.DataFrame({"parent": 0, "child": range(1, len(gains) + 1), "gain": gains, "p": p})


def test_inherited_errors_and_the_label_that_loses_most():
    text = about_propagation(labels(), NAMES)
    for part in (
        "80.0% of label values",
        "85.0% would be with true inputs",
        "10 of 40 errors",
        "inherited",
        "a loses most (10",
    ):
        assert part in text
    one = about_propagation(labels(n_own=[0, 0], n_inherited=[0, 1]), NAMES)
    assert "1 of 1 error is" in one


def test_errors_of_the_inference_and_lucky_values_are_counted():
    table = labels(n_overruled=[3, 0], n_lucky=[0, 1])
    text = about_propagation(table, NAMES)
    assert "10 of 43 errors" in text
    assert "make 1 value right" in text


def test_without_losses_without_edges_and_without_known_truth():
    assert "No label loses" in about_propagation(labels(lost=[0.0, -0.1]), NAMES)
    without = about_propagation(labels(n_inputs=[0, 0]), NAMES)
    assert without.startswith("80.0% of label values")
    has_line(without, "No label", "predicted", "others")
    unknown = labels(given_predicted=[np.nan, np.nan], n_rows=0)
    assert "No label" in about_propagation(unknown, NAMES)
    assert "No label" in about_independent(unknown)


def test_a_label_counts_as_often_as_it_is_judged():
    table = labels(n_rows=[30, 10])
    text = about_propagation(table, NAMES)
    assert "85.0% of label values" in text
    assert "87.5% would be with true" in text
    assert "85.0% of label values" in about_independent(table)
    unknown = labels(n_rows=[30, 0], given_predicted=[0.9, np.nan], given_true=[0.9, np.nan], lost=[0.0, np.nan])
    assert "90.0%" in about_independent(unknown)


def test_edges_that_clearly_help_and_hurt_are_counted_and_the_strongest_is_named():
    table = edges([0.03, 0.02, 0.001, -0.04], [0.001, 0.01, 0.9, 0.02])
    text = about_edge_effects(table, [*NAMES, "x", "d"])
    for part in ("4 edges", "2 of 4 edges clearly help ", "1 clearly hurts", "accuracy", "a → d hurts most (0.04)"):
        assert part in text
    undirected = about_edge_effects(table[:2], NAMES, "Hamming score", is_directed=False)
    for part in ("2 edges", "none clearly hurts", "Hamming score", "a ↔ b helps most (0.03)"):
        assert part in undirected


def test_edges_that_make_no_clear_difference():
    assert "None of 2 edges" in about_edge_effects(edges([0.1, -0.1], [0.06, 1.0]), NAMES)
    assert "no clear difference" in about_edge_effects(edges([0.1], [0.06]), NAMES)
    assert "no edges" in about_edge_effects(edges([], []), NAMES)
