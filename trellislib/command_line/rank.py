"""``trellislib rank``: the ranks of a score table, and whether methods differ."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from trellislib.ranking import (
    Nemenyi,
    PairwiseTests,
    about_ranking,
    friedman,
    nemenyi,
    ranks,
    wilcoxon_holm,
)
from trellislib.score_tables import ScoreFile, as_text, likely_higher_is_better, read_scores
from trellislib.summaries import about_fold_tests, pairs_table

TESTS: dict[str, Callable[..., Nemenyi | PairwiseTests]] = {"nemenyi": nemenyi, "wilcoxon": wilcoxon_holm}
Format = Literal["svg", "pdf", "png", "tikz"]
DIAGRAMS: dict[str, Format] = {
    ".svg": "svg",
    ".pdf": "pdf",
    ".png": "png",
    ".tex": "tikz",
}

MOST_PAIRS = 15  # that are printed
UNNAMED = "score"  # the measure of a table whose file does not name it


def rank_file(options: argparse.Namespace) -> int:
    """Print the ranks, the tests and their summary, and draw the diagram where it is asked for."""
    for path in (options.diagram, options.matrix):
        if path and path.suffix not in DIAGRAMS:
            raise ValueError(f"{path}: expected a name in {', '.join(DIAGRAMS)}.")
    file = read_scores(options.file, folds={"yes": True, "no": False}.get(options.folds or ""))
    measure = options.score or file.measures[0]
    scores = file.table(measure)
    higher, why = options.higher, ""
    if higher is None:
        guess = None if measure == UNNAMED else likely_higher_is_better(measure)
        higher, why = guess is not False, " (by its name)" if guess is not None else " (by default)"
    if measure in file.folds and len(file.folds[measure]) > 1:
        return _print_folds(file, measure, higher, options)
    test = options.test or ("wilcoxon" if scores.shape[1] == 2 else "nemenyi")
    if test == "nemenyi" and scores.shape[1] == 2:
        raise ValueError(
            f"{options.file}: there are only two methods ({', '.join(scores.columns)}), and Nemenyi's test is for "
            "three or more; leave --test out, or give --test wilcoxon."
        )
    rule = {"unfinished": options.unfinished}
    ranked = ranks(scores, higher, **rule)
    overall = friedman(scores, higher, **rule) if scores.shape[1] > 2 else None
    pairs = TESTS[test](scores, higher, alpha=options.alpha, **rule)

    print(f"{measure}, {'higher' if higher else 'lower'} is better{why}")
    print(as_text(scores, ranked))
    if overall is not None:
        print(f"Friedman: {overall.statistic:.3f}, {overall.best_p_words} ({overall.p_value:.3g} by chi-square)")
    distance = getattr(pairs, "critical_distance", None)
    if distance is not None:
        print(f"Nemenyi: critical distance {distance:.3f} at {options.alpha:g}, {pairs.n_datasets} data sets")
    if test == "wilcoxon":
        why = "" if options.test else ", since there are two methods"
        print(f"Wilcoxon: signed-rank test of each pair at {options.alpha:g}, {pairs.n_datasets} data sets{why}")
    _print_pairs(pairs, options.pairs)
    for group in pairs.groups:
        print(f"No significant difference: {', '.join(group)}")
    print(about_ranking(pairs, measure, overall))
    left_out = [f"Left out, since a method did not finish: {', '.join(pairs.left_out)}."] if pairs.left_out else []
    for note in dict.fromkeys((*file.notes, *left_out, *(overall.notes if overall else ()), *pairs.notes)):
        print(f"- {note}")
    if options.diagram:
        _draw("rank_diagram", options.diagram, pairs.average_ranks, distance, pairs.groups)
    if options.matrix:
        _draw("comparison_matrix", options.matrix, pairs)
    return 0


def _print_pairs(found: Nemenyi | PairwiseTests, path: Path | None) -> None:
    """Print the effect sizes and p-value of each pair, the smallest first, and write them all where asked to."""
    table = pairs_table(found)
    print(table.head(MOST_PAIRS).to_string(index=False))
    if len(table) > MOST_PAIRS:
        print(f"These are {MOST_PAIRS} of {len(table):,} pairs; --pairs FILE writes all.")
    if path:
        _write_pairs(found.pairs, path)


def _write_pairs(pairs: pd.DataFrame, path: Path) -> None:
    pairs.to_csv(path, index=False)
    print(f"The pairs are in {path}.")


def _print_folds(file: ScoreFile, measure: str, higher: bool, options: argparse.Namespace) -> int:
    """Print the test of each pair over the folds of the only data set."""
    alpha = options.alpha
    tests = file.tests(measure, higher, alpha=alpha)
    print(about_fold_tests(tests, measure))
    print(tests.pairs.round(4).to_string(index=False))
    print(f"Corrected resampled t-test over {tests.n_splits} folds, p-values by Holm, at {alpha:g}")
    for note in file.notes:
        print(f"- {note}")
    if options.pairs:
        _write_pairs(tests.pairs, options.pairs)
    return 0


def _draw(figure: str, path: Path, *given: Any) -> None:
    """Write a drawing of `trellislib.figures`."""
    from trellislib import figures  # which need plotly

    path.write_bytes(figures.export(getattr(figures, figure)(*given), DIAGRAMS[path.suffix]))
    print(f"The diagram is in {path}.")
