"""The runs that Compare can show: those of the results file, and of this visit those that are only in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from components import run_choice
from components.parts import button, plain
from state import results_store
from state.removed_runs import remove
from state.results_store import Entry
from state.runs import Run
from state.workspace import Workspace

from trellislib.experiment import Results, Store, StoreError
from trellislib.wording import counted, listed, without_controls

MISSING = "missing runs"  # those of the address that there are not, until others are chosen
RUNS = "runs"  # the query parameter that names runs, by their numbers in the results file


@dataclass(frozen=True)
class Offered:
    """The runs that have ended with results, by number."""

    workspace: Workspace
    store: Store | None
    stored: dict[int, Entry]
    in_memory: dict[int, Run]

    @classmethod
    def of(cls, workspace: Workspace, store: Store | None) -> Offered:
        ended = [run for run in workspace.runs if not run.job.is_active]
        active = {run.number for run in workspace.runs if run.job.is_active}
        return cls(
            workspace,
            store,
            results_store.entries(store, leave_out=active) if store else {},
            {run.number: run for run in ended if not run.is_stored and run.job.result},
        )

    @property
    def entries(self) -> dict[int, Entry]:
        of_memory = {number: Entry(run.title, run.job.state, run.code) for number, run in self.in_memory.items()}
        return of_memory | self.stored

    def remove(self, titles: Mapping[int, str]) -> None:
        """Remove runs, titles by number, from the visit and the results file."""
        store, trouble = results_store.own(self.workspace.token) if self.store else (None, "")
        try:
            if trouble:
                raise StoreError(trouble)
            remove(self.workspace, titles, store)
        except StoreError as error:
            run_choice.report(error, self.workspace)


@dataclass(frozen=True)
class Shown:
    """The runs that are compared, by number; one that is only in memory is not put together with others."""

    entries: dict[int, Entry]
    results: Results
    is_stored: bool

    @classmethod
    def of(cls, offered: Offered, chosen: Sequence[int]) -> Shown:
        entries = offered.entries
        alone = next((number for number in chosen if number in offered.in_memory), None)
        if alone is not None or offered.store is None:
            number = chosen[0] if alone is None else alone
            return cls({number: entries[number]}, offered.in_memory[number].job.result, is_stored=False)
        results = results_store.results(offered.store, tuple(sorted(chosen)))
        return cls({number: entries[number] for number in chosen}, results, is_stored=True)

    @property
    def numbers(self) -> list[int]:
        return list(self.entries)

    @property
    def joined(self) -> str:
        """The numbers, as keys of widgets have them."""
        return "-".join(map(str, sorted(self.numbers)))

    @property
    def code(self) -> str:
        """The Python that trained the first of them."""
        return self.entries[self.numbers[0]].code

    @property
    def is_evaluation(self) -> bool:
        """Whether that ends with an evaluation, so that there is no `results`."""
        return not self.is_stored and "result = evaluate(" in self.code

    @property
    def training(self) -> str:
        return "\n\n".join(f"# {without_controls(entry.title)}\n{entry.code}\n" for entry in self.entries.values())


def asked() -> list[int] | None:
    """Return the numbers that the address names, None where it names none or others were chosen since."""
    named = "" if RUNS in st.session_state else st.query_params.get(RUNS, "")
    return [int(part) for part in named.split(",") if part.isdecimal()] or None


def missing(numbers: Sequence[int] | None, offered: Offered) -> None:
    """Report which runs of the address there are not, until others are chosen."""
    entries = offered.entries
    if not_there := [number for number in numbers or () if number not in entries]:
        st.session_state[MISSING] = not_there
    if absent := st.session_state.get(MISSING):
        which = f"run {absent[0]}" if len(absent) == 1 else f"runs {listed(list(map(str, absent)))}"
        sees = f" {results_store.who_sees()}" if results_store.is_shared() else ""
        st.info(
            f"This link is to {which}, but this server's results file does not have it.{sees}",
            icon=":material/link_off:",
        )


def choose(numbers: Sequence[int] | None, offered: Offered) -> Sequence[int]:
    """Ask which runs are compared, at first those of these numbers; the address then names them."""
    entries = offered.entries
    run_choice.preselect(entries, numbers, offered.workspace)
    chosen = st.multiselect(
        "Runs",
        list(entries),
        format_func=lambda number: entries[number].option,
        key="runs",
        wrap=True,
        persist_state="session",
        on_change=lambda: st.session_state.pop(MISSING, None),
        help=f"Results of several runs are combined. The newest counts where they overlap. {results_store.who_sees()}",
    )
    going = {number: entries[number].title for number in chosen if entries[number].state != "running"}
    button(
        f"Remove {counted(len(going), 'run')}" if len(chosen) > 1 else "Remove",
        "remove",
        "delete",
        offered.remove,
        going,
        disabled=not going,
        help=f"Remove what is chosen here. You can undo this during your visit. {results_store.who_sees()}",
    )
    in_address = ",".join(str(number) for number in sorted(chosen) if number in offered.stored)
    if not in_address:
        st.query_params.pop(RUNS, None)
    elif st.query_params.get(RUNS) != in_address:
        st.query_params[RUNS] = in_address
    return chosen


def unfinished(shown: Shown) -> None:
    """Report which runs did not end as they should."""
    for number, entry in shown.entries.items():
        if entry.state != "done":
            which = f"Run {number}" if shown.is_stored else "This run"
            how = results_store.HOW_ENDED[entry.state]
            st.info(f"{which} {how}. A method that did not finish all fits is shown as DNF.", icon=":material/info:")


def failed(results: Results) -> None:
    """Report which methods did not finish which fits, and why."""
    fits = results.fits
    for (method, reason), lost in fits[fits["status"] != "done"].groupby(["method", "reason"], sort=False):
        total = ((fits["method"] == method) & fits["dataset"].isin(lost["dataset"])).sum()
        where = "" if len(results.datasets) == 1 else f" on {listed(list(lost['dataset'].unique()))}"
        st.warning(plain(f"{method} did not finish {len(lost)} of {total} fits{where}: {reason}"))
