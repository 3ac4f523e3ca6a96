"""The structures of the Graphs and Trellis pages: what finds each, as a call that is run and shown as Python."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.util import find_spec

import trellislib.figures
import trellislib.graphs
from state.sources import Source
from state.trellis_scores import BESIDE, FOLDS
from state.tuning import MUTUAL_INFORMATION, SEARCH, Shape
from trellislib.data import Dataset
from trellislib.dependence.information import WHOLE_LABELS
from trellislib.graphs import LabelGraph

TRUE, TRELLIS = "True graph", "Trellis"
HAS_PC = find_spec("causallearn") is not None
MOST_PC = 40  # labels; above, PC takes minutes
LEADS = {"signed": "LEAD (signed)", "error": "LEAD (error)"}  # by the residuals that it looks at
RESIDUALS = {"signed": "signed: on which side", "error": "error: whether wrong"}  # in words, to be chosen


@dataclass(frozen=True)
class Call:
    """A call of a function of `trellislib.graphs` on parts of a data set."""

    function: str
    inputs: tuple[str, ...]
    arguments: tuple[tuple[str, object], ...]
    tested: bool = False  # whether the p-value of every pair goes with it

    def run(self, *inputs: object, **more: object) -> LabelGraph:
        return getattr(trellislib.graphs, self.function)(*inputs, **more, **dict(self.arguments))

    @property
    def code(self) -> str:
        given = list(self.inputs) + ["p_values=p_values(counts, information)"] * self.tested
        given += [f"{name}={value!r}" for name, value in self.arguments]
        return f"{self.function}({', '.join(given)})"


def calls(max_parents: int, level: float, seed: int) -> dict[str, Call]:
    """Return the call that finds each structure, by name."""
    knobs = (("max_parents", max_parents), ("level", level), ("random_state", seed))
    found = {
        "FS": Call("fs", ("Y",), knobs),
        "LEAD (signed)": Call("lead", ("X", "Y"), (("residuals", "signed"), *knobs)),
        "LEAD (error)": Call("lead", ("X", "Y"), (("residuals", "error"), *knobs)),
        "MI tree": Call("mutual_information_tree", ("information",), knobs[1:], tested=True),
    }
    return found | ({"PC": Call("pc", ("Y",), knobs)} if HAS_PC else {})


def trellis_code(shape: Shape) -> str:
    """Return the call that places the labels into the trellis of the Trellis page."""
    swaps = "".join(f".swapped({one}, {other})" for one, other in shape.swaps)
    if shape.placement in METHOD_ONLY:
        return f"{_method(shape.unswapped)}.fit(X, Y).graph_{swaps}"
    return f"trellis({MATRICES[shape.guide]}, {_given(shape.placing)}){swaps}"


def _method(shape: Shape) -> str:
    return f"ClassifierTrellis({_given(shape.arguments)})"


def _given(arguments: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in arguments.items())


def script(source: Source, data: Dataset, made: Mapping[str, str], then: Collection[str] = ()) -> str:
    """Return Python that makes graphs, each by its call, and the lines that come `then`.

    These may use `graphs`, `counts`, `information`, `signs`, `names`, `X` and `Y`.
    """
    signs = "phi_coefficients(counts)" if data.is_multilabel else "None"
    measure = "information_of_counts" if data.n_labels <= WHOLE_LABELS else "whole_or_rows"
    lines = ["names = data.label_names", "counts = pair_counts(Y)", f"information = {measure}(counts)"]
    lines += [f"signs = {signs}"]
    if made:
        lines += ["graphs = {", *(f"    {name!r}: {call}," for name, call in made.items()), "}"]
    return _complete(source, data, [*lines, *then])


def placing_script(
    source: Source,
    data: Dataset,
    shape: Shape,
    scored: Collection[str] = (),
    then: Collection[str] = (),
    *,
    in_place: bool = False,
) -> str:
    """Return Python that places labels into a trellis, sums up what it captures, and scores it beside `scored`.

    Labels that changed places by hand are scored in their places, others where that is asked for.
    Lines that come `then` may use `placed`, `dependence`, `names` and `signs`.
    """
    matrix = MATRICES[shape.guide]
    by_method = shape.placement in METHOD_ONLY
    made = [f"method = {_method(shape)}"]
    placed = "method.fit(X, Y).graph_" if by_method else trellis_code(shape.unswapped).replace(matrix, "dependence")
    lines = [f"dependence = {matrix}", *(made if by_method else []), f"placed = {placed}"]
    if shape.swaps:
        lines += [f"for one, other in {list(shape.swaps)!r}:", "    placed = placed.swapped(one, other)"]
    if shape.swaps or in_place:
        made = [f"method = {IN_PLACE}"]
        lines += made if scored else []
        by_method = True
    lines += ["print(placed.order, captured_dependence(placed, dependence))"]
    if scored:
        filled = "replace(data, X=X)" if data.n_missing else "data"
        folds = "" if data.n_instances >= FOLDS else f", cv={data.n_instances}"
        beside = ", ".join(f"{name!r}: {BESIDE[name]!r}" for name in scored)
        lines += ["", f"cv = CrossValidation({filled}{folds}, scale=True)", *([] if by_method else made)]
        lines += [f"for name, tried in {{'CT': method, {beside}}}.items():"]
        lines += ["    print(name, cv.scores(tried).mean().to_dict())"]
    if then:
        signs = "phi_coefficients(pair_counts(Y))" if data.is_multilabel else "None"
        lines += ["", "names = data.label_names", *([f"signs = {signs}"] if "signs" in "".join(then) else []), *then]
    return _complete(source, data, lines)


def _complete(source: Source, data: Dataset, lines: list[str]) -> str:
    """Return the lines after what they need: imports and data."""
    body = "\n".join(lines)
    if data.n_labels > WHOLE_LABELS:  # the matrix of all pairs would take hundreds of megabytes
        body = body.replace(MATRICES[MUTUAL_INFORMATION], "whole_or_rows(pair_counts(Y))")
        body = body.replace("phi_coefficients(", "PhiRows(")
    fills = bool(data.n_missing) and "X" in body
    imports = ["from dataclasses import replace", ""] if "replace(data" in body else []
    imports += ["import numpy as np", ""] if "np." in body else []
    imports += ["from sklearn.impute import SimpleImputer", ""] if fills else []
    imports += _imports("trellislib", METHODS, body)
    imports.append(f"from trellislib.data import {source.function}")
    imports += _imports("trellislib.dependence", IMPORTED, body)
    imports += _imports("trellislib.figures", trellislib.figures.__all__, body)
    imports += _imports("trellislib.graphs", trellislib.graphs.__all__, body)
    imports += _imports("trellislib.experiment.rescoring", ("CrossValidation",), body)
    features = "SimpleImputer(keep_empty_features=True).fit_transform(data.X)" if fills else "data.X"
    return "\n".join([*imports, "", f"data = {source.code}", f"X, Y = {features}, data.Y", body])


def _imports(module: str, offered: Collection[str], body: str) -> list[str]:
    used = sorted(word for word in offered if re.search(rf"\b{word}\(", body))
    return [f"from {module} import {', '.join(used)}"] if used else []


IN_PLACE = "ClassifierTrellis(width=placed.width, parents=placed.offsets, placement=placed.order)"
METHOD_ONLY = ("explained", SEARCH)  # placements that `trellislib.graphs.trellis` does not know
METHODS = ("ClassifierTrellis", *(type(method).__name__ for method in BESIDE.values()))
IMPORTED = (
    "PhiRows",
    "co_occurrence",
    "information_of_counts",
    "label_tree",
    "mutual_information",
    "p_values",
    "pair_counts",
    "phi_coefficients",
    "pooled",
    "residual_information",
    "shared_entropy",
    "whole_or_rows",
)
MATRICES = {  # what guides a trellis, as a call
    MUTUAL_INFORMATION: "mutual_information(Y)",
    "co-occurrence": "co_occurrence(pair_counts(Y))",
    "residual": "residual_information(X, Y)",
}

MEANINGS = {
    "FS": "marginal dependence: labels that occur together, whatever the features",
    "LEAD (signed)": "conditional dependence: on which side classifiers of the features miss together",
    "LEAD (error)": "conditional dependence as in the paper: whether they miss together",
    "MI tree": "the tree of the most mutual information: its significant edges",
    "PC": "tests of conditional independence",
    TRUE: "what the data were simulated from",
    TRELLIS: "the lattice of the Trellis page",
}
