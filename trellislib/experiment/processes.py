"""Which process a run is of, and whether it is still there."""

from __future__ import annotations

import json
import os

import psutil

CLOCKS = 5.0  # seconds by which two reports of the same start of a process may differ


def this_process() -> str:
    """Return what identifies this process, also among those that have its number later."""
    return json.dumps([os.getpid(), psutil.Process().create_time()])


def state_of(state: str, process: str) -> str:
    """Return how a run stands: it was broken off if it has not ended and its process, of `this_process`, has gone.

    Examples
    --------
    >>> state_of("running", this_process()), state_of("running", "[1, 0.0]"), state_of("done", "[1, 0.0]")
    ('running', 'broken off', 'done')
    """
    if state != "running":
        return state
    number, began = json.loads(process)
    try:
        is_there = abs(psutil.Process(number).create_time() - began) < CLOCKS
    except psutil.Error:
        is_there = False
    return "running" if is_there else "broken off"
