"""Lesson 4: what a good structure is; on labels whose true graph is known, found with and without the features."""

from __future__ import annotations

from math import comb

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import choice, figure, plain
from state.structures import LEADS, RESIDUALS

from trellislib.data import Dataset, LabelDag
from trellislib.dependence import label_tree, residual_information
from trellislib.figures import dependence_matrices, recovery_figures, structure_gains_figure, truth_positions
from trellislib.graphs import LabelGraph, edge_roles, joined_otherwise, recovery, strongest_pairs
from trellislib.studies.structure_comparison import (
    CONDITIONAL,
    MARGINAL,
    TRUTH,
    TURNED,
    compared_structures,
    nearest_lead,
    structure_comparison,
)
from trellislib.summaries import about_found, about_gains, about_nearest
from trellislib.wording import counted, listed, percent
from views.lessons.knobs import knob
from views.lessons.text import Answer, Content

N_LABELS, N_ONES = 8, 3
SIZES, FEATURES = (100, 200, 500, 1000, 2000), (3, 5, 10, 20)
DEFAULT_SIZE, DEFAULT_FEATURES, DEFAULT_DRAW = 200, 5, 0
DRAWS = 20
LEVEL = 0.01
LETTERS = "abcd"
FS = "FS"
ERRORS = {"signed": "their sign", "error": "whether wrong"}
ASKS = {
    "signed": "It asks whether errors of two labels have the same sign. The paper's LEAD asks only whether both labels "
    "are wrong together",
    "error": "It asks whether two labels are predicted wrongly together, as in the paper",
}
UNDECIDED = "These draws do not decide"

Pair = tuple[int, int]

n_instances = knob("structure_n", DEFAULT_SIZE)
n_features = knob("structure_d", DEFAULT_FEATURES)
draw = knob("structure_draw", DEFAULT_DRAW)  # of graph and instances
residuals = knob("structure_lead", "signed")  # what LEAD looks at


def setting() -> dict[str, int]:
    """Return what the simulation takes in addition to the draw, as chosen."""
    return {"n_instances": n_instances(), "n_labels": N_LABELS, "n_features": n_features(), "n_ones": N_ONES}


@st.cache_data(max_entries=200, show_spinner="Simulating labels")
def simulated(size: int, features: int, number: int) -> tuple[LabelDag, Dataset]:
    """Return a graph with what its labels depend on, and instances simulated from it."""
    rng = np.random.default_rng(number)
    dag = LabelDag.drawn(N_LABELS, features, N_ONES, random_state=rng)
    return dag, dag.simulate(size, rng)


@st.cache_data(max_entries=200, show_spinner="Measuring dependence")
def dependence(size: int, features: int, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the dependence of all pairs of labels, without the features and beyond them."""
    _, data = simulated(size, features, number)
    return residual_information(np.empty((size, 0)), data.Y), residual_information(data.X, data.Y)


@st.cache_data(max_entries=200, show_spinner="Searching")
def structures(size: int, features: int, number: int) -> dict[str, LabelGraph]:
    return compared_structures(simulated(size, features, number)[1], level=LEVEL, seed=number)


@st.cache_data(max_entries=200, show_spinner=False)
def positions(size: int, features: int, number: int) -> np.ndarray:
    """Return where all graphs draw the labels."""
    return truth_positions(structures(size, features, number)[TRUTH])


@st.cache_data(max_entries=20, show_spinner=f"Searching and predicting on {DRAWS} draws")
def compared(size: int, features: int) -> pd.DataFrame:
    """Return how near to the truth structures come on all draws, and how well a chain predicts with them."""
    return structure_comparison(
        DRAWS, level=LEVEL, n_instances=size, n_labels=N_LABELS, n_features=features, n_ones=N_ONES
    )


def chosen() -> tuple[int, int, int]:
    return n_instances(), n_features(), draw()


def in_words(pair: Pair) -> str:
    return " and ".join(f"y{label + 1}" for label in pair)


def asked() -> list[Pair]:
    """Return the pairs that the question is about: the strongest true edges, and the strongest that are none."""
    with_edge, without = strongest_pairs(dependence(*chosen())[0], structures(*chosen())[TRUTH])
    return sorted(with_edge + without)


def means() -> pd.DataFrame:
    return compared(n_instances(), n_features()).groupby("structure", sort=False).mean(numeric_only=True)


def near(name: str) -> dict[str, str]:
    """Return how near a graph is to the truth, for the text."""
    found = structures(*chosen())
    agreement = recovery(found[name], found[TRUTH])
    return {
        "edges": counted(len(found[name].edges), "edge"),
        "precision": percent(agreement.skeleton_precision),
        "recall": percent(agreement.skeleton_recall),
    }


def indirect() -> str:
    """Say how many of the pairs beyond the features are wrong, and how many of these depend by way of others."""
    found = structures(*chosen())
    n_wrong = len(edge_roles(found[CONDITIONAL], found[TRUTH]).wrong)
    if not n_wrong:
        return "None of these edges is wrong"
    n_joined = len(joined_otherwise(found[CONDITIONAL], found[TRUTH]))
    some = f"All {n_wrong:,}" if n_joined == n_wrong > 1 else f"{n_joined:,} of {n_wrong:,}"
    is_so = "edge is" if n_wrong == 1 else "edges are"
    return f"{some} wrong {is_so} indirect, along true edges or by a common cause"


def facts() -> dict[str, str]:
    table, over = compared(n_instances(), n_features()), means()
    found = structures(*chosen())
    shown = {"m": MARGINAL, "c": CONDITIONAL, "fs": FS, "lead": LEADS[residuals()]}
    return {
        "n": f"{n_instances():,}",
        "d": str(n_features()),
        "t": str(N_ONES),
        "l": str(N_LABELS),
        "pairs": str(comb(N_LABELS, 2)),
        "true_edges": counted(len(found[TRUTH].edges), "edge"),
        "level": f"{LEVEL:.2f}",
        "indirect": indirect(),
        "lead_asks": ASKS[residuals()],
        "draws": str(DRAWS),
        "marginal_f": f"{over['f'][MARGINAL]:.2f}",
        "wrong_edges": about_gains(table, MARGINAL, TRUTH),
        "directions": about_gains(table, TURNED, TRUTH),
        **{f"option_{letter}": in_words(pair) for letter, pair in zip(LETTERS, asked(), strict=True)},
        **{f"{short}_{what}": text for short, name in shown.items() for what, text in near(name).items()},
        **{f"{short}_mean": percent(over["precision"][name]) for short, name in shown.items()},
    }


def knobs() -> None:
    """Ask what is simulated, and which errors LEAD uses."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.select_slider("Instances N", SIZES, DEFAULT_SIZE, key="structure_n", bind="query-params", width=220)
        st.select_slider(
            "Features D",
            FEATURES,
            DEFAULT_FEATURES,
            key="structure_d",
            bind="query-params",
            width=220,
            help=f"Each label depends on {N_ONES} of them. Labels share more features where there are fewer.",
        )
        st.number_input("Draw", 0, DRAWS - 1, DEFAULT_DRAW, key="structure_draw", bind="query-params", width=120)
        choice("Errors that LEAD uses", list(ERRORS), key="structure_lead", default="signed", format_func=ERRORS.get)


def matrices() -> None:
    """Draw the true graph next to the dependence without the features and beyond them."""
    data = simulated(*chosen())[1]
    truth = structures(*chosen())[TRUTH]
    marginal, conditional = dependence(*chosen())
    known, _ = recovery_figures(truth, {}, data.label_names, positions=positions(*chosen()), height=440)
    charts = dependence_matrices(marginal, conditional, data.label_names, label_tree(marginal).order)
    titles = ("Truth", "Without the features", "Beyond the features")
    for place, title, chart in zip(st.columns(3, gap="medium"), titles, (known, *charts), strict=True):
        with place:
            st.markdown(f"**{title}**")
            alt = f"{title}: {counted(len(truth.edges), 'edge')}." if title == "Truth" else f"{title}, all pairs."
            figure(chart, alt=alt, key=f"lesson {title.lower()}")


def is_edge(pair: tuple[int, int]) -> bool:
    """Return whether the true graph joins a pair, in either direction."""
    return bool({pair, pair[::-1]} & set(structures(*chosen())[TRUTH].edges))


def shared() -> None:
    """Show of the pairs to choose from how much they depend, without the features and beyond them."""
    dag, _ = simulated(*chosen())
    marginal, conditional = dependence(*chosen())
    table = pd.DataFrame(
        {
            "pair": [in_words(pair) for pair in asked()],
            "edge": ["yes" if is_edge(pair) else "no" for pair in asked()],
            "in common": [str(dag.n_shared(pair[0], pair[1:])) for pair in asked()],
            "without": [f"{marginal[pair]:.4f}" for pair in asked()],
            "beyond": [f"{conditional[pair]:.4f}" for pair in asked()],
        }
    )
    alt = f"Dependence of {listed([in_words(pair) for pair in asked()])}, without the features and beyond them."
    st.table(table, border="horizontal", width=760, hide_index=True, alt=alt)
    st.caption(
        f"In common: shared features, of {N_ONES}. Without and beyond the features: dependence in nats, both with "
        "labels taken as jointly normal. They are comparable, but not the mutual information of lesson 5.",
        width=760,
    )


def explained() -> Answer:
    """Return which pair the features explain away most."""
    marginal, conditional = dependence(*chosen())
    most = min(asked(), key=lambda pair: conditional[pair] / marginal[pair])
    left = conditional[most] / marginal[most]
    edge = "is still a true edge" if is_edge(most) else "is no true edge"
    return Answer(in_words(most), f"{percent(left)} of its dependence remains beyond the features. It {edge}.")


def side_by_side(names: dict[str, str], key: str) -> None:
    """Draw two of the graphs that were found, by how right their edges are, each with its title."""
    data, found = simulated(*chosen())[1], structures(*chosen())
    shown = {name: found[name] for name in names}
    _, charts = recovery_figures(found[TRUTH], shown, data.label_names, positions=positions(*chosen()))
    for place, (name, title) in zip(st.columns(2, gap="medium"), names.items(), strict=True):
        with place:
            st.markdown(f"**{plain(title)}**")
            caption = about_found(found[name], found[TRUTH])
            figure(charts[name], alt=f"{title}: {caption}", key=f"lesson {key} {name}", caption=caption)


def pairs() -> None:
    """Draw all pairs that depend, without the features and beyond them."""
    side_by_side({MARGINAL: "Marginal: without the features", CONDITIONAL: "Conditional: beyond the features"}, "pairs")


def learned() -> None:
    """Draw what FS and LEAD find."""
    side_by_side({FS: "FS", LEADS[residuals()]: LEADS[residuals()]}, "learned")


def gains() -> None:
    """Draw what each structure gains in exact match, against how near it is to the truth."""
    table = means()
    text = [f"{name} {100 * gain:+.1f}" for name, gain in table["gain"].items()]
    figure(
        structure_gains_figure(compared(n_instances(), n_features())),
        alt=f"Mean gain in exact match, in points: {', '.join(text)}.",
        key="lesson gains",
        caption="Large: mean over the draws with its standard error. Small: each draw.",
    )


def nearest() -> Answer:
    """Return whether the structure that is nearest to the truth predicts better than the others that were found."""
    lead, over = nearest_lead(compared(n_instances(), n_features())), means()
    right = "Yes" if lead.is_ahead else "No" if lead.is_behind else UNDECIDED
    return Answer(
        right,
        f"{lead.nearest} has the largest mean F, {over['f'][lead.nearest]:.2f}, and gains "
        f"{100 * over['gain'][lead.nearest]:+.2f} points. {about_nearest(lead)}. These are mean differences over the "
        "draws with standard errors, by paired t-tests at 5%, corrected by Holm.",
    )


def code() -> str:
    given = ", ".join(f"{name}={value}" for name, value in setting().items())
    return f"""import numpy as np

from trellislib.data import simulate_label_dag
from trellislib.dependence import label_tree, residual_information
from trellislib.figures import dependence_matrices, recovery_figures, structure_gains_figure
from trellislib.studies.structure_comparison import compared_structures, structure_comparison

data = simulate_label_dag({given}, random_state={draw()})
names = data.label_names
found = compared_structures(data, level={LEVEL}, seed={draw()})
truth = found["truth"]
known, _ = recovery_figures(truth, {{}}, names, height=440)
known.show()

marginal = residual_information(np.empty((data.n_instances, 0)), data.Y)
conditional = residual_information(data.X, data.Y)
for chart in dependence_matrices(marginal, conditional, names, label_tree(marginal).order):
    chart.show()

for two in (({MARGINAL!r}, {CONDITIONAL!r}), ({FS!r}, {LEADS[residuals()]!r})):
    _, charts = recovery_figures(truth, {{name: found[name] for name in two}}, names)
    for chart in charts.values():
        chart.show()

table = structure_comparison({DRAWS}, level={LEVEL}, {given})
structure_gains_figure(table).show()
"""


def query() -> dict[str, str]:
    """Return what the label DAG lab is given of the simulation."""
    return {
        "dag_l": str(N_LABELS),
        "dag_n": str(n_instances()),
        "dag_d": str(n_features()),
        "dag_t": str(N_ONES),
        "dag_seed": str(draw()),
        "dag_lead": RESIDUALS[residuals()],
    }


LESSON = Content(
    facts,
    {"matrices": matrices, "shared": shared, "pairs": pairs, "learned": learned, "gains": gains},
    {"explained": explained, "nearest": nearest},
    code,
    query,
    knobs,
)
