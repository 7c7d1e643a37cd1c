"""The first start of this server on a world of e58221d (DAT-9, docs/decisions/0005).

`worlds/e58221d.*` are the files of that server: Ada has placed four instances and edited one, Bob has reacted to one,
and one of Ada's tokens is signed out.

    CAIRN_CONVERTED_ROWS=100000 pytest Tests/EndToEndTests/test_converted_world.py -s      with the release build
"""

import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest

from cairn import Client, bits
from server import environment, run, serve_command

ROWS = int(os.environ.get("CAIRN_CONVERTED_ROWS", 20_000))
WORLDS = pathlib.Path(__file__).parent / "worlds"
#: How many times as long as SQLite writes the rows again a conversion may take: it opens, seals and indexes each.
TIMES = 20
LONG = {"accounts__tokenDays": 3_650}


def change(folder, *statements):
    with sqlite3.connect(folder / "cairn.sqlite") as database:
        for statement in statements:
            database.execute(*statement)
    database.close()


@pytest.fixture
def large_old_world(old_world):
    """The same with many tokens of one account, because only their rows can be written without the key."""
    folder, was = old_world
    change(
        folder,
        (
            "INSERT INTO tokens (hash, account, used) WITH RECURSIVE number(n) AS "
            "(SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?) "
            "SELECT randomblob(32), account, used FROM number, (SELECT * FROM tokens LIMIT 1)",
            (ROWS - 2,),
        ),
    )
    return folder, was


def contents(path):
    """The rows of every table of a database, by its name."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {name: sorted(map(repr, database.execute(f"SELECT * FROM {name}"))) for name in names}
    database.close()
    return rows


async def check_is_as_it_was(server, was):
    ada = await Client.connect(server, token=was["token"])
    assert ada.welcome["name"] == "Ada"
    await ada.stand_at(*was["spot"])
    await ada.until(lambda: len(ada.everything()) == 4, "four things")
    assert (await Client.connect(server, token=was["revoked"])).welcome["role"] == "guest"


class Moment:
    """A moment of a start, as seen from outside: a line of its log, a number of bytes in one of its files, or both."""

    def __init__(self, name, *, line=None, pattern=None, size=1):
        self.name, self.line, self.pattern, self.size = name, line, pattern, size

    def has_come(self, folder, log):
        if self.line and self.line not in log.read_text(errors="replace"):
            return False
        return not self.pattern or any(path.stat().st_size >= self.size for path in folder.glob(self.pattern))


SEALING = "sealed anew, which happens once"
MOMENTS = [
    Moment("the copy has begun", pattern="cairn.sqlite.before-*"),
    Moment("the rows are being sealed", line=SEALING),
    Moment("some rows are in the log", line=SEALING, pattern="cairn.sqlite-wal", size=200_000),
    Moment("more are", line=SEALING, pattern="cairn.sqlite-wal", size=ROWS * 40),
    Moment("most are", line=SEALING, pattern="cairn.sqlite-wal", size=ROWS * 100),
    Moment("all are on disk", line="set aside"),
]


def kill_at(moment, folder, log):
    """Starts a server on the world and kills it with -9 at that moment; returns its log until then."""
    log.write_text("")
    with open(log, "ab") as errors:
        process = subprocess.Popen(
            serve_command(folder, **LONG, storage__cacheMegabytes=1), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=errors, env=environment(),
        )  # fmt: skip
    deadline = time.monotonic() + 60
    while not (moment.has_come(folder, log) or MOMENTS[-1].has_come(folder, log)):
        assert process.poll() is None and time.monotonic() < deadline, (moment.name, log.read_text())
    process.send_signal(signal.SIGKILL)
    process.wait()
    return log.read_text()


@pytest.mark.seconds(300)
async def test_world_whose_conversion_is_killed_at_any_moment_comes_up_whole(start, large_old_world, tmp_path):
    folder, was = large_old_world
    before = contents(folder / "cairn.sqlite")
    said = [kill_at(moment, folder, tmp_path / "killed.log") for moment in MOMENTS]
    amid = [moment.name for moment, log in zip(MOMENTS, said) if "sealed anew" in log and "set aside" not in log]
    assert len(amid) >= 3, f"killed amid the conversion only when {amid}"
    server = start(folder=folder, **LONG)
    await check_is_as_it_was(server, was)
    assert server.stop() == 0
    # One start has converted the world completely, and no later start has converted it again.
    assert sum("; 0 set aside" in log for log in [*said, server.log()]) == 1, said
    assert "damaged row" not in server.log()
    checked = run("verify", "--data", folder, "--set", f"storage.keyFile={folder}.key", seconds=120)
    assert checked.returncode == 0, checked
    after = contents(folder / "cairn.sqlite")
    assert len(after["tokens"]) >= ROWS and not set(after["tokens"]) & set(before["tokens"])
    assert len(after["kept_answers"]) == 6 and not set(after["kept_answers"]) & set(before["kept_answers"])
    # The unconverted world is kept beside it, with every row.
    copies = [contents(path) for path in folder.glob("cairn.sqlite.before-*") if path.suffix not in (".part", ".log")]
    assert before in copies
    print(f"\nkilled {len(MOMENTS)} times, amid the conversion when {amid}")


def rewriting(folder, copy):
    """How many seconds SQLite takes to copy the world and to write each token again, one after the other."""
    began = time.perf_counter()
    shutil.copyfile(folder / "cairn.sqlite", copy)
    with sqlite3.connect(copy) as database:
        rows = database.execute("SELECT hash FROM tokens").fetchall()
        for (hash,) in rows:
            database.execute("UPDATE tokens SET used = used + 1 WHERE hash = ?", (hash,))
    database.close()
    return time.perf_counter() - began


@pytest.mark.alone
@pytest.mark.seconds(300)
async def test_large_world_is_converted_in_seconds(start, large_old_world, tmp_path):
    folder, was = large_old_world
    written = rewriting(folder, tmp_path / "copy.sqlite")
    server = start(folder=folder, seconds=300, **LONG)
    await check_is_as_it_was(server, was)
    print(f"\n{ROWS} rows: {server.seconds_to_start:.1f} s to start, the copy of the world before included;",
          f"written again in {written:.1f} s")  # fmt: skip
    assert server.seconds_to_start < TIMES * written, (server.seconds_to_start, written)


async def test_things_reactions_and_tokens_are_as_they_were(start, old_world):
    folder, was = old_world
    server = start(folder=folder, **LONG)
    ada = await Client.connect(server, token=was["token"])
    assert ada.welcome["name"] == "Ada"
    await ada.stand_at(*was["spot"])
    await ada.until(lambda: len(ada.everything()) == 4, "four things")
    # Ids in the old form name the same instances; the server sends them in the new form.
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
    # Ids are 13 letters of base32 for the number in the file.
    change(folder, ("UPDATE instances SET sealed = zeroblob(80) WHERE id = (SELECT min(id) FROM instances)",))
    server = start(folder=folder, **LONG)
    ada = await Client.connect(server, token=was["token"])
    await ada.stand_at(*was["spot"])
    await ada.until(lambda: len(ada.everything()) == 3, "three things")
    assert was["things"][0]["id"] not in ada.everything()
    server.logged("damaged row: instances")


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
