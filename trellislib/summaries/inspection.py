"""Sentences about how a prediction is decided, and whether the chains of a sampler agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from trellislib.inspection import Decided, GibbsRuns, PredictionPath, Step
from trellislib.metrics import MEASURES
from trellislib.wording import agreed, amount, counted, grouped, listed, percent

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
        A few sentences; labels set by hand and labels whose truth is unknown are not judged.

    Examples
    --------
    >>> from trellislib import ClassifierChain
    >>> from trellislib.inspection import prediction_path
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> chain = ClassifierChain(order=[0, 1]).fit(X, Y)
    >>> about_prediction_path(prediction_path(chain, [[0.9]], truth=[1, 0]), ["beach", "sea"], [["no", "yes"]] * 2)
    '1 of 2 labels is right. sea is wrong by itself.'
    """
    of_outcome: dict[str, list[Step]] = defaultdict(list)
    for step in path.steps:
        of_outcome[step.outcome].append(step)
    named = {outcome: listed([names[step.label] for step in steps]) for outcome, steps in of_outcome.items()}
    n_set, n_unknown = len(of_outcome["set"]), len(of_outcome["unknown"])
    n_judged = len(path.steps) - n_set - n_unknown
    if not n_judged:
        decided = [f"{names[step.label]} is {values[step.label][step.code]}" for step in path.steps]
        return f"{listed(decided)}. The truth is not known." if n_unknown else f"{listed(decided)}, all set by hand."
    n_right = len(of_outcome["right"]) + len(of_outcome["lucky"])
    parts = [f"{n_right:,} of {counted(n_judged, 'label')} {agreed(n_right, 'is', 'are')} right."]
    if "own error" in named:
        n_own = len(of_outcome["own error"])
        how = agreed(n_own, "is wrong by itself", "are wrong by themselves")
        parts.append(f"{named['own error']} {how}.")
    if "inherited error" in named:
        inherited = of_outcome["inherited error"]
        heirs = [f"{names[step.label]} inherits the error of {_wrong(step, path, names)}" for step in inherited]
        parts.append(f"{listed(heirs)}.")
    if "overruled" in named:
        is_so = agreed(len(of_outcome["overruled"]), "is", "are")
        parts.append(f"{named['overruled']} {is_so} overruled by the inference.")
    if "lucky" in named:
        is_so = agreed(len(of_outcome["lucky"]), "is", "are")
        parts.append(f"{named['lucky']} {is_so} right only because of a wrong input.")
    if n_set:
        parts.append(f"{counted(n_set, 'label')} {agreed(n_set, 'is', 'are')} set by hand.")
    return " ".join(parts)


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
    'The rule “one threshold” changes a and b to yes to decide for accuracy.'
    >>> about_decided(Decided("accuracy", "one threshold", decided.codes, decided.codes), "abc", [["no", "yes"]] * 3)
    'The rule “one threshold” changes no label to decide for accuracy.'
    """
    to = {label: str(values[label][decided.codes[label]]) for label in decided.changed}
    changes = [f"{listed([names[label] for label in labels])} to {value}" for value, labels in grouped(to)]
    what = ", ".join(changes) or "no label"
    score = f" to decide for {MEASURES[decided.measure].in_words}" if decided.measure else ""
    return f"The rule “{decided.rule}” changes {what}{score}."


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
        A few sentences. Log-odds are in nats. Of probabilities nearer to 0 and 1 than a billionth, those of a
        billionth.

    Examples
    --------
    >>> from trellislib import ClassifierChain
    >>> from trellislib.inspection import prediction_path
    >>> X, Y = [[0.0], [0.2], [0.8], [1.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> chain = ClassifierChain(order=[0, 1]).fit(X, Y)
    >>> seen = prediction_path(chain, [[0.9]], truth=[1, 1], set_to={0: 1})
    >>> print(about_step(seen.steps[0], ["beach", "sea"], [["no", "yes"]] * 2))
    The features give beach = yes log-odds of +2.4. Its probability is 91.7%.
    It is set by hand to yes, which is right.
    """
    of_label = classes[step.label]
    what = f"{names[step.label]} = {of_label[step.of_code]}"
    text = f"The features give {what} log-odds of {step.from_features:+.3g}."
    strongest = np.argsort(-np.abs(step.from_inputs), kind="stable")
    adds = [f"{names[step.inputs[place]]} adds {step.from_inputs[place]:+.3g}" for place in strongest]
    adds = adds[: np.count_nonzero(step.from_inputs)]
    if adds:
        text += f" {listed(adds)}."
    elif step.inputs:
        text += " Its inputs have their first values and add nothing."
    p = float(step.probabilities[step.of_code])
    how = "set by hand to" if step.is_set else "decided"
    text += f" Its probability is {percent(p, 1)}. It is {how} {of_label[step.code]}"
    if step.true is None:
        return f"{text}."
    right = "which is right" if step.true == step.code else f"but the truth is {of_label[step.true]}"
    if step.given_true is not None and step.outcome in ("inherited error", "lucky"):
        right += f". With true inputs it would be decided {of_label[step.given_true]}"
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
        Two sentences; chains agree up to an R-hat of `SETTLED`.

    Examples
    --------
    >>> from trellislib import ClassifierDependencyTrellis
    >>> from trellislib.inspection import gibbs_runs
    >>> X, Y = [[0.0], [0.0], [0.0], [0.0]] * 50, [[0] * 3, [0] * 3, [1] * 3, [1] * 3] * 50
    >>> triplets = ClassifierDependencyTrellis(random_state=0).fit(X, Y)
    >>> print(about_gibbs(gibbs_runs(triplets, [[0.0]]), ["beach", "sea", "sand"]))
    The chains do not agree yet. The worst label, beach, has an R-hat of 1.27
    and an effective sample size of 13.4 (360 draws).
    """
    r_hat, sizes = runs.r_hat(), runs.effective_sizes()
    worst = int(np.lexsort((sizes, -r_hat))[0])
    if not np.isfinite(r_hat[worst]):
        return f"The chains do not mix. Each stays at a different value of {names[worst]}."
    agree = "The chains agree" if r_hat[worst] <= SETTLED else "The chains do not agree yet"
    return (
        f"{agree}. The worst label, {names[worst]}, has an R-hat of {amount(float(r_hat[worst]))} "
        f"and an effective sample size of {amount(float(sizes[worst]))} ({runs.n_draws:,} draws)."
    )
