"""What every view of the Trellis page is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
from state import derived
from state.trellis_scores import Scores
from state.tuning import Shape
from state.workspace import Workspace

from trellislib.data import Dataset
from trellislib.dependence import InformationRows
from trellislib.experiment.costs import pair_seconds
from trellislib.figures import trellis_figure
from trellislib.figures.lattice import Edge, pair_values
from trellislib.graphs import Trellis


@dataclass(frozen=True)
class Placed:
    """The labels of the data set in the trellis that is shown."""

    workspace: Workspace
    shape: Shape
    trellis: Trellis
    dependence: derived.Pairwise  # what guides the placement
    unit: str
    scores: Scores | None = None  # of the trellis, and what it is compared with, where they are there

    @property
    def data(self) -> Dataset:
        return self.workspace.dataset

    @property
    def names(self) -> Sequence[str]:
        return self.data.label_names

    @property
    def information(self) -> derived.Pairwise:
        return derived.information(self.data)

    @property
    def is_whole(self) -> bool:
        """Whether the dependence of all pairs is held; of more labels it is found anew by whoever asks."""
        return not isinstance(self.dependence, InformationRows)

    def price(self, n_passes: int, n_climbs: int) -> float:
        """Seconds that it takes, about, to find all pairs a number of times, and to place the labels as often."""
        is_sparse = isinstance(self.dependence, InformationRows) and self.dependence.is_sparse
        return pair_seconds(self.data.n_labels, n_passes, n_climbs, is_sparse=is_sparse)

    @property
    def beside(self) -> list[str]:
        """What the trellis is compared with in `scores`."""
        return [name for name in self.scores or () if name != "CT"]

    @property
    def captured(self) -> float:
        """The dependence that the trellis captures, in `unit`."""
        return self.captured_of(self.shape.guide)

    def captured_of(self, guide: str) -> float:
        """Return what the trellis captures of any dependence."""
        return float(sum(self._weights(guide).values()))

    def _weights(self, guide: str) -> Mapping[Edge, float]:
        return _weights(self.data, guide, hash(self.trellis), self.trellis)

    @property
    def signs(self) -> derived.Pairwise:
        return derived.signs(self.data)

    def figure(self, **more: Any) -> go.Figure:
        """Draw the trellis; `more` is as for `trellislib.figures.trellis_figure`."""
        weights = self._weights(self.shape.guide)
        signs = None if self.signs is None else _signs(self.data, hash(self.trellis), self.trellis)
        return trellis_figure(self.trellis, self.names, weights, signs=signs, unit=self.unit, **more)


@derived.once
def _weights(data: Dataset, guide: str, which: int, _trellis: Trellis) -> Mapping[Edge, float]:
    """Return what each edge of a trellis weighs, once for all turns of a knob; its hash says which it is."""
    return pair_values(derived.dependence(data, guide), _trellis.edges)


@derived.once
def _signs(data: Dataset, which: int, _trellis: Trellis) -> Mapping[Edge, float]:
    """Return phi of each edge of a trellis, as `_weights`."""
    return pair_values(derived.signs(data), _trellis.edges)


@dataclass(frozen=True)
class View:
    """What a view answers in one sentence, and the Python that makes its figures."""

    sentence: str
    code: str
