"""What an advice says: the answer, what to use, and what would change the answer; at most 25 words each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trellislib.advice.candidates import BASELINE, INDEPENDENT, LEARNERS
from trellislib.metrics import MEASURES
from trellislib.running.progress import about
from trellislib.wording import listed, roughly

if TYPE_CHECKING:
    from trellislib.advice.advice import Advice

FINER = 0.01  # a difference that people would want to know of
ROUNDED = 2  # digits of a number of rows


def answer(advice: Advice) -> str:
    """Return whether structure is worth it, by how much, and at what price."""
    score = MEASURES[advice.score].in_words
    if advice.verdict == "unknown":
        return f"No answer yet: no structure was compared within {about(advice.seconds)}. Allow more time."
    best, independent = advice.best_structure, advice.independent
    row, means = advice.contrasts.loc[best], advice.table["mean"]
    structure = advice.table.loc[best, "structure"]
    interval = f"95 % interval {_signed(row['low'])} to {_signed(row['high'])}"
    if advice.verdict == "helps":
        price = advice.table["train_seconds"]
        return (
            f"Yes: {structure} has {score} {means[best]:.3f}, {row['difference']:.3f} above independent classifiers "
            f"({interval}), for {roughly(price[best] / price[independent])} their training time."
        )
    if advice.verdict == "hurts":
        return (
            f"No: every structure lowers {score}. {structure} is nearest, {-row['difference']:.3f} below independent "
            f"classifiers ({interval})."
        )
    return (
        f"No significant difference: {score} is {means[best]:.3f} with label structure ({structure}) and "
        f"{means[independent]:.3f} without. The difference has a {interval}."
    )


def to_use(advice: Advice) -> str:
    """Return which method and learner to use, and how it compares with predicting the same for every row."""
    if advice.recommended is None:
        return ""
    chosen, of_all = advice.table.loc[advice.recommended], advice.table
    what = "independent classifiers (IC)" if chosen["structure"] == INDEPENDENT else chosen["structure"]
    with_learner = f"{what} with {LEARNERS[chosen['learner']].name}"
    if BASELINE not in of_all.index or not of_all.loc[BASELINE, "folds"]:
        return f"Use {with_learner} ({chosen['mean']:.3f})."
    means = advice.scores[advice.score][[advice.recommended, BASELINE]].dropna().mean()  # of the folds that both have
    same = f"The same labels for every row reach {means[BASELINE]:.3f}"
    if means[advice.recommended] <= means[BASELINE]:
        return f"{with_learner[0].upper()}{with_learner[1:]} reaches only {means[advice.recommended]:.3f}. {same}."
    return f"Use {with_learner} ({chosen['mean']:.3f}). {same}."


def to_change(advice: Advice) -> str:
    """Return what would change the answer: more rows, or another score."""
    if advice.verdict == "unknown":
        return ""
    if advice.verdict == "none":
        found = advice.detectable
        if not found > 0:
            return ""
        if found > FINER:
            needed = _rounded(advice.n_rows * (found / FINER) ** 2)
            return f"A difference of {FINER} needs about {needed:,} rows to show, but {advice.n_rows:,} were compared."
        return f"These {advice.n_rows:,} rows most likely show a difference of {found:.3f} where there is one."
    same, other = advice.other_scores
    ahead = "ahead" if advice.verdict == "helps" else "behind"
    parts = [f"It is also {ahead} in {_named(same)}."] * bool(same)
    parts += [f"The answer for {_named(other)} is different."] * bool(other)
    return " ".join(parts)


def depth(advice: Advice) -> str:
    """Return how much of a structure's lead is from depth alone, where it leads and that is known."""
    gain = advice.gain_of_depth
    if advice.verdict != "helps" or gain is None:
        return ""
    lead = advice.contrasts.loc[advice.best_structure, "difference"]
    stacked = "Stacked independent classifiers, as deep and without label dependence,"
    if gain <= 0:
        return f"{stacked} gain nothing, so the gain is from label dependence."
    if gain >= lead:
        return f"{stacked} gain {gain:.3f}, so depth alone explains the gain."
    return f"{stacked} gain {gain:.3f}, so {lead - gain:.3f} is left for label dependence."


def _named(scores: list[str]) -> str:
    return listed([MEASURES[key].in_words for key in scores], 3)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")


def _rounded(n_rows: float) -> int:
    """Return a number of rows to two digits, rounded up."""
    size = 10 ** max(len(str(int(n_rows))) - ROUNDED, 0)
    return -int(-n_rows // size) * size
