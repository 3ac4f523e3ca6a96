"""Structures between labels, usable without any classifier."""

from trellislib.graphs.orders import frequency_order, information_order
from trellislib.graphs.placement import (
    PATTERNS,
    PLACEMENTS,
    Offset,
    Trellis,
    capture_bound,
    captured_dependence,
    climbed_captures,
    default_width,
    parse_pattern,
    random_captures,
    random_trellis,
    trellis,
)
from trellislib.graphs.random import random_pairs, random_tree
from trellislib.label_graph import LabelGraph, UndirectedLabelGraph

__all__ = [
    "PATTERNS",
    "PLACEMENTS",
    "LabelGraph",
    "Offset",
    "Trellis",
    "UndirectedLabelGraph",
    "capture_bound",
    "captured_dependence",
    "climbed_captures",
    "default_width",
    "frequency_order",
    "information_order",
    "parse_pattern",
    "random_captures",
    "random_pairs",
    "random_tree",
    "random_trellis",
    "trellis",
]
