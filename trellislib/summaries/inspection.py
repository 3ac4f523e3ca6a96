"""Sentences about how a prediction is decided, and whether the chains of a sampler agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from trellislib.inspection import Decided, GibbsRuns, PredictionPath, Step
from trellislib.metrics import MEASURES
from trellislib.wording import amount, counted, grouped, listed, percent

SETTLED = 1.1  # R-hat up to which chains are commonly taken to agree (Gelman et al., Bayesian Data Analysis)


def about_prediction_path(path: PredictionPath, names: Sequence[str], values: Sequence[Sequence[object]]) -> str:
    """Return how many labels are right, which are wrong by themselves, and which inherit the errors of which inputs.

    Parameters
    ----------
    path : PredictionPath
        As `trellislib.inspection.prediction_path` returns it.
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
    >>> from trellislib.inspection import prediction_path
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> chain = ClassifierChain(order=[0, 1]).fit(X, Y)
    >>> about_prediction_path(prediction_path(chain, [[0.9]], truth=[1, 0]), ["beach", "sea"], [["no", "yes"]] * 2)
    '1 of 2 labels right; sea wrong by itself.'
    """
    of_outcome: dict[str, list[Step]] = defaultdict(list)
    for step in path.steps:
        of_outcome[step.outcome].append(step)
    named = {outcome: listed([names[step.label] for step in steps]) for outcome, steps in of_outcome.items()}
    n_set, n_unknown = len(of_outcome["set"]), len(of_outcome["unknown"])
    n_judged = len(path.steps) - n_set - n_unknown
    if not n_judged:
        decided = [f"{names[step.label]} is {values[step.label][step.code]}" for step in path.steps]
        return f"{listed(decided)}; the truth is not known." if n_unknown else f"{listed(decided)}, all set by hand."
    n_right = len(of_outcome["right"]) + len(of_outcome["lucky"])
    parts = [f"{n_right:,} of {counted(n_judged, 'label')} right"]
    if "own error" in named:
        parts.append(f"{named['own error']} wrong by {'itself' if len(of_outcome['own error']) == 1 else 'themselves'}")
    if "inherited error" in named:
        inherited = of_outcome["inherited error"]
        parts.append(
            listed([f"{names[step.label]} inherits the error of {_wrong(step, path, names)}" for step in inherited])
        )
    if "overruled" in named:
        parts.append(f"{named['overruled']} overruled by the inference")
    if "lucky" in named:
        parts.append(f"{named['lucky']} right only because of a wrong input")
    if n_set:
        parts.append(f"{n_set:,} set by hand")
    return f"{'; '.join(parts)}."


def _wrong(step: Step, path: PredictionPath, names: Sequence[str]) -> str:
    """Return the names of the inputs that are wrong."""
    return listed([names[one] for one in step.inputs if path.of(one).true != path.of(one).code])


def about_decided(decided: Decided, names: Sequence[str], values: Sequence[Sequence[object]]) -> str:
    """Return which labels a rule that decides for a score changes, and to which values.

    Parameters
    ----------
    decided : Decided
        As `trellislib.inspection.decided` returns it.
    names : sequence of str
        Of the labels.
    values : sequence of sequence
        The values of each label, in the order of their codes.

    Returns
    -------
    str
        One sentence.

    Examples
    --------
    >>> decided = Decided("accuracy", "one threshold", np.array([0, 0, 1]), np.array([1, 1, 1]))
    >>> about_decided(decided, "abc", [["no", "yes"]] * 3)
    'To decide for accuracy, the rule “one threshold” changes a and b to yes.'
    >>> about_decided(Decided("accuracy", "one threshold", decided.codes, decided.codes), "abc", [["no", "yes"]] * 3)
    'To decide for accuracy, the rule “one threshold” changes no label.'
    """
    to = {label: str(values[label][decided.codes[label]]) for label in decided.changed}
    changes = [f"{listed([names[label] for label in labels])} to {value}" for value, labels in grouped(to)]
    what = "; ".join(changes) or "no label"
    score = f"To decide for {MEASURES[decided.measure].in_words}, the" if decided.measure else "The"
    return f"{score} rule “{decided.rule}” changes {what}."


def about_step(step: Step, names: Sequence[str], classes: Sequence[Sequence[object]]) -> str:
    """Return what features and inputs add to the log-odds of one label, the decision and the truth.

    Parameters
    ----------
    step : Step
        Of `trellislib.inspection.prediction_path`.
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
    >>> from trellislib.inspection import prediction_path
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> chain = ClassifierChain(order=[0, 1]).fit(X, Y)
    >>> seen = prediction_path(chain, [[0.9]], truth=[1, 1], set_to={0: 1})
    >>> print(about_step(seen.steps[0], ["beach", "sea"], [["no", "yes"]] * 2))
    For beach = yes, the features give log-odds of +2.4: a probability of 91.7%.
    It is set by hand to yes, which is right.
    """
    of_label = classes[step.label]
    what = f"{names[step.label]} = {of_label[step.of_code]}"
    text = f"For {what}, the features give log-odds of {step.from_features:+.3g}"
    strongest = np.argsort(-np.abs(step.from_inputs), kind="stable")
    adds = [f"{names[step.inputs[place]]} adds {step.from_inputs[place]:+.3g}" for place in strongest]
    adds = adds[: np.count_nonzero(step.from_inputs)]
    if adds:
        text += f"; {listed(adds)}"
    elif step.inputs:
        text += "; its inputs, each decided its first value, add nothing to that"
    p = float(step.probabilities[step.of_code])
    how = "set by hand to" if step.is_set else "decided"
    text += f": a probability of {percent(p, 1)}. It is {how} {of_label[step.code]}"
    if step.true is None:
        return f"{text}."
    right = "which is right" if step.true == step.code else f"but the truth is {of_label[step.true]}"
    if step.given_true is not None and step.outcome in ("inherited error", "lucky"):
        right += f"; with the truth for its inputs, it would be decided {of_label[step.given_true]}"
    return f"{text}, {right}."


def about_gibbs(runs: GibbsRuns, names: Sequence[str]) -> str:
    """Return whether the chains agree, by the label on which they agree least.

    Parameters
    ----------
    runs : GibbsRuns
        As `trellislib.inspection.gibbs_runs` returns them.
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
    >>> X, Y = [[0.0], [0.0], [0.0], [0.0]] * 50, [[0] * 3, [0] * 3, [1] * 3, [1] * 3] * 50
    >>> triplets = ClassifierDependencyTrellis(random_state=0).fit(X, Y)
    >>> print(about_gibbs(gibbs_runs(triplets, [[0.0]]), ["beach", "sea", "sand"]))
    The chains do not agree yet: the worst label, beach, has an R-hat of 1.27,
    and its 360 draws are as good as 13.4 independent ones.
    """
    r_hat, sizes = runs.r_hat(), runs.effective_sizes()
    worst = int(np.lexsort((sizes, -r_hat))[0])
    if not np.isfinite(r_hat[worst]):
        return f"The chains do not mix: each stays at a value of its own for {names[worst]}."
    agree = "The chains agree" if r_hat[worst] <= SETTLED else "The chains do not agree yet"
    return (
        f"{agree}: the worst label, {names[worst]}, has an R-hat of {amount(float(r_hat[worst]))}, and its "
        f"{runs.n_draws:,} draws are as good as {amount(float(sizes[worst]))} independent ones."
    )
