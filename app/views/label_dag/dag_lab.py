"""The Label DAG lab: its knobs, what is simulated and found by them, and batches over many data sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import asking
from state.call import Call, constant
from state.sources import Source
from state.structures import LEADS, RESIDUALS
from state.tuning import MOST_SEED

import trellislib.graphs
from trellislib.data import DIFFICULTIES, Dataset, LabelDag, observed_given_parent, simulate_label_dag
from trellislib.experiment.costs import recovery_seconds
from trellislib.figures import truth_positions
from trellislib.graphs import VARIED, LabelGraph, recovery_curve
from trellislib.running.progress import Cancelled, Progress

SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000)
BY_DEFAULT = {
    "dag_l": 20,
    "dag_n": 500,
    "dag_d": 10,
    "dag_t": 3,
    "dag_alpha": 1.0,
    "dag_sigma2": 1.0,
    "dag_delta": 0.0,
    "dag_seed": 0,
}

ask = asking(
    dag_seed="Draws the true graph, the features of each label, the instances and the root of the found graphs.",
    dag_lead="Residuals of independent classifiers that LEAD uses: the sign of an error (**signed**), or only whether "
    "there is one (**error**), as in the paper.",
)


@dataclass(frozen=True)
class Knobs:
    """The arguments of one simulation."""

    n_instances: int
    n_labels: int
    n_features: int
    n_ones: int
    alpha: float
    sigma2: float
    delta: float
    seed: int

    @property
    def arguments(self) -> dict[str, Any]:
        """As `simulate_label_dag` takes them."""
        given = {name: value for name, value in vars(self).items() if name != "seed"}
        return given | {"random_state": self.seed}

    @property
    def source(self) -> Source:
        return Source.of("simulate_label_dag", **self.arguments)

    @property
    def difficulty(self) -> str | None:
        """Which of the paper's settings this is, if any."""
        return difficulty_of(self.alpha, self.sigma2)


def difficulty_of(alpha: float, sigma2: float) -> str | None:
    for name, setting in DIFFICULTIES.items():
        if math.isclose(alpha, setting["alpha"]) and math.isclose(sigma2, setting["sigma2"]):
            return name
    return None


def controls() -> tuple[Knobs, str]:
    """Show the knobs; return what they are set to, and the name of the LEAD to show."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place = st.container(width="content")
        n_labels = _slider("Labels L", "dag_l", 2, 100, 1, 105)
        n_instances = ask(st.select_slider, "Instances N", "dag_n", SIZES, BY_DEFAULT["dag_n"], width=130)
        seed = ask(st.number_input, "Seed", "dag_seed", 0, MOST_SEED, width=80)
        residuals = ask(
            st.selectbox, "Residuals of LEAD", "dag_lead", LEADS, format_func=RESIDUALS.__getitem__, width=172
        )
        with st.popover("More", icon=":material/tune:"):
            alpha = _slider("Pull of the parent, alpha", "dag_alpha", -2.0, 2.0, 0.05)
            sigma2 = _slider("Variance of the noise, sigma²", "dag_sigma2", 0.0, 10.0, 0.1, about=VARIANCE)
            delta = _slider("Threshold, delta", "dag_delta", -2.0, 2.0, 0.1, about="Higher values make labels rarer.")
            n_features = _slider("Features D", "dag_d", 2, 100, 1)
            if "dag_t" in st.session_state:
                st.session_state["dag_t"] = min(st.session_state["dag_t"], n_features)
            n_ones = _slider("Features of each label, T", "dag_t", 1, n_features, 1, about="At most D.")
    alpha, sigma2, delta = round(alpha, 2), round(sigma2, 2), round(delta, 2)
    st.session_state["dag preset"] = difficulty_of(alpha, sigma2)
    with place:
        st.segmented_control(
            "Difficulty",
            list(DIFFICULTIES),
            format_func=str.capitalize,
            key="dag preset",
            on_change=_set_difficulty,
            help="Sets alpha and sigma² to the paper's values. None is marked where they differ (see More).",
        )
    return Knobs(int(n_instances), n_labels, int(n_features), int(n_ones), alpha, sigma2, delta, seed), LEADS[residuals]


VARIANCE = "The square of the paper's sigma. The library also takes the variance, as `sigma2`."


def _slider(label: str, key: str, least: Any, most: Any, step: Any, width: int = 260, about: str = "") -> Any:
    default = min(BY_DEFAULT[key], most)
    return ask(st.slider, label, key, least, most, default, step, width=width, help=about or None)


def _set_difficulty() -> None:
    for name, value in DIFFICULTIES.get(st.session_state["dag preset"], {}).items():
        st.session_state[f"dag_{name}"] = value


_FOR_KNOBS = st.cache_resource(max_entries=64, ttl="6h", show_spinner="Simulating and searching…")


def data(knobs: Knobs) -> Call:
    """Return the call that simulates the data."""
    return knobs.source.call.found_by(lambda: _simulated(knobs))


@_FOR_KNOBS
def _simulated(knobs: Knobs) -> Dataset:
    return simulate_label_dag(**knobs.arguments)


def observed(knobs: Knobs) -> Call:
    """Return the call that compares labels with their parents."""
    drawn = {name: value for name, value in knobs.arguments.items() if name != "n_instances"}
    call = Call(observed_given_parent, Call(LabelDag.drawn, **drawn), data(knobs))
    return call.found_by(lambda: _observed(knobs, call))


@_FOR_KNOBS
def _observed(knobs: Knobs, _call: Call) -> pd.DataFrame:
    return _call.run()


def truth(knobs: Knobs) -> Call:
    """Return the call that gives the graph the data come from."""
    return Call(LabelGraph, data(knobs).true_parents).named("truth")


@_FOR_KNOBS
def positions(true_parents: tuple[tuple[int, ...], ...]) -> np.ndarray:
    """Return where the true graph is drawn."""
    return truth_positions(LabelGraph(true_parents))


def found(knobs: Knobs, structures: Sequence[str]) -> dict[str, Call]:
    """Return the calls that find structures, by name; each starts from the label that the knobs' seed draws."""
    searches = constant(trellislib.graphs, "STRUCTURES")
    made = {name: searches[name](data(knobs), knobs.seed) for name in structures}
    for name, call in made.items():
        call.found_by(partial(_found, knobs, name, call))
    return made


@_FOR_KNOBS
def _found(knobs: Knobs, structure: str, _call: Call) -> LabelGraph:
    return _call.run()


@dataclass(frozen=True)
class Batch:
    """Many data sets that get larger or harder; `setting` is what stays."""

    vary: str
    n_datasets: int
    seed: int
    setting: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, knobs: Knobs, vary: str, n_datasets: int) -> Batch:
        gone = {"random_state", *(("n_instances",) if vary == "n_instances" else ("alpha", "sigma2"))}
        return cls(vary, n_datasets, knobs.seed, tuple((k, v) for k, v in knobs.arguments.items() if k not in gone))

    @property
    def n_all(self) -> int:
        """How many data sets there are, with each value of what varies."""
        return self.n_datasets * len(VARIED[self.vary])

    @property
    def price(self) -> float:
        """Seconds that it takes, about and no less than one."""
        setting, varied = dict(self.setting), VARIED[self.vary]
        sizes = varied if self.vary == "n_instances" else [setting["n_instances"]] * len(varied)
        of_one = recovery_seconds(setting["n_labels"], setting["n_features"], sizes)
        return max(self.n_datasets * of_one, 1.0)

    @property
    def call(self) -> Call:
        given = {"n_datasets": self.n_datasets, "random_state": self.seed} | dict(self.setting)
        return Call(recovery_curve, self.vary, **given).named("curve")

    def run(self, progress: Progress, cancelled: Cancelled) -> pd.DataFrame:
        held = finished(self)
        held.curve = None
        return self.call.run(progress=progress, cancelled=cancelled, so_far=held.report)


@dataclass
class Finished:
    """What a batch that goes on has finished: the worker writes, pages read."""

    curve: pd.DataFrame | None = None

    def report(self, curve: pd.DataFrame) -> None:
        self.curve = curve


@st.cache_resource(max_entries=64, ttl="6h", show_spinner=False)
def finished(batch: Batch) -> Finished:
    """Return where the results of a batch are found before it ends; they are the same whoever runs it."""
    return Finished()
