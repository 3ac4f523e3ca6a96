"""Methods ranked over data sets, as several pages show it: how to rank, what the tests say, diagrams and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd
import streamlit as st
from state.call import Call, Script
from streamlit.delta_generator import DeltaGenerator

from components.pairs import dataset_pairs
from components.parts import figure, plain, scrolled
from components.saving import save, table_files
from trellislib.figures import comparison_matrix, differences_figure, drawing_figure, rank_bars, rank_diagram
from trellislib.figures.drawing import Drawing
from trellislib.ranking import (
    BayesianSignedRank,
    FriedmanTest,
    Nemenyi,
    PairwiseTests,
    bayesian_signed_rank,
    friedman,
    nemenyi,
    ranks,
    wilcoxon_holm,
)
from trellislib.ranking.verdict import about_pair, about_ranking
from trellislib.score_tables.report import Cell, as_csv, as_latex, as_markdown, table_cells
from trellislib.summaries import about_average_ranks
from trellislib.wording import listed, p_value

Unfinished = Literal["drop", "last", "refuse"]
Ties = Literal["average", "competition"]
TESTS: dict[str, Callable[..., Nemenyi | PairwiseTests]] = {"Nemenyi": nemenyi, "Wilcoxon with Holm": wilcoxon_holm}
UNFINISHED: dict[Unfinished, str] = {"drop": "left out", "last": "ranked last", "refuse": "refused"}
TIES: dict[Ties, str] = {"average": "average ranks (1.5, 1.5, 3)", "competition": "competition ranks (1, 1, 3)"}
CLIQUES_WIDTH, BARS_WIDTH = 480, 320  # as wide as their columns
MOST_LEFT_OUT = 12
NOTHING_COMPLETE = "No data set was finished by all of these methods, so their ranks cannot be compared."
FEWEST_DATASETS = 5  # below, the Bayesian test is surer than it can be


@dataclass(frozen=True)
class Rules:
    """How methods are ranked and compared."""

    higher_is_better: bool
    test: str
    alpha: float
    unfinished: Unfinished = "drop"
    ties: Ties = "average"


@dataclass(frozen=True, eq=False)
class Ranking:
    """Methods ranked by a score, with the results of the tests; or the problem for which there are none."""

    call: Call  # which gives the scores
    ranks: pd.DataFrame
    rules: Rules
    name: str
    friedman: FriedmanTest | None = None
    comparison: Nemenyi | PairwiseTests | None = None
    problem: str = ""

    @classmethod
    def of(cls, call: Call, name: str, rules: Rules) -> Ranking:
        """Rank methods by a score of this name, which a call gives."""
        scores = call.value
        shown = _ranks_to_show(scores, rules)
        try:
            compare = TESTS[rules.test]
            comparison = compare(scores, rules.higher_is_better, alpha=rules.alpha, unfinished=rules.unfinished)
            overall = (
                friedman(scores, rules.higher_is_better, unfinished=rules.unfinished) if len(shown.T) > 2 else None
            )
        except ValueError as error:
            return cls(call, shown, rules, name, problem=str(error))
        return cls(call, shown, rules, name, overall, comparison)

    @property
    def scores(self) -> pd.DataFrame:
        return self.call.value

    @property
    def verdict(self) -> str:
        """What the tests say, in plain words; without one, who is ranked best."""
        if self.comparison is not None:
            return about_ranking(self.comparison, self.name, self.friedman)
        average = self.ranks.mean()
        if average.notna().sum() < 2:
            return f"{NOTHING_COMPLETE} {self.problem}" if self.scores.shape[1] > 1 else self.problem
        best = average[average == average.min()].index
        also = f"{' and '.join(best[:3])} {'has' if len(best) == 1 else 'have'} the best average rank in {self.name}"
        return f"{also} ({average.min():.2f}), but no test can confirm it. {self.problem}"

    @property
    def tests(self) -> Call:
        """The call that compares the methods, where that can be done."""
        rules = self.rules
        tests = Call(
            TESTS[rules.test], self.call, rules.higher_is_better, alpha=rules.alpha, unfinished=rules.unfinished
        )
        return tests.named("found").given(self.comparison)

    @property
    def average_ranks(self) -> Call:
        """The call that gives the average ranks, those of the tests where there are any."""
        if self.comparison is not None:
            return self.tests.average_ranks
        scores, given = self.call.dropna(), {}
        if self.rules.unfinished == "last" or self.rules.ties == "competition":
            unfinished = "last" if self.rules.unfinished == "last" else "skip"
            scores, given = self.call, {"ties": self.rules.ties, "unfinished": unfinished}
        return (
            Call(ranks, scores, self.rules.higher_is_better, **given).mean().named("average").given(self.ranks.mean())
        )


def _ranks_to_show(scores: pd.DataFrame, rules: Rules) -> pd.DataFrame:
    """Return ranks on the data sets that the tests take; as the paper prints them, on all, among those that finished.

    So the averages below a table are those of the tests.
    """
    if rules.unfinished == "last" or rules.ties == "competition":
        return ranks(
            scores, rules.higher_is_better, ties=rules.ties, unfinished="last" if rules.unfinished == "last" else "skip"
        )
    complete = scores.dropna()
    if complete.empty:
        return scores * float("nan")
    return ranks(complete, rules.higher_is_better).reindex(scores.index)


def rules(key: str, higher_is_better: bool, scores: pd.DataFrame, place: DeltaGenerator, more: DeltaGenerator) -> Rules:
    """Ask how to rank and compare methods by `scores`: the test and its level at `place`, the rest among `more`."""
    is_pair = scores.shape[1] <= 2
    test = place.selectbox(
        "Test",
        [name for name in TESTS if not is_pair or name != "Nemenyi"],
        key=f"{key}_test_of_two" if is_pair else f"{key}_test",
        bind="query-params",
        width=185,
        help="Nemenyi's test compares the average ranks of three or more methods with a critical distance. Wilcoxon's "
        "test with Holm's correction compares the differences of each pair. It has more power where data sets are few "
        "differences comparable.",
    )
    alpha = place.slider(
        "Level alpha",
        0.01,
        0.30,
        0.10,
        0.01,
        key=f"{key}_alpha",
        bind="query-params",
        width=150,
        help="Accepted probability of calling any pair different although none is. The paper uses 0.10.",
    )
    unfinished: Unfinished = "drop"
    if scores.isna().any(axis=None):
        unfinished = more.selectbox(
            "Data sets that a method did not finish",
            UNFINISHED,
            format_func=UNFINISHED.__getitem__,
            key=f"{key}_unfinished",
            bind="query-params",
            width=260,
            help="Leave these data sets out of the tests, rank the method last there, or refuse the test.",
        )
    ties = more.selectbox(
        "Ties in the table",
        TIES,
        format_func=TIES.__getitem__,
        key=f"{key}_ties",
        bind="query-params",
        width=250,
        help="The tests always take average ranks; the paper's tables print competition ranks.",
    )
    return Rules(higher_is_better, test, alpha, unfinished, ties)


def diagrams(ranking: Ranking, key: str, script: Script) -> None:
    """Show who differs from whom, in Demsar's form and in the paper's, with files to take away; write their Python."""
    found = ranking.comparison
    if found is None:
        return
    tests = ranking.tests
    distance = tests.critical_distance if isinstance(found, Nemenyi) else None
    diagram = Call(rank_diagram, tests.average_ranks, distance, tests.groups, width=CLIQUES_WIDTH).named("diagram")
    script.show(Call(drawing_figure, diagram))
    cliques = diagram.value
    is_wide = cliques.width > CLIQUES_WIDTH  # many methods, or long names
    left, right = (st.container(), st.container()) if is_wide else st.columns([3, 2], gap="medium")
    with left:
        st.header("Who differs from whom", anchor=False)
        caption = about_average_ranks(found.average_ranks, len(found.groups))
        tables = {"pairs": table_files(found.pairs), "p_values": table_files(found.p_values, index=True)}
        show_drawing(cliques, f"cliques {key}", f"{ranking.name}-cliques", caption=caption, more=tables)
    if isinstance(found, Nemenyi):
        with right:
            st.header("As in the paper", anchor=False)
            bars = Call(rank_bars, tests.average_ranks, tests.critical_distance, width=BARS_WIDTH).named("bars")
            script.show(Call(drawing_figure, bars))
            length = f"{found.critical_distance:.2f}"
            caption = f"Each bar starts at the average rank and is Nemenyi's critical distance long ({length})."
            show_drawing(bars.value, f"bars {key}", f"{ranking.name}-bars", caption=caption)
    if len(found.average_ranks) > 2 and st.toggle(
        "Every pair in a matrix", key=f"{key}_matrix", bind="query-params", help="A multi-comparison matrix."
    ):
        matrix = Call(comparison_matrix, tests).named("matrix")
        script.show(Call(drawing_figure, matrix))
        caption = f"Mean differences in {ranking.name} of each pair of methods."
        show_drawing(matrix.value, f"matrix {key}", f"{ranking.name}-matrix", caption=caption)
    if found.left_out:
        st.caption(plain(f"Left out because a method did not finish there: {listed(found.left_out, MOST_LEFT_OUT)}."))
    overall = ranking.friedman
    of_both = [note for note in found.notes if overall is None or note in overall.notes]
    for note in of_both:
        st.caption(plain(note))
    script.print(tests.pairs)
    with st.expander("The tests in numbers", icon=":material/calculate:"):
        st.markdown(plain(_statistics(ranking)))
        for note in dict.fromkeys([*(overall.notes if overall else ()), *found.notes]):
            if note not in of_both:
                st.caption(plain(note))
        dataset_pairs(found, key)


def show_drawing(drawing: Drawing, key: str, stem: str, **more: Any) -> None:
    """Show a drawing in its own size, in a box that scrolls where that is too wide, with its files."""
    with scrolled(key, int(drawing.width)):
        figure(drawing, key=key, width="content", stem=stem, **more)


def slug(text: str) -> str:
    """Return a text as part of a name in an address: letters, digits and hyphens."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")


def _statistics(ranking: Ranking) -> str:
    found, overall = ranking.comparison, ranking.friedman
    assert found is not None
    size = f"{len(found.average_ranks)} methods on {found.n_datasets} data sets"
    parts = []
    if overall is not None:
        parts.append(f"Friedman {overall.statistic:.2f}, p = {p_value(overall.p_value)} by chi-square")
        parts.append(f"Iman-Davenport {overall.iman_davenport:.2f}, p = {p_value(overall.iman_davenport_p)}")
        if overall.exact_p is not None:
            parts.append(f"exact p = {p_value(overall.exact_p)}")
    if isinstance(found, Nemenyi):
        parts.append(f"critical distance {found.critical_distance:.3f} at {found.alpha:.2f}")
    return f"{size}: {'; '.join(parts)}." if parts else f"{size}."


def scores_by_rank(ranking: Ranking, *, digits: int = 3, spreads: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the scores as Markdown with their ranks, the best bold, and the average ranks below."""
    rows = {
        plain(str(name)): [_marked(cell, digits) for cell in row]
        for name, row in zip(ranking.scores.index, table_cells(ranking.scores, ranking.ranks, spreads), strict=True)
    }
    rows["Average rank"] = [f"{average:.2f}" if pd.notna(average) else "none" for average in ranking.ranks.mean()]
    columns = [plain(str(method)) for method in ranking.scores.columns]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("Data set")


def _marked(cell: Cell, digits: int) -> str:
    text = plain(cell.text(digits, "±", "{}"))
    if not cell.is_best:
        return text
    number, _, rest = text.partition(" ")
    return f"**{number}** {rest} ★"


def table(
    ranking: Ranking, key: str, *, digits: int = 3, spreads: pd.DataFrame | None = None, reasons: Mapping | None = None
) -> None:
    """Show the table of scores with ranks, why some are missing, and the files of it."""
    st.table(scores_by_rank(ranking, digits=digits, spreads=spreads), border="horizontal")
    arrow = "higher" if ranking.rules.higher_is_better else "lower"
    st.caption(
        f"{ranking.name[:1].upper()}{ranking.name[1:]} ({arrow} is better) and the rank of each method in its row. "
        "★ marks the best. DNF: did not finish"
        + (" or was not run. Such rows have no ranks." if ranking.ranks.isna().all(axis=1).any() else ".")
    )
    if reasons:
        with st.expander(f"Why some did not finish ({len(reasons)})", icon=":material/info:"):
            for (dataset, method), reason in reasons.items():
                st.markdown(plain(f"{method} on {dataset}: {reason}"))
    caption = f"{ranking.name[:1].upper()}{ranking.name[1:]}, {arrow} is better. The rank is in brackets."
    given: dict[str, Any] = {"spreads": spreads, "digits": digits}
    files = {
        "tex": lambda: as_latex(ranking.scores, ranking.ranks, caption=caption, **given),
        "md": lambda: as_markdown(ranking.scores, ranking.ranks, **given),
        "csv": lambda: as_csv(ranking.scores, ranking.ranks, spreads=spreads),
    }
    save(f"{ranking.name}-{key}", table=files)


def two_methods(
    ranking: Ranking, key: str, script: Script, spread_of: Callable[[str, str], Call] | None = None
) -> None:
    """Show two methods data set by data set: who is ahead where, and how probable it is that this goes on.

    `spread_of` returns the call that gives the spread of their difference on each data set, where it is known.
    """
    scores, higher = ranking.scores, ranking.rules.higher_is_better
    order = list(ranking.ranks.mean().sort_values(kind="stable").index)
    if len(order) < 2:
        return
    st.header("Two methods, data set by data set", anchor=False)
    first = {f"{key}_one": order[0], f"{key}_other": order[-1]}  # the best and the worst, until others are chosen
    before = st.session_state.get(f"{key} first", first)
    st.session_state[f"{key} first"] = first
    for which, method in first.items():
        if st.session_state.get(which) == before[which] != method:
            st.session_state[which] = method
    with st.container(horizontal=True, vertical_alignment="bottom"):
        one = st.selectbox("Method", order, key=f"{key}_one", bind="query-params", width=150)
        others = [method for method in reversed(order) if method != one]
        other = st.selectbox("Against", others, key=f"{key}_other", bind="query-params", width=150)
        rope = st.number_input(
            "Equal within",
            0.0,
            value=0.01 if scores.max(axis=None) <= 1 else 0.0,
            step=0.005,
            format="%.3f",
            key=f"{key}_rope-{slug(ranking.name)}",
            bind="query-params",
            width=150,
            help="The largest difference that does not matter in practice, in units of the score.",
        )
    sentence = about_pair(scores[one] - scores[other], one, other, ranking.name, higher)
    st.markdown(plain(sentence))
    spread = {} if spread_of is None else {"spread": spread_of(one, other)}
    chart = Call(differences_figure, ranking.call, one, other, ranking.name, higher, **spread)
    script.show(chart)
    stem = f"{ranking.name}-{one}-{other}"
    figure(
        chart, alt=sentence, key=f"pair {key}", stem=stem, more={"table": table_files(scores[[one, other]], index=True)}
    )
    if scores[[one, other]].dropna().shape[0] < FEWEST_DATASETS:
        return
    try:
        found = _signed_ranks(scores[[one, other]], higher, rope)
    except (ValueError, ImportError) as error:
        if str(error) not in ranking.problem:
            st.caption(plain(str(error)))
        return
    st.caption(
        plain(
            f"{one} is better on a further data set with probability {found.p_one:.2f}, {other} with "
            f"{found.p_other:.2f}, and they are practically equal with {found.p_equivalent:.2f} (Bayesian signed-rank "
            "test)."
        )
    )
    shown_before = ranking.comparison.notes if ranking.comparison else ()
    for note in found.notes:
        if note not in shown_before:
            st.caption(plain(note))


@st.cache_data(max_entries=64, show_spinner=False)  # its samples take a third of a second
def _signed_ranks(pair: pd.DataFrame, higher_is_better: bool, rope: float) -> BayesianSignedRank:
    return bayesian_signed_rank(pair, pair.columns[0], pair.columns[1], higher_is_better, rope=rope)
