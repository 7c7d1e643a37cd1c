"""The ledger of purchases, refunds and ad revenue: chained, exported by year, kept (CMP-6)."""

import hashlib
import shutil
import sqlite3

import pytest

from accounts import PASSWORD, sign_up
from operators import Desk
from purchases import PLAIN, buy, ledger, year
from server import run
from test_tours import makers, published


def add(server, day, cents, source="Ads Inc.", *more):
    return run(
        "admin", "ledger", "add-revenue", day, "CAD", source, "--cents", cents, *more, "--data", server.folder)


def verify(folder):
    return run("verify", "--data", folder, "--set", f"storage.keyFile={folder}.key")


def change(folder, *statements):
    database = sqlite3.connect(folder / "cairn.sqlite")
    database.execute("PRAGMA foreign_keys = 0")
    with database:
        for statement in statements:
            database.execute(statement)
    database.close()


async def test_the_ledger_is_exported_by_year_and_its_marks_can_be_computed(start):
    server = start()
    assert add(server, "2025-12-31", 10_000, "Ads, \"Inc.\"", "--reference", "r-1").returncode == 0
    assert add(server, "2026-01-01", 20_000).returncode == 0
    assert add(server, "2026-01-02", -500).returncode == 0
    old, new = ledger(server, 2025), ledger(server, 2026)
    assert [one["number"] for one in old + new] == ["1", "2", "3"]
    assert old[0]["subject"] == 'Ads, "Inc."' and old[0]["reference"] == "r-1" and new[1]["cents"] == "-500"
    columns = list(old[0])
    for one in old + new:
        netstrings = "".join(f"{len(one[name].encode())}:{one[name]}," for name in columns[:10])
        assert one["mark"] == hashlib.sha256((one["before"] + netstrings).encode()).hexdigest()
    assert [one["before"] for one in new] == [old[0]["mark"], new[0]["mark"]]
    assert ledger(server, 2024) == []
    no_days = ["2026-13-01", "2026-02-29", "2026-06-31", "0000-01-01", "2999-01-01"]
    for day, cents in [*((day, 1) for day in no_days), ("2026-01-01", 0), ("yesterday", 1)]:
        assert add(server, day, cents).returncode == 1
    async with await Desk.open(server) as desk:
        entries = (await desk.ask("audit"))["audit"]
        assert [one["what"] for one in entries] == ["ledger_revenue"] * 3
        assert (await desk.ask("ledger x"))["error"]["code"] == "bad_argument"
        assert (await desk.ask("ledger-revenue 2026-01-01"))["error"]["code"] == "bad_argument"


@pytest.mark.parametrize(
    "what, statements",
    [
        ("changed", ["UPDATE ledger SET written = written + 1 WHERE number = 2"]),
        ("missing", ["DELETE FROM ledger WHERE number = 2"]),
        ("cut", ["DELETE FROM ledger WHERE number = 4"]),
        ("emptied", ["DELETE FROM ledger"]),
        (
            "reordered",
            [
                "UPDATE ledger SET number = 9 WHERE number = 2", "UPDATE ledger SET number = 2 WHERE number = 3",
                "UPDATE ledger SET number = 3 WHERE number = 9",
            ],
        ),
        ("another's end", ["DELETE FROM world WHERE fact = 4"]),
    ],
)  # fmt: skip
async def test_a_changed_missing_or_cut_ledger_is_found_by_verify(start, what, statements):
    server = start()
    for day in range(1, 5):
        assert add(server, f"2026-01-0{day}", day * 100).returncode == 0
    assert server.stop() == 0
    assert verify(server.folder).returncode == 0
    change(server.folder, *statements)
    found = verify(server.folder)
    assert found.returncode != 0 and "ledger" in found.stdout + found.stderr, (what, found.stdout, found.stderr)
    if what in ("cut", "emptied", "another's end"):
        # Going on would hide it.
        again = start()
        assert add(again, "2026-01-05", 1).returncode == 1


async def test_an_entry_put_back_from_before_does_not_fit(start, tmp_path):
    server = start()
    add(server, "2026-01-01", 100)
    server.stop()
    shutil.copy(server.folder / "cairn.sqlite", tmp_path / "before.sqlite")
    server = start()
    add(server, "2026-01-02", 200)
    server.stop()
    change(
        server.folder, f"ATTACH '{tmp_path}/before.sqlite' AS old", "DELETE FROM ledger",
        "INSERT INTO ledger SELECT * FROM old.ledger",
    )  # fmt: skip
    assert "ledger 2" in verify(server.folder).stdout


async def test_the_ledger_outlives_an_account_without_its_person(start):
    server = start(**PLAIN)
    _, maker = await makers(server, "ada")
    tour = await published(maker)
    bob = await sign_up(server, "bob")
    bought = await buy(bob, tour)
    await bob.ask("deleteAccount", {"password": PASSWORD})
    this = await year(server)
    (entry,) = ledger(server, this)
    assert entry["reference"] == bought["id"] and entry["cents"] == "299"
    assert not any(bob.welcome["account"] in value or "bob" in value for value in entry.values())
    await server.until_figure("cairn_deletions_waiting", 0)
    assert server.stop() == 0
    database = sqlite3.connect(server.folder / "cairn.sqlite")
    assert database.execute("SELECT count(*) FROM purchases").fetchone() == (0,)
    assert database.execute("SELECT count(*) FROM ledger").fetchone() == (1,)
    database.close()
    assert verify(server.folder).returncode == 0
