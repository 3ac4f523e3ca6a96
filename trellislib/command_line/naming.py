"""Arguments as commands are given them, for sentences of the library: as options, or as keys of an experiment file."""

from __future__ import annotations

import argparse
import json
import re
import shlex

from trellislib.wording.arguments import Writer

_PLAIN = re.compile(r"[\w:./+-]+")


def as_options(options: argparse.Namespace) -> Writer:
    """Return what names arguments as the options of a command.

    Examples
    --------
    >>> written = as_options(argparse.Namespace(split=None, ancestors=False))
    >>> written("split", ("tags", ";")), written("ancestors", True), written("alpha", 2)
    ("--split 'tags:;'", '--ancestors', None)
    """
    known = vars(options)

    def written(name: str, value: object) -> str | None:
        if name not in known:
            return None
        option = f"--{name.replace('_', '-')}"
        text = ":".join(map(str, value)) if isinstance(value, tuple) else str(value)
        return option if value is True else f"{option} {text if _PLAIN.fullmatch(text) else _quoted(text)}"

    return written


def _quoted(text: str) -> str:
    quoted = shlex.quote(text)
    return f"'{text}'" if quoted == text else quoted  # as of "tags:,", whose comma would seem to be the sentence's


def as_key(name: str, value: object) -> str | None:
    """Return a key with its value as an experiment file has it, in TOML.

    Examples
    --------
    >>> as_key("split", ("tags", ";"))
    'split = ["tags", ";"]'
    """
    try:
        text = json.dumps(value, ensure_ascii=False)  # whose escapes TOML has not all of
    except TypeError:  # an estimator, which is named by a table
        return None
    return None if "null" in re.findall(r'"(?:[^"\\]|\\.)*"|null', text) else f"{name} = {text}"
