"""Lesson 2: independent classifiers and what they miss; on yeast, against a classifier chain."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import figure

from trellislib import ClassifierChain, IndependentClassifiers
from trellislib.data import packaged
from trellislib.experiment import folds
from trellislib.figures import combinations_figure
from trellislib.labels.label_sets import label_correlations, pair_combinations, unseen_sets
from trellislib.metrics import exact_match, hamming_score
from trellislib.wording import percent
from views.lessons.knobs import two_different, two_knobs
from views.lessons.text import Answer, Content

DATA = "yeast"
TRUTH = "truth"
METHODS = {"IC": IndependentClassifiers, "CC": ClassifierChain}
PAIR = ("Class5", "Class6")

pair = two_knobs("pair", PAIR)  # the two labels that are looked at


@st.cache_resource(max_entries=1, show_spinner="Training IC and CC")
def decided() -> tuple[np.ndarray, Mapping[str, np.ndarray], tuple[str, ...]]:
    """Return the label vectors that were learned from, the true and the predicted ones of the rest, and the names."""
    data = packaged(DATA)
    X, Y = data.arrays()
    train, test = next(iter(folds(data, 3, 0)))
    predicted = {key: method().fit(X[train], Y[train]).predict(X[test]) for key, method in METHODS.items()}
    return Y, {TRUTH: Y[test]} | predicted, data.label_names


def _pair_counts() -> pd.DataFrame:
    _, of, names = decided()
    return pair_combinations(of, *(names.index(name) for name in pair()))


def held(correlation: float) -> str:
    """Return the correlation of two labels, in words."""
    return "undefined (a label is constant)" if np.isnan(correlation) else f"{correlation:+.2f}"


def against_truth(mean: float, of_truth: float) -> str:
    return (
        "not dependent enough"
        if mean < of_truth
        else "too dependent"
        if mean > of_truth
        else "as dependent as they are"
    )


def facts() -> dict[str, str]:
    known, of, names = decided()
    truth = of[TRUTH]
    together = _pair_counts().iloc[0]
    chosen = tuple(names.index(name) for name in pair())
    correlations = {key: label_correlations(codes) for key, codes in of.items()}
    every = np.abs([correlation[np.triu_indices(len(names), 1)] for correlation in correlations.values()])
    known_pairs = np.isfinite(every).all(axis=0)
    means = dict(zip(correlations, every[:, known_pairs].mean(axis=1), strict=True))
    known_facts = {
        "data": DATA,
        "n_test": f"{len(truth):,}",
        "l": str(len(names)),
        "sets_possible": f"{2 ** len(names):,}",
        "sets_seen": str(len(set(map(tuple, known.tolist())))),
        "first": pair()[0],
        "second": pair()[1],
        "both_truth": f"{together[TRUTH]:,}",
        "phi_truth": held(correlations[TRUTH][chosen]),
        "pairs": f"{known_pairs.sum():,}",
        "mean_truth": f"{means[TRUTH]:.2f}",
    }
    every_right = {key: (of[key] == truth).all(axis=1) for key in METHODS}
    for key, other in (("IC", "CC"), ("CC", "IC")):
        short = key.lower()
        unseen = unseen_sets(known, of[key])
        known_facts |= {
            f"exact_{short}": percent(exact_match(truth, of[key]), 1),
            f"hamming_{short}": percent(hamming_score(truth, of[key]), 1),
            f"unseen_{short}": f"{unseen.sum():,}",
            f"unseen_share_{short}": percent(unseen.mean()),
            f"both_{short}": f"{together[key]:,}",
            f"alone_{short}": f"{(every_right[key] & ~every_right[other]).sum():,}",
            f"phi_{short}": held(correlations[key][chosen]),
            f"mean_{short}": f"{means[key]:.2f}",
            f"side_{short}": against_truth(means[key], means[TRUTH]),
        }
    return known_facts


def together() -> None:
    """Draw how often two labels are together in the truth and as each method predicts them."""
    two_different(("One label", "Other label"), decided()[2], PAIR, "pair")
    counts = _pair_counts()
    numbers = ", ".join(f"{name} {counts[name].iloc[0]:,}" for name in counts)
    figure(
        combinations_figure(counts, *pair()),
        alt=f"Test instances with both {pair()[0]} and {pair()[1]}: {numbers}.",
        key="lesson together",
    )


def both_scores() -> Answer:
    """Return by which score the chain leads more."""
    _, of, _ = decided()
    exact, hamming = ([score(of[TRUTH], of[key]) for key in ("IC", "CC")] for score in (exact_match, hamming_score))
    right = "Exact match" if exact[1] - exact[0] > hamming[1] - hamming[0] else "Hamming score"
    return Answer(
        right,
        f"Exact match changes from {percent(exact[0], 1)} to {percent(exact[1], 1)}, and the Hamming score from "
        f"{percent(hamming[0], 1)} to {percent(hamming[1], 1)}. Exact match needs whole label sets, and the Hamming "
        "score counts one label at a time.",
    )


def code() -> str:
    return f"""from trellislib import ClassifierChain, IndependentClassifiers
from trellislib.data import packaged
from trellislib.experiment import folds
from trellislib.figures import combinations_figure
from trellislib.labels.label_sets import label_correlations, pair_combinations, unseen_sets

data = packaged({DATA!r})
X, Y = data.arrays()
train, test = next(iter(folds(data, 3, 0)))
of = {{"truth": Y[test]}}
for name, method in {{"IC": IndependentClassifiers(), "CC": ClassifierChain()}}.items():
    of[name] = method.fit(X[train], Y[train]).predict(X[test])
    print(name, unseen_sets(Y, of[name]).sum(), "predicted label sets that no instance has")
pair = {pair()!r}
first, second = (data.label_names.index(name) for name in pair)
print({{name: label_correlations(of[name])[first, second] for name in of}})
counts = pair_combinations(of, first, second)
combinations_figure(counts, *pair).show()
"""


LESSON = Content(facts, {"together": together}, {"both_scores": both_scores}, code)
