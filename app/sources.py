"""Where a data set comes from, and the Python that makes the same one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import streamlit as st
from tuning import MOST_SEED

import trellislib.data
from trellislib.data import KNOWN, DataError, Dataset

BY_POSITION = ("packaged", "load", "obtain")  # functions whose first argument is obvious


@dataclass(frozen=True)
class Source:
    """A call of a function of `trellislib.data`, as data."""

    function: str
    arguments: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, function: str, **arguments: Any) -> Source:
        return cls(function, tuple(arguments.items()))

    @property
    def code(self) -> str:
        """The call as Python, its first argument by position."""
        (_, first), *rest = self.arguments if self.function in BY_POSITION else (("", None), *self.arguments)
        given = [] if first is None else [repr(first)]
        return f"{self.function}({', '.join(given + [f'{name}={value!r}' for name, value in rest])})"


FIRST = Source.of("packaged", name="yeast")  # what is loaded when nothing is asked for

# What may be asked of a simulation here, by form or by address: least and most of each argument.
BOUNDS: dict[str, dict[str, tuple[int, int] | tuple[float, float]]] = {
    "simulate_room": {
        "n_instances": (100, 50_000),
        "width": (2, 100),  # 10,000 labels, the largest of the paper; the library has no such bound
        "n_sensors": (3, 200),
        "n_measurements": (1, 100),
        "random_state": (0, MOST_SEED),
    },
    "simulate_label_dag": {
        "n_instances": (50, 50_000),
        "n_labels": (2, 400),
        "n_features": (1, 500),
        "n_ones": (1, 500),
        "alpha": (-100.0, 100.0),
        "sigma2": (0.0, 10_000.0),
        "delta": (-100.0, 100.0),
        "random_state": (0, MOST_SEED),
    },
}
FACTORS = ("n_instances", "n_features", "n_sensors", "n_measurements")  # of how many cells the features have
MOST_CELLS = 25_000_000


@st.cache_resource(max_entries=8, show_spinner="Loading the data…")
def load(source: Source) -> Dataset:
    """Make the data set of a source; the result is shared and never changed.

    Raises
    ------
    ValueError
        If it cannot be made: an argument is out of its range, or a file is not there or not readable.
    """
    arguments = dict(source.arguments)
    cells = math.prod(arguments.get(name, 1) for name in FACTORS)
    if source.function in BOUNDS and cells > MOST_CELLS:
        raise ValueError(
            f"This would simulate {cells:,} measurements, but at most {MOST_CELLS:,} are made here: take fewer "
            "instances or features."
        )
    data = getattr(trellislib.data, source.function)(**arguments)
    if data is None:
        raise DataError(f"{KNOWN[arguments['key']].name} is not on this machine: choose it on Data.")
    return data
