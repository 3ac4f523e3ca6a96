"""
Labels placed in a trellis
==========================

Algorithm 1 of the paper puts labels that depend on each other into neighbouring cells.
"""

from trellislib.data import packaged
from trellislib.dependence import mutual_information
from trellislib.figures import trellis_figure
from trellislib.graphs import captured_dependence, trellis

yeast = packaged("yeast")
information = mutual_information(yeast.Y)
climbed = trellis(information, width=4, parents="left-up", random_state=0)
random = trellis(information, width=4, parents="left-up", placement="random", random_state=0)
for name, placed in {"Algorithm 1": climbed, "random": random}.items():
    print(f"{name}: {captured_dependence(placed, information):.2f} nats between neighbours")

figure = trellis_figure(climbed, yeast.label_names, information)
