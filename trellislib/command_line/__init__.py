"""The dashboard, and experiments, their store and rankings without it, as ``trellislib`` or ``python -m trellislib``.

What is asked for goes to the standard output, progress and errors to the standard error. The exit code is 0 when it is
done, 1 after an error, which is one sentence, 2 where the command is not understood, and 130 when it was
interrupted.
"""

from trellislib.command_line.commands import main

__all__ = ["main"]
