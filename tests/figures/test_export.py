"""Drawings as interactive figures and as files."""

import io
import re
import struct
import sys
import threading
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trellislib.figures import FORMATS, Drawing, drawing_figure, export, rank_bars, rank_diagram
from trellislib.figures.drawing import Dot, Line, Rectangle, Text, text_width

NASTY = ("$a$ & <b>", 'x_{1}^2 #3 ~50% \\ "q" |', "EBCC--FS")
RANKS = pd.Series([1.25, 2.0, 2.75], NASTY)
DRAWINGS = [rank_diagram(RANKS, 1.17, [NASTY[:2]], title="A & B"), rank_bars(RANKS, 1.17)]


@pytest.fixture(params=DRAWINGS, ids=["diagram", "bars"])
def drawing(request):
    return request.param


@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_bytes_twice(kind):
    assert export(DRAWINGS[0], kind) == export(DRAWINGS[0], kind)


# SVG


def test_svg_keeps_text_as_text(drawing):
    root = ET.fromstring(export(drawing, "svg"))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]

    assert texts == [text.text for text in drawing.texts]
    assert set(NASTY) <= set(texts)
    assert (float(root.get("width")[:-2]), float(root.get("height")[:-2])) == (drawing.width, drawing.height)


@pytest.mark.filterwarnings("ignore:Glyph")
@settings(max_examples=10, deadline=None)
@given(st.lists(st.text(max_size=12), min_size=2, max_size=6, unique=True))
def test_svg_of_any_names_is_xml(names):
    content = export(rank_diagram(pd.Series(np.linspace(1, 2, len(names)), names)), "svg")

    assert ET.fromstring(content).tag.endswith("svg")


# PDF and PNG


def test_pdf(drawing):
    content = export(drawing, "pdf")
    left, bottom, right, top = map(float, re.search(rb"/MediaBox \[ ?([^\]]*?) ?\]", content).group(1).split())

    assert content.startswith(b"%PDF")
    assert b"/Type3" not in content
    assert b"CreationDate" not in content
    assert (right - left, top - bottom) == pytest.approx((drawing.width, drawing.height), abs=0.01)


@pytest.mark.parametrize(("options", "scale"), [({}, 2.0), ({"dpi": 72}, 1.0), ({"dpi": 300}, 300 / 72)])
def test_png(drawing, options, scale):
    content = export(drawing, "png", **options)
    width, height = struct.unpack(">II", content[16:24])

    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert (width, height) == pytest.approx((scale * drawing.width, scale * drawing.height), abs=1)


def test_png_is_painted_where_marks_are_on_white():
    from matplotlib.image import imread

    marks = (Rectangle(2, 3, 4, 5, "#FF0000"), Dot(15, 5, 3, "#0000FF"), Line(((0, 15), (20, 15)), 2))
    pixels = imread(io.BytesIO(export(Drawing(20, 20, marks), "png", dpi=72)))[..., :3]

    assert (pixels[1, 1] == 1).all()
    assert (pixels[4:7, 3:5] == [1, 0, 0]).all()
    assert (pixels[5, 15] == [0, 0, 1]).all()
    assert (pixels[14:16, 10] < 0.1).all()


def test_later_marks_lie_above_earlier_ones():
    from matplotlib.image import imread

    line, patch = Line(((0, 5), (10, 5)), 4, "#00FF00"), Rectangle(0, 0, 10, 10, "#FF0000")
    for marks, color in (((line, patch), [1, 0, 0]), ((patch, line), [0, 1, 0])):
        pixels = imread(io.BytesIO(export(Drawing(10, 10, marks), "png", dpi=72)))[..., :3]
        assert (pixels[5, 5] == color).all()


def test_settings_of_matplotlib_are_left_alone_and_do_not_matter():
    import matplotlib

    plain = export(DRAWINGS[0], "pdf")
    with matplotlib.rc_context({"figure.autolayout": True, "font.family": "serif", "pdf.fonttype": 3}):
        assert export(DRAWINGS[0], "pdf") == plain
        assert matplotlib.rcParams["pdf.fonttype"] == 3


def test_threads_get_what_they_asked_for():
    kinds = ["pdf", "png", "svg", "png"]
    found = {}
    threads = [
        threading.Thread(target=lambda i=i, kind=kind: found.update({i: export(DRAWINGS[i % 2], kind)}))
        for i, kind in enumerate(kinds)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [found[i] for i in range(4)] == [export(DRAWINGS[i % 2], kind) for i, kind in enumerate(kinds)]


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_without_matplotlib_the_extra_is_named(monkeypatch, kind):
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(ImportError, match=r"trellislib\[export\]"):
        export(DRAWINGS[0], kind)
    assert export(DRAWINGS[0], "tikz")


# TikZ


def test_tikz_is_balanced_and_escaped(drawing):
    source = export(drawing, "tikz").decode()
    body = source.split("\n", 1)[1]
    nodes = re.findall(r"\\node\[.*?\] at \(.*?\) \{(.*)\};", body)

    assert body.startswith(r"\begin{tikzpicture}")
    assert body.endswith("\\end{tikzpicture}\n")
    assert all(line.endswith((";", "}", "]")) for line in body.splitlines())
    bare = re.sub(r"\\[{}\\]", "", body)
    assert bare.count("{") == bare.count("}")
    assert len(nodes) == len(drawing.texts)
    assert r"\$a\$ \& \textless{}b\textgreater{}" in nodes
    assert r"x\_\{1\}\textasciicircum{}2 \#3 \textasciitilde{}50\% \textbackslash{} " in " ".join(nodes)
    assert "EBCC-{}-FS" in nodes
    assert not any(re.search(r"(?<!\\)[$&#_%]|[<>|\"~^]", node) for node in nodes if "leftarrow" not in node)


def test_tikz_defines_the_colours_that_it_uses(drawing):
    source = export(drawing, "tikz").decode()

    used = set(re.findall(r"(?:draw|fill)=(\w+)", source))
    assert used - {"black"} == set(re.findall(r"\\definecolor\{(\w+)\}", source))


def test_tikz_places_marks():
    marks = (Line(((0, 1), (2, 3.456)), 0.5), Rectangle(1, 2, 3, 4, "#D55E00"), Dot(5, 6, 2), Text(1, 9, "e", 8, "end"))
    source = export(Drawing(10, 10, marks), "tikz").decode()

    assert "line width=0.5bp, draw opacity=1] (0,1) -- (2,3.46);" in source
    assert "(1,2) rectangle (4,6);" in source
    assert "(5,6) circle[radius=2bp];" in source
    assert r"anchor=base east, font=\sffamily\fontsize{8bp}{9.6bp}\selectfont] at (1,9) {e};" in source


# Interactive


def test_a_figure_has_a_pixel_for_a_point_and_no_colour_of_text(drawing):
    layout = drawing_figure(drawing).layout

    assert (layout.width, layout.height) == (round(drawing.width), round(drawing.height))
    assert tuple(layout.xaxis.range) == (0, layout.width)
    assert tuple(layout.yaxis.range) == (layout.height, 0)
    assert layout.margin.l == layout.margin.t == 0
    assert {note.font.color for note in layout.annotations} == {None}
    assert layout.paper_bgcolor == "rgba(0,0,0,0)"


def test_a_figure_shows_names_literally_and_ranks_on_hover(drawing):
    figure = drawing_figure(drawing)
    notes = {note.text: note.hovertext for note in figure.layout.annotations}

    assert "1.250" in notes["&#36;a&#36; &amp; &lt;b&gt;"]
    hovers = [trace.text for trace in figure.data if trace.hoverinfo == "text"]
    assert sum("&#36;a&#36; &amp; &lt;b&gt;" in text and "1.250" in text for text in hovers) == 1


def test_a_figure_draws_marks_in_their_order():
    marks = (Rectangle(1, 2, 3, 4, "#D55E00", hover="a bar"), Line(((0, 1), (2, 3))), Dot(5, 6, 2))
    rectangle, line, dot = drawing_figure(Drawing(10, 10, marks)).data

    assert (rectangle.x, rectangle.y) == ((1, 4, 4, 1), (2, 2, 6, 6))
    assert (rectangle.fillcolor, rectangle.text, rectangle.hoveron) == ("#D55E00", "a bar", "fills")
    assert (line.x, line.y, line.hoverinfo) == ((0, 2), (1, 3), "skip")
    assert (dot.x, dot.y, dot.marker.size) == ((5,), (6,), 4)


# Widths


@pytest.mark.parametrize("first_last", [(0x20, 0x7E), (0xA1, 0x24F), (0x370, 0x3FF), (0x400, 0x4FF), (0x2010, 0x2030)])
def test_no_character_of_dejavu_is_wider_than_assumed(first_last):
    from matplotlib import get_data_path
    from matplotlib.ft2font import FT2Font

    font = FT2Font(f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf")
    font.set_size(100, 72)
    covered = font.get_charmap()
    characters = [chr(code) for code in range(first_last[0], first_last[1] + 1) if code in covered]
    too_wide = [
        character
        for character in characters
        if font.load_char(ord(character)).linearHoriAdvance / 65536 > text_width(character, 100) + 0.5
    ]

    assert len(characters) > 30
    assert too_wide == []


def test_wide_texts_fit_their_boxes():
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.font_manager import FontProperties

    renderer = RendererAgg(10, 10, 72)
    for text in (*NASTY, "Ensembles of classifier trellises", "WWW MMM @@@", "iljt.,", "Ärger für Ödön"):
        width, _, _ = renderer.get_text_width_height_descent(
            text, FontProperties(family="DejaVu Sans", size=100), False
        )
        assert width <= text_width(text, 100)
        assert text_width(text, 100) < 1.5 * width


# What is refused


def test_unknown_formats_and_resolutions_are_refused():
    with pytest.raises(ValueError, match=r"Got kind='eps', .*expected"):
        export(DRAWINGS[0], "eps")
    with pytest.raises(ValueError, match="Got dpi=0"):
        export(DRAWINGS[0], "png", dpi=0)
