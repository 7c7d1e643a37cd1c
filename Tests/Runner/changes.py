"""What `make check` runs: the suites of the files that have changed, and as many tests with sockets as fit its time."""

import json
import pathlib
import re
import subprocess

import plan
from phases import ROOT, Phase

#: Seconds of tests with sockets and browsers, by the durations of the last runs, over all workers.
SOCKET_SECONDS = 75 * plan.WORKERS / 2
COMMITTED_DURATIONS = ROOT / "Tests/durations.json"
#: Words of a path that say nothing about what is in it.
DULL = {
    "sources", "tests", "resources", "loadtest", "cairn", "docs", "test", "play", "js", "css", "swift", "storage",
    "main", "proto", "v1",
}  # fmt: skip


def phases(base):
    """The lane of a check."""
    changed = files(base)
    return lane(changed) if changed else []


def files(base):
    """Paths that differ from the commit, those that git does not know yet included."""
    def lines(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")

    return sorted({
        path for path in lines("diff", "--name-only", base) + lines("ls-files", "--others", "--exclude-standard")
        if path})


def lane(changed):
    """The phases for changed paths."""
    swift = any(path.endswith((".swift", ".c", ".h", ".cc", ".proto")) or path == "Package.swift" for path in changed)
    lint = [path for path in changed if path.endswith(".swift") and (ROOT / path).exists()]
    chosen = [Phase("Lint", ["swift", "format", "lint", "--strict", "--parallel", *lint])] if lint else []
    chosen += [Phase("Build", ["make", "debug-tests"])] if swift or not built() else []
    filters = [word for name in suites(changed) for word in ("--filter", name)]
    chosen.append(Phase("Swift tests", [*plan.SWIFT_DEBUG_TEST, *filters], "swift"))
    nodes = sockets(changed)
    if nodes:
        environment = {"CAIRN_BIN": str(ROOT / ".build/debug/cairn")}
        command = [*plan.PYTEST, *nodes, "-n", plan.WORKERS]
        chosen.append(Phase("Sockets and pages", command, "pytest", environment=environment, good=(0, 5)))
    return chosen


def built():
    return any((ROOT / ".build/debug").glob("*.xctest"))


def suites(changed):
    """Regular expressions of the Swift suites of changed paths. Rules of the tree are tests of every change."""
    names = {r"^TidyTests\."}
    for path in map(pathlib.PurePosixPath, changed):
        top = path.parts[:2]
        if path.parts[0] == "Sources" and path.suffix in (".swift", ".c", ".h", ".cc"):
            target = path.parts[1].removeprefix("C") if path.parts[1] in ("CWebSockets", "CS2") else path.parts[1]
            target = {"WebSockets": "CairnWebSocket", "S2": "CairnGeo"}.get(target, target)
            # A feature has a folder of tests of its own.
            inner = path.parts[2] if target == "CairnFeatures" and len(path.parts) > 3 else None
            suites = f"{target}Tests"
            names |= suites_in(ROOT / "Tests" / suites / inner, suites) if inner else {rf"^{suites}\."}
        elif path.parts[0] == "Tests" and path.suffix == ".swift":
            names |= suites_in(ROOT / path, path.parts[1])
        elif path.parts[0] == "loadtest" and path.suffix == ".swift":
            names.add(r"^CairnCrowdTests\.")
        elif top == ("proto", "cairn"):
            names.add(r"^CairnWireTests\.")
        elif path.parts[0] == "config":
            names.add(r"^CairnConfigurationTests\.")
    return sorted(names)


def suites_in(path, target):
    """Suites that are declared in a file or below a folder; all of the target where there are none."""
    files = path.rglob("*.swift") if path.is_dir() else [path] if path.exists() else []
    suite = re.compile(r"^(?:@Suite[^\n]*\s)?(?:struct|extension|final class) (\w+Tests)\b", re.M)
    found = {rf"^{target}\.{name}/" for file in files for name in suite.findall(file.read_text())}
    return found or {rf"^{target}\."}


def words(path):
    """What a path is about."""
    parts = re.findall(r"[A-Z]?[a-z]+", str(pathlib.PurePosixPath(path).with_suffix("")))
    return {part.lower().rstrip("s") for part in parts} - DULL


def sockets(changed):
    """Tests with sockets and pages that are about the changed files, the nearest first, within the time of a check."""
    nodes = {path for path in changed if re.search(r"/test_\w+\.py$", path) and (ROOT / path).exists()}
    file = plan.DURATIONS if plan.DURATIONS.exists() else COMMITTED_DURATIONS
    durations = {}
    for node, seconds in (json.loads(file.read_text()) if file.exists() else {}).items():
        name = node.split("::")[0]
        if (ROOT / name).exists():
            durations[name] = durations.get(name, 0) + seconds
    spent = sum(durations.get(name, 5) for name in nodes)
    for name, _ in sorted(nearness(changed, durations).items(), key=lambda item: (-item[1], durations[item[0]])):
        if name not in nodes and spent + durations[name] <= SOCKET_SECONDS:
            nodes.add(name)
            spent += durations[name]
    return sorted(nodes)


def nearness(changed, durations):
    """Files of tests that have words in common with changed files, with how much they have. The page's tests are near
    to all of the page, those of the documents to every document."""
    near = {}
    for path in changed:
        if path.startswith(("Tests/", "scripts/", "packaging/")) and not path.startswith("Tests/PlayTests"):
            continue
        about = words(path)
        is_page = path.startswith(("Sources/CairnPlay/", "Tests/PlayTests"))
        for name in durations:
            count = 4 * len(about & words(name))
            count += is_page and ("test_play_" in name or "cairn_js" in name)
            count += path.endswith(".md") and name.endswith(("test_documents.py", "test_words.py"))
            if count:
                near[name] = near.get(name, 0) + count
    return near
