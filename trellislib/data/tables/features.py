"""Columns of a table as features: numbers as they are, categories as 0 and 1, texts as weights of words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import Literal

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from trellislib.data.dataset import DataError, constant_columns
from trellislib.data.tables.columns import FREE_TEXT, Columns, unique_names
from trellislib.data.tables.label_values import ascending, nominal_coding
from trellislib.typing import Matrix
from trellislib.wording import agreed, counted, grouped, listed, quoted, quoted_names

TextFeatures = Literal["leave out", "tf-idf"]
MAX_INDICATORS = 200
MAX_WORDS = 1000
_LEAST_ROWS = 2  # a word that occurs in a single row tells nothing of other rows
_MAX_DENSE_CELLS = 50_000_000

Features = tuple[Matrix, tuple[str, ...], list[str]]


def feature_matrix(
    table: Columns, candidates: Iterable[int], text: TextFeatures = "leave out", drop_constant: bool = False
) -> Features:
    """Return the features that columns of a table are.

    Numbers stay numbers. A column of two categories becomes one column of 0 and 1; one of more becomes a column
    ``name=value`` of 0 and 1 for each, ``nan`` in all where the cell is missing. Columns of dates, of identifiers, of
    more than 200 categories, or of none at all are left out.

    Columns of free text are left out too, or with ``text="tf-idf"`` become a column ``name: word`` for each of at
    most 1,000 words, those that occur most often and in at least two rows, of equals the first in the alphabet: its
    frequency in the text times the logarithm of its rarity, each row of length 1, as scikit-learn's `TfidfVectorizer`
    weighs them. A missing text has no words. Words and rarities are those of *all* rows; no label is looked at.

    Raises `DataError` if no feature remains.

    - `candidates`: The positions of those that may become features, ascending.
    - `text`: What becomes of free text.
    - `drop_constant`: Whether to leave out features that have a single value.
    - `X`: CSR where the table is, or where it takes less memory and there are words or more than 50 million cells.
    - `names`: Names of the features, all different.
    - `notes`: What was left out or changed, one sentence each.
    """
    candidates = list(candidates)
    unfit = {j: why for j in candidates if (why := _unfit(table, j, text))}
    notes = [_left_out_note([table.columns[j] for j in run], why) for why, run in grouped(unfit)]
    used = [j for j in candidates if j not in unfit]
    blocks: list[Matrix] = []
    names: list[str] = []
    for make, run in groupby(used, key=partial(_maker, table)):
        for block, its_names, its_notes in make(table, list(run)):
            blocks.append(block)
            names += its_names
            notes += its_notes
    if not names:
        unused = [table.columns[j] for j in candidates]
        why = f" ({quoted_names(unused)} could not be used)" if unused else ""
        raise DataError(f"{table.name}: the file has labels only{why}; at least one column must be a feature.")
    notes += _indicator_notes(table, used)
    X = _beside(blocks, table.is_sparse, any(table.columns[j] in table.unusable for j in used))
    if sparse.issparse(X) and not table.is_sparse:
        notes.append("The features are stored without their zeros, which takes less memory.")
    unique, renamed = unique_names(names)
    notes += renamed
    return _varying(table.name, X, unique, notes) if drop_constant else (X, unique, notes)


def _unfit(table: Columns, j: int, text: TextFeatures) -> str:
    """Return what stands against using a column as a feature; empty if nothing does."""
    unusable = table.unusable.get(table.columns[j], "")
    if unusable:
        return "" if unusable == FREE_TEXT and text == "tf-idf" else unusable
    if table.n_missing(j) == table.n_rows:
        return "no value at all"
    return f"more than {MAX_INDICATORS} categories" if len(table.categories[j] or ()) > MAX_INDICATORS else ""


def _maker(table: Columns, j: int) -> Callable[[Columns, list[int]], Iterator[Features]]:
    """Return what makes features of a column that is fit to be one."""
    categories = table.categories[j]
    if table.columns[j] in table.unusable:
        return _words
    if categories is None or (len(categories) <= 2 and ascending(categories) == list(range(len(categories)))):
        return _numbers  # two categories in the right order are 0 and 1 as they stand
    return _indicators


def _numbers(table: Columns, run: list[int]) -> Iterator[Features]:
    yield table.by_column[:, run], tuple(table.columns[j] for j in run), []


def _indicators(table: Columns, run: list[int]) -> Iterator[Features]:
    """Yield one column for two categories, and a column for each of more."""
    for j in run:
        categories, cells = table.categories[j] or (), table.column(j)
        if len(categories) == 2:  # two values that are not ready stand the wrong way round
            yield (1.0 - cells)[:, np.newaxis], (table.columns[j],), []
            continue
        missing = np.isnan(cells)
        known, unknown = np.flatnonzero(~missing), np.flatnonzero(missing)
        values = np.arange(len(categories))
        rows = np.concatenate([known, np.repeat(unknown, values.size)])
        columns = np.concatenate([cells[known].astype(np.intp), np.tile(values, unknown.size)])
        ones = np.concatenate([np.ones(known.size), np.full(unknown.size * values.size, np.nan)])
        block = sparse.csr_array((ones, (rows, columns)), shape=(table.n_rows, values.size))
        yield block, tuple(f"{table.columns[j]}={value}" for value in categories), []


def _indicator_notes(table: Columns, used: list[int]) -> Iterator[str]:
    """Say which columns became several, and which of two categories is 1."""
    named = {table.columns[j]: table.categories[j] or () for j in used if table.columns[j] not in table.unusable}
    many = {name: len(values) for name, values in named.items() if len(values) > 2}
    if many:
        columns, became = counted(len(many), "categorical column"), counted(sum(many.values()), "column")
        yield f"{columns} became {became} of 0 and 1: {quoted_names([*many])}."
    codings = {name: nominal_coding(values, name) for name, values in named.items() if len(values) == 2}
    ones = [f"{quoted(coding.values[1])} of {quoted(name)}" for name, coding in codings.items() if coding.is_guess]
    if ones:
        yield f"Of two categories, 1 is {listed(ones, 4)}."


def _words(table: Columns, run: list[int]) -> Iterator[Features]:
    """Yield the weight of each word of a text in each row."""
    for j in run:
        name, texts = table.columns[j], (*(table.categories[j] or ()), "")  # a missing text, -1, is the empty one
        cells = np.nan_to_num(table.column(j), nan=-1).astype(int)
        vectorizer = CountVectorizer(min_df=_LEAST_ROWS)
        try:
            counts = sparse.csr_array(vectorizer.fit_transform([texts[cell] for cell in cells]))
        except ValueError:  # that is how it says that no words remain
            yield sparse.csr_array((table.n_rows, 0)), (), [_left_out_note([name], "no word that occurs in two rows")]
            continue
        # A stable sort, which scikit-learn's own bound has not: the words must not depend on the processor.
        kept = np.sort(np.argsort(-counts.sum(axis=0), kind="stable")[:MAX_WORDS])
        words = vectorizer.get_feature_names_out()[kept]
        weights = TfidfTransformer().fit_transform(counts[:, kept])
        n_missing = int((cells < 0).sum())
        missing = f"; its {counted(n_missing, 'missing cell')} {agreed(n_missing, 'has', 'have')} no words"
        note = (
            f"Column {quoted(name)} holds free text and became {counted(len(words), 'word')}, weighted by TF-IDF over "
            f"all rows{missing if n_missing else ''}."
        )
        yield sparse.csr_array(weights), tuple(f"{name}: {word}" for word in words), [note]


def _beside(blocks: list[Matrix], as_sparse: bool, has_words: bool) -> Matrix:
    """Return the blocks in one matrix: CSR if wanted, or if that is smaller and the matrix large or of words."""
    n_rows = blocks[0].shape[0]
    n_cells = n_rows * sum(block.shape[1] for block in blocks)
    if not as_sparse and (has_words or n_cells > _MAX_DENSE_CELLS):
        n_stored = sum(block.nnz if sparse.issparse(block) else np.count_nonzero(block) for block in blocks)
        as_sparse = 12 * n_stored + 4 * n_rows < 8 * n_cells  # a stored cell has a number and a position
    if as_sparse:
        return sparse.hstack([sparse.csr_array(block) for block in blocks], format="csr")
    return np.hstack([block.toarray() if sparse.issparse(block) else block for block in blocks])


def _left_out_note(names: list[str], what: str) -> str:
    column, hold, were = agreed(len(names), ("Column", "holds", "was"), ("Columns", "hold", "were"))
    return f"{column} {quoted_names(names)} {hold} {what} and {were} left out of the features."


def _varying(name: str, X: Matrix, names: tuple[str, ...], notes: list[str]) -> Features:
    """Return the features that have more than one value."""
    constant = constant_columns(X)
    if constant.all():
        raise DataError(f"{name}: every feature is constant; keep constant features, or choose other labels.")
    if not constant.any():
        return X, names, notes
    dropped = [names[j] for j in np.flatnonzero(constant)]
    n = len(dropped)
    note = f"{counted(n, 'constant feature')} {agreed(n, 'was', 'were')} left out: {quoted_names(dropped)}."
    return X[:, ~constant], tuple(names[j] for j in np.flatnonzero(~constant)), [*notes, note]
