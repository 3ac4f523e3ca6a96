"""
Is the true graph found?
========================

Labels are simulated from a known graph, and FS and LEAD look for it.
"""

from trellislib.data import simulate_label_dag
from trellislib.dependence import mutual_information
from trellislib.figures import graph_figure, graph_positions
from trellislib.graphs import fs, lead, recovery

data = simulate_label_dag(n_instances=2000, random_state=0)
for name, found in {"FS": fs(data.Y, random_state=0), "LEAD": lead(data.X, data.Y, random_state=0)}.items():
    print(name, recovery(found, data.true_parents))

# %%
# The graph that LEAD finds.

figure = graph_figure(found, data.label_names, graph_positions(mutual_information(data.Y)))
