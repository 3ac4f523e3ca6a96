"""Pure functions from data to plotly figures; the only part of the library that needs plotly."""

from trellislib.figures.captured import captured_figure
from trellislib.figures.comparison import label_scores_figure, score_against_time_figure
from trellislib.figures.graph import DRAWN_LABELS, graph_figure, graph_positions
from trellislib.figures.growth import growth_exponent, growth_figure
from trellislib.figures.labels import frequency_figure, labels_per_instance_figure
from trellislib.figures.lattice import trellis_figure
from trellislib.figures.matrix import CLICKABLE_LABELS, ORDERS, dependence_heatmap, label_order
from trellislib.figures.style import METHOD_STYLES, MethodStyle, method_style

__all__ = [
    "CLICKABLE_LABELS",
    "DRAWN_LABELS",
    "METHOD_STYLES",
    "ORDERS",
    "MethodStyle",
    "captured_figure",
    "dependence_heatmap",
    "frequency_figure",
    "graph_figure",
    "graph_positions",
    "growth_exponent",
    "growth_figure",
    "label_order",
    "label_scores_figure",
    "labels_per_instance_figure",
    "method_style",
    "score_against_time_figure",
    "trellis_figure",
]
