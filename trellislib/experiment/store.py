"""Results that outlive the process: one SQLite file, written as each fit ends."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from platformdirs import user_data_path

from trellislib.data.writing.csv_text import csv_text
from trellislib.experiment.fits import COSTS, Details
from trellislib.experiment.processes import state_of, this_process
from trellislib.experiment.results import IDENTITY, PROVENANCE, Results
from trellislib.metrics import MEASURES
from trellislib.running.extras import require
from trellislib.wording import without_controls

VARIABLE = "TRELLISLIB_STORE"
APPLICATION, VERSION = 0x74726C73, 1  # how SQLite's header marks our files
MAGIC = b"SQLite format 3\0"
PATIENCE = 60.0  # seconds to wait for another writer
RESULT = ["status", "reason", *COSTS]

_SCHEMA = (
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL, started TEXT NOT NULL, state TEXT NOT NULL,
        process TEXT NOT NULL, remarks TEXT NOT NULL DEFAULT '[]', code TEXT NOT NULL DEFAULT '',
        seeds TEXT NOT NULL DEFAULT '[]'
    )""",
    """CREATE TABLE fits (
        id INTEGER PRIMARY KEY AUTOINCREMENT, digest TEXT NOT NULL, parameters TEXT NOT NULL, protocol TEXT NOT NULL,
        n_fits INTEGER NOT NULL, seed INTEGER NOT NULL, repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
        status TEXT NOT NULL, reason TEXT NOT NULL, train_seconds REAL, test_seconds REAL, memory_mib REAL,
        scores TEXT NOT NULL, budget_seconds REAL, budget_gib REAL, at_once INTEGER, versions TEXT,
        ended TEXT NOT NULL, labels BLOB
    )""",
    "CREATE INDEX fits_by_identity ON fits (digest, protocol)",
    """CREATE TABLE run_fits (
        run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, fit INTEGER NOT NULL REFERENCES fits ON DELETE CASCADE,
        dataset TEXT NOT NULL, method TEXT NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (run, fit, dataset, method)
    )""",
    "CREATE INDEX run_fits_by_fit ON run_fits (fit)",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)
_OF_RUN = {  # what each table has of a run, first what the next ones refer to
    "runs": "SELECT * FROM runs WHERE id = ?",
    "fits": "SELECT * FROM fits WHERE id IN (SELECT fit FROM run_fits WHERE run = ?)",
    "run_fits": "SELECT * FROM run_fits WHERE run = ?",
}
_OF_FIT = [column for column in IDENTITY if column not in ("dataset", "method")]
_sound: set[tuple[Path, int, int]] = set()
_looked_at: set[tuple[int, int]] = set()
_opening = threading.Lock()
_COLUMNS = [*_OF_FIT, *RESULT, *PROVENANCE]


class StoreError(ValueError):
    """A results file that cannot be used; the message is one sentence that names it and what to do."""


@dataclass(frozen=True)
class Removed:
    """What a store had of a run that was removed: its rows in each table."""

    rows: Mapping[str, list[tuple[Any, ...]]]


def default_path() -> Path:
    """Return where results are stored: the path in ``TRELLISLIB_STORE``, else a file in the user's data directory."""
    given = os.environ.get(VARIABLE)
    return Path(given).expanduser() if given else user_data_path("trellislib", appauthor=False) / "results.sqlite"


class Store:
    """A file of results that several processes and threads may read and write at once.

    Parameters
    ----------
    path : str or path, optional
        Where it is, or will be; by default see `default_path`.
    patience : float, default=60
        Seconds to wait for another writer.

    Raises
    ------
    StoreError
        If the file is damaged, of another program or of a later version, or cannot be opened. It is never changed then.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Store(Path(folder) / "results.sqlite").runs().columns.tolist()
    ['title', 'started', 'state', 'datasets', 'methods', 'n_fits', 'code']
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, patience: float = PATIENCE) -> None:
        self.path = Path(path) if path is not None else default_path()
        self.patience = patience
        with self._connected() as connection:
            self._check(connection)

    def begin(self, title: str, code: str = "") -> int:
        """Note a run that begins, with the Python that makes it, and return its number."""
        with self._connected() as connection:
            found = connection.execute(
                "INSERT INTO runs (title, started, state, code, process) VALUES (?, ?, 'running', ?, ?)",
                (without_controls(title), now(), code, this_process()),
            )
            return int(found.lastrowid or 0)

    def ask(self, run: int, seeds: Iterable[int]) -> None:
        """Note the seeds that a run asks for: a method is done with a data set only after all of them."""
        with self._connected() as connection:
            given = json.dumps([int(seed) for seed in seeds])
            connection.execute("UPDATE runs SET seeds = ? WHERE id = ?", (given, run))

    def end(self, run: int, state: str) -> None:
        """Note how a run ended: "done", "cancelled" or "failed"."""
        with self._connected() as connection:
            connection.execute("UPDATE runs SET state = ? WHERE id = ?", (state, run))

    def remark(self, run: int, remarks: Iterable[str]) -> None:
        """Keep what a reader of a run should know, one sentence each."""
        with self._connected() as connection:
            connection.execute("UPDATE runs SET remarks = ? WHERE id = ?", (json.dumps(list(remarks)), run))

    def save(self, run: int, row: Mapping[str, Any], details: Details | None = None) -> int:
        """Keep a fit of a run, and return its number.

        Parameters
        ----------
        run : int
            The run's number.
        row : mapping
            A row of `Results.fits`; its ``"place"`` is its position among the fits of the run.
        details : mapping of str to DataFrame, optional
            Tables of the fit; see `Results`.
        """
        scores = {key: float(row[key]) for key in MEASURES if key in row and pd.notna(row[key])}
        values = [row.get(column) for column in _COLUMNS]
        parts = {name: table.to_dict("split", index=False) for name, table in (details or {}).items()}
        packed = zlib.compress(json.dumps(parts).encode()) if parts else None
        marks = ", ".join("?" * (len(_COLUMNS) + 2))
        with self._connected() as connection:
            found = connection.execute(
                f"INSERT INTO fits ({', '.join(_COLUMNS)}, scores, labels) VALUES ({marks})",
                (*values, json.dumps(scores), packed),
            )
            fit = int(found.lastrowid or 0)
            self._link(connection, run, fit, row)
        return fit

    def link(self, run: int, rows: Iterable[Mapping[str, Any]]) -> set[int]:
        """Let a run have fits that are there already, and return the numbers of those that still are.

        Each row has the fit's number as ``"id"``, and ``"dataset"``, ``"method"`` and ``"place"`` as in `save`.
        """
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            return {row["id"] for row in rows if self._link(connection, run, row["id"], row)}

    @staticmethod
    def _link(connection: sqlite3.Connection, run: int, fit: int, row: Mapping[str, Any]) -> bool:
        linked = connection.execute(
            "INSERT OR REPLACE INTO run_fits SELECT ?, id, ?, ?, ? FROM fits WHERE id = ?",
            (run, *(without_controls(row[name]) for name in ("dataset", "method")), row.get("place", fit), fit),
        )
        return linked.rowcount > 0

    def fits_of(self, digest: str, protocol: str) -> list[dict[str, Any]]:
        """Return all fits on the data with a digest, divided in one way, oldest first, without names."""
        with self._connected() as connection:
            found = connection.execute(
                f"SELECT id, scores, {', '.join(_COLUMNS)} FROM fits WHERE digest = ? AND protocol = ? ORDER BY id",
                (digest, protocol),
            ).fetchall()
        return [_row(of_fit) for of_fit in found]

    def runs(self) -> pd.DataFrame:
        """Return all runs, the newest first, by number: what they are called, how they stand and what they hold.

        The state of one is "running", "done", "cancelled", "failed", or "broken off" where its process has gone.
        """
        with self._connected() as connection:
            found = connection.execute(
                "SELECT id, title, started, state, process, code, dataset, method, COUNT(fit) AS n "
                "FROM runs LEFT JOIN run_fits ON run = id GROUP BY id, dataset, method ORDER BY id DESC, MIN(place)"
            ).fetchall()
        rows: dict[int, dict[str, Any]] = {}
        for of_pair in found:
            row = rows.setdefault(
                of_pair["id"],
                {
                    "title": without_controls(of_pair["title"]),
                    "started": of_pair["started"],
                    "state": state_of(of_pair["state"], of_pair["process"]),
                    "datasets": [],
                    "methods": [],
                    "n_fits": 0,
                    "code": of_pair["code"],
                },
            )
            row["n_fits"] += of_pair["n"]
            for many, one in (("datasets", "dataset"), ("methods", "method")):
                if of_pair[one] is not None and of_pair[one] not in row[many]:
                    row[many].append(of_pair[one])
        columns = ["title", "started", "state", "datasets", "methods", "n_fits", "code"]
        return pd.DataFrame(rows.values(), index=pd.Index(rows, name="run", dtype=int), columns=columns)

    def results(self, runs: Iterable[int] | None = None) -> Results:
        """Return the fits of some runs, or of all of them, as one.

        Raises
        ------
        KeyError
            If there is no run of that number.
        """
        known = self.runs().index
        chosen = sorted(known) if runs is None else [int(run) for run in runs]
        missing = [run for run in chosen if run not in known]
        if missing:
            raise KeyError(f"There is no run {missing[0]} in {self.path.name}; it may have been removed.")
        marks = ", ".join("?" * len(chosen))
        with self._connected() as connection:
            found = connection.execute(
                f"SELECT id, scores, dataset, method, {', '.join(_COLUMNS)} FROM run_fits "
                f"JOIN fits ON fit = id WHERE run IN ({marks}) GROUP BY id, dataset, method "
                "ORDER BY MIN(run), MIN(place)",
                chosen,
            ).fetchall()
            asked = connection.execute(
                "SELECT DISTINCT dataset, digest, protocol, seeds FROM run_fits JOIN fits ON fit = fits.id "
                f"JOIN runs ON run = runs.id WHERE run IN ({marks})",
                chosen,
            ).fetchall()
            remarks = connection.execute(
                f"SELECT remarks FROM runs WHERE id IN ({marks}) ORDER BY id", chosen
            ).fetchall()
        return Results.of(
            [_row(of_fit) for of_fit in found],
            self._details_of,
            [sentence for (of_run,) in remarks for sentence in json.loads(of_run)],
            [(dataset, digest, protocol, json.loads(seeds)) for dataset, digest, protocol, seeds in asked],
        )

    def _details_of(self, fit: int) -> Details:
        with self._connected() as connection:
            found = connection.execute("SELECT labels FROM fits WHERE id = ?", (int(fit),)).fetchone()
        if found is None or found[0] is None:
            return {}
        parts = json.loads(zlib.decompress(found[0]))
        if "data" in parts:  # as it was kept before there was more than the labels
            parts = {"labels": parts}
        return {name: pd.DataFrame(part["data"], columns=part["columns"]) for name, part in parts.items()}

    def remove(self, run: int) -> Removed:
        """Forget a run, and its fits where no other run has them; return what `put_back` needs to undo this.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store = Store(Path(folder) / "results.sqlite")
        ...     removed = store.remove(store.begin("IC on Music"))
        ...     store.put_back(removed)
        ...     store.runs()["title"].tolist()
        ['IC on Music']
        """
        with self._connected() as connection:
            connection.execute("BEGIN IMMEDIATE")
            rows = {
                table: [tuple(row) for row in connection.execute(query, (int(run),))]
                for table, query in _OF_RUN.items()
            }
            connection.execute("DELETE FROM runs WHERE id = ?", (int(run),))
            connection.execute("DELETE FROM fits WHERE id NOT IN (SELECT fit FROM run_fits)")
        return Removed(rows)

    def put_back(self, removed: Removed) -> None:
        """Keep a run again that `remove` took out, by its number, with all its fits; a second time changes nothing."""
        with self._connected() as connection:
            for table, rows in removed.rows.items():
                for row in rows:
                    connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    def back_up(self, path: str | os.PathLike[str]) -> None:
        """Write a copy of the whole file, while others may go on to use it; a file that is there is replaced.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     store = Store(Path(folder) / "results.sqlite")
        ...     run = store.begin("IC on yeast")
        ...     store.back_up(Path(folder) / "copy.sqlite")
        ...     Store(Path(folder) / "copy.sqlite").runs()["title"].tolist()
        ['IC on yeast']
        """
        target = Path(path)
        if target.exists():  # others may have it open
            with closing(sqlite3.connect(target, timeout=self.patience)) as copy, self._connected() as connection:
                connection.backup(copy)
            return
        with tempfile.TemporaryDirectory(dir=target.parent) as folder, self._connected() as connection:
            whole = Path(folder) / target.name
            with closing(sqlite3.connect(whole)) as copy:
                connection.backup(copy)
            whole.replace(target)

    def export(self, path: str | os.PathLike[str], runs: Iterable[int] | None = None) -> None:
        """Write all fits, or those of some runs, as CSV or Parquet, by the ending of the file's name.

        Raises
        ------
        ValueError
            If the ending is another one.
        ImportError
            If Parquet is asked for and pyarrow is not installed.
        """
        fits = self.results(runs).fits
        target = Path(path)
        if target.suffix == ".csv":
            target.write_bytes(csv_text(fits).encode())
        elif target.suffix == ".parquet":
            require("pyarrow", f"{target.name}: writing Parquet")
            fits.to_parquet(target)
        else:
            raise ValueError(f"Got {target.name!r} to write results to, but expected a name in .csv or .parquet.")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction, which is written when the block ends without an error."""
        connection = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if not _opening.acquire(timeout=self.patience):
                raise sqlite3.OperationalError("others wait for it, too")
            try:
                self._look()
                connection = sqlite3.connect(self.path, timeout=self.patience)
                connection.row_factory = sqlite3.Row
                self._prepare(connection)
                _looked_at.add(_identity(self.path.stat()))
            finally:
                _opening.release()
            with connection:
                yield connection
        except (sqlite3.Error, OSError) as error:
            raise StoreError(self._complaint(error)) from error
        finally:
            if connection is not None:
                connection.close()

    def _look(self) -> None:
        """Refuse a file that is not ours before SQLite opens it, which may finish what another program left half done.

        Once this process has the file open it must not be read past SQLite: closing it would give up SQLite's locks.
        """
        log = _stands(self.path.with_name(f"{self.path.name}-wal"))  # first: another process may make both now
        stands = _stands(self.path)
        if stands is None or _identity(stands) in _looked_at:
            return
        if stands.st_size == 0 and (log is None or log.st_size == 0):
            return
        with self.path.open("rb") as file:
            header = file.read(100)
        if len(header) < 100 or not header.startswith(MAGIC):
            raise sqlite3.DatabaseError("it does not begin as one")
        if int.from_bytes(header[68:72]) != APPLICATION:
            raise StoreError(self._is_of_others())

    def _is_of_others(self) -> str:
        return f"{self.path} is a database of another program, and was left as it is: name another file ({VARIABLE})."

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Make the tables in a new file; refuse one that is not ours, or of a later version."""
        connection.execute("PRAGMA foreign_keys = ON")
        if _number(connection, "application_id") == 0:
            with connection:
                connection.execute("BEGIN EXCLUSIVE")  # and without a log, so that the header is in the file at once
                if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():  # another may have been faster
                    for statement in _SCHEMA:
                        connection.execute(statement)
        if _number(connection, "application_id") != APPLICATION:
            raise StoreError(self._is_of_others())
        if _number(connection, "user_version") > VERSION:
            raise StoreError(
                f"{self.path} holds results of a later version of trellislib: update it, or name another file."
            )
        _use_write_ahead_log(connection, self.patience)
        connection.execute("PRAGMA synchronous = NORMAL")

    def _check(self, connection: sqlite3.Connection) -> None:
        """Look for damage in a file that has changed since this was done last, because that reads all of it."""
        stands = (self.path.absolute(), self.path.stat().st_mtime_ns, self.path.stat().st_size)
        if stands in _sound:
            return
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found.splitlines()[-1])
        _sound.add(stands)

    def _complaint(self, error: Exception) -> str:
        if isinstance(error, sqlite3.IntegrityError):  # a fit of no run
            return f"The run has been removed from {self.path} by another, and cannot go on there: start it again."
        if type(error) is sqlite3.DatabaseError:
            return (
                f"{self.path} is damaged or no file of results ({error}), and was left as it is: move it away, or name "
                f"another file ({VARIABLE})."
            )
        return f"{self.path} cannot be used for results ({error}): name another file ({VARIABLE}), or try again."


def _use_write_ahead_log(connection: sqlite3.Connection, patience: float) -> None:
    """Let readers go on while another writes; SQLite does not wait by itself for others who do the same now."""
    deadline = time.monotonic() + patience
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return  # also where the file system does not allow it
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def _stands(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _identity(stands: os.stat_result) -> tuple[int, int]:
    return stands.st_dev, stands.st_ino


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _row(of_fit: sqlite3.Row) -> dict[str, Any]:
    row = dict(of_fit)
    return row | json.loads(row.pop("scores"))


def now() -> str:
    """Return the time as stores write it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
