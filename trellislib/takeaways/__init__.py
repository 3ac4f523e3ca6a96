"""What the data say, in one sentence each: computed from what is on screen, in plain words."""

from trellislib.takeaways.comparison import about_comparison
from trellislib.takeaways.data import about_data
from trellislib.takeaways.dependence import LEVEL, about_dependence, about_pair
from trellislib.takeaways.graphs import about_graphs
from trellislib.takeaways.trellis import about_starts, about_trellis, about_worth

__all__ = [
    "LEVEL",
    "about_comparison",
    "about_data",
    "about_dependence",
    "about_graphs",
    "about_pair",
    "about_starts",
    "about_trellis",
    "about_worth",
]
