"""Your scores: ranks, tests and diagrams of methods that were scored elsewhere, from an uploaded or pasted table."""

import standings
import streamlit as st
from parts import head, plain, python_box
from standings import Standing

from trellislib.data import DataError
from trellislib.ranking.direction import likely_higher_is_better
from trellislib.ranking.score_files import ScoreFile, read_scores

TITLE = "Rank scores of your own"
EXAMPLE = """\
dataset;IC;ECC;MCC;EBCC;CT;ECT;CDT
Music;0,483;0,572;0,568;0,566;0,577;0,571;0,505
Scene;0,571;0,684;0,685;0,618;0,602;0,666;0,604
Yeast;0,502;0,538;0,534;0,535;0,533;0,541;0,438
Medical;0,699;0,733;0,721;0,731;0,755;0,769;0,704
Enron;0,406;0,448;0,403;0,441;0,409;0,443;0,310
TMC2007;0,614;0,645;0,619;0,628;0,613;0,633;0,601
MediaMill;0,379;0,350;0,349;0,375;0,391;0,344;0,374
Delicious;0,122;DNF;0,121;DNF;0,127;0,157;0,122
Local400;0,536;0,625;0,583;0,578;0,542;0,587;0,559
Local10k;0,125;DNF;DNF;0,175;0,133;0,166;0,122
"""
DIRECTIONS = {True: "higher is better", False: "lower is better"}

takeaway = st.container()
upload, paste = st.columns(2, gap="medium")
with upload:
    file = st.file_uploader(
        "A file of scores",
        type=["csv", "tsv", "txt", "md", "tex", "gz"],
        key="score file",
        help="Data sets in rows and methods in columns; or one score a row, with columns dataset, method and score, "
        "perhaps fold or seed. Cells may say DNF. Decimal commas, spreads (0.52 ± 0.03) and ranks (0.48 (7)) are fine.",
    )
with paste:
    pasted = st.text_area(
        "Or paste a table",
        placeholder="CSV, a Markdown table, or the rows of a LaTeX tabular",
        key="pasted scores",
        persist_state="session",
        height=104,
    )


def given() -> tuple[ScoreFile, str]:
    """Return the table that was given, or the example, and the Python that reads it."""
    if file is not None:
        return read_scores(file.getvalue(), file.name), f"read_scores({file.name!r})"
    if pasted.strip():
        return read_scores(f"{pasted}\n", "pasted table"), "read_scores('scores.csv')  # the pasted table, as a file"
    return read_scores(EXAMPLE, "accuracy in the paper"), "read_scores('scores.csv')"


try:
    scores, reading = given()
except DataError as error:
    with takeaway:
        head(TITLE, "This table could not be read.")
    st.error(plain(str(error)), icon=":material/error:")
    st.stop()

if file is None and not pasted.strip():
    st.info(
        "This is an example, until you give a table: the accuracy of seven methods as the paper prints it, with "
        "decimal commas and DNF cells.",
        icon=":material/info:",
    )
controls = st.container(horizontal=True, vertical_alignment="bottom")
more = st.expander("More: how to read and rank it", icon=":material/tune:")
with controls:
    measure = scores.measures[0]
    if len(scores.measures) > 1:
        measure = st.selectbox("Score", scores.measures, key=f"measure of {scores.name}", width=220)
    guess = likely_higher_is_better(measure)
    higher = st.segmented_control(
        "Direction",
        list(DIRECTIONS),
        format_func=DIRECTIONS.get,
        default=guess is not False,
        required=True,
        key=f"direction of {measure} in {scores.name}",
        help="Taken from the name of the score where that tells; otherwise higher is better.",
    )
if more.toggle("Rows are methods, columns are data sets", key="transposed"):
    try:
        scores = scores.transposed()
        reading += ".transposed()"
    except DataError as error:
        more.error(plain(str(error)))
table = scores.table(measure)
rules = standings.rules(
    "own", higher_is_better=higher, has_gaps=bool(table.isna().any(axis=None)), place=controls, more=more
)
name = "score" if measure == "score" else measure.replace("_", " ")
standing = Standing.of(table, name, rules)
with takeaway:
    head(TITLE, standing.verdict)
if guess is None and (file is not None or pasted.strip()):
    st.caption(f"Nothing in the table says whether a higher {plain(name)} is better: check the direction.")
for note in scores.notes:
    st.caption(plain(note))
if standing.problem:
    st.warning(plain(standing.problem), icon=":material/info:")
standings.diagrams(standing, "own")
st.header("Scores and ranks", anchor=False)
standings.table(standing, "own")
if len(table) > 0 and table.shape[1] > 1:
    standings.two_methods(standing, "own")

call = "nemenyi" if rules.test == "Nemenyi" else "wilcoxon_holm"
python_box(
    f"""from trellislib.figures import export, rank_diagram
from trellislib.ranking import {call}, ranks
from trellislib.ranking.score_files import read_scores

scores = {reading.partition("  #")[0]}.table({measure!r})
print(ranks(scores, higher_is_better={higher}, unfinished='skip').mean())
found = {call}(scores, higher_is_better={higher}, alpha={rules.alpha}, unfinished={rules.unfinished!r})
print(found.p_values.round(4), found.groups)
diagram = rank_diagram(found.average_ranks, {"found.critical_distance" if call == "nemenyi" else "None"}, found.groups)
open('ranks.svg', 'wb').write(export(diagram, 'svg'))"""
)
