"""Lesson 3: the chain, in all orders of three labels at once."""

from __future__ import annotations

import pandas as pd
import streamlit as st
from parts import figure

from lessons.text import Answer, Content
from trellislib.chain_orders import chain_orders
from trellislib.data import simulate_shapes
from trellislib.figures import order_errors_figure, orders_figure
from trellislib.takeaways.words import percent

N_INSTANCES = 400
NAMES = ("y1", "y2", "y3")


def overlap() -> float:
    """Return how wide the clouds are, as chosen."""
    return st.session_state.get("chain_overlap", 0.5)


def draw() -> int:
    """Return which shapes are drawn, as chosen."""
    return st.session_state.get("chain_draw", 0)


@st.cache_data(max_entries=40, show_spinner="Training chains in all orders")
def scores(width: float, seed: int) -> pd.DataFrame:
    """Return the scores of all orders."""
    return chain_orders(simulate_shapes(N_INSTANCES, overlap=width, random_state=seed))


def chosen() -> pd.DataFrame:
    """Return the scores of all orders, for what is chosen."""
    return scores(overlap(), draw())


def told(order: tuple[int, ...]) -> str:
    """Return an order in words."""
    return ", ".join(NAMES[label] for label in order)


def facts() -> dict[str, str]:
    """Return what the text says of the orders."""
    table = chosen()
    exact = table["exact_match"]
    last = f"right_{len(NAMES)}"
    return {
        "n": f"{N_INSTANCES:,}",
        "l": str(len(NAMES)),
        "orders": str(len(table)),
        "best": told(exact.index[exact.to_numpy().argmax()]),
        "worst": told(exact.index[exact.to_numpy().argmin()]),
        "best_score": percent(exact.max(), 1),
        "worst_score": percent(exact.min(), 1),
        "spread": f"{100 * (exact.max() - exact.min()):.1f}",
        "first_right": percent(table["right_1"].mean(), 1),
        "last_right": percent(table[last].mean(), 1),
        "after_error": percent(table["after_error"].mean()),
        "after_right": percent(table["after_right"].mean()),
    }


def orders() -> None:
    """Draw the exact match of every order, with how far the shapes overlap."""
    with st.container(horizontal=True):
        st.slider("Overlap of the clouds", 0.3, 1.0, 0.5, 0.1, key="chain_overlap", bind="query-params")
        st.number_input("Draw", 0, 99, key="chain_draw", bind="query-params", width=130)
    said = facts()
    figure(
        orders_figure(chosen(), NAMES, "exact_match", "exact match ↑"),
        alt=f"Exact match of {said['orders']} orders: from {said['worst_score']} to {said['best_score']}.",
        key="lesson orders",
    )


def errors() -> None:
    """Draw how often a label is wrong after a wrong one and after a right one."""
    said = facts()
    figure(
        order_errors_figure(chosen(), NAMES),
        alt=f"Wrong labels: {said['after_error']} after a wrong one, {said['after_right']} after a right one.",
        key="lesson errors",
    )


def downhill() -> Answer:
    """Return after what a label is wrong more often."""
    table = chosen()
    after_error, after_right = table["after_error"].mean(), table["after_right"].mean()
    right = "After a wrong label" if after_error > after_right else "After a right label"
    return Answer(
        right,
        f"A label is wrong in {percent(after_error)} of the cases where the one before it is wrong, and in "
        f"{percent(after_right)} of those where it is right.",
    )


def code() -> str:
    """Return the same in Python."""
    return f"""from trellislib.chain_orders import chain_orders
from trellislib.data import simulate_shapes
from trellislib.figures import order_errors_figure, orders_figure

data = simulate_shapes({N_INSTANCES}, overlap={overlap()}, random_state={draw()})
scores = chain_orders(data)
orders_figure(scores, data.label_names, "exact_match", "exact match ↑").show()
order_errors_figure(scores, data.label_names).show()
"""


LESSON = Content(facts, {"orders": orders, "errors": errors}, {"downhill": downhill}, code)
