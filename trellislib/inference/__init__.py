"""From fitted conditionals to predictions, over any graph and any learner that gives what is needed."""

from trellislib.inference.ancestral import AncestralSampling
from trellislib.inference.base import Inference, Inferred
from trellislib.inference.beam import BeamSearch
from trellislib.inference.exhaustive import Exhaustive
from trellislib.inference.gibbs import GibbsSampling
from trellislib.inference.greedy import Greedy

__all__ = ["AncestralSampling", "BeamSearch", "Exhaustive", "GibbsSampling", "Greedy", "Inference", "Inferred"]
