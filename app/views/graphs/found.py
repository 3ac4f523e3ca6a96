"""What the Graphs page shows: which structures, found at once or by a job where that takes long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st
from components.parts import plain, running
from state import derived, structures
from state.jobs import Job
from state.structures import Call
from state.workspace import Workspace

from trellislib.data import Dataset
from trellislib.figures import graph_positions
from trellislib.graphs import LabelGraph, label_communities, without_weak_edges
from trellislib.running.progress import Cancelled, Progress, duration

MOST_SECONDS = 2.0  # that a page waits for LEAD
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


def graph_of(workspace: Workspace, name: str, knobs: Knobs) -> LabelGraph | Job | None:
    """Return a structure without its weak edges; where it takes long, the job that is to find it, if it was started."""
    data = workspace.dataset
    if name == structures.TRUE:
        whole = LabelGraph(data.true_parents or ())
    elif name == structures.TRELLIS:
        whole = workspace.placed(workspace.shown)
    elif not _takes_long(data, knobs.calls[name]):
        whole = derived.discovered(data, knobs.calls[name])
    else:
        job = workspace.job((data.digest, knobs.calls[name]))
        if job is None or job.state != "done":
            return job
        whole = job.result
    return without_weak_edges(whole, derived.information(data), knobs.least)


def _takes_long(data: Dataset, call: Call) -> bool:
    return "X" in call.inputs and derived.costs(data).residuals > MOST_SECONDS


def find(workspace: Workspace, call: Call) -> None:
    """Start to find a structure that takes long; a search for the same one with other knobs is given up."""
    data = workspace.dataset
    inputs = {"X": derived.features(data), "Y": data.Y}

    def work(progress: Progress, cancelled: Cancelled) -> LabelGraph:
        return call.run(*(inputs[name] for name in call.inputs), cancelled=cancelled)

    for key, job in list(workspace.pieces.items()):
        if isinstance(key, tuple) and key[0] == data.digest and _is_like(key[1], call):
            job.cancel()
    workspace.start((data.digest, call), work)


def _is_like(other: object, call: Call) -> bool:
    """Return whether a call finds the same kind of structure, with whatever knobs."""
    if not isinstance(other, Call) or other.function != call.function:
        return False
    return dict(other.arguments).get("residuals") == dict(call.arguments).get("residuals")


def waiting(workspace: Workspace, name: str, job: Job | None, call: Call) -> None:
    """Show how far the search for a structure is, or how it ended, and how to start it."""
    price = duration(derived.costs(workspace.dataset).residuals)
    st.markdown(f"**{plain(name)}**")
    if job is not None and job.is_active:
        running(job, f"{name} {call.code}")
        return
    if job is not None and job.state == "failed":
        st.error(plain(f"{name}: {job.error}"))
    st.button(
        f"Find {name}, some {price}",
        key=f"find {name}",
        on_click=partial(find, workspace, call),
        icon=":material/search:",
    )
    st.caption(plain(f"{name} takes some {price} on these data; everything else is ready."))


@derived.once
def communities(data: Dataset) -> np.ndarray:
    return label_communities(derived.information(data), derived.signs(data))


def neighbourhood(graphs: Mapping[str, LabelGraph], centre: int, information: derived.Pairwise) -> tuple[int, ...]:
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
