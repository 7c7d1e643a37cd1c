"""Decision 0005 says what every table tells whoever has the file and not the key."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECISION = ROOT / "docs/decisions/0005-encryption-at-rest.md"
#: The store's own: keys, and counts of rows.
STORES_OWN = {"cairn_keys", "cairn_tally"}


def told():
    section = DECISION.read_text().split("## What a stolen file reveals")[1].split("\n## ")[0]
    return set(re.findall(r"`(\w+)`", section))


def made():
    sources = (path.read_text() for path in (ROOT / "Sources").rglob("*.swift"))
    return {name for text in sources for name in re.findall(r"CREATE TABLE (\w+) \(", text)}


def test_what_a_stolen_file_reveals_is_told_of_every_table():
    tables = made() - STORES_OWN
    assert len(tables) > 40, "the tables are not made like this any more"
    assert tables - told() == set(), "tables of which the decision says nothing"
