"""What a visit holds on the server, through page changes and refreshes: data sets, a trellis, and work."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st
from sklearn.base import BaseEstimator

from state import address, derived, jobs, results_store
from state.call import Call
from state.jobs import Job
from state.models import KeptModels
from state.recipe import comparison
from state.registry import workspaces
from state.removed_runs import RemovedRuns
from state.runs import Run
from state.sources import Source, first, load
from state.trellis_scores import Bench, Trial
from state.tuning import Shape
from state.uploaded import Dropped
from state.visit_sets import Loaded, VisitSets
from trellislib import experiment
from trellislib.data import Dataset, fetch
from trellislib.experiment import Budget, KFold, Results, Split, Store, StoreError
from trellislib.graphs import Trellis
from trellislib.running.progress import Cancelled, Progress
from trellislib.wording import listed

MOST_TRIALS = 64  # of a workspace
MOST_PIECES = 32  # the same of other work
MOST_AT_WORK = 3  # pieces of other work that go on or wait


@dataclass
class Workspace:
    """What one address of the app shows."""

    token: str
    sets: VisitSets = field(default_factory=lambda: VisitSets(Loaded(first(), load(first()))))
    dropped: Dropped = field(default_factory=Dropped)
    let_go: list[str] = field(default_factory=list)  # sets for which there was no room any more
    shape: Shape = field(default_factory=lambda: Shape.default(load(first()).n_labels))
    runs: list[Run] = field(default_factory=list)
    removed: list[RemovedRuns] = field(default_factory=list)  # the last one last
    trials: dict[tuple[str, Shape], Trial] = field(default_factory=dict)  # by the digest of the data, and undecided
    downloads: dict[str, Job] = field(default_factory=dict)  # by the key of a known data set
    pieces: OrderedDict[Hashable, Job] = field(default_factory=OrderedDict)  # other work, by what it is of
    scores: Call | None = None  # which reads the scores from elsewhere that a person gave
    models: KeptModels = field(default_factory=KeptModels)
    started: int = 0
    asked: str = ""  # the data that its address asked for, where it could not have them
    notice: str = ""  # and why
    link: str = ""  # that whole address, to be opened again when the data are here
    poll: str = ""  # the code of those that its holder asks
    holder: str = ""  # the session that shows it
    is_held: bool = False

    @property
    def loaded(self) -> Loaded:
        """The one that all pages show."""
        return self.sets.shown

    @property
    def dataset(self) -> Dataset:
        return self.loaded.dataset

    @property
    def source(self) -> Source:
        return self.loaded.source

    @property
    def address(self) -> str | None:
        """What names the data in an address; None where nothing need."""
        return self.asked or address.written(self.source)

    @property
    def active_runs(self) -> list[Run]:
        """The runs that go on or wait, the newest first."""
        return [run for run in list(self.runs) if run.job.is_active]

    @property
    def active(self) -> list[Job]:
        """What goes on for this workspace, the newest run first."""
        runs, trials = list(self.runs), list(self.trials.values())  # at once: other sessions ask, too
        jobs_of_all = [run.job for run in runs] + [trial.job for trial in trials]
        jobs_of_all += [*list(self.downloads.values()), *list(self.pieces.values())]
        return [job for job in jobs_of_all if job.is_active]

    def use(self, source: Source, dataset: Dataset) -> None:
        """Make `dataset` the one that all pages show, and its trellis as wide as it is by default."""
        self.take(Loaded(source, dataset))

    def take(self, loaded: Loaded, instead_of: str | None = None) -> None:
        """Keep a data set and show it, in place of the one of another digest if there is one."""
        self.let_go = self.sets.add(loaded, instead_of)
        self._turn()

    def switch(self, digest: str) -> None:
        """Show another of the data sets."""
        if self.sets.get(digest):  # it may have been removed just before
            self.sets.show(digest)
            self._turn()

    def rename(self, digest: str, name: str) -> None:
        """Call a data set something else."""
        if self.sets.get(digest):  # it may have been removed just before
            self.sets.rename(digest, name)
            workspaces().keep(self)

    def remove(self, digest: str) -> None:
        """Forget a data set; the last one stays."""
        shown = self.loaded
        self.sets.remove(digest)
        if self.loaded is not shown:
            self._turn()

    def _turn(self) -> None:
        """Let all pages show what is loaded now."""
        if self.asked != address.written(self.source):
            self.link = ""
        self.asked, self.notice = "", ""
        self.shape = self.shape.elsewhere(self.dataset.n_labels)
        for knob, value in (("width", self.shape.width), ("placement", self.shape.placement), ("swaps", "")):
            st.session_state[knob] = value
        st.session_state["guide"] = self.shape.criterion
        workspaces().keep(self)

    def tune(self, shape: Shape) -> None:
        """Remember the trellis as it is tuned now."""
        if shape != self.shape:
            self.shape = shape
            workspaces().keep(self)

    def rank(self, scores: Call | None) -> None:
        """Remember the scores from elsewhere that are ranked, or with None forget them."""
        self.scores = scores
        workspaces().keep(self)

    def train(
        self,
        on: Sequence[Loaded],
        methods: Sequence[Mapping[str, BaseEstimator]],
        protocol: KFold | Split,
        seed: int,
        setting: str,
        budget: Budget | None = None,
        reuse: bool = True,
    ) -> None:
        """Start to train `methods`, those of each data set, on data sets; the newest run comes first."""
        of_data = {loaded.dataset.digest: of_one for loaded, of_one in zip(on, methods, strict=True)}
        code = str(comparison([loaded.source for loaded in on], methods, protocol, seed, budget))
        title = f"{listed(list(methods[0]))} on {listed([loaded.dataset.name for loaded in on])}, {setting}"
        run = partial(
            experiment.run,
            [loaded.dataset for loaded in on],
            lambda dataset: of_data[dataset.digest],
            protocol,
            seeds=[seed],
            budget=budget or Budget(),  # in a process of its own, which is ended when the run is cancelled
            reuse=reuse,
        )
        self.begin(title, code, run, of_data)

    def begin(
        self,
        title: str,
        code: str,
        run: Callable[..., Results],
        methods: Mapping[str, Mapping[str, BaseEstimator]] | None = None,
    ) -> None:
        """Start a run, ``run(store=, number=, progress=, cancelled=)``; the newest comes first."""
        store, _ = results_store.own(self.token)
        self.started += 1
        try:
            number = store.begin(title, code) if store else -self.started
        except StoreError:  # it can be read and not written
            store, number = None, -self.started

        def work(progress: Progress, cancelled: Cancelled) -> Results:
            if store is None:
                return run(store=None, number=number, progress=progress, cancelled=cancelled)
            try:
                patient = Store(store.path)  # which waits longer than a page does
                return run(store=patient, number=number, progress=progress, cancelled=cancelled)
            except StoreError as error:
                raise results_store.without_folder(error, store.path) from error

        self.runs.insert(0, Run(number, title, code, jobs.start(work, self.token), methods or {}))
        workspaces().keep(self)

    def fetch(self, key: str) -> None:
        """Start to download a known data set."""
        self.downloads[key] = jobs.start(
            lambda progress, cancelled: fetch(key, progress=progress, cancelled=cancelled), self.token
        )
        workspaces().keep(self)

    def start(self, key: Hashable, work: jobs.Work) -> None:
        """Start a piece of work, whose job is known by `key` from then on; of too many, the oldest are cancelled."""
        active = [job for job in self.pieces.values() if job.is_active]
        for job in active[: max(len(active) + 1 - MOST_AT_WORK, 0)]:
            job.cancel()
        self.pieces[key] = jobs.start(work, self.token)
        self.pieces.move_to_end(key)
        ended = [key for key, job in self.pieces.items() if not job.is_active]
        for key in ended[: max(len(self.pieces) - MOST_PIECES, 0)]:
            del self.pieces[key]
        workspaces().keep(self)

    def job(self, key: Hashable) -> Job | None:
        """Return the job of the work that was started by this key."""
        return self.pieces.get(key)

    def trial(self, shape: Shape) -> Trial | None:
        """Return what was tried of a shape on these data."""
        return self.trials.get((self.dataset.digest, shape.unswapped.undecided))

    @property
    def shown(self) -> Shape:
        """The shape that pages draw: as it is tuned, or where placing it takes long and was not done, its start."""
        trial = self.trial(self.shape)
        is_placed = derived.bench(self.dataset).is_placed_at_once(self.shape) or (trial and trial.placed)
        return self.shape if is_placed else self.shape.start

    @property
    def call(self) -> Call:
        """The call that makes the data set that is loaded."""
        return self.source.call.given(self.dataset)

    def placing(self, shape: Shape) -> Call:
        """Return the call that places the labels of these data in a shape that is `shown`, as somebody swapped them."""
        trial, found = self.trial(shape), derived.placed(self.call, shape.unswapped.undecided)
        if trial and trial.placed:
            found.given(trial.placed)
        if shape.swaps:
            found.named("unswapped")
        for one, other in shape.swaps:
            found = found.swapped(one, other)
        return found.named("placed")

    def placed(self, shape: Shape) -> Trellis:
        """Return the labels of these data in a shape that is `shown`."""
        return self.placing(shape).value

    @property
    def trained(self) -> Shape:
        """The shape that training takes: as it is tuned, and where labels were swapped by hand with all in place."""
        return replace(self.shown, order=self.placed(self.shown).order) if self.shape.swaps else self.shape

    def try_out(self, bench: Bench, digest: str, shape: Shape) -> None:
        """Start to place or score a shape that takes long; what an earlier trial of it has placed stays."""
        shape = shape.unswapped
        before = self.trials.pop((digest, shape.undecided), None)
        trial = Trial(shape, placed=before.placed, scores=before.scores) if before else Trial(shape)
        trial.job = jobs.start(lambda progress, cancelled: trial.work(bench, progress, cancelled), self.token)
        ended = [key for key, tried in self.trials.items() if not tried.job.is_active]
        for key in ended[: max(len(self.trials) + 1 - MOST_TRIALS, 0)]:
            del self.trials[key]
        self.trials[digest, shape.undecided] = trial
        workspaces().keep(self)
