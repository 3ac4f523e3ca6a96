"""Lesson 7: deciding for the score; on shapes whose clouds overlap, and on yeast."""

from __future__ import annotations

import numpy as np
import streamlit as st
from components.parts import button, choice, figure

from trellislib import ClassifierChain, Logistic
from trellislib.data import Dataset, packaged, simulate_shapes
from trellislib.figures import answer_figure, reached_figure
from trellislib.labels.label_sets import set_in_words
from trellislib.metrics import MEASURES
from trellislib.studies.deciding import SCORES, Answers, best_answers
from trellislib.wording import agreed, listed, percent
from views.lessons.knobs import knob
from views.lessons.text import Answer, Content

N_INSTANCES, OVERLAP = 1_500, 1.0
SHAPES, YEAST = "shapes", "yeast"
OPTIONS = {
    "exact_match": "Exact match",
    "hamming_score": "Hamming score",
    "accuracy": "Accuracy",
    "example_f1": "F1",
}

score = knob("deciding_score", SCORES[0])  # for which the row is answered
row = knob("deciding_row", 1)  # of the shapes that were left out, from 1
data_set = knob("deciding_data", SHAPES)  # on which all answers are scored


def loaded(name: str) -> Dataset:
    return packaged(YEAST) if name == YEAST else simulate_shapes(N_INSTANCES, overlap=OVERLAP, random_state=0)


@st.cache_resource(max_entries=2, show_spinner="Training a chain, and deciding for each score")
def answers(name: str) -> Answers:
    """Return the answers to the rows that were left out; they must never be changed."""
    return best_answers(loaded(name), ClassifierChain(Logistic()))


def at_row() -> int:
    """Return the index of the row that is looked at."""
    return min(int(row()), len(answers(SHAPES).truth)) - 1


def names() -> tuple[str, ...]:
    return loaded(SHAPES).label_names


def answer_in_words(key: str) -> str:
    return set_in_words(answers(SHAPES).decided[key][at_row()], names())


def facts() -> dict[str, str]:
    of, at, shown = answers(SHAPES), at_row(), answers(data_set())
    reached = shown.reached
    exact = reached["exact_match"]
    n_first = sum(reached[key].idxmax() == key for key in SCORES)
    n_sets = f"{len(shown.sets):,}"
    best = of.decided[score()][at]
    alike = int((of.n_different == 1).sum())
    sizes = {key: shown.decided[key].sum(axis=1).mean() for key in SCORES}
    return {
        "n_train": f"{N_INSTANCES - len(of.truth):,}",
        "n_test": f"{len(of.truth):,}",
        "l": str(len(names())),
        "n_sets": str(len(of.sets)),
        "row": f"{at + 1:,}",
        "score": MEASURES[score()].in_words,
        "answer": answer_in_words(score()),
        "expected": f"{of.expected(score(), at, best[None])[0]:.2f}",
        "truth": set_in_words(of.truth[at], names()),
        "exact_answer": answer_in_words("exact_match"),
        "exact_p": percent(of.probabilities[at].max()),
        "marginals": listed([f"{percent(p)} for {name}" for name, p in zip(names(), of.marginals[at], strict=True)]),
        "hamming_answer": answer_in_words("hamming_score"),
        "accuracy_answer": answer_in_words("accuracy"),
        "f1_answer": answer_in_words("example_f1"),
        "alike": f"{alike:,} of the {len(of.truth):,} rows {agreed(alike, 'has', 'have')}",
        "data": data_set(),
        "compared": f"all {n_sets} label sets" if data_set() == SHAPES else f"the {n_sets} label sets seen in training",
        "n_shown": f"{len(shown.truth):,}",
        "sizes": listed([f"{sizes[key]:.2f} labels for {MEASURES[key].in_words}" for key in SCORES]),
        "true_size": f"{shown.truth.sum(axis=1).mean():.2f}",
        "n_first": str(n_first),
        "n_scores": str(len(SCORES)),
        "exact": percent(exact["exact_match"], 1),
        "last": MEASURES[exact.idxmin()].in_words,
        "last_exact": percent(exact.min(), 1),
    }


def go_on() -> None:
    """Go to the next row whose answers are not all the same, after the last one to the first."""
    differ = np.flatnonzero(answers(SHAPES).n_different > 1)
    later = differ[differ > at_row()]
    st.session_state["deciding_row"] = int((later if len(later) else differ)[0]) + 1


def one_row() -> None:
    """Draw the label sets of a row and the best answer, with the score and the row."""
    of = answers(SHAPES)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        choice("Score", SCORES, key="deciding_score", default=SCORES[0], format_func=OPTIONS.__getitem__)
        st.number_input("Test row", 1, len(of.truth), key="deciding_row", bind="query-params", width=130)
        button("Next row where answers differ", "next differing row", "arrow_forward", go_on)
    known = facts()
    figure(
        answer_figure(of, at_row(), score(), names()),
        alt=f"Label sets of row {known['row']}. The best answer for {known['score']} is {known['answer']}.",
        key="lesson answer",
    )


def worth() -> None:
    """Draw what the answers for each score reach in each, with the data."""
    choice("Data", (SHAPES, YEAST), key="deciding_data", default=SHAPES)
    known = facts()
    figure(
        reached_figure(answers(data_set())),
        alt=f"Answers for four scores, scored by each: in {known['n_first']} of {known['n_scores']} columns those for "
        "the score itself are best.",
        key="lesson worth of deciding",
        caption="Framed: decided for the score itself. ★: the best of a column. Paler cells are further behind.",
    )


def most() -> Answer:
    """Return for which score answers have the most labels."""
    sizes = {key: found.sum(axis=1).mean() for key, found in answers(data_set()).decided.items()}
    key = max(sizes, key=sizes.__getitem__)
    return Answer(OPTIONS[key], f"They have {sizes[key]:.2f} labels on average on {data_set()}.")


def code() -> str:
    data = "" if data_set() == SHAPES else f"\nanswers = best_answers(packaged({YEAST!r}), ClassifierChain(Logistic()))"
    imported = "simulate_shapes" if data_set() == SHAPES else "packaged, simulate_shapes"
    return f"""from trellislib import ClassifierChain, Logistic
from trellislib.data import {imported}
from trellislib.figures import answer_figure, reached_figure
from trellislib.studies.deciding import best_answers

data = simulate_shapes({N_INSTANCES}, overlap={OVERLAP}, random_state=0)
answers = best_answers(data, ClassifierChain(Logistic()))
answer_figure(answers, {at_row()}, {score()!r}, data.label_names).show()
{data}
reached_figure(answers).show()
print(answers.reached)
"""


def query() -> dict[str, str]:
    return {"decide": MEASURES[score()].in_words}


LESSON = Content(facts, {"row": one_row, "worth": worth}, {"most": most}, code, query)
