"""
Is the difference real?
=======================

The paper's accuracies of seven methods, ranked on the data sets that all of them finished, and Nemenyi's test.
"""

from trellislib.figures import rank_diagram
from trellislib.paper import score_table
from trellislib.ranking import nemenyi
from trellislib.ranking.verdict import about_ranking

accuracy = score_table("accuracy").dropna()
found = nemenyi(accuracy, alpha=0.1)
print(about_ranking(found, "accuracy"))

figure = rank_diagram(found.average_ranks, found.critical_distance, found.groups)
