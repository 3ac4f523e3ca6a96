"""The choices that a table leaves: which columns are labels, which value is relevant, what becomes of gaps."""

from __future__ import annotations

from typing import Any

import streamlit as st
from choices import Choices, Questions
from parts import plain
from uploaded import Upload

from loading.using import few, say_hidden
from trellislib.data import DataError, Table, choose_labels
from trellislib.data.tables.columns import FREE_TEXT
from trellislib.data.tables.label_columns import label_positions
from trellislib.takeaways.words import number_of

DECLARED, LAST, FIRST, NAMED, LISTED = (
    "as the file says",
    "the last columns",
    "the first columns",
    "chosen by name",
    "listed in one column",
)
MOST_NAMES = 5_000  # columns of which a browser can offer the names
PREVIEW_ROWS, PREVIEW_COLUMNS = 5, 40
MOST_SENTENCES = 5  # of how files were read, before they are used; the report has all
MISSING = {"set aside": "left out", "masked": "kept apart, gaps masked"}
TEXTS = {"leave out": "left out", "tf-idf": "words, weighted by TF-IDF"}


def choose(upload: Upload, start: Choices, prefix: str, word: str = "Proposed") -> Choices | None:
    """Ask what the files do not say, beginning with the choices in `start`; None where they make no data set yet.

    The widgets remember their answers under the `prefix`; `word` says what the choices in `start` are.
    """
    ask = _Asking(upload, start, prefix)
    ask.head(word)
    choices = ask.which_labels()
    try:
        table = upload.divided(choices)
        labels = choose_labels(table, choices.labels)
        label_positions(table, labels)
        questions = upload.questions(choices, labels)
    except DataError as error:
        st.warning(plain(str(error)), icon=":material/block:")
        return None
    st.caption(plain(f"{number_of(len(labels), 'label')}: {few(labels)}."))
    return ask.the_rest(choices, table, labels, questions)


class _Asking:
    """The widgets of one form."""

    def __init__(self, upload: Upload, start: Choices, prefix: str) -> None:
        self.upload, self.table, self.start, self.prefix = upload, upload.table, start, prefix

    def key(self, name: str) -> dict[str, Any]:
        """Return what makes a widget remember its answer, also while other pages are looked at."""
        return {"key": f"{name} {self.prefix}", "persist_state": "session"}

    def head(self, word: str) -> None:
        """Say what the files say, and show the first rows."""
        table, title = self.table, plain(self.upload.title)
        if table.labels:
            said = f", as {table.labels_said} says" if table.labels_said else ""
            labels = number_of(len(table.labels), "label")
            said = f"{title} has {labels}{plain(said)}. See whether the rest is as it is meant."
        else:
            start = plain(f"{word}: {self._labels_in_words()}")
            said = f"{title} does not say which of its {len(table.columns):,} columns are labels. {start}"
        st.markdown(said)
        how_read = [*([table.labels_note] if table.labels_note else []), *table.provenance, *table.notes]
        st.caption(plain(" ".join(" ".join(how_read[:MOST_SENTENCES]).split())))
        st.dataframe(self.upload.preview(PREVIEW_ROWS, PREVIEW_COLUMNS), hide_index=True, key=f"preview {self.prefix}")
        say_hidden(len(table.columns), PREVIEW_COLUMNS)

    def _labels_in_words(self) -> str:
        if self.start.split:
            column, separator = self.start.split
            return f"those that column {column} lists, separated by {separator if separator.strip() else 'blanks'}."
        labels = choose_labels(self.table, self.start.labels) if self.start.labels else ()
        return f"{few(labels)}." if labels else "nothing, for no column looks like a label."

    def which_labels(self) -> Choices:
        """Ask which columns are labels; the rest of the choices is as in the beginning."""
        table, start = self.table, self.start
        naming = [NAMED] if len(table.columns) <= MOST_NAMES else []
        named = [name for name, values in zip(table.columns, table.categories, strict=True) if values is not None]
        listing = [LISTED] if named and len(named) <= MOST_NAMES else []
        ways = [*([DECLARED] if table.labels else []), LAST, FIRST, *naming, *listing]
        default = next(way for way in (_way(start), LAST) if way in ways)
        how = st.segmented_control("Labels are", ways, default=default, required=True, **self.key("label choice"))
        if how == DECLARED:
            return Choices()
        if how == LISTED:
            return self._listed(named)
        if how == NAMED:
            chosen = start.labels if isinstance(start.labels, tuple) else self._guess()
            names = st.multiselect("Label columns", table.columns, default=chosen, **self.key("label names"))
            return Choices(tuple(names))
        most = max(len(table.columns) - 1, 1)
        number = abs(start.labels) if isinstance(start.labels, int) else len(self._guess())
        count = st.number_input("How many", 1, most, min(max(number, 1), most), width=140, **self.key("label count"))
        return Choices(-count if how == LAST else count)

    def _listed(self, named: list[str]) -> Choices:
        """Ask for the column that lists labels, and for what separates them."""
        column, separator = self.start.split or (named[0], "")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            column = st.selectbox(
                "Column of lists", named, index=named.index(column), width=220, **self.key("label column")
            )
            separator = st.text_input(
                "Separated by",
                separator,
                max_chars=9,
                width=140,
                help="What stands between two labels of a cell, such as | or a comma; a blank stands for any blanks.",
                **self.key("separator"),
            )
        return Choices(split=(column, separator))

    def _guess(self) -> tuple[str, ...]:
        return () if self.start.split else self.upload.likely_labels

    def the_rest(self, choices: Choices, table: Table, labels: tuple[str, ...], questions: Questions) -> Choices:
        """Ask what else is open with these labels."""
        more: dict[str, Any] = {}
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if questions.relevant:
                more["relevant"] = {}
            for pair, alike in questions.relevant.items():
                more["relevant"] |= dict.fromkeys(alike, self._relevant(pair, alike))
            if questions.n_lacking:
                more["missing_labels"] = self._missing(table, questions)
            texts = [name for name in table.columns if table.unusable.get(name) == FREE_TEXT and name not in labels]
            if texts:
                more["text"] = st.segmented_control(
                    f"{number_of(len(texts), 'column')} of text",
                    TEXTS,
                    format_func=TEXTS.get,
                    default=self.start.text,
                    required=True,
                    help=f"{plain(few(texts))}. Words are weighted over all rows, without a look at labels.",
                    **self.key("text"),
                )
        with st.expander("Leave features out", icon=":material/tune:"):
            chosen = set(labels)
            others = [name for name in table.columns if name not in chosen]
            if len(others) <= MOST_NAMES:
                kept = [name for name in self.start.leave_out if name in others]
                more["leave_out"] = tuple(
                    st.multiselect("Columns to leave out", others, default=kept, **self.key("leave out"))
                )
            more["drop_constant"] = st.checkbox(
                "Features that have a single value", self.start.drop_constant, **self.key("drop constant")
            )
        return Choices(choices.labels, choices.split, **more)

    def _relevant(self, pair: tuple[str, str], alike: tuple[str, ...]) -> str:
        before = self.start.relevant.get(alike[0])
        return st.segmented_control(
            f"Relevant in {plain(alike[0] if len(alike) == 1 else f'{len(alike):,} labels')}",
            pair,
            format_func=plain,
            default=before if before in pair else pair[1],
            required=True,
            help=f"Nothing says which of these two values means that a label applies. Of: {plain(few(alike))}.",
            **self.key(f"relevant {pair}"),
        )

    def _missing(self, table: Table, questions: Questions) -> str:
        n_lacking, n_partly = questions.n_lacking, questions.n_partly
        return st.segmented_control(
            f"{n_lacking:,} of {table.n_rows:,} rows lack labels",
            MISSING,
            format_func=MISSING.get,
            default=self.start.missing_labels,
            required=True,
            help=f"A missing label is never read as 0. {n_partly:,} of these rows know some of their labels: they can "
            "be kept apart, so that what is known of them counts.",
            **self.key("missing labels"),
        )


def _way(choices: Choices) -> str:
    """Return how choices say which columns are labels."""
    if choices.split:
        return LISTED
    if choices.labels is None:
        return DECLARED
    if isinstance(choices.labels, int):
        return LAST if choices.labels < 0 else FIRST
    return NAMED
