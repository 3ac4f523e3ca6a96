"""What every view of the Trellis page is given, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from state import address, derived
from state.call import Call, Script
from state.trellis_scores import Scores, baselines
from state.tuning import Shape
from state.workspace import Workspace

from trellislib import ClassifierTrellis
from trellislib.data import Dataset
from trellislib.dependence import InformationRows
from trellislib.experiment.costs import pair_seconds
from trellislib.figures import trellis_figure
from trellislib.figures.lattice import Edge, pair_values
from trellislib.graphs import Trellis

HALF, MOST = 400, 515  # pixels of each of two lattices next to each other, and of one next to its numbers, about
ON_STAGE = 1.2  # how many times as wide they are there, larger letters taken into account


def drawn_width(pixels: int) -> int:
    """Return how many pixels wide a lattice is shown that has so many on a page."""
    return int(pixels * (ON_STAGE if address.is_presented() else 1))


@dataclass(frozen=True)
class Placed:
    """The labels of the data set in the trellis that is shown."""

    workspace: Workspace
    shape: Shape
    call: Call  # which places the labels
    scores: Scores | None = None  # of the trellis, and what it is compared with, where they are known

    @property
    def trellis(self) -> Trellis:
        return self.call.value

    @property
    def data(self) -> Dataset:
        return self.workspace.dataset

    @property
    def names(self) -> Sequence[str]:
        return self.data.label_names

    @property
    def matrix(self) -> Call:
        return derived.dependence(self.workspace.call, self.shape.criterion)

    @property
    def dependence(self) -> derived.Pairwise:
        return self.matrix.value

    @property
    def unit(self) -> str:
        return self.shape.unit

    @property
    def is_whole(self) -> bool:
        """Whether the dependence of all pairs is held; of more labels it is found again by whoever asks."""
        return not isinstance(self.dependence, InformationRows)

    def price(self, n_passes: int, n_climbs: int) -> float:
        """Seconds that it takes, about, to find all pairs a number of times, and to place the labels as often."""
        is_sparse = isinstance(self.dependence, InformationRows) and self.dependence.is_sparse
        return pair_seconds(self.data.n_labels, n_passes, n_climbs, is_sparse=is_sparse)

    @property
    def captured(self) -> float:
        """The dependence that the trellis captures, in `unit`."""
        return self.captured_of(self.shape.criterion)

    def captured_of(self, criterion: str) -> float:
        """Return what the trellis captures of any dependence."""
        return float(sum(_weights(self.data, criterion, hash(self.trellis), self.trellis).values()))

    @property
    def weights(self) -> Call:
        weights = Call(pair_values, self.matrix, self.call.edges).named("weights")
        return weights.found_by(lambda: _weights(self.data, self.shape.criterion, hash(self.trellis), self.trellis))

    @property
    def signs(self) -> derived.Pairwise:
        return derived.signs(self.data)

    def figure(self, width: int = MOST, **more: object) -> Call:
        """Return the call that draws the trellis; `more` is as for `trellislib.figures.trellis_figure`."""
        more["width"] = drawn_width(width)
        data, signs = self.workspace.call, None
        if self.signs is not None:
            signs = Call(pair_values, derived.signs(data), self.call.edges)
            signs.found_by(lambda: _weights(self.data, None, hash(self.trellis), self.trellis))
        return Call(trellis_figure, self.call, data.label_names, self.weights, signs=signs, unit=self.unit, **more)

    @property
    def folds(self) -> Call:
        return derived.folds(self.workspace.call)

    def script(self, *figures: Call) -> Script:
        """Return Python that places the labels, prints what that captures and scores, and shows figures.

        Labels that changed places by hand are scored in their places.
        """
        placed, script = self.call, Script()
        script.print(placed.order, Call(sum, self.weights.values()))
        if self.shape.swaps:
            lattice = {"width": placed.width, "parents": placed.offsets, "placement": placed.order}
        else:
            lattice = self.shape.arguments
        methods = {"CT": Call(ClassifierTrellis, **lattice, **self.shape.deciding), **baselines(self.shape)}
        for name in self.scores or ():
            script.print(name, self.folds.scores(methods[name]).mean().to_dict())
        return script.show(*figures)


def use_folds(placed: Placed, script: Script) -> None:
    """Define the folds, ``cv``, and the scores that are computed on them, ``measures``."""
    script.use(placed.folds).let("measures", list(derived.bench(placed.data).measures))


@derived.once
def _weights(data: Dataset, criterion: str | None, which: int, _trellis: Trellis) -> Mapping[Edge, float]:
    """Return what each edge of a trellis weighs by a placement criterion, or its phi; the hash identifies the trellis.

    It is found once for all turns of a knob.
    """
    matrix = derived.signs(data) if criterion is None else derived.dependence(data, criterion)
    return pair_values(matrix, _trellis.edges)


@dataclass(frozen=True)
class View:
    """What a view answers in one sentence, and the Python that makes its figures."""

    sentence: str
    script: Script
