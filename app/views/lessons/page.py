"""Lessons: what each of them asks, and the way into it."""

import streamlit as st
from components.parts import head, plain

from views.lessons.frame import NUMBERS, view
from views.lessons.text import read

texts = [read(number) for number in NUMBERS]
head(
    "Lessons",
    f"{len(texts)} lessons, about {sum(text.minutes for text in texts)} minutes in all, on what labels tell about each "
    "other, what chains and trellises make of it, and at what price. What they say is computed on the page; only "
    "the times in lesson 5 were measured beforehand, and scores and times in lesson 6 are partly the paper's.",
)
st.page_link("views/poll/page.py", label="Ask a class", icon=":material/how_to_vote:")
for text in texts:
    with st.container(border=True):
        st.page_link(view(text.number), label=f"**{text.number}. {plain(text.title)}**")
        st.markdown(plain(text.question))
        st.caption(f"About {text.minutes} minutes. In the paper: {plain(text.paper)}.")
