"""What pages compute from a data set, each thing once: keyed on the digest of its content, shared, never changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import pandas as pd
import streamlit as st
from scipy import sparse
from sklearn.impute import SimpleImputer

from state.assets import ASSETS
from state.structures import METHOD_ONLY, Call
from state.trellis_scores import Bench, Scores
from state.tuning import GUIDES, MUTUAL_INFORMATION, Shape
from trellislib import summaries
from trellislib.data import Dataset
from trellislib.data.dataset import Statistics
from trellislib.dependence import (
    LabelTree,
    Overview,
    PairCounts,
    PhiRows,
    PValueRows,
    ResidualGram,
    co_occurrence,
    described_pairs,
    information_of_residuals,
    label_tree,
    overview,
    p_values,
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
from trellislib.experiment.costs import Costs
from trellislib.figures import DRAWN_LABELS, ORDERS, graph_positions, label_order
from trellislib.graphs import (
    LabelGraph,
    Offset,
    PlacementSteps,
    Trellis,
    capture_bound,
    climbed_captures,
    placement_steps,
    random_captures,
    trellis,
)
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


@once
def statistics(data: Dataset) -> Statistics:
    return data.statistics()


@once
def counts(data: Dataset) -> PairCounts:
    return pair_counts(data.Y)


@once
def information(data: Dataset) -> Pairwise:
    """Mutual information of each pair: a matrix, of more than 4,096 labels rows that are found where asked for."""
    return whole_or_rows(counts(data))


def is_whole(data: Dataset) -> bool:
    """Return whether labels are few enough for a matrix of all pairs to be held."""
    return data.n_labels <= WHOLE_LABELS


@once
def signs(data: Dataset) -> Pairwise:
    """Phi of each pair, or None where labels have more than two values."""
    if not data.is_multilabel:
        return None
    return phi_coefficients(counts(data)) if is_whole(data) else PhiRows(counts(data))


@once
def seen(data: Dataset) -> Overview:
    """Return what there is to know of all pairs, with a pooled map of the labels in their own order."""
    return overview(counts(data), information(data))


@once
def strongest(data: Dataset, of: str) -> tuple[int, int, float]:
    """Return the pair that depends most, in any sense of dependence, and how much."""
    first, second, strength = pairs_of(dependence(data, of), 1)
    return int(first[0]), int(second[0]), float(strength[0])


@once
def similarity(data: Dataset, by: str = MUTUAL_INFORMATION) -> np.ndarray:
    """Return what the tree of labels is found from: of mutual information, as a share of the smaller entropy."""
    return shared_entropy(information(data)) if by == MUTUAL_INFORMATION else dependence(data, by)


@once
def tree(data: Dataset, by: str = MUTUAL_INFORMATION) -> LabelTree:
    """Return the labels in hierarchical clusters, where they are few enough."""
    return label_tree(similarity(data, by))


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


@once
def order(data: Dataset, by: str, of: str = MUTUAL_INFORMATION) -> np.ndarray:
    """Return the labels in one of these orders; those that are too many for clusters as they are in the file."""
    if by == "clustered":
        return tree(data, of).order if is_whole(data) else np.arange(data.n_labels)
    return label_order(information(data), statistics(data).frequencies.to_numpy() if by == "frequency" else [], by)


@once
def overview_map(data: Dataset, by: str, of: str = MUTUAL_INFORMATION) -> np.ndarray:
    """Return the dependence of very many labels in some order, pooled into blocks."""
    labels = order(data, by, of)
    if of == MUTUAL_INFORMATION and (labels == seen(data).order).all():
        return seen(data).pooled
    return pooled(dependence(data, of), labels)


@once
def residuals(data: Dataset) -> ResidualGram | None:
    """Return what the features leave unexplained of the labels, or None where that would take a page too long."""
    return residual_gram(features(data), data.Y) if has_residuals(data) else None


def has_residuals(data: Dataset) -> bool:
    """Return whether finding what the features leave unexplained of the labels takes a page not too long."""
    return data.n_instances * data.n_features * (data.n_features + data.n_labels) <= MOST_PRODUCTS


def guides(data: Dataset) -> list[str]:
    """Return what may guide the placement of these labels."""
    unfit = {"co-occurrence": not data.is_multilabel, "residual": not has_residuals(data)}
    return [guide for guide in GUIDES if not unfit.get(guide)]


def costs(data: Dataset) -> Costs:
    """Return about how long work on these data takes."""
    return Costs(data.n_instances, data.n_features, data.n_labels)


@once
def features(data: Dataset) -> np.ndarray | sparse.csr_array:
    """Return the features with missing cells filled by the mean, for what no method of its own pipeline computes."""
    return SimpleImputer(keep_empty_features=True).fit_transform(data.X) if data.n_missing else data.X


@once
def dependence(data: Dataset, guide: str) -> Pairwise:
    """Return the pairwise dependence that a map shows or that guides the placement into a trellis.

    Raises
    ------
    MemoryBudgetError
        If its matrix of all pairs would take more memory than there may be.
    """
    if guide == MUTUAL_INFORMATION:
        return information(data)
    what = f"the {guide.replace('-', ' ')} of all pairs of {data.n_labels:,} labels"
    Need(4 * FLOAT * data.n_labels**2, what, "choose mutual information").refuse("This map")
    if guide == "co-occurrence":
        return co_occurrence(counts(data))
    of_labels = residuals(data)
    return residual_information(features(data), data.Y) if of_labels is None else information_of_residuals(of_labels)


@once
def placed(data: Dataset, shape: Shape) -> Trellis:
    """Return the labels in their trellis; a search takes long, so see `trellis_scores.Trial` for that."""
    if shape.placement in METHOD_ONLY:
        return bench(data).placed(shape)
    guide = dependence(data, shape.guide)
    return trellis(guide, shape.width, shape.offsets, placement=shape.placement, random_state=shape.seed)


@once
def stepped(data: Dataset, guide: str, width: int, offsets: tuple[Offset, ...], seed: int) -> PlacementSteps:
    """Return the steps by which hill climbing fills a lattice."""
    return placement_steps(dependence(data, guide), width, offsets, random_state=seed)


@st.cache_resource(
    max_entries=MOST_BENCHES, ttl="6h", show_spinner=False, hash_funcs={Dataset: lambda data: data.digest}
)
def bench(data: Dataset) -> Bench:
    """Return what scores trellises; its folds are made when the first one is scored."""
    return Bench(replace(data, X=features(data)) if data.n_missing else data)


@st.cache_resource(max_entries=64, ttl="6h", show_spinner=False, hash_funcs={Dataset: lambda data: data.digest})
def scored(data: Dataset, shape: Shape) -> Scores:
    """Return the scores of a shape beside others, where that is quick."""
    return bench(data).scores(shape)


@once
def bound(data: Dataset, width: int, parents: tuple[Offset, ...], guide: str) -> float:
    return capture_bound(dependence(data, guide), width, parents)


@once
def captured_by_climbing(data: Dataset, width: int, parents: tuple[Offset, ...], guide: str) -> np.ndarray:
    return climbed_captures(dependence(data, guide), width, parents, n_starts=STARTS)


@once
def captured_at_random(data: Dataset, width: int, parents: tuple[Offset, ...], guide: str) -> np.ndarray:
    return random_captures(dependence(data, guide), width, parents, random_state=0)


@once
def positions(data: Dataset) -> np.ndarray:
    """Where every graph over these labels draws them."""
    if is_whole(data):
        return graph_positions(information(data))
    found = np.full((data.n_labels, 2), np.nan)
    drawn = np.sort(np.argsort(-seen(data).partner_information, kind="stable")[:DRAWN_LABELS])
    found[drawn] = graph_positions(information(data)[drawn][:, drawn])
    return found


@once
def discovered(data: Dataset, call: Call) -> LabelGraph:
    """Return the structure that a call finds."""
    given = {"X": lambda: features(data), "Y": lambda: data.Y, "information": lambda: information(data)}
    tests = p_values if is_whole(data) else PValueRows
    more = {"p_values": tests(counts(data), information(data))} if call.tested else {}
    return call.run(*(given[name]() for name in call.inputs), **more)


@st.cache_data
def growth() -> pd.DataFrame:
    """Return what methods cost at growing sizes, as tests/benchmarks/growth.py measured it."""
    return pd.read_csv(ASSETS / "growth.csv")
