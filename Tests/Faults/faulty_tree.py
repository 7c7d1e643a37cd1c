"""A copy of the sources of one commit, with all faults in it: cloned, changed and built in debug, once."""

import contextlib
import hashlib
import pathlib
import platform
import shutil
import subprocess

import fault_table

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: Far more than a build from nothing takes on two processors.
BUILD_MINUTES = 60


class FaultyTree:
    """The copy of a commit: .build/faults/COMMIT, or another folder."""

    def __init__(self, commit, folder=None):
        self.commit = _git("rev-parse", "--verify", f"{commit}^{{commit}}").strip()
        self.folder = pathlib.Path(folder).resolve() if folder else ROOT / ".build/faults" / self.commit[:8]

    @property
    def server(self):
        """The program of the copy."""
        return self.folder / ".build/debug/cairn"

    def sound(self, path):
        """The commit's own text of a file."""
        return _git("show", f"{self.commit}:{path}")

    def has(self, path):
        """Whether the commit has a file."""
        return bool(_git("ls-tree", self.commit, path))

    def prepare(self, faults):
        """Makes and builds the copy, unless it is there with just these faults."""
        for fault in faults:
            # Before an hour of work.
            fault.planted(self.sound(fault.file))
        planted = fault_table.planted_files(faults, self.sound)
        digest = hashlib.sha256(repr((self.commit, sorted(planted.items()))).encode()).hexdigest()
        stamp = self.folder / ".build/faults-built"
        if stamp.exists() and stamp.read_text() == digest:
            return
        stamp.unlink(missing_ok=True)
        self._check_out()
        for path, text in planted.items():
            (self.folder / path).write_text(text)
        for part in (["--build-tests"], ["--product", "cairn"], ["--product", "cairn-crowd"]):
            _run(["swift", "build", *part], cwd=self.folder, timeout=60 * BUILD_MINUTES)
        self._put_beside_the_build()
        stamp.write_text(digest)

    @contextlib.contextmanager
    def replaced(self, fault):
        """While it lasts, a script of the page has its fault. A Swift file has its own all the time."""
        if fault.is_swift:
            yield
            return
        path, sound = self.folder / fault.file, self.sound(fault.file)
        path.write_text(fault.planted(sound))
        try:
            yield
        finally:
            path.write_text(sound)

    def _check_out(self):
        """The commit's own files; in a clone, because some tests ask git."""
        if not self.folder.exists():
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            _run(["git", "clone", "--quiet", "--shared", "--no-checkout", ROOT, self.folder])
        _run(["git", "-C", self.folder, "checkout", "--quiet", "--force", "--detach", self.commit])

    def _put_beside_the_build(self):
        """What tests look for: the folder of the page, with the libraries that are here already, and Python."""
        share = pathlib.Path(f".build/{platform.machine()}-unknown-linux-gnu/share")
        if (ROOT / share).exists():
            shutil.rmtree(self.folder / share, ignore_errors=True)
            shutil.copytree(ROOT / share, self.folder / share, symlinks=True)
        _run(["scripts/play-libraries", share / "cairn/play"], cwd=self.folder)
        if not (self.folder / ".venv").exists():
            (self.folder / ".venv").symlink_to(ROOT / ".venv")
            # .gitignore knows it as a folder.
            with open(self.folder / ".git/info/exclude", "a") as exclude:
                exclude.write(".venv\n")


def _git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def _run(command, **more):
    subprocess.run([str(word) for word in command], check=True, **more)
