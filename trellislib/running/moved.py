"""Modules that have moved, under the names that they had before."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "trellislib.label_graph": "trellislib.labels.graph",
    "trellislib.memory": "trellislib.running.memory",
    "trellislib.parallel": "trellislib.running.parallel",
    "trellislib.progress": "trellislib.running.progress",
    "trellislib.ranking.score_files": "trellislib.score_tables.files",
    "trellislib.rescoring": "trellislib.experiment.rescoring",
    "trellislib.streaming": "trellislib.learners.streaming",
    "trellislib.takeaways": "trellislib.summaries",
}


class _Finder(MetaPathFinder, Loader):
    """Finds a module by its earlier name, and gives the one that is there now."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in MOVED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        self._spec = (module := import_module(MOVED[spec.name])).__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


def keep_earlier_names() -> None:
    """Let `import` find modules by the names that they had before they moved."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.append(_Finder())
