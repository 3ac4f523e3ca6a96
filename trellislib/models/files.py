"""Model files: a zip of the schema as JSON and of the estimator as skops keeps it, which load without running code."""

from __future__ import annotations

import io
import json
import os
import warnings
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import ZIP_STORED, BadZipFile, ZipFile

from sklearn.exceptions import InconsistentVersionWarning

from trellislib.data.tables.schema import Schema
from trellislib.decisions import ConformalSets
from trellislib.models.errors import ModelError
from trellislib.models.model import Model
from trellislib.models.origin import Origin, versions
from trellislib.models.trusted import untrusted
from trellislib.models.typical import TypicalFeatures
from trellislib.wording import quoted_names
from trellislib.wording.arguments import given

FORMAT = "trellislib model"
NUMBER = 1
"""Of the format; a file of a higher number is refused."""

ABOUT, ESTIMATOR = "model.json", "estimator.skops"
DEPENDS_ON = ("trellislib", "scikit-learn")  # what an estimator's attributes are those of

Types = Iterable[str | type]


def save_model(model: Model, path: str | os.PathLike[str] | BinaryIO, *, trusted: Types = ()) -> None:
    """Write a model to a file that `load_model` reads, in another process, without running code.

    Parameters
    ----------
    model : Model
        The model, as `fit_model` gives it.
    path : str, path or binary file
        The file, which is replaced if it is there. It holds scaled features of training rows where the base learner or
        the rule that decides looks at near rows.
    trusted : iterable of type or str, optional
        Classes of your own that are part of it, such as a base learner; `load_model` must be given the same.

    Raises
    ------
    ModelError
        If the model has a part that the file cannot hold; the message names it.

    Examples
    --------
    >>> import io
    >>> from trellislib.data import simulate_label_dag
    >>> from trellislib.models import fit_model
    >>> data, file = simulate_label_dag(n_instances=60, n_labels=3, random_state=0), io.BytesIO()
    >>> save_model(fit_model(data), file)
    >>> load_model(file).label_names
    ('y1', 'y2', 'y3')
    """
    import skops.io  # which imports all of scikit-learn

    try:
        estimator = skops.io.dumps(model.estimator)
    except Exception as error:  # whatever a part raises that cannot be taken to pieces
        raise ModelError(f"A model file cannot hold a part of this {type(model.method).__name__}: {error}") from error
    _refuse_untrusted(estimator, trusted, "This model", "in Python, give trusted=[...] to save_model and load_model")
    about = {
        "format": FORMAT,
        "number": NUMBER,
        "origin": asdict(model.origin),
        "schema": model.schema.as_json(),
        "typical": model.typical and model.typical.as_json(),
        "sets": [asdict(sets) for sets in model.sets],
    }
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_STORED) as archive:
        archive.writestr(ABOUT, json.dumps(about, ensure_ascii=False))
        archive.writestr(ESTIMATOR, estimator)
    if isinstance(path, str | os.PathLike):
        Path(path).write_bytes(buffer.getbuffer())
    else:
        path.write(buffer.getbuffer())


def load_model(path: str | os.PathLike[str] | BinaryIO, *, trusted: Types = (), any_version: bool = False) -> Model:
    """Read a model from a file; nothing that is in the file is run.

    Parameters
    ----------
    path : str, path or binary file
        The file.
    trusted : iterable of type or str, optional
        Classes of your own that may be part of it.
    any_version : bool, default=False
        Whether to take a model of another version of trellislib or scikit-learn, which may predict otherwise or fail.

    Returns
    -------
    Model
        As it was saved.

    Raises
    ------
    ModelError
        If it is no model file, is damaged or of another version, or holds what is not trusted; one sentence.
    """
    import skops.io

    name = os.fspath(path) if isinstance(path, str | os.PathLike) else getattr(path, "name", "the file")
    about, estimator = _parts(path, name)
    if about["number"] > NUMBER:
        raise ModelError(f"{name}: it was written by a later trellislib; update trellislib to read it.")
    origin = about["origin"]
    if not any_version:
        _refuse_other_versions(origin["versions"], name)
    kinds = _refuse_untrusted(
        estimator, trusted, f"{name}: it", "in Python, give trusted=[...] with the class if you know who wrote the file"
    )
    try:
        with warnings.catch_warnings(action="ignore", category=InconsistentVersionWarning):
            fitted = skops.io.loads(estimator, trusted=kinds)
        typical = about.get("typical")
        return Model(
            fitted,
            Schema.from_json(about["schema"]),
            Origin(**origin),
            typical and TypicalFeatures.from_json(typical),
            tuple(ConformalSets(**sets) for sets in about.get("sets", ())),
        )
    except Exception as error:  # whatever a part raises that lacks something
        raise _damaged(name, error) from error


def _parts(path: str | os.PathLike[str] | BinaryIO, name: str) -> tuple[dict[str, Any], bytes]:
    """Return what the two parts of a file hold."""
    try:
        with ZipFile(path) as archive:
            sizes = {part.filename: part for part in archive.infolist()}
            if {ABOUT, ESTIMATOR} - set(sizes):
                raise _foreign(name)
            _refuse_compressed(archive, name)
            about, estimator = json.loads(archive.read(ABOUT)), archive.read(ESTIMATOR)
        with ZipFile(io.BytesIO(estimator)) as parts:
            _refuse_compressed(parts, name)
        if about["format"] != FORMAT or not isinstance(about["number"], int):
            raise _foreign(name)
        if not all(isinstance(number, str) for number in dict(about["origin"]["versions"]).values()):
            raise _foreign(name)
        return about, estimator
    except ModelError:
        raise
    except OSError as error:
        raise ModelError(f"{name}: it cannot be read ({error.strerror or error}).") from error
    except BadZipFile as error:
        raise _foreign(name) from error
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        EOFError,
        RuntimeError,
    ) as error:  # RuntimeError: encrypted
        raise _damaged(name, error) from error


def _refuse_compressed(archive: ZipFile, name: str) -> None:
    """Refuse parts that could be larger than the file: no part is packed when it is saved."""
    if any(part.compress_type != ZIP_STORED for part in archive.infolist()):
        raise _foreign(name)


def _refuse_other_versions(saved: dict[str, str], name: str) -> None:
    here = versions()
    for package in DEPENDS_ON:
        if _release(saved.get(package, "")) != _release(here[package]):
            raise ModelError(
                f"{name}: it was fitted with {package} {saved.get(package, '(unknown)')}, and this is {here[package]}; "
                f"fit it again, install that version, or load it with {given('any_version', True)}."
            )


def _release(number: str) -> list[str]:
    """Return the first two numbers of a version, within which a package keeps its attributes."""
    return number.split(".")[:2]


def _refuse_untrusted(estimator: bytes, trusted: Types, what: str, advice: str) -> list[str]:
    """Return the types that are in an estimator, all of which are trusted."""
    import skops.io

    try:
        kinds = skops.io.get_untrusted_types(data=estimator)
    except Exception as error:
        raise _damaged(what.removesuffix(": it"), error) from error
    unknown = untrusted(kinds, trusted)
    if unknown:
        raise ModelError(f"{what} holds {quoted_names(unknown)}, of neither trellislib nor scikit-learn; {advice}.")
    return kinds


def _foreign(name: str) -> ModelError:
    return ModelError(f"{name}: it is no model file of trellislib, or was cut short; give one that save_model wrote.")


def _damaged(name: str, error: BaseException) -> ModelError:
    return ModelError(f"{name}: the model file is damaged ({type(error).__name__}); save the model again.")
