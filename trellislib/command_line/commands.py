"""The commands and their options."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from trellislib import __version__
from trellislib.command_line import advising, app, fitting, paper, predicting, rank, report, running, stored
from trellislib.command_line.naming import as_key, as_options
from trellislib.command_line.running import INTERRUPTED
from trellislib.command_line.tables import FORMATS
from trellislib.wording.arguments import naming
from trellislib.wording.latex import one_line


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, by default that of the process, and return its exit code; see `trellislib.command_line`."""
    parser = _parser()
    options, others = parser.parse_known_args(arguments)
    options.others = others
    if others and options.command is not app.run_app:
        parser.error(f"unrecognized arguments: {shlex.join(others)}")
    try:
        with naming(as_key if options.command is running.run_file else as_options(options)):
            code = options.command(options)
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read along has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, TypeError, KeyError, OSError, ImportError) as error:
        print(f"trellislib: {_sentence(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("trellislib: interrupted.", file=sys.stderr)
        return INTERRUPTED
    return int(code)


def _sentence(error: Exception) -> str:
    """Return an error's message, which of a KeyError is its argument, on one line."""
    message = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
    return one_line(message) or type(error).__name__


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trellislib", description="The dashboard, and multi-label methods compared without it."
    )
    parser.add_argument("--version", action="version", version=f"trellislib {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    store = argparse.ArgumentParser(add_help=False)
    store.add_argument(
        "--store", type=Path, metavar="PATH", help="the file of results; by default the one that the dashboard reads"
    )
    workers = argparse.ArgumentParser(add_help=False)
    workers.add_argument("--n-jobs", type=int, metavar="N", help="fits at a time, as joblib counts (-1: one per core)")

    one = commands.add_parser(
        "app",
        parents=[store],
        help="serve the dashboard",
        description="Serve the dashboard. Options that are not listed here go on to Streamlit.",
        allow_abbrev=False,
    )
    app.add_options(one)
    one.set_defaults(command=app.run_app)

    one = commands.add_parser(
        "run",
        parents=[store, workers],
        help="run the experiment that a file describes",
        description="Run the experiment that a file describes; fits that the store has are not made again.",
    )
    one.add_argument(
        "file", type=Path, metavar="FILE", help="the experiment, in .toml or .json, or an archive of a run"
    )
    one.add_argument(
        "--archive", type=Path, metavar="PATH", help="write the run to a .zip, which another machine can repeat"
    )
    one.add_argument("--again", action="store_true", help="make all fits again, also those that the store has")
    one.add_argument("--csv", type=Path, metavar="PATH", help="write all fits of this run to a CSV")
    one.set_defaults(command=running.run_file)

    one = commands.add_parser(
        "advise",
        help="find out whether label structure is worth it on a table, and what to use",
        description="Compare independent classifiers, chains and trellises within a number of seconds, and say whether "
        "label structure is worth it, what to use, and where the scores deceive.",
    )
    advising.add_options(one)
    one.set_defaults(command=advising.advise_files)

    one = commands.add_parser(
        "fit",
        help="fit a method to a table, and keep it in a model file",
        description="Fit a method to all rows of a table, and keep it in a file that loads without running code. By "
        "default a classifier trellis on automatic features that decides for accuracy.",
    )
    fitting.add_options(one)
    one.set_defaults(command=fitting.fit_files)

    one = commands.add_parser(
        "predict",
        help="predict the labels of new rows by a model file",
        description="Predict the labels of new rows. Columns are matched by name, and a column that names the rows "
        "comes first. CSV files larger than the memory are predicted block by block.",
    )
    predicting.add_predict_options(one)
    one.set_defaults(command=predicting.predict_file)

    one = commands.add_parser(
        "score",
        help="score a model file on rows whose labels are known",
        description="Print all scores of a model on rows whose labels are known.",
    )
    predicting.add_score_options(one)
    one.set_defaults(command=predicting.score_file)

    one = commands.add_parser("runs", parents=[store], help="list the runs of the store")
    one.set_defaults(command=stored.list_runs)

    one = commands.add_parser("results", parents=[store], help="print the scores of runs as a table")
    one.add_argument("runs", type=int, nargs="*", metavar="RUN", help="numbers of runs; by default all")
    one.add_argument(
        "--score", default="accuracy", metavar="KEY", help="a measure, or train_seconds, test_seconds, ..."
    )
    one.add_argument("--format", choices=FORMATS, default="text")
    one.set_defaults(command=stored.print_results)

    one = commands.add_parser(
        "report",
        parents=[store],
        help="write runs as one HTML file, or as PDF",
        description="Write runs as one HTML file that opens without network, or as PDF where there is a Chromium.",
    )
    report.add_options(one)
    one.set_defaults(command=report.write_report)

    one = commands.add_parser("export", parents=[store], help="write fits to a file")
    one.add_argument("file", type=Path, metavar="FILE", help="a name in .csv or .parquet")
    one.add_argument("runs", type=int, nargs="*", metavar="RUN", help="numbers of runs; by default all")
    one.set_defaults(command=stored.export)

    one = commands.add_parser(
        "rank",
        help="rank the methods of a score table, and test whether they differ",
        description="Rank the methods of a score table (CSV, LaTeX or Markdown), and test whether they differ.",
    )
    one.add_argument("file", type=Path, metavar="SCORES", help="the table: methods and data sets, wide or long")
    one.add_argument("--score", metavar="NAME", help="which measure, where the file has several; by default the first")
    direction = one.add_mutually_exclusive_group()
    direction.add_argument("--lower-is-better", dest="higher", action="store_false", default=None)
    direction.add_argument("--higher-is-better", dest="higher", action="store_true", default=None)
    one.add_argument("--alpha", type=float, default=0.1, metavar="LEVEL", help="level of the tests (0.1)")
    one.add_argument(
        "--test", choices=tuple(rank.TESTS), help="of pairs of methods; by default nemenyi, and of two methods wilcoxon"
    )
    one.add_argument(
        "--unfinished",
        choices=("drop", "last", "refuse"),
        default="drop",
        help="data sets where a method did not finish are left out, or it is ranked last, or they are an error",
    )
    one.add_argument(
        "--folds",
        choices=("yes", "no"),
        help="whether rows such as yeast 1 and yeast 2 are folds of one data set; by default where names say so",
    )
    one.add_argument(
        "--diagram", type=Path, metavar="FILE", help=f"draw the ranks, to a name in {', '.join(rank.DIAGRAMS)}"
    )
    one.add_argument("--matrix", type=Path, metavar="FILE", help="draw each pair in a matrix, to such a name")
    one.add_argument("--pairs", type=Path, metavar="FILE", help="write p-value and effect sizes of each pair as CSV")
    one.set_defaults(command=rank.rank_file)

    one = commands.add_parser(
        "paper",
        parents=[store, workers],
        help="run the experiments of the paper, and print its numbers next to ours",
    )
    paper.add_options(one)
    one.set_defaults(command=paper.run_paper)
    return parser
