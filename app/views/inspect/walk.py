"""One prediction: its labels in the order in which they are decided, and the evidence for each decision."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from components.parts import about_figure, button, figure, plain
from components.player import play
from components.saving import save, table_files
from state import derived
from state.call import Call, Script, known

from trellislib.figures import log_odds_figure, prediction_path_figure, prediction_path_positions
from trellislib.inspection import PredictionPath, Step, decided, prediction_path
from trellislib.labels.graph import LabelGraph
from trellislib.summaries.inspection import about_decided, about_prediction_path, about_step
from trellislib.wording import agreed
from views.inspect import by_hand
from views.inspect.fitting import Fitted

MOST_LISTED = 12  # inputs of a label whose other value is listed


def show(fitted: Fitted, row: int, set_to: dict[int, int], script: Script) -> str:
    """Show the prediction of a test row, some labels set by hand; return its sentence, add its Python to a script."""
    try:
        path = _path(fitted, row, set_to)
        seen = path.value
        before = _path(fitted, row, {}).value if set_to else seen
    except ValueError as error:
        st.warning(plain(str(error)), icon=":material/block:")
        return f"{fitted.key} cannot be followed label by label."
    changed = np.flatnonzero(seen.codes != before.codes).tolist()
    if set_to:
        st.markdown(plain(_about_change(fitted, set_to, changed, seen)))
    if fitted.decides_for:
        st.markdown(plain(_about_decision(fitted, row, set_to)))
    of = (fitted.of, row, tuple(set_to.items()))
    step = play(partial(_step, fitted, path, changed, of), len(seen.steps), of)
    _table(fitted, seen, changed)
    script.add(
        "values = [[data.label_values[label][code] for code in of] for label, of in enumerate(member.coding_.classes)]"
    )
    script.show(_graph(fitted, path, changed, step), _log_odds(fitted, path, step))
    return about_prediction_path(seen, fitted.names, fitted.values)


def _path(fitted: Fitted, row: int, set_to: dict[int, int]) -> Call:
    X, Y = fitted.tested
    asked = {"set_to": set_to} if set_to else {}
    call = Call(prediction_path, fitted.fit, X[[row]], Y[[row]], **asked).named("seen")
    return call.found_by(lambda: path_of(fitted.of, fitted, row, tuple(set_to.items())))


def _graph(fitted: Fitted, path: Call, changed: list[int], step: int) -> Call:
    given = {"changed": changed} if changed else {}
    values, positions = known("values", fitted.values), _positions(fitted, path, step)
    return Call(prediction_path_figure, path, fitted.data.label_names, values, positions, step, **given)


def _positions(fitted: Fitted, path: Call, step: int) -> Call:
    """Return the call that places the labels at a step: on the trellis, or as every graph does."""
    graph, given = fitted.member.graph_, {}
    if hasattr(fitted.member, "trellis_"):
        given = {"lattice": fitted.fit.trellis_}
    elif graph.edges and not graph.is_complete:
        given = {"elsewhere": derived.positions(fitted.data)}
    return Call(prediction_path_positions, path, step, **given).named("places")


def _log_odds(fitted: Fitted, path: Call, step: int) -> Call:
    return Call(log_odds_figure, path.steps[step], fitted.data.label_names, known("values", fitted.values))


@st.cache_resource(max_entries=64, ttl="6h", show_spinner="Following the prediction…")
def path_of(of: Hashable, _fitted: Fitted, row: int, set_to: tuple[tuple[int, int], ...]) -> PredictionPath:
    """Return the path of a prediction; it must never be changed."""
    return prediction_path(_fitted.member, _fitted.X_test[[row]], _fitted.Y_test[[row]], dict(set_to) or None)


def _about_decision(fitted: Fitted, row: int, set_to: dict[int, int]) -> str:
    """Return what deciding for a score changes, and that the path is without it."""
    sentence = about_decided(decided(fitted.decider, fitted.X_test[[row]]), fitted.names, fitted.values)
    return f"{sentence} The steps below are without it" + " and without labels set by hand" * bool(set_to) + "."


def _about_change(fitted: Fitted, set_to: dict[int, int], changed: list[int], seen: PredictionPath) -> str:
    """Return which labels change by those that were set by hand."""
    named = by_hand.named(fitted, set_to)
    after = [label for label in changed if label not in set_to]
    below = {label for one in set_to for label in seen.downstream(one)} - set(set_to)
    if not after:
        return f"Set by hand: {named}. None of {len(below)} dependent labels changes."
    now = ", ".join(f"{fitted.names[label]} to {fitted.values[label][seen.codes[label]]}" for label in after[:6])
    more = f" and {len(after) - 6} more" * (len(after) > 6)
    n_changed = f"{len(after)} of {len(below)} dependent labels {agreed(len(after), 'changes', 'change')}"
    return f"Set by hand: {named}. {n_changed}: {now}{more}."


def _step(fitted: Fitted, path: Call, changed: list[int], of: Hashable, place: int) -> None:
    seen, positions = path.value, _positions(fitted, path, place).value
    step = seen.steps[place]
    sentence = about_step(step, fitted.names, fitted.values)
    stem = f"{fitted.dataset.name}-{fitted.key}-step-{place + 1}"
    left, right = st.columns([5, 3], gap="medium")
    with left:
        figure(
            _graph(fitted, path, changed, place),
            alt=sentence,
            key=f"prediction path {hash(of)}",
            stem=stem,
            caption=_legend(fitted, seen, int(np.isfinite(positions[:, 0]).sum()), is_changed=bool(changed)),
            on_click=partial(_go_to, seen),
        )
        if fitted.outcome_note:
            overruled = "Overruled: wrong, although its inputs and its most probable value are right."
            about_figure(plain(f"{fitted.outcome_note} {overruled}"))
    with right:
        st.markdown(plain(sentence))
        n_values = len(fitted.values[step.label])
        if n_values > 1:
            other = (step.code + 1) % n_values
            button(
                plain(f"Set {fitted.names[step.label]} to {fitted.values[step.label][other]}"),
                "flip",
                "swap_horiz",
                by_hand.set_label,
                step.label,
                other,
                shortcut="F",
                help="See which dependent labels change.",
            )
        figure(
            _log_odds(fitted, path, place),
            alt=sentence,
            key="log-odds",
            stem=f"{stem}-log-odds",
            caption="Log-odds by the features, and what each input adds. An input at its first value adds nothing. "
            "Above 0 the value is more probable than not. The limit is 20.7, a probability within a billionth of 0 or "
            "1.",
            more={"table": table_files(_inputs(fitted, step))},
        )
        if step.inputs:
            st.markdown("If one input had another value:")
            st.dataframe(
                _inputs(fitted, step).drop(columns="of").head(MOST_LISTED),
                hide_index=True,
                column_config={
                    name: st.column_config.NumberColumn(format="%.3g") for name in ("log-odds", "p if otherwise")
                },
            )


def _legend(fitted: Fitted, seen: PredictionPath, n_drawn: int, *, is_changed: bool) -> str:
    of = "parents" if isinstance(seen.graph, LabelGraph) else "final decisions of its neighbours"
    legend = f"p: probability of the decision given the features and the {of}."
    legend += " Inherited error: wrong, but right with true inputs. Lucky: right, but wrong with true inputs."
    if is_changed:
        legend += " A ring marks changed labels."
    if n_drawn < len(fitted.names):
        legend += f" The figure shows the {n_drawn} of {len(fitted.names):,} labels nearest to that of the step."
    return legend + " Click a label to see its step."


def _go_to(seen: PredictionPath, point: list) -> None:
    st.session_state["step"] = seen.of(int(point[0])).place + 1


def _inputs(fitted: Fitted, step: Step) -> pd.DataFrame:
    """Return a row for each input of a label, first those whose other value would change most."""
    value = fitted.values[step.label][step.of_code]
    table = pd.DataFrame(
        {
            "input": [fitted.names[label] for label in step.inputs],
            "decided": [fitted.values[one][code] for one, code in zip(step.inputs, step.input_codes, strict=True)],
            "log-odds": step.from_inputs,
            "p if otherwise": step.if_changed,
        }
    )
    table["of"] = f"{fitted.names[step.label]} = {value}"
    return table.iloc[np.argsort(-np.abs(step.if_changed - step.probabilities[step.of_code]), kind="stable")]


def _table(fitted: Fitted, seen: PredictionPath, changed: list[int]) -> None:
    table = pd.DataFrame(
        {
            "step": step.place + 1,
            "label": fitted.names[step.label],
            "decided": fitted.values[step.label][step.code],
            "probability": step.probabilities[step.code],
            "true": "" if step.true is None else fitted.values[step.label][step.true],
            "outcome": step.outcome,
            "given true inputs": "" if step.given_true is None else fitted.values[step.label][step.given_true],
            "changed": step.label in changed,
        }
        for step in seen.steps
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.header("All labels", anchor=False)
        save(f"{fitted.dataset.name}-{fitted.key}-labels", table=table_files(table))
    st.dataframe(table, hide_index=True, column_config={"probability": st.column_config.NumberColumn(format="%.3g")})
