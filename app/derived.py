"""What pages compute from a data set, each thing once: keyed on the digest of its content, shared, never changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd
import streamlit as st
from scipy import sparse
from sklearn.impute import SimpleImputer
from structures import METHOD_ONLY, Call
from tuning import Shape
from worth import Bench, Scores

from trellislib import takeaways
from trellislib.data import Dataset
from trellislib.data.dataset import Statistics
from trellislib.dependence import (
    PairCounts,
    co_occurrence,
    information_of_counts,
    p_values,
    pair_counts,
    pairs_table,
    phi_coefficients,
    residual_information,
)
from trellislib.figures import graph_positions, label_order
from trellislib.graphs import LabelGraph, Offset, Trellis, capture_bound, climbed_captures, random_captures, trellis

MOST_BENCHES = 3  # data sets whose folds are held ready: each takes some five times the memory of the features
STARTS = 10  # seeds from which hill climbing is compared with random placement

_F = TypeVar("_F", bound=Callable)


def once(function: _F) -> _F:
    """Compute each result once for a data set, by its content, and share it: it must never be changed."""
    cached = st.cache_resource(
        max_entries=16, ttl="6h", show_spinner="Computing…", hash_funcs={Dataset: lambda data: data.digest}
    )
    return cached(function)


@once
def statistics(data: Dataset) -> Statistics:
    return data.statistics()


@once
def counts(data: Dataset) -> PairCounts:
    return pair_counts(data.Y)


@once
def information(data: Dataset) -> np.ndarray:
    return information_of_counts(counts(data))


@once
def signs(data: Dataset) -> np.ndarray | None:
    """Phi of each pair, or None where labels have more than two values."""
    return phi_coefficients(counts(data)) if data.is_multilabel else None


@once
def about_dependence(data: Dataset) -> str:
    p = p_values(counts(data), information(data))
    return takeaways.about_dependence(data.label_names, information(data), p, signs(data))


@once
def strongest_pairs(data: Dataset, most: int) -> pd.DataFrame:
    return pairs_table(data.label_names, counts(data), information(data), most)


@once
def order(data: Dataset, by: str) -> np.ndarray:
    return label_order(information(data), statistics(data).frequencies.to_numpy(), by)


@once
def features(data: Dataset) -> np.ndarray | sparse.csr_array:
    """Return the features with missing cells filled by the mean, for what no method of its own pipeline computes."""
    return SimpleImputer(keep_empty_features=True).fit_transform(data.X) if data.n_missing else data.X


@once
def dependence(data: Dataset, guide: str) -> np.ndarray:
    """Return what guides the placement into a trellis."""
    if guide == "co-occurrence":
        return co_occurrence(counts(data))
    if guide == "residual":
        return residual_information(features(data), data.Y)
    return information(data)


@once
def placed(data: Dataset, shape: Shape) -> Trellis:
    """Return the labels in their trellis; a search takes long, so see `worth.Trial` for that."""
    if shape.placement in METHOD_ONLY:
        return bench(data).placed(shape)
    guide = dependence(data, shape.guide)
    return trellis(guide, shape.width, shape.offsets, placement=shape.placement, random_state=shape.seed)


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
    return graph_positions(information(data))


@once
def discovered(data: Dataset, call: Call) -> LabelGraph:
    """Return the structure that a call finds."""
    given = {"X": lambda: features(data), "Y": lambda: data.Y, "information": lambda: information(data)}
    more = {"p_values": p_values(counts(data), information(data))} if call.tested else {}
    return call.run(*(given[name]() for name in call.inputs), **more)


@st.cache_data
def growth() -> pd.DataFrame:
    """Return what methods cost at growing sizes, as tests/benchmarks/growth.py measured it."""
    return pd.read_csv(Path(__file__).parents[1] / "assets" / "growth.csv")
