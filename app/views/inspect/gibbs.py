"""The sweeps of Gibbs sampling for one row: the draws, the running marginals, and whether chains agree."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import button, figure, plain
from components.saving import table_files
from state.call import Call, Script

from trellislib.figures import running_marginals_figure, sweeps_figure
from trellislib.inspection import GibbsRuns, gibbs_runs
from trellislib.summaries.inspection import SETTLED, about_gibbs
from views.inspect import by_hand
from views.inspect.fitting import Fitted

CHAINS = 4
WATCHED = "gibbs_watched"  # the method whose label is watched
MOST_SWEEPS, MOST_CELLS = 2_000, 400_000  # sweeps, and sweeps times labels, that a page waits for


def show(fitted: Fitted, row: int, set_to: dict[int, int], script: Script) -> str:
    """Show the sweeps for a test row, some labels set by hand; return its sentence, add its Python to a script."""
    most = max(20, min(MOST_SWEEPS, MOST_CELLS // len(fitted.names)))
    _keep_within("sweeps", 10, most)
    with st.container(horizontal=True, vertical_alignment="bottom", key="own knobs"):
        n_sweeps = st.number_input(
            "Sweeps T", 10, most, min(200, most), key="sweeps", bind="query-params", width=130,
            help=f"Number of times that all labels are drawn. At most {most:,} here.",
        )  # fmt: skip
        _keep_within("burn_in", 0, int(n_sweeps) - 5)
        n_burn_in = st.number_input(
            "Burn-in", 0, int(n_sweeps) - 5, min(10, int(n_sweeps) - 5), key="burn_in", bind="query-params", width=130,
            help="Number of first sweeps that are discarded (T_c in the paper).",
        )  # fmt: skip
        chain = st.selectbox("Chain", range(1, CHAINS + 1), key="chain", bind="query-params", width=110)
    call = sampled(fitted, row, int(n_sweeps), int(n_burn_in), set_to)
    runs, names = call.value, fitted.data.label_names
    sentence = about_gibbs(runs, fitted.names)
    strip = Call(sweeps_figure, call, names, chain - 1)
    left, right = st.columns(2, gap="medium")
    with left:
        figure(strip, alt=sentence, key="sweeps of a chain", caption=_legend(fitted, set_to))
    with right:
        if st.session_state.get(WATCHED) != fitted.of:  # of other chains, the label that mixes worst
            st.session_state[WATCHED] = fitted.of
            st.session_state["gibbs_label"] = int(np.argmax(runs.r_hat()))
        label = st.selectbox(
            "Label",
            range(len(fitted.names)),
            format_func=lambda one: f"{one + 1}: {fitted.names[one]}",
            key="gibbs_label",
        )
        n_values = len(fitted.values[label])
        chosen = None if n_values <= 2 else st.selectbox(
            "Value", range(1, n_values), format_func=lambda one: fitted.values[label][one], key="gibbs_value"
        )  # fmt: skip
        code, value = _shown_value(fitted, label, chosen)
        column = int(runs.coding.starts[label]) + code - 1
        marginals = Call(running_marginals_figure, call, column, f"{fitted.names[label]} = {value}")
        of_labels: dict[str, Any] = {
            "label": fitted.names,
            "R-hat": runs.r_hat(),
            "effective size": runs.effective_sizes(),
        }
        name, r_hat, size = (values[label] for values in of_labels.values())
        inference = fitted.member.inference_
        mixing = f"{name}: R-hat {r_hat:.3g}, effective size {size:,.3g} of {runs.n_draws:,} draws."
        figure(
            marginals,
            alt=mixing,
            key="running marginals",
            caption=f"{mixing} R-hat is near 1 where chains agree. Above {SETTLED} more sweeps are needed. Chain 1 "
            f"starts from decisions. The method predicts from {inference.n_chains:,} chains with "
            f"{inference.n_iterations:,} sweeps in total.",
            more={"table": table_files(pd.DataFrame(of_labels))},
        )
    script.show(strip, marginals)
    return sentence


def _keep_within(name: str, least: int, most: int) -> None:
    """Keep the number of a box within its range, as of an address or of fewer labels; warn where it was outside."""
    try:
        asked = int(st.session_state.get(name, st.query_params.get(name, least)))
    except ValueError:  # which is no number, and does not count
        return
    kept = min(max(asked, least), most)
    if kept != asked:
        st.session_state[name] = kept
        written = name.replace("_", "-")
        st.warning(
            plain(f"Got {asked:,} for {written}, but expected {least:,} to {most:,}. {kept:,} is used."),
            icon=":material/block:",
        )


def show_refusal(fitted: Fitted) -> str:
    """Show why a method has no sweeps, and offer one that has; return the sentence."""
    sentence = (
        f"{fitted.key} draws no Gibbs sweeps because it decides labels in an order. CDN and CDT use Gibbs sampling."
    )
    st.info(plain(sentence), icon=":material/info:")
    button("Switch to CDT", "switch to CDT", "casino", _switch, type="primary")
    return sentence


def sampled(fitted: Fitted, row: int, n_sweeps: int, n_burn_in: int, set_to: dict[int, int]) -> Call:
    asked = {"n_sweeps": n_sweeps, "n_burn_in": n_burn_in} | ({"set_to": set_to} if set_to else {})
    call = Call(gibbs_runs, fitted.fit, fitted.tested[0][[row]], n_chains=CHAINS, **asked).named("runs")
    return call.found_by(lambda: _sampled(fitted.of, row, asked, call))


@st.cache_resource(max_entries=16, ttl="6h", show_spinner="Sampling…")
def _sampled(of: Hashable, row: int, asked: dict[str, Any], _call: Call) -> GibbsRuns:
    return _call.run()


def _shown_value(fitted: Fitted, label: int, chosen: int | None) -> tuple[int, str]:
    """Return the code whose probability is shown, and how it is written: the first that has a column by default."""
    n_values = len(fitted.values[label])
    code = chosen if n_values > 2 and chosen is not None else 1
    return code, fitted.values[label][min(code, n_values - 1)]


def _legend(fitted: Fitted, set_to: dict[int, int]) -> str:
    """Return the legend of the strip: of labels of many values, the order of the shades."""
    most = max(map(len, fitted.values))
    shades = (
        "dark is a label's first value, bright its second"
        if most <= 2
        else f"the darkest is a label's first value, and the brightest its last of {most}"
    )
    text = f"Each column is a sweep: {shades}. Sweeps left of the dashed line are discarded."
    if set_to:
        text += f" Set by hand and not drawn: {by_hand.named(fitted, set_to)}."
    return text


def _switch() -> None:
    st.session_state["inspected"] = "CDT"
