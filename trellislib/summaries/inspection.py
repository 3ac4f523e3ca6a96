"""How a prediction came to be, and whether sampling has settled, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trellislib.inspection import GibbsRuns, Life, Step
from trellislib.wording import amount, counted, listed, percent

SETTLED = 1.1  # R-hat up to which chains are commonly taken to agree (Gelman et al., Bayesian Data Analysis)


def about_life(life: Life, names: Sequence[str], values: Sequence[Sequence[object]]) -> str:
    """Say how many labels are right, which are wrong by themselves, and which were dragged along by which inputs.

    Parameters
    ----------
    life : Life
        As `trellislib.inspection.life` finds it.
    names : sequence of str
        Of the labels.
    values : sequence of sequence
        The values of each label, in the order of their codes.

    Returns
    -------
    str
        One sentence; labels set by hand and labels whose truth is unknown are not judged.

    Examples
    --------
    >>> from trellislib import ClassifierChain
    >>> from trellislib.inspection import life
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> chain = ClassifierChain(order=[0, 1]).fit(X, Y)
    >>> about_life(life(chain, [[0.9]], truth=[1, 0]), ["beach", "sea"], [["no", "yes"]] * 2)
    '1 of 2 labels right; sea wrong by itself.'
    """
    of_fate: dict[str, list[Step]] = {}
    for step in life.steps:
        of_fate.setdefault(step.fate, []).append(step)
    n_set, n_unknown = len(of_fate.get("set", [])), len(of_fate.get("unknown", []))
    n_judged = len(life.steps) - n_set - n_unknown
    if not n_judged:
        decided = [f"{names[step.label]} is {values[step.label][step.code]}" for step in life.steps]
        return f"{listed(decided)}; the truth is not known." if n_unknown else f"{listed(decided)}, all set by hand."
    n_right = len(of_fate.get("right", [])) + len(of_fate.get("saved", []))
    parts = [f"{n_right:,} of {counted(n_judged, 'label')} right"]
    own = [names[step.label] for step in of_fate.get("own error", [])]
    if own:
        parts.append(f"{listed(own)} wrong by {'itself' if len(own) == 1 else 'themselves'}")
    dragged = [
        f"{names[step.label]} dragged along by {_wrong_inputs(step, life, names)}"
        for step in of_fate.get("dragged along", [])
    ]
    if dragged:
        parts.append(listed(dragged))
    overruled = [names[step.label] for step in of_fate.get("overruled", [])]
    if overruled:
        parts.append(f"{listed(overruled)} overruled by the inference")
    saved = [names[step.label] for step in of_fate.get("saved", [])]
    if saved:
        parts.append(f"{listed(saved)} right only because of a wrong input")
    if n_set:
        parts.append(f"{n_set:,} set by hand")
    return f"{'; '.join(parts)}."


def about_step(step: Step, names: Sequence[str], classes: Sequence[Sequence[object]]) -> str:
    """Say of one label what the features say, what each input adds, what was decided, and the truth.

    Parameters
    ----------
    step : Step
        Of `trellislib.inspection.life`.
    names : sequence of str
        Of the labels.
    classes : sequence of sequence
        The values of each label, in the order of their codes.

    Returns
    -------
    str
        Two sentences. Log-odds are in nats; of probabilities nearer to 0 and 1 than a billionth, those of a billionth.

    Examples
    --------
    >>> from trellislib import ClassifierChain
    >>> from trellislib.inspection import life
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> chain = ClassifierChain(order=[0, 1]).fit(X, Y)
    >>> seen = life(chain, [[0.9]], truth=[1, 1], set_to={0: 1})
    >>> for said in about_step(seen.steps[0], ["beach", "sea"], [["no", "yes"]] * 2).split(". "):
    ...     print(said)
    For beach = yes, the features say log-odds of +1.05: a probability of 74.1%
    It is set by hand to yes, which is right.
    """
    of_label = classes[step.label]
    told = f"For {names[step.label]} = {of_label[step.of_code]}, the features say log-odds of {step.from_features:+.3g}"
    strongest = np.argsort(-np.abs(step.from_inputs), kind="stable")
    adds = [
        f"{names[step.inputs[place]]} adds {step.from_inputs[place]:+.3g}"
        for place in strongest
        if step.from_inputs[place]
    ]
    if adds:
        told += f"; {listed(adds)}"
    elif step.inputs:
        told += "; its inputs, each decided its first value, add nothing to that"
    p = float(step.probabilities[step.of_code])
    how = "set by hand to" if step.is_set else "decided"
    told += f": a probability of {percent(p, 1)}. It is {how} {of_label[step.code]}"
    if step.true is None:
        return f"{told}."
    right = "which is right" if step.true == step.code else f"but the truth is {of_label[step.true]}"
    if step.given_true is not None and step.fate in ("dragged along", "saved"):
        right += f"; with the truth for its inputs, it would be decided {of_label[step.given_true]}"
    return f"{told}, {right}."


def about_gibbs(runs: GibbsRuns, names: Sequence[str]) -> str:
    """Say whether the chains agree, by the label on which they agree least.

    Parameters
    ----------
    runs : GibbsRuns
        As `trellislib.inspection.gibbs_runs` finds them.
    names : sequence of str
        Of the labels.

    Returns
    -------
    str
        One sentence; chains agree up to an R-hat of `SETTLED`.

    Examples
    --------
    >>> from trellislib import ClassifierDependencyTrellis
    >>> from trellislib.inspection import gibbs_runs
    >>> X, Y = [[0.0], [0.0], [0.0], [0.0]] * 50, [[0, 0], [0, 0], [1, 1], [1, 1]] * 50
    >>> twins = ClassifierDependencyTrellis(random_state=0).fit(X, Y)
    >>> for said in about_gibbs(gibbs_runs(twins, [[0.0]]), ["beach", "sea"]).split(", and "):
    ...     print(said)
    The chains do not agree yet: the worst label, sea, has an R-hat of 1.96
    its 360 draws are worth about 6.61 independent ones.
    """
    r_hat, sizes = runs.r_hat(), runs.effective_sizes()
    worst = int(np.lexsort((sizes, -r_hat))[0])
    n_kept = runs.codes.shape[0] * (runs.codes.shape[1] - runs.n_burn_in)
    if not np.isfinite(r_hat[worst]):
        return f"The chains do not mix: each stays at a value of its own for {names[worst]}."
    agree = "The chains agree" if r_hat[worst] <= SETTLED else "The chains do not agree yet"
    return (
        f"{agree}: the worst label, {names[worst]}, has an R-hat of {amount(float(r_hat[worst]))}, and its {n_kept:,} "
        f"draws are worth about {amount(float(sizes[worst]))} independent ones."
    )


def _wrong_inputs(step: Step, life: Life, names: Sequence[str]) -> str:
    return listed([names[one] for one in step.inputs if life.of(one).true != life.of(one).code])
