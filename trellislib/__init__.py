"""See, teach and tune how labels depend on each other in multi-label and multi-output classification.

Every method is the same four things: a label graph, a base learner per label, an inference, and a decision. The first
two give a distribution over label vectors, the inference reads it, and the decision takes the vector that is best for a
score. The flow is ``data -> dependence -> graphs -> learners -> inference -> decisions -> methods -> metrics ->
experiment -> figures``, and imports run one way along it.

"The paper", wherever it is cited, is Read, Martino, Olmos and Luengo, "Scalable multi-output label prediction:
from classifier chains to classifier trellises", Pattern Recognition 48 (2015).

Its names and its folders are imported when they are first used, see ``__init__.pyi``.
"""

from pathlib import Path

import lazy_loader

from trellislib.running.moved import keep_earlier_names

__version__ = "0.1.0"

keep_earlier_names()

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ = [name for name in __all__ if not Path(__file__).with_name(name).is_dir()]
