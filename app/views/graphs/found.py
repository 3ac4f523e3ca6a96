"""What the Graphs page shows: which structures, found at once or by a job where that takes long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st
from components.parts import button, plain, running
from state import derived, structures
from state.call import Call
from state.jobs import Job
from state.structures import Structure
from state.workspace import Workspace

from trellislib.data import Dataset
from trellislib.figures import graph_positions
from trellislib.graphs import LabelGraph, label_communities, without_weak_edges
from trellislib.running.progress import Cancelled, Progress, duration

MOST_SECONDS = 2.0  # that a page waits for LEAD
IN_NAMES = str.maketrans(" ", "_", "()")  # what becomes of the characters of a structure's name in Python
NEIGHBOURS = 40  # of a label that are drawn at most


@dataclass(frozen=True)
class Knobs:
    """How structures are found: see `structures.Structure`, and `least`, the nats that an edge must have."""

    max_parents: int
    level: float
    seed: int
    least: float

    def of(self, name: str) -> Structure:
        return Structure(name, self.max_parents, self.level, self.seed)


def offered(data: Dataset) -> list[str]:
    """Return the names of the structures that these data can be given."""
    names = list(structures.FOUND)
    if data.n_labels > structures.MOST_PC or not structures.HAS_PC:
        names.remove("PC")
    return names + [structures.TRUE] * (data.true_parents is not None) + [structures.TRELLIS]


def first_shown(data: Dataset) -> list[str]:
    """Return the structures that are shown at first."""
    return [structures.TRUE] * (data.true_parents is not None) + ["FS", "LEAD (signed)"]


def graph_of(workspace: Workspace, name: str, knobs: Knobs) -> Call | Job | None:
    """Return the call that gives a structure without its weak edges.

    Where finding it takes long, return the job that is to find it, None if that was not started.
    """
    data = workspace.call
    if name == structures.TRUE:
        whole = Call(LabelGraph, data.true_parents)
    elif name == structures.TRELLIS:
        whole = workspace.placing(workspace.shown)
    else:
        structure = knobs.of(name)
        whole = structures.found(data, structure)
        if _takes_long(workspace.dataset, structure):
            job = workspace.job((workspace.dataset.digest, structure))
            if job is None or job.state != "done":
                return job
            whole.given(job.result)
    variable = f"{name.translate(IN_NAMES).lower()}_graph"
    if not knobs.least:
        return whole.named(variable)
    return Call(without_weak_edges, whole.named(""), derived.information(data), knobs.least).named(variable)


def _takes_long(data: Dataset, structure: Structure) -> bool:
    return structure.name in structures.LEADS.values() and derived.costs(data).residuals > MOST_SECONDS


def find(workspace: Workspace, structure: Structure) -> None:
    """Start to find a structure that takes long; a search for the same one with other knobs is given up."""
    digest, search = workspace.dataset.digest, structure.call(workspace.call).prepared()

    def work(progress: Progress, cancelled: Cancelled) -> LabelGraph:
        return search(cancelled=cancelled)

    for key, job in list(workspace.pieces.items()):
        match key:
            case (of, Structure(name=name)) if (of, name) == (digest, structure.name):
                job.cancel()
    workspace.start((digest, structure), work)


def waiting(workspace: Workspace, structure: Structure, job: Job | None) -> None:
    """Show how far the search for a structure is, or how it ended, and how to start it."""
    name, price = structure.name, duration(derived.costs(workspace.dataset).residuals)
    st.markdown(f"**{plain(name)}**")
    if job is not None and job.is_active:
        running(job, structure)
        return
    if job is not None and job.state == "failed":
        st.error(plain(f"{name}: {job.error}"))
    button(f"Find {name}, about {price}", f"find {name}", "search", partial(find, workspace, structure))
    st.caption(plain(f"{name} takes about {price} on these data."))


@derived.call_once
def communities(data: Call) -> Call:
    return Call(label_communities, derived.information(data), derived.signs(data))


def neighbourhood(graphs: Mapping[str, LabelGraph], centre: int, information: np.ndarray) -> list[int]:
    """Return a label and its neighbours in any of the graphs, of many the strongest."""
    others = sorted({other for graph in graphs.values() for other in graph.neighbours[centre]})
    strongest = sorted(others, key=lambda other: -information[centre, other])[:NEIGHBOURS]
    return sorted([centre, *strongest])


@derived.call_once
def positions_of(data: Call, labels: list[int]) -> Call:
    """Return where the labels of a neighbourhood are drawn; no others are."""
    return Call(graph_positions, derived.information(data), labels=labels).named("positions")


def most_connected(graphs: Sequence[LabelGraph]) -> int:
    edges = np.array([edge for graph in graphs for edge in graph.edges], dtype=int).ravel()
    return int(np.bincount(edges, minlength=1).argmax())
