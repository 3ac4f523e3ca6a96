"""The numbers that the paper prints, from ``trellislib/paper/tables``; nothing in them was computed here."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

FOLDER = Path(__file__).parent / "tables"

SCORES = {
    "accuracy": "accuracy",
    "hamming_score": "hamming_score",
    "exact_match": "exact_match",
    "train_seconds": "training_time",
    "test_seconds": "test_time",
}
"""The file of each measure, by its key in the results of an experiment."""

AVERAGE = "avg rank"  # the last row of the printed ranks
OUR_NAMES = {"TMC07": "TMC2007"}  # where the paper has two names for a data set, the loaded one has the other


def published(name: str) -> pd.DataFrame:
    """Return a table of the paper as it is printed.

    Parameters
    ----------
    name : str
        A file of ``tables``, without its ending: "accuracy", "accuracy_ranks", "structure", "complexity", ...

    Returns
    -------
    DataFrame
        The columns of the file; NaN for what did not finish, or where a row has no value.

    Raises
    ------
    FileNotFoundError
        If there is no such file; the message has what there is.

    References
    ----------
    ``tables/README.md`` has which table of the paper each file is, and what in them disagrees.

    Examples
    --------
    >>> published("placement")
      dataset     method   mean  spread
    0   Music  CT-random  0.536   0.042
    1   Music      CT-HC  0.541   0.031
    2   Scene  CT-random  0.639   0.210
    3   Scene      CT-HC  0.678   0.028
    """
    path = FOLDER / f"{name}.csv"
    if not path.is_file():
        there = ", ".join(sorted(file.stem for file in FOLDER.glob("*.csv")))
        raise FileNotFoundError(f"{path}: the paper's tables have none of this name; there are {there}.")
    return pd.read_csv(path, encoding="utf-8")


def score_table(measure: str) -> pd.DataFrame:
    """Return the paper's scores or times of seven methods on ten data sets, as `trellislib.ranking` takes them.

    Parameters
    ----------
    measure : {"accuracy", "hamming_score", "exact_match", "train_seconds", "test_seconds"}
        A key of `SCORES`.

    Returns
    -------
    DataFrame of shape (10, 7)
        Data sets in rows, by the names of the loaded ones; methods in columns; NaN where one did not finish.

    Raises
    ------
    KeyError
        If the paper prints no such measure.
    FileNotFoundError
        As for `published`.

    Examples
    --------
    >>> score_table("accuracy").loc["Delicious", ["IC", "ECC", "CT"]].tolist()
    [0.122, nan, 0.127]
    """
    return _wide(_file(measure))


def seconds_table() -> pd.DataFrame:
    """Return the training and test times of the paper together, where no time is rounded to 0.

    Returns
    -------
    DataFrame of shape (n_datasets, 7)
        Seconds, as `trellislib.ranking.geometric_means` takes them, of the data sets on which all methods finished
        and none of the times is printed as 0.

    Raises
    ------
    FileNotFoundError
        As for `published`.

    Examples
    --------
    >>> seconds = seconds_table()
    >>> len(seconds), bool((seconds > 0).all(axis=None))
    (7, True)
    """
    seconds = (score_table("train_seconds") + score_table("test_seconds")).dropna()
    return seconds[(seconds > 0).all(axis=1)]


def rank_table(measure: str) -> tuple[pd.DataFrame, pd.Series]:
    """Return the ranks that the paper prints with `score_table`, and their averages.

    Parameters
    ----------
    measure : str
        A key of `SCORES`.

    Returns
    -------
    ranks : DataFrame of shape (10, 7)
        Competition ranks among the methods that finished. Those of times were taken of seconds before rounding.
    averages : Series of shape (7,)
        To two decimals.

    Raises
    ------
    KeyError, FileNotFoundError
        As for `score_table`.

    Examples
    --------
    >>> rank_table("accuracy")[1].tolist()
    [5.3, 2.12, 4.22, 3.33, 3.6, 2.4, 5.5]
    """
    table = _wide(f"{_file(measure)}_ranks")
    return table.drop(index=AVERAGE), table.loc[AVERAGE]


def _file(measure: str) -> str:
    if measure not in SCORES:
        raise KeyError(f"The paper prints no {measure!r} of its methods; it prints {', '.join(SCORES)}.")
    return SCORES[measure]


def _wide(name: str) -> pd.DataFrame:
    return published(name).set_index("dataset").rename(index=OUR_NAMES)
