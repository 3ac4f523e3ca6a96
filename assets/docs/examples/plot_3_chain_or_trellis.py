"""
Chain, trellis or neither?
==========================

Three methods on the same five folds: independent classifiers, a chain, and a trellis.
"""

from trellislib import ClassifierChain, ClassifierTrellis, IndependentClassifiers
from trellislib.data import packaged
from trellislib.experiment import evaluate
from trellislib.figures import score_against_time_figure
from trellislib.metrics import MEASURES

methods = {"IC": IndependentClassifiers(), "CC": ClassifierChain(), "CT": ClassifierTrellis(random_state=0)}
results = evaluate(packaged("yeast"), methods, cv=5)
print(results.summary().T.loc[["accuracy", "exact_match", "train_seconds"]])

# %%
# Scores against time, with the methods that no other beats in both.

figure = score_against_time_figure(results.summary(), MEASURES["exact_match"])
