"""The files of assets: sealed, collected, backed up, verified and repaired (OBJ-12, DAT-5 to DAT-7)."""

import asyncio
import hashlib
import random

from accounts import sign_up
from cairn import Client, eventually
from frail_disk import FrailDisk
from pictures import begin, png, send, show, upload
from server import run
from test_assets import FAST, address, files, get
from test_live_space import refused


async def test_nothing_of_a_picture_is_in_the_folder_in_the_clear(start):
    world = start(accounts__open="false", **FAST)
    ada = await sign_up(world, "ada")
    data = png(100, 100)
    await show(ada, data)
    half = png(200, 200, seed=1)
    await send(ada, await begin(ada, half), half, chunks=2)
    digest = hashlib.sha256(data)
    for path in world.folder.rglob("*"):
        if not path.is_file():
            continue
        stored = path.read_bytes()
        for part in (data[100:132], half[100:132], digest.digest(), digest.hexdigest().encode(), b"image/png"):
            assert part not in stored, path
        assert digest.hexdigest()[:8] not in path.name


async def test_files_that_nothing_names_are_collected_at_the_next_start(start):
    server = start(accounts__open="false", **FAST)
    ada = await sign_up(server, "ada")
    kept = await show(ada, png(seed=1))
    await show(ada, png(seed=2))
    unused = await upload(ada, png(seed=3))
    kept = await show(ada, png(seed=4))
    half = png(200, 200, seed=5)
    await send(ada, await begin(ada, half), half, chunks=2)
    assert len(files(server)) == 4
    server.kill()
    folder = server.folder / "assets"
    lost = "ab" + "0" * 30
    (folder / "ab").mkdir(exist_ok=True)
    for path in (folder / "ab" / lost, folder / "uploads" / lost, folder / "ab" / f"{lost}.part"):
        path.write_bytes(b"left behind by a crash")
    server = start(accounts__open="false", assets__unusedMinutes=0, **FAST)

    async def is_tidy():
        return len(files(server)) == 1 and len(list((folder / "uploads").iterdir())) == 1

    await eventually(is_tidy, "the collection")
    ada = await Client.connect(server, token=ada.welcome["token"])
    assert (await get(server, await address(ada, kept)))[2] == png(seed=4)
    await refused("not_found", ada.ask("editProfile", {"picture": unused}))
    assert int((await begin(ada, half))["offset"]) > 0
    assert float((await server.figures())["cairn_assets_files_collected_total"]) >= 3


async def test_a_kill_at_any_moment_leaves_no_picture_without_its_file(start):
    noise = random.Random(7)
    token = None
    for round in range(6):
        server = start(accounts__open="false", assets__unusedMinutes=0, **FAST)
        client = await Client.connect(server, token=token) if token else await sign_up(server, "ada")
        token = client.welcome["token"]
        own = await client.ask("getProfile")
        if own.get("picture"):
            assert (await get(server, await address(client, own["picture"])))[0] == 200

        async def change():
            for number in range(100):
                await show(client, png(100, 100, seed=100 * round + number))

        changing = asyncio.create_task(change())
        await asyncio.wait([changing], timeout=0.3 + noise.random())
        server.kill()
        await asyncio.gather(changing, return_exceptions=True)
    server = start(accounts__open="false", assets__unusedMinutes=0, **FAST)

    async def is_tidy():
        return len(files(server)) == 1

    await eventually(is_tidy, "the collection")
    server.stop()
    checked = run("verify", "--data", server.folder, "--set", f"storage.keyFile={server.folder}.key")
    assert checked.returncode == 0 and "no row names" not in checked.stdout, checked.stdout


async def test_a_power_loss_costs_no_picture_that_was_acknowledged(start, frail_library, tmp_path):
    disk, chance = FrailDisk(frail_library, tmp_path), random.Random(11)
    token, shown, half = None, None, png(200, 200, seed=999)
    for round in range(4):
        server = start(accounts__open="false", folder=disk.data, env=disk.environment, **FAST)
        client = await Client.connect(server, token=token) if token else await sign_up(server, "ada")
        token = client.welcome["token"]
        if shown:
            own = (await client.ask("getProfile"))["picture"]
            assert (await get(server, await address(client, own)))[0] == 200
            assert (await get(server, await address(client, shown)))[0] == 200
        # Some of an upload under way may be lost; it goes on all the same.
        await send(client, await begin(client, half), half, chunks=1)

        async def change():
            nonlocal shown
            for number in range(20):
                shown = await show(client, png(60, 60, seed=20 * round + number))

        changing = asyncio.create_task(change())
        await asyncio.wait([changing], timeout=0.3 + chance.random())
        server.kill()
        await asyncio.gather(changing, return_exceptions=True)
        disk.lose_power(chance if round % 2 else None)
    server = start(accounts__open="false", folder=disk.data, **FAST)
    client = await Client.connect(server, token=token)
    asset = await upload(client, half)
    assert (await get(server, await address(client, asset)))[2] == half
    server.stop()
    checked = run("verify", "--data", disk.data, "--set", f"storage.keyFile={disk.data}.key")
    assert checked.returncode == 0, checked.stdout


# MARK: - Backups


def cairn(server, *arguments):
    return run(*arguments, "--data", server.folder, "--set", f"storage.keyFile={server.folder}.key", seconds=60)


async def test_a_backup_has_the_pictures_and_restores_them_elsewhere(start, tmp_path):
    server = start(accounts__open="false", **FAST)
    ada = await sign_up(server, "ada")
    data = png(300, 300)
    asset = await show(ada, data)
    copy = tmp_path / "copy.sqlite"
    done = cairn(server, "backup", "--to", copy)
    assert done.returncode == 0 and "1 files" in done.stdout, done.stdout + done.stderr
    (file,) = (tmp_path / "copy.sqlite.files").glob("??/*")
    assert file.read_bytes() == files(server)[0].read_bytes() and data[100:132] not in file.read_bytes()
    await ada.ask("editProfile", {"picture": ""})
    server.stop()
    # Another machine has the key and the backup, and nothing else.
    for path in server.folder.glob("cairn.sqlite*"):
        path.unlink()
    for path in files(server):
        path.unlink()
    done = cairn(server, "restore", copy)
    assert done.returncode == 0, done.stdout + done.stderr
    done = cairn(server, "verify")
    assert done.returncode == 0 and "  files 1" in done.stdout, done.stdout
    server = start(accounts__open="false", **FAST)
    ada = await Client.connect(server, token=ada.welcome["token"])
    assert (await ada.ask("getProfile"))["picture"] == asset
    assert (await get(server, await address(ada, asset)))[2] == data


async def test_verify_names_missing_damaged_and_superfluous_files_and_repairs_them(start, tmp_path):
    server = start(accounts__open="false", **FAST)
    ada = await sign_up(server, "ada")
    for seed in range(3):
        await upload(ada, png(seed=seed))
    copy = tmp_path / "copy.sqlite"
    assert cairn(server, "backup", "--to", copy).returncode == 0
    server.stop()
    first, second, _ = files(server)
    sound = first.read_bytes()
    first.unlink()
    damaged = bytearray(second.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    second.unlink()  # the backup has a link to the same file
    second.write_bytes(damaged)
    (first.parent / ("%s%030d" % (first.parent.name, 0))).write_bytes(b"x")
    done = cairn(server, "verify")
    assert done.returncode == 1 and "2 damaged rows" in done.stdout, done.stdout
    assert "names a file that is not there" in done.stdout and "names a file that is damaged" in done.stdout
    assert "files that no row names 1" in done.stdout
    # A backup of such a world is marked, and none of the damage is the server's end.
    assert cairn(server, "backup", "--to", tmp_path / "unsound.sqlite").returncode == 3
    done = cairn(server, "verify", "--repair", copy)
    assert done.returncode == 0, done.stdout + done.stderr
    assert first.read_bytes() == sound and cairn(server, "verify").returncode == 0


async def test_another_master_key_opens_the_pictures_that_were_there(start):
    server = start(accounts__open="false", **FAST)
    ada = await sign_up(server, "ada")
    asset = await show(ada, png())
    server.stop()
    before = files(server)[0].stat().st_mtime_ns
    assert run("rotate-key", "--set", f"storage.keyFile={server.folder}.key").returncode == 0
    server = start(accounts__open="false", **FAST)
    ada = await Client.connect(server, token=ada.welcome["token"])
    assert (await get(server, await address(ada, asset)))[2] == png()
    assert files(server)[0].stat().st_mtime_ns == before
