"""The options of the methods as a table: which parameter of which methods each of them sets, and to what.

Parameters are named as scikit-learn names them, so that ``inference__width`` is the width of a method's inference.
An option is shown where a selected method has it, and starts from the default that its methods share.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from sklearn.base import clone

from trellislib import AncestralSampling, BeamSearch, Exhaustive, GibbsSampling, Greedy
from trellislib.inference import Inference
from trellislib.methods import METHODS
from trellislib.running.extras import is_installed

Settings = dict[str, Any]
"""The parameters of a method that are not as they are by default."""


@dataclass(frozen=True)
class Option:
    """One control: a choice of words for values, or a number between bounds."""

    parameter: str
    label: str
    methods: tuple[str, ...]
    choices: Mapping[str, Any] | tuple[float, float]
    help: str
    only: tuple[str, tuple[Any, ...]] | None = None  # a parameter, and the values of it that make this one matter

    @property
    def is_number(self) -> bool:
        return isinstance(self.choices, tuple)

    def key(self, inference: str) -> str:
        """Return the name of the widget and in the address, one for each inference that the parameter may belong to."""
        return f"{self.parameter}-{'-'.join(self.methods)}{inference}"

    def matters(self, method: str, settings: Settings) -> bool:
        """Return whether it changes anything for a method that is set like this."""
        nested = self.parameter.partition("__")[2]
        if nested and nested not in inference_of(method, settings).get_params():
            return False
        return self.only is None or value_of(method, self.only[0], settings) in self.only[1]


def _inference(methods: tuple[str, ...], choices: Mapping[str, Inference], label: str = "Inference") -> list[Option]:
    """Return the options of how methods decide; the first of the choices is their default."""
    return [
        Option("inference", label, methods, choices, "How the labels of an instance are decided, given the fits."),
        Option(
            "inference__width", "Beam width b", methods, (1, 1000), "How many beginnings of label vectors are kept."
        ),
        Option("inference__n_samples", "Samples", methods, (1, 10_000), "Label vectors drawn for each instance."),
        Option(
            "inference__maximize",
            "Decide by",
            methods,
            {"joint": "joint", "marginals": "marginals"},
            "Joint takes the most probable label vector, which is best for the exact match. Marginals take each "
            "label's most probable value, which is best for the Hamming score.",
        ),
        Option(
            "inference__n_iterations", "Sweeps T", methods, (2, 10_000), "Sweeps of Gibbs sampling over all labels."
        ),
        Option(
            "inference__n_burn_in",
            "Burn-in T_c",
            methods,
            (0, 9_999),
            "Sweeps that are discarded. They must be fewer than T.",
        ),
    ]


GREEDY_OR_SAMPLED = {"greedy": Greedy(), "ancestral sampling": AncestralSampling()}
STRUCTURES = {"FS": "fs", "LEAD": "lead", "MI tree": "tree"} | ({"PC": "pc"} if is_installed("causallearn") else {})
PAYOFFS = {"exact match": "exact_match", "Hamming score": "hamming_score", "log-likelihood": "log-likelihood"}
VOTINGS = {"hard": "hard", "soft": "soft"}

_MEMBERS = "M, the number of fitted members that vote."
_ROWS = "Share of the training rows that each member sees. The authors' code takes 0.67."
_VOTING = (
    "Hard: members vote for values. Soft: their probabilities are averaged, which ranks labels more finely than a few "
    "votes do."
)
_ENSEMBLES = ("ECC", "EBCC", "ECT", "ECDT")

OPTIONS: dict[str, tuple[Option, ...]] = {
    "Chains": (
        Option(
            "order",
            "Order of the chain",
            ("CC", "PCC"),
            {"as they are": None, "random": "random", "by frequency": "frequency", "by information": "information"},
            "By frequency: the most frequent label first. By information: each next label depends most on those "
            "before.",
        ),
        Option("n_orders", "Orders tried", ("MCC",), (1, 1000), "Number of random orders. The best is kept."),
        Option(
            "payoff",
            "Payoff of an order",
            ("MCC", "OCC"),
            PAYOFFS,
            "Score that compares the orders, on a held-out third of the training rows.",
        ),
        *_inference(("CC", "MCC", "OCC"), GREEDY_OR_SAMPLED),
        *_inference(
            ("PCC",),
            {
                "every label vector": Exhaustive(),
                "beam search": BeamSearch(),
                "ancestral sampling": AncestralSampling(),
            },
            "Inference of PCC",
        ),
    ),
    "Discovered graphs": (
        Option(
            "structure",
            "Structure",
            ("BCC", "EBCC"),
            STRUCTURES,
            "FS uses marginal dependence. LEAD uses the residuals of classifiers. The Graphs page draws both.",
        ),
        Option(
            "residuals",
            "Residuals",
            ("BCC", "EBCC"),
            {"signed": "signed", "error (the paper's)": "error"},
            "Residuals of LEAD: the sign of an error, or only whether there is one.",
            only=("structure", ("lead",)),
        ),
        Option(
            "max_parents",
            "Parents at most",
            ("BCC", "EBCC"),
            (1, 20),
            "Largest number of parents of a label.",
            only=("structure", ("fs", "lead", "pc")),
        ),
        *_inference(("BCC", "EBCC"), GREEDY_OR_SAMPLED),
    ),
    "Trellises": tuple(_inference(("CT", "ECT"), GREEDY_OR_SAMPLED)),
    "Gibbs sampling": (
        Option(
            "graph",
            "Random graphs",
            ("RGE",),
            {"trees": "tree", "pairs": "pairs"},
            "Kind of graph that members sample over.",
        ),
        *_inference(("CDN", "CDT", "ECDT", "RGE"), {"Gibbs sampling": GibbsSampling()}),
    ),
    "Ensembles": (
        Option("n_estimators", "Members M", (*_ENSEMBLES, "EPS", "RGE"), (1, 1000), _MEMBERS),
        Option("max_samples", "Rows per member", (*_ENSEMBLES, "RGE"), (0.05, 1.0), _ROWS),
        Option("max_samples", "Rows per member", ("EPS",), (0.05, 1.0), _ROWS),
        Option("voting", "Voting", (*_ENSEMBLES, "EPS"), VOTINGS, _VOTING),
        Option("voting", "Voting", ("RGE",), VOTINGS, _VOTING),
    ),
    "Label powersets": (
        Option(
            "min_count", "Rarest label set", ("PS", "EPS"), (1, 1000), "Label sets that occur less often are pruned."
        ),
        Option("labelset_size", "Labels in a set k", ("RAkEL",), (1, 12), "Each powerset has up to 2^k classes."),
        Option(
            "overlapping",
            "Label sets",
            ("RAkEL",),
            {"overlapping": True, "disjoint": False},
            "Overlapping sets vote on each label. Disjoint sets each decide their own labels.",
        ),
        Option(
            "maximize",
            "Decide by",
            ("LP", "PS"),
            {"joint": "joint", "marginals": "marginals"},
            "The most probable label set, or each label's most probable value.",
        ),
    ),
    "Forest": (Option("n_estimators", "Trees", ("MOF",), (1, 5000), "Number of trees. Each predicts all labels."),),
}


def value_of(method: str, parameter: str, settings: Settings) -> Any:
    if parameter in settings:
        return settings[parameter]
    of, _, nested = parameter.partition("__")
    if nested:
        return inference_of(method, settings).get_params()[nested]
    if of == "inference":
        return _DEFAULT_INFERENCE[method]
    return inspect.signature(METHODS[method].method).parameters[parameter].default


def infers(method: str) -> bool:
    """Return whether a method takes an inference."""
    return method in _DEFAULT_INFERENCE


def inference_of(method: str, settings: Settings) -> Inference:
    """Return how a method decides, with its own parameters as they are set."""
    nested = {name.partition("__")[2]: value for name, value in settings.items() if "__" in name}
    return clone(settings.get("inference", _DEFAULT_INFERENCE[method])).set_params(**nested)


def arguments(method: str, settings: Settings) -> dict[str, Any]:
    """Return the settings as the method's constructor takes them."""
    given = {name: value for name, value in settings.items() if "__" not in name}
    if given.keys() != settings.keys() or "inference" in given:
        given["inference"] = inference_of(method, settings)
    return given


_DEFAULT_INFERENCE: dict[str, Inference] = {
    method: next(iter(option.choices.values()))
    for options in OPTIONS.values()
    for option in options
    if option.parameter == "inference" and isinstance(option.choices, Mapping)
    for method in option.methods
}


def controls(methods: Collection[str]) -> tuple[dict[str, Settings], list[str]]:
    """Show the options of `methods`; return the settings of each, and in words what differs from the defaults."""
    settings: dict[str, Settings] = {method: {} for method in methods}
    changed: list[str] = []
    for group, options in OPTIONS.items():
        of_group = [method for method in METHODS if any(method in option.methods for option in options)]
        present = [method for method in of_group if method in settings]
        if not present:
            continue
        st.caption(f"**{group}** ({', '.join(present)})")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for option in options:
                concerned = [
                    method
                    for method in option.methods
                    if method in settings and option.matters(method, settings[method])
                ]
                if concerned and (option.is_number or len(option.choices) > 1):
                    value, words = _control(option, concerned, present, settings[concerned[0]])
                    if words:
                        changed.append(words)
                        for method in concerned:
                            settings[method][option.parameter] = value
    return settings, changed


def _control(option: Option, concerned: list[str], present: list[str], settings: Settings) -> tuple[Any, str]:
    """Show one option; return its value, and in words what it is where that is not its default."""
    default = value_of(concerned[0], option.parameter, settings)
    inference = f"-{type(inference_of(concerned[0], settings)).__name__}" if "__" in option.parameter else ""
    of = ", ".join(concerned)
    label = option.label if concerned == present or of in option.label else f"{option.label} ({of})"
    shared: dict[str, Any] = {"key": option.key(inference), "bind": "query-params", "help": option.help, "width": 210}
    if isinstance(option.choices, tuple):
        least, most = option.choices
        value: Any = st.number_input(label, least, most, default, **shared)
        words = f"{option.label} {value:g}"
    else:
        offered = list(option.choices)
        start = list(map(str, option.choices.values())).index(str(default))
        chosen = st.selectbox(label, offered, index=start, **shared)
        value, words = option.choices[chosen], f"{option.label} {chosen}"
        if chosen == offered[start]:
            return default, ""
    return value, "" if value == default else f"{of}: {words[0].lower()}{words[1:]}"
