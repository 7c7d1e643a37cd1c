"""Single flipped bits anywhere in a database and in a backup of it: no crash, no hang, every changed row is detected,
and the rest of the world is served (DAT-6).

`CAIRN_FLIPS=10000 CAIRN_FLIP_THINGS=5000` sets the number of flips and the size of the world; the printed table is in
decision 0006. `CAIRN_FLIP_SEED` chooses other bits, so that a long run can be made in pieces.
"""

import asyncio
import os
import pathlib
import random
import shutil
import subprocess

import pytest

import flips
import swarm
import whole_world
from cairn import PATIENCE, Client, Refused, away, pose
from server import binary, environment, serve_command

FLIPS = int(os.environ.get("CAIRN_FLIPS", 120))
SEED = int(os.environ.get("CAIRN_FLIP_SEED", 7))
THINGS = int(os.environ.get("CAIRN_FLIP_THINGS", 200))
# One in this many flips is also tested with a running server, which takes a second or two.
SERVED_OF = int(os.environ.get("CAIRN_FLIP_SERVED_OF", 30))
# Flips that are tried at a time, each by a separate process.
WORKERS = os.cpu_count() or 1
SETTINGS = {
    "placement__areaQuota": 100_000, "placement__perMinute": 100_000, "placement__perDay": 100_000,
    "cells__instancesMax": 100_000, "connections__messagesPerSecond": 100_000, "connections__messagesBurst": 100_000,
}  # fmt: skip
PLACES = 5  # 300 m apart: as many cells


class World:
    """A stopped world with a backup, as files to damage."""

    def __init__(self, folder, spot):
        self.folder, self.spot = folder, spot
        self.spots = [away(*spot, north=300.0 * number) for number in range(PLACES)]
        self.database = folder / "cairn.sqlite"
        self.content = None

    def command(self, name, *arguments, folder=None):
        return subprocess.run(
            [str(binary()), name, "--data", str(folder or self.folder), "--set", f"storage.keyFile={self.folder}.key",
             *map(str, arguments)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * PATIENCE, env=environment(),
        )  # fmt: skip

    async def fill(self, server):
        bots = [swarm.Bot(f"person{number}", spot) for number, spot in enumerate(self.spots)]
        for bot in bots:
            await bot.connect(server)
        for number in range(THINGS):
            bots[number % PLACES].place(f"key-{number}")
        while not all(len(bot.placed) >= THINGS // PLACES for bot in bots):
            await swarm.pause(0.05)
        for bot in bots:
            bot.drop()
            await bot.ended()
        client = await Client.connect(server, "reader", sharePosition=True)
        await client.stand_at(*self.spot)
        for instance in list(client.everything())[:20]:
            await client.ask("select", {"instance": instance, "cell": client.everything()[instance][0]})

    def keep(self):
        made = self.command("backup", "--to", self.folder / "sound.sqlite")
        assert made.returncode == 0, made
        self.content = {"database": self.database.read_bytes(), "backup": (self.folder / "sound.sqlite").read_bytes()}


    def written(self, content, name):
        """A file with that content, beside the files that its rows name."""
        path = self.folder / f"flipped-{name}.sqlite"
        path.write_bytes(content)
        files = self.folder / "sound.sqlite.files"
        if files.is_dir():
            pathlib.Path(f"{path}.files").symlink_to(files)
        return path

    def look(self, kind, bit, sound):
        """Whether `cairn verify` detects a flipped bit, and if not, whether all rows are unchanged."""
        damaged = self.written(flips.flip(self.content[kind], bit), f"{kind}-{bit}")
        looked = self.command("verify", damaged)
        assert looked.returncode in (0, 1), (kind, bit, looked)
        is_noticed = looked.returncode == 1
        is_harmless = not is_noticed and flips.rows(damaged) == sound
        for path in self.folder.glob(f"{damaged.name}*"):
            path.unlink()
        return is_noticed, is_harmless


@pytest.fixture
def world(tmp_path, spot):
    return World(tmp_path / "data", spot)


@pytest.mark.seconds(7_200)
async def test_every_flipped_bit_that_changes_a_row_is_noticed(start, world):
    server = start(folder=world.folder, **SETTINGS)
    await world.fill(server)
    server.stop()
    world.keep()
    chance, tally, unnoticed, unserved = random.Random(SEED), flips.Tally(), [], []
    for kind in ("database", "backup"):
        content = world.content[kind]
        names = flips.regions(world.database if kind == "database" else world.folder / "sound.sqlite")
        bits = [chance.randrange(len(content) * 8) for _ in range(FLIPS // 2)]
        unnoticed += await looked_at(world, kind, names, bits, tally)
        for bit in bits[::SERVED_OF] if kind == "database" else []:
            try:
                await serve(world, flips.flip(content, bit), start, (kind, flips.region(names, bit), bit))
            except AssertionError as error:
                # The other flips and the table are still useful.
                unserved.append(str(error))
    print(f"\n{tally}\nunnoticed: {unnoticed}\nnot served: {len(unserved)}")
    assert not unnoticed and not unserved, (unnoticed, unserved)


async def looked_at(world, kind, names, bits, tally):
    """Flips that change a row and that `cairn verify` does not notice."""
    file, unnoticed = world.written(world.content[kind], "sound"), []
    sound, looked = flips.rows(file), world.command("verify", file)
    assert looked.returncode == 0, looked

    async def look(bit):
        is_noticed, is_harmless = await asyncio.to_thread(world.look, kind, bit, sound)
        where = flips.region(names, bit)
        tally.note(f"{kind} {where}", is_noticed, is_harmless)
        if not is_noticed and not is_harmless:
            unnoticed.append((kind, where, bit))

    await swarm.together(WORKERS, look, bits)
    return unnoticed


async def serve(world, content, start, what):
    """A server on the damaged file: it starts, and every cell answers."""
    folder = world.folder.parent / f"flipped-{what[2]}"
    (folder / "backups").mkdir(parents=True)
    (folder / "cairn.sqlite").write_bytes(content)
    shutil.copy(world.folder / "sound.sqlite", folder / "backups/cairn-20260101T000000.000Z.sqlite")
    shutil.copy(f"{world.folder}.key", f"{folder}.key")
    try:
        server = start(folder=folder, **SETTINGS)
    except AssertionError:
        # Only a schema that no release has made may be refused, with a clear message.
        refused = subprocess.run(
            serve_command(folder), capture_output=True, text=True, timeout=PATIENCE, env=environment())
        assert refused.returncode == 1 and "what Cairn never made" in refused.stderr, (what, refused.stderr)
        return
    for number, spot in enumerate(world.spots):
        client = await Client.connect(server, f"guest{number}", sharePosition=True)
        cell = await client.stand_at(*spot)
        await client.until(lambda: client.holds(cell), f"snapshot of {cell} after {what}")
        try:
            await client.ask("place", {"object": "preset:flag", "pose": pose(*spot)})
        except Refused as refusal:
            assert refusal.code != "internal", (what, refusal)
        await client.close()
    assert server.is_running, (what, server.log())
    server.kill()
    shutil.rmtree(folder)


# Flips that `cairn verify` looks at in a world with everything in it, beside those that are served.
WHOLE = FLIPS // 12
ACCOUNTS_OF = int(os.environ.get("CAIRN_FLIPS_OF_ACCOUNTS", 6))
#: Tables and indexes by which people come in, and whose rows take rights away.
PEOPLE = (
    "accounts", "tokens", "credentials", "cairn_copies", "suspensions", "relations", "votes", "realm_members",
    "sqlite_autoindex",
)  # fmt: skip


@pytest.mark.seconds(3_600)
async def test_a_flipped_bit_costs_nobody_their_account_and_opens_no_right(start, tmp_path, spot):
    """Over a world with everything in it, in the pages of the tables that matter to that."""
    origin = tmp_path / "whole"
    server = start(folder=origin, **whole_world.SETTINGS)
    known = await whole_world.fill(server, spot)
    server.stop()
    world = World(origin, spot)
    world.keep()
    content, names = world.content["database"], flips.regions(world.database)
    pages = [page for page, name in names.items() if name.startswith(PEOPLE)]
    chance, lost = random.Random(SEED + 1), []
    for number in range(ACCOUNTS_OF):
        page = chance.choice(pages)
        # Most of a page of a small table is empty: a bit among its contents is at its end.
        bit = (page * flips.PAGE - 1 - chance.randrange(1_200)) * 8 + chance.randrange(8)
        folder = tmp_path / f"whole{number}"
        (folder / "backups").mkdir(parents=True)
        (folder / "cairn.sqlite").write_bytes(flips.flip(content, bit))
        shutil.copy(origin / "sound.sqlite", folder / "backups/cairn-20260101T000000.000Z.sqlite")
        shutil.copytree(origin / "assets", folder / "assets", dirs_exist_ok=True)
        shutil.copy(f"{origin}.key", f"{folder}.key")
        server = start(folder=folder, **whole_world.SETTINGS)
        for fault in await whole_world.faults(server, known):
            lost.append((number, names[page], bit, fault))
        assert server.is_running, server.log()
        server.kill()
        shutil.rmtree(folder)
    assert not lost, lost
    # In its pages with rows: most others are empty.
    tally, bits = flips.Tally(), []
    while len(bits) < WHOLE:
        bit = chance.randrange(len(content) * 8)
        if content[bit // 8]:
            bits.append(bit)
    unnoticed = await looked_at(world, "database", names, bits, tally)
    print(f"\n{tally}\nunnoticed: {unnoticed}")
    assert not unnoticed, unnoticed
