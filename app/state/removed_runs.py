"""Runs that a visit has removed, each of which it can bring back until it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from state.registry import workspaces
from state.runs import Run
from trellislib.experiment import Removed, Store

if TYPE_CHECKING:
    from state.workspace import Workspace


@dataclass(frozen=True)
class RemovedRuns:
    """Runs that were removed at once: their titles by number, and what the visit and the results file had of them."""

    titles: Mapping[int, str]
    of_visit: tuple[tuple[int, Run], ...]  # each with how many older runs the visit had
    of_file: tuple[Removed, ...]


def remove(workspace: Workspace, titles: Mapping[int, str], store: Store | None = None) -> None:
    """Take runs, titles by number, out of a visit, and out of a results file if one is given; active runs stay."""
    states = store.runs()["state"].to_dict() if store else {}
    active = {run.number for run in workspace.active_runs} | {run for run in states if states[run] == "running"}
    going = {number: title for number, title in titles.items() if number not in active}
    gone: dict[int, str] = {}
    of_file = []
    try:
        for number, title in going.items():
            if store and number in states:
                of_file.append(store.remove(number))
            gone[number] = title
    finally:  # also where the file can no longer be written, so that what has gone can be brought back
        n_older = reversed(range(len(workspace.runs)))
        of_visit = tuple((n, run) for n, run in zip(n_older, workspace.runs, strict=True) if run.number in gone)
        if of_file or of_visit:
            workspace.runs = [run for run in workspace.runs if run.number not in gone]
            workspace.removed.append(RemovedRuns(gone, of_visit, tuple(of_file)))
            workspaces().keep(workspace)


def bring_back(workspace: Workspace, store: Store | None) -> list[int]:
    """Keep the runs again that were removed last, and return their numbers."""
    if not workspace.removed:  # another tab has done so
        return []
    last = workspace.removed[-1]
    if store:
        for of_one in last.of_file:
            store.put_back(of_one)
    for n_older, run in reversed(last.of_visit):
        workspace.runs.insert(len(workspace.runs) - n_older, run)
    workspace.removed.pop()
    return list(last.titles)
