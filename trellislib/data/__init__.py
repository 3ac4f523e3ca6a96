"""Data sets: loaded from files, shipped with packages, or simulated."""

from trellislib.data.arff import load_arff
from trellislib.data.dataset import DataError, Dataset, Statistics
from trellislib.data.files import load, read_table
from trellislib.data.label_dag import DIFFICULTIES, simulate_label_dag
from trellislib.data.mulan import read_mulan_xml
from trellislib.data.packaged import PACKAGED, packaged
from trellislib.data.room import simulate_room
from trellislib.data.table import Table

__all__ = [
    "DIFFICULTIES",
    "PACKAGED",
    "DataError",
    "Dataset",
    "Statistics",
    "Table",
    "load",
    "load_arff",
    "packaged",
    "read_mulan_xml",
    "read_table",
    "simulate_label_dag",
    "simulate_room",
]
