"""Pure functions from data to plotly figures; the only part of the library that needs plotly."""

from trellislib.figures.captured import captured_figure
from trellislib.figures.comparison import label_scores_figure, score_against_time_figure, score_time_figure
from trellislib.figures.differences import difference_spread, differences_figure
from trellislib.figures.drawing import Drawing
from trellislib.figures.export import FORMATS, drawing_figure, export
from trellislib.figures.graph import DRAWN_LABELS, graph_figure, graph_positions, lattice_positions, ring_positions
from trellislib.figures.growth import growth_exponent, growth_figure
from trellislib.figures.labels import frequency_figure, labels_per_instance_figure
from trellislib.figures.lattice import trellis_figure
from trellislib.figures.matrix import CLICKABLE_LABELS, ORDERS, dependence_heatmap, label_order
from trellislib.figures.rank_diagram import rank_bars, rank_diagram
from trellislib.figures.room import room_figure
from trellislib.figures.still import still
from trellislib.figures.style import METHOD_STYLES, MethodStyle, method_style

__all__ = [
    "CLICKABLE_LABELS",
    "DRAWN_LABELS",
    "FORMATS",
    "METHOD_STYLES",
    "ORDERS",
    "Drawing",
    "MethodStyle",
    "captured_figure",
    "dependence_heatmap",
    "difference_spread",
    "differences_figure",
    "drawing_figure",
    "export",
    "frequency_figure",
    "graph_figure",
    "graph_positions",
    "growth_exponent",
    "growth_figure",
    "label_order",
    "label_scores_figure",
    "labels_per_instance_figure",
    "lattice_positions",
    "method_style",
    "rank_bars",
    "rank_diagram",
    "ring_positions",
    "room_figure",
    "score_against_time_figure",
    "score_time_figure",
    "still",
    "trellis_figure",
]
