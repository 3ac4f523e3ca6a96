"""Two settings of the trellis side by side: A, which is pinned, and B, which the knobs have now."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from components.parts import figure, legend_on_stage, signs_of
from components.pinning import changes, sides
from components.tables import scores_by_method
from state import derived
from state.call import Script
from state.tuning import AS_INFERRED, CUSTOM, DECISIONS, MOST_SEED, PLACEMENTS, Shape, swaps_in, written_swaps

from trellislib.data import Dataset
from trellislib.graphs import PATTERNS
from trellislib.summaries import about_pinned
from trellislib.wording import three_digits
from views.trellis import scores
from views.trellis.pattern_editor import offsets_in, written_offsets
from views.trellis.placed import HALF, Placed, View


def written(shape: Shape) -> str:
    """Return a shape as the address has what is pinned."""
    return urlencode({knob: value for knob, value in _knobs(shape).items() if value})


def read(text: str, data: Dataset) -> Shape:
    """Return the shape that a text has for these data; a ValueError says in one sentence what is wrong."""
    given = dict(parse_qsl(text))
    width, seed = (int(given[knob]) if given.get(knob, "").isdecimal() else -1 for knob in ("width", "seed"))
    if not 1 <= width <= data.n_labels:
        raise ValueError(f"Got the width {given.get('width', '')[:20]!r}, but expected 1 to {data.n_labels}.")
    if not 0 <= seed <= MOST_SEED:
        raise ValueError(f"Got the seed {given.get('seed', '')[:20]!r}, but expected a number from 0 on.")
    for knob, known in (
        ("parents", (*PATTERNS, CUSTOM)),
        ("placement", PLACEMENTS),
        ("criterion", derived.criteria(data)),
        ("decide", DECISIONS if data.is_multilabel else (AS_INFERRED,)),
    ):
        if given.get(knob) not in known:
            raise ValueError(f"Got {knob} {given.get(knob, '')[:40]!r}, but expected one of {', '.join(known)}.")
    swaps, unread = swaps_in(given.get("swaps", ""), data.n_labels)
    cells, no_cells = offsets_in(given.get("cells", ""))
    if unread or no_cells:
        raise ValueError(f"Got {', '.join([*unread, *no_cells])[:80]!r}, which are no labels or cells of these data.")
    shape = Shape(
        width,
        given["parents"],
        cells if given["parents"] == CUSTOM else PATTERNS["left-up"],
        given["placement"],
        seed,
        given["criterion"],
        swaps=swaps,
        decide=DECISIONS[given["decide"]],
    )
    if not derived.bench(data).is_placed_at_once(shape):
        raise ValueError(f"Placing labels by {shape.placement} takes long: pin another placement.")
    return shape


def _knobs(shape: Shape) -> dict[str, str]:
    """Return the knobs of a shape as texts."""
    return {
        "width": str(shape.width),
        "parents": shape.pattern,
        "cells": written_offsets(shape.custom) if shape.pattern == CUSTOM else "",
        "placement": shape.placement,
        "seed": str(shape.seed),
        "criterion": shape.criterion,
        "swaps": written_swaps(shape.swaps),
        "decide": next(words for words, rule in DECISIONS.items() if rule == shape.decide),
    }


def _in_words(shape: Shape) -> dict[str, str]:
    """Return the knobs of a shape as a sentence names them."""
    return _knobs(shape) | {"cells": written_offsets(shape.offsets), "swaps": f"{len(shape.swaps)} by hand"}


def both(shape: Shape, placed: Placed) -> View:
    """Show the trellis of the pinned shape next to the present one, and both in a table."""
    workspace = placed.workspace
    before = Placed(workspace, shape, workspace.placing(shape))
    before = replace(before, scores=scores.scored(before))
    change = changes(_in_words(before.shape), _in_words(placed.shape))
    shown = scores.measures(placed)
    drawn = [one.figure(width=HALF) for one in (before, placed)]
    legend_on_stage(signs_of(placed.data))
    for letter, place, one, chart in zip("ab", sides(), (before, placed), drawn, strict=True):
        with place:
            figure(
                chart,
                alt=f"{letter.upper()} captures {three_digits(one.captured)} {one.unit}.",
                key=f"lattice {letter}",
                stem=f"{placed.data.name}-trellis-{letter}",
            )
    if before.scores and placed.scores:
        of_both = {"A": before.scores["CT"], "B": placed.scores["CT"], "IC": placed.scores["IC"]}
        if before.shape.decide != placed.shape.decide:
            of_both |= {"IC, deciding as A": before.scores["IC"], "IC, deciding as B": of_both.pop("IC")}
        st.table(scores_by_method(scores.chosen(of_both, shown)), border="horizontal")
    sentence = about_pinned(
        change,
        (before.captured, before.unit),
        (placed.captured, placed.unit),
        before.scores,
        placed.scores,
        shown,
    )
    return View(sentence, Script().show(*drawn))
