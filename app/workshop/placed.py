"""What every view of the Trellis page is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import derived
import numpy as np
import plotly.graph_objects as go
from session import Workspace
from tuning import Shape
from worth import Scores

from trellislib.data import Dataset
from trellislib.figures import trellis_figure
from trellislib.graphs import Trellis, captured_dependence


@dataclass(frozen=True)
class Placed:
    """The labels of the data set in the trellis that is shown."""

    workspace: Workspace
    shape: Shape
    trellis: Trellis
    dependence: np.ndarray  # what guides the placement
    unit: str
    scores: Scores | None = None  # of the trellis, and what it is compared with, where they are there

    @property
    def data(self) -> Dataset:
        return self.workspace.dataset

    @property
    def names(self) -> Sequence[str]:
        return self.data.label_names

    @property
    def information(self) -> np.ndarray:
        return derived.information(self.data)

    @cached_property
    def captured(self) -> float:
        """The dependence that the trellis captures, in `unit`."""
        return captured_dependence(self.trellis, self.dependence)

    @property
    def signs(self) -> np.ndarray | None:
        return derived.signs(self.data)

    def figure(self, **more: object) -> go.Figure:
        """Draw the trellis; `more` is as for `trellislib.figures.trellis_figure`."""
        return trellis_figure(self.trellis, self.names, self.dependence, signs=self.signs, unit=self.unit, **more)


@dataclass(frozen=True)
class View:
    """What a view answers in one sentence, and the Python that makes its figures."""

    sentence: str
    code: str
