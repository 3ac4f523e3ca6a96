"""Lesson 6: is it really better; ranks, critical distance and price, in the paper and on simulated data sets."""

from __future__ import annotations

from math import comb

import pandas as pd
import streamlit as st
from components.parts import asking, choice, figure
from components.ranking_tables import show_drawing

from trellislib import (
    ClassifierChain,
    ClassifierTrellis,
    EnsembleClassifierChains,
    IndependentClassifiers,
    LabelPowerset,
)
from trellislib.figures import critical_distance_figure, rank_diagram, score_time_figure
from trellislib.graphs import random_trellis
from trellislib.metrics import MEASURES
from trellislib.paper import rank_table, score_table, seconds_table
from trellislib.ranking import (
    FriedmanTest,
    Nemenyi,
    about_ranking,
    critical_distance,
    datasets_needed,
    friedman,
    geometric_means,
    nemenyi,
)
from trellislib.studies.simulated_comparison import simulated_comparison
from trellislib.summaries import about_average_ranks, about_front
from trellislib.wording import agreed, counted, percent, ratio_of
from views.lessons.knobs import knob, two_different, two_knobs
from views.lessons.text import Answer, Content

ALPHA = 0.1
SCORES = ("accuracy", "exact_match", "hamming_score")
OURS, BASELINE = "CT", "IC"  # of the paper
METHODS = {
    "IC": IndependentClassifiers(),
    "CC": ClassifierChain(),
    "ECC": EnsembleClassifierChains(random_state=0),
    "CT": ClassifierTrellis(random_state=0),
    "LP": LabelPowerset(),
}
PAIR = ("CC", "IC")  # of these
POOL, FEWEST, DEFAULT, DRAWS = 40, 4, 8, 100
N_LABELS = 6
WIDTH = 350  # of a diagram, which fits a phone
PRINTED, MEASURED = "In the paper", "Measured here"
TIME_NAME = "geometric mean of training and test time"

measure = knob("verdict_score", SCORES[0])  # by which the paper's methods are ranked
n_datasets = knob("verdict_sets", DEFAULT)  # that are simulated
draw = knob("verdict_draw", 1)  # of them
times = knob("verdict_times", PRINTED)  # whose they are
pair = two_knobs("verdict_method", PAIR)  # the two methods whose gap is looked at

ask = asking(verdict_draw=f"Draws the data sets from {POOL}. All of them need no draw.")


@st.cache_data(max_entries=3, show_spinner=False)
def published(key: str) -> tuple[Nemenyi, FriedmanTest]:
    """Return the tests of the paper's scores."""
    scores = score_table(key)
    return nemenyi(scores, alpha=ALPHA), friedman(scores)


@st.cache_data(max_entries=1, show_spinner=f"Training {len(METHODS)} methods on {POOL} data sets")
def pool() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the scores and seconds of the methods on all simulated data sets."""
    return simulated_comparison(METHODS, POOL, n_labels=N_LABELS)


@st.cache_data(max_entries=200, show_spinner=False)
def ranked(n: int, number: int) -> tuple[Nemenyi, str]:
    """Return the test of the first data sets of a draw, and its verdict in words."""
    scores = drawn(pool()[0], n, number)
    found = nemenyi(scores, alpha=ALPHA)
    return found, about_ranking(found, MEASURES["exact_match"].in_words, friedman(scores))


def drawn(table: pd.DataFrame, n: int, number: int) -> pd.DataFrame:
    """Return the first rows of a draw; more of them begin with the same."""
    return table.sample(frac=1, random_state=number).head(n)


def priced() -> tuple[pd.Series, pd.Series]:
    """Return the average ranks and the times that are set against each other."""
    if times() == PRINTED:
        return published(measure())[0].average_ranks, geometric_means(seconds_table())
    found, _ = ranked(n_datasets(), draw())
    return found.average_ranks, geometric_means(pool()[1])


def rank_name() -> str:
    """Return what the average ranks that are set against times are called."""
    return f"average rank in {MEASURES[measure() if times() == PRINTED else 'exact_match'].in_words}"


def cost_of_best() -> str:
    """Say what the best rank costs."""
    ranks, seconds = priced()
    best, fastest = ranks.idxmin(), seconds.idxmin()
    if best == fastest:
        return f"{best} has the best average rank and is also the fastest"
    return (
        f"{best} has the best average rank, {ranks[fastest] - ranks[best]:.2f} places ahead of {fastest}. {fastest} is "
        f"the fastest, and {best} takes {ratio_of(seconds[best] / seconds[fastest])} as long"
    )


def facts() -> dict[str, str]:
    """Return the ranks, distances and times that the text is filled with."""
    found, overall = published(measure())
    n_methods = len(found.average_ranks)
    ours, _ = ranked(n_datasets(), draw())
    of_all, _ = ranked(POOL, draw())
    means = drawn(pool()[0], n_datasets(), draw()).mean()
    seconds = geometric_means(pool()[1])
    one, other = pair()
    n_different, n_pairs = len(ours.better_pairs), comb(len(METHODS), 2)
    return {
        "measure": MEASURES[measure()].in_words,
        "k": str(n_methods),
        "n_all": str(found.n_datasets + len(found.left_out)),
        "n_finished": str(found.n_datasets),
        "ct": OURS,
        "ic": BASELINE,
        "ct_rank": f"{found.average_ranks[OURS]:.2f}",
        "ic_rank": f"{found.average_ranks[BASELINE]:.2f}",
        "ct_printed": f"{rank_table(measure())[1][OURS]:.2f}",
        "friedman": overall.best_p_words,
        "finds": "some methods differ" if overall.best_p_value <= ALPHA else "no difference is found",
        "alpha": f"{ALPHA:.2f}",
        "paper_cd": f"{found.critical_distance:.3f}",
        "paper_cd_more": f"{critical_distance(n_methods, 4 * found.n_datasets, ALPHA):.3f}",
        "q": str(len(METHODS)),
        "pool": str(POOL),
        "n": str(n_datasets()),
        "different": f"{counted(n_different, 'pair')} of {n_pairs} {agreed(n_different, 'shows', 'show')}",
        "different_on_all": f", and {len(of_all.better_pairs)} on all {POOL}" if n_datasets() < POOL else "",
        "one": one,
        "other": other,
        "gap": f"{abs(ours.lead(one, other)):.3f}",
        "cd": f"{ours.critical_distance:.3f}",
        "one_mean": percent(means[one], 1),
        "other_mean": percent(means[other], 1),
        "n_timed": str(len(seconds_table())),
        "cost_of_best": cost_of_best(),
        "l": str(N_LABELS),
        "chain_edges": str(comb(N_LABELS, 2)),
        "trellis_edges": str(len(random_trellis(N_LABELS, random_state=0).edges)),
        "chain_time": ratio_of(seconds["CC"] / seconds[OURS]),
        "chain_rank": f"{ours.average_ranks['CC']:.2f}",
        "trellis_rank": f"{ours.average_ranks[OURS]:.2f}",
    }


def knobs() -> None:
    """Ask by which score the paper's methods are ranked, and how many data sets are simulated, and which."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ask(
            st.selectbox,
            "Score of the paper",
            "verdict_score",
            SCORES,
            format_func=lambda key: MEASURES[key].in_words,
            width=200,
        )
        n = ask(st.slider, "Simulated data sets", "verdict_sets", FEWEST, POOL, DEFAULT, width=240)
        ask(st.number_input, "Draw", "verdict_draw", 1, DRAWS, 1, width=140, disabled=n == POOL)


def paper() -> None:
    """Draw the paper's average ranks, by the score that is chosen."""
    found, overall = published(measure())
    show_drawing(
        rank_diagram(found.average_ranks, found.critical_distance, found.groups, width=WIDTH),
        "lesson paper ranks",
        f"paper-{measure()}-ranks",
        alt=about_ranking(found, MEASURES[measure()].in_words, overall),
        caption=about_average_ranks(found.average_ranks, len(found.groups)),
    )


def redraw() -> None:
    """Draw the average ranks on simulated data sets."""
    found, verdict = ranked(n_datasets(), draw())
    show_drawing(
        rank_diagram(found.average_ranks, found.critical_distance, found.groups, width=WIDTH),
        "lesson drawn ranks",
        "simulated-ranks",
        caption=verdict,
    )


def distance() -> None:
    """Draw how the critical distance shrinks, next to the gap between two methods that are chosen."""
    two_different(("One method", "Other method"), list(METHODS), PAIR, "verdict_method", width=160)
    found, _ = ranked(n_datasets(), draw())
    gap = abs(found.lead(*pair()))
    name = f"gap of {' and '.join(pair())}"
    figure(
        critical_distance_figure(len(METHODS), gap, name, n_datasets(), 4 * n_datasets(), ALPHA),
        alt=f"Critical distance on {n_datasets()} data sets: {found.critical_distance:.3f}. The {name}: {gap:.3f}.",
        key="lesson critical distance",
    )


def price() -> None:
    """Draw average ranks against times, the paper's or those measured here."""
    choice("Times", (PRINTED, MEASURED), key="verdict_times", default=PRINTED)
    ranks, seconds = priced()
    caption = about_front(ranks, seconds, higher_is_better=False)
    figure(
        score_time_figure(ranks, seconds, rank_name(), False, time_name=TIME_NAME),
        alt=f"{cost_of_best()}. {caption}",
        key="lesson price",
        caption=caption,
    )


def better() -> Answer:
    """Return whether the diagram of the paper's scores has its method differ from independent classifiers."""
    found, _ = published(measure())
    apart = abs(found.lead(OURS, BASELINE))
    if not found.differs(OURS, BASELINE):
        right, than = "The difference is not significant", "less than"
    else:
        first = OURS if found.lead(OURS, BASELINE) > 0 else BASELINE
        right, than = f"{first} is better", "at least"
    return Answer(
        right,
        f"Their average ranks, {found.average_ranks[OURS]:.2f} and {found.average_ranks[BASELINE]:.2f}, are "
        f"{apart:.2f} apart, which is {than} the critical distance of {found.critical_distance:.3f}.",
    )


def needed() -> Answer:
    """Return how many data sets the gap between two methods would need."""
    found, _ = ranked(n_datasets(), draw())
    gap = abs(found.lead(*pair()))
    if gap == 0:
        return Answer("More than four times as many", "There is no gap, so no number of data sets can show one.")
    n, least = found.n_datasets, datasets_needed(gap, len(METHODS), ALPHA)
    there = critical_distance(len(METHODS), least, ALPHA)
    if least <= n:
        right = f"No more than these {n}"
    elif least <= 2 * n:
        right = "More, but at most twice as many"
    elif least <= 4 * n:
        right = "More than twice, but at most four times as many"
    else:
        right = "More than four times as many"
    return Answer(
        right,
        f"The critical distance is {found.critical_distance:.3f} on {n} data sets and shrinks with the square root of "
        f"their number. It is {there:.3f} on {counted(least, 'data set')}, not above the gap of {gap:.3f}.",
    )


def code() -> str:
    one, other = pair()
    if times() == PRINTED:
        rows = """seconds = seconds_table()
ranks = paper.average_ranks"""
    else:
        rows = """# Measured again, so that the times are not quite those of the page.
ranks = found.average_ranks"""
    return f"""from trellislib import (
    ClassifierChain,
    ClassifierTrellis,
    EnsembleClassifierChains,
    IndependentClassifiers,
    LabelPowerset,
)
from trellislib.figures import critical_distance_figure, drawing_figure, rank_diagram, score_time_figure
from trellislib.paper import score_table, seconds_table
from trellislib.ranking import datasets_needed, friedman, geometric_means, nemenyi
from trellislib.studies.simulated_comparison import simulated_comparison

scores = score_table({measure()!r})
paper = nemenyi(scores, alpha={ALPHA})
print(friedman(scores).best_p_words, paper.critical_distance, paper.better_pairs)
diagram = rank_diagram(paper.average_ranks, paper.critical_distance, paper.groups, width={WIDTH})
drawing_figure(diagram).show()

methods = {METHODS!r}
scores, seconds = simulated_comparison(methods, {POOL}, n_labels={N_LABELS})
drawn = scores.sample(frac=1, random_state={draw()}).head({n_datasets()})
found = nemenyi(drawn, alpha={ALPHA})
diagram = rank_diagram(found.average_ranks, found.critical_distance, found.groups, width={WIDTH})
drawing_figure(diagram).show()

gap = abs(found.lead({one!r}, {other!r}))
name = "gap of {one} and {other}"
critical_distance_figure(len(methods), gap, name, {n_datasets()}, {4 * n_datasets()}, {ALPHA}).show()
if gap > 0:
    print(datasets_needed(gap, len(methods), {ALPHA}), "data sets")

{rows}
times = geometric_means(seconds)
score_time_figure(ranks, times, {rank_name()!r}, False, time_name={TIME_NAME!r}).show()
"""


LESSON = Content(
    facts,
    {"paper": paper, "redraw": redraw, "distance": distance, "price": price},
    {"better": better, "needed": needed},
    code,
    knobs=knobs,
)
