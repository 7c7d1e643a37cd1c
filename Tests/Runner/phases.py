"""Phases of a run: a command each, its output in a file, its time and its processor time; and lanes of them."""

import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Where a run leaves its outputs, its results, and the table of its phases.
RESULTS = ROOT / ".build/test-results"
#: Processes of phases that run. Each leads a session of its own.
_running = set()


def end_all(*_):
    """Ends what runs, when the run itself is asked to end (SIGTERM)."""
    for process in list(_running):
        _end_session(process, signal.SIGTERM)
    sys.exit(143)


def _end_session(process, number):
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass  # It has ended by itself.


@dataclasses.dataclass
class Phase:
    """A command of a run. `tests` names the runner whose results it writes: `swift`, `pytest`, or None for a build."""

    name: str
    command: list
    tests: str | None = None
    #: After so many minutes the command is ended, and the phase has failed.
    minutes: float = 40
    environment: dict = dataclasses.field(default_factory=dict)
    #: Exit codes of success. pytest's 5 means that the selection has no test.
    good: tuple = (0,)
    #: Phases of other lanes that it waits for.
    after: list = dataclasses.field(default_factory=list)

    # What the run found.
    code: int | None = None
    seconds: float = 0
    processor_seconds: float = 0
    began: float = 0
    ended: threading.Event = dataclasses.field(default_factory=threading.Event)

    @property
    def slug(self):
        return self.name.lower().replace(" ", "-").replace(",", "")

    @property
    def output(self):
        """The file with all that the command printed."""
        return RESULTS / f"{self.slug}.txt"

    @property
    def results(self):
        """The file with the outcome of each test, as xUnit XML."""
        return RESULTS / f"{self.slug}.xml"

    @property
    def passed(self):
        return self.code in self.good

    def line(self):
        """The command with where it writes its results."""
        if self.tests == "swift":
            return [*self.command, "--xunit-output", str(self.results)]
        if self.tests == "pytest":
            return [*self.command, f"--junitxml={self.results}"]
        return self.command

    def run(self):
        """Runs the command to its end."""
        RESULTS.mkdir(parents=True, exist_ok=True)
        for stale in RESULTS.glob(f"{self.slug}*.xml"):
            stale.unlink()
        self.began = time.monotonic()
        with open(self.output, "wb") as output:
            process = subprocess.Popen(
                list(map(str, self.line())), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, env=os.environ | self.environment, start_new_session=True)
            watch = threading.Timer(self.minutes * 60, self._end, [process, output])
            watch.start()
            _running.add(process)
            # The kernel adds up the processor time of the process and of all its descendants that were waited for.
            _, status, usage = os.wait4(process.pid, 0)
            watch.cancel()
        _running.discard(process)
        process.returncode = self.code = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - self.began
        self.processor_seconds = usage.ru_utime + usage.ru_stime
        return self

    def _end(self, process, output):
        output.write(f"\nrunner: {self.name} is ended after {self.minutes:g} minutes\n".encode())
        output.flush()
        _end_session(process, signal.SIGTERM)
        # Not every program ends by that; some say first what they were doing.
        killing = threading.Timer(30, _end_session, [process, signal.SIGKILL])
        killing.daemon = True
        killing.start()


def run_lanes(lanes, report):
    """Runs lanes beside each other, the phases of a lane one after the other. A lane ends with a build that fails;
    tests that fail do not end it. `report` gets each phase when it has ended."""
    lock = threading.Lock()

    def run(lane):
        try:
            for phase in lane:
                for other in phase.after:
                    other.ended.wait()
                phase.run()
                phase.ended.set()
                with lock:
                    report(phase)
                if not phase.passed and not phase.tests:
                    return
        finally:
            # Others do not wait for what is not run.
            for phase in lane:
                phase.ended.set()

    threads = [threading.Thread(target=run, args=[lane]) for lane in lanes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return all(phase.passed for lane in lanes for phase in lane)


class BusyLoops:
    """Processes that keep both processors busy, as the machine of somebody who works does."""

    #: Ends by itself when the process whose id it gets is gone.
    LOOP = 'while [ -d /proc/"$0" ]; do for ((i = 0; i < 99999; i++)); do :; done; done'

    def __init__(self, count=2):
        self.processes = [
            subprocess.Popen(["bash", "-c", self.LOOP, str(os.getpid())])
            for _ in range(count)]

    def end(self):
        for process in self.processes:
            process.kill()
            process.wait()
