"""The trellis as it is tuned: remembered by the workspace, drawn by the Trellis page, trained by the Train page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from trellislib.decisions import MostExpected, Rule
from trellislib.graphs import PATTERNS, Offset, default_width
from trellislib.wording import counted

CUSTOM = "custom"
MUTUAL_INFORMATION = "mutual-information"
# By which dependence labels are placed, as `ClassifierTrellis` names it: in words, and the unit of what is captured.
CRITERIA = {
    MUTUAL_INFORMATION: ("mutual information", "nats"),
    "co-occurrence": ("co-occurrence", "units of co-occurrence"),
    "residual": ("residual information", "nats beyond the features"),
}
CLIMBING, SWAPS, SEARCH = "hill-climbing", "swaps", "search"
# How labels are placed, as `ClassifierTrellis` names it: what each way does.
PLACEMENTS = {
    SWAPS: "two labels swap places until no swap captures more, starting from Algorithm 1. The best of ten starts is "
    "kept.",
    CLIMBING: "Algorithm 1 as printed in the paper: each cell takes the label that depends most on its parents.",
    "random": "random places, the paper's baseline. Often as good in accuracy, worse in exact match.",
    "explained": "each cell takes the label that its parents together explain best, beyond the features. Mostly as "
    "with residual information.",
    SEARCH: "two labels swap places where that raises the cross-validated accuracy (Hamming score for more than two "
    "values), starting from hill climbing. Best in accuracy on 10 of 17 data sets, but takes seconds.",
}
AS_INFERRED = "as the paper does"
DECISIONS: dict[str, Rule | None] = {AS_INFERRED: None, "accuracy": MostExpected("accuracy")}  # that cost no training
IN_SENTENCES = {SWAPS: "placement by swaps", CLIMBING: "hill climbing"}
METHOD_ONLY = ("explained", SEARCH)  # placements that `trellislib.graphs.trellis` does not know
WITHOUT_CRITERION = ("random", "explained")
MOST_SEED = 2**31 - 1
MOST_SWAPPED = 400  # labels that are placed by swaps unless something else is chosen
MOST_SWAPPED_OFTEN = 60  # labels that are placed by swaps a hundred times while somebody waits
MOST_BY_HAND = 50  # swaps that an address may name
Swap = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """The arguments of a trellis, and where it is scored the rule that it decides by."""

    width: int
    pattern: str = "left-up"
    custom: tuple[Offset, ...] = PATTERNS["left-up"]
    placement: str = SWAPS
    seed: int = 0
    criterion: str = MUTUAL_INFORMATION
    n_swaps: int = 100
    swaps: tuple[Swap, ...] = ()  # labels that changed places by hand, one swap after the other
    order: tuple[int, ...] = ()  # the labels row by row, where they are to stay
    decide: Rule | None = None

    @classmethod
    def default(cls, n_labels: int) -> Shape:
        return cls(default_width(n_labels), placement=SWAPS if n_labels <= MOST_SWAPPED else CLIMBING)

    @property
    def offsets(self) -> tuple[Offset, ...]:
        return PATTERNS.get(self.pattern, self.custom)

    @property
    def parents(self) -> str | list[Offset]:
        """The pattern as Python names it."""
        return self.pattern if self.pattern in PATTERNS else list(self.custom)

    @property
    def lattice(self) -> tuple[int, str | list[Offset], str]:
        """What decides how much may be captured: width, parents and placement criterion."""
        return self.width, self.parents, self.criterion

    @property
    def unit(self) -> str:
        """What captured dependence is measured in."""
        return CRITERIA[self.criterion][1]

    @property
    def is_searched(self) -> bool:
        return self.placement == SEARCH and not self.order

    @property
    def placed_by(self) -> tuple[str, int]:
        """The placement and the number of swaps that it tries, which say what it costs."""
        return self.placement, self.n_swaps if self.is_searched else 0

    @property
    def unswapped(self) -> Shape:
        """The shape before anything was done by hand."""
        return replace(self, swaps=(), order=())

    def elsewhere(self, n_labels: int) -> Shape:
        """Return the shape that other data get: as wide as it is by default, and nothing of these labels."""
        usual = Shape.default(n_labels)
        placement = usual.placement if self.placement == SWAPS else self.placement
        return replace(self.unswapped, width=usual.width, placement=placement, criterion=MUTUAL_INFORMATION)

    @property
    def undecided(self) -> Shape:
        """The shape whose labels are placed, whatever they decide for."""
        return replace(self, decide=None)

    def compared(self, n_labels: int) -> str:
        """Return the placement whose widths and seeds are compared: swaps where they are chosen and quick enough."""
        return SWAPS if self.placement == SWAPS and n_labels <= MOST_SWAPPED_OFTEN else CLIMBING

    @property
    def start(self) -> Shape:
        """The hill-climbed shape from which a search starts."""
        return replace(self, placement=CLIMBING)

    @property
    def in_place(self) -> Shape:
        """A shape that costs nothing to place: what scoring labels that keep their places costs."""
        return replace(self, placement="random")

    @property
    def placing(self) -> dict[str, Any]:
        """What places labels like this by `trellislib.graphs.trellis`, given a matrix of dependence."""
        return {"width": self.width, "parents": self.parents, "placement": self.placement, "random_state": self.seed}

    @property
    def arguments(self) -> dict[str, Any]:
        """What makes a `ClassifierTrellis` of this shape; swaps by hand are part of it by `order`.

        What it decides for is `deciding`.
        """
        if self.order:
            return {"width": self.width, "parents": self.parents, "placement": list(self.order)}
        searched: dict[str, Any] = {"n_swaps": self.n_swaps} if self.is_searched else {}
        by = {} if self.criterion == MUTUAL_INFORMATION else {"dependence": self.criterion}
        return self.placing | searched | by

    @property
    def deciding(self) -> dict[str, Any]:
        """What makes any method decide as this shape does."""
        return {} if self.decide is None else {"decide": self.decide}

    @property
    def words(self) -> str:
        by = "" if self.criterion == MUTUAL_INFORMATION else f" by {CRITERIA[self.criterion][0]}"
        tried = f" of {self.n_swaps:,} swaps" if self.is_searched else ""
        swapped = f", {counted(len(self.swaps), 'swap')} by hand" if self.swaps else ""
        return f"width {self.width}, parents {self.pattern}, {self.placement}{tried}{by}, seed {self.seed}{swapped}"


def written_swaps(swaps: Sequence[Swap]) -> str:
    """Return swaps as they stand in the address: 3-7,1-2."""
    return ",".join(f"{one}-{other}" for one, other in swaps)


def swaps_in(text: str, n_labels: int) -> tuple[tuple[Swap, ...], list[str]]:
    """Return the swaps that a text names, and the parts of it that name none of these labels."""
    swaps: list[Swap] = []
    unread = []
    for part in text.replace(" ", "").split(","):
        found = re.fullmatch(r"(\d{1,9})-(\d{1,9})", part, re.ASCII)
        one, other = (int(found[1]), int(found[2])) if found else (0, 0)
        if one != other and max(one, other) < n_labels:
            swaps.append((one, other))
        elif part:
            unread.append(part)
    return tuple(swaps[:MOST_BY_HAND]), unread
