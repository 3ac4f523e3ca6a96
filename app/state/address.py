"""The data in the address of a page, so that whoever opens it sees the same; and that address, to be shared.

Knobs are in the address by ``bind="query-params"`` where they are shown. The data set is there as the call that makes
it, such as ``simulate_room~width~10``, if that can be made anywhere: of an upload there is only the name of its file,
of what is in the server's folder of data sets what it is called there, and never a path; and of both what somebody
chose, such as ``file~sky.csv~{"labels":-7}``.
"""

from __future__ import annotations

import base64
import re
from urllib.parse import urlencode, urljoin

import streamlit as st

from state.linked import Linked
from state.sources import BOUNDS, WITHOUT, Source, chosen_source, first, folder_sets, folder_source
from trellislib.data import KNOWN, PACKAGED, DataError
from trellislib.inspection.corrections import HOW

DATA = "data"  # the name of the query parameter that names which data set is loaded
WORKSPACE = "workspace"  # the same of what leads back to a workspace
PRESENT = "present"  # the same of whether the page is on the stage
POLL = "poll"  # the same of the poll in which a visitor votes, who has no other page
POLL_QUESTION, POLL_ANSWERS = "poll_question", "poll_answers"  # the same of what a poll is to ask, an answer a line
POLL_RIGHT = "poll_right"  # the same of which of the answers is right, as `veiled` has it
ON_STAGE = "on the stage"
SEPARATOR = "~"
UPLOAD, FOLDER, CHOSEN = "file", "folder", "chosen"
MOST_WITHOUT = 5  # times that labels are taken out of the same data
WHOLE, DECIMAL = r"\d{1,10}", r"-?\d{1,10}(\.\d{1,20})?(e-?\d{1,2})?"
INFINITE = re.compile(r"\s*[-+]?inf(inity)?\s*|\s*[-+]?[\d_.]+e\+?\d{3,}\s*", re.IGNORECASE)
NAMED = {"packaged": ("name", PACKAGED), "obtain": ("key", KNOWN)}  # functions that take one of these names


def written(source: Source) -> str | None:
    """Return how an address names a source; None for what is loaded without any address."""
    if source == first():
        return None
    arguments = dict(source.arguments)
    if source.base is not None:
        base = written(source.base) or str(dict(source.base.arguments)["name"])
        return SEPARATOR.join([WITHOUT, *(str(part) for part in arguments.values()), base])
    if source.folder:
        return _of_files(CHOSEN if source.is_chosen else FOLDER, source.folder, source.linked)
    if source.function == "load":
        files = arguments["source"]
        return _of_files(UPLOAD, files if isinstance(files, str) else files[0], source.linked)
    if source.function == "packaged":
        return str(arguments["name"])
    return SEPARATOR.join([source.function, *(str(part) for argument in source.arguments for part in argument)])


def _of_files(kind: str, name: str, choices: str) -> str:
    """Return an address of files; where the name itself could be taken for choices, it is followed by none."""
    is_needed = choices or SEPARATOR + "{" in name
    return SEPARATOR.join([kind, name, *([choices or "{}"] if is_needed else [])])


def _parts(text: str) -> tuple[str, str, str]:
    """Return the kind of an address of files, their name, and the choices in it, in which there is no ~."""
    while text.startswith(WITHOUT + SEPARATOR):
        text = text.split(SEPARATOR, 3)[-1]
    kind, _, rest = text.partition(SEPARATOR)
    name, mark, choices = rest.rpartition(SEPARATOR + "{")
    return (kind, name, "{" + choices) if mark and choices.endswith("}") else (kind, rest, "")


def linked(text: str) -> tuple[str, Linked]:
    """Return the name of the files that an address is to, and the choices in it: none where it is unclear."""
    _, name, choices = _parts(text)
    try:
        return name, Linked.read(choices)
    except ValueError:
        return name, Linked({})


def read(text: str) -> Source:
    """Return the source that an address names; a ValueError says why no data set can be made from it."""
    function, *parts = text.split(SEPARATOR)
    if function == WITHOUT and len(parts) > 2 and parts[0] in HOW and text.count(WITHOUT + SEPARATOR) <= MOST_WITHOUT:
        how, n, base = text.split(SEPARATOR, 3)[1:]
        if re.fullmatch(WHOLE, n):
            return Source.of_errors(read(base), how, int(n))
    if function in PACKAGED and not parts:
        return Source.of("packaged", name=function)
    if function in (UPLOAD, FOLDER, CHOSEN):
        return _read_files(text)
    given = dict(zip(parts[::2], parts[1::2], strict=False))
    wrong = ValueError(f"This link is to the data set {text}, which does not exist here.")
    if function in NAMED:
        name, offered = NAMED[function]
        if set(given) != {name} or given[name] not in offered:
            raise wrong
        return Source.of(function, **given)
    if function not in BOUNDS or len(parts) % 2:
        raise wrong
    return Source.of(function, **{name: _number(function, name, value) for name, value in given.items()})


def _read_files(text: str) -> Source:
    """Return the source of files in the folder of data sets; the error names what a visitor has to give."""
    kind, name, choices = _parts(text)
    if kind != UPLOAD and name not in folder_sets():
        raise ValueError(f"This link is to the data set {kind}{SEPARATOR}{name}, which does not exist here.")
    if kind == FOLDER:
        return folder_source(name)
    why = ""
    try:
        read_choices = Linked.read(choices)
        if kind == CHOSEN and read_choices.parts:
            return chosen_source(name, read_choices.text)
        made_with = f", made with {read_choices.words}" if read_choices.words else ""
    except DataError as error:
        made_with, why = f", made with {read_choices.words}", f" {error}"
    except ValueError as error:
        made_with = f"; {error}"
    if kind == UPLOAD:
        raise ValueError(f"This link is to {name}, an uploaded file. Load it on Data to see the same{made_with}.")
    raise ValueError(
        f"This link is to {name} with choices of labels. Load it on Data, and choose the same{made_with}.{why}"
    )


def _number(function: str, name: str, value: str) -> int | float:
    """Return an argument of a simulation, which a form could have given as well."""
    if name not in BOUNDS[function]:
        raise ValueError(f"This link simulates data with {name} = {value}.")
    least, most = BOUNDS[function][name]
    whole = isinstance(least, int)
    number = (int if whole else float)(value) if re.fullmatch(WHOLE if whole else DECIMAL, value) else None
    if number is None or not least <= number <= most:
        raise ValueError(
            f"This link simulates data with {name} = {value}, but expected a number from {least:,} to {most:,}."
        )
    return number


def without_infinite() -> bool:
    """Remove values that are infinite numbers, which no knob has, from the address; return whether there were any."""
    found = [name for name in st.query_params if any(map(INFINITE.fullmatch, st.query_params.get_all(name)))]
    for name in found:
        del st.query_params[name]
    return bool(found)


def veiled(text: str) -> str:
    """Return a text as a class cannot read it in the address on the screen."""
    return base64.urlsafe_b64encode(text.encode()).decode()


def unveiled(text: str) -> str:
    """Return the text that was `veiled`; nothing of what is none."""
    try:
        return base64.urlsafe_b64decode(text).decode()
    except ValueError:
        return ""


def is_presented() -> bool:
    """Return whether the visit is on the stage, as its first address said or somebody chose since."""
    return bool(st.session_state.setdefault(ON_STAGE, st.query_params.get(PRESENT) == "1"))


def present(on: bool) -> None:
    """Bring the visit onto the stage, or back from it."""
    st.session_state[ON_STAGE] = on


def carried() -> str:
    """Return what the address of the page carries, in words."""
    text = st.query_params.get(DATA, "")
    kind, _, _ = _parts(text)
    if kind not in (UPLOAD, CHOSEN):
        return "the data set and the knobs"
    name, choices = linked(text)
    of_choices = "the choices of labels and features" if choices.parts and choices.is_whole else ""
    named = " with names of columns" if choices.has_names else ""
    asked = f". Whoever opens it is asked for the file {name}" if kind == UPLOAD else ""
    return f"the knobs{' and ' if of_choices else ''}{of_choices}{named}{asked}"


def link(workspace: str | None = None) -> str:
    """Return the address of what the page shows, with the way to a workspace only if its token is given."""
    others = {
        name: values
        for name in st.query_params
        if name not in (WORKSPACE, PRESENT) and (values := st.query_params.get_all(name))
    }
    query = urlencode(others | ({WORKSPACE: [workspace]} if workspace else {}), doseq=True)
    return (st.context.url or "") + (f"?{query}" if query else "")


def poll_link(code: str) -> str:
    """Return the address at which a poll is answered."""
    return urljoin(st.context.url or "", f".?{urlencode({POLL: code})}")
