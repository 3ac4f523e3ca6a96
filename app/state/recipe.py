"""The Python that trains and compares what a page did, with the same numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sklearn.base import BaseEstimator

from state.call import Call, Script, known
from state.sources import Source
from trellislib.experiment import Budget, Given, KFold, Split, evaluate, run


def comparison(
    sources: Sequence[Source],
    methods: Sequence[Mapping[str, BaseEstimator]],
    protocol: KFold | Split | Given,
    seed: int,
    budget: Budget | None = None,
) -> Script:
    """Return a script that trains and scores `methods`, those of each source, on the data of `sources`."""
    script, cv = Script(), _cv(protocol)
    if len(sources) == 1 and budget is None and cv is not None:
        data = sources[0].call
        made = script.use(data).let("methods", dict(methods[0]))
        result = Call(evaluate, data, made, cv=cv, seed=seed).named("result")
        return script.use(result).add("print(result.summary().T)")
    data = script.let("data", [source.call.named("") for source in sources])
    script.let("methods", [dict(of_one) for of_one in methods])
    script.add("of_data = {one.digest: methods_of_one for one, methods_of_one in zip(data, methods)}")
    of_one = known("lambda one: of_data[one.digest]", None)
    limits = {} if budget is None else {"budget": budget}
    script.use(Call(run, data, of_one, protocol, seeds=[seed], **limits).named("result"))
    return script.add("for key in result.measures:\n    print(key, result.table(key), sep='\\n')")


def _cv(protocol: KFold | Split | Given) -> int | float | None:
    """Return how `evaluate` calls a protocol, None where only `run` knows it."""
    if isinstance(protocol, Split):
        return protocol.test
    return protocol.folds if isinstance(protocol, KFold) and protocol.repeats == 1 else None
