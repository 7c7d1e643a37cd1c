"""An attacker who can write the database without its key gains nothing, and damages only the changed rows.

docs/decisions/0005-encryption-at-rest.md has a table of attacks and their detection. Alice has two instances and a
token that was signed out; Mallory has an account, tokens of their own and copies of every older row.
"""

import hashlib
import shutil
import sqlite3

import pytest

from cairn import Client, Refused, away, pose

FORGED = "F" * 43


def change(folder, *statements):
    database = sqlite3.connect(folder / "cairn.sqlite")
    database.execute("PRAGMA foreign_keys = 0")
    with database:
        for statement in statements:
            database.execute(*statement) if isinstance(statement, tuple) else database.execute(statement)
    database.close()


def rows(folder, table):
    database = sqlite3.connect(folder / "cairn.sqlite")
    found = database.execute(f"SELECT * FROM {table}").fetchall()
    database.close()
    return found


async def make_world(start, folder, spot):
    """The world of a stopped server, with its known contents and its earlier rows."""
    server = start(folder=folder)
    alice = await Client.connect(server, "Alice")
    await alice.stand_at(*spot)
    things = [await alice.place(pose(*away(*spot, north=3.0 * n))) for n in range(2)]
    mallory = await Client.connect(server, "Mallory")
    gone = await Client.connect(server, "Alice")
    known = {
        "things": things,
        "alice": alice.welcome["token"],
        "mallory": mallory.welcome["token"],
        "revoked": gone.welcome["token"],
    }
    for client in (alice, mallory):
        await client.close()
    server.stop()
    known["tokens before"] = rows(folder, "tokens")
    known["instances before"] = rows(folder, "instances")
    server = start(folder=folder)
    gone = await Client.connect(server, token=known["revoked"])
    await gone.ask("signOut")
    alice = await Client.connect(server, token=known["alice"])
    await alice.stand_at(*spot)
    await alice.edit(things[0], pose(*away(*spot, east=4.0)))
    await alice.remove(things[1])
    await alice.close()
    server.stop()
    return known


ALICE = "(SELECT min(id) FROM accounts)"
MALLORY = "(SELECT max(id) FROM accounts)"
SHA = hashlib.sha256(FORGED.encode()).digest()
INSERT = "INSERT OR REPLACE INTO tokens (hash, account, used, sealed) VALUES"
KINDS = {
    "token inserted as e58221d kept them": [
        (f"INSERT INTO tokens (hash, account, used) VALUES (?, {ALICE}, 9e12)", (SHA,))
    ],
    "token inserted with a proof of nothing": [(f"{INSERT} (?, {ALICE}, 1795331667800, zeroblob(60))", (SHA,))],
    "token inserted with a short print": [(f"{INSERT} (?, {ALICE}, 1795331667800, zeroblob(60))", (SHA[:16],))],
    "token inserted with another's proof": [
        (f"{INSERT} (?, {ALICE}, 1795331667800, (SELECT sealed FROM tokens WHERE account = {ALICE}))", (SHA[:16],))
    ],
    "token repointed": [f"UPDATE tokens SET account = {ALICE} WHERE account = {MALLORY}"],
    "tokens repointed with their proofs": [
        f"UPDATE tokens SET account = {ALICE}, sealed = (SELECT sealed FROM tokens WHERE account = {ALICE} LIMIT 1)"
        f" WHERE account = {MALLORY}"
    ],
    "token rehashed": [(f"UPDATE tokens SET hash = ? WHERE account = {ALICE}", (SHA[:16],))],
    "token without a proof": [f"UPDATE tokens SET sealed = NULL, account = {ALICE} WHERE account = {MALLORY}"],
    "account ids swapped": [
        f"UPDATE accounts SET id = id + 1 WHERE id = {MALLORY}", "UPDATE tokens SET account = account + 1"
    ],
    "sealed accounts swapped": [
        f"UPDATE accounts SET sealed = (SELECT sealed FROM accounts WHERE id = {ALICE}) WHERE id = {MALLORY}"
    ],
    "account's name taken": [
        f"UPDATE accounts SET folded_name = zeroblob(16) WHERE id = {MALLORY}",
        f"UPDATE accounts SET folded_name = x'00' WHERE id = {ALICE}",
    ],
    "role": [f"UPDATE accounts SET role = 'admin' WHERE id = {MALLORY}"],
    "account's time": [f"UPDATE accounts SET created = 0 WHERE id = {MALLORY}"],
    "owner": [f"UPDATE instances SET owner = {MALLORY}"],
    "owner and created": [f"UPDATE instances SET owner = {MALLORY}, created = 1"],
    "version": ["UPDATE instances SET version = version + 1"],
    "version -1": ["UPDATE instances SET version = -1"],
    "version 2^32": ["UPDATE instances SET version = 4294967296"],
    "created at the end of time": ["UPDATE instances SET created = 9223372036854775807"],
    "cell": ["UPDATE instances SET cell = cell + 1"],
    "instance's id": ["UPDATE instances SET id = id + 1"],
    "instance of the highest id": ["UPDATE instances SET id = 9223372036854775807"],
    "instance sealed by nobody": ["UPDATE instances SET sealed = zeroblob(90)"],
    "instance without what is sealed": ["UPDATE instances SET sealed = x''"],
    "answers to something else": ["UPDATE kept_answers SET kind = 0"],
    "instances filed nowhere": ["UPDATE instances SET filed = 2"],
    "answers filed nowhere": ["UPDATE kept_answers SET filed = 2"],
    "answers of another": [f"UPDATE OR IGNORE kept_answers SET account = {MALLORY}"],
    "answers with another key": ["UPDATE kept_answers SET key = randomblob(16)"],
    "answers at the end of time": ["UPDATE kept_answers SET at = 9223372036854775807"],
    "reaction inserted": [
        f"INSERT INTO reactions (instance, account, reaction) SELECT id, {MALLORY}, 'love' FROM instances"
    ],
    "schema's step taken away": ["DELETE FROM grdb_migrations WHERE identifier = 'bound-tokens-1'"],
    "trigger": [
        f"CREATE TRIGGER plant AFTER INSERT ON tokens BEGIN UPDATE tokens SET account = {ALICE}; END",
    ],
    "view in a table's place": ["ALTER TABLE tokens RENAME TO real", "CREATE VIEW tokens AS SELECT * FROM real"],
}  # fmt: skip


async def check_nothing_is_gained(server, known, spot):
    """No account and no instance has changed its owner, and the server keeps running."""
    for token in (FORGED, known["revoked"]):
        assert (await Client.connect(server, token=token)).welcome["role"] == "guest", "a token that is none"
    for name, token in (("Alice", known["alice"]), ("Mallory", known["mallory"])):
        try:
            client = await Client.connect(server, token=token)
        except Refused as refused:
            assert refused.code == "storage_unavailable", refused
            continue
        assert client.welcome.get("name", name) == name and client.welcome["role"] in ("guest", "general")
        if name == "Mallory" and client.welcome["role"] == "general":
            await client.stand_at(*spot)
            seen = [id for topic in client.topics.values() for id in topic.instances]
            assert known["things"][0]["id"] in seen or not seen
            for id in seen:
                thing = client.sees(id)
                assert thing["version"] == 2 and not thing.get("reactions"), thing
                with pytest.raises(Refused):
                    await client.edit(thing, pose(*spot))
    fresh = await Client.connect(server, "Newcomer")
    await fresh.stand_at(*spot)
    await fresh.place(pose(*spot))
    assert server.is_running


async def test_whoever_writes_the_file_without_the_key_gains_nothing(start, tmp_path, spot):
    origin = tmp_path / "origin"
    known = await make_world(start, origin, spot)
    assert len(KINDS) >= 30
    refused_at_start = []
    for number, (kind, statements) in enumerate(KINDS.items()):
        folder = tmp_path / f"world{number}"
        shutil.copytree(origin, folder)
        shutil.copy2(f"{origin}.key", f"{folder}.key")
        change(folder, *statements)
        try:
            server = start(folder=folder)
        except Exception:
            refused_at_start.append(kind)
            continue
        try:
            await check_nothing_is_gained(server, known, spot)
        except Exception as error:
            raise AssertionError(f"{kind}: {error!r}\n{server.log()[-2000:]}") from error
        server.kill()
    assert set(refused_at_start) <= {"trigger", "view in a table's place", "schema's step taken away"}, refused_at_start


async def test_token_that_was_revoked_is_refused_when_its_row_is_put_back(start, tmp_path, spot):
    folder = tmp_path / "origin"
    known = await make_world(start, folder, spot)
    change(folder, *(("INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?)", row) for row in known["tokens before"]))
    server = start(folder=folder)
    assert (await Client.connect(server, token=known["revoked"])).welcome["role"] == "guest"
    assert (await Client.connect(server, token=known["alice"])).welcome["name"] == "Alice"
    server.logged("row was put back")


async def test_many_sign_outs_on_one_device_end_no_token_of_another(start, tmp_path):
    """ACC-5: the account remembers a hundred tokens that have ended, and no more."""
    folder = tmp_path / "world"
    server = start(folder=folder)
    phone, ended = await Client.connect(server, "Ada"), []
    for _ in range(130):
        other = await Client.connect(server, "Ada")
        ended.append(other.welcome["token"])
        if len(ended) in (1, 120):
            server.stop()
            before = rows(folder, "tokens")
            server = start(folder=folder)
            if len(ended) == 1:
                put_back = before
            other = await Client.connect(server, token=ended[-1])
        await other.ask("signOut")
        await other.close()
    assert (await Client.connect(server, token=phone.welcome["token"])).welcome["name"] == "Ada"
    server.stop()
    # A row of a token that has ended, from whenever, brings nobody in.
    with sqlite3.connect(folder / "cairn.sqlite") as world:
        columns = ", ".join("?" * len(put_back[0]))
        world.executemany(f"INSERT OR IGNORE INTO tokens VALUES ({columns})", put_back + before)
    world.close()
    server = start(folder=folder)
    for token in (ended[0], ended[119]):
        assert (await Client.connect(server, token=token)).welcome["role"] == "guest"
    assert (await Client.connect(server, token=phone.welcome["token"])).welcome["name"] == "Ada"
