"""How labels come into a trellis, what its width and pattern do, and what the seed does, in a few sentences each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import ttest_ind_from_stats

from trellislib.graphs.stability import Stability
from trellislib.graphs.steps import PlacementSteps, Step
from trellislib.metrics import Measure
from trellislib.wording import FEW_NAMES, ROUNDING, agreed, amount, counted, listed, percent, thousandths, three_digits

LEAST = 1e-4  # smaller dependence is given as less than this, where there is larger
SEEDS_LEVEL = 0.05  # of the test of hill climbing against random placement


def about_step(steps: PlacementSteps, cell: int, names: Sequence[str], unit: str = "nats") -> str:
    """Return which cell a step fills, with which label, why with this one, and what is captured so far."""
    step, so_far = steps[cell], steps.captured[cell]
    text = _placed(step, names, len(steps), unit, steps.strongest)
    if not so_far:
        return text
    if step.cell == len(steps) - 1:
        return f"{text} All edges now capture {three_digits(so_far)} {unit}."
    return f"{text} The edges so far capture {three_digits(so_far)} of {three_digits(steps.captured[-1])} {unit}."


def _placed(step: Step, names: Sequence[str], n_steps: int, unit: str, strongest: float) -> str:
    """Return which cell a step fills, with which label and why."""
    label = names[step.chosen]
    begin = f"Step {step.cell + 1:,} of {n_steps:,}: the cell in row {step.row + 1}, column {step.column + 1}"
    if step.is_random:
        return f"{begin} takes {label}, which the seed draws."
    only = f"{label} is the last label" if len(step.candidates) == 1 else ""
    if not step.parents:
        why = only or f"No label gains anything, so {label} takes it as the first of the rest"
        return f"{begin} has no parent in the lattice. {why}."
    n_parents = len(step.parents)
    has = f"{begin} has the parent{agreed(n_parents, '', 's')} {_few([names[p] for p in step.parents])}"
    shares = [_in_words(share, strongest) for share in step.shares[step.place]]
    total = f"{' + '.join(shares)} = {_in_words(step.gain, strongest)}" if len(shares) > 1 else shares[0]
    if only:
        return f"{has}. {only} and adds {total} {unit}."
    if step.ties:
        others = _few([names[other] for other in step.ties])
        return f"{has}. {label} gains {total} {unit}, as much as {others}. The first of equal labels is taken."
    runner = f"{names[int(step.candidates[1])]} with {_below(step.gains[1], step.gain, strongest)}"
    return f"{has}. {label} depends most on {agreed(n_parents, 'it', 'them')}: {total} {unit}, ahead of {runner}."


def about_steps(steps: PlacementSteps, names: Sequence[str], unit: str = "nats") -> str:
    """Return where hill climbing starts, what it captures in all, and which steps were the largest and the closest."""
    first = names[steps.trellis.order[0]]
    if len(steps) == 1:
        return f"{first} is the only label and takes the only cell."
    gains, leads = np.zeros(len(steps)), np.full(len(steps), np.nan)
    runners_up = np.zeros(len(steps), dtype=int)
    has_edges = False
    for step in steps:  # each is let go: one holds all labels that were left
        gains[step.cell] = step.gain
        has_edges |= bool(step.parents)
        if step.cell and step.parents and len(step.candidates) > 1:
            leads[step.cell] = step.gains[0] - step.gains[1]
            runners_up[step.cell] = step.candidates[1]
    order = steps.trellis.order
    all_in_all = f"Algorithm 1 starts with {first}, fills {len(steps):,} cells and captures"
    if not gains.any():
        why = "no label depends on those in its parent cells" if has_edges else "no cell has a parent in this lattice"
        return f"{all_in_all} nothing: {why}."
    largest = int(gains.argmax())
    as_large = int(np.isclose(gains, gains[largest], rtol=ROUNDING, atol=0).sum()) - 1
    text = (
        f"{all_in_all} {three_digits(gains.sum())} {unit}. Step {largest + 1:,} captures most: "
        f"{names[order[largest]]} adds {amount(gains[largest])}"
    )
    text += f", as much as {counted(as_large, 'other step')}" if as_large else ""
    tied = int((leads <= ROUNDING * gains).sum())
    if tied:
        return f"{text}. {counted(tied, 'step')} {agreed(tied, 'was', 'were')} decided between equal candidates."
    if np.isnan(leads).all():
        return f"{text}."
    closest = int(np.nanargmin(leads))
    as_close = int(np.isclose(leads, leads[closest], rtol=1e-6, atol=0).sum()) - 1
    ahead = f"{names[order[closest]]} ahead of {names[runners_up[closest]]} by {amount(leads[closest])}"
    ahead += f", as close as {counted(as_close, 'other step')}" if as_close else ""
    return f"{text}. Step {closest + 1:,} was the closest: {ahead}."


def about_capture_curve(
    curve: pd.DataFrame, pattern: str, width: int, unit: str = "nats", *, share: bool = False
) -> str:
    """Return at which width a pattern captures most, how the width that is set does, and which pattern does best there.

    Most is the largest amount, or with `share` the largest share of the upper bound.

    Parameters
    ----------
    curve : DataFrame
        As by `trellislib.graphs.capture_curve`, with the pattern and the width.
    pattern, width
        What is set; the pattern ``custom`` is one's own.
    unit : str
        Unit of what is captured.
    share : bool, default=False
        Whether widths and patterns are compared by the share of the upper bound that they capture.

    Raises
    ------
    ValueError
        If the curve has not this width, or not this pattern.
    """
    own = curve[curve["pattern"] == pattern].set_index("width")
    if width not in own.index:
        drawn = f"the widths {own.index.tolist()}" if len(own) else f"the patterns {list(curve['pattern'].unique())}"
        raise ValueError(f"Got the parents {pattern} at width {width}, but expected them in the curve: it has {drawn}.")
    parents = "your own parents" if pattern == "custom" else f"{pattern} parents"
    if own["captured"].any():
        text = _among_widths(own, width, unit, share, parents)
    elif len(own) == 1:
        text = f"Width {width} captures nothing with {parents}."
    else:
        text = f"No width captures any dependence with {parents}."
    here, at_width = own.loc[width], curve[curve["width"] == width].set_index("pattern")
    if len(at_width) == 1:
        return text
    compared = _compared(at_width, share)
    best = compared.idxmax()
    if compared[best] <= compared[pattern] * (1 + ROUNDING):
        larger = "a larger share" if share else "more"
        return f"{text} No other pattern captures {larger} at this width."
    row = at_width.loc[best]
    name = "Your own pattern" if best == "custom" else best.capitalize()
    captured = percent(compared[best]) if share else three_digits(row["captured"])
    instead = "" if row["edges"] == here["edges"] else f" instead of {int(here['edges']):,}"
    return f"{text} {name} captures {captured} at width {width}, on {counted(int(row['edges']), 'edge')}{instead}."


def _compared(rows: pd.DataFrame, share: bool) -> pd.Series:
    """Return by what rows of a curve are compared; a lattice without edges has no share."""
    captured = rows["captured"]
    return (captured / rows["bound"].where(rows["bound"] > 0)).fillna(0.0) if share else captured


def _among_widths(own: pd.DataFrame, width: int, unit: str, share: bool, parents: str) -> str:
    """Return how a width does among all that are drawn of one pattern."""

    def described(row: pd.Series) -> str:
        amounts = f"{three_digits(row['captured'])} {unit}"
        if row["bound"] <= 0:
            return amounts
        of_possible = percent(row["captured"] / row["bound"])
        return f"{of_possible} of the upper bound ({amounts})" if share else f"{amounts} ({of_possible} of the bound)"

    here, captured = own.loc[width], _compared(own, share)
    if len(own) == 1:
        return f"Width {width} captures {described(here)} with {parents}."
    is_best = captured >= captured.max() * (1 - ROUNDING)
    best = width if is_best[width] else is_best.idxmax()
    most = "the largest share" if share else "most"
    others = "" if is_best.sum() == 1 else ", as much as other widths"
    text = f"Width {best} captures {most} with {parents}: {described(own.loc[best])}{others}."
    return text if best == width else f"{text} Width {width} captures {described(here)}."


def about_width_scores(scores: Mapping[int, Mapping[str, pd.DataFrame]], measure: Measure, width: int) -> str:
    """Return whether another width pays in cross-validation.

    Parameters
    ----------
    scores : mapping of int to mapping of str to DataFrame
        For each width the scores of CT and of others: a row for each of the same folds, a column per measure.
    measure : Measure
        Which of them to compare; higher is better.
    width : int
        The width that is set, one of `scores`.
    """
    means = pd.Series({at: float(methods["CT"][measure.key].mean()) for at, methods in scores.items()}).sort_index()
    if np.isnan(means[width]):
        return f"CT has no score at width {width} in {measure.in_words}."
    is_best = means >= means.max() * (1 - ROUNDING)
    best = int(is_best.idxmax())
    others = {name: table[measure.key].mean() for name, table in scores[width].items() if name != "CT"}
    of_others = f" ({', '.join(f'{name} {score:.3f}' for name, score in others.items())})" if others else ""
    if len(means) == 1:
        return f"CT has {means[width]:.3f} in {measure.in_words} at width {width}{of_others}."
    if is_best[width]:
        return f"No width is better than {width} in {measure.in_words}: CT has {means[width]:.3f}{of_others}."
    gains = scores[best]["CT"][measure.key] - scores[width]["CT"][measure.key]
    ahead = int((gains > 0).sum())
    sure = "every fold" if ahead == len(gains) else f"{ahead} of {len(gains)} folds"
    is_so = "is best" if is_best.sum() == 1 else "is the first of the best"
    return (
        f"Width {best} {is_so} in {measure.in_words} with {means[best]:.3f}. Width {width} has {means[width]:.3f}"
        f"{of_others} and is behind in {sure}. The best of {len(means)} widths on these folds scores slightly too high."
    )


def about_stability(
    placed: Stability, random: Stability, names: Sequence[str], unit: str = "nats", *, by: str = "hill climbing"
) -> str:
    """Return how much the seed changes: what placements capture, how many pairs they share, and which pair most.

    What places the labels is named `by`.
    """
    n_seeds, closest = len(placed.placed), placed.most_stable
    if closest is None:
        return "This lattice has no edges, so all seeds give the same."
    one, other, share = closest
    joined = round(share * n_seeds)
    least, most = three_digits(placed.captured.min()), three_digits(placed.captured.max())
    spread = (
        f"{most} {unit} with each of {n_seeds} seeds"
        if least == most
        else f"{least} to {most} {unit} with {n_seeds} seeds, most with {_reached(placed)}"
    )
    return (
        f"{by.capitalize()} captures {spread}, and random placement {three_digits(random.captured.mean())}. "
        f"Two seeds share {percent(placed.agreement)} of the pairs that either joins (random placements "
        f"{percent(random.agreement)}). {'Every seed' if joined == n_seeds else f'{joined} of {n_seeds} seeds'} "
        f"{agreed(joined if joined < n_seeds else 1, 'joins', 'join')} {names[one]} and {names[other]}."
    )


def _reached(placed: Stability) -> str:
    """Return which seed captures most, and how many others capture as much."""
    n_others = len(placed.all_best) - 1
    as_much = f" ({n_others + 1} of {len(placed.placed)} reach it)" if n_others else ""
    return f"seed {placed.best}{as_much}"


def about_seed_scores(placed: np.ndarray, random: np.ndarray, measure: Measure, *, by: str = "hill climbing") -> str:
    """Return the verdict on a placement against random places, from the scores of several seeds on the same folds.

    It is that of Welch's t-test at 0.05, two-sided: seeds are independent of each other, and the two placements may
    spread unequally over them. Seeds do not pair the two, for all that a seed gives both is the label of one cell. As
    the folds are the same throughout, the test is about other seeds on them, and not about other data.

    Parameters
    ----------
    placed, random : ndarray of shape (n_seeds,)
        The mean score over the folds, for each seed; higher is better. NaN leaves a seed out.
    measure : Measure
        What was scored.
    by : str, default="hill climbing"
        What places the labels, in words.

    Examples
    --------
    >>> from trellislib.metrics import MEASURES
    >>> about_seed_scores(np.array([0.5, 0.52, 0.51]), np.array([0.4, 0.44, 0.42]), MEASURES["accuracy"])
    "Hill climbing has 0.510 ± 0.010 in accuracy over 3 seeds on the same folds, and random placement 0.420 ± 0.020. \
Hill climbing is better by 0.090 (Welch's t-test over the seeds, p = 0.0065). This holds for these folds only."
    """
    finite = [np.asarray(scores)[np.isfinite(scores)] for scores in (placed, random)]
    sizes = [len(scores) for scores in finite]
    if min(sizes) < 2:
        return f"Fewer than 2 seeds cannot show a difference from random placement in {measure.in_words}."
    means, spreads = (np.array([float(of(scores)) for scores in finite]) for of in (np.mean, _deviation))
    seeds = f"{sizes[0]}" if sizes[0] == sizes[1] else f"{sizes[0]} and {sizes[1]}"
    text = (
        f"{by.capitalize()} has {means[0]:.3f} ± {spreads[0]:.3f} in {measure.in_words} over {seeds} seeds on the same "
        f"folds, and random placement {means[1]:.3f} ± {spreads[1]:.3f}."
    )
    gap = means[0] - means[1]
    if not spreads.any():
        apart = f"{thousandths(abs(gap))} apart" if abs(gap) > ROUNDING else "the same"
        return f"{text} They are {apart} with every seed, so no test applies."
    p_value = ttest_ind_from_stats(means[0], spreads[0], sizes[0], means[1], spreads[1], sizes[1], False).pvalue
    test = f"Welch's t-test over the seeds, p {f'= {p_value:.2g}' if p_value >= 0.001 else '< 0.001'}"
    if p_value >= SEEDS_LEVEL:
        return f"{text} They are not significantly different ({test})."
    verdict = f"{by.capitalize()} is {'better' if gap > 0 else 'worse'} by {thousandths(abs(gap))}"
    return f"{text} {verdict} ({test}). This holds for these folds only."


def _deviation(scores: np.ndarray) -> float:
    """Return the standard deviation of a sample, 0 where its members differ by rounding alone."""
    deviation = float(np.std(scores, ddof=1))
    return deviation if deviation > ROUNDING else 0.0


def _few(names: Sequence[str]) -> str:
    return listed(names, FEW_NAMES)


def _in_words(value: float, strongest: float) -> str:
    """Return a number, or only that it is tiny next to the strongest."""
    return f"less than {LEAST:g}" if 0 < value < LEAST <= strongest else amount(value)


def _below(value: float, top: float, strongest: float) -> str:
    """Return a number that is below another, also where both are written alike."""
    if amount(value) == amount(top):
        return "hardly less"
    text = _in_words(value, strongest)
    return text if text != _in_words(top, strongest) else "less"
