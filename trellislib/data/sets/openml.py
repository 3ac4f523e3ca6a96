"""A data set of OpenML as it is kept on this machine: the ARFF file, and what OpenML says of it and of its columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trellislib.data.dataset import DataError, Dataset
from trellislib.data.reading.arff import read_arff
from trellislib.data.tables.table import Table


@dataclass(frozen=True)
class OpenMLFiles:
    """Where the files of a data set of OpenML are, or are to be.

    Parameters
    ----------
    folder : Path
        In which they are.
    data_id : int
        The number of the data set at OpenML.
    """

    folder: Path
    data_id: int

    @property
    def table(self) -> Path:
        """The ARFF file."""
        return self.folder / f"openml-{self.data_id}.arff"

    @property
    def description(self) -> Path:
        """What OpenML says of the data set, as JSON."""
        return self.folder / f"openml-{self.data_id}-description.json"

    @property
    def features(self) -> Path:
        """What OpenML says of each column, as JSON."""
        return self.folder / f"openml-{self.data_id}-features.json"

    @property
    def all(self) -> tuple[Path, ...]:
        """The three of them, in the order in which they are downloaded."""
        return self.description, self.features, self.table

    def described(self) -> Mapping[str, Any]:
        """Return what OpenML says of the data set: its name, and the address and the MD5 of the ARFF file.

        Raises
        ------
        DataError
            If the description cannot be read, or gives no address.
        """
        description = self._json(self.description, "data_set_description")
        if not all(isinstance(description.get(key), str) for key in ("name", "url", "md5_checksum")):
            raise DataError(f"{self.description.name}: OpenML's description of the data set gives no file to download.")
        return description

    def read(self) -> Dataset:
        """Return the data set, whose labels are the target columns; columns that OpenML says to ignore are left out.

        Raises
        ------
        DataError
            If a file cannot be read, or no column is a target.
        """
        table = self.read_table()
        labels = self._marked("is_target")
        if not labels:
            raise DataError(f"{table.name}: OpenML names no target column of data set {self.data_id}; give the labels.")
        table = replace(
            table,
            labels=labels,
            labels_source="what OpenML says of the columns",
            provenance=(*table.provenance, f"From OpenML, data set {self.data_id}."),
        )
        ignored = {*self._marked("is_ignore"), *self._marked("is_row_identifier")} - set(labels)
        return table.without([name for name in table.columns if name in ignored], "as OpenML says").to_dataset()

    def read_table(self) -> Table:
        """Return what the ARFF file holds, under the name that the data set has at OpenML."""
        return read_arff(self.table, self.described()["name"])

    def _marked(self, mark: str) -> tuple[str, ...]:
        """Return the names of the columns that OpenML marks so."""
        columns = self._json(self.features, "data_features").get("feature")
        if not isinstance(columns, list) or not all(isinstance(column, dict) for column in columns):
            raise DataError(f"{self.features.name}: this is not what OpenML says of columns; remove the file.")
        return tuple(str(column.get("name")) for column in columns if column.get(mark) == "true")

    def _json(self, path: Path, key: str) -> Mapping[str, Any]:
        try:
            content = json.loads(path.read_bytes())[key]
        except OSError as error:
            raise DataError(f"{path.name}: the file cannot be read ({error.strerror or error}).") from error
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise DataError(f"{path.name}: this is not what OpenML says of a data set; remove the file.") from error
        if not isinstance(content, dict):
            raise DataError(f"{path.name}: this is not what OpenML says of a data set; remove the file.")
        return content
