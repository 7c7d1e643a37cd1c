"""Stolen files reveal no name, text, token or place without the key (DAT-7, DAT-8).

The tests search database, write-ahead log, its index and backups, byte by byte: while the server runs, after kill -9,
and after an orderly end. docs/decisions/0005-encryption-at-rest.md lists the data in the clear.
"""

import asyncio
import base64
import struct

from cairn import Client, away, pose
from server import run

NAME = "Ingeborg-Probe.7"
OBJECT = "preset:balloon"
NOTE = b"meet me behind the third poplar, bring the lantern"
ANCHOR = "anchor-of-the-probe-4711"
KEY = "idempotency-key-of-the-probe"


def forms(text):
    """The forms of a text in a file."""
    data = text if isinstance(text, bytes) else text.encode()
    yield from (data, data.lower(), data.upper(), data[::-1])
    yield from (data.hex().encode(), data.hex().upper().encode())
    # Base64 of a text inside a longer one begins at one of three offsets.
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + data)
        yield encoded[4:-4]
    yield data.decode().encode("utf-16-le")


def coordinate_forms(degrees):
    """A coordinate as number or text; shorter forms would occur by chance in sealed bytes."""
    yield struct.pack("<d", degrees)
    yield struct.pack(">d", degrees)
    yield f"{degrees:.5f}".encode()
    yield struct.pack("<q", round(degrees * 10**7))
    yield struct.pack(">q", round(degrees * 10**7))


def find(folder, secrets):
    """The secrets found in each file."""
    found = []
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".sock"]
    assert any(path.suffix == ".sqlite" for path in files), files
    for path in files:
        content = path.read_bytes()
        found += [f"{path.name}: {what}" for what, needles in secrets.items() if any(n in content for n in needles)]
    return found, {path.name: path.stat().st_size for path in files}


async def test_no_file_holds_a_name_a_text_a_token_or_a_place(start, tmp_path, spot):
    server = start()
    probe = await Client.connect(server, NAME)
    cell = await probe.stand_at(*spot)
    at = away(*spot, north=7.123, east=3.456)
    anchor = {"provider": "probe-provider", "id": ANCHOR, "data": base64.b64encode(NOTE).decode()}
    key = f"{KEY}-1"
    thing = await probe.place(pose(*at, 31.4159265, anchor=anchor), OBJECT, key=key)
    thing = await probe.edit(thing, pose(*at, 27.1828182, anchor=anchor))
    await probe.react(thing, "wow")
    name_of_the_cell = struct.pack(">Q", int(cell.ljust(16, "0"), 16))
    secrets = {
        "name": forms(NAME), "note": forms(NOTE), "anchor": forms(ANCHOR), "object": forms(OBJECT),
        "provider": forms("probe-provider"), "key": forms(KEY), "token": forms(probe.welcome["token"]),
        "cell": [*forms(cell), name_of_the_cell, name_of_the_cell[::-1]],
        "height": coordinate_forms(31.4159265), "second height": coordinate_forms(27.1828182),
        "latitude": coordinate_forms(at[0]), "longitude": coordinate_forms(at[1]),
        "own latitude": coordinate_forms(spot[0]), "own longitude": coordinate_forms(spot[1]),
    }  # fmt: skip
    secrets = {what: list(needles) for what, needles in secrets.items()}

    # The search works: it finds all secrets in the messages of the client.
    told = str(probe.items).encode()
    assert all(any(n in told for n in secrets[what]) for what in ("name", "anchor", "object", "token", "cell"))

    found, sizes = find(server.folder, secrets)
    assert found == [] and sizes["cairn.sqlite-wal"] > 0, (found, sizes)
    keys = f"storage.keyFile={server.folder}.key"
    backup = await asyncio.to_thread(run, "backup", "--data", server.folder, "--set", keys)
    assert backup.returncode == 0, backup.stderr
    found, sizes = find(server.folder, secrets)
    assert found == [] and any("backup" in str(path) for path in server.folder.rglob("*")), (found, sizes)
    server.kill()
    found, sizes = find(server.folder, secrets)
    assert found == [], sizes
    server = start()
    assert await asyncio.to_thread(server.stop) == 0
    assert find(server.folder, secrets)[0] == []


async def test_wrong_and_missing_keys_are_refused_in_plain_words_and_touch_nothing(start, tmp_path, spot):
    server = start()
    probe = await Client.connect(server, NAME)
    await probe.stand_at(*spot)
    await probe.place(pose(*spot))
    assert await asyncio.to_thread(server.stop) == 0
    before = (server.folder / "cairn.sqlite").read_bytes()
    wrong = tmp_path / "wrong.key"
    wrong.write_text(f"cairn-key-1 {base64.b64encode(bytes(range(32))).decode()}\n")
    wrong.chmod(0o600)
    for path, words in ((wrong, "key"), (tmp_path / "none.key", "no such file")):
        ended = await asyncio.to_thread(
            run, "serve", "--port", "0", "--data", server.folder, "--set", f"storage.keyFile={path}"
        )
        assert ended.returncode == 1, ended
        assert len(ended.stderr.strip().splitlines()) == 1 and words in ended.stderr, ended.stderr
        assert (server.folder / "cairn.sqlite").read_bytes() == before
        assert (server.folder / "cairn.sqlite-wal").stat().st_size == 0
