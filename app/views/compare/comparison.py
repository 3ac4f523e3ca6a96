"""What the parts of Compare are given: the results by one score, where controls are, and the script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st
from components.tables import name_of
from state.call import Call, Script, known
from streamlit.delta_generator import DeltaGenerator

from trellislib.experiment import COSTS, Results, Store
from trellislib.metrics import MEASURES
from views.compare.runs import Shown

MOST_NAMES = 6  # methods whose names fit a figure of half the width


@dataclass
class Comparison:
    """The results of the runs that are shown, by the score `key`, which is empty where no fit has scores."""

    answer: Callable[[str], None]  # shows the sentence that answers the page's question
    shown: Shown
    results: Results
    controls: DeltaGenerator  # the row of controls
    more: DeltaGenerator  # the box of further ones
    script: Script = field(default_factory=Script)
    key: str = ""

    @classmethod
    def chosen(cls, answer: Callable[[str], None], shown: Shown, controls: DeltaGenerator) -> Comparison:
        """Ask what of the results of runs is compared, and by which score."""
        more = st.expander("More: which data sets and methods, how to rank", icon=":material/tune:")
        made = cls(answer, shown, shown.results, controls, more)
        made._begin_script()
        with more:
            if len(made.results.datasets) > 1:
                made._narrow("datasets", "Data sets", made.results.datasets)
            made._narrow("methods", "Methods", made.results.methods)
        measures = [key for key in made.results.measures if key in MEASURES]
        if measures:
            costs = [] if made.is_one else [key for key in made.results.measures if key in COSTS]
            made.key = controls.selectbox(
                "Score",
                [*measures, *costs],
                format_func=name_of,
                key="score",
                bind="query-params",
                width=185,
                help="  \n".join(f"**{MEASURES[key].name}**: {MEASURES[key].description}" for key in measures),
            )
        return made

    @property
    def is_one(self) -> bool:
        """Whether it is on one data set."""
        return len(self.results.datasets) == 1

    @property
    def has_many_methods(self) -> bool:
        """Whether there are too many methods for a figure of half the width."""
        return len(self.results.methods) > MOST_NAMES

    @property
    def call(self) -> Call:
        return known("results", self.results)

    def _begin_script(self) -> None:
        shown, script = self.shown, self.script
        if not shown.is_stored:
            script.add(shown.code)
            if not shown.is_evaluation:
                script.add("results = result")
            return
        script.add(f"# The file has the Python that trained them, too: print(Store().runs().code[{shown.numbers[0]}])")
        script.use(Call(Store).results(sorted(shown.numbers)).named("results"))

    def _narrow(self, what: str, label: str, offered: tuple[str, ...]) -> None:
        key = f"{what}-{self.shown.joined}"
        picked = st.multiselect(label, offered, default=offered, key=key, bind="query-params")
        if not picked or tuple(picked) == offered:
            return
        if not self.shown.is_evaluation:
            self.script.add(f"results = results.select({what}={picked})")
        self.results = self.results.select(**{what: picked})
