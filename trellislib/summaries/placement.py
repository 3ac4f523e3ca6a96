"""How labels come into a trellis, what its width and pattern do, and what the seed does, in one sentence each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.stats import ttest_ind_from_stats

from trellislib.graphs.stability import Stability
from trellislib.graphs.steps import PlacementSteps, Step
from trellislib.metrics import Measure
from trellislib.wording import FEW_NAMES, ROUNDING, agreed, amount, counted, listed, percent, thousandths

LEAST = 1e-4  # smaller dependence is given as less than this, where there is larger
SEEDS_LEVEL = 0.05  # of the test of hill climbing against random placement


def about_step(steps: PlacementSteps, cell: int, names: Sequence[str], unit: str = "nats") -> str:
    """Return which cell a step fills, with which label, why with this one, and what is captured so far."""
    step, so_far = steps[cell], steps.captured[cell]
    text = _placed(step, names, len(steps), unit, steps.strongest)
    if not so_far:
        return text
    if step.cell == len(steps) - 1:
        return f"{text} With this, all edges hold {amount(so_far)} {unit}."
    in_all = amount(steps.captured[-1])
    return f"{text} The edges so far hold {amount(so_far)} of the {in_all} {unit} that all will hold in the end."


def _placed(step: Step, names: Sequence[str], n_steps: int, unit: str, strongest: float) -> str:
    """Return which cell a step fills, with which label and why."""
    label = names[step.chosen]
    begin = f"Step {step.cell + 1:,} of {n_steps:,}: cell row {step.row + 1}, column {step.column + 1}"
    if step.is_random:
        return f"{begin} takes {label}, drawn at random by the seed."
    only = f"{label} is the last label that is left" if len(step.candidates) == 1 else ""
    if not step.parents:
        why = only or f"so all labels gain nothing and {label} takes it, the first of those left"
        return f"{begin} has no parent in the lattice; {why}."
    n_parents = len(step.parents)
    has = f"{begin} has the parent{agreed(n_parents, '', 's')} {_few([names[p] for p in step.parents])}"
    shares = [_in_words(share, strongest) for share in step.shares[step.place]]
    total = f"{' + '.join(shares)} = {_in_words(step.gain, strongest)}" if len(shares) > 1 else shares[0]
    if only:
        return f"{has}; {only} and adds {total} {unit}."
    if step.ties:
        others = _few([names[other] for other in step.ties])
        later = agreed(len(step.ties), "one", "ones")
        return f"{has}; {label} gains {total} {unit}, as much as {others}, and is taken before the later {later}."
    runner = f"{names[int(step.candidates[1])]} with {_below(step.gains[1], step.gain, strongest)}"
    return f"{has}; {label} depends most on {agreed(n_parents, 'it', 'them')}: {total} {unit}, ahead of {runner}."


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
    all_in_all = f"From {first}, drawn by the seed, hill climbing (Algorithm 1 of the paper) fills {len(steps):,} cells"
    if not gains.any():
        why = "no label depends on those in its parent cells" if has_edges else "no cell has a parent in this lattice"
        return f"{all_in_all} and captures nothing: {why}."
    largest = int(gains.argmax())
    as_large = int(np.isclose(gains, gains[largest], rtol=ROUNDING, atol=0).sum()) - 1
    text = (
        f"{all_in_all} and captures {amount(gains.sum())} {unit}, the largest part in step {largest + 1:,}, where "
        f"{names[order[largest]]} adds {amount(gains[largest])}"
    )
    text += f", as much as in {counted(as_large, 'other')}" if as_large else ""
    tied = int((leads <= ROUNDING * gains).sum())
    if tied:
        return f"{text}; {counted(tied, 'step')} {agreed(tied, 'was', 'were')} decided between equal candidates."
    if np.isnan(leads).all():
        return f"{text}."
    closest = int(np.nanargmin(leads))
    as_close = int(np.isclose(leads, leads[closest], rtol=1e-6, atol=0).sum()) - 1
    ahead = f"{names[order[closest]]} ahead of {names[runners_up[closest]]} by {amount(leads[closest])}"
    ahead += f", as close as {counted(as_close, 'other')}" if as_close else ""
    return f"{text}; the closest was step {closest + 1:,}, {ahead}."


def about_capture_curve(
    curve: pd.DataFrame, pattern: str, width: int, unit: str = "nats", *, share: bool = False
) -> str:
    """Return at which width a pattern captures most, how the width that is set does, and which pattern does best there.

    Most is the largest amount, or with `share` the largest share of the possible.

    Parameters
    ----------
    curve : DataFrame
        As by `trellislib.graphs.capture_curve`, with the pattern and the width.
    pattern, width
        What is set; the pattern ``custom`` is one's own.
    unit : str
        Unit of what is captured.
    share : bool, default=False
        Whether widths and patterns are compared by the share of the possible that they capture.

    Raises
    ------
    ValueError
        If the curve has not this width, or not this pattern.
    """
    own = curve[curve["pattern"] == pattern].set_index("width")
    if width not in own.index:
        drawn = f"the widths {own.index.tolist()}" if len(own) else f"the patterns {list(curve['pattern'].unique())}"
        raise ValueError(f"Got the parents {pattern} at width {width}, but expected them in the curve: it has {drawn}.")
    parents = "With your own parents" if pattern == "custom" else f"With the parents {pattern}"
    if not own["captured"].any():
        nothing = f", width {width} captures nothing" if len(own) == 1 else " no width captures any dependence"
        text = f"{parents}{nothing}"
    else:
        text = f"{parents}, {_among_widths(own, width, unit, share)}"
    here, at_width = own.loc[width], curve[curve["width"] == width].set_index("pattern")
    if len(at_width) == 1:
        return f"{text}."
    compared = _compared(at_width, share)
    best = compared.idxmax()
    if compared[best] <= compared[pattern] * (1 + ROUNDING):
        larger = "a larger share" if share else "more"
        return f"{text}; no other pattern captures {larger} at this width."
    row = at_width.loc[best]
    name = "your own pattern" if best == "custom" else best
    captured = percent(compared[best]) if share else amount(row["captured"])
    instead = "" if row["edges"] == here["edges"] else f" instead of {int(here['edges']):,}"
    return f"{text}; at this width {name} captures {captured}, on {counted(int(row['edges']), 'edge')}{instead}."


def _compared(rows: pd.DataFrame, share: bool) -> pd.Series:
    """Return by what rows of a curve are compared; a lattice without edges has no share."""
    captured = rows["captured"]
    return (captured / rows["bound"].where(rows["bound"] > 0)).fillna(0.0) if share else captured


def _among_widths(own: pd.DataFrame, width: int, unit: str, share: bool) -> str:
    """Return how a width does among all that are drawn of one pattern."""

    def described(row: pd.Series) -> str:
        amounts = f"{amount(row['captured'])} {unit}"
        if row["bound"] <= 0:
            return amounts
        of_possible = percent(row["captured"] / row["bound"])
        return f"{of_possible} of the possible ({amounts})" if share else f"{amounts} ({of_possible} of the possible)"

    here, captured = own.loc[width], _compared(own, share)
    if len(own) == 1:
        return f"width {width} captures {described(here)}"
    is_best = captured >= captured.max() * (1 - ROUNDING)
    alone = is_best.sum() == 1
    if is_best[width]:
        largest, more = ("the largest share", "a larger share") if share else ("the most", "more")
        most = f"{largest} of all widths that are drawn" if alone else f"and no width that is drawn captures {more}"
        return f"width {width} captures {described(here)}, {most}"
    best = is_best.idxmax()
    largest = "the largest share" if share else "most"
    most = f"captures {largest}," if alone else f"is the first of those that capture {largest},"
    return f"width {best} {most} {described(own.loc[best])}; width {width} has {described(here)}"


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
        return f"In {measure.in_words} CT has no score at width {width}."
    is_best = means >= means.max() * (1 - ROUNDING)
    best = int(is_best.idxmax())
    others = {name: table[measure.key].mean() for name, table in scores[width].items() if name != "CT"}
    of_others = f" ({', '.join(f'{name} {score:.3f}' for name, score in others.items())})" if others else ""
    if len(means) == 1:
        return f"In {measure.in_words} CT has {means[width]:.3f} at width {width}{of_others}."
    if is_best[width]:
        return f"In {measure.in_words} no width is better than {width}: CT has {means[width]:.3f}{of_others}."
    gains = scores[best]["CT"][measure.key] - scores[width]["CT"][measure.key]
    ahead = int((gains > 0).sum())
    sure = "in every fold" if ahead == len(gains) else f"in {ahead} of {len(gains)} folds"
    is_so = "is best" if is_best.sum() == 1 else "is the first of the best,"
    return (
        f"In {measure.in_words} width {best} {is_so} with {means[best]:.3f}, width {width} has {means[width]:.3f}"
        f"{of_others}; width {best} is ahead of width {width} {sure}. The best of {len(means)} is chosen by these "
        "folds, and so looks a little too good."
    )


def about_stability(climbed: Stability, random: Stability, names: Sequence[str], unit: str = "nats") -> str:
    """Return how much the seed changes: what placements capture, how many pairs they share, and which pair most."""
    n_seeds, closest = len(climbed.placed), climbed.most_stable
    if closest is None:
        return "This lattice has no edges, so all seeds give the same."
    one, other, share = closest
    joined = round(share * n_seeds)
    least, most = amount(climbed.captured.min()), amount(climbed.captured.max())
    spread = (
        f"each of {n_seeds} seeds captures {most} {unit}"
        if least == most
        else f"{n_seeds} seeds capture {least} to {most} {unit}, most with {_reached(climbed)}"
    )
    return (
        f"By hill climbing {spread}; random placements capture {amount(random.captured.mean())} on average. Of the "
        f"pairs that either of two seeds joins, both join {percent(climbed.agreement)} (at random "
        f"{percent(random.agreement)}); {names[one]} and {names[other]} are joined by "
        f"{'every seed' if joined == n_seeds else f'{joined} of them'}."
    )


def _reached(climbed: Stability) -> str:
    """Return which seed captures most, and how many others capture as much."""
    n_others = len(climbed.all_best) - 1
    as_much = f" ({n_others + 1} of {len(climbed.placed)} reach it)" if n_others else ""
    return f"seed {climbed.best}{as_much}"


def about_seed_scores(climbed: np.ndarray, random: np.ndarray, measure: Measure) -> str:
    """Return the verdict on hill climbing against random placement, from the scores of several seeds on the same folds.

    It is that of Welch's t-test at 0.05, two-sided: seeds are independent of each other, and the two placements may
    spread unequally over them. Seeds do not pair the two, for all that a seed gives both is the label of one cell. As
    the folds are the same throughout, the test is about other seeds on them, and not about other data.

    Parameters
    ----------
    climbed, random : ndarray of shape (n_seeds,)
        The mean score over the folds, for each seed; higher is better. NaN leaves a seed out.
    measure : Measure
        What was scored.

    Examples
    --------
    >>> from trellislib.metrics import MEASURES
    >>> about_seed_scores(np.array([0.5, 0.52, 0.51]), np.array([0.4, 0.44, 0.42]), MEASURES["accuracy"])
    "In accuracy, over 3 seeds on the same folds, hill climbing has 0.510 ± 0.010, random 0.420 ± 0.020: hill climbing \
is better by 0.090 (Welch's t-test over the seeds, p = 0.0065). It holds for these folds only."
    """
    finite = [np.asarray(scores)[np.isfinite(scores)] for scores in (climbed, random)]
    sizes = [len(scores) for scores in finite]
    if min(sizes) < 2:
        return f"In {measure.in_words}, fewer than 2 seeds cannot show a difference from random placement."
    means, spreads = (np.array([float(of(scores)) for scores in finite]) for of in (np.mean, _deviation))
    seeds = f"{sizes[0]}" if sizes[0] == sizes[1] else f"{sizes[0]} and {sizes[1]}"
    text = (
        f"In {measure.in_words}, over {seeds} seeds on the same folds, hill climbing has {means[0]:.3f} ± "
        f"{spreads[0]:.3f}, random {means[1]:.3f} ± {spreads[1]:.3f}"
    )
    gap = means[0] - means[1]
    if not spreads.any():
        apart = f"{thousandths(abs(gap))} apart" if abs(gap) > ROUNDING else "the same"
        return f"{text}: {apart} whatever the seed, so that there is no chance to test against."
    p_value = ttest_ind_from_stats(means[0], spreads[0], sizes[0], means[1], spreads[1], sizes[1], False).pvalue
    test = f"Welch's t-test over the seeds, p {f'= {p_value:.2g}' if p_value >= 0.001 else '< 0.001'}"
    if p_value >= SEEDS_LEVEL:
        return f"{text}: no more apart than seeds are by chance ({test})."
    verdict = f"hill climbing is {'better' if gap > 0 else 'worse'} by {thousandths(abs(gap))}"
    return f"{text}: {verdict} ({test}). It holds for these folds only."


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
