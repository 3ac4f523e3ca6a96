"""What pages compute from a data set, each thing once: keyed on the digest of its content, shared, never changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from trellislib import takeaways
from trellislib.data import Dataset
from trellislib.data.dataset import Statistics
from trellislib.dependence import (
    PairCounts,
    information_of_counts,
    p_values,
    pair_counts,
    pairs_table,
    phi_coefficients,
)
from trellislib.figures import label_order
from trellislib.graphs import Offset, Trellis, capture_bound, climbed_captures, random_captures, trellis

STARTS = 10  # seeds from which hill climbing is compared with random placement

_F = TypeVar("_F", bound=Callable)


def _once(function: _F) -> _F:
    cached = st.cache_resource(
        max_entries=16, ttl="6h", show_spinner="Counting…", hash_funcs={Dataset: lambda data: data.digest}
    )
    return cached(function)


@_once
def statistics(data: Dataset) -> Statistics:
    return data.statistics()


@_once
def counts(data: Dataset) -> PairCounts:
    return pair_counts(data.Y)


@_once
def information(data: Dataset) -> np.ndarray:
    return information_of_counts(counts(data))


@_once
def signs(data: Dataset) -> np.ndarray | None:
    """Phi of each pair, or None where labels have more than two values."""
    return phi_coefficients(counts(data)) if data.is_multilabel else None


@_once
def about_dependence(data: Dataset) -> str:
    p = p_values(counts(data), information(data))
    return takeaways.about_dependence(data.label_names, information(data), p, signs(data))


@_once
def strongest_pairs(data: Dataset, most: int) -> pd.DataFrame:
    return pairs_table(data.label_names, counts(data), information(data), most)


@_once
def order(data: Dataset, by: str) -> np.ndarray:
    return label_order(information(data), statistics(data).frequencies.to_numpy(), by)


@_once
def placed(data: Dataset, width: int, parents: tuple[Offset, ...], placement: str, seed: int) -> Trellis:
    return trellis(information(data), width, parents, placement=placement, random_state=seed)


@_once
def bound(data: Dataset, width: int, parents: tuple[Offset, ...]) -> float:
    return capture_bound(information(data), width, parents)


@_once
def captured_by_climbing(data: Dataset, width: int, parents: tuple[Offset, ...]) -> np.ndarray:
    return climbed_captures(information(data), width, parents, n_starts=STARTS)


@_once
def captured_at_random(data: Dataset, width: int, parents: tuple[Offset, ...]) -> np.ndarray:
    return random_captures(information(data), width, parents, random_state=0)
