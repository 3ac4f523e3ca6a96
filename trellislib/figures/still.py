"""An interactive figure as a `Drawing`, from which files are made without a browser."""

from __future__ import annotations

import plotly.graph_objects as go

from trellislib.figures.drawing import Drawing


def still(figure: go.Figure, width: float = 640) -> Drawing:
    """Return a figure of this package as a drawing."""
    raise NotImplementedError
