"""A world that e58221d wrote, as its first start under this server finds it (DAT-9, docs/decisions/0005).

`worlds/e58221d.*` is what that server left behind: Ada placed four things and edited one, Bob reacted to one, and one
of Ada's tokens was signed out.
"""

import json
import pathlib
import shutil
import sqlite3

import pytest

from cairn import Client, bits

WORLDS = pathlib.Path(__file__).parent / "worlds"
LONG = {"accounts__tokenDays": 3_650}


@pytest.fixture
def old_world(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    shutil.copyfile(WORLDS / "e58221d.db", folder / "cairn.sqlite")
    shutil.copyfile(WORLDS / "e58221d.key", f"{folder}.key")
    pathlib.Path(f"{folder}.key").chmod(0o600)
    return folder, json.loads((WORLDS / "e58221d.json").read_text())


def change(folder, *statements):
    with sqlite3.connect(folder / "cairn.sqlite") as database:
        for statement in statements:
            database.execute(*statement)
    database.close()


async def test_things_reactions_and_tokens_are_as_they_were(start, old_world):
    folder, was = old_world
    server = start(folder=folder, **LONG)
    ada = await Client.connect(server, token=was["token"])
    assert ada.welcome["name"] == "Ada"
    await ada.stand_at(*was["spot"])
    await ada.until(lambda: len(ada.everything()) == 4, "four things")
    # Ids as they were given out then name the same things, and are told in their new form.
    asked = [{"instance": thing["id"], "cell": thing["cell"]} for thing in was["things"]]
    held = [(await ada.ask("select", one))["instance"] for one in asked]
    assert {instance["id"] for instance in held} == set(ada.everything())
    for thing, instance in zip(was["things"][2:], held[2:]):
        assert bits(instance["pose"]) == bits(thing["pose"]) and instance["version"] == 1
        assert int(instance["created"]) == int(thing["created"]) and instance["placer"] == ada.welcome["account"]
    assert [count["reaction"] for count in held[0]["reactions"]] == ["like"]
    assert held[1]["version"] == 2
    guest = await Client.connect(server, token=was["revoked"])
    assert guest.welcome["role"] == "guest"
    assert list(folder.glob("cairn.sqlite.before-*")), "the world as it was is kept"


async def test_row_that_does_not_open_is_left_behind_and_the_rest_is_converted(start, old_world):
    folder, was = old_world
    # Ids are 13 letters of base32 for the number that stands in the file.
    change(folder, ("UPDATE instances SET sealed = zeroblob(80) WHERE id = (SELECT min(id) FROM instances)",))
    server = start(folder=folder, **LONG)
    ada = await Client.connect(server, token=was["token"])
    await ada.stand_at(*was["spot"])
    await ada.until(lambda: len(ada.everything()) == 3, "three things")
    assert was["things"][0]["id"] not in ada.everything()
    assert "damaged row: instances" in server.log()


async def test_rows_of_before_open_no_more_once_the_world_is_converted(start, old_world):
    folder, was = old_world
    server = start(folder=folder, **LONG)
    server.stop()
    with sqlite3.connect(WORLDS / "e58221d.db") as old:
        row = old.execute("SELECT id, cell, owner, created, version, sealed FROM instances LIMIT 1").fetchone()
        tokens = old.execute("SELECT hash, account, used FROM tokens").fetchall()
    old.close()
    change(
        folder,
        ("UPDATE instances SET sealed = ? WHERE id = ?", (row[5], row[0])),
        ("DELETE FROM tokens",),
        *(("INSERT INTO tokens (hash, account, used) VALUES (?, ?, ?)", token) for token in tokens),
    )
    server = start(folder=folder, **LONG)
    guest = await Client.connect(server, token=was["token"])
    assert guest.welcome["role"] == "guest", "a plain hash is no token any more"
    bob = await Client.connect(server, "Carol")
    await bob.stand_at(*was["spot"])
    await bob.until(lambda: len(bob.everything()) == 3, "three things")
