"""A disk that loses writes and fails on demand: `frail_disk.c` preloaded into a server, and the later changes of its
files.

    disk = FrailDisk.make(library, tmp_path)
    server = start(folder=disk.data, env=disk.environment)
    disk.order("eio")                  # from now on writes and syncs fail; disk.order("well") ends it
    server.kill(); disk.lose_power()   # what was not fsynced is gone
"""

import dataclasses
import os
import pathlib
import struct
import subprocess
import time

NOTE = struct.Struct("=6Q")  # kind, file, offset, length, before, size: `struct note`
SECTOR = 512


def build(folder):
    """Compiles the library; returns its path."""
    source, library = pathlib.Path(__file__).with_name("frail_disk.c"), folder / "frail_disk.so"
    flags = ["-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC"]
    command = ["cc", *flags, "-o", library, source, "-ldl", "-lpthread"]
    subprocess.run(command, check=True, timeout=60)
    return library


@dataclasses.dataclass
class Note:
    """One write (W) or truncation (T) that was not synced: the old bytes and the new ones."""

    kind: str
    offset: int
    size: int  # of the file before
    old: bytes
    new: bytes

    def undo(self, content):
        if self.kind == "T":
            del content[self.offset :]
        else:
            content[self.offset : self.offset + len(self.old)] = self.old
        if self.kind == "T" and self.size > self.offset:
            content += self.old
        del content[self.size :]

    def redo_some(self, content, chance):
        """Each sector of a write reaches the disk or does not, independent of the others."""
        if self.kind == "T":
            if chance.random() < 0.5:
                resize(content, self.offset)
            return
        at = self.offset
        while at < self.offset + len(self.new):
            end = min((at // SECTOR + 1) * SECTOR, self.offset + len(self.new))
            if chance.random() < 0.5:
                resize(content, max(end, len(content)))
                content[at:end] = self.new[at - self.offset : end - self.offset]
            at = end


def resize(content, size):
    del content[size:]
    content.extend(bytes(size - len(content)))


class FrailDisk:
    """The folder `data` of a server as a disk that can lose power and fail."""

    def __init__(self, library, folder):
        self.data = folder / "data"
        self._journal, self._order = folder / "unsynced", folder / "order"
        self.environment = {
            "LD_PRELOAD": str(library), "FRAIL_DISK_FOLDER": str(self.data),
            "FRAIL_DISK_JOURNAL": str(self._journal), "FRAIL_DISK_ORDER": str(self._order),
        }  # fmt: skip

    def order(self, word):
        """Sets the behaviour from the next call on: eio, eio-sync, read-only, full, stall, hold, or well."""
        draft = self._order.with_suffix(".draft")
        draft.write_text(word)
        draft.rename(self._order)

    @property
    def holds_a_sync(self):
        """Whether a sync waits for the order `hold` to end."""
        return self._order.with_name(self._order.name + ".held").exists()

    def kill_between_write_and_sync(self, server):
        """Kills a server that is writing while its syncs are delayed, so that its last writes are not synced."""
        self.order("stall")
        time.sleep(0.1)
        server.kill()
        self.order("well")

    def notes(self):
        """Writes that were not synced when the server died: path -> notes, oldest first."""
        # No journal: the server died before its first write.
        text, at, paths, found = self._journal.read_bytes() if self._journal.exists() else b"", 0, {}, {}
        while at + NOTE.size <= len(text):
            kind, file, offset, length, before, size = NOTE.unpack_from(text, at)
            at += NOTE.size
            if chr(kind) == "N":
                paths[file] = text[at : at + length].decode()
                at += length
            elif chr(kind) == "S":
                found.pop(paths[file], None)
            else:
                end = at + before + length
                if end > len(text):
                    break  # the server was killed before it could say all: the write itself had not begun
                old, new = text[at : at + before], text[at + before : end]
                found.setdefault(paths[file], []).append(Note(chr(kind), offset, size, old, new))
                at = end
        return found

    def lose_power(self, chance=None):
        """Reverts the files to their synced state; with `chance` some later sectors are kept, in any order.

        The write-ahead log's index is deleted, because it is shared memory. Returns the number and the bytes of
        unsynced writes."""
        writes = total = 0
        for path, notes in self.notes().items():
            if not os.path.exists(path):
                continue
            content = bytearray(pathlib.Path(path).read_bytes())
            for note in reversed(notes):
                note.undo(content)
            if chance:
                for note in notes:
                    note.redo_some(content, chance)
            pathlib.Path(path).write_bytes(content)
            writes += len(notes)
            total += sum(len(note.new) for note in notes)
        (self.data / "cairn.sqlite-shm").unlink(missing_ok=True)
        return writes, total


def sync_times(folder, count=100):
    """Times of the disk itself for a synced write of 4 KB, in seconds, sorted."""
    times = []
    file = os.open(folder / "sync-probe", os.O_RDWR | os.O_CREAT)
    try:
        for number in range(count):
            os.pwrite(file, os.urandom(4096), 4096 * (number % 64))
            began = time.monotonic()
            os.fdatasync(file)
            times.append(time.monotonic() - began)
    finally:
        os.close(file)
        (folder / "sync-probe").unlink()
    return sorted(times)
