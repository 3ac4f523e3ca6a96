"""Modules that have moved, under the names that they had before."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "trellislib.chain_orders": "trellislib.studies.chain_orders",
    "trellislib.coding": "trellislib.labels.coding",
    "trellislib.csv_text": "trellislib.data.writing.csv_text",
    "trellislib.gram": "trellislib.dependence.gram",
    "trellislib.growth": "trellislib.studies.growth",
    "trellislib.label_graph": "trellislib.labels.graph",
    "trellislib.label_sets": "trellislib.labels.label_sets",
    "trellislib.memory": "trellislib.running.memory",
    "trellislib.methods.prepared": "trellislib.methods.preprocessing",
    "trellislib.parallel": "trellislib.running.parallel",
    "trellislib.progress": "trellislib.running.progress",
    "trellislib.ranking.report": "trellislib.score_tables.report",
    "trellislib.ranking.score_files": "trellislib.score_tables.files",
    "trellislib.rescoring": "trellislib.experiment.rescoring",
    "trellislib.room_comparison": "trellislib.room.comparison",
    "trellislib.room_decisions": "trellislib.room.decisions",
    "trellislib.room_estimate": "trellislib.room.estimate",
    "trellislib.room_methods": "trellislib.room.methods",
    "trellislib.room_posterior": "trellislib.room.posterior",
    "trellislib.simulated_comparison": "trellislib.studies.simulated_comparison",
    "trellislib.streaming": "trellislib.learners.streaming",
    "trellislib.structure_comparison": "trellislib.studies.structure_comparison",
    "trellislib.takeaways": "trellislib.summaries",
    "trellislib.takeaways.words": "trellislib.wording",
    "trellislib.training_set": "trellislib.learners.training_set",
}

# Threads that import parts of one package at a time may wait for each other.
_ONE_AT_A_TIME = threading.RLock()


class _Finder(MetaPathFinder, Loader):
    """Finds a module by its earlier name, and gives the one that is there now."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        earlier = max((moved for moved in MOVED if f"{name}.".startswith(f"{moved}.")), key=len, default=None)
        return None if earlier is None else ModuleSpec(name, self, origin=MOVED[earlier] + name[len(earlier) :])

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        with _ONE_AT_A_TIME:
            module = import_module(str(spec.origin))
        spec.loader_state = module.__spec__  # which importing overwrites
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Undo what importing has overwritten; the module has been executed under the name that it has now."""
        if module.__spec__ is not None and module.__spec__.loader is self:
            module.__spec__ = module.__spec__.loader_state


def keep_earlier_names() -> None:
    """Let `import` find modules by the names that they had before they moved."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())  # before the finder of files, which would load a submodule a second time
