"""The command: ``python -m trellislib``, see `trellislib.command_line`."""

from trellislib.command_line import main

__all__ = ["main"]

if __name__ == "__main__":
    raise SystemExit(main())
