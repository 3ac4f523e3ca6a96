"""What pages compute from a data set, each thing once: keyed on the digest of its content, shared, never changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from sklearn.impute import SimpleImputer

from state.assets import ASSETS
from state.call import Call, value_of
from state.trellis_scores import Bench, Scores
from state.tuning import CRITERIA, METHOD_ONLY, MUTUAL_INFORMATION, Shape
from trellislib import ClassifierTrellis, summaries
from trellislib.data import Dataset
from trellislib.dependence import (
    Overview,
    PhiRows,
    co_occurrence,
    described_pairs,
    information_of_residuals,
    label_tree,
    overview,
    pair_counts,
    phi_coefficients,
    pooled,
    residual_gram,
    residual_information,
    shared_entropy,
    whole_or_rows,
)
from trellislib.dependence import strongest_pairs as pairs_of
from trellislib.dependence.information import WHOLE_LABELS
from trellislib.dependence.overview import MOST_PAIRS
from trellislib.experiment.costs import FOLDS, Costs
from trellislib.experiment.rescoring import CrossValidation
from trellislib.figures import DRAWN_LABELS, ORDERS, graph_positions, growth_figure, label_order
from trellislib.graphs import Offset, capture_bound, climbed_captures, placement_steps, random_captures, trellis
from trellislib.inspection import suspicious_labels
from trellislib.running.memory import FLOAT, Need

MOST_BENCHES = 3  # data sets whose folds are held ready: each takes some five times the memory of the features
LISTED_AS = {"residual": "beyond the features (nats)", "co-occurrence": "co-occurrence"}  # columns of pairs
MOST_PRODUCTS = 1e11  # of the features' regression that a page waits for, some seconds
STARTS = 20  # seeds from which hill climbing is compared with random placement

Pairwise: TypeAlias = Any
"""A matrix of all pairs of labels, or its rows where they are asked for: both are indexed alike."""

_F = TypeVar("_F", bound=Callable)


def once(function: _F) -> _F:
    """Compute each result once for a data set, by its content, and share it: it must never be changed."""
    cached = st.cache_resource(
        max_entries=16, ttl="6h", show_spinner="Computing…", hash_funcs={Dataset: lambda data: data.digest}
    )
    return cast(_F, cached(function))


def call_once(build: Callable[..., Call | None]) -> Callable[..., Any]:
    """Make the function of a data set whose calls `build` returns: each runs once, as `once`, and has a name.

    Of a data set it returns the result; of a call that gives a data set, the call that gives the result.
    """

    @once
    @wraps(build)
    def found(data: Dataset, *args: Any) -> Any:
        return value_of(build(Call(lambda: data), *args))

    @wraps(build)
    def derived(data: Dataset | Call, *args: Any) -> Any:
        if not isinstance(data, Call):
            return found(data, *args)
        call = build(data, *args)
        if call is None:
            return None
        named = call if call.is_named else call.named(build.__name__)
        return named.found_by(lambda: found(data.value, *args))

    return derived


@call_once
def statistics(data: Call) -> Call:
    return data.statistics()


@call_once
def suspicious(data: Call) -> Call:
    """Return the labels that look wrong, where that is quick."""
    return Call(suspicious_labels, data)


@call_once
def counts(data: Call) -> Call:
    return Call(pair_counts, data.Y, **weights(data))


def weights(data: Call) -> dict[str, Call]:
    """Return how much rows count, where they do not all count once, as functions take it."""
    return {} if data.value.weights is None else {"sample_weight": data.sample_weight}


def groups(data: Call) -> dict[str, Call]:
    """Return which rows are held out together, where some are, as functions take it."""
    return {} if data.value.groups is None else {"groups": data.group_codes}


@call_once
def information(data: Call) -> Call:
    """Mutual information of each pair: a matrix, of more than 4,096 labels rows that are found where asked for."""
    return Call(whole_or_rows, counts(data))


def is_whole(data: Dataset) -> bool:
    """Return whether labels are few enough for a matrix of all pairs to be held."""
    return data.n_labels <= WHOLE_LABELS


@call_once
def signs(data: Call) -> Call | None:
    """Phi of each pair, or None where labels have more than two values."""
    if not data.value.is_multilabel:
        return None
    return Call(phi_coefficients if is_whole(data.value) else PhiRows, counts(data))


@once
def seen(data: Dataset) -> Overview:
    """Return what there is to know of all pairs, with a pooled map of the labels in their own order."""
    return overview(counts(data), information(data))


@once
def strongest(data: Dataset, of: str) -> tuple[int, int, float]:
    """Return the pair that depends most, in any sense of dependence, and how much."""
    first, second, strength = pairs_of(dependence(data, of), 1)
    return int(first[0]), int(second[0]), float(strength[0])


@call_once
def similarity(data: Call, by: str = MUTUAL_INFORMATION) -> Call:
    """Return what the tree of labels is found from: of mutual information, as a share of the smaller entropy."""
    return Call(shared_entropy, information(data)) if by == MUTUAL_INFORMATION else dependence(data, by)


@call_once
def tree(data: Call, by: str = MUTUAL_INFORMATION) -> Call:
    """Return the labels in hierarchical clusters, where they are few enough."""
    return Call(label_tree, similarity(data, by))


def about_dependence(data: Dataset, of: str = MUTUAL_INFORMATION, unit: str = "nats") -> str:
    if of == MUTUAL_INFORMATION:
        return summaries.about_dependence(data.label_names, seen(data))
    return summaries.about_strongest(data.label_names, strongest(data, of), of, unit)


def ranked_pairs(data: Dataset, most: int, of: str = MUTUAL_INFORMATION) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return both labels and the strength of the strongest pairs in any sense."""
    if of == MUTUAL_INFORMATION and most <= MOST_PAIRS:
        whole = seen(data)
        return whole.first[:most], whole.second[:most], whole.information[:most]
    return pairs_of(dependence(data, of), most)


@once
def strongest_pairs(data: Dataset, most: int, of: str = MUTUAL_INFORMATION) -> pd.DataFrame:
    return listed_pairs(data, most, of)


def listed_pairs(data: Dataset, most: int, of: str = MUTUAL_INFORMATION) -> pd.DataFrame:
    """List the strongest pairs; in another sense than mutual information how strong they are in it comes first."""
    first, second, strength = ranked_pairs(data, most, of)
    if of == MUTUAL_INFORMATION:
        return described_pairs(data.label_names, counts(data), first, second, strength)
    table = described_pairs(data.label_names, counts(data), first, second, information(data)[first, second])
    table.insert(2, LISTED_AS[of], strength)
    return table


def orders(data: Dataset) -> tuple[str, ...]:
    """Return the orders in which a map may show the labels; clusters need all pairs."""
    return ORDERS if is_whole(data) else tuple(order for order in ORDERS if order != "clustered")


@call_once
def order(data: Call, by: str, of: str = MUTUAL_INFORMATION) -> Call:
    """Return the labels in one of these orders; those that are too many for clusters as they are in the file."""
    if by == "clustered":
        return tree(data, of).order if is_whole(data.value) else Call(np.arange, data.value.n_labels)
    return Call(label_order, information(data), statistics(data).frequencies.to_numpy(), by)


@call_once
def overview_map(data: Call, by: str, of: str = MUTUAL_INFORMATION) -> Call:
    """Return the dependence of very many labels in some order, pooled into blocks."""
    labels = order(data, by, of)
    call = Call(pooled, dependence(data, of), labels)
    if of == MUTUAL_INFORMATION and (labels.value == seen(data.value).order).all():
        return call.found_by(lambda: seen(data.value).pooled)
    return call


@call_once
def residuals(data: Call) -> Call | None:
    """Return what the features leave unexplained of the labels, or None where that would take a page too long."""
    weight = {} if data.value.weights is None else {"weight": data.sample_weight}
    return Call(residual_gram, features(data), data.Y, **weight) if has_residuals(data.value) else None


def has_residuals(data: Dataset) -> bool:
    """Return whether finding what the features leave unexplained of the labels takes a page not too long."""
    return data.n_instances * data.n_features * (data.n_features + data.n_labels) <= MOST_PRODUCTS


def criteria(data: Dataset) -> list[str]:
    """Return the placement criteria that these labels may have."""
    unfit = {"co-occurrence": not data.is_multilabel, "residual": not has_residuals(data)}
    return [criterion for criterion in CRITERIA if not unfit.get(criterion)]


def costs(data: Dataset) -> Costs:
    """Return about how long work on these data takes."""
    return Costs.of(data)


@call_once
def features(data: Call) -> Call:
    """Return the features with missing cells filled by the mean, for what no method of its own pipeline computes."""
    filled = Call(SimpleImputer, keep_empty_features=True).fit_transform(data.X)
    return (filled if data.value.n_missing else data.X).named("X")


@call_once
def dependence(data: Call, criterion: str) -> Call:
    """Return the dependence of all pairs in some sense; a MemoryBudgetError where its matrix would be too large."""
    if criterion == MUTUAL_INFORMATION:
        return information(data)
    n_labels = data.value.n_labels
    what = f"the {criterion.replace('-', ' ')} of all pairs of {n_labels:,} labels"
    Need(4 * FLOAT * n_labels**2, what, "choose mutual information").refuse("This map")
    if criterion == "co-occurrence":
        return Call(co_occurrence, counts(data))
    of_labels = residuals(data)
    if of_labels is None:
        return Call(residual_information, features(data), data.Y)
    return Call(information_of_residuals, of_labels)


@call_once
def placed(data: Call, shape: Shape) -> Call:
    """Return the labels in their trellis; a search takes long, so see `trellis_scores.Trial` for that."""
    if shape.placement in METHOD_ONLY:
        method = ClassifierTrellis(**shape.arguments)
        fitted = Call(getattr, method, "fit")(features(data), data.Y, **weights(data), **groups(data)).graph_
        return fitted.found_by(lambda: bench(data.value).placed(shape))
    return Call(trellis, dependence(data, shape.criterion), **shape.placing)


@call_once
def steps(data: Call, width: int, parents: str | list[Offset], criterion: str, seed: int) -> Call:
    """Return the steps by which hill climbing fills a lattice."""
    return Call(placement_steps, dependence(data, criterion), width, parents, random_state=seed)


@st.cache_resource(
    max_entries=MOST_BENCHES, ttl="6h", show_spinner=False, hash_funcs={Dataset: lambda data: data.digest}
)
def bench(data: Dataset) -> Bench:
    """Return what scores trellises; its folds are made when the first one is scored."""
    return Bench(replace(data, X=features(data)) if data.n_missing else data)


def folds(data: Call) -> Call:
    """Return the call that makes the folds on which `bench` scores."""
    filled = Call(replace, data, X=features(data)) if data.value.n_missing else data
    few = {"cv": data.value.n_instances} if data.value.n_instances < FOLDS else {}
    return Call(CrossValidation, filled, **few).named("cv")


@st.cache_resource(max_entries=64, ttl="6h", show_spinner=False, hash_funcs={Dataset: lambda data: data.digest})
def scored(data: Dataset, shape: Shape) -> Scores:
    """Return the scores of a shape and what it is compared with, where that is quick."""
    return bench(data).scores(shape)


@call_once
def bound(data: Call, width: int, parents: str | list[Offset], criterion: str) -> Call:
    """Return the most that a placement into this lattice may capture."""
    return Call(capture_bound, dependence(data, criterion), width, parents)


@call_once
def captured_by_climbing(data: Call, width: int, parents: str | list[Offset], criterion: str) -> Call:
    """Return what hill climbing captures in this lattice, from each of the first seeds."""
    return Call(climbed_captures, dependence(data, criterion), width, parents, n_starts=STARTS)


@call_once
def captured_at_random(data: Call, width: int, parents: str | list[Offset], criterion: str) -> Call:
    """Return what random placements capture in this lattice."""
    return Call(random_captures, dependence(data, criterion), width, parents, random_state=0)


@call_once
def positions(data: Call) -> Call:
    """Where every graph over these labels draws them."""
    call = Call(graph_positions, information(data))
    return call if is_whole(data.value) else call.found_by(lambda: _positions_of_some(data.value))


def _positions_of_some(data: Dataset) -> np.ndarray:
    """Return where the labels that depend most on any other are drawn."""
    found = np.full((data.n_labels, 2), np.nan)
    drawn = np.sort(np.argsort(-seen(data).partner_information, kind="stable")[:DRAWN_LABELS])
    found[drawn] = graph_positions(information(data)[drawn][:, drawn])
    return found


def growth() -> Call:
    """Return the call that reads what methods cost at growing sizes, as tests/benchmarks/growth.py measured it."""
    return Call(pd.read_csv, "assets/growth.csv").named("growth").found_by(_growth)  # in a clone of the repository


@st.cache_data
def _growth() -> pd.DataFrame:
    return pd.read_csv(ASSETS / "growth.csv")


def growth_drawn(variable: str, stage: str) -> Call:
    """Return the call that draws them; it takes longer than the rest of the page that always shows the same."""
    return Call(growth_figure, growth(), variable, stage).found_by(lambda: _growth_drawn(variable, stage))


@st.cache_resource(max_entries=6)
def _growth_drawn(variable: str, stage: str) -> go.Figure:
    return growth_figure(_growth(), variable, stage)
