"""Somebody who can write the files, and has no key: `cairn verify` notices whatever they delete, insert, change or put
back, and a right that a row took away stays taken (decision 0005).

`CAIRN_TAMPERINGS=1000` sets the number of ways that are tried.
"""

import asyncio
import os
import random
import shutil
import sqlite3

import pytest

import swarm
from accounts import PASSWORD, guest
from cairn import PATIENCE, Client, away, pose
from operators import Desk
from server import run
from test_live_space import refused
from whole_world import SETTINGS, fill, tables

WAYS = int(os.environ.get("CAIRN_TAMPERINGS", 60))
WORKERS = os.cpu_count() or 1


def change(folder, *statements):
    with sqlite3.connect(folder / "cairn.sqlite") as database:
        database.execute("PRAGMA foreign_keys = 0")
        for statement in statements:
            database.execute(*statement) if isinstance(statement, tuple) else database.execute(statement)
    database.close()


def verify(folder, key, *arguments):
    return run("verify", "--data", folder, "--set", f"storage.keyFile={key}", *arguments, seconds=2 * PATIENCE)


def copy(origin, folder):
    folder.mkdir()
    shutil.copy2(origin / "cairn.sqlite", folder / "cairn.sqlite")
    shutil.copy2(f"{origin}.key", f"{folder}.key")
    return folder


async def make(start, tmp_path, spot):
    """The folder of a stopped world, and what is known of it."""
    folder = tmp_path / "origin"
    server = start(folder=folder, **SETTINGS)
    known = await fill(server, spot)
    server.stop()
    sound = verify(folder, f"{folder}.key")
    assert sound.returncode == 0, sound.stdout
    return folder, known


def is_key(row, columns):
    """The condition for a row by its key, and its arguments."""
    keys = [(number, name) for number, (name, place) in enumerate(columns) if place]
    return " AND ".join(f"{name} IS ?" for _, name in keys), [row[number] for number, _ in keys]


def other(value, chance):
    """Another value of the same type."""
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 1 << 20))
    if isinstance(value, bytes) and value:
        place = chance.randrange(len(value))
        return value[:place] + bytes([value[place] ^ 1 << chance.randrange(8)]) + value[place + 1 :]
    if isinstance(value, str):
        return value + "x"
    return 1 if value is None else b"\0"


def way(found, chance):
    """One way of tampering, at random: the table and the statements."""
    table = chance.choice([name for name, (_, rows) in found.items() if rows])
    columns, rows = found[table]
    row = chance.choice(rows)
    where, keys = is_key(row, columns)
    # Where a row is indexed is no content of it; a value that is nowhere hides it, and verify says so (0035).
    free = [number for number, (name, _) in enumerate(columns) if name != "filed"]
    column = chance.choice(free)
    kind = chance.choice(("delete", "delete", "change", "change", "insert", "empty", "swap"))
    if kind == "delete":
        return table, [(f"DELETE FROM {table} WHERE {where}", keys)]
    if kind == "empty":
        return table, [f"DELETE FROM {table}"]
    if kind == "swap" and len(rows) > 1:
        # Two rows change what they hold.
        one, another = chance.sample(rows, 2)
        free = [number for number in free if not columns[number][1] and one[number] != another[number]]
        if free:
            number = chance.choice(free)
            changes = []
            for own, value in ((one, another[number]), (another, one[number])):
                where, keys = is_key(own, columns)
                changes.append((f"UPDATE OR IGNORE {table} SET {columns[number][0]} = ? WHERE {where}", [value, *keys]))
            return table, changes
    if kind == "insert":
        number = chance.choice([number for number, (_, place) in enumerate(columns) if place])
        values = list(row)
        values[number] = other(values[number], chance)
        marks = ", ".join("?" * len(values))
        return table, [(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", values)]
    value = other(row[column], chance)
    return table, [(f"UPDATE OR IGNORE {table} SET {columns[column][0]} = ? WHERE {where}", [value, *keys])]


@pytest.mark.seconds(7_200)
async def test_every_way_of_tampering_is_noticed_and_named(start, tmp_path, spot):
    folder, _ = await make(start, tmp_path, spot)
    found, chance, unnoticed, tried = tables(folder / "cairn.sqlite"), random.Random(31), [], {}
    # Each table at least once, and then at random.
    ways = [(name, [f"DELETE FROM {name}"]) for name, (_, rows) in found.items() if rows]
    ways += [way(found, chance) for _ in range(max(0, WAYS - len(ways)))]

    async def attempt(number):
        table, statements = ways[number]
        world = copy(folder, tmp_path / f"way{number}")
        try:
            change(world, *statements)
        except sqlite3.IntegrityError:
            return
        if tables(world / "cairn.sqlite") != found:
            looked = await asyncio.to_thread(verify, world, f"{world}.key")
            tried[table] = tried.get(table, 0) + 1
            if looked.returncode != 1 or table not in looked.stdout:
                unnoticed.append((table, statements, looked.stdout[:400]))
        shutil.rmtree(world)

    await swarm.together(WORKERS, attempt, range(len(ways)))
    print(f"\n{sum(tried.values())} ways over {len(tried)} tables, {len(unnoticed)} unnoticed")
    assert not unnoticed, unnoticed
    assert sum(tried.values()) > len(ways) // 2


async def test_a_suspension_that_is_deleted_stays_and_is_named(start, tmp_path, spot):
    folder, known = await make(start, tmp_path, spot)
    change(folder, "DELETE FROM suspensions")
    looked = verify(folder, f"{folder}.key")
    assert looked.returncode == 1 and "suspensions: 1 of 1 rows are missing" in looked.stdout, looked.stdout
    assert "missing: account " in looked.stdout and "reinstate" in looked.stdout
    server = start(folder=folder, **SETTINGS)
    await refused("account_suspended", Client.connect(server, token=known["eve"].welcome["token"]))
    await refused("account_suspended", (await guest(server)).ask("signIn", {"login": "eve", "password": PASSWORD}))
    server.logged("suspensions: 1 of 1 rows are missing")
    server.stop()
    # The row came back with the start; operators reinstate as always.
    assert verify(folder, f"{folder}.key").returncode == 0


@pytest.mark.parametrize("tallies", ["DELETE FROM cairn_tally WHERE id <> 1", "DELETE FROM cairn_tally"])
async def test_a_suspension_stands_when_its_tally_is_deleted_with_it(start, tmp_path, spot, tallies):
    """B3 of the second attackers: the account's own row says so as well."""
    folder, known = await make(start, tmp_path, spot)
    change(folder, "DELETE FROM suspensions", tallies)
    looked = verify(folder, f"{folder}.key")
    assert looked.returncode == 1 and "gone: suspensions" in looked.stdout, looked.stdout
    server = start(folder=folder, **SETTINGS)
    token = known["eve"].welcome["token"]
    await refused("account_suspended", Client.connect(server, token=token))
    await refused("account_suspended", (await guest(server)).ask("signIn", {"login": "eve", "password": PASSWORD}))
    server.logged("the row of a suspension was gone")
    async with await Desk.open(server) as operator:
        await operator.ask(f"unban {known['eve'].welcome['account']} a mistake")
    server.stop()
    server = start(folder=folder, **SETTINGS)
    assert (await Client.connect(server, token=token)).welcome["name"] == "eve"


async def test_a_row_of_a_member_that_is_inserted_raises_no_count(start, tmp_path, spot):
    folder, known = await make(start, tmp_path, spot)
    change(
        folder,
        "INSERT INTO realm_members (realm, account, sealed) SELECT realm, "
        "(SELECT id FROM accounts WHERE id NOT IN (SELECT account FROM realm_members) LIMIT 1), sealed "
        "FROM realm_members LIMIT 1",
    )
    assert "realm_members" in verify(folder, f"{folder}.key").stdout
    server = start(folder=folder, **SETTINGS)
    ada = await Client.connect(server, token=known["ada"].welcome["token"])
    (garden,) = (await ada.ask("listRealms"))["realms"]
    assert garden["members"] == 2, garden


async def test_a_flipped_bit_in_what_accounts_are_found_by_loses_none(start, tmp_path, spot):
    """E: nine flips lost an account. The row is found by trying each bit, because only the right one opens it."""
    folder, known = await make(start, tmp_path, spot)
    places = {"tokens": "hash", "credentials": "email", "accounts": "folded_name"}
    found, chance = tables(folder / "cairn.sqlite"), random.Random(9)
    statements = []
    for table, column in places.items():
        columns, rows = found[table]
        number = [name for name, _ in columns].index(column)
        for row in rows:
            if row[number] is None:
                continue
            where, keys = is_key(row, columns)
            place, bit = chance.randrange(16), chance.randrange(8)
            value = bytearray(row[number])
            value[place] ^= 1 << bit
            statements.append((f"UPDATE {table} SET {column} = ? WHERE {where}", [bytes(value), *keys]))
    change(folder, *statements)
    assert verify(folder, f"{folder}.key").returncode == 1
    server = start(folder=folder, **SETTINGS)
    for name in ("ada", "bob", "mallory"):
        token = known[name].welcome["token"]
        assert (await Client.connect(server, token=token)).welcome["name"] == name
        for login in (name, f"{name}@example.org"):
            signed_in = await guest(server)
            assert await signed_in.ask("signIn", {"login": login, "password": PASSWORD})
    server.stop()
    assert verify(folder, f"{folder}.key").returncode == 0


async def test_operators_take_the_rows_as_they_are(start, tmp_path, spot):
    folder, _ = await make(start, tmp_path, spot)
    change(folder, "DELETE FROM relations")
    looked = verify(folder, f"{folder}.key")
    assert looked.returncode == 1 and "see each other again" in looked.stdout and "--accept" in looked.stdout
    accepted = verify(folder, f"{folder}.key", "--accept")
    assert accepted.returncode == 0 and "accepted: relations" in accepted.stdout, accepted.stdout
    assert verify(folder, f"{folder}.key").returncode == 0


@pytest.mark.parametrize("table, step", [("suspensions", "suspensions-1"), ("audit", "audit-1")])
async def test_a_table_that_goes_with_the_note_of_its_step_makes_no_older_world(start, tmp_path, spot, table, step):
    """The server took it for an older file, made the table anew, and the suspended came in."""
    folder, _ = await make(start, tmp_path, spot)
    with sqlite3.connect(folder / "cairn.sqlite") as database:
        steps = [name for (name,) in database.execute("SELECT identifier FROM grdb_migrations")]
    database.close()
    assert step in steps, steps
    change(folder, f"DROP TABLE {table}", f"DELETE FROM grdb_migrations WHERE identifier = '{step}'")
    looked = verify(folder, f"{folder}.key")
    assert looked.returncode != 0 and "noted" in looked.stderr, looked
    begun = run("serve", "--port", "0", "--data", folder, "--set", f"storage.keyFile={folder}.key", seconds=PATIENCE)
    assert begun.returncode != 0 and "noted" in begun.stderr, begun


async def test_a_trigger_that_is_put_into_the_file_of_a_running_server_does_nothing(start, tmp_path, spot):
    """It deleted suspensions and blocks in the server's name, and the tally counted that as the server's own."""
    folder, known = await make(start, tmp_path, spot)
    server = start(folder=folder, **SETTINGS)
    watched = ("kept_answers", "instances", "posts", "relations", "notifications")
    change(
        folder, *(f"CREATE TRIGGER t_{name} AFTER INSERT ON {name} BEGIN DELETE FROM suspensions; END"
                  for name in watched))  # fmt: skip
    ada = await Client.connect(server, token=known["ada"].welcome["token"])
    await ada.stand_at(*spot)
    await ada.place(pose(*away(*spot, north=3.0)), text="one more")
    await ada.make_post("one more")
    server.kill()
    with sqlite3.connect(folder / "cairn.sqlite") as database:
        assert database.execute("SELECT count(*) FROM suspensions").fetchone() == (1,)
    database.close()
    change(folder, *(f"DROP TRIGGER t_{name}" for name in watched))
    assert verify(folder, f"{folder}.key").returncode == 0
