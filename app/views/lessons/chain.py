"""Lesson 3: the chain, in all orders of three labels at once."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from components.parts import figure

from trellislib.data import simulate_shapes
from trellislib.figures import order_errors_figure, orders_figure
from trellislib.ranking import friedman
from trellislib.studies.chain_orders import chain_orders
from trellislib.wording import percent
from views.lessons.knobs import knob
from views.lessons.text import Answer, Content

N_INSTANCES = 400
NAMES = ("y1", "y2", "y3")
DRAWS = 10
ALPHA = 0.1

overlap = knob("chain_overlap", 0.5)  # how wide the clouds are
draw = knob("chain_draw", 0)  # which shapes are drawn


@st.cache_data(max_entries=10, show_spinner="Training chains in all orders")
def scores(width: float) -> list[pd.DataFrame]:
    return [chain_orders(simulate_shapes(N_INSTANCES, overlap=width, random_state=seed)) for seed in range(DRAWS)]


def chosen() -> pd.DataFrame:
    return scores(overlap())[draw()]


def inherited_share() -> float:
    """Return the share of inherited errors among the wrong labels, over all orders."""
    return chosen()["n_inherited"].sum() / chosen()[["n_own", "n_inherited"]].sum().sum()


def in_words(order: tuple[int, ...]) -> str:
    return ", ".join(NAMES[label] for label in order)


def facts() -> dict[str, str]:
    table = chosen()
    exact = table["exact_match"]
    every = pd.concat({f"draw {seed}": of["exact_match"] for seed, of in enumerate(scores(overlap()))}, axis=1)
    means = every.mean(axis=1)
    front, back = (every.index[place] for place in (means.to_numpy().argmax(), means.to_numpy().argmin()))
    overall = friedman(every.T)
    in_front = (every == every.max()).to_numpy()
    return {
        "n": f"{N_INSTANCES:,}",
        "l": str(len(NAMES)),
        "orders": str(len(table)),
        "best": in_words(exact.index[exact.to_numpy().argmax()]),
        "worst": in_words(exact.index[exact.to_numpy().argmin()]),
        "best_score": percent(exact.max(), 1),
        "worst_score": percent(exact.min(), 1),
        "spread": f"{100 * (exact.max() - exact.min()):.1f}",
        "draws": str(DRAWS),
        "front": in_words(front),
        "friedman": overall.best_p_words,
        "alpha": f"{ALPHA:.2f}",
        "finds": "order matters" if overall.best_p_value <= ALPHA else "no difference between orders is found",
        "back": in_words(back),
        "front_mean": percent(means.max(), 1),
        "back_mean": percent(means.min(), 1),
        "n_front": str((in_front[every.index.get_loc(front)] & (in_front.sum(axis=0) == 1)).sum()),
        "first_right": percent(table["right_1"].mean(), 1),
        "last_right": percent(table[f"right_{len(NAMES)}"].mean(), 1),
        "inherited": percent(inherited_share()),
        "n_lucky": f"{table['n_lucky'].sum():,}",
        "after_error": percent(table["after_error"].mean()),
        "after_right": percent(table["after_right"].mean()),
    }


def knobs() -> None:
    """Ask how far the shapes overlap, and which draw of them is shown."""
    with st.container(horizontal=True):
        st.slider("Overlap of the clouds", 0.3, 1.0, 0.5, 0.1, key="chain_overlap", bind="query-params", width=300)
        st.number_input("Draw", 0, DRAWS - 1, key="chain_draw", bind="query-params", width=130)


def orders() -> None:
    """Draw the exact match of every order."""
    known = facts()
    others = [table for seed, table in enumerate(scores(overlap())) if seed != draw()]
    figure(
        orders_figure(chosen(), NAMES, "exact_match", "exact match ↑", others),
        alt=f"Exact match of {known['orders']} orders: from {known['worst_score']} to {known['best_score']}.",
        key="lesson orders",
    )


def errors() -> None:
    """Draw how many labels are wrong in each order, by own and by inherited errors."""
    table = chosen()
    figure(
        order_errors_figure(chosen(), NAMES),
        alt=f"Wrong labels over all orders: {table['n_own'].sum():,} own errors, {table['n_inherited'].sum():,} "
        "inherited.",
        key="lesson errors",
    )


def downhill() -> Answer:
    """Return the share of inherited errors, as an answer."""
    share = inherited_share()
    right = "Less than a quarter" if share < 1 / 4 else "A quarter to a half" if share <= 1 / 2 else "More than half"
    n_own, n_inherited = chosen()[["n_own", "n_inherited"]].sum()
    return Answer(right, f"{n_own:,} wrong labels are own errors and {n_inherited:,} are inherited, over all orders.")


def code() -> str:
    return f"""from trellislib.studies.chain_orders import chain_orders
from trellislib.data import simulate_shapes
from trellislib.figures import order_errors_figure, orders_figure

draws = [simulate_shapes({N_INSTANCES}, overlap={overlap()}, random_state=seed) for seed in range({DRAWS})]
scores = [chain_orders(draw) for draw in draws]
others = scores[:{draw()}] + scores[{draw() + 1}:]
names = draws[0].label_names
orders_figure(scores[{draw()}], names, "exact_match", "exact match ↑", others).show()
order_errors_figure(scores[{draw()}], names).show()
"""


LESSON = Content(facts, {"orders": orders, "errors": errors}, {"downhill": downhill}, code, knobs=knobs)
