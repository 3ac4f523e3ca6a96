"""Recent runs: what was trained, when, how it ended, and the way to its scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st
from components.parts import plain
from components.run_choice import choose
from state import results_store
from state.workspace import Workspace

from trellislib.experiment import Results, Store
from trellislib.wording import counted

SHOWN_RUNS = 5


@dataclass(frozen=True)
class Recent:
    """One run as Start lists it."""

    number: int
    title: str
    when: str
    outcome: str
    datasets: Sequence[str] = ()
    methods: Sequence[str] = ()
    is_active: bool = False
    in_memory: Results | None = field(default=None, repr=False)

    @property
    def has_scores(self) -> bool:
        """Whether Compare has something to show of it."""
        return not self.is_active and bool(self.datasets)

    def results(self, store: Store | None) -> Results | None:
        """Return its fits, None where the results file has been lost meanwhile."""
        if self.in_memory is not None:
            return self.in_memory
        return results_store.results(store, (self.number,)) if store else None


def recent(workspace: Workspace, store: Store | None) -> list[Recent]:
    """Return the runs of this visit and of the results file, the newest first."""
    of_visit = {run.number: run for run in workspace.runs}
    table = store.runs() if store else None
    listed = [] if table is None else list(table.itertuples())
    found = []
    for number, run in of_visit.items():
        if run.is_stored and any(row.Index == number for row in listed):
            continue
        active = run.job.is_active
        result = None if active else run.job.result
        datasets, methods = (result.datasets, result.methods) if result else ((), ())
        outcome = _going(run.job.share) if active else run.outcome
        found.append(Recent(number, run.title, "in this visit", outcome, datasets, methods, active, result))
    for row in listed:
        number = int(row.Index)
        started = of_visit.get(number)
        is_active = started is not None and started.job.is_active
        fits = counted(row.n_fits, "fit")
        outcome = f"done, {fits}" if row.state == "done" else f"{results_store.HOW_ENDED[row.state]}, {fits}"
        if started is not None:
            outcome = _going(started.job.share) if is_active else started.outcome
        title = f"{number}: {row.title}"
        found.append(
            Recent(number, title, results_store.moment(row.started), outcome, row.datasets, row.methods, is_active)
        )
    return found


def _going(share: float) -> str:
    return f"training, {share:.0%}"


def show(runs: Sequence[Recent], workspace: Workspace) -> None:
    """List the newest runs, each with the way to its scores."""
    for run in runs[:SHOWN_RUNS]:
        with st.container(gap=None):
            if run.has_scores and st.button(
                plain(run.title),
                key=f"compare {run.number}",
                type="tertiary",
                icon=":material/leaderboard:",
                help="Show its scores on Compare.",
            ):
                choose([run.number], workspace)
                st.switch_page("views/compare/page.py")
            if not run.has_scores:
                st.markdown(plain(run.title))
            st.caption(plain(f"{run.when}: {run.outcome}"))
    if len(runs) > SHOWN_RUNS:
        more = f"{counted(len(runs) - SHOWN_RUNS, 'older run')} on Compare"
        st.page_link("views/compare/page.py", label=more, icon=":material/history:")
