"""Data sets: loaded from files, shipped with packages, or simulated."""

from trellislib.data.arff import load_arff, read_arff
from trellislib.data.choice import choose_labels
from trellislib.data.dataset import DataError, Dataset, Statistics
from trellislib.data.delimited import read_csv
from trellislib.data.examples import labels_beside, pair_examples
from trellislib.data.fetching import fetch
from trellislib.data.files import load, read_table
from trellislib.data.installed import PACKAGED, packaged
from trellislib.data.joining import joined
from trellislib.data.known import KNOWN, KnownSet
from trellislib.data.label_dag import (
    DIFFICULTIES,
    LabelDag,
    observed_given_parent,
    probability_given_parent,
    simulate_label_dag,
)
from trellislib.data.library import at_hand, available, find, obtain, origin
from trellislib.data.mulan import read_mulan_xml
from trellislib.data.profile import LabelProfile, label_profile
from trellislib.data.room import Room, simulate_room
from trellislib.data.table import Table

__all__ = [
    "DIFFICULTIES",
    "KNOWN",
    "PACKAGED",
    "DataError",
    "Dataset",
    "KnownSet",
    "LabelDag",
    "LabelProfile",
    "Room",
    "Statistics",
    "Table",
    "at_hand",
    "available",
    "choose_labels",
    "fetch",
    "find",
    "joined",
    "label_profile",
    "labels_beside",
    "load",
    "load_arff",
    "observed_given_parent",
    "obtain",
    "origin",
    "packaged",
    "pair_examples",
    "probability_given_parent",
    "read_arff",
    "read_csv",
    "read_mulan_xml",
    "read_table",
    "simulate_label_dag",
    "simulate_room",
]
