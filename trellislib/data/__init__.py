"""Data sets: loaded from files, shipped with packages, or simulated."""

from trellislib.data.dataset import DataError, Dataset, PartiallyLabelled
from trellislib.data.files import load
from trellislib.data.label_dag import (
    DIFFICULTIES,
    LabelDag,
    observed_given_parent,
    probability_given_parent,
    simulate_label_dag,
)
from trellislib.data.lamps import simulate_lamps
from trellislib.data.profile import LabelProfile, label_profile, other_labels, pair_examples
from trellislib.data.reading.arff import load_arff, read_arff
from trellislib.data.reading.arrays import from_arrays
from trellislib.data.reading.choice import choose_labels, read_mulan_xml, with_labels
from trellislib.data.reading.combining import joined, stacked
from trellislib.data.reading.delimited import read_csv
from trellislib.data.reading.excel import read_excel
from trellislib.data.reading.formats import read_table
from trellislib.data.reading.frames import from_frame
from trellislib.data.reading.gathering import Gathered, gather
from trellislib.data.reading.json_rows import read_json
from trellislib.data.reading.matlab import read_mat
from trellislib.data.reading.npz import read_npz
from trellislib.data.reading.orange import read_orange
from trellislib.data.reading.parquet import read_parquet
from trellislib.data.reading.svmlight import read_svmlight
from trellislib.data.report import Report, report
from trellislib.data.room import Room, simulate_room
from trellislib.data.room_files import read_room, written_room
from trellislib.data.room_scenes import Scenes, paper_scenes, people_scenes, person_tiles, simulate_scenes
from trellislib.data.sets.fetching import fetch
from trellislib.data.sets.installed import PACKAGED, packaged
from trellislib.data.sets.known import KNOWN, KnownSet
from trellislib.data.sets.library import available, data_sets, find, obtain, obtainable, origin
from trellislib.data.shapes import simulate_shapes
from trellislib.data.statistics import Statistics
from trellislib.data.tables.table import Table
from trellislib.data.writing import FORMS, save, written

at_hand, beside, below, labels_beside = obtainable, joined, stacked, other_labels  # their earlier names

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
    "PartiallyLabelled",
    "Report",
    "Room",
    "Scenes",
    "Statistics",
    "Table",
    "available",
    "choose_labels",
    "data_sets",
    "fetch",
    "find",
    "from_arrays",
    "from_frame",
    "gather",
    "joined",
    "label_profile",
    "load",
    "load_arff",
    "observed_given_parent",
    "obtain",
    "obtainable",
    "origin",
    "other_labels",
    "packaged",
    "pair_examples",
    "paper_scenes",
    "people_scenes",
    "person_tiles",
    "probability_given_parent",
    "read_arff",
    "read_csv",
    "read_excel",
    "read_json",
    "read_mat",
    "read_mulan_xml",
    "read_npz",
    "read_orange",
    "read_parquet",
    "read_room",
    "read_svmlight",
    "read_table",
    "report",
    "save",
    "simulate_label_dag",
    "simulate_lamps",
    "simulate_room",
    "simulate_scenes",
    "simulate_shapes",
    "stacked",
    "with_labels",
    "written",
    "written_room",
]
