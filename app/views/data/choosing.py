"""The choices that a table leaves: which columns are labels, which value is relevant, what becomes of gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

import pandas as pd
import streamlit as st
from components.parts import plain
from state.choices import Choices, Questions
from state.uploaded import Upload

from trellislib.data import DataError, Table, choose_labels
from trellislib.data.tables.columns import DATES, FREE_TEXT
from trellislib.data.tables.features import WITHIN_FOLDS, TextFeatures, no_features
from trellislib.data.tables.label_columns import label_positions
from trellislib.data.tables.label_lists import paths_note
from trellislib.data.tables.recast import KINDS, Kind
from trellislib.wording import agreed, counted, grouped, listed
from views.data.using import few, say_hidden

DECLARED, LAST, FIRST, NAMED, LISTED, LONG = (
    "as the file says",
    "the last columns",
    "the first columns",
    "chosen by name",
    "listed in one column",
    "one in each line",
)
MOST_NAMES = 5_000  # columns of which a browser can offer the names
PREVIEW_ROWS, PREVIEW_COLUMNS = 5, 40
MOST_SENTENCES = 5  # of how files were read, before they are used; the report has all
SEPARATORS = {"|": "bars", ";": "semicolons", ",": "commas", "/": "slashes", "": "blanks"}
MIDNIGHT = "T00:00:00"  # of a date in a file that has dates with times only
LEAST_CELLS = 12  # that list labels, to have an opinion on how many labels there should be
TEXTS = {"leave out": "left out", "tf-idf": "words, weighted by TF-IDF"}


def choose(upload: Upload, start: Choices, prefix: str, word: str = "Proposed") -> Choices | None:
    """Ask what the files do not say, beginning with the choices in `start`; None where they make no data set yet.

    The widgets remember their answers under the `prefix`; `word` says what the choices in `start` are.
    """
    ask = _Asking(upload, start, prefix)
    intro = st.container()
    ask.preview()
    choices = ask.which_labels()
    with intro:
        ask.head(word, choices)
    try:
        table = upload.divided(choices)
        labels = choose_labels(table, choices.labels)
        label_positions(table, labels)
        questions = upload.questions(choices, labels)
    except DataError as error:
        st.warning(plain(str(error)), icon=":material/block:")
        return None
    st.caption(plain(f"{counted(len(labels), 'label')}: {few(labels)}."))
    doubt = doubt_of_split(upload.table, *choices.split, labels) if choices.split else ""
    if doubt:
        st.warning(plain(doubt), icon=":material/help:")
    return ask.the_rest(choices, table, labels, questions)


class _Asking:
    """The widgets of one form."""

    def __init__(self, upload: Upload, start: Choices, prefix: str) -> None:
        self.upload, self.table, self.start, self.prefix = upload, upload.table, start, prefix

    def key(self, name: str) -> dict[str, Any]:
        """Return what makes a widget remember its answer, also while other pages are looked at."""
        return {"key": f"{name} {self.prefix}", "persist_state": "session"}

    def head(self, word: str, choices: Choices) -> None:
        """Say what the files say, and what the choice of labels was in the beginning."""
        table, title = self.table, plain(self.upload.title)
        if table.labels:
            intro = f", as {table.labels_source} says" if table.labels_source else ""
            labels = counted(len(table.labels), "label")
            intro = f"{title} has {labels}{plain(intro)}. Check the rest of the choices."
        else:
            is_so_still = (choices.labels, choices.split, choices.long) == (
                self.start.labels,
                self.start.split,
                self.start.long,
            )
            start = plain(f"{word}{'' if is_so_still else ' at first'}: {self._labels_in_words()}")
            intro = f"{title} does not say which of its {len(table.columns):,} columns are labels. {start}"
        st.markdown(intro)

    def preview(self) -> None:
        """Say how the files were read, and show the first rows."""
        table = self.table
        self.how_read = st.empty()
        self.say_how_read(table)
        rows = _as_dates_are_written(table, self.upload.preview(PREVIEW_ROWS, PREVIEW_COLUMNS))
        st.dataframe(rows, hide_index=True, key=f"preview {self.prefix}")
        say_hidden(len(table.columns), PREVIEW_COLUMNS)

    def say_how_read(self, table: Table) -> None:
        how_read = [*([table.labels_note] if table.labels_note else []), *table.provenance, *table.notes]
        self.how_read.caption(plain(" ".join(" ".join(how_read[:MOST_SENTENCES]).split())))

    def _labels_in_words(self) -> str:
        if self.start.long:
            key, label = self.start.long[:2]
            return f"each line names a label ({label}) of an instance ({key}), which become one row per {key}."
        if self.start.split:
            column, separator = self.start.split
            return f"those that column {column} lists, separated by {separators(separator)}."
        labels = choose_labels(self.table, self.start.labels) if self.start.labels else ()
        return f"{few(labels)}." if labels else f"nothing, for {self.table.why_no_proposal}."

    def which_labels(self) -> Choices:
        """Ask which columns are labels; the rest of the choices is as in the beginning."""
        table, start = self.table, self.start
        naming = [NAMED] if len(table.columns) <= MOST_NAMES else []
        named = [name for name, values in zip(table.columns, table.categories, strict=True) if values is not None]
        listing = [LISTED] if named and len(named) <= MOST_NAMES else []
        long = [LONG] if 2 <= len(table.columns) <= MOST_NAMES and not table.is_sparse else []
        ways = [*([DECLARED] if table.labels else []), LAST, FIRST, *naming, *listing, *long]
        default = next(way for way in (_way(start), LAST) if way in ways)
        how = st.segmented_control("Labels are", ways, default=default, required=True, **self.key("label choice"))
        if how == DECLARED:
            return Choices()
        if how == LISTED:
            return self._listed(named)
        if how == LONG:
            return self._long()
        if how == NAMED:
            chosen = start.labels if isinstance(start.labels, tuple) else self.upload.likely_labels
            names = st.multiselect("Label columns", table.columns, default=chosen, **self.key("label names"))
            return Choices(tuple(names))
        if how == LAST:
            return Choices(-self._how_many(table.columns[::-1], how, "label count"))
        return Choices(self._how_many(table.columns, how, "first count"))

    def _how_many(self, columns: Sequence[str], how: str, key: str) -> int:
        """Ask how many columns are labels, beginning with those at this end that look like it."""
        likely = set(self.upload.likely_labels)
        number = sum(1 for _ in takewhile(likely.__contains__, columns))
        if how == _way(self.start) and isinstance(self.start.labels, int):
            number = abs(self.start.labels)
        return st.number_input("How many", 1, value=max(number, 1), width=140, **self.key(key))

    def _listed(self, named: list[str]) -> Choices:
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
                help="Text between two labels of a cell, such as | or a comma. A blank stands for any number of "
                "blanks.",
                **self.key("separator"),
            )
            texts = self.table.categories[self.table.columns.index(column)] or ()
            ancestors = separator.strip() != "/" and any("/" in text for text in texts) and self._ancestors()
        labels = None
        others = [name for name in self.table.columns if name != column]
        if 0 < len(others) <= MOST_NAMES:
            start = self.start.labels if isinstance(self.start.labels, tuple) else ()
            more = st.multiselect(
                "And these columns",
                others,
                default=[name for name in start if name in others],
                placeholder="no other label column",
                help="Label columns in addition to what is listed.",
                **self.key("more labels"),
            )
            labels = (column, *more) if more else None
        return Choices(labels, split=(column, separator), ancestors=ancestors)

    def _ancestors(self) -> bool:
        return st.checkbox(
            "With ancestors",
            self.start.ancestors,
            help="Labels such as a/b/c also stand for a and a/b.",
            **self.key("ancestors"),
        )

    def _long(self) -> Choices:
        columns = list(self.table.columns)
        start = (*(self.start.long or columns[:2]), "")
        asked = (("Instances", columns), ("Labels", columns), ("Yes or no", ["", *columns]))
        with st.container(horizontal=True, vertical_alignment="bottom"):
            chosen = [
                st.selectbox(
                    title,
                    names,
                    index=names.index(first),
                    format_func=lambda name: plain(name) or "every line says yes",
                    width=200,
                    **self.key(f"long {title}"),
                )
                for (title, names), first in zip(asked, start, strict=False)
            ]
        return Choices(long=tuple(filter(None, chosen)))

    def the_rest(self, choices: Choices, table: Table, labels: tuple[str, ...], questions: Questions) -> Choices | None:
        """Ask what else is open with these labels; None while it is open which of two values is relevant."""
        more: dict[str, Any] = {"sheet": self.start.sheet}
        if not choices.split and list(paths_note(labels, None)):
            more["ancestors"] = self._ancestors()
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
                    f"{counted(len(texts), 'column')} of text",
                    TEXTS,
                    format_func=TEXTS.__getitem__,
                    default=self.start.text,
                    required=True,
                    help=f"{plain(few(texts))}. {WITHIN_FOLDS}",
                    **self.key("text"),
                )
        is_open = None in more.get("relevant", {}).values()
        if is_open:
            st.caption("Choose the relevant value.")
        no_features = st.empty()
        with st.expander(
            "Leave out features, group or weigh rows, read columns in another way", icon=":material/tune:"
        ):
            chosen = set(labels)
            others = [name for name in table.columns if name not in chosen]
            if len(others) <= MOST_NAMES:
                kept = [name for name in self.start.leave_out if name in others]
                more["leave_out"] = tuple(
                    st.multiselect("Columns to leave out", others, default=kept, **self.key("leave out"))
                )
                more |= self._aside([name for name in others if name not in more["leave_out"]], table.weights)
                more["kinds"] = self._kinds([name for name in others if name not in more["leave_out"]])
            more["drop_constant"] = st.checkbox(
                "Features that have a single value", self.start.drop_constant, **self.key("drop constant")
            )
        try:
            as_read = self.upload.as_read(choices, more.get("kinds", {}))
        except DataError as error:
            st.warning(plain(str(error)), icon=":material/block:")
            return None
        self.say_how_read(as_read)
        if len(others) <= MOST_NAMES:
            used = [name for name in others if name not in (*more["leave_out"], more["groups"], more["weights"])]
            no_features.caption(plain(_about_no_features(as_read, used, more.get("text", "leave out"))))
        return None if is_open else replace(choices, **more)

    def _aside(self, others: list[str], declared: str) -> dict[str, str | None]:
        """Ask which columns group and weigh the rows; the file may declare one that weighs them."""
        asked = {
            "groups": (
                "Rows belong together by",
                "A column of patients, films or the like. Folds never divide the rows of one.",
            ),
            "weights": (
                "Rows count by",
                "A column of weights, 0 or more. Fits, counts of label pairs and scores use them.",
            ),
        }
        chosen = {}
        with st.container(horizontal=True):
            for role, (title, about) in asked.items():
                before = getattr(self.start, role)
                if role == "weights" and before is None:
                    before = declared
                chosen[role] = st.selectbox(
                    title,
                    others,
                    index=others.index(before) if before in others else None,
                    placeholder="no column",
                    width=260,
                    help=about,
                    **self.key(role),
                )
        if declared and chosen["weights"] is None:
            chosen["weights"] = ""
        return chosen

    def _kinds(self, others: list[str]) -> dict[str, Kind]:
        """Ask which columns hold something else than they were taken for."""
        kinds: dict[str, Kind] = {}
        for kind in KINDS:
            free = [name for name in others if name not in kinds]
            before = [name for name in free if self.start.kinds.get(name) == kind]
            named = st.multiselect(f"Read as {kind}", free, default=before, **self.key(f"read as {kind}"))
            kinds |= dict.fromkeys(named, kind)
        return kinds

    def _relevant(self, pair: tuple[str, str], alike: tuple[str, ...]) -> str | None:
        before = self.start.relevant.get(alike[0])
        return st.segmented_control(
            f"Relevant in {plain(alike[0] if len(alike) == 1 else f'{len(alike):,} labels')}",
            pair,
            format_func=plain,
            default=before if before in pair else None,
            help="The file does not say which of the two values means that a label applies. Labels: "
            f"{plain(few(alike))}.",
            **self.key(f"relevant {pair}"),
        )

    def _missing(self, table: Table, questions: Questions) -> str:
        n_lacking, n_incomplete = questions.n_lacking, questions.n_incomplete
        n_gone = n_lacking - n_incomplete
        ways = {
            "set aside": f"{n_lacking:,} left out",
            "masked": f"{n_incomplete:,} kept separately, gaps masked{f', {n_gone:,} left out' if n_gone else ''}",
        }
        chosen = st.segmented_control(
            f"{n_lacking:,} of {table.n_rows:,} rows lack labels",
            ways,
            format_func=ways.__getitem__,
            default=self.start.missing_labels,
            required=True,
            help=f"A missing label is never read as 0. {n_incomplete:,} of these rows also have known labels. If they "
            "are kept separately, their known labels count.",
            **self.key("missing labels"),
        )
        return chosen or self.start.missing_labels


def _about_no_features(table: Table, names: Sequence[str], text: TextFeatures) -> str:
    """Return which columns are neither labels nor features, and why."""
    left_out = no_features(table, map(table.find, names), text)
    whys = [f"{few(of)} ({why})" for why, of in grouped(left_out)]
    return f"Neither labels nor features: {listed(whys)}." if whys else ""


def separators(separator: str) -> str:
    """Return what separates labels, in a word."""
    return SEPARATORS.get(separator.strip(), f"'{separator.strip()}'")


def doubt_of_split(table: Table, column: str, separator: str, labels: Sequence[str]) -> str:
    """Return why it may be that something else separates the labels that a column lists; empty where nothing does."""
    cells = [text for text in table.categories[table.find(column)] or () if text.strip()]
    if all(len(text.split(separator if separator.strip() else None)) == 1 for text in cells):
        return f"No cell of {column} has {separators(separator)} between two labels. Check what separates them."
    for other in [one for one in SEPARATORS if one and one != separator.strip()]:  # blanks are in many names
        holding = [label for label in labels if other in label]
        if holding:
            hold = f"{len(holding):,} {agreed(len(holding), 'label holds', 'labels hold')} {separators(other)}"
            return f"{hold}, such as {few(holding[:1])}. Check whether these separate labels."
    if len(cells) >= LEAST_CELLS and 3 * len(labels) > len(cells):
        return f"{len(cells):,} different cells make {len(labels):,} labels, which is many. Check what separates them."
    return ""


def _as_dates_are_written(table: Table, rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows in which dates have no time if it is midnight in all."""
    for name in rows.columns:
        texts = rows[name].dropna()
        if table.unusable.get(name) == DATES and texts.map(lambda text: text.endswith(MIDNIGHT)).all():
            rows[name] = rows[name].map(lambda text: text.removesuffix(MIDNIGHT), na_action="ignore")
    return rows


def _way(choices: Choices) -> str:
    if choices.long:
        return LONG
    if choices.split:
        return LISTED
    if choices.labels is None:
        return DECLARED
    if isinstance(choices.labels, int):
        return LAST if choices.labels < 0 else FIRST
    return NAMED
