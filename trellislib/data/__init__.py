"""Data sets: loaded from files, shipped with packages, or simulated."""

from trellislib.data.arff import load_arff, read_arff
from trellislib.data.choice import choose_labels
from trellislib.data.dataset import DataError, Dataset, Statistics
from trellislib.data.delimited import read_csv
from trellislib.data.fetching import fetch
from trellislib.data.files import load, read_table
from trellislib.data.installed import PACKAGED, packaged
from trellislib.data.joining import joined
from trellislib.data.known import KNOWN, KnownSet
from trellislib.data.label_dag import DIFFICULTIES, simulate_label_dag
from trellislib.data.library import at_hand, available, find, obtain, origin
from trellislib.data.mulan import read_mulan_xml
from trellislib.data.room import Room, simulate_room
from trellislib.data.table import Table

__all__ = [
    "DIFFICULTIES",
    "KNOWN",
    "PACKAGED",
    "DataError",
    "Dataset",
    "KnownSet",
    "Room",
    "Statistics",
    "Table",
    "at_hand",
    "available",
    "choose_labels",
    "fetch",
    "find",
    "joined",
    "load",
    "load_arff",
    "obtain",
    "origin",
    "packaged",
    "read_arff",
    "read_csv",
    "read_mulan_xml",
    "read_table",
    "simulate_label_dag",
    "simulate_room",
]
