import gzip
from time import process_time

import pytest

from trellislib.data.dataset import DataError
from trellislib.data.reading import choice
from trellislib.data.reading.choice import choose_labels, read_mulan_xml
from trellislib.data.reading.delimited import read_csv


def test_hierarchies_are_flattened_parents_first():
    xml = (
        b'<?xml version="1.0"?><m:labels xmlns:m="u"><m:label name="a"><m:label name="b"><m:label name="d"/></m:label>'
        b'</m:label><m:label name="c"/></m:labels>'
    )
    assert read_mulan_xml(xml) == ("a", "b", "d", "c")


XML = '<labels>\n <label name="m\u00fasica &amp; &lt;&#x20ac;&gt;"> </label>\r\n<label name=\'"\'/></labels>'
NAMES = ("m\u00fasica & <\u20ac>", '"')


@pytest.mark.parametrize(
    "content",
    [
        XML.encode(),
        XML.encode("utf-8-sig"),
        XML.encode("utf-16"),
        b"\xfe\xff" + XML.encode("utf-16-be"),
        XML.encode("latin-1"),
        ("<?xml version='1.0' encoding='utf-8'?>" + XML).encode("latin-1"),
        ("<?xml version='1.0' encoding='iso-8859-1'?>" + XML).encode("latin-1"),
        ("<?xml version='1.0' encoding='windows-1252'?>" + XML.replace("&#x20ac;", "\u20ac")).encode("cp1252"),
        XML.replace("&#x20ac;", "\u20ac").encode("cp1252"),
        XML.replace("label", "LABEL").replace("name", "Name").encode(),
        gzip.compress(XML.encode(), mtime=0),
    ],
)
def test_however_it_is_written(content):
    assert read_mulan_xml(content) == NAMES


def test_bytes_are_read_as_those_of_the_arff():
    assert read_mulan_xml(b'<labels><label name="\xfc \xc3\xbc \x81"/></labels>') == ("\u00fc \u00fc \ufffd",)


@pytest.mark.parametrize(
    ("xml", "cause"),
    [
        (b"", "the file is empty (zero bytes)."),
        (b" \n", "the file has nothing but blanks."),
        (b"<labels>\n<label name='a'>\n</labels>", "line 3: this is not well-formed XML (mismatched tag)."),
        (b"<labels><label name='a'>", "line 1: this is not well-formed XML (no element found)."),
        (b"<labels>\n<label name='a & b'/></labels>", "line 2: this is not well-formed XML (not well-formed (invalid"),
        (b"<labels></labels>", 'this XML names no labels; expected <label name="..."> elements, not <labels>.'),
        (b"<kml/>", 'this XML names no labels; expected <label name="..."> elements, not <kml>.'),
        (b"<labels>\n<label/></labels>", "line 2: this <label> has no name."),
        (b"<!DOCTYPE l [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>\n<labels/>", "line 1: a DOCTYPE or entity is not"),
        (b"\xff\xfe\x00", "line 1: this is not well-formed XML"),
        (b"version https://git-lfs\nx", "this is not XML, which starts with '<', but with 'version https://git-lfs'."),
        (b"<?xml version='1.0' encoding='shift-jis'?><labels/>", "this XML is in an encoding that cannot be read"),
        (b"<?xml version='1.0' encoding='base64'?><labels/>", "this XML is in an encoding that cannot be read"),
    ],
)
def test_a_bad_file_gets_one_sentence(xml, cause):
    with pytest.raises(DataError) as caught:
        read_mulan_xml(xml, "l.xml")
    assert str(caught.value).startswith(f"l.xml: {cause}")
    assert str(caught.value).endswith(".")


def test_size_and_depth_are_no_danger(monkeypatch):
    start = process_time()
    with pytest.raises(DataError, match="no element found"):
        read_mulan_xml(b"<label name='a'>" * 100_000)
    assert process_time() - start < 60
    monkeypatch.setattr(choice, "MAX_XML", 50)
    with pytest.raises(DataError, match=r"more than 0 MB, .*none .*kind needs"):
        read_mulan_xml(XML.encode())


def test_names_are_found_however_their_accents_are_written():
    table = read_csv("x,cafe\u0301\n1,0\n2,1\n".encode(), "toy.csv")
    xml = '<labels><label name="caf\u00e9"/></labels>'.encode()
    assert choose_labels(table, xml) == choose_labels(table, ["cafe\u0301"]) == ("caf\u00e9",)
