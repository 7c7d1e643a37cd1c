"""Runs the tests in phases, and prints what each phase and the slowest tests took.

    Tests/Runner           every test that main must pass (`make test`); --retry gives what failed one more try
    Tests/Runner loaded    the same beside two busy loops (`make test-loaded`); budgets are not judged
    Tests/Runner check     the suites of what has changed since a commit (`make check`)
    Tests/Runner long      the long forms of Tests/long.toml (`make test-long`)

One build has the programs and the Swift tests; the clean root for the tests of the package is made beside it. Then come
the Swift tests, then the tests of sockets and pages in a pool of processes: each of the two keeps the processors busy.
What measures times or memory runs last, when nothing else does. Outputs are in .build/test-results.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time

import changes
import long_forms
import plan
import results
from calibration import Calibration
from phases import RESULTS, BusyLoops, end_all, run_lanes

#: Beyond this number of failed tests none gets a second try.
RETRIES_MAX = 5
SLOWEST = 20


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["all", "loaded", "check", "long"], default="all")
    parser.add_argument(
        "--retry", action="store_true", help=f"one more try, alone, for up to {RETRIES_MAX} failed tests")
    parser.add_argument("--only", choices=["swift", "sockets"], help="one kind of tests, and what of it runs alone")
    parser.add_argument("--no-build", action="store_true", help="the build is there")
    parser.add_argument("--base", default="HEAD", help="check: what has changed since this commit")
    parser.add_argument("--forms", help="long: the forms whose names have this in them")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, end_all)
    run = Run(is_loaded=options.what == "loaded", judges_budgets=options.what == "all" and not options.only)
    if options.what == "check":
        good = run.phases([changes.phases(options.base)])
    elif options.what == "long":
        good = run.phases([long_forms.phases(options.forms)])
    else:
        good = run.everything(options)
    good = run.end(good, options.retry)
    print(f"runner: {'passed' if good else 'FAILED'} in {run.seconds:.0f} s", flush=True)
    sys.exit(0 if good else 1)


class Run:
    """One run: its phases, what they found, and the tables at its end."""

    def __init__(self, *, is_loaded=False, judges_budgets=False):
        self.began = time.monotonic()
        self.calibration = Calibration()
        self.done = []
        self.busy = None
        self.is_loaded, self.judges_budgets = is_loaded, judges_budgets

    @property
    def seconds(self):
        return time.monotonic() - self.began

    def everything(self, options):
        machines = plan.machines() if options.only != "swift" else []
        lanes = [[] if options.no_build else plan.build(), machines]
        if self.is_loaded:
            # The build is not what is tried.
            if not self.phases(lanes):
                return False
            lanes, self.busy = [[], []], BusyLoops()
        lanes[0] += plan.swift() if options.only != "sockets" else []
        lanes[0] += plan.sockets(after=machines) if options.only != "swift" else []
        good = self.phases(lanes)
        if self.lacks_a_build():
            return False
        kinds = {"swift": "swift", "pytest": "sockets"}
        alone = [phase for phase in plan.alone() if options.only in (None, kinds[phase.tests])]
        return self.phases([alone]) and good

    def lacks_a_build(self):
        return any(not phase.passed and not phase.tests for phase in self.done)

    def phases(self, lanes):
        return run_lanes(lanes, self.report)

    def report(self, phase):
        """Prints how a phase ended: the runner's closing line, or the end of what it printed."""
        self.done.append(phase)
        text = phase.output.read_text(errors="replace").splitlines()
        state = "passed" if phase.passed else f"FAILED ({phase.code})"
        print(f"== {phase.name}: {state} in {phase.seconds:.0f} s, {phase.processor_seconds:.0f} s of processor")
        shown = text[-2:] if phase.passed else text[-80:]
        print("\n".join(line[:400] for line in shown), flush=True)

    def end(self, good, retries):
        """The last phases and the tables. True when the run has passed."""
        outcomes = results.combined(
            one for phase in self.done if phase.tests for one in results.read(phase.tests, phase.results))
        failures = results.failures(outcomes)
        if not good and retries and self.may_retry(failures):
            good = all([self.passes_now(failure) for failure in failures])
        if self.busy:
            self.busy.end()
        file = self.write()
        if good and self.judges_budgets:
            good = plan.budgets(file).run().passed
            print(plan.budgets(file).output.read_text()[-3000:])
        self.print_phases()
        self.print_slowest(outcomes)
        for failure in failures:
            print(f"failed: {told(failure)}")
        return good

    def may_retry(self, failures):
        """Whether a second try can make this run good: every phase that failed names its tests, and they are few."""
        lost = [phase.name for phase in self.done if not phase.passed and not self.names_failures(phase)]
        if lost:
            print(f"runner: no second try: {', '.join(lost)} failed without the name of a test")
        elif len(failures) > RETRIES_MAX:
            print(f"runner: no second try: {len(failures)} tests failed, {RETRIES_MAX} at most may be tried again")
        return bool(failures) and not lost and len(failures) <= RETRIES_MAX

    @staticmethod
    def names_failures(phase):
        return phase.tests and any(one.failed for one in results.read(phase.tests, phase.results))

    def passes_now(self, failure):
        """Tries a test once more, alone, or all tests whose setup failed together. Its first output is its phase's."""
        one = failure[0]
        phase = next(phase for phase in self.done if phase.tests == one.runner and any(
            other.name == one.name and other.failed for other in results.read(phase.tests, phase.results)))
        kept = RESULTS / "flaky"
        kept.mkdir(exist_ok=True)
        (kept / f"{one.slug}.first.txt").write_text(phase.output.read_text(errors="replace"))
        second = kept / f"{one.slug}.second.txt"
        command = results.again(failure, plan.SWIFT_TEST, plan.PYTEST)
        with open(second, "wb") as output:
            code = subprocess.run(
                list(map(str, command)), cwd=plan.ROOT, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, timeout=900, env=os.environ | phase.environment).returncode
        # A filter that matches no test passes and tries nothing.
        ran = "with 0 tests" not in second.read_text(errors="replace")
        good = code == 0 and ran
        print(f"flaky: {told(failure)}" if good else f"failed twice: {told(failure)}")
        print(f"    outputs: {kept.relative_to(plan.ROOT)}/{one.slug}.first.txt and .second.txt", flush=True)
        return good

    def write(self):
        """Keeps the times of the phases, for the budgets."""
        RESULTS.mkdir(parents=True, exist_ok=True)
        file = RESULTS / "phases.json"
        file.write_text(json.dumps({
            "loop": self.calibration.end(), "seconds": self.seconds,
            "phases": {
                phase.name: {"seconds": phase.seconds, "processor": phase.processor_seconds} for phase in self.done},
        }, indent=1) + "\n")
        return file

    def print_phases(self):
        loop = self.calibration.end()
        print(f"\n{'phase':<20} {'from':>6} {'seconds':>8} {'processor':>10} {'loops':>7}   (a loop: {loop:.3f} s)")
        for phase in sorted(self.done, key=lambda phase: phase.began):
            print(f"{phase.name:<20} {phase.began - self.began:>6.0f} {phase.seconds:>8.0f}"
                  f" {phase.processor_seconds:>10.0f} {phase.processor_seconds / loop:>7.0f}")
        processor = sum(phase.processor_seconds for phase in self.done)
        print(f"{'all':<20} {0:>6} {self.seconds:>8.0f} {processor:>10.0f} {processor / loop:>7.0f}")

    def print_slowest(self, outcomes):
        print(f"\nthe {SLOWEST} slowest of {len(outcomes)} tests")
        for one in sorted(outcomes, key=lambda one: -one.seconds)[:SLOWEST]:
            print(f"{one.seconds:>8.1f} s  {one.name}")
        print(flush=True)


def told(failure):
    """A failure's first test, and how many others needed what failed."""
    others = f" and {len(failure) - 1} more of its file: {failure[0].broken_setup[:300]}" if len(failure) > 1 else ""
    return failure[0].name + others.replace("\n", " ")


if __name__ == "__main__":
    main()
