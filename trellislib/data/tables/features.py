"""Columns of a table as features: numbers as they are, categories as 0 and 1, parts of dates, weights of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, groupby
from typing import Literal

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.preprocessing import normalize

from trellislib.data.cells import constant_columns
from trellislib.data.dataset import NO_FEATURE, DataError
from trellislib.data.tables.columns import DATES, FREE_TEXT, IDENTIFIERS, Columns, unique_names
from trellislib.data.tables.dates import DateColumn, ambiguous
from trellislib.data.tables.label_values import ascending, nominal_coding
from trellislib.typing import Matrix
from trellislib.wording import agreed, counted, grouped, listed, quoted, quoted_names
from trellislib.wording.arguments import given

TextFeatures = Literal["leave out", "tf-idf"]
MAX_INDICATORS = 200
MAX_WORDS = 1000
UNKNOWN = -1.0
"""The cell of a category that is none of those that a column of features has."""

WITHIN_FOLDS = "Where methods are compared, each fold learns its words and their weights from its training rows."
_LEAST_ROWS = 2  # a word that occurs in a single row tells nothing of other rows
_MAX_DENSE_CELLS = 50_000_000


@dataclass(frozen=True)
class Words:
    """The words of a column of texts, and how rare each is.

    Attributes
    ----------
    words : tuple of str
        At most 1,000: those that occur most often, and in at least two rows; of equals the first in the alphabet.
    rarities : tuple of float
        For each, the inverse document frequency, as scikit-learn's `TfidfTransformer` has it.
    """

    words: tuple[str, ...]
    rarities: tuple[float, ...]

    @classmethod
    def learned(cls, texts: Sequence[str]) -> Words:
        """Return the words of some texts.

        Examples
        --------
        >>> Words.learned(["the sea", "the sky", "the sea"])
        Words(words=('sea', 'the'), rarities=(1.28..., 1.0))
        """
        vectorizer = CountVectorizer(min_df=_LEAST_ROWS)
        try:
            counts = sparse.csr_array(vectorizer.fit_transform(texts))
        except ValueError:  # that is how it says that no words remain
            return cls((), ())
        # A stable sort, which scikit-learn's own bound has not: the words must not depend on the processor.
        kept = np.sort(np.argsort(-counts.sum(axis=0), kind="stable")[:MAX_WORDS])
        rarities = TfidfTransformer().fit(counts[:, kept]).idf_
        return cls(tuple(vectorizer.get_feature_names_out()[kept].tolist()), tuple(rarities.tolist()))

    def weights(self, texts: Sequence[str]) -> sparse.csr_array:
        """Return the weight of each word (column) in each text (row): frequency times rarity, each row of length 1."""
        if not self.words:
            return sparse.csr_array((len(texts), 0))
        counts = CountVectorizer(vocabulary=self.words, dtype=float).transform(texts)
        return sparse.csr_array(normalize(counts.multiply(np.array(self.rarities)).tocsr(), copy=False))


@dataclass(frozen=True, eq=False)
class FeatureColumns:
    """How columns become features: decided on one table by `fit_features`, done to any table that has these columns.

    Attributes
    ----------
    columns : tuple of str
        Names of the columns that are used.
    categories : tuple of (tuple of str or None)
        For each column its categories, or None where it holds numbers or texts.
    words : mapping of str to Words
        The words of each column of texts.
    dates : mapping of str to DateColumn
        The parts of each column of dates.
    is_sparse : bool
        Whether features are stored without their zeros.
    kept : tuple of int, optional
        The positions of the features that remain, where constant ones were left out.
    """

    columns: tuple[str, ...]
    categories: tuple[tuple[str, ...] | None, ...]
    words: Mapping[str, Words]
    is_sparse: bool
    kept: tuple[int, ...] | None = None
    dates: Mapping[str, DateColumn] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, all different."""
        names = self._named[0] if self.columns else (NO_FEATURE,)
        return names if self.kept is None else tuple(names[j] for j in self.kept)

    @cached_property
    def _named(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of all features before any was left out, and the notes on those that were renamed."""
        return unique_names(chain.from_iterable(map(self._names_of, range(len(self.columns)))))

    @cached_property
    def origins(self) -> tuple[str, ...]:
        """The column that each feature was made of."""
        of_all = [name for j, name in enumerate(self.columns) for _ in self._names_of(j)]
        of_all = of_all if self.columns else [NO_FEATURE]
        return tuple(of_all if self.kept is None else [of_all[j] for j in self.kept])

    def _names_of(self, j: int) -> Iterable[str]:
        name, categories = self.columns[j], self.categories[j] or ()
        if name in self.words:
            return (f"{name}: {word}" for word in self.words[name].words)
        if name in self.dates:
            return (f"{name}: {part}" for part in self.dates[name].parts)
        return (f"{name}={value}" for value in categories) if len(categories) > 2 else (name,)

    def transform(self, table: Columns) -> Matrix:
        """Return the features of a table that has these columns, with these categories.

        A category of -1 is none of them: 0 in every column of its feature.
        """
        X = _together(list(self._blocks(table)), self.is_sparse)
        return X if self.kept is None else X[:, list(self.kept)]

    def learned(self, table: Columns) -> FeatureColumns:
        """Return the same columns, with the words that the texts of `table` have, and constant features as there.

        Raises `DataError` if no feature remains.
        """
        words = {name: Words.learned(_texts(table, name)) for name in self.words}
        columns = replace(self, words=words, kept=None)
        if not columns.names:
            rows = counted(table.n_rows, "row")
            raise DataError(f"{table.name}: in {rows} to train on, no word occurs twice, so that no feature remains.")
        return columns if self.kept is None else columns._varying(table.name, columns.transform(table))

    def _blocks(self, table: Columns) -> Iterator[Matrix]:
        if not self.columns:
            yield np.ones((table.n_rows, 1))
        for make, run in groupby(range(len(self.columns)), key=self._maker):
            yield from make(table, list(run))

    def _maker(self, j: int) -> Callable[[Columns, list[int]], Iterator[Matrix]]:
        """Return what makes features of a column."""
        categories = self.categories[j]
        if self.columns[j] in self.words:
            return self._weights
        if self.columns[j] in self.dates:
            return self._parts
        if categories is None or (len(categories) <= 2 and ascending(categories) == list(range(len(categories)))):
            return self._numbers  # two categories in the right order are 0 and 1 as they stand
        return self._indicators

    def _numbers(self, table: Columns, run: list[int]) -> Iterator[Matrix]:
        yield table.by_column[:, [table.find(self.columns[j]) for j in run]]

    def _weights(self, table: Columns, run: list[int]) -> Iterator[Matrix]:
        for name in (self.columns[j] for j in run):
            yield self.words[name].weights(_texts(table, name))

    def _parts(self, table: Columns, run: list[int]) -> Iterator[Matrix]:
        for name in (self.columns[j] for j in run):
            j, column = table.find(name), self.dates[name]
            of_text = np.vstack([column.features(table.categories[j] or ()), np.full(len(column.parts), np.nan)])
            yield of_text[np.nan_to_num(table.column(j), nan=-1).astype(int)]

    def _indicators(self, table: Columns, run: list[int]) -> Iterator[Matrix]:
        """Yield one column for two categories, and a column for each of more."""
        for j in run:
            n_values, cells = len(self.categories[j] or ()), table.column(table.find(self.columns[j]))
            if n_values == 2:  # two values that are not ready stand the wrong way round
                yield (1.0 - cells)[:, np.newaxis]
                continue
            missing = np.isnan(cells)
            known, unknown = np.flatnonzero(~missing & (cells != UNKNOWN)), np.flatnonzero(missing)
            rows = np.concatenate([known, np.repeat(unknown, n_values)])
            columns = np.concatenate([cells[known].astype(np.intp), np.tile(np.arange(n_values), unknown.size)])
            ones = np.concatenate([np.ones(known.size), np.full(unknown.size * n_values, np.nan)])
            yield sparse.csr_array((ones, (rows, columns)), shape=(table.n_rows, n_values))

    def _varying(self, name: str, X: Matrix) -> FeatureColumns:
        """Return the columns with those of their features that have more than one value in `X`, which are all."""
        constant = constant_columns(X)
        if constant.all():
            raise DataError(f"{name}: every feature is constant; keep constant features, or choose other labels.")
        return replace(self, kept=tuple(np.flatnonzero(~constant).tolist()))


def fit_features(
    table: Columns, candidates: Iterable[int], text: TextFeatures = "leave out", drop_constant: bool = False
) -> tuple[FeatureColumns, Matrix, list[str], dict[str, str]]:
    """Decide how columns of a table become features, and make these.

    Numbers stay numbers. A column of two categories becomes one column of 0 and 1; one of more becomes a column
    ``name=value`` of 0 and 1 for each, ``nan`` in all where the cell is missing; one of dates and times ``name: year``,
    ``name: month``, ``name: weekday`` and ``name: hour``, as far as these differ between rows. Columns of identifiers,
    of more than 200 categories, or of none at all are left out.

    Columns of free text are left out too, or with ``text="tf-idf"`` become a column ``name: word`` for each of their
    `Words`. A missing text has no words. No label is looked at.

    Raises `DataError` if no feature remains.

    - `candidates`: The positions of those that may become features, ascending.
    - `text`: What becomes of free text.
    - `drop_constant`: Whether to leave out features that have a single value.

    Returns the decisions, what their `transform` gives for the table (CSR where the table is, or where that takes less
    memory and there are words or more than 50 million cells), what was left out or changed in one sentence each, and
    the columns that were left out with the reason.
    """
    candidates = list(candidates)
    left_out = no_features(table, candidates, text)
    notes = [_left_out_note(names, why) for why, names in grouped(left_out)]
    used, words, dates = [], {}, {}
    for j in candidates:
        name = table.columns[j]
        if name in left_out:
            continue
        if table.unusable.get(name) == DATES:
            dates[name] = DateColumn.of(table.categories[j] or ())
            notes.append(_dates_note(table, j, dates[name]))
        elif name in table.unusable:
            learned = Words.learned(_texts(table, name))
            notes.append(_words_note(table, j, learned))
            if not learned.words:
                left_out[name] = _WORDLESS
                continue
            words[name] = learned
        used.append(j)
    if not used and left_out and set(left_out.values()) != {IDENTIFIERS}:
        raise DataError(f"{table.name}: {_why_none(left_out)}.")
    columns = FeatureColumns(
        tuple(table.columns[j] for j in used),
        tuple(None if table.columns[j] in words or table.columns[j] in dates else table.categories[j] for j in used),
        words,
        is_sparse=table.is_sparse,
        dates=dates,
    )
    notes += [WITHIN_FOLDS] if words else []
    notes += _indicator_notes(columns)
    if not used:
        notes.append(
            f"{'No column is a feature' if left_out else 'The file has labels only'}, so that predictions only know "
            "how frequent labels are; add features to train."
        )
    blocks = list(columns._blocks(table))
    if not table.is_sparse and _is_smaller_sparse(blocks, bool(words)):
        columns = replace(columns, is_sparse=True)
        notes.append("The features are stored without their zeros, which takes less memory.")
    X = _together(blocks, columns.is_sparse)
    notes += columns._named[1]
    if drop_constant:
        columns = columns._varying(table.name, X)
        dropped = sorted(set(range(X.shape[1])).difference(columns.kept or ()))
        notes += _constant_notes([columns._named[0][j] for j in dropped])
        X = X[:, list(columns.kept or ())] if dropped else X
    return columns, X, notes, left_out


def no_features(table: Columns, candidates: Iterable[int], text: TextFeatures = "leave out") -> dict[str, str]:
    """Return the columns that cannot be features, each with what it holds that stands against it.

    Parameters are those of `fit_features`.

    Examples
    --------
    >>> no_features(Columns("sky.csv", ("x", "id"), (None, None), np.eye(2), unusable={"id": IDENTIFIERS}), [0, 1])
    {'id': 'identifiers'}
    """
    return {table.columns[j]: why for j in candidates if (why := _unfit(table, j, text))}


_WORDLESS = "no word that occurs in two rows"
_UNTOLD = "dates that are all alike or cannot be read"


def _why_none(left_out: Mapping[str, str]) -> str:
    """Return why no feature remains: what the columns hold that could not be used, and what would keep them."""
    parts = [f"{quoted_names(names)} {agreed(len(names), 'holds', 'hold')} {why}" for why, names in grouped(left_out)]
    words = f", or keep the words of texts ({given('text', 'tf-idf')})" if FREE_TEXT in left_out.values() else ""
    return f"no feature remains, since {listed(parts, 4)}; add a column of numbers or categories{words}"


def _unfit(table: Columns, j: int, text: TextFeatures) -> str:
    """Return what stands against using a column as a feature; empty if nothing does."""
    unusable = table.unusable.get(table.columns[j], "")
    if unusable == DATES:
        return "" if DateColumn.of(table.categories[j] or ()).parts else _UNTOLD
    if unusable:
        return "" if unusable == FREE_TEXT and text == "tf-idf" else unusable
    if table.n_missing(j) == table.n_rows:
        return "no value at all"
    return f"more than {MAX_INDICATORS} categories" if len(table.categories[j] or ()) > MAX_INDICATORS else ""


def _texts(table: Columns, name: str) -> list[str]:
    """Return the cells of a column of texts; a missing one is empty."""
    j = table.find(name)
    texts = (*(table.categories[j] or ()), "")  # the last one, -1, is that of a missing cell
    return [texts[cell] for cell in np.nan_to_num(table.column(j), nan=-1).astype(int)]


def _words_note(table: Columns, j: int, learned: Words) -> str:
    name, n_missing = table.columns[j], table.n_missing(j)
    if not learned.words:
        return _left_out_note([name], _WORDLESS)
    missing = f"; its {counted(n_missing, 'missing cell')} {agreed(n_missing, 'has', 'have')} no words"
    return (
        f"Column {quoted(name)} holds free text and became {counted(len(learned.words), 'word')}, weighted by "
        f"TF-IDF{missing if n_missing else ''}."
    )


def _dates_note(table: Columns, j: int, column: DateColumn) -> str:
    name, texts = quoted(table.columns[j]), table.categories[j] or ()
    doubtful = ambiguous(texts, column.day_first)
    first = (
        f"; of {quoted(doubtful)} the {'day' if column.day_first else 'month'} was taken to stand first"
        if doubtful
        else ""
    )
    return f"Column {name} holds dates or times and became {listed(column.parts)}{first}."


def _indicator_notes(columns: FeatureColumns) -> Iterator[str]:
    """Say which columns became several, and which of two categories is 1."""
    named = {name: values or () for name, values in zip(columns.columns, columns.categories, strict=True)}
    many = {name: len(values) for name, values in named.items() if len(values) > 2}
    if many:
        categorical, became = counted(len(many), "categorical column"), counted(sum(many.values()), "column")
        yield f"{categorical} became {became} of 0 and 1: {quoted_names([*many])}."
    codings = {name: nominal_coding(values, name) for name, values in named.items() if len(values) == 2}
    ones = [f"{quoted(coding.values[1])} of {quoted(name)}" for name, coding in codings.items() if coding.is_guess]
    if ones:
        yield f"Of two categories, 1 is {listed(ones, 4)}."


def _constant_notes(dropped: Sequence[str]) -> Iterator[str]:
    n = len(dropped)
    if n:
        yield f"{counted(n, 'constant feature')} {agreed(n, 'was', 'were')} left out: {quoted_names(dropped)}."


def _is_smaller_sparse(blocks: Sequence[Matrix], has_words: bool) -> bool:
    """Return whether blocks are large, or of words, and take less memory without their zeros."""
    n_rows = blocks[0].shape[0]
    n_cells = n_rows * sum(block.shape[1] for block in blocks)
    if not has_words and n_cells <= _MAX_DENSE_CELLS:
        return False
    n_stored = sum(block.nnz if sparse.issparse(block) else np.count_nonzero(block) for block in blocks)
    return 12 * n_stored + 4 * n_rows < 8 * n_cells  # a stored cell has a number and a position


def _together(blocks: Sequence[Matrix], as_sparse: bool) -> Matrix:
    """Return the blocks in one matrix, CSR if wanted."""
    if as_sparse:
        return sparse.hstack([sparse.csr_array(block) for block in blocks], format="csr")
    return np.hstack([block.toarray() if sparse.issparse(block) else block for block in blocks])


def _left_out_note(names: list[str], what: str) -> str:
    column, hold, were = agreed(len(names), ("Column", "holds", "was"), ("Columns", "hold", "were"))
    return f"{column} {quoted_names(names)} {hold} {what} and {were} left out of the features."
