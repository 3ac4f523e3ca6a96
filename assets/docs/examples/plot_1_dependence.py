"""
Which labels depend on each other?
==================================

Mutual information of every pair of labels, and which pairs are clearly dependent.
"""

import numpy as np

from trellislib.data import packaged
from trellislib.dependence import mutual_information
from trellislib.figures import dependence_heatmap, label_order
from trellislib.graphs import fs

yeast = packaged("yeast")
information = mutual_information(yeast.Y)
one, other = np.unravel_index(np.argmax(np.triu(information, k=1)), information.shape)
print(f"{yeast.label_names[one]} and {yeast.label_names[other]}: {information[one, other]:.2f} nats")

# %%
# FS draws a directed graph through the pairs that a significance test keeps.

graph = fs(yeast.Y, random_state=0)
print(len(graph.edges), "edges between", yeast.n_labels, "labels")

# %%
# The same in one figure.

figure = dependence_heatmap(information, yeast.label_names, label_order(information, yeast.Y.mean(axis=0)))
