"""Data sets: loaded from files, shipped with packages, or simulated."""

from trellislib.data.arff import load_arff, read_arff
from trellislib.data.arrays import from_arrays
from trellislib.data.choice import choose_labels, with_labels
from trellislib.data.combining import below, beside
from trellislib.data.dataset import DataError, Dataset, PartlyLabelled, Statistics
from trellislib.data.delimited import read_csv
from trellislib.data.examples import labels_beside, pair_examples
from trellislib.data.excel import read_excel
from trellislib.data.fetching import fetch
from trellislib.data.files import load
from trellislib.data.formats import read_table
from trellislib.data.frames import from_frame
from trellislib.data.gathering import Gathered, gather
from trellislib.data.installed import PACKAGED, packaged
from trellislib.data.known import KNOWN, KnownSet
from trellislib.data.label_dag import (
    DIFFICULTIES,
    LabelDag,
    observed_given_parent,
    probability_given_parent,
    simulate_label_dag,
)
from trellislib.data.library import at_hand, available, data_sets, find, obtain, origin
from trellislib.data.matlab import read_mat
from trellislib.data.mulan import read_mulan_xml
from trellislib.data.npz import read_npz
from trellislib.data.orange import read_orange
from trellislib.data.parquet import read_parquet
from trellislib.data.profile import LabelProfile, label_profile
from trellislib.data.report import Report, report
from trellislib.data.room import Room, simulate_room
from trellislib.data.svmlight import read_svmlight
from trellislib.data.table import Table
from trellislib.data.writing import FORMS, written

__all__ = [
    "DIFFICULTIES",
    "FORMS",
    "KNOWN",
    "PACKAGED",
    "DataError",
    "Dataset",
    "Gathered",
    "KnownSet",
    "LabelDag",
    "LabelProfile",
    "PartlyLabelled",
    "Report",
    "Room",
    "Statistics",
    "Table",
    "at_hand",
    "available",
    "below",
    "beside",
    "choose_labels",
    "data_sets",
    "fetch",
    "find",
    "from_arrays",
    "from_frame",
    "gather",
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
    "read_excel",
    "read_mat",
    "read_mulan_xml",
    "read_npz",
    "read_orange",
    "read_parquet",
    "read_svmlight",
    "read_table",
    "report",
    "simulate_label_dag",
    "simulate_room",
    "with_labels",
    "written",
]
