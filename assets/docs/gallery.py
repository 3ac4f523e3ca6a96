"""How the gallery gets its pictures: each figure of an example is saved as SVG, as a user would save it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
from sphinx_gallery.scrapers import figure_rst

from trellislib.figures import Drawing, export


def save_figures(block: tuple, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save the figures that a block of an example has made, and return the reStructuredText that shows them."""
    saved = gallery_conf.setdefault("saved figures", set())
    paths: Iterable[str] = block_vars["image_path_iterator"]
    shown = []
    for value in block_vars["example_globals"].values():
        if isinstance(value, go.Figure | Drawing) and id(value) not in saved:
            saved.add(id(value))
            path = Path(next(iter(paths))).with_suffix(".png")
            path.write_bytes(export(value, "png"))
            shown.append(str(path))
    return figure_rst(shown, gallery_conf["src_dir"])
