"""Lesson 5: the trellis, built step by step from the genres of films, and what it keeps and scores."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import comb

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import SIGNS, choice, figure, legend_on_stage, plain
from components.player import play
from state import derived
from state.trellis_scores import FOLDS
from state.tuning import CLIMBING, Shape

from trellislib.data import Dataset, packaged
from trellislib.figures import candidates_figure, edge_gains_figure, seeds_figure, step_figure
from trellislib.graphs import PATTERNS, LabelGraph, PlacementSteps, Step, captured_dependence, default_width
from trellislib.metrics import MEASURES
from trellislib.studies.growth import MAIN_BASE
from trellislib.summaries import about_edge_gains, about_step
from trellislib.wording import counted, listed, percent
from views.lessons.knobs import knob
from views.lessons.text import Answer, Content
from views.lessons.training_price import COMPARED, at_most_labels, price

DATA = "movies"
WIDTHS = range(1, 7)
FIRST_STEP = 6  # the first cell of two parents in the default width
WIDTH = 515  # pixels of the lattice, about
SEEDS = 20
OPTIONS = 4
SCORES = ("exact_match", "accuracy", "hamming_score")
LETTERS = "abcd"

measure = knob("lattice_score", SCORES[0])  # the score that is compared


@st.cache_resource(max_entries=1, show_spinner="Reading the films")
def films() -> Dataset:
    return packaged(DATA)


def shape() -> Shape:
    """Return the lattice and the seed, as chosen."""
    chosen = st.session_state
    width = chosen.get("lattice_width", default_width(films().n_labels))
    parents, seed = chosen.get("lattice_parents", next(iter(PATTERNS))), chosen.get("lattice_seed", 0)
    return Shape(width, parents, placement=CLIMBING, seed=seed)


def steps(seed: int | None = None) -> PlacementSteps:
    """Return the steps of Algorithm 1, from the seed that is chosen or another."""
    chosen = shape()
    return derived.steps(films(), *chosen.lattice, chosen.seed if seed is None else seed)


def asked() -> tuple[int, Step]:
    """Return what the question is about: a seed, and a step of it that no step of the chosen seed gives away.

    It is the first cell of most parents, of the next seed that has another label and other parents there.
    """
    cell = max(range(1, films().n_labels - OPTIONS), key=lambda at: len(steps()[at].parents))
    own = steps()[cell]
    others = ((shape().seed + ahead) % SEEDS for ahead in range(1, SEEDS))
    found = ((seed, steps(seed)[cell]) for seed in others)
    return next((seed, step) for seed, step in found if step.chosen != own.chosen and step.parents != own.parents)


def options() -> list[int]:
    """Return the labels to choose from: those that gain most, in the order of the data."""
    return sorted(asked()[1].candidates[:OPTIONS].tolist())


@derived.once
def shares(data: Dataset, lattice: Shape) -> dict[str, np.ndarray]:
    """Return which share of all mutual information placements of each seed capture, by way of placement."""
    everything = captured_dependence(LabelGraph.chain(range(data.n_labels)), derived.information(data))
    return {
        "Algorithm 1": derived.captured_by_climbing(data, *lattice.lattice)[:SEEDS] / everything,
        "random": derived.captured_at_random(data, *lattice.lattice)[:SEEDS] / everything,
    }


def scores() -> tuple[pd.DataFrame, dict[str, int]]:
    """Return the scores of the folds and the numbers of edges: of IC, of each choice of parents, and of CC."""
    chosen, key = shape(), measure()
    of_patterns, n_edges = {}, {"IC": 0, "CC": comb(films().n_labels, 2)}
    for pattern in PATTERNS:
        place = replace(chosen, pattern=pattern)
        found = derived.scored(films(), place)
        of_patterns[pattern] = found["CT"][key]
        n_edges[pattern] = len(derived.steps(films(), *place.lattice, place.seed).trellis.edges)
    return pd.DataFrame({"IC": found["IC"][key], **of_patterns, "CC": found["CC"][key]}), n_edges


def where(step: Step) -> str:
    """Name the cell of a step and its parents."""
    has = "the parent" if len(step.parents) == 1 else "the parents"
    parents = listed([films().label_names[parent] for parent in step.parents])
    return f"row {step.row + 1}, column {step.column + 1} has {has} {parents}"


def facts() -> dict[str, str]:
    """Return what the text says of the steps, and of what the trellis keeps, costs and scores."""
    data, chosen, placed = films(), shape(), steps().trellis
    n_labels, n_edges = data.n_labels, len(placed.edges)
    phi = derived.signs(data)
    held = shares(data, chosen)
    found, n_edges_of = scores()
    other, step = asked()
    return {
        "n": f"{data.n_instances:,}",
        "l": str(n_labels),
        "chain": f"{comb(n_labels, 2):,}",
        "edges": counted(n_edges, "edge"),
        "edge_share": percent(n_edges / comb(n_labels, 2)),
        "excluding": str(sum(bool(phi[edge] < 0) for edge in placed.edges)),
        "other": str(other),
        "cell": where(step),
        "options": str(OPTIONS),
        "seeds": str(SEEDS),
        "seed": str(chosen.seed),
        "random_share": percent(held["random"].mean()),
        "least_share": percent(held["Algorithm 1"].min()),
        "best_share": percent(held["Algorithm 1"].max()),
        "folds": str(FOLDS),
        "measure": MEASURES[measure()].in_words,
        "ct": percent(found[chosen.pattern].mean(), 1),
        "ic": percent(found["IC"].mean(), 1),
        "cc": percent(found["CC"].mean(), 1),
        "gains": about_edge_gains(found, n_edges_of, chosen.pattern),
        **{f"option_{letter}": data.label_names[label] for letter, label in zip(LETTERS, options(), strict=True)},
        **at_most_labels(),
    }


def knobs() -> None:
    """Ask for the shape of the lattice and the seed."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider("Width", WIDTHS[0], WIDTHS[-1], shape().width, key="lattice_width", bind="query-params", width=220)
        st.selectbox(
            "Parents",
            PATTERNS,
            key="lattice_parents",
            bind="query-params",
            width=190,
            help="The earlier cells that each label is predicted from. The paper's experiments use left and up.",
        )
        st.number_input(
            "Seed", 0, SEEDS - 1, key="lattice_seed", bind="query-params", width=120, help="Draws the first label."
        )
    if st.session_state.get("lattice_asked") != shape():  # an answer was to another lattice
        st.session_state["lattice_asked"] = shape()
        st.session_state.pop("lesson 5 following", None)


def build() -> None:
    """Show the lattice as it is filled, with the player."""
    st.session_state.setdefault("step", FIRST_STEP)
    play(partial(_step, steps()), films().n_labels, shape())


def _step(of: PlacementSteps, cell: int) -> None:
    """Show a step: the lattice, and what each label would have added."""
    data = films()
    caption = about_step(of, cell, data.label_names)
    left, right = st.columns([5, 3], gap="medium")
    with left:
        legend_on_stage(f"★: the cell to fill. Framed: its parents. {SIGNS}")
        figure(
            step_figure(of, cell, data.label_names, derived.information(data), signs=derived.signs(data), width=WIDTH),
            alt=caption,
            key="lesson step",
            caption=f"★: the cell to fill. Framed: its parents. Numbers are mutual information in nats. {SIGNS}",
        )
    with right:
        st.markdown(plain(caption))
        if not of[cell].is_random:
            figure(candidates_figure(of[cell], data.label_names), alt=caption, key="lesson candidates")


def options_table() -> None:
    """Show what the labels to choose from share with each parent, in digits enough for the sums to differ."""
    _, step = asked()
    names = films().label_names
    labels, parents = ([names[label] for label in some] for some in (options(), step.parents))
    rows = step.shares[[step.candidates.tolist().index(label) for label in options()]]
    table = pd.DataFrame(
        [[plain(name), *(f"{share:.4f}" for share in row)] for name, row in zip(labels, rows, strict=True)],
        columns=["genre", *(plain(f"with {name} (nats)") for name in parents)],
    )
    alt = f"Mutual information of {listed(labels)} with {listed(parents)}."
    st.table(table, border="horizontal", width=760, hide_index=True, alt=alt)


def following() -> Answer:
    """Return which label the cell takes."""
    seed, step = asked()
    return Answer(films().label_names[step.chosen], about_step(steps(seed), step.cell, films().label_names))


def captured() -> None:
    """Draw the share of the mutual information that placements keep."""
    held = shares(films(), shape())
    means = [f"{name} {percent(of_way.mean())}" for name, of_way in held.items()]
    figure(
        seeds_figure(held, "share of all mutual information", seed=shape().seed, number=".1%"),
        alt=f"Share of all mutual information, on average over {SEEDS} seeds: {listed(means)}.",
        key="lesson kept",
    )


def most() -> Answer:
    """Return whether the trellis of this seed keeps most of the mutual information."""
    held = shares(films(), shape())
    own, at_random = held["Algorithm 1"][shape().seed], held["random"].mean()
    if own >= 0.5:
        right = "Half of it or more"
    elif own > at_random:
        right = "Less than half, but more than random placements on average"
    else:
        right = "No more than random placements on average"
    return Answer(right, f"Its edges capture {percent(own)}, and random placements {percent(at_random)} on average.")


def gains() -> None:
    """Draw the gains of all choices of parents over independent classifiers, next to those of a chain."""
    choice("Score", SCORES, default=SCORES[0], format_func=lambda key: MEASURES[key].name, key="lattice_score")
    found, n_edges = scores()
    figure(
        edge_gains_figure(found, n_edges, MEASURES[measure()].name, shape().pattern),
        alt=about_edge_gains(found, n_edges, shape().pattern),
        key="lesson worth",
        caption=f"Width {shape().width}, seed {shape().seed}. Ringed: the chosen parents. Bars are standard errors of "
        f"the differences in {FOLDS} folds, corrected for shared training rows (Nadeau and Bengio 2003), as is the "
        "test at 5%.",
    )


def code() -> str:
    chosen, at = shape(), st.session_state.get("step", FIRST_STEP) - 1
    lattice = f"information, {chosen.width}, {chosen.pattern!r}"
    candidates = "" if steps()[at].is_random else f"candidates_figure(steps[{at}], data.label_names).show()\n"
    of = MEASURES[measure()]
    return f"""from pandas import DataFrame, read_csv

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers
from trellislib.data import packaged
from trellislib.dependence import information_of_counts, pair_counts, phi_coefficients
from trellislib.figures import candidates_figure, edge_gains_figure, growth_figure, seeds_figure, step_figure
from trellislib.graphs import (
    PATTERNS,
    LabelGraph,
    captured_dependence,
    climbed_captures,
    placement_steps,
    random_captures,
)
from trellislib.experiment.rescoring import CrossValidation

data = packaged({DATA!r})
counts = pair_counts(data.Y)
information, signs = information_of_counts(counts), phi_coefficients(counts)
steps = placement_steps({lattice}, random_state={chosen.seed})
step_figure(steps, {at}, data.label_names, information, signs=signs, width={WIDTH}).show()
{candidates}
everything = captured_dependence(LabelGraph.chain(range(data.n_labels)), information)  # a chain joins every pair
shares = {{
    "Algorithm 1": climbed_captures({lattice}, n_starts={SEEDS}) / everything,
    "random": random_captures({lattice}, n_placements={SEEDS}, random_state=0) / everything,
}}
seeds_figure(shares, "share of all mutual information", seed={chosen.seed}, number=".1%").show()

growth = read_csv("assets/growth.csv")  # of the repository, in a clone of it
shown = growth["method"].isin({COMPARED!r}) & (growth["base"] == {MAIN_BASE!r})
growth_figure(growth[shown]).show()

cv = CrossValidation(data, cv={FOLDS})
found = {{"IC": cv.scores(IndependentClassifiers())}}
n_edges = {{"IC": 0, "CC": {comb(films().n_labels, 2)}}}
for pattern in PATTERNS:
    method = ClassifierTrellis(width={chosen.width}, parents=pattern, random_state={chosen.seed})
    found[pattern] = cv.scores(method)
    n_edges[pattern] = len(placement_steps(information, {chosen.width}, pattern).trellis.edges)
found["CC"] = cv.scores(ClassifierChain())
scores = DataFrame({{name: of[{of.key!r}] for name, of in found.items()}})
edge_gains_figure(scores, n_edges, {of.name!r}, {chosen.pattern!r}).show()
"""


LESSON = Content(
    facts,
    {"build": build, "options": options_table, "kept": captured, "price": price, "worth": gains},
    {"following": following, "most": most},
    code,
    knobs=knobs,
)
