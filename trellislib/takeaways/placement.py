"""How labels come into a trellis, what its width and pattern do, and what the seed does, in one sentence each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from trellislib.graphs.stability import Stability
from trellislib.graphs.steps import PlacementSteps, Step
from trellislib.metrics import Measure
from trellislib.takeaways.words import number_of

MOST_NAMED = 3


def about_step(step: Step, names: Sequence[str], n_steps: int, unit: str = "nats") -> str:
    """Say which cell a step fills, with which label, and why with this one."""
    label = names[step.chosen]
    begin = f"Step {step.cell + 1:,} of {n_steps:,}: cell row {step.row + 1}, column {step.column + 1}"
    if step.is_random:
        return f"{begin} takes {label}; the seed draws the first label."
    only = f"{label} is the last label that is left" if len(step.candidates) == 1 else ""
    if not step.parents:
        why = only or f"so all labels gain nothing and {label} takes it, the first of those left"
        return f"{begin} has no parent in the lattice; {why}."
    has = f"{begin} has the parent{'' if len(step.parents) == 1 else 's'} {_listed([names[p] for p in step.parents])}"
    shares = [f"{share:.3g}" for share in step.shares[step.place]]
    total = f"{' + '.join(shares)} = {step.gain:.3g}" if len(shares) > 1 else shares[0]
    on = "it" if len(step.parents) == 1 else "them"
    if only:
        return f"{has}; {only} and adds {total} {unit}."
    if step.ties:
        others = _listed([names[other] for other in step.ties])
        one = "one" if len(step.ties) == 1 else "ones"
        return f"{has}; {label} gains {total} {unit}, as much as {others}, and is taken before the later {one}."
    runner = f"{names[int(step.candidates[1])]} with {step.gains[1]:.3g}"
    return f"{has}; {label} depends most on {on}: {total} {unit}, ahead of {runner}."


def about_steps(steps: PlacementSteps, names: Sequence[str], unit: str = "nats") -> str:
    """Say where hill climbing starts, what it captures in all, and which steps were the largest and the closest."""
    first = names[steps.trellis.order[0]]
    if len(steps) == 1:
        return f"{first} is the only label and takes the only cell."
    filled = list(steps)
    gains = np.array([step.gain for step in filled])
    all_in_all = f"From {first}, drawn by the seed, hill climbing fills {len(steps):,} cells"
    if not gains.any():
        return f"{all_in_all} and captures nothing: no label depends on those in its parent cells."
    largest = filled[int(gains.argmax())]
    said = (
        f"{all_in_all} and captures {gains.sum():.3g} {unit}, the largest part in step {largest.cell + 1:,}, where "
        f"{names[largest.chosen]} adds {largest.gain:.3g}"
    )
    rivals = [step for step in filled[1:] if step.parents and len(step.candidates) > 1]
    tied = sum(bool(step.ties) for step in rivals)
    if tied:
        return f"{said}; {number_of(tied, 'step')} {'was' if tied == 1 else 'were'} decided between equal candidates."
    if not rivals:
        return f"{said}."
    closest = min(rivals, key=lambda step: step.gains[0] - step.gains[1])
    ahead, other = closest.gains[0] - closest.gains[1], names[int(closest.candidates[1])]
    return (
        f"{said}; the closest was step {closest.cell + 1:,}, {names[closest.chosen]} ahead of {other} by {ahead:.2g}."
    )


def about_capture_curve(curve: pd.DataFrame, pattern: str, width: int, unit: str = "nats") -> str:
    """Say at which width a pattern captures most, how the width that is set does, and which pattern does best there.

    Parameters
    ----------
    curve : DataFrame
        As by `trellislib.graphs.capture_curve`, with the pattern and the width.
    pattern, width
        What is set.
    """
    own = curve[curve["pattern"] == pattern].set_index("width")
    if len(own) == 1:
        return "With a single label there is one lattice, and it has no edges."
    best, here = int(own["captured"].idxmax()), own.loc[width]
    if own["captured"].max() <= 0:
        return f"With the parents {pattern} no width captures any dependence."
    set_now = f"{_number(here['captured'])} {unit}{_share(here)}"
    said = (
        f"With the parents {pattern}, width {width} captures {set_now}, the most of all widths that are drawn"
        if here["captured"] == own.loc[best, "captured"]
        else f"With the parents {pattern}, width {best} captures most, {_number(own.loc[best, 'captured'])} {unit}"
        f"{_share(own.loc[best])}; width {width} has {set_now}"
    )
    beside = curve[curve["width"] == width].set_index("pattern")
    if len(beside) == 1:
        return f"{said}."
    most = beside["captured"].idxmax()
    if most == pattern:
        return f"{said}; no other pattern captures more at this width."
    row = beside.loc[most]
    return (
        f"{said}; at this width {most} captures {_number(row['captured'])}, on {number_of(int(row['edges']), 'edge')} "
        f"instead of {int(here['edges']):,}."
    )


def about_width_scores(scores: Mapping[int, Mapping[str, pd.DataFrame]], measure: Measure, width: int) -> str:
    """Say whether another width pays in cross-validation.

    Parameters
    ----------
    scores : mapping of int to mapping of str to DataFrame
        For each width the scores of CT and of others: a row for each of the same folds, a column per measure.
    measure : Measure
        Which of them is told; higher is better.
    width : int
        The width that is set, one of `scores`.
    """
    means = pd.Series({at: float(methods["CT"][measure.key].mean()) for at, methods in scores.items()}).sort_index()
    best = int(means.idxmax())
    others = {name: table[measure.key].mean() for name, table in scores[width].items() if name != "CT"}
    beside = f" ({', '.join(f'{name} {score:.3f}' for name, score in others.items())})" if others else ""
    if means[best] == means[width]:
        return f"In {measure.in_words} no width is better than {width}: CT has {means[width]:.3f}{beside}."
    gains = scores[best]["CT"][measure.key] - scores[width]["CT"][measure.key]
    ahead = int((gains > 0).sum())
    sure = "in every fold" if ahead == len(gains) else f"in {ahead} of {len(gains)} folds"
    return (
        f"In {measure.in_words} width {best} is best with {means[best]:.3f}, width {width} has {means[width]:.3f}"
        f"{beside}: ahead {sure}. The best of {len(means)} is chosen by these folds, and so looks a little too good."
    )


def about_stability(climbed: Stability, random: Stability, names: Sequence[str], unit: str = "nats") -> str:
    """Say how much the seed changes: what placements capture, how many pairs they share, and which pair most of all."""
    n_seeds = len(climbed.placed)
    if not climbed.together.any():
        return "This lattice has no edges, so all seeds give the same."
    captured, least, most = climbed.captured, float(climbed.captured.min()), float(climbed.captured.max())
    spread = (
        f"each of {n_seeds} seeds captures {most:.3g} {unit}"
        if np.allclose(captured, most)
        else f"{n_seeds} seeds capture {least:.3g} to {most:.3g} {unit}, most with seed {climbed.best}"
    )
    one, other = divmod(int(climbed.together.argmax()), len(names))
    tied = climbed.together[one, other]
    return (
        f"By hill climbing {spread} (random placements {random.captured.mean():.3g} on average); two seeds agree on "
        f"{climbed.agreement:.0%} of the pairs that either ties (at random {random.agreement:.0%}), and "
        f"{names[one]} and {names[other]} are tied by {'every seed' if tied == 1 else f'{tied:.0%} of the seeds'}."
    )


def about_seed_scores(climbed: np.ndarray, random: np.ndarray, measure: Measure) -> str:
    """Give the verdict on hill climbing against random placement, from the scores of several seeds on the same folds.

    Parameters
    ----------
    climbed, random : ndarray of shape (n_seeds,)
        The mean score over the folds, for each seed; higher is better.
    measure : Measure
        What was scored.
    """
    gap = float(np.mean(climbed) - np.mean(random))
    spreads = [float(np.std(scores, ddof=1)) for scores in (climbed, random)]
    error = float(np.hypot(spreads[0], spreads[1]) / np.sqrt(len(climbed)))
    means = (
        f"hill climbing has {np.mean(climbed):.3f} ± {spreads[0]:.3f}, random {np.mean(random):.3f} ± {spreads[1]:.3f}"
    )
    over = f"In {measure.in_words}, over {len(climbed)} seeds on the same folds, {means}"
    if abs(gap) <= 2 * error:
        verdict = "no more apart than seeds are by chance"
    else:
        verdict = f"hill climbing is {'better' if gap > 0 else 'worse'} by {abs(gap):.3f} ± {error:.3f}"
    less = "less" if spreads[0] < spreads[1] else "more" if spreads[0] > spreads[1] else "as much"
    than = "as" if less == "as much" else "than"
    return f"{over}: {verdict}, and its scores depend {less} on the seed {than} random ones."


def _listed(names: Sequence[str]) -> str:
    """Return A; A and B; A, B and C; A, B and 3 more."""
    if len(names) > MOST_NAMED:
        return f"{', '.join(names[: MOST_NAMED - 1])} and {len(names) - MOST_NAMED + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _number(value: float) -> str:
    return f"{value:.3g}"


def _share(row: pd.Series) -> str:
    return f" ({row['captured'] / row['bound']:.0%} of the possible)" if row["bound"] > 0 else ""
