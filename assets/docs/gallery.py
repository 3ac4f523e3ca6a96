"""How the gallery gets its pictures: each figure of an example is saved as PNG, as a user would save it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from sphinx_gallery.scrapers import figure_rst

from trellislib.figures import Drawing, export

_saved: list[go.Figure | Drawing] = []


def save_figures(block: tuple, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the figures that a block of an example has made, and return the reStructuredText that shows them."""
    paths: Iterable[str] = block_vars["image_path_iterator"]
    shown = []
    for value in block_vars["example_globals"].values():
        if isinstance(value, go.Figure | Drawing) and not any(value is figure for figure in _saved):
            _saved.append(value)
            path = Path(next(iter(paths))).with_suffix(".png")
            path.write_bytes(export(value, "png"))
            shown.append(str(path))
    return figure_rst(shown, gallery_conf["src_dir"])
