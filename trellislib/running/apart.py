"""Work in a process of its own, which is ended when it takes too much and used again when it does not."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import forkserver
from multiprocessing.connection import wait
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

import cloudpickle
import psutil

from trellislib.running.memory import GIB
from trellislib.running.progress import Cancelled, CancelledError, Progress
from trellislib.wording import sentence

STARTS = 60.0  # seconds in which a process should be there and have read what it is to do, whatever the limit
LOOKS = 0.05  # seconds between looks at the clock and at the memory of a process
LOOKS_FOR_CHILDREN = 1.0  # seconds between looks for processes that it started, for which all processes are asked
CHILD = "trellislib.running.child"
START = (
    "import os, pickle, sys; jobs = os.fdopen(os.dup(0), 'rb'); sys.path[:] = pickle.load(jobs); "
    f"from {CHILD} import serve; serve(jobs)"
)
PRELOADED = (CHILD, "trellislib.experiment.fits", "trellislib.data")  # what most work needs, imported once
CAN_FORK = hasattr(os, "fork") and sys.platform != "darwin"  # where Apple's libraries do not survive it


def prepare() -> None:
    """Import what work needs where processes begin from, so that the first one need not wait for it."""
    if CAN_FORK:
        _Forked.server.ensure_running()


class ApartError(RuntimeError):
    """Work apart that did not return.

    Attributes
    ----------
    over : {"", "time", "memory"}
        Of what it took more than it may.
    peak : float
        Bytes that its process held at most.
    """

    def __init__(self, message: str, over: str = "", peak: float = 0.0) -> None:
        super().__init__(message)
        self.over = over
        self.peak = peak


class Worker:
    """A process that does one piece of work after another; see `trellislib.running.child` for its side.

    Parameters
    ----------
    held : object, optional
        What all work there needs, sent once: the first argument of each function.

    Examples
    --------
    >>> worker = Worker(held=40)
    >>> worker.call(lambda held, more, progress: held + more, (2,))
    42
    >>> worker.end()
    """

    def __init__(self, held: object = None) -> None:
        self._process: Any = _Forked() if CAN_FORK else _started()
        self._usage = _Usage(self._process.pid)
        self._answers: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self.is_alive = True
        self.peak = 0.0
        """Bytes that it and all that it started held at most during its last work."""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            # Each is packed as it is written, so that the data are not held twice.
            for message in (sys.path, (_folder(), dict(os.environ)), held):
                with suppress(OSError):
                    cloudpickle.dump(message, self._process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
                    self._process.stdin.flush()
        except BaseException:
            self.end()
            raise

    @property
    def pid(self) -> int:
        """The number of its process."""
        return int(self._process.pid)

    @property
    def is_running(self) -> bool:
        """Whether its process is there."""
        return self.is_alive and self._process.poll() is None

    def _send(self, message: bytes) -> None:
        """Write a message, which may wait in the pipe while the process reads its first part."""
        with suppress(OSError, ValueError):  # the process has ended, which its listener finds
            self._process.stdin.write(message)
            self._process.stdin.flush()

    def _listen(self) -> None:
        """Queue the answers of the process, until it and all others that hold its pipe have ended."""
        with suppress(Exception), self._process.stdout as stdout:
            try:
                while True:
                    self._answers.put(pickle.load(stdout))  # nobody but our own process writes to this pipe
            except (EOFError, OSError, pickle.UnpicklingError):  # it has ended, perhaps in the middle of an answer
                pass
            except Exception as error:  # a class that raises where it is read
                self._answers.put(("foreign", sentence(error)))
        self._answers.put(("ended", None))

    def call(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...] = (),
        *,
        seconds: float | None = None,
        processor_seconds: float | None = None,
        gib: float | None = None,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Any:
        """Return ``function(held, *arguments, progress)``, worked out in the process.

        Parameters
        ----------
        function : callable
            Its last argument takes progress, see `trellislib.running.progress`.
        arguments : tuple
            What it takes between what is held and progress.
        seconds, processor_seconds : float, optional
            Time that it may take, by the clock once it has begun, and of the processor.
        gib : float, optional
            Memory that its process may hold, all of it.
        progress, cancelled : callable, optional
            See `trellislib.running.progress`.

        Raises
        ------
        ApartError
            If it took more, or its process ended of itself. Afterwards the worker is alive only where the function
            cannot be sent.
        CancelledError
            When `cancelled` answers true; the process has been ended.
        Exception
            What the function raises.
        """
        try:
            message = cloudpickle.dumps((function, arguments, gib), protocol=pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise ApartError(f"It cannot be sent to a process of its own: {sentence(error)}") from error
        try:
            return self._answer(message, seconds, processor_seconds, gib, progress, cancelled)
        except BaseException as error:
            if not getattr(error, "was_answered", False):
                self.end()
            raise

    def _answer(
        self,
        message: bytes,
        seconds: float | None,
        processor_seconds: float | None,
        gib: float | None,
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> Any:
        sent, before = monotonic(), self._usage.processor_seconds()
        threading.Thread(target=self._send, args=(message,), daemon=True).start()
        started = None
        self.peak = 0.0
        while True:
            was_there = self._process.poll() is None
            try:
                kind, content = self._answers.get(timeout=LOOKS)
            except Empty:  # what a process started may hold on to its pipe
                kind, content = ("waiting" if was_there else "ended"), None
            self.peak = max(self.peak, self._usage.held())
            if kind == "started":
                started = monotonic()
            elif kind == "progress" and progress is not None:
                progress(*content)
            elif kind == "returned":
                return content
            elif kind == "raised":
                content.was_answered = True
                raise content
            elif kind == "unreadable":
                raise ApartError(f"It cannot be read in a process of its own: {content}")
            elif kind == "foreign":
                raise ApartError(f"Its answer cannot be read: {content}")
            elif kind == "ended":
                self.end()  # before which nobody knows how
                raise ApartError(f"Its process {_how_it_ended(self._process.returncode)}.")
            if cancelled is not None and cancelled():
                raise CancelledError("cancelled")
            if gib is not None and self.peak > gib * GIB:
                raise ApartError(f"It held more than {gib:g} GiB.", "memory", self.peak)
            if processor_seconds is not None and self._usage.processor_seconds() - before > processor_seconds:
                reason = f"It took more than {processor_seconds:,.6g} s of the processor."
                raise ApartError(reason, "time", self.peak)
            if seconds is None:
                continue
            if started is not None and monotonic() - started > seconds:
                raise ApartError(f"It took more than {seconds:,.6g} s.", "time", self.peak)
            if started is None and monotonic() - sent > STARTS + seconds:
                reason = f"It had not begun in a process of its own after {STARTS + seconds:,.6g} s."
                raise ApartError(reason, "time", self.peak)

    def end(self) -> None:
        """End the process and those that it started, whatever they do."""
        self.is_alive = False
        started = self._usage.children()
        self._process.kill()
        for process in started:
            with suppress(psutil.Error):
                process.kill()
        self._process.wait()
        with suppress(OSError):
            self._process.stdin.close()
        with suppress(RuntimeError):  # the interpreter is about to end
            self._listener.join(timeout=1)


def _folder() -> str | None:
    """Return the working directory; None where it is there no more."""
    try:
        return os.getcwd()
    except OSError:
        return None


def _started() -> Any:
    """Return a process that imports what it needs by itself."""
    return subprocess.Popen([sys.executable, "-c", START], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


class _Usage:
    """What a process and those that it started take."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._children: list[psutil.Process] = []
        self._looked = monotonic()

    def held(self) -> float:
        """Return how many bytes they hold."""
        if monotonic() - self._looked > LOOKS_FOR_CHILDREN:
            self._looked = monotonic()
            self.children()
        held = 0.0
        for process in (self._process, *self._children):
            with suppress(psutil.Error):  # it has just ended
                held += process.memory_info().rss
        return held

    def processor_seconds(self) -> float:
        """Return the time of the processor that the process has taken."""
        with suppress(psutil.Error):
            times = self._process.cpu_times()
            return float(times.user + times.system)
        return 0.0

    def children(self) -> list[psutil.Process]:
        """Return the processes that it started, and those that these started; once it has ended, the last known."""
        with suppress(psutil.Error):
            self._children = self._process.children(recursive=True) or self._children
        return self._children


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"ended with code {code}"
    if code == -9:
        return "was ended by signal 9, perhaps by the system for lack of memory"
    with suppress(ValueError):
        return f"was ended by signal {-code} ({signal.Signals(-code).name})"
    return f"was ended by signal {-code}"


class _Forked:
    """A process as `subprocess.Popen` has it, forked from one that has imported what work needs: it is there at once.

    `multiprocessing.Process` would execute the main module there, which may be a page.
    """

    server = forkserver.ForkServer()
    server.set_forkserver_preload(list(PRELOADED))

    def __init__(self) -> None:
        jobs, answers = os.pipe(), os.pipe()
        self._status, to_child = self.server.connect_to_new_process([jobs[0], answers[1]])
        os.close(jobs[0])
        os.close(answers[1])
        with open(to_child, "wb") as first:
            first.write(pickle.dumps({}) + pickle.dumps(_Begin()))  # nothing to prepare, then what is run
        self.stdin, self.stdout = os.fdopen(jobs[1], "wb"), os.fdopen(answers[0], "rb")
        self.pid = forkserver.read_signed(self._status)
        self.returncode: int | None = None
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        return self.wait(0)

    def wait(self, timeout: float | None = None) -> int | None:
        with self._lock:
            if self.returncode is None and wait([self._status], timeout):
                try:
                    self.returncode = forkserver.read_signed(self._status)
                except (OSError, EOFError):  # the server has ended, and nobody knows
                    self.returncode = 255
                os.close(self._status)
            return self.returncode

    def kill(self) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


class _Begin:
    """What a forked process runs, as `multiprocessing.spawn` calls it."""

    def _bootstrap(self, _: int) -> int:
        for number, end in enumerate(forkserver.get_inherited_fds() or ()):  # of jobs, and for answers
            os.dup2(end, number)
            os.close(end)
        exec(START, {})
        return 0
