"""Labels that are set by hand: the box, the address, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st
from components.parts import plain

from trellislib.wording import listed
from views.inspect.fitting import Fitted

SEPARATOR = "-"


def ask(fitted: Fitted) -> dict[int, int]:
    """Show the box in which labels are set by hand; return their codes."""
    options = [f"{label}{SEPARATOR}{code}" for label, of in enumerate(fitted.values) for code in range(len(of))]
    written = {option: _written(fitted, option) for option in options}
    _read_address(written, fitted.dataset.name)
    st.session_state["set"] = [one for one in st.session_state.get("set", []) if one in written]
    st.multiselect(
        "What if: labels set by hand",
        options,
        format_func=written.__getitem__,
        key="set",
        bind="query-params",
        placeholder="Choose a label and its value",
        help="The label takes this value, and all labels that depend on it are predicted again.",
    )
    return chosen()


def chosen() -> dict[int, int]:
    """Return the codes of labels that are set by hand; of two values of one label, the last counts."""
    pairs = [map(int, one.split(SEPARATOR)) for one in st.session_state.get("set", [])]
    return dict(sorted((label, code) for label, code in pairs))


def set_label(label: int, code: int) -> None:
    kept = [one for one in st.session_state.get("set", []) if int(one.split(SEPARATOR)[0]) != label]
    st.session_state["set"] = [*kept, f"{label}{SEPARATOR}{code}"]


def named(fitted: Fitted, set_to: dict[int, int]) -> str:
    """Return labels and the values that they are set to, as a text."""
    return ", ".join(_written(fitted, f"{label}{SEPARATOR}{code}") for label, code in set_to.items())


def _written(fitted: Fitted, option: str) -> str:
    label, code = map(int, option.split(SEPARATOR))
    return f"{fitted.names[label]} = {fitted.values[label][code]}"


def _read_address(written: Mapping[str, str], name: str) -> None:
    """Set the labels of the address that is opened, by names or numbers; warn of those that cannot be set."""
    asked = [] if "set" in st.session_state else st.query_params.get_all("set")
    if asked and all(one in written for one in asked):
        st.session_state["set"] = asked  # the box itself reads numbers
        return
    known = set(written.values())
    refused = [one for one in asked if one not in known]
    if refused:
        st.warning(
            plain(f"Got {listed(refused)} to set by hand, but expected labels and values of {name}."),
            icon=":material/block:",
        )
