"""See, teach and tune how labels depend on each other in multi-label and multi-output classification.

Every method is the same three things: a label graph, a base learner per label, and an inference. The flow is
``data -> dependence -> graphs -> learners -> inference -> methods -> metrics -> experiment -> figures``, and
imports run one way along it.

"The paper", wherever it is cited, is Read, Martino, Olmos and Luengo, "Scalable multi-output label prediction:
from classifier chains to classifier trellises", Pattern Recognition 48 (2015).
"""

from trellislib.learners import LeastSquares, PerLabel
from trellislib.methods import ClassifierChain, ClassifierTrellis, IndependentClassifiers

__all__ = [
    "ClassifierChain",
    "ClassifierTrellis",
    "IndependentClassifiers",
    "LeastSquares",
    "PerLabel",
]
