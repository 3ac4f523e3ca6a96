"""Fitted methods that are kept: with what new rows must look like, in a file that loads without running code."""

from trellislib.models.errors import ModelError
from trellislib.models.files import load_model, save_model
from trellislib.models.fitting import default_method, fit_model
from trellislib.models.model import Model, Scored
from trellislib.models.origin import Origin
from trellislib.models.prediction_sets import conformal_sets, with_sets
from trellislib.models.predictions import Predictions
from trellislib.models.script import prediction_script

__all__ = [
    "Model",
    "ModelError",
    "Origin",
    "Predictions",
    "Scored",
    "conformal_sets",
    "default_method",
    "fit_model",
    "load_model",
    "prediction_script",
    "save_model",
    "with_sets",
]
