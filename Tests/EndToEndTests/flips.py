"""Flips of one bit of a database: the region of the file in which the bit is, and the rows afterwards."""

import collections
import sqlite3

PAGE = 4_096


def regions(path):
    """The name of each page's table or index, by its number: `instances`, `instances_cell`, or `free` for none."""
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
        pages = database.execute("SELECT pageno, name FROM dbstat").fetchall()
    return collections.defaultdict(lambda: "free", pages)


def region(names, bit):
    """The region of a bit in the file."""
    byte = bit // 8
    return "header" if byte < 100 else names[byte // PAGE + 1]


def rows(path):
    """All rows that SQL reads from the file, table by table; None when SQLite cannot read the file."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
            database.text_factory = bytes
            tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {
                name: sorted(map(repr, database.execute(f'SELECT * FROM "{name.decode()}"').fetchall()))
                for name in sorted(tables)
            }
    except (sqlite3.Error, UnicodeDecodeError):
        return None


def flip(content, bit):
    """The file with one bit changed."""
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


class Tally:
    """The number of detected flips in each region."""

    def __init__(self):
        self._regions = collections.defaultdict(lambda: [0, 0, 0])

    def note(self, region, is_noticed, is_harmless):
        counts = self._regions[region]
        counts[0] += 1
        counts[1] += is_noticed
        counts[2] += is_harmless and not is_noticed

    def __str__(self):
        lines = [f"{'region':34} {'flips':>6} {'noticed':>8} {'no row differs':>15} {'unnoticed':>10}"]
        for name, (flips, noticed, harmless) in sorted(self._regions.items()):
            lines.append(f"{name:34} {flips:6} {noticed / flips:8.0%} {harmless:15} {flips - noticed - harmless:10}")
        return "\n".join(lines)
