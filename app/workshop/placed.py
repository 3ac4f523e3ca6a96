"""What every view of the Trellis page is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import derived
import numpy as np
import plotly.graph_objects as go
from session import Workspace
from tuning import Shape
from worth import Scores

from trellislib.data import Dataset
from trellislib.dependence import InformationRows, PhiRows
from trellislib.figures import trellis_figure
from trellislib.graphs import Trellis, captured_dependence

PER_CELL = 5e-8  # seconds for each pair of labels whose dependence is found anew, about: on one of two cores
PER_LABEL = 4e-5  # seconds for each label that is placed from sparse counts


@dataclass(frozen=True)
class Placed:
    """The labels of the data set in the trellis that is shown."""

    workspace: Workspace
    shape: Shape
    trellis: Trellis
    dependence: np.ndarray | InformationRows  # what guides the placement
    unit: str
    scores: Scores | None = None  # of the trellis, and what it is compared with, where they are there

    @property
    def data(self) -> Dataset:
        return self.workspace.dataset

    @property
    def names(self) -> Sequence[str]:
        return self.data.label_names

    @property
    def information(self) -> np.ndarray | InformationRows:
        return derived.information(self.data)

    @property
    def is_whole(self) -> bool:
        """Whether the dependence of all pairs is held; of more labels it is found anew by whoever asks."""
        return not isinstance(self.dependence, InformationRows)

    def price(self, n_passes: int, n_climbs: int) -> float:
        """Seconds that it takes, about, to find all pairs a number of times, and to place the labels as often."""
        one_pass = PER_CELL * self.data.n_labels**2
        is_sparse = isinstance(self.dependence, InformationRows) and self.dependence.is_sparse
        return n_passes * one_pass + n_climbs * (PER_LABEL * self.data.n_labels if is_sparse else one_pass)

    @property
    def captured(self) -> float:
        """The dependence that the trellis captures, in `unit`."""
        return _captured(self.data, self.shape.guide, hash(self.trellis), self.trellis)

    @property
    def signs(self) -> np.ndarray | PhiRows | None:
        return derived.signs(self.data)

    def figure(self, **more: object) -> go.Figure:
        """Draw the trellis; `more` is as for `trellislib.figures.trellis_figure`."""
        return trellis_figure(self.trellis, self.names, self.dependence, signs=self.signs, unit=self.unit, **more)


@derived.once
def _captured(data: Dataset, guide: str, which: int, _trellis: Trellis) -> float:
    """Return what a trellis captures, once for all turns of a knob; its hash says which it is."""
    return captured_dependence(_trellis, derived.dependence(data, guide))


@dataclass(frozen=True)
class View:
    """What a view answers in one sentence, and the Python that makes its figures."""

    sentence: str
    code: str
