"""How quick the processor is: the time of a loop that is always the same. It is the unit of all budgets."""

import json
import statistics
import threading
import time

ROUNDS = 1_500_000


def loop():
    """Processor seconds of the loop. Those of the thread: waiting for a processor does not count."""
    began = time.thread_time()
    total = 0
    for number in range(ROUNDS):
        total += number ^ (total & 0xFFFF)
    return time.thread_time() - began


class Calibration:
    """Times the loop during a run, every `pause` seconds, since processors change their speed within minutes."""

    def __init__(self, pause=60):
        self.times = [loop() for _ in range(5)]
        self.pause = pause
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def _sample(self):
        while not self._over.wait(self.pause):
            self.times.append(loop())

    def end(self):
        """The median of all samples, in seconds."""
        self._over.set()
        self._thread.join()
        return statistics.median(self.times)


def excesses(measured, budgets):
    """What has no budget, or more than its budget, in words. `measured` as `phases.json` has it, all in seconds but
    for `loop`, the seconds of one calibration loop; budgets in loops."""
    found = []
    for name, phase in measured["phases"].items():
        budget = budgets["processor"].get(name)
        loops = phase["processor"] / measured["loop"]
        if budget is None:
            found.append(f"{name} has no budget; it took {loops:.0f} loops of processor time")
        elif loops > budget:
            found.append(f"{name} took {loops:.0f} loops of processor time; its budget is {budget}")
    loops = measured["seconds"] / measured["loop"]
    if loops > budgets["whole"]:
        found.append(f"the whole run took {loops:.0f} loops; its budget is {budgets['whole']}")
    return found


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)
