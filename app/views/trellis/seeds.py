"""Seeds: how much the first label, drawn at random, decides, and whether a placement pays against random places."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import button, figure, plain, save, working
from components.saving import matrix_files, table_files
from state import derived
from state.assets import ASSETS
from state.call import Call, Script, known, value_of
from state.derived import once
from state.trellis_scores import Bench
from state.tuning import IN_SENTENCES, Shape

from trellislib import ClassifierTrellis, summaries
from trellislib.data import Dataset
from trellislib.figures import seeds_figure, stability_figure
from trellislib.figures.stability import MATRIX_LABELS
from trellislib.graphs import Offset, placement_stability
from trellislib.metrics import Measure
from trellislib.paper import published
from trellislib.running.memory import MemoryBudgetError
from trellislib.running.progress import Cancelled, Progress, about, part_of
from views.trellis import scores, tune
from views.trellis.placed import Placed, View, use_folds

FEWEST, USUAL, MOST = 2, 20, 100  # seeds
SHOWN_PAIRS = 8
AT_ONCE = 1.5  # seconds that scoring all seeds may take without being asked for
IN_ORDER = ("random", "hill climbing", "swaps")  # of the table
PAPER_SETS = {"Music": "emotions", "Scene": "scene"}  # as assets/placements.csv calls them


@derived.call_once
def stability(
    data: Call, width: int, parents: str | list[Offset], criterion: str, n_seeds: int, placement: str
) -> Call:
    """Return what placements of many seeds have in common."""
    dependence = derived.dependence(data, criterion)
    return Call(placement_stability, dependence, width, parents, n_seeds=n_seeds, placement=placement)


@derived.call_once
def stable_pairs(
    data: Call, width: int, parents: str | list[Offset], criterion: str, n_seeds: int, placement: str
) -> Call:
    """Return the pairs that a placement joins."""
    stable = stability(data, width, parents, criterion, n_seeds, placement)
    return stable.pairs(data.label_names, derived.dependence(data, criterion))


def show(placed: Placed) -> View:
    """Show what each seed captures, which pairs they share, and how they score."""
    shape, data = placed.shape, placed.data
    placement = shape.compared(data.n_labels)
    way, by = _name(placement), IN_SENTENCES[placement]
    with st.container(horizontal=True, vertical_alignment="bottom", key="own knobs"):
        n_seeds = st.slider("Seeds", FEWEST, MOST, USUAL, key="n_seeds", bind="query-params", width=220)
        found = _compared(placed, n_seeds)
        if found is not None:
            _offer_best(placed, found[0].value.best)
    script = Script()
    if found is None:
        _scores(placed, n_seeds, script)
        return View(tune.sentence(placed), script)
    stable, random, pairs = found
    best = stable.value.best
    caption = summaries.about_stability(stable.value, random.value, placed.names, placed.unit, by=by)
    title = f"captured dependence ({placed.unit})"
    bound = derived.bound(placed.workspace.call, *shape.lattice)
    captured = {way: stable.captured, "random": random.captured}
    of_seeds = Call(seeds_figure, captured, title, bound=bound, seed=shape.seed)
    order = stable.placed[best].order
    of_pairs = Call(stability_figure, stable.tied, placed.workspace.call.label_names, order)
    script.show(of_seeds, of_pairs)
    left, right = st.columns([5, 4], gap="medium")
    with left:
        figure(
            of_seeds,
            alt=caption,
            key=_key("seeds", shape),
            stem=f"{data.name}-seeds",
            caption="Lines: means. Click a point to use its seed and placement.",
            more={"table": table_files(_captured_table(value_of(captured)))},
            on_click=lambda point: _take(*point),
        )
    with right:
        drawn = f" It shows the labels of the most stable pairs of {data.n_labels:,}." * (data.n_labels > MATRIX_LABELS)
        figure(
            of_pairs,
            alt=caption,
            key="stability",
            stem=f"{data.name}-stability",
            caption=f"How often {by} joins two labels. The order is that of seed {best}.{drawn}",
            more={"matrix": matrix_files(stable.value.together, placed.names)} if placed.is_whole else {},
        )
    left, right = st.columns([5, 4], gap="medium")
    with left:
        _scores(placed, n_seeds, script)
    with right:
        _stable_pairs(placed, pairs.value)
    return View(caption, script)


def _compared(placed: Placed, n_seeds: int) -> tuple[Call, Call, Call] | None:
    """Return the calls that compare the seeds by both ways, and give the pairs that the placement joins.

    Of very many labels, show the button that finds them.
    """
    shape, data = placed.shape, placed.workspace.call
    placement = shape.compared(placed.data.n_labels)
    by_way = [stability(data, *shape.lattice, n_seeds, one) for one in (placement, "random")]
    stable, random = by_way[0].named("placed"), by_way[1].named("random")
    pairs = stable_pairs(data, *shape.lattice, n_seeds, placement)
    if placed.is_whole:
        return stable, random, pairs

    dependence, ways = placed.dependence, [call.prepared() for call in by_way]

    def work(progress: Progress, cancelled: Cancelled) -> list[Any]:
        parts = [
            compare(progress=part_of(progress, number, len(ways)), cancelled=cancelled)
            for number, compare in enumerate(ways)
        ]
        return [*parts, parts[0].pairs(placed.names, dependence)]

    seconds = placed.price(3, n_seeds)  # what is captured, by both ways; what the pairs weigh
    key: Hashable = ("stability", placed.data.digest, str(shape.lattice), n_seeds)
    label = f"Place the labels with {n_seeds} seeds, about {about(seconds)}"
    found = working(placed.workspace, key, label, "shuffle", work)
    if found is None:
        return None
    return stable.given(found[0]), random.given(found[1]), pairs.given(found[2])


def _offer_best(placed: Placed, best: int) -> None:
    shape = placed.shape
    placement = shape.compared(placed.data.n_labels)
    is_taken = (shape.seed, shape.placement) == (best, placement)
    button(
        f"Seed {best} is taken" if is_taken else f"Take seed {best}",
        "take seed",
        "check" if is_taken else "star",
        _take,
        _name(placement),
        best,
        disabled=is_taken,
        help=f"{IN_SENTENCES[placement].capitalize()} captures most with this seed, the lowest of equal ones.",
    )


def _stable_pairs(placed: Placed, pairs: pd.DataFrame) -> None:
    st.header("The most stable pairs", anchor=False)
    if pairs.empty:
        st.caption("No pair is joined.")
        return
    first = pairs.head(SHOWN_PAIRS)
    st.dataframe(
        first.rename(columns={"share": "of the seeds", "dependence": placed.unit}),
        hide_index=True,
        column_config={
            "of the seeds": st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1),
            placed.unit: st.column_config.NumberColumn(format="%.3g"),
        },
    )
    save(f"{placed.data.name}-stable-pairs", table=table_files(pairs))
    if len(first) < len(pairs):
        st.caption(f"The first {len(first)} of {len(pairs):,} pairs that any seed joins. Save has all.")


def _scores(placed: Placed, n_seeds: int, script: Script) -> None:
    st.header("Does the placement pay?", anchor=False)
    bench, measure = derived.bench(placed.data), scores.measures(placed)[0]
    by_way = None
    if bench.n_folds > 1 and placed.data.n_labels > 1:
        shapes = _shapes(_any_seed(placed), n_seeds)
        seconds = bench.seconds(*chain(*shapes.values()))
        if seconds <= AT_ONCE:
            by_way = _scored_at_once(placed, n_seeds)
        else:
            key: Hashable = ("seeds", placed.data.digest, *chain(*shapes.values()))
            label = f"Score both with {n_seeds} seeds, about {about(seconds)}"
            by_way = working(placed.workspace, key, label, "balance", partial(_score, bench, shapes))
    if by_way:
        _scores_figure(placed, by_way, measure, n_seeds, script)
    _compared_with_paper(placed, by_way, measure)


def _any_seed(placed: Placed) -> Shape:
    return replace(placed.shape.unswapped, placement=placed.shape.compared(placed.data.n_labels), seed=0)


def _shapes(shape: Shape, n_seeds: int) -> dict[str, list[Shape]]:
    return {
        _name(placement): [replace(shape, placement=placement, seed=seed) for seed in range(n_seeds)]
        for placement in (shape.placement, "random")
    }


def _name(placement: str) -> str:
    """Return a placement as figures and tables name it."""
    return placement.replace("-", " ")


def _scored_at_once(placed: Placed, n_seeds: int) -> Mapping[str, pd.DataFrame] | None:
    try:
        with st.spinner("Scoring both…"):
            return _scored(placed.data, _any_seed(placed), n_seeds)
    except MemoryBudgetError as error:
        st.caption(plain(str(error)))
        return None


@once
def _scored(data: Dataset, shape: Shape, n_seeds: int) -> dict[str, pd.DataFrame]:
    return _score(derived.bench(data), _shapes(shape, n_seeds))


def _score(
    bench: Bench,
    shapes: Mapping[str, Sequence[Shape]],
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> dict[str, pd.DataFrame]:
    """Return, for each way of placing, a row per seed: the scores' means over the folds."""
    total = sum(map(len, shapes.values()))
    means: dict[str, list[pd.Series]] = {way: [] for way in shapes}
    for way, of_way in shapes.items():
        for shape in of_way:
            if progress is not None:
                progress(sum(map(len, means.values())), total, f"{way}, seed {shape.seed}")
            means[way].append(bench.scores(shape, cancelled=cancelled)["CT"].mean())
    return {way: pd.DataFrame(of_way) for way, of_way in means.items()}


def _scores_figure(
    placed: Placed, by_way: Mapping[str, pd.DataFrame], measure: Measure, n_seeds: int, script: Script
) -> None:
    shape = _any_seed(placed)
    ways = {_name(placement): placement for placement in (shape.placement, "random")}
    values = {way: of_way[measure.key].tolist() for way, of_way in by_way.items()}
    by_placement, at_random = values.values()
    chart = Call(seeds_figure, known("scores", values), measure.name, seed=placed.shape.seed, number=".3f")
    figure(
        chart,
        key=_key("seed scores", placed.shape),
        stem=f"{placed.data.name}-seed-scores",
        caption=summaries.about_seed_scores(by_placement, at_random, measure, by=IN_SENTENCES[shape.placement]),
        more={"table": table_files(pd.concat(by_way, names=["placement", "seed"]).reset_index())},
        on_click=lambda point: _take(*point),
    )
    knobs = {"placement": known("placement", None), "random_state": known("seed", None)}
    arguments = shape.arguments | knobs | shape.deciding
    use_folds(placed, script)
    script.add(
        f"""scores = {{}}
for way, placement in {ways!r}.items():
    methods = [{script.text(Call(ClassifierTrellis, **arguments))} for seed in range({n_seeds})]
    scores[way] = [cv.scores(method, measures)[{measure.key!r}].mean() for method in methods]"""
    ).show(chart)


def _compared_with_paper(placed: Placed, by_way: Mapping[str, pd.DataFrame] | None, measure: Measure) -> None:
    """Show the paper's table of random placement against hill climbing, what was measured since, and what is here."""
    rows = [*_paper_rows()]
    if by_way:
        means = {way: (of_way[measure.key].mean(), of_way[measure.key].std()) for way, of_way in by_way.items()}
        rows.insert(0, (f"{placed.data.name}, here", measure.name, means))
    table = pd.DataFrame(
        [
            {"Data": name, "Score": score} | {way: f"{mean:.3f} ± {spread:.3f}" for way, (mean, spread) in of.items()}
            for name, score, of in rows
        ]
    )
    ways = [way for way in IN_ORDER if way in table]
    table = table[["Data", "Score", *ways]].fillna("")
    st.table(table.map(plain), hide_index=True, border="horizontal")
    save(f"{placed.data.name}-hill-climbing", table=table_files(table))
    st.caption(
        "The paper: accuracy of CT with SVMs in 10 x 10 folds, ± over folds. Measured: least squares in 5 folds, ± "
        "over 5 seeds. Here: least squares, ± over the seeds above. Music is Mulan's emotions."
    )


@st.cache_data
def _paper_rows() -> list[tuple[str, str, dict[str, tuple[float, float]]]]:
    measured = pd.read_csv(ASSETS / "placements.csv")
    measured = measured[(measured["learner"] == "least squares") & (measured["measure"] == "accuracy")]
    printed = published("placement").set_index(["dataset", "method"])
    rows = []
    for name, ours in PAPER_SETS.items():
        of = printed.loc[name]
        by_way = {"hill climbing": of.loc["CT-HC"], "random": of.loc["CT-random"]}
        paper = {way: (row["mean"], row["spread"]) for way, row in by_way.items()}
        by_method = measured[measured["data"] == ours].set_index("method")[["score", "score sd"]]
        here = {"hill climbing": tuple(by_method.loc["MI"]), "random": tuple(by_method.loc["random"])}
        rows += [(f"{name}, the paper", "accuracy", paper), (f"{name}, measured", "accuracy", here)]
    return rows


def _captured_table(captured: Mapping[str, np.ndarray]) -> pd.DataFrame:
    return pd.DataFrame({"seed": np.arange(len(captured["random"])), **captured})


def _take(way: str, seed: int) -> None:
    st.session_state["placement"], st.session_state["seed"] = way.replace(" ", "-"), seed


def _key(chart: str, shape: Shape) -> str:
    """Return the key of a chart, another one for each selection: else a second click on the same point does nothing."""
    return f"{chart} {shape.placement} {shape.seed}"
