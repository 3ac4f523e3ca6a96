"""The structures of the Graphs page: what finds each, with which knobs."""

from __future__ import annotations

from dataclasses import dataclass

from state import derived
from state.call import Call
from trellislib.dependence import PValueRows, p_values
from trellislib.graphs import fs, lead, mutual_information_tree, pc
from trellislib.running.extras import is_installed

TRUE, TRELLIS = "True graph", "Trellis"
HAS_PC = is_installed("causallearn")
MOST_PC = 40  # labels; above, PC takes minutes
LEADS = {"signed": "LEAD (signed)", "error": "LEAD (error)"}  # by the residuals that it looks at
RESIDUALS = {"signed": "signed: the sign of errors", "error": "error: wrong or right"}  # in words, to be chosen
FOUND = ("FS", *LEADS.values(), "MI tree", "PC")

MEANINGS = {
    "FS": "marginal dependence: labels that occur together or exclude each other",
    "LEAD (signed)": "conditional dependence: signed errors of independent classifiers",
    "LEAD (error)": "conditional dependence as in the paper: errors of independent classifiers",
    "MI tree": "significant edges of the tree with the most mutual information",
    "PC": "tests of conditional independence",
    TRUE: "the graph that simulated the data",
    TRELLIS: "the lattice of the Trellis page",
}


@dataclass(frozen=True)
class Structure:
    """A structure that is found in data, and its knobs."""

    name: str
    max_parents: int
    level: float
    seed: int

    def call(self, data: Call) -> Call:
        """Return the call that finds it."""
        drawn = {"level": self.level, "random_state": self.seed}
        if self.name == "MI tree":
            tests = p_values if derived.is_whole(data.value) else PValueRows
            information = derived.information(data)
            tested = Call(tests, derived.counts(data), information)
            return Call(mutual_information_tree, information, p_values=tested, **drawn)
        knobs = {"max_parents": self.max_parents, **drawn}
        for residuals, name in LEADS.items():
            if self.name == name:
                about_rows = derived.weights(data) | derived.groups(data)
                return Call(lead, derived.features(data), data.Y, residuals=residuals, **knobs, **about_rows)
        if self.name == "FS":
            return Call(fs, data.Y, **knobs, **derived.weights(data))
        return Call(pc, data.Y, **knobs)


@derived.call_once
def found(data: Call, structure: Structure) -> Call:
    """Return the label graph that a structure finds."""
    return structure.call(data)
