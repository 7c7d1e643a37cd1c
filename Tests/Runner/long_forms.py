"""The long forms of tests, from Tests/long.toml: each with its command, its environment and its deadline."""

import tomllib

import plan
from phases import ROOT, Phase

#: All of them together, which the deadlines may not exceed.
MINUTES_MAX = 120


def read():
    with open(ROOT / "Tests/long.toml", "rb") as file:
        return tomllib.load(file)["form"]


def phases(part=None):
    """The forms whose names have `part` in them, one after the other; the release build first."""
    chosen = [_phase(form) for form in read() if not part or part in form["name"]]
    kinds = {phase.tests for phase in chosen}
    builds = [Phase("Release build", ["make", "release"])] * ("pytest" in kinds)
    builds += [Phase("Build", ["make", "build-tests"])] * ("swift" in kinds)
    return builds + chosen


def _phase(form):
    environment = {name: str(value) for name, value in form.get("environment", {}).items()}
    if "suite" in form:
        command = [*plan.SWIFT_TEST, "--filter", form["suite"]]
    else:
        command = [*plan.PYTEST, *form["tests"].split(), *(["-m", form["marks"]] if "marks" in form else [])]
        command += ["-k", form["only"]] if "only" in form else []
    return Phase(
        form["name"], command, "swift" if "suite" in form else "pytest", minutes=form["minutes"],
        environment=environment)
