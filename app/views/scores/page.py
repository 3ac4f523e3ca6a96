"""Your scores: ranks, tests and diagrams of methods that were scored elsewhere, from an uploaded or pasted table."""

import streamlit as st
from components import ranking_tables
from components.pairs import fold_pairs
from components.parts import foot, head, plain
from components.ranking_tables import Ranking, slug
from state import session
from state.call import Call, Script, known

from trellislib.data import DataError
from trellislib.ranking import fold_like
from trellislib.score_tables.direction import likely_higher_is_better
from trellislib.score_tables.files import read_scores
from trellislib.summaries import about_fold_tests

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
TABLE = "own_table"  # the query parameter that names the table that was given
UNNAMED = "score"  # of tables that do not say what was measured
DIRECTIONS = {True: "higher is better", False: "lower is better"}

workspace = session.workspace()


def written(text: str) -> Call:
    """Return a table as a script has it: line by line."""
    return known(f'r"""{text}"""' if '"""' not in text else repr(text), text)


def take_file() -> None:
    """Read the file that was dropped; taking it away again leaves its scores."""
    file = st.session_state["score file"]
    if file is not None:
        take(file.getvalue(), file.name, file.name)


def take_text() -> None:
    """Read what was pasted; emptying the box leaves its scores."""
    pasted = st.session_state["pasted scores"]
    if pasted.strip():
        take(f"{pasted}\n", "pasted table", written(f"{pasted}\n"))


def take(content: str | bytes, name: str, shown: str | Call) -> None:
    """Rank the scores of a table from now on, or keep those that are there and say why."""
    try:
        workspace.rank(Call(read_scores, shown).given(read_scores(content, name)))
        st.session_state["direction chosen"] = False
    except DataError as error:
        st.session_state["score problem"] = str(error)


def direction_chosen() -> None:
    st.session_state["direction chosen"] = True


def show_example() -> None:
    workspace.rank(None)
    st.query_params.pop(TABLE, None)
    st.session_state["pasted scores"] = ""


takeaway = st.container()
upload, paste = st.columns(2, gap="medium")
with upload:
    st.file_uploader(
        "A file of scores",
        type=["csv", "tsv", "txt", "md", "tex", "gz"],
        key="score file",
        on_change=take_file,
        help="Data sets are rows and methods are columns. Or each row is one score, with columns dataset, method and "
        "score, and optionally fold or seed. DNF, decimal commas, spreads (0.52 ± 0.03) and ranks (0.48 (7)) are read.",
    )
with paste:
    st.text_area(
        "Or paste a table",
        placeholder="CSV, a Markdown table, or the rows of a LaTeX tabular",
        key="pasted scores",
        on_change=take_text,
        persist_state="session",
        height=104,
    )
problem = st.session_state.pop("score problem", None)
if problem:
    st.error(plain(f"{problem} The previous scores are still shown."), icon=":material/error:")

reading = workspace.scores or Call(read_scores, written(EXAMPLE), "accuracy")
scores = reading.value
of_file = slug(scores.name)
with st.container(horizontal=True, vertical_alignment="center"):
    if workspace.scores is None:
        if asked := st.query_params.get(TABLE):
            st.info(
                plain(f"This link is to the scores of {asked}. Load that table again to see them."),
                icon=":material/link:",
            )
        st.caption("Example: the accuracy of seven methods as printed in the paper.")
    else:
        if st.query_params.get(TABLE) != scores.name:
            st.query_params[TABLE] = scores.name
        n_datasets, n_methods = scores.table().shape
        size = f"{n_methods} methods on {n_datasets} data set{'s' * (n_datasets != 1)}"
        st.caption(plain(f"From {scores.name}: {size}."))
        st.button("Back to the example", key="example", on_click=show_example, type="tertiary")
controls = st.container(horizontal=True, vertical_alignment="bottom")
more = st.expander("More: how to read and rank it", icon=":material/tune:")
with controls:
    measure = scores.measures[0]
    if len(scores.measures) > 1:
        measure = st.selectbox("Score", scores.measures, key=f"own_measure-{of_file}", bind="query-params", width=185)
    guess = None if measure == UNNAMED else likely_higher_is_better(measure)
    higher = st.segmented_control(
        "Direction",
        list(DIRECTIONS),
        format_func=DIRECTIONS.__getitem__,
        default=guess is not False,
        required=True,
        key=f"own_direction-{slug(measure)}-{of_file}",
        bind="query-params",
        on_change=direction_chosen,
        help="The name of the score decides where it is known. Otherwise higher is better.",
    )
    if higher is None:  # of an address that has nothing after its =
        higher = guess is not False
if more.toggle("Rows are methods, columns are data sets", key=f"own_transposed-{of_file}", bind="query-params"):
    try:
        scores, reading = scores.transposed(), reading.transposed()
    except DataError as error:
        more.error(plain(str(error)), icon=":material/error:")
if alike := fold_like(scores.table().index):
    question = f"{alike[0]}, {alike[1]} and the like are folds of one data set"
    if more.toggle(plain(question), key=f"own_folds-{of_file}", bind="query-params"):
        scores, reading = scores.with_folds(), reading.with_folds()
table = reading.table(measure).named("scores")
rules = ranking_tables.rules("own", higher, table.value, controls, more)
ranking = Ranking.of(table, measure.replace("_", " "), rules)
tests = None
if measure in scores.folds and len(scores.folds[measure]) > 1:
    tests = reading.tests(measure, higher).named("tests")
with takeaway:
    head(TITLE, ranking.verdict if tests is None else about_fold_tests(tests.value, ranking.name))
if guess is None and not st.session_state.get("direction chosen"):
    st.warning(f"It is unknown whether a higher {plain(ranking.name)} is better. Check the direction.")
for note in scores.notes if workspace.scores else ():
    st.caption(plain(note))
script = Script()
if tests is not None:
    st.header("Which differences are real?", anchor=False)
    fold_pairs(tests.value, ranking.name)
    script.print(tests.pairs)
ranking_tables.diagrams(ranking, "own", script)
script.print(ranking.average_ranks)
st.header("Scores and ranks", anchor=False)
ranking_tables.table(ranking, "own")
ranking_tables.two_methods(ranking, "own", script)
foot(script)
