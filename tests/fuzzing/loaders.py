"""Fuzz the loaders, led by which lines of them an input reaches.

    pip install atheris
    python tests/fuzzing/loaders.py [seconds] [corpus]

A loader may return, or raise DataError. The first input that makes one raise anything else, takes more than ten seconds
or a gigabyte is printed and saved as ``crash-...``, ``timeout-...`` or ``oom-...`` in the current folder, and the run
ends with a failure. The folder `corpus` keeps the inputs that reached something new, for the next run.
"""

import resource
import sys
import tempfile
from pathlib import Path

SECONDS = 300
MOST_SECONDS = 10  # for one input
MOST_MEGABYTES = 1024
MOST_GROWTH = 300  # megabytes that one input may add to the most that was ever in use
LONGEST = 2**14  # bytes of an input


def main():
    """Run the fuzzer for as long as the command line says."""
    import atheris

    with atheris.instrument_imports(include=["trellislib.data"]):
        import loader_inputs

        from trellislib.data.dataset import DataError

        readers = [(key, loader_inputs.reader(key)) for key in loader_inputs.READERS]

    def try_input(content):
        if not content:
            return
        key, read = readers[content[0] % len(readers)]
        content, name = content[2:], loader_inputs.NAMES[content[1] % len(loader_inputs.NAMES)] if content[1:] else "t"
        before = most_memory()
        try:
            read(content, name)
        except DataError:
            pass
        except BaseException:
            print(f"\nreader {key}, name {name}, content:\n{content!r}\n", file=sys.stderr)
            raise
        if most_memory() - before > MOST_GROWTH:
            print(f"\nreader {key}, name {name}, content:\n{content!r}\n", file=sys.stderr)
            raise MemoryError(f"reading {len(content)} bytes took {most_memory() - before:.0f} MB")

    seconds = sys.argv[1] if len(sys.argv) > 1 else str(SECONDS)
    with tempfile.TemporaryDirectory() as seeds:
        corpus = [sys.argv[2]] if len(sys.argv) > 2 else []
        for folder in corpus:
            Path(folder).mkdir(exist_ok=True)
        for number, (key, _) in enumerate(readers):
            for count, content in enumerate(loader_inputs.SEEDS[key]):
                Path(seeds, f"{key}-{count}").write_bytes(bytes([number, 0]) + content)
        options = {
            "max_total_time": seconds,
            "timeout": MOST_SECONDS,
            "rss_limit_mb": MOST_MEGABYTES,
            "max_len": LONGEST,
            "print_final_stats": 1,
        }
        atheris.Setup([sys.argv[0], *(f"-{key}={value}" for key, value in options.items()), *corpus, seeds], try_input)
        atheris.Fuzz()


def most_memory():
    """Return the most memory that was ever in use, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
