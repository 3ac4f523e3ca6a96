"""The structures of the Graphs page: what finds each of them, as a call that is run and shown as Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from sources import Source
from tuning import MUTUAL_INFORMATION, Shape

import trellislib.graphs
from trellislib.data import Dataset
from trellislib.graphs import LabelGraph

TRUE, TRELLIS = "True graph", "Trellis"
HAS_PC = find_spec("causallearn") is not None
MOST_PC = 40  # labels; above, PC takes minutes


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
    given = ", ".join(f"{name}={value!r}" for name, value in shape.placing.items())
    return f"trellis({MATRICES[shape.guide]}, {given})"


def script(source: Source, data: Dataset, made: Mapping[str, str]) -> str:
    """Return Python that makes graphs, each by its call."""
    counted = ["counts = pair_counts(Y)", "information = information_of_counts(counts)"]
    lines = counted if any("(information" in call for call in made.values()) else []
    lines += ["graphs = {", *(f"    {name!r}: {call}," for name, call in made.items()), "}"]
    return _complete(source, data, [*lines, "for name, graph in graphs.items():", "    print(name, graph.edges)"])


def placing_script(source: Source, data: Dataset, shape: Shape) -> str:
    """Return Python that places labels into a trellis, and sums up what it captures."""
    given = ", ".join(f"{name}={value!r}" for name, value in shape.placing.items())
    lines = [f"dependence = {MATRICES[shape.guide]}", f"placed = trellis(dependence, {given})"]
    return _complete(source, data, [*lines, "print(placed.order, captured_dependence(placed, dependence))"])


def _complete(source: Source, data: Dataset, lines: list[str]) -> str:
    """Return the lines after what they need: imports and data."""
    body = "\n".join(lines)
    fills = bool(data.n_missing) and "X" in body
    imports = ["from sklearn.impute import SimpleImputer", ""] if fills else []
    imports.append(f"from trellislib.data import {source.function}")
    for module, offered in (("trellislib.dependence", IMPORTED), ("trellislib.graphs", trellislib.graphs.__all__)):
        used = sorted(word for word in offered if re.search(rf"\b{word}\(", body))
        imports += [f"from {module} import {', '.join(used)}"] if used else []
    features = "SimpleImputer().fit_transform(data.X)" if fills else "data.X"
    return "\n".join([*imports, "", f"data = {source.code}", f"X, Y = {features}, data.Y", body])


IMPORTED = (
    "co_occurrence",
    "information_of_counts",
    "mutual_information",
    "p_values",
    "pair_counts",
    "residual_information",
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
