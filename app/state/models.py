"""Fitted methods that a visit keeps to predict new rows."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from weakref import WeakSet

from trellislib.models import Model, load_model, save_model
from trellislib.wording import without_controls
from trellislib.wording.arguments import naming

MOST_KEPT = 8  # of a workspace


@dataclass(eq=False)
class KeptModel:
    """A model, what pages call it, and the digest of the data that it was fitted to, where this visit had them."""

    title: str
    model: Model
    digest: str = ""

    @classmethod
    def from_file(cls, name: str, content: bytes) -> KeptModel:
        """Read a model file; raise a ModelError with its name where that cannot be."""
        file = io.BytesIO(content)
        file.name = name
        with naming(lambda *_: "trellislib predict --any-version"):
            return cls(without_controls(name), load_model(file))

    def written(self) -> bytes:
        """Return the model as a file."""
        file = io.BytesIO()
        save_model(self.model, file)
        return file.getvalue()


@dataclass
class KeptModels:
    """The models of a visit, the newest first."""

    models: list[KeptModel] = field(default_factory=list)
    _offered: WeakSet[Model] = field(default_factory=WeakSet)  # models that were kept once, perhaps forgotten since

    def keep(self, title: str, model: Model, digest: str) -> bool:
        """Keep a model unless it was kept before; return whether it is new."""
        if model in self._offered:
            return False
        self._offered.add(model)
        self.add(KeptModel(title, model, digest))
        return True

    def add(self, kept: KeptModel) -> None:
        """Put a model first; of too many, forget the oldest."""
        self.models = [kept, *self.models][:MOST_KEPT]
