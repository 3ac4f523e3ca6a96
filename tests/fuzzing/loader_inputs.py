"""What the loaders are tried with: every reader of bytes, a few good files of each form, and ways to spoil them.

A new reader or form is one line more in `READERS` or `SEEDS`.
"""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from scipy import io as scipy_io
from scipy import sparse

READERS = {
    "arff": "trellislib.data.reading.arff:read_arff",
    "csv": "trellislib.data.reading.delimited:read_csv",
    "excel": "trellislib.data.reading.excel:read_excel",
    "extreme": "trellislib.data.reading.sparse_rows:read_extreme",
    "json": "trellislib.data.reading.json_rows:read_json",
    "mat": "trellislib.data.reading.matlab:read_mat",
    "members": "loader_inputs:contents",
    "npz": "trellislib.data.reading.npz:read_npz",
    "orange": "trellislib.data.reading.orange:read_orange",
    "parquet": "trellislib.data.reading.parquet:read_parquet",
    "svmlight": "trellislib.data.reading.svmlight:read_svmlight",
    "r": "trellislib.data.reading.r_data:read_r",
    "xml": "trellislib.data.reading.choice:read_mulan_xml",
    "any": "loader_inputs:any_data_set",
    "gather": "loader_inputs:gathered",
    "sheet": "loader_inputs:sheet",
    "array": "loader_inputs:array",
}
"""What reads bytes and a name, and where it is."""

NAMES = ("t", "t.arff", "t.csv", "t.zip", "t.xml")
"""Names of files; most readers must not care."""

TOKENS = {
    "arff": [
        *["@relation t\n", "@relation 't: -C 1'\n", "@attribute ", "@data\n", "x ", "numeric\n", "real\n", "string\n"],
        *["date\n", "{0,1}\n", "{a,'b c'}\n", "'", '"', "\\", "{", "}", ",", "\n", "\r", "%", " ", "\t", "0", "1", "?"],
        *["1_0", "nan", "1e999", "\x85", "\0", "\u2028", "{0 1}", "{1 1,0 2}", ",{2}"],
    ],
    "csv": [
        *["x,y\n", "x;y\n", "x\ty\n", ",", ";", "\t", "|", '"', "'", "\n", "\r", "1", "0,5", "a", "", "?"],
        *["\0", "inf", "=1+1", "2020-01-01", "nan", "yes", "007", "9007199254740993", "0.5", "--"],
    ],
    "json": [
        *["[", "]", "{", "}", ",", ":", '"', "\\", "\n", "[{", "}]", '{"x":', '"x"', '"y"', '"columns":', '"data":'],
        *["1", "0.5", "null", "true", "NaN", "Infinity", "1e999", "9" * 20, "[[1, 2]]", '["a", "b"]', "\0", "\u00e9"],
    ],
    "svmlight": [
        *["0", "1", ",", ":", " ", "\n", "#", "1:0.5", "2:1", "99999999999:1", "-1:1", "+1", "qid:1", "3 4 2\n", "nan"],
        *["1e9", "1e999"],
    ],
    "xml": [
        *["<labels", "<label ", 'name="a"', ">", "/>", "</label>", "</labels>", "&amp;", "&", "<?xml?>"],
        *["<!DOCTYPE a>", "\0", "\n", "\u00e9"],
    ],
}  # fmt: skip
"""The words of each form of text."""

ARFF = b"@relation 't: -C 2'\n@attribute a {0,1}\n@attribute b {no,'it\\'s'}\n@attribute x real\n@attribute s string\n"
CSV = b"x,y,a,b\n0.5,red,1,0\n,blue,0,1\n2,red,1,1\n"
FRAME = pd.DataFrame({"x": [0.5, np.nan, 2], "y": ["red", "blue", "red"], "a": [1, 0, 1], "b": [0, 1, 1]})


def _written(write, *args, **kwargs):
    file = io.BytesIO()
    write(file, *args, **kwargs)
    return file.getvalue()


def _of_path(write, value):
    with TemporaryDirectory() as folder:
        write(path := Path(folder) / "file", value)
        return gzip.decompress(path.read_bytes())


def _zipped(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _tarred(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


DENSE = ARFF + b"@data\n1,no,0.5,'a b'\n0,?,nan,c % d\n"
XML = b'<?xml version="1.0"?><labels xmlns="u"><label name="a"><label name="b &amp; c"/></label></labels>'
MAT = {"X": np.eye(3), "Y": np.array([[1, 0], [0, 1], [1, 1]])}
WORKBOOK = _written(FRAME.to_excel, index=False)
SHEET_PATH = "xl/worksheets/sheet1.xml"
with zipfile.ZipFile(io.BytesIO(WORKBOOK)) as opened:
    PARTS = {path: opened.read(path) for path in opened.namelist()}
SHEET = PARTS[SHEET_PATH]
LABELS = pd.DataFrame({"index": [3, 4], "count": [2, 2]}, index=pd.Index(["a", "b"], dtype=object))
SEEDS = {
    "arff": [DENSE, ARFF + b"@data\n{0 1,2 0.5}\n{}\n{1 'it\\'s',3 q}, {2}\n", DENSE.decode().encode("utf-16")],
    "csv": [CSV, CSV.replace(b",", b"\t"), b"x;l\n1,5;a|b\n2,25;b\n", b'"x","l"\n1,"a, b"\n2,a\n'],
    "excel": [WORKBOOK],
    "extreme": [b"3 4 2\n0,1 0:0.5 3:1\n1 2:1\n 1:0.25\n"],
    "json": [
        b'[{"x": 0.5, "t": ["a", "b"], "p": {"q": 1}}, {"x": null, "t": []}]',
        b'{"x": 1, "y": "a"}\n{"x": 2.5}\n\n{"x": 3, "y": true}\n',
        b'{"x": [1, 2], "y": ["a", null]}',
        b'{"columns": ["x", "y"], "index": [0], "data": [[1, "a"]]}',
        b'{"x": {"0": 1, "1": 2}, "y": {"0": 0, "1": 1}}',
    ],
    "mat": [_written(scipy_io.savemat, MAT, do_compression=packed) for packed in (False, True)]
    + [_written(scipy_io.savemat, {"X": sparse.csc_array(MAT["X"]), "Y": MAT["Y"]})],
    "members": [
        *[_zipped({"x.csv": CSV, "y.arff": DENSE}), _tarred({"x.csv": CSV, "y.xml": XML})],
        gzip.compress(_tarred({"x.csv": CSV})),
    ],
    "npz": [
        *[_written(np.savez, **MAT), _written(np.save, MAT["X"])],
        _written(sparse.save_npz, sparse.csr_array(MAT["X"])),
    ],
    "orange": [
        b"x\ty\ta\ncontinuous\tred blue\t0 1\n\t\tclass\n0.5\tred\t1\n?\tblue\t0\n",
        b"C#x\tmD#y\tcD#a\n1\tu\t0\n2\tv\t1\n",
    ],
    "parquet": [_written(FRAME.to_parquet)],
    "r": [],
    "svmlight": [b"1,3 1:0.5 7:1 # a\n 2:1\n2 1:1\n", b"+1 1:1\n-1 2:0.25\n"],
    "xml": [XML, b"\xef\xbb\xbf<labels><label name='x'/></labels>"],
    "any": [pack(DENSE) for pack in (gzip.compress, bz2.compress, lzma.compress)] + [_zipped({"t.arff": DENSE})],
    "gather": [_zipped({"t.arff": DENSE, "t.xml": XML}), _zipped({"t-train.csv": CSV, "t-test.csv": CSV})],
    "sheet": [SHEET],
    "array": [_written(np.save, MAT["X"]), _written(np.save, np.array([["1", "b"], ["2.5", "c"], ["", "b"]]))],
}  # fmt: skip
"""Good files for each reader."""

if find_spec("rdata"):
    import rdata

    of_r = FRAME.assign(y=pd.Categorical(FRAME["y"])).astype({"a": float, "b": float})
    MLDR = {"name": "sky", "dataset": of_r, "labels": LABELS}
    for write, value in ((rdata.write_rda, {"sky": MLDR}), (rdata.write_rds, MLDR["dataset"])):
        SEEDS["r"].append(_of_path(write, value))
else:
    del READERS["r"], SEEDS["r"]


def reader(key):
    """Return the reader of that name."""
    module, _, name = READERS[key].partition(":")
    return getattr(import_module(module), name)


def contents(content, name):
    """Read all that is in an archive."""
    from trellislib.data.reading.archive import members

    for member in members(content, name):
        with member.binary() as file:
            while file.read(2**16):
                pass


def any_data_set(content, name):
    """Read a file of any form, and make a data set of it."""
    from trellislib.data.reading.formats import read_table

    table = read_table(content, name)
    labels = table.propose_labels()
    if labels:
        table.to_dataset(labels)


def gathered(content, name):
    """Read a file, or an archive, as one of several."""
    from trellislib.data.reading.gathering import gather
    from trellislib.data.reading.source import Source

    sets, errors = gather([Source(content, name), Source(CSV, "t-test.csv")])
    assert sets or errors


def sheet(content, name):
    """Read a workbook of which only the sheet is spoilt, since a zip archive has checksums."""
    from trellislib.data.reading.excel import read_excel

    read_excel(_zipped({**PARTS, SHEET_PATH: content}), name)


def array(content, name):
    """Read arrays of which only one is spoilt, likewise."""
    from trellislib.data.reading.npz import read_npz

    read_npz(_zipped({"X.npy": content, "Y.npy": SEEDS["npz"][1]}), name)


def spoilt(content, other, cuts, flips):
    """Return a file with parts of it, or of another, in other places, and bytes changed.

    Parameters
    ----------
    content, other : bytes
        The file, and the one from which parts are taken.
    cuts : sequence of (start, end, place)
        Parts of `other`, and where in `content` they are put; numbers are taken modulo the lengths.
    flips : sequence of (place, byte)
        What is written over.
    """
    for start, end, place in cuts:
        place %= len(content) + 1
        start, end = sorted((start % (len(other) + 1), end % (len(other) + 1)))
        kept = place + (end - start) * (start % 2)  # put in between, or over what was there
        content = content[:place] + other[start:end] + content[kept:]
    spoilt_content = bytearray(content)
    for place, byte in flips:
        if spoilt_content:
            spoilt_content[place % len(spoilt_content)] = byte
    return bytes(spoilt_content)
