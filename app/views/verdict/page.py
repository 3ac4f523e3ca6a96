"""Verdict: whether label structure is worth it on the data that are loaded, and what to use."""

from functools import partial
from typing import cast

import streamlit as st
from components.parts import asking, foot, opening, plain
from components.saving import report
from state import session
from state.call import Call, Script
from state.inquiry import Inquiry

from trellislib import advise
from trellislib.metrics import MEASURES, decision_measures
from trellislib.report import verdict_report
from trellislib.running.progress import about
from views.verdict import found

TITLE = "Is label structure worth it?"
TIMES = (10, 60, 300, 1800)  # seconds

ask = asking(
    verdict_score="The score that all methods decide for and are compared by.",
    verdict_seconds="More time allows more rows, base learners and repeats of the folds.",
)

workspace = session.workspace()
data = workspace.dataset
answer = opening(TITLE)
with st.container(horizontal=True, vertical_alignment="bottom"):
    score = ask(
        st.selectbox,
        "Decide for",
        "verdict_score",
        decision_measures(binary=data.is_multilabel),
        format_func=lambda key: MEASURES[key].in_words,
        width=180,
    )
    seconds = ask(st.selectbox, "Time", "verdict_seconds", TIMES, index=1, format_func=about, width=120)
    place = st.container()
key = ("verdict", data.digest, score, seconds)
job = workspace.job(key)
if job and job.state == "cancelled" and job.result is None:  # while it waited
    job = None
asked, going_on = Inquiry(data, score, seconds), cast(Inquiry | None, job.work if job else None)
offered = f"Compare, {about(seconds)}" if job is None else "Comparing" if job.is_active else "Compare again"
with place:
    st.button(
        offered,
        key="verdict",
        icon=":material/gavel:",
        type="primary" if job is None else "secondary",
        disabled=bool(job and job.is_active),
        on_click=workspace.start,
        args=(key, asked),
    )
if job is None:
    answer.markdown(
        plain(
            f"One click compares independent classifiers, chains and trellises on {data.name} by "
            f"{MEASURES[score].in_words}. It takes at most {about(seconds)}."
        )
    )
    found.what_it_does()
elif job.is_active and going_on:
    found.so_far(job, going_on, answer)
    found.what_it_does()
elif job.state == "failed":
    answer.markdown("The comparison failed, so there is no answer.")
    st.error(plain(job.error), icon=":material/error:")
else:
    found.show(job.result, answer)
advice = Call(advise, workspace.call, score, seconds).named("advice")
script = Script().use(advice).print(advice)
if job is not None and job.state == "done":
    report(f"{data.name}-verdict", partial(verdict_report, job.result, data, str(script)))
foot(script)
