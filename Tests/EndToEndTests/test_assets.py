"""Assets: pictures in chunks over the socket, and their downloads (OBJ-12, PRF-3)."""

import asyncio
import base64
import hashlib
import zlib

import pytest

import pictures
from accounts import MANY, guest, sign_up
from cairn import Client, eventually
from pictures import begin, chunk, exif, fetch, jpeg, large_png, png, send, show, upload
from test_live_space import refused

#: Uploads as fast as the machine can, and nothing unused is kept.
FAST = {
    "connections__bytesPerSecond": 100_000_000, "connections__bytesBurst": 100_000_000,
    "connections__messagesPerSecond": 1_000, "connections__messagesBurst": 1_000, **MANY,
}  # fmt: skip


@pytest.fixture
def world(start):
    return start(accounts__open="false", **FAST)


async def address(client, asset, account=""):
    return (await client.ask("getAsset", {"asset": asset, "account": account}))["path"]


async def get(server, path, **how):
    return await asyncio.to_thread(lambda: fetch(server, path, **how))


def files(server):
    """The complete files of assets."""
    return sorted((server.folder / "assets").glob("??/*"))


# MARK: - Uploading


async def test_a_picture_arrives_whole_and_is_shown_to_those_who_may_see_the_profile(world):
    ada, bob = await sign_up(world, "ada"), await sign_up(world, "bob")
    data = png(200, 150)
    asset = await show(ada, data)
    assert (await ada.ask("getProfile"))["picture"] == asset
    account = ada.welcome["account"]
    assert (await bob.ask("readProfile", {"account": account}))["picture"] == asset
    told = await bob.ask("getAsset", {"asset": asset, "account": account})
    assert told["contentType"] == "image/png" and int(told["length"]) == len(data)
    status, headers, body = await get(world, told["path"])
    assert status == 200 and body == data
    assert headers["content-type"] == "image/png" and headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"].startswith("private") and "sandbox" in headers["content-security-policy"]
    assert headers["content-disposition"] == 'inline; filename="asset.png"'
    # A search shows it, as far as the profile is shown (FRD-1).
    cleo = await sign_up(world, "cleo")
    for visible, pictures_ in (("everyone", [asset]), ("friends", [""]), ("nobody", [""])):
        await ada.ask("editProfile", {"visibleTo": visible})
        found = (await cleo.ask("findUsers", {"prefix": "ad"}))["users"]
        assert [user.get("picture", "") for user in found] == pictures_


async def test_an_upload_goes_on_over_cuts_and_after_a_kill(start):
    server = start(accounts__open="false", **FAST)
    ada = await sign_up(server, "ada")
    token, data = ada.welcome["token"], large_png(500_000)
    state = await send(ada, await begin(ada, data), data, chunks=3)
    offset = int(state["offset"])
    assert offset == 3 * state["chunkBytes"]
    await ada.drop()
    ada = await Client.connect(server, token=token)
    again = await begin(ada, data)
    assert int(again["offset"]) == offset and again["upload"] == state["upload"]
    await send(ada, again, data, chunks=2)
    server.kill()
    server = start(accounts__open="false", **FAST)
    ada = await Client.connect(server, token=token)
    again = await begin(ada, data)
    assert int(again["offset"]) == 5 * state["chunkBytes"]
    asset = (await send(ada, again, data))["asset"]
    # The answer to the last chunk may be lost: the same again gives the same.
    assert (await begin(ada, data))["asset"] == asset
    status, _, body = await get(server, await address(ada, asset))
    assert status == 200 and body == png_without_texts(data)
    assert len(files(server)) == 1 and not list((server.folder / "assets" / "uploads").iterdir())


def png_without_texts(data):
    """A picture of `large_png` as it is stored."""
    text = data.index(b"tEXt") - 4
    length = int.from_bytes(data[text : text + 4], "big")
    return data[:text] + data[text + 12 + length :]


async def test_a_chunk_in_a_wrong_place_changes_nothing(world):
    ada = await sign_up(world, "ada")
    data = large_png(200_000)
    state = await send(ada, await begin(ada, data), data, chunks=2)

    async def chunk_at(offset, bytes):
        body = {"upload": state["upload"], "offset": str(offset), "data": base64.b64encode(bytes).decode()}
        return await ada.ask("uploadChunk", body)

    for offset in (0, state["chunkBytes"], 5 * state["chunkBytes"], 2**63):
        assert (await chunk_at(offset, b"x" * state["chunkBytes"]))["offset"] == state["offset"]
    offset = int(state["offset"])
    for wrong in (b"", b"x", b"x" * (state["chunkBytes"] + 1)):
        assert (await refused("invalid_field", chunk_at(offset, wrong))).details["field"] == "data"
    assert (await send(ada, state, data))["asset"]
    await refused("not_found", chunk_at(offset, b"x"))
    body = {"upload": "0000000000000", "data": ""}
    await refused("not_found", ada.ask("uploadChunk", body))


@pytest.mark.seconds(300)
async def test_what_is_no_sound_picture_is_refused_and_forgotten(world):
    # A gigabyte of zeros in 1 MB: the header promises four rows.
    packer = zlib.compressobj(9)
    bomb = b"".join([packer.compress(bytes(1 << 20)) for _ in range(1024)] + [packer.flush()])
    for number, (data, code, field) in enumerate([
        (b"<html><script>alert(1)</script></html>", "invalid_field", "type"),
        (b"MZ" + bytes(500), "invalid_field", "type"),
        (pictures.MARK + b"<html><script>alert(1)</script>", "asset_corrupt", None),
        (png()[:-20], "asset_corrupt", None),
        (png(60_000, 60_000, rows=b"\0"), "too_large", None),
        (png(16_000, 2_000, rows=b"\0"), "too_large", None),
        (png(2**31 - 1, 1, rows=b"\0"), "too_large", None),
        (png(4, 4, rows=bytes(1_000_000), level=9), "asset_corrupt", None),
        (pictures.MARK + pictures.header(4, 4) + chunk(b"IDAT", bomb) + chunk(b"IEND"), "asset_corrupt", None),
        (pictures.MARK + b"\xff\xff\xff\xffIHDR", "asset_corrupt", None),
        (b"\xff\xd8\xff\xe0\xff\xff", "asset_corrupt", None),
        (b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03" + bytes(20), "too_large", None),
        (jpeg()[:300], "asset_corrupt", None),
    ]):  # fmt: skip
        if number % 5 == 0:  # ten that fail in an hour are the bound of an account
            ada = await sign_up(world, f"ada{number}")
        refusal = await refused(code, upload(ada, data))
        assert refusal.details.get("field") == field
        assert int((await begin(ada, data)).get("offset", 0)) == 0  # nothing of it is left
        await refused(code, upload(ada, data))
    data = png()
    state = await begin(ada, data, digest=hashlib.sha256(b"other").digest())
    await refused("asset_corrupt", send(ada, state, data))
    assert not files(world)
    assert int(float((await world.figures())['cairn_assets_refused_total{code="asset_corrupt"}'])) > 10


async def test_uploads_that_fail_are_counted_and_keep_nobody_else_out(world):
    """What they have cost counts in no other quota."""
    ada, bob = await sign_up(world, "ada"), await sign_up(world, "bob")
    kept = await upload(ada, png(seed=1))
    half = large_png(100_000)
    state = await send(ada, await begin(ada, half), half, chunks=1)

    async def fail(client, count, first=0):
        for number in range(first, first + count):
            await refused("asset_corrupt", upload(client, png()[:-20] + bytes([number])))

    await fail(ada, 10)
    refusal = await refused("too_many_attempts", begin(ada, png(seed=2)))
    assert refusal.retry_after > 3_000_000, refusal
    # One that was begun before is not examined; what there is is answered.
    await refused("too_many_attempts", send(ada, state, half))
    assert (await begin(ada, png(seed=1)))["asset"] == kept
    assert await upload(bob, png(seed=2))
    figures = await world.figures()
    assert figures["cairn_assets_failed_total"] == 10 and figures["cairn_assets_uploads"] == 1
    assert figures['cairn_assets_refused_total{code="too_many_attempts"}'] == 2
    # Of an address ten times as many, whoever they are.
    for number in range(9):
        await fail(await sign_up(world, f"eve{number}"), 10)
    await refused("too_many_attempts", begin(bob, png(seed=3)))


async def test_bounds_of_an_account_are_kept(start):
    server = start(
        accounts__open="false", assets__bytesMax=100_000, assets__pictureBytesMax=50_000, assets__perAccountMax=3,
        assets__uploadsPerAccountMax=2, **FAST,
    )  # fmt: skip
    ada = await sign_up(server, "ada")
    limits = ada.welcome["limits"]
    assert (int(limits["assetBytes"]), int(limits["pictureBytes"])) == (100_000, 50_000)
    assert (await refused("too_large", begin(ada, b"", digest=bytes(32), length=100_001))).details["limit"] == "100000"
    await refused("too_large", begin(ada, b"", digest=bytes(32), length=2**63))
    for wrong in [dict(digest=bytes(31), length=5), dict(digest=bytes(32), length=0)]:
        await refused("invalid_field", begin(ada, b"", **wrong))
    large = await upload(ada, large_png(60_000))
    assert (await refused("too_large", ada.ask("editProfile", {"picture": large}))).details["field"] == "picture"
    await begin(ada, png(seed=1))
    await begin(ada, png(seed=2))
    refusal = await refused("limit_reached", begin(ada, png(seed=3)))
    assert refusal.details == {"limit": "3", "unit": "assets"}
    await refused("not_signed_in", begin(await guest(server), png()))
    assert (await begin(await sign_up(server, "bob"), png(seed=1)))["upload"]


async def test_uploads_stop_no_other_request_and_keep_within_the_limit(start):
    server = start(accounts__open="false", **MANY)
    ada = await sign_up(server, "ada")
    data = large_png(700_000)
    sending = asyncio.create_task(send(ada, await begin(ada, data), data))
    asked = 0
    while not sending.done():
        await ada.ask("getSettings")
        asked += 1
        await asyncio.wait([sending], timeout=0.2)
    assert (await sending)["asset"]  # never rate_limited
    assert asked > 10, "requests wait for the upload"


async def test_uploads_of_all_share_one_pace_that_nothing_else_waits_for(start):
    server = start(accounts__open="false", assets__uploadMegabytesPerSecond=1, **FAST)
    people = [await sign_up(server, name) for name in ("ada", "bob")]
    pictures_of_them = [large_png(1_000_000, seed=seed) for seed in (1, 2)]
    clock = asyncio.get_running_loop().time
    begun, asked = clock(), 0
    sending = asyncio.gather(*(upload(one, data) for one, data in zip(people, pictures_of_them)))
    while not sending.done():
        await people[0].ask("getSettings")
        asked += 1
        await asyncio.wait([sending], timeout=0.05)
    await sending
    # 1.9 MiB, less the quarter of a second that is free.
    assert clock() - begun > 1.4
    assert asked > 5, "requests wait for the pace"


# MARK: - What is stripped


async def test_what_tells_of_a_place_or_a_person_is_stripped_and_the_picture_turned(world):
    ada = await sign_up(world, "ada")
    secret = b"48.8584 N 2.2945 E, Ada Lovelace"
    told = [
        exif(6, secret), pictures.segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + secret),
        pictures.segment(0xED, b"Photoshop 3.0\0" + secret), pictures.segment(0xFE, secret),
    ]  # fmt: skip
    asset = await upload(ada, jpeg(*told) + secret)
    _, headers, body = await get(world, await address(ada, asset))
    assert headers["content-type"] == "image/jpeg" and pictures.size_of_jpeg(body) == (32, 48)
    assert secret not in body and b"Exif" not in body and b"adobe" not in body
    # As EXIF says what the first row and column of the stored picture are on the screen.
    for orientation, seen in enumerate(("rgbw", "grwb", "wbgr", "bwrg", "rbgw", "brwg", "wgbr", "gwrb"), 1):
        asset = await upload(ada, jpeg(exif(orientation)))
        assert pictures.corners((await get(world, await address(ada, asset)))[2]) == seen, orientation
    texts = chunk(b"tEXt", b"Author\0" + secret) + chunk(b"eXIf", secret) + chunk(b"iTXt", secret)
    asset = await upload(ada, png(before=texts))
    assert (await get(world, await address(ada, asset)))[2] == png()


# MARK: - Downloading


async def test_parts_and_tags_are_served(world):
    ada = await sign_up(world, "ada")
    data = png(300, 200)
    path = await address(ada, await upload(ada, data))
    status, headers, body = await get(world, path, Range="bytes=65530-65545")
    assert status == 206 and body == data[65530:65546]
    assert headers["content-range"] == f"bytes 65530-65545/{len(data)}"
    status, _, body = await get(world, path, Range="bytes=-100", If_Range=headers["etag"])
    assert status == 206 and body == data[-100:]
    assert (await get(world, path, Range=f"bytes={len(data)}-"))[0] == 416
    status, again, body = await get(world, path, If_None_Match=headers["etag"])
    assert status == 304 and body == b"" and again["etag"] == headers["etag"]
    status, headers, body = await get(world, path, method="HEAD")
    assert status == 200 and int(headers["content-length"]) == len(data) and body == b""
    assert (await get(world, path, method="POST"))[0] == 405


async def test_the_right_is_asked_again_at_each_download(start):
    server = start(accounts__open="false", **FAST)
    ada, bob, eve = [await sign_up(server, name) for name in ("ada", "bob", "eve")]
    asset = await show(ada, png())
    account = ada.welcome["account"]
    path = await address(bob, asset, account)
    assert (await get(server, path))[0] == 200
    await ada.ask("editProfile", {"visibleTo": "nobody"})
    status, headers, body = await get(server, path)
    assert status == 404 and "etag" not in headers
    await refused("not_found", address(bob, asset, account))
    assert (await get(server, await address(ada, asset, account)))[0] == 200
    await ada.ask("editProfile", {"visibleTo": "everyone"})
    assert (await get(server, path))[0] == 200
    # The picture of a profile and no other asset, there and nowhere else.
    other = await upload(ada, png(seed=1))
    for wrong in [(other, account), (asset, ""), (asset, eve.welcome["account"]), ("0000000000000", account), ("", "")]:
        await refused("not_found", address(bob, *wrong))
    await refused("not_found", bob.ask("editProfile", {"picture": asset}))
    # An address of another asset, and made by nobody.
    for forged in (path[:-1] + ("A" if path[-1] != "A" else "B"), path[:40], "/v1/assets/" + "A" * 83, path + "x"):
        assert (await get(server, forged))[0] == 404
    await ada.ask("editProfile", {"picture": ""})
    assert (await get(server, path))[0] == 404
    assert "picture" not in await ada.ask("getProfile")


async def test_an_address_ends_with_the_sign_in_that_asked_for_it_and_with_its_time(start):
    server = start(accounts__open="false", assets__addressSeconds=10, **FAST)
    ada = await sign_up(server, "ada")
    path = await address(ada, await upload(ada, png()))
    told = await ada.ask("getAsset", {"asset": (await begin(ada, png()))["asset"]})
    assert abs(int(told["expires"]) - int(ada.welcome["serverTime"])) < 60_000
    assert (await get(server, path))[0] == 200
    await ada.ask("signOut")
    assert (await get(server, path))[0] == 404

    bob = await sign_up(server, "bob")
    path = await address(bob, await upload(bob, png()))
    server.kill()
    server = start(accounts__open="false", assets__addressSeconds=10, **FAST)
    assert (await get(server, path))[0] == 200  # it outlasts a restart

    async def is_over():
        return (await get(server, path))[0] == 404

    await eventually(is_over, "the end of the address")


async def test_an_upload_begins_anew_when_its_chunks_no_longer_fit_into_a_message(start):
    server = start(accounts__open="false", **FAST)
    ada = await sign_up(server, "ada")
    data = large_png(200_000)
    old = await send(ada, await begin(ada, data), data, chunks=2)
    server.kill()
    server = start(accounts__open="false", connections__messageBytesMax=16_384, **FAST)
    ada = await Client.connect(server, token=ada.welcome["token"])
    new = await begin(ada, data)
    assert new["chunkBytes"] < old["chunkBytes"] and int(new.get("offset", 0)) == 0
    assert (await send(ada, new, data))["asset"]
