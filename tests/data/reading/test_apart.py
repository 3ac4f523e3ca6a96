"""Files read in a process of its own."""

import sys
import time

import cloudpickle
import pytest

from trellislib.data import DataError, gather, read_table
from trellislib.data.reading import apart
from trellislib.data.reading.apart import read_apart
from trellislib.running.progress import CancelledError

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # other processes cannot import it
CSV = b"x,sunny\n0.5,1\n0.1,0\n"


def test_tables_and_problems_come_back():
    sets, errors = read_apart(gather, [("sky.csv", CSV), ("empty.csv", b"")])
    assert sets[0].table.cells.tolist() == read_table(CSV, "sky.csv").cells.tolist()
    assert [set(error.files) for error in errors] == [{"empty.csv"}]


def test_a_process_reads_again():
    read_apart(gather, [("sky.csv", CSV)])
    (first,) = {worker.pid for worker in apart._idle[-1:]}
    read_apart(gather, [("sky.csv", CSV)])
    assert apart._idle[-1].pid == first


def for_ever(_):
    while True:
        pass


def test_what_takes_too_long_is_named(monkeypatch):
    monkeypatch.setattr(apart, "SECONDS", 0.2)
    with pytest.raises(DataError, match=r"^slow\.bz2: takes more than 0\.2 s of the processor to read; .* CSV\.$"):
        read_apart(for_ever, [("slow.bz2", b"BZ")])


def test_what_takes_too_much_memory_is_named(monkeypatch):
    def takes(_):
        held = bytearray(600 * 2**20)
        held[:: 2**12] = b"x" * len(held[:: 2**12])
        time.sleep(600)

    monkeypatch.setattr(apart, "LEAST_GIB", 0.4)
    with pytest.raises(DataError, match=r"^wide\.parquet: takes more than 0\.4 GiB of memory to read"):
        read_apart(takes, [("wide.parquet", b"")])


def test_a_crash_is_a_sentence():
    def crashes(_):
        import os

        os._exit(3)

    with pytest.raises(DataError, match=r"^a\.mat: cannot be read: its process ended with code 3; save it as CSV\.$"):
        read_apart(crashes, [("a.mat", b"")])


def test_it_can_be_stopped():
    with pytest.raises(CancelledError):
        read_apart(for_ever, [("slow.csv", b"")], cancelled=lambda: True)
