"""Lesson 5: the trellis, built step by step from the genres of films, and what it keeps, costs and is worth."""

from __future__ import annotations

from functools import partial
from math import comb

import derived
import numpy as np
import pandas as pd
import streamlit as st
from parts import SIGNS, choice, figure, plain
from player import play
from tuning import Shape
from workshop.play import stepped
from worth import FOLDS, Scores

from lessons.text import Answer, Content
from trellislib.data import Dataset, packaged
from trellislib.figures import candidates_figure, growth_figure, seeds_figure, step_figure, width_scores_figure
from trellislib.graphs import (
    PATTERNS,
    LabelGraph,
    PlacementSteps,
    Step,
    captured_dependence,
    default_width,
    random_trellis,
)
from trellislib.growth import MAIN_BASE
from trellislib.metrics import MEASURES
from trellislib.progress import duration
from trellislib.takeaways import about_step, about_width_scores
from trellislib.takeaways.words import listed, number_of, percent

DATA = "movies"
WIDTHS = range(1, 7)
FIRST_STEP = 5  # a whole row in the default width, so that the next cell has two parents
SEEDS = 20
OPTIONS = 4
SCORES = ("exact_match", "accuracy", "hamming_score")
COMPARED = ("IC", "CC", "CT")
LETTERS = "abcd"


@st.cache_resource(max_entries=1, show_spinner="Reading the films")
def films() -> Dataset:
    """Return the data."""
    return packaged(DATA)


def shape() -> Shape:
    """Return the lattice and the seed, as chosen."""
    chosen = st.session_state
    width = chosen.get("lattice_width", default_width(films().n_labels))
    return Shape(width, chosen.get("lattice_parents", next(iter(PATTERNS))), seed=chosen.get("lattice_seed", 0))


def measure() -> str:
    """Return the score that is compared, as chosen."""
    return st.session_state.get("lattice_score") or SCORES[0]


def steps() -> PlacementSteps:
    """Return the steps of Algorithm 1."""
    chosen = shape()
    return stepped(films(), chosen.guide, chosen.width, chosen.offsets, chosen.seed)


def asked() -> tuple[Step, bool]:
    """Return the step that the question is about, and whether it is still to come: the last ones leave no choice."""
    following, last = st.session_state.get("step", FIRST_STEP), films().n_labels - OPTIONS
    return steps()[min(following, last)], following <= last


def options() -> list[int]:
    """Return the labels to choose from: those that gain most, in the order of the data."""
    return sorted(asked()[0].candidates[:OPTIONS].tolist())


@derived.once
def shares(data: Dataset, lattice: Shape) -> dict[str, np.ndarray]:
    """Return which share of all mutual information placements of each seed capture, by way of placement."""
    everything = captured_dependence(LabelGraph.chain(range(data.n_labels)), derived.information(data))
    place = (data, lattice.width, lattice.offsets, lattice.guide)
    return {
        "Algorithm 1": derived.captured_by_climbing(*place)[:SEEDS] / everything,
        "random": derived.captured_at_random(*place)[:SEEDS] / everything,
    }


def scores() -> dict[int, Scores]:
    """Return the scores at every width."""
    chosen = shape()
    return {width: derived.scored(films(), Shape(width, chosen.pattern, seed=chosen.seed)) for width in WIDTHS}


@st.cache_data
def growth() -> pd.DataFrame:
    """Return what training takes with ever more labels, of the methods that are compared here."""
    table = derived.growth()
    return table[table["method"].isin(COMPARED) & (table["base"] == MAIN_BASE) & (table["variable"] == "L")]


@st.cache_data
def at_most_labels() -> dict[str, str]:
    """Return what the text says of the largest number of labels that was measured."""
    table = growth()
    n_labels = int(table["size"].max())
    seconds = table[table["size"] == n_labels].set_index("method")["train s"]
    return {
        "most": f"{n_labels:,}",
        "most_chain": f"{comb(n_labels, 2):,}",
        "most_edges": f"{len(random_trellis(n_labels, random_state=0).edges):,}",
        "chain_time": duration(seconds["CC"]),
        "trellis_time": duration(seconds["CT"]),
    }


def where(step: Step) -> str:
    """Name the cell of a step and its parents."""
    parents = listed([films().label_names[parent] for parent in step.parents])
    verb = "is its parent" if len(step.parents) == 1 else "are its parents"
    return f"row {step.row + 1}, column {step.column + 1}, where {parents} {verb}"


def ahead() -> str:
    """Say which cell the question is about."""
    step, is_to_come = asked()
    if is_to_come:
        return f"The next cell is in {where(step)}"
    return f"Too few genres are left to choose from, so think back to the cell in {where(step)}"


def verdict() -> str:
    """Say how the trellis stands between the methods that it lies between in structure."""
    found = scores()[shape().width]
    of_trellis, *others = (found[method][measure()].mean() for method in ("CT", "IC", "CC"))
    beaten = sum(of_trellis > other for other in others)
    if of_trellis in others:
        return "It is no better and no worse than one of them"
    return ("Both are better here", "It stands between the two", "It is better than both here")[beaten]


def facts() -> dict[str, str]:
    """Return what the text says of the steps, and of what the trellis keeps and is worth."""
    data, chosen, placed = films(), shape(), steps().trellis
    n_labels, n_edges = data.n_labels, len(placed.edges)
    phi = derived.signs(data)
    held = shares(data, chosen)
    found = scores()[chosen.width]
    return {
        "n": f"{data.n_instances:,}",
        "l": str(n_labels),
        "chain": f"{comb(n_labels, 2):,}",
        "edges": number_of(n_edges, "edge"),
        "edge_share": percent(n_edges / comb(n_labels, 2)),
        "excluding": str(sum(phi[edge] < 0 for edge in placed.edges)),
        "ahead": ahead(),
        "options": str(OPTIONS),
        "seeds": str(SEEDS),
        "seed": str(chosen.seed),
        "random_share": percent(held["random"].mean()),
        "least_share": percent(held["Algorithm 1"].min()),
        "best_share": percent(held["Algorithm 1"].max()),
        "folds": str(FOLDS),
        "width": str(chosen.width),
        "measure": MEASURES[measure()].in_words,
        "verdict": verdict(),
        **{method.lower(): percent(found[method][measure()].mean(), 1) for method in COMPARED},
        **{f"option_{letter}": data.label_names[label] for letter, label in zip(LETTERS, options(), strict=True)},
        **at_most_labels(),
    }


def build() -> None:
    """Show the lattice as it is filled, with its shape and the player."""
    data = films()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider("Width", WIDTHS[0], WIDTHS[-1], shape().width, key="lattice_width", bind="query-params", width=220)
        st.selectbox(
            "Parents",
            PATTERNS,
            key="lattice_parents",
            bind="query-params",
            width=190,
            help="Which earlier cells each label is predicted from; the paper's experiments use left and up.",
        )
        st.number_input(
            "Seed",
            0,
            SEEDS - 1,
            key="lattice_seed",
            bind="query-params",
            width=120,
            help="Draws the first label.",
        )
    st.session_state.setdefault("step", FIRST_STEP)
    play(partial(_step, steps()), data.n_labels, shape())
    question, chosen = "lesson 5 following", (shape(), asked()[0].cell)
    if st.session_state.get("lattice_asked") != chosen:  # an answer was to another cell
        st.session_state["lattice_asked"] = chosen
        st.session_state.pop(question, None)


def _step(of: PlacementSteps, cell: int) -> None:
    """Show a step: the lattice, and what each label would have added."""
    data = films()
    says = about_step(of, cell, data.label_names)
    left, right = st.columns([5, 3], gap="medium")
    with left:
        figure(
            step_figure(of, cell, data.label_names, derived.information(data), signs=derived.signs(data)),
            alt=says,
            key="lesson step",
            says=f"★ the cell that is filled; framed, its parents. Numbers are mutual information in nats. {SIGNS}",
        )
    with right:
        st.markdown(plain(says))
        if not of[cell].is_random:
            figure(candidates_figure(of[cell], data.label_names), alt=says, key="lesson candidates")


def options_table() -> None:
    """Show what the labels to choose from share with each parent, in digits enough for the sums to differ."""
    step, _ = asked()
    names = films().label_names
    labels, parents = ([names[label] for label in some] for some in (options(), step.parents))
    rows = step.shares[[step.candidates.tolist().index(label) for label in options()]]
    table = pd.DataFrame(
        [[plain(name), *(f"{share:.6f}" for share in row)] for name, row in zip(labels, rows, strict=True)],
        columns=["genre", *(plain(f"with {name} (nats)") for name in parents)],
    )
    alt = f"Mutual information of {listed(labels)} with {listed(parents)}."
    st.table(table, border="horizontal", width=760, hide_index=True, alt=alt)


def following() -> Answer:
    """Return which label the cell takes."""
    step, _ = asked()
    return Answer(films().label_names[step.chosen], about_step(steps(), step.cell, films().label_names))


def kept() -> None:
    """Draw the share of the mutual information that placements keep."""
    held = shares(films(), shape())
    told = [f"{name} {percent(of_way.mean())}" for name, of_way in held.items()]
    figure(
        seeds_figure(held, "share of all mutual information", seed=shape().seed, number=".1%"),
        alt=f"Share of all mutual information, on average over {SEEDS} seeds: {listed(told)}.",
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
    return Answer(
        right, f"Its edges hold {percent(own)}, and those of random placements {percent(at_random)} on average."
    )


def price() -> None:
    """Draw what training costs with ever more labels."""
    said = at_most_labels()
    figure(
        growth_figure(growth()),
        alt=f"With {said['most']} labels, training takes {said['chain_time']} for CC, {said['trellis_time']} for CT.",
        key="lesson price",
    )


def worth() -> None:
    """Draw the scores over the widths, beside independent classifiers and a chain."""
    choice(
        "Score",
        SCORES,
        default=SCORES[0],
        format_func=lambda key: MEASURES[key].name,
        key="lattice_score",
    )
    of = MEASURES[measure()]
    figure(
        width_scores_figure(scores(), of.key, of.name, shape().pattern, shape().width),
        alt=about_width_scores(scores(), of, shape().width),
        key="lesson worth",
    )


def code() -> str:
    """Return the same in Python."""
    chosen, at = shape(), st.session_state.get("step", FIRST_STEP) - 1
    lattice = f"information, {chosen.width}, {chosen.pattern!r}"
    candidates = "" if steps()[at].is_random else f"candidates_figure(steps[{at}], data.label_names).show()\n"
    of = MEASURES[measure()]
    return f"""from pandas import read_csv

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers
from trellislib.data import packaged
from trellislib.dependence import information_of_counts, pair_counts, phi_coefficients
from trellislib.figures import candidates_figure, growth_figure, seeds_figure, step_figure, width_scores_figure
from trellislib.graphs import LabelGraph, captured_dependence, climbed_captures, placement_steps, random_captures
from trellislib.rescoring import CrossValidation

data = packaged({DATA!r})
counts = pair_counts(data.Y)
information, signs = information_of_counts(counts), phi_coefficients(counts)
steps = placement_steps({lattice}, random_state={chosen.seed})
step_figure(steps, {at}, data.label_names, information, signs=signs).show()
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

cv = CrossValidation(data, cv={FOLDS}, scale=True)
beside = {{"IC": cv.scores(IndependentClassifiers()), "CC": cv.scores(ClassifierChain())}}
scores = {{}}
for width in range({WIDTHS.start}, {WIDTHS.stop}):
    method = ClassifierTrellis(width=width, parents={chosen.pattern!r}, random_state={chosen.seed})
    scores[width] = {{"CT": cv.scores(method), **beside}}
width_scores_figure(scores, {of.key!r}, {of.name!r}, {chosen.pattern!r}, {chosen.width}).show()
"""


LESSON = Content(
    facts,
    {"build": build, "options": options_table, "kept": kept, "price": price, "worth": worth},
    {"following": following, "most": most},
    code,
)
