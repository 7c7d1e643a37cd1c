"""The programs of commits, for scripts/compare: built once, and kept in .build/compare."""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / ".build/compare"
BUILD_SECONDS = 45 * 60


# MARK: - Processes


def fail(text):
    sys.exit(f"compare: {text}")


def children(process):
    """Processes that a process has started and that still run."""
    listed = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    try:
        return [int(word) for word in listed.read_text().split()]
    except OSError:
        return []


def end(process):
    """Ends a process, and its children if it cannot end them itself."""
    started = children(process)
    process.terminate()
    try:
        process.wait(40)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        for child in started:
            if pathlib.Path(f"/proc/{child}").exists():
                os.kill(child, 9)


def output(command, seconds, **options):
    """Runs a command to its end; returns exit code and output. After so many seconds it is ended; None = it was."""
    command = [str(word) for word in command]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, **options) as process:
        try:
            said, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            end(process)
            return None, ""
        except BaseException:
            end(process)
            raise
    return process.returncode, said


# MARK: - Builds


def git(*words, folder=ROOT):
    code, said = output(["git", "-C", folder, *words], 300)
    return said.strip() if code == 0 else None


def build_commands(tree):
    """What its Makefile runs for a release's `cairn`, without installing anything."""
    code, said = output(["make", "--no-print-directory", "--dry-run", "release"], 60, cwd=tree)
    lines = said.replace("\\\n", " ").splitlines()
    if code != 0 or not any("swift build" in line for line in lines):
        fail(f"the Makefile of {tree} has no release")
    commands = []
    for line in lines:
        if "scripts/bootstrap" in line or line.startswith("make"):
            continue
        if "swift build" in line and "--product" not in line:
            line += " --product cairn"
        if "swift build" in line and shlex.split(line)[-1] != "cairn":
            continue
        commands.append(line)
    return commands


def lend_checkouts(tree, commands):
    """Gives a tree the packages that this tree has, so that nothing is fetched again that fits."""
    words = next(shlex.split(line) for line in commands if "swift build" in line)
    scratch = tree / (words[words.index("--scratch-path") + 1] if "--scratch-path" in words else ".build")
    own = next((one for one in (ROOT / ".build/optimized", ROOT / ".build") if (one / "checkouts").exists()), None)
    if own is None or (scratch / "checkouts").exists():
        return
    scratch.mkdir(parents=True, exist_ok=True)
    for name in ("repositories", "checkouts"):
        shutil.copytree(own / name, scratch / name, symlinks=True)
    shutil.copy(own / "workspace-state.json", scratch)
    if (ROOT / "Package.resolved").exists():
        shutil.copy(ROOT / "Package.resolved", tree)


def program_of(commit):
    """The server of a commit, built if it is not kept."""
    kept = CACHE / commit[:12] / "cairn"
    if kept.exists():
        return kept
    tree, log = kept.parent / "tree", kept.parent / "build.log"
    print(f"building {commit[:12]} (8 to 11 minutes, once; {log.relative_to(ROOT)})", flush=True)
    if not (tree / "Package.swift").exists():
        shutil.rmtree(tree, ignore_errors=True)
        tree.parent.mkdir(parents=True, exist_ok=True)
        if git("clone", "--quiet", "--shared", "--no-checkout", str(ROOT), str(tree)) is None:
            fail(f"cannot clone {ROOT}")
        if git("checkout", "--quiet", "--detach", commit, folder=tree) is None:
            fail(f"cannot check out {commit}")
    commands = build_commands(tree)
    lend_checkouts(tree, commands)
    with log.open("w") as out:
        code, _ = output(["bash", "-ec", "\n".join(["exec >&2", *commands])], BUILD_SECONDS, cwd=tree, stderr=out)
    found = [one for one in tree.glob(".build/**/release/cairn") if one.is_file()]
    if code != 0 or not found:
        fail(f"the build of {commit[:12]} failed: {log}")
    shutil.copy(found[0], kept.with_suffix(".part"))
    kept.with_suffix(".part").rename(kept)
    shutil.rmtree(tree, ignore_errors=True)
    return kept


def own_programs(folder, builds):
    """A folder with copies of this tree's programs, which a later build does not change."""
    if builds and folder is None:
        print("building this tree", flush=True)
        code, _ = output(["make", "--no-print-directory", "release"], BUILD_SECONDS, cwd=ROOT, stderr=sys.stderr)
        if code != 0:
            fail("make release failed")
    source, copy = folder or ROOT / ".build/release", CACHE / "own"
    copy.mkdir(parents=True, exist_ok=True)
    for name in ("cairn", "cairn-crowd"):
        if not (source / name).exists():
            fail(f"there is no {source / name}: run `make release`")
        shutil.copy(source / name, copy / (name + ".part"))
        (copy / (name + ".part")).rename(copy / name)
    return copy
