"""The Python that makes the figures of a view."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from state import structures
from state.trellis_scores import BESIDE, FOLDS, Bench
from state.tuning import MUTUAL_INFORMATION

from views.trellis.placed import Placed


def script(placed: Placed, lines: Sequence[str]) -> str:
    """Return Python that makes figures: `lines`, after what they may use.

    That is ``X``, ``Y``, ``names``, ``signs`` and ``dependence``, which guides the placement.
    """
    guide = placed.shape.guide
    matrix = "information" if guide == MUTUAL_INFORMATION else structures.MATRICES[guide]
    return structures.script(placed.workspace.source, placed.data, {}, [f"dependence = {matrix}", *lines])


def folds_lines(placed: Placed, bench: Bench, beside: Collection[str] = ()) -> list[str]:
    """Return the lines that make the folds, ``cv``, and score with them what a trellis is compared with, ``beside``."""
    filled = "replace(data, X=X)" if placed.data.n_missing else "data"
    cut = "" if placed.data.n_instances >= FOLDS else f", cv={placed.data.n_instances}"
    lines = [f"cv, measures = CrossValidation({filled}{cut}, scale=True), {list(bench.measures)!r}"]
    if beside:
        scored = ", ".join(f"{name!r}: cv.scores({BESIDE[name]!r}, measures)" for name in beside)
        lines.append(f"beside = {{{scored}}}")
    return lines
