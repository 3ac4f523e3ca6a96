"""`Table`: the form between any file and a `Dataset`, in which labels are not chosen yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.tables.columns import Columns
from trellislib.data.tables.features import TextFeatures
from trellislib.data.tables.hierarchy import with_ancestor_columns
from trellislib.data.tables.label_columns import (
    MissingLabels,
    label_codings,
    label_positions,
)
from trellislib.data.tables.listed import divided
from trellislib.data.tables.long import per_instance
from trellislib.data.tables.making import CHOSEN, dataset_of
from trellislib.data.tables.marks import with_marks
from trellislib.data.tables.proposals import (
    Proposal,
    proposal,
    proposed_labels,
    proposed_split,
    why_no_proposal,
)
from trellislib.data.tables.recast import Kind, recast
from trellislib.wording import agreed, quoted, quoted_names

__all__ = ["CHOSEN", "Table"]


@dataclass(frozen=True, eq=False)
class Table(Columns):
    """What a file holds: named columns of numbers or of categories.

    Parameters
    ----------
    name : str
        The file's name, with which every message starts.
    columns : tuple of str
        Column names, all different.
    categories : tuple of (tuple of str or None)
        For each column its categories, or None where it holds numbers.
    cells : {ndarray, csr_array} of shape (n_rows, n_columns)
        The number, or the index of the category; ``nan`` is a missing cell.
    labels : tuple of str, optional
        The columns that the file itself declares to be labels.
    labels_note : str
        What is doubtful about `labels`, or why what the file says gives none; a data set notes it where it uses them.
    labels_source : str
        What says that `labels` are the labels, such as "emotions.xml" or "-C 6 in the relation's name".
    provenance : tuple of str
        How it was read (form, size, encoding, what separates cells), one sentence each.
    n_train : int, optional
        How many of the rows, the first ones, come from a file to train on.
    notes : tuple of str
        What was changed on reading, one sentence each.
    unusable : mapping of str to str
        Columns that can be neither feature nor label as they stand, and what they hold: "free text", "dates",
        "identifiers", or other words. The categories of a text are its distinct texts.
    listed : tuple of str, optional
        The column that listed the labels, and what separated them, where `split` made columns of it; and "ancestors"
        where labels that stand above others were added.
    from_lists : tuple of str
        The columns that `split` made.
    left_out : tuple of str
        Columns that are not there any more, since `without` left them out.
    sheets : tuple of str
        Of a workbook of several sheets, the titles of these, that which was read first.
    weights : str
        The column that the file itself declares to weigh rows, if any.
    n_before : int
        Number of rows that the file has before these.

    Raises
    ------
    DataError
        If the parts do not fit together, or there is no row.

    Examples
    --------
    >>> import numpy as np
    >>> table = Table("sky.csv", ("x", "sunny"), (None, ("no", "yes")), np.array([[0.5, 1], [0.1, 0]]))
    >>> table.propose_labels()
    ('sunny',)
    >>> table.to_dataset(["sunny"]).Y.tolist()
    [[1], [0]]
    """

    labels: tuple[str, ...] | None = None
    labels_note: str = ""
    labels_source: str = ""
    provenance: tuple[str, ...] = ()
    n_train: int | None = None
    notes: tuple[str, ...] = ()
    listed: tuple[str, ...] | None = None
    from_lists: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    weights: str = ""

    def declared_labels(self) -> tuple[str, ...]:
        """Return the labels that the file itself declares.

        Raises
        ------
        DataError
            If it declares none; the message says what could be chosen.
        """
        if self.labels is not None:
            return self.labels
        guess = self.propose_labels()
        nothing = f"{self.name}: nothing in the file says which of its {len(self.columns)} columns are labels"
        nothing += f" ({self.labels_note[:1].lower()}{self.labels_note[1:-1]})" if self.labels_note else ""
        if not guess and (why := self.why_no_proposal):
            raise DataError(
                f"{nothing}: {why}; give the names of the labels, a Mulan XML file, or the features in a second file."
            )
        which = f"; a guess is {quoted(guess[0])}" if guess else ""
        if len(guess) > 1:
            which += f" to {quoted(guess[-1])} ({len(guess)} columns)"
        raise DataError(
            f"{nothing}; give a Mulan XML file, their names, or their number (minus for the last columns){which}."
        )

    def proposal(self) -> Proposal:
        """Return what to begin with where a person is asked: the labels that the file declares, or else a guess.

        The rules of the guess are those of `trellislib.data.tables.proposals.proposal`.

        Examples
        --------
        >>> import numpy as np
        >>> tags = ("sand|sea", "sea|sky|sand", "sky")
        >>> table = Table("sky.csv", ("x", "tags"), (None, tags), np.array([[0.5, 0], [0.1, 1], [0.2, 2]]))
        >>> table.proposal()
        Proposal(labels=(), split=('tags', '|'), long=())
        """
        return Proposal(self.labels) if self.labels else proposal(self.unweighted)

    @property
    def unweighted(self) -> Table:
        """The table without the column that its file declares to weigh rows."""
        if not self.weights:
            return self
        return self.selected([j for j, name in enumerate(self.columns) if name != self.weights])

    @property
    def why_no_proposal(self) -> str:
        """Why nothing is proposed, for a sentence; empty where something is."""
        return "" if self.labels else why_no_proposal(self.unweighted)

    def propose_labels(self) -> tuple[str, ...]:
        """Return the labels that the file declares, or else a guess (`proposed_labels`); empty where nothing fits."""
        return self.labels or proposed_labels(self.unweighted)

    def propose_split(self) -> tuple[str, str] | None:
        """Return a guess (`proposed_split`) which column lists labels such as ``sea|sky``, and what separates them."""
        return proposed_split(self)

    def split(
        self, column: str, separator: str | None = None, no_label: str | None = None, *, ancestors: bool = False
    ) -> Table:
        """Return a table in which a column that lists labels is one column of 0 and 1 for each label.

        Blanks, brackets and quotes around labels go, and a label named twice counts once. An empty or missing cell is
        no label. The new columns, numbers in ascending order or else by name, stand at the end and are the labels.

        Parameters
        ----------
        column : str
            The column, which goes.
        separator : str, optional
            What separates the labels; a blank stands for any number of them. By default what seems to.
        no_label : str, optional
            What stands for no label; by default what is called so (``(no genres listed)``), empty where all are labels.
        ancestors : bool
            Whether labels that are paths, such as ``a/b/c``, also stand for ``a`` and ``a/b``; as written otherwise.

        Returns
        -------
        Table
            Sparse where this one is, or where there are more than 100 labels and that takes less memory.

        Raises
        ------
        DataError
            If there is no such column, nothing tells what separates the labels, or no cell names any.

        Examples
        --------
        >>> import numpy as np
        >>> table = Table("sky.csv", ("x", "tags"), (None, ("sea", "sky|sea")), np.array([[5, 1], [6, 0], [7, np.nan]]))
        >>> table.split("tags", "|").columns
        ('x', 'sea', 'sky')
        >>> table.split("tags", "|").cells.tolist()
        [[5.0, 1.0, 1.0], [6.0, 1.0, 0.0], [7.0, 0.0, 0.0]]
        """
        return divided(self, column, separator, no_label, ancestors=ancestors)

    def with_ancestors(self, labels: Sequence[str]) -> Table:
        """Return a table in which labels that are paths also stand for those above them, and which declares all.

        An ancestor is relevant where a label below it is. Those that have no column get one, at the end.

        Parameters
        ----------
        labels : sequence of str
            Columns of 0 and 1 (or of other two values that say yes and no), such as ``a/b/c``.

        Raises
        ------
        DataError
            If there is no such column, or a label that is a path has other values.

        Examples
        --------
        >>> import numpy as np
        >>> table = Table("sky.csv", ("x", "a/b", "a/c"), (None,) * 3, np.array([[5, 0, 1], [6, 0, 0]]))
        >>> table.with_ancestors(["a/b", "a/c"]).labels
        ('a/b', 'a/c', 'a')
        """
        return with_ancestor_columns(self, labels)

    def per_instance(self, key: str, label: str, value: str | None = None) -> Table:
        """Return a table with a row for each instance of a long one, which has a line for each instance and label.

        Parameters
        ----------
        key, label : str
            The columns that name the instance and the label of a line. A missing label names none.
        value : str, optional
            A column that says whether the instance has the label (1, true, yes); by default every line says so.

        Returns
        -------
        Table
            With a column of 0 and 1 for each label at the end, which are declared to be the labels. Of other columns,
            the first line of each instance counts.

        Raises
        ------
        DataError
            If there is no such column, or no instance is named.

        Examples
        --------
        >>> import numpy as np
        >>> cells = np.array([[7, 0.5, 0], [7, 0.5, 1], [9, 0.1, np.nan]])
        >>> table = Table("sky.csv", ("id", "x", "label"), (None, None, ("sea", "sky")), cells)
        >>> table.per_instance("id", "label").columns
        ('id', 'x', 'sea', 'sky')
        """
        return per_instance(self, key, label, value)

    def guessed_relevant(self, labels: Sequence[str]) -> dict[str, tuple[str, str]]:
        """Return the two values of each label of which nothing says which one is relevant; the second is the guess.

        Values such as 0/1, -1/1, true/false and yes/no say it; ``to_dataset(relevant=...)`` takes what people say.

        Raises
        ------
        DataError
            If the labels cannot be labels.

        Examples
        --------
        >>> import numpy as np
        >>> cells = np.array([[0.5, 1, 0], [0.1, 0, 1]])
        >>> table = Table("sky.csv", ("x", "sunny", "sky"), (None, ("no", "yes"), ("blue", "grey")), cells)
        >>> table.guessed_relevant(["sunny", "sky"])
        {'sky': ('blue', 'grey')}
        """
        chosen = label_positions(self, labels)
        codings = label_codings(with_marks(self, chosen)[0], chosen, {})
        return {
            label: (coding.values[0], coding.values[1])
            for label, coding in zip(labels, codings, strict=True)
            if coding.is_guess
        }

    def selected(self, order: Sequence[int]) -> Table:
        """Return a table of the columns at some positions; labels are declared if all of them are among these."""
        columns = tuple(self.columns[j] for j in order)
        return replace(
            self,
            columns=columns,
            categories=tuple(self.categories[j] for j in order),
            cells=self.cells[:, list(order)],
            labels=self.labels if set(self.labels or ()) <= set(columns) else None,
            from_lists=tuple(name for name in self.from_lists if name in columns),
            weights=self.weights if self.weights in columns else "",
            unusable={name: what for name, what in self.unusable.items() if name in columns},
        )

    def nominal(self, columns: Iterable[str]) -> Table:
        """Return a table in which numeric columns hold categories: codes such as 1, 2, 3 that mean no amount.

        Examples
        --------
        >>> import numpy as np
        >>> table = Table("sky.csv", ("month", "sunny"), (None, None), np.array([[12.0, 1], [6, 0]]))
        >>> table.nominal(["month"]).categories
        (('6', '12'), None)
        """
        categories, cells = list(self.categories), self.cells.copy()
        if self.is_sparse:
            raise DataError(f"{self.name}: the columns of a sparse table cannot be made nominal.")
        for j in map(self.find, columns):
            if categories[j] is None:
                categories[j], cells[:, j] = self.named(j)
        return replace(self, categories=tuple(categories), cells=cells)

    def without(self, columns: Collection[str], why: str) -> Table:
        """Return a table that lacks some columns, and the notes that are about one of them alone.

        Parameters
        ----------
        columns : collection of str
            Their names.
        why : str
            Who wants it so, which a note says: "as asked".

        Raises
        ------
        DataError
            If there is no such column, or no other.

        Examples
        --------
        >>> import numpy as np
        >>> table = Table("sky.csv", ("id", "x", "sunny"), (None,) * 3, np.eye(3), notes=("Column 'id' is odd.",))
        >>> table = table.without(["id"], "as asked")
        >>> table.columns, table.notes
        (('x', 'sunny'), ("Column 'id' was left out, as asked.",))
        """
        gone = {self.find(column, "to leave out") for column in columns}
        if not gone:
            return self
        kept = [j for j in range(len(self.columns)) if j not in gone]
        if not kept:
            raise DataError(f"{self.name}: every column is to be left out; keep a feature and a label.")
        names = [self.columns[j] for j in sorted(gone)]
        title, were = agreed(len(names), ("Column", "was"), ("Columns", "were"))
        return replace(
            self.selected(kept),
            labels=self.labels and tuple(label for label in self.labels if label not in names),
            notes=(*self.notes_without(names), f"{title} {quoted_names(names)} {were} left out, {why}."),
            left_out=(*self.left_out, *names),
        )

    def notes_without(self, columns: Iterable[str]) -> tuple[str, ...]:
        """Return the notes but for those that are about one of these columns alone."""
        about = tuple(f"Column {quoted(name)} " for name in columns)
        return tuple(note for note in self.notes if not note.startswith(about))

    def to_dataset(
        self,
        labels: Sequence[str] | None = None,
        *,
        relevant: Mapping[str, object] | None = None,
        missing_labels: MissingLabels = "set aside",
        text: TextFeatures = "leave out",
        leave_out: Collection[str] = (),
        kinds: Mapping[str, Kind] | None = None,
        groups: str | None = None,
        weights: str | None = None,
        drop_constant: bool = False,
    ) -> Dataset:
        """Return the data set in which `labels` are the labels and every other column is a feature.

        Labels are coded by the rules of `trellislib.data.tables.label_values`, features by those of
        `trellislib.data.tables.features`. The notes say what was done, and the provenance what says which columns are
        labels.

        Parameters
        ----------
        labels : sequence of str, optional
            Names of columns, in the order in which the data set is to have them; by default the declared labels.
        relevant : mapping of str to (str or number), optional
            The value that counts as relevant, of some or all of the labels that have two.
        missing_labels : {"set aside", "masked"}
            What becomes of rows that lack labels. They are left out, or those that know some labels become
            `Dataset.incomplete`, with what they lack masked. A missing label is never read as 0.
        text : {"leave out", "tf-idf"}
            Whether columns of free text are left out, or become the TF-IDF weights of their words. `Dataset.X` has
            the words of all rows; where methods are compared, each fold has those of its training rows
            (`Dataset.fit_features`).
        leave_out : collection of str
            Columns that are not wanted.
        kinds : mapping of str to {"numbers", "categories", "dates", "text"}, optional
            What some columns hold, where it is not what they were taken for; the words of "text" become features.
        groups : str, optional
            The column that says what each row is about (a patient, a film), which becomes no feature: folds never
            divide the rows of one value. A row without one is a group of its own.
        weights : str, optional
            The column that says how much each row counts, 0 or more, which becomes no feature. By default the one that
            the file declares; "" is none.
        drop_constant : bool
            Whether to leave out features that have a single value.

        Raises
        ------
        DataError
            If a name is unknown or named twice, a column cannot be a label, `relevant` names no value of a label, or
            no row or feature remains.

        Examples
        --------
        >>> import numpy as np
        >>> table = Table("sky.csv", ("x", "sky"), (None, ("blue", "grey")), np.array([[5, 0], [6, 1], [7, np.nan]]))
        >>> data = table.to_dataset(["sky"], relevant={"sky": "blue"})
        >>> data.Y.tolist(), data.label_values
        ([[1], [0]], (('grey', 'blue'),))
        >>> data.notes[0]
        '1 row has a missing label and was left out (1 missing label cell).'
        """
        if kinds:
            text = "tf-idf" if "text" in kinds.values() else text
        table = recast(self, kinds) if kinds else self
        labels = table.declared_labels() if labels is None else labels
        if weights is None and self.weights not in {*labels, *leave_out}:
            weights = self.weights
        how = (missing_labels, text, groups, weights, drop_constant)
        return dataset_of(table, labels, relevant or {}, leave_out, *how)
