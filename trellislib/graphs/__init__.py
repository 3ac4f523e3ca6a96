"""Structures between labels, usable without any classifier."""

from trellislib.graphs.label_graph import LabelGraph
from trellislib.graphs.trellis import (
    PATTERNS,
    PLACEMENTS,
    Trellis,
    capture_bound,
    captured_dependence,
    default_width,
    parse_pattern,
    random_captures,
    trellis,
)

__all__ = [
    "PATTERNS",
    "PLACEMENTS",
    "LabelGraph",
    "Trellis",
    "capture_bound",
    "captured_dependence",
    "default_width",
    "parse_pattern",
    "random_captures",
    "trellis",
]
