"""A run as one archive: what it was asked, how rows were divided, and what came of it; and whether it comes again.

The archive is a ZIP file of three: the experiment file; ``folds.json`` with the digest of each data set and the test
rows of each fold; and ``fits.csv`` with seeds, parameters, versions and scores. Its comment is the title of the run.
The data are not in it: packaged and simulated ones are made again, and files are read from the folder of the archive.
Their digests show whether they are the same.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd

from trellislib.data.reading.packing import DAMAGED
from trellislib.data.reading.plain import EXACTLY
from trellislib.data.spreadsheet import as_meant
from trellislib.data.writing.csv_text import csv_text
from trellislib.experiment import Results
from trellislib.experiment.identity import differing
from trellislib.metrics import MEASURES
from trellislib.plan.reading import Plan, plan_of_text
from trellislib.plan.section import PlanError
from trellislib.wording import counted, listed, sentence, without_controls

PLAN, FOLDS, FITS = "plan", "folds.json", "fits.csv"
NAMES = ["dataset", "method"]
FIT = [*NAMES, "seed", "repeat", "fold"]
SAME = 1e-12  # difference of scores up to which they are the same, on another machine with the same BLAS
PRINTED = 5e-4  # up to which they are the same in tables
MOST_BYTES = 200_000_000  # of a member when unpacked


@dataclass(frozen=True, eq=False)
class Archive:
    """What an archive has.

    Attributes
    ----------
    plan : Plan
        The experiment, whose files are looked for in the folder of the archive.
    folds : mapping
        By data set its ``"digest"``, and as ``"test"`` a list of (seed, repeat, fold, test rows).
    fits : DataFrame
        A row per fit, as of `trellislib.experiment.Results`.
    """

    plan: Plan
    folds: dict[str, Any]
    fits: pd.DataFrame

    def differences(self, results: Results) -> list[str]:
        """Return whether the scores are those of the archive, then whatever else differs, in a sentence each."""
        merged = self.fits.merge(results.fits, on=FIT, suffixes=("", " here"), how="outer", indicator=True)
        both = merged[merged["_merge"] == "both"]
        keys = [key for key in MEASURES if key in self.fits and f"{key} here" in both]
        apart = pd.DataFrame({key: (both[key] - both[f"{key} here"]).abs() for key in keys})
        n_scores, largest = int(apart.notna().sum().sum()), apart.max().max()
        if not n_scores:
            found = ["No score can be compared, as no fit has one in both runs."]
        elif largest <= SAME:
            found = [
                f"All {n_scores:,} scores of {counted(len(both), 'fit')} are the same as in the archive (to {SAME:g})."
            ]
        else:
            key = apart.max().idxmax()
            fit = both.loc[apart[key].idxmax()]
            printed = "the same" if largest <= PRINTED else "not the same"
            found = [
                f"Scores differ by up to {largest:.2g} ({MEASURES[key].in_words} of {fit['method']} on "
                f"{fit['dataset']}), so they are {printed} to three digits."
            ]
        found += self._other_data(results)
        if missing := len(merged) - len(both):
            found.append(f"{counted(missing, 'fit')} of the two runs {'has' if missing == 1 else 'have'} no partner.")
        if any((both[key].isna() != both[f"{key} here"].isna()).any() for key in keys):
            found.append("Some scores are in one of the two runs only.")
        if len(found) == 1 and n_scores and largest <= SAME:
            return found
        versions = dict(enumerate(dict.fromkeys(self.fits["versions"].dropna())))
        versions |= dict(enumerate(results.fits["versions"].dropna().unique(), len(versions)))
        if len(set(versions.values())) > 1:
            made = listed(list(dict.fromkeys(differing(versions).values())))
            found.append(f"The fits were made with different versions: {made}.")
        return found

    def _other_data(self, results: Results) -> Iterator[str]:
        """Yield a sentence for each data set whose content or folds are not those of the archive."""
        here = _folds(self.plan)
        for name, digest in results.fits.groupby("dataset", sort=False)["digest"].first().items():
            kept = self.folds.get(name)
            if kept and kept["digest"] != digest:
                yield (
                    f"The data of {name} are not those of the archive: their content's digest is {digest}, not "
                    f"{kept['digest']}."
                )
            elif kept and name in here and kept["test"] != here[name]["test"]:
                yield f"The folds of {name} have other test rows than in the archive."


def write_archive(path: str | os.PathLike[str], plan: Plan, results: Results) -> None:
    """Write a run as one archive.

    Parameters
    ----------
    path : str or path
        A name in .zip.
    plan : Plan
        What was run. Its data are loaded once more, to write down which rows each fold tests.
    results : Results
        What came of it.

    Raises
    ------
    ValueError
        If the name is none in .zip.
    """
    file = Path(path)
    require_zip(file)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = plan.title.encode()
        archive.writestr(PLAN + plan.suffix, plan.text)
        archive.writestr(FOLDS, json.dumps(_folds(plan)))
        archive.writestr(FITS, csv_text(results.fits))


def read_archive(path: str | os.PathLike[str]) -> Archive:
    """Read an archive of a run.

    Raises
    ------
    PlanError
        If it is no such archive, or its experiment file is not as expected.
    """
    file = Path(path)
    try:
        with zipfile.ZipFile(file) as archive:
            members = {member.filename: member for member in archive.infolist()}
            names = [name for name in (f"{PLAN}.toml", f"{PLAN}.json") if name in members]
            if not names or FOLDS not in members or FITS not in members:
                raise PlanError(f"{file}: expected an archive of a run, with a plan, {FOLDS} and {FITS}.")
            wanted = [names[0], FOLDS, FITS]
            if large := [name for name in wanted if members[name].file_size > MOST_BYTES]:
                raise PlanError(f"{file}: {large[0]} is larger than {MOST_BYTES:,} bytes when unpacked.")
            texts = [archive.read(name).decode() for name in wanted]
            title = without_controls(archive.comment.decode())
        plan = plan_of_text(texts[0], file, Path(names[0]).suffix)
        return Archive(replace(plan, title=title or plan.title), _read_folds(texts[1]), _read_fits(texts[2]))
    except PlanError:
        raise
    except OSError as error:
        raise PlanError(f"{file}: it cannot be read ({error.strerror or error}).") from error
    except DAMAGED as error:
        raise PlanError(
            f"{file}: it is damaged or no archive of a run ({sentence(error)}); take one that trellislib run "
            "--archive wrote."
        ) from error


def _folds(plan: Plan) -> dict[str, Any]:
    """Return by data set its digest and the test rows of each fold, of all that can be loaded and divided."""
    found: dict[str, Any] = {}
    for planned in plan.data:
        with suppress(Exception):  # the run has left this data set out, and said why
            data, own = planned.load()
            tests = [
                [seed, repeat, fold, test.tolist()]
                for seed in plan.seeds
                for repeat, fold, _, test in (own or plan.protocol).divide(data, seed)
            ]
            found[data.name] = {"digest": data.digest, "test": tests}
    return found


def _read_folds(text: str) -> dict[str, Any]:
    folds = json.loads(text)
    if not isinstance(folds, dict) or not all(
        isinstance(of, dict) and {"digest", "test"} <= of.keys() for of in folds.values()
    ):
        raise ValueError(f"{FOLDS} has no digest and test rows by data set")
    return folds


def _read_fits(text: str) -> pd.DataFrame:
    """Return the fits that stand in a CSV file; names may look like numbers, formulas or missing values."""
    kinds = dict.fromkeys(FIT, int) | dict.fromkeys((*NAMES, "versions"), str) | dict.fromkeys(MEASURES, float)
    fits = pd.read_csv(io.StringIO(text), dtype=kinds, keep_default_na=False, na_values=[""], **EXACTLY)
    if absent := [key for key in (*FIT, "versions") if key not in fits]:
        raise ValueError(f"{FITS} has no {listed(absent)}")
    for versions in fits["versions"].dropna().unique():
        json.loads(versions)
    return fits.assign(
        **{key: fits[key].map(lambda name: without_controls(as_meant(name)), na_action="ignore") for key in NAMES}
    )


def require_zip(path: Path) -> None:
    """Raise a ValueError unless a name ends in .zip."""
    if path.suffix != ".zip":
        raise ValueError(f"{path}: expected a name in .zip.")
