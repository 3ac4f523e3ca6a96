"""What the Graphs page shows: which structures, found at once or by a job where that takes long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import derived
import numpy as np
import streamlit as st
import structures
from jobs import Job
from parts import plain, running
from session import Workspace
from structures import Call

from trellislib.data import Dataset
from trellislib.figures import graph_positions
from trellislib.graphs import LabelGraph, label_communities, without_weak_edges
from trellislib.progress import duration

LONG = 4e9  # instances x features x labels from which LEAD takes more than some two seconds
PER_SECOND = 2e9  # of these
NEIGHBOURS = 40  # of a label that are drawn at most


@dataclass(frozen=True)
class Knobs:
    """How structures are found: see `structures.calls`, and `least`, the nats that an edge must have."""

    max_parents: int
    level: float
    seed: int
    least: float

    @property
    def calls(self) -> dict[str, Call]:
        return structures.calls(self.max_parents, self.level, self.seed)


def offered(data: Dataset) -> list[str]:
    """Return the names of the structures that these data can be given."""
    names = list(structures.calls(1, 0.01, 0))
    if data.n_labels > structures.MOST_PC and structures.HAS_PC:
        names.remove("PC")
    return names + [structures.TRUE] * (data.true_parents is not None) + [structures.TRELLIS]


def first_shown(data: Dataset) -> list[str]:
    """Return the structures that are shown before anybody chose."""
    return [structures.TRUE] * (data.true_parents is not None) + ["FS", "LEAD (signed)"]


def graph_of(workspace: Workspace, name: str, knobs: Knobs) -> LabelGraph | Job:
    """Return a structure without its weak edges, or the job that is to find it."""
    data = workspace.dataset
    if name == structures.TRUE:
        whole = LabelGraph(data.true_parents or ())
    elif name == structures.TRELLIS:
        whole = workspace.placed(workspace.shown)
    elif not _takes_long(data, knobs.calls[name]):
        whole = derived.discovered(data, knobs.calls[name])
    else:
        job = _job(workspace, knobs.calls[name])
        if job.state != "done":
            return job
        whole = job.result
    return without_weak_edges(whole, derived.information(data), knobs.least)


def _takes_long(data: Dataset, call: Call) -> bool:
    return "X" in call.inputs and _size(data) > LONG


def _size(data: Dataset) -> float:
    return float(data.n_instances) * data.n_features * data.n_labels


def _job(workspace: Workspace, call: Call) -> Job:
    key = (workspace.dataset.digest, call)
    if workspace.job(key) is None:
        find(workspace, call)
    job = workspace.job(key)
    assert job is not None
    return job


def find(workspace: Workspace, call: Call) -> None:
    """Start to find a structure that takes long."""
    data = workspace.dataset
    inputs = {"X": derived.features(data), "Y": data.Y}

    def work(progress: object, cancelled: object) -> LabelGraph:
        return call.run(*(inputs[name] for name in call.inputs))

    workspace.start((data.digest, call), work)


def waiting(workspace: Workspace, name: str, job: Job, call: Call) -> None:
    """Show how far the search for a structure is, or how it ended and how to start it once more."""
    price = duration(_size(workspace.dataset) / PER_SECOND)
    if job.is_active:
        running(job, f"{name} {call.code}")
        st.caption(f"{plain(name)} takes some {price} on these data; everything else is ready.")
        return
    if job.state == "failed":
        st.error(plain(f"{name}: {job.error}"))
    st.button(
        f"Find {name}, some {price}",
        key=f"find {name}",
        on_click=partial(find, workspace, call),
        icon=":material/search:",
    )


@derived.once
def communities(data: Dataset) -> np.ndarray:
    return label_communities(derived.information(data), derived.signs(data))


def neighbourhood(graphs: Mapping[str, LabelGraph], centre: int, information: np.ndarray) -> tuple[int, ...]:
    """Return a label and its neighbours in any of the graphs, of many the strongest."""
    others = sorted({other for graph in graphs.values() for other in graph.neighbours[centre]})
    strongest = sorted(others, key=lambda other: -information[centre, other])[:NEIGHBOURS]
    return tuple(sorted([centre, *strongest]))


@derived.once
def positions_of(data: Dataset, labels: tuple[int, ...]) -> np.ndarray:
    """Return where the labels of a neighbourhood are drawn; no others are."""
    return graph_positions(derived.information(data), labels=labels)


def most_connected(graphs: Sequence[LabelGraph]) -> int:
    """Return the label of the most edges in all graphs together."""
    edges = np.array([edge for graph in graphs for edge in graph.edges], dtype=int).ravel()
    return int(np.bincount(edges, minlength=1).argmax())
