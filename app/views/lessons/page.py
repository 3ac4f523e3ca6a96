"""Lessons: what each of them asks, and the way into it."""

import streamlit as st
from components.parts import head, plain

from views.lessons.frame import NUMBERS, view
from views.lessons.text import read

texts = [read(number) for number in NUMBERS]
head(
    "Lessons",
    f"{len(texts)} lessons of about {sum(text.minutes for text in texts)} minutes in total teach how labels depend on "
    "each other, and how chains and trellises use it. Numbers are computed on the page.",
)
st.page_link("views/poll/page.py", label="Ask a class", icon=":material/how_to_vote:")
st.caption("Times in lesson 5 were measured beforehand. Scores and times in lesson 6 are partly the paper's.")
for text in texts:
    with st.container(border=True):
        st.page_link(view(text.number), label=f"**{text.number}. {plain(text.title)}**")
        st.markdown(plain(text.question))
        st.caption(f"About {text.minutes} minutes. In the paper: {plain(text.paper)}.")
