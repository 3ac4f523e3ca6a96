"""The methods, as scikit-learn estimators."""

from trellislib.methods.base import LabelGraphClassifier
from trellislib.methods.chain import ClassifierChain
from trellislib.methods.independent import IndependentClassifiers
from trellislib.methods.trellis import ClassifierTrellis

__all__ = ["ClassifierChain", "ClassifierTrellis", "IndependentClassifiers", "LabelGraphClassifier"]
