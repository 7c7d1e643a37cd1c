"""Downloads by operators over HTTP: backups whole and in parts, feedback as lines (DAT-5, STA-6; decision 0022).

    CAIRN_DOWNLOAD_SECONDS=20 CAIRN_DOWNLOADS=8 pytest Tests/EndToEndTests/test_downloads.py -k events -s     long run
"""

import asyncio
import contextlib
import gzip
import hashlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from cairn import PATIENCE, Client, pose
from operators import Desk, credential_of
from paces import HELD_UP
from server import get
from swarm import pause, percentile
from test_tls import make_certificate

SECONDS = float(os.environ.get("CAIRN_DOWNLOAD_SECONDS", "2"))
DOWNLOADS = int(os.environ.get("CAIRN_DOWNLOADS", "4"))
IS_LONG = SECONDS >= 20
BYTES_PER_SECOND = 5_000_000  # of all downloads together, at least
BACKUPS = "/v1/operator/backups"
FEEDBACK = "/v1/operator/feedback.jsonl"
#: Downloads as fast as the machine can.
UNBOUND = {"pages__bytesPerSecondPerAddress": 1_000_000_000, "pages__bytesPerSecond": 10_000_000_000}
COLLECTOR = "collector-collector-collector"


def ask(server, path, *, credential=None, method="GET", context=None, **headers):
    """One request with a connection of its own; returns status, headers and bytes."""
    kind = http.client.HTTPSConnection if context else http.client.HTTPConnection
    more = {"context": context} if context else {}
    connection = kind(server.host, server.port, timeout=PATIENCE, **more)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    sent["Authorization"] = f"Bearer {credential or credential_of(server)}"
    connection.request(method, path, headers=sent)
    answer = connection.getresponse()
    with contextlib.closing(connection):
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


async def fetch(server, path, **how):
    return await asyncio.to_thread(lambda: ask(server, path, **how))


async def back_up(server):
    """Has the server write a backup; returns its file."""
    async with await Desk.open(server) as desk:
        await desk.ask("backup")
    return max((server.folder / "backups").glob("cairn-*.sqlite"))


def make_large(file, megabytes):
    """Gives a backup a size. Only its bytes matter here."""
    with open(file, "wb") as out:
        for number in range(megabytes):
            out.write(hashlib.sha512(f"{number}".encode()).digest() * 16_384)
    return file


# MARK: - Backups


async def test_a_backup_arrives_as_it_is(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))
    file = await back_up(server)
    status, headers, body = await fetch(server, BACKUPS)
    assert status == 200 and headers["content-type"] == "application/json"
    (told,) = json.loads(body)["backups"]
    assert told["name"] == file.name and told["bytes"] == file.stat().st_size and told["sound"] is True
    status, headers, body = await fetch(server, f"{BACKUPS}/{file.name}")
    assert status == 200 and headers["accept-ranges"] == "bytes"
    assert hashlib.sha256(body).digest() == hashlib.sha256(file.read_bytes()).digest()
    assert file.name in headers["content-disposition"]
    again, kept, body = await fetch(server, f"{BACKUPS}/{file.name}", If_None_Match=headers["etag"])
    assert again == 304 and body == b"" and kept["etag"] == headers["etag"]
    status, kept, body = await fetch(server, f"{BACKUPS}/{file.name}", method="HEAD")
    assert status == 200 and int(kept["content-length"]) == file.stat().st_size and body == b""
    server.logged("an operator downloads a backup")


async def test_a_download_that_broke_off_goes_on(start):
    server = start(**UNBOUND)
    file = make_large(await back_up(server), 6)
    path, size = f"{BACKUPS}/{file.name}", file.stat().st_size
    connection = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Authorization": f"Bearer {credential_of(server)}"})
    answer = connection.getresponse()
    first = answer.read(1_000_000)
    connection.close()
    tag = answer.getheader("ETag")
    status, headers, rest = await fetch(server, path, Range=f"bytes={len(first)}-", If_Range=tag)
    assert status == 206 and headers["content-range"] == f"bytes {len(first)}-{size - 1}/{size}"
    assert first + rest == file.read_bytes()
    status, headers, _ = await fetch(server, path, Range=f"bytes={size}-")
    assert status == 416 and headers["content-range"] == f"bytes */{size}"
    # A file of another state is sent whole, so that nobody puts two halves of two files together.
    make_large(file, 5)
    status, _, body = await fetch(server, path, Range=f"bytes={len(first)}-", If_Range=tag)
    assert status == 200 and body == file.read_bytes()
    await server.until_figure('cairn_http_bulk_ended_total{outcome="cut_off"}', 1)
    await server.until_figure("cairn_http_bulk_answers", 0)


async def test_no_name_leads_elsewhere(start):
    server = start()
    file = await back_up(server)
    stolen = server.folder / "secret.txt"
    stolen.write_text("kept from everybody who downloads")
    (file.parent / "cairn-20200101T000000.000Z.sqlite").symlink_to(stolen)
    (file.parent / "other.sqlite").write_text("another file of the folder")
    (file.parent / "cairn-20200101T000000.001Z.sqlite").mkdir()
    names = [
        "cairn-20200101T000000.000Z.sqlite", "cairn-20200101T000000.001Z.sqlite", "other.sqlite",
        "../secret.txt", "..%2fsecret.txt", "%2e%2e%2fsecret.txt", ".", "%00",
        f"{file.name}%00", f"{file.name}/", f"./{file.name}/../../secret.txt", file.name.upper(), "*",
    ]  # fmt: skip
    for name in names:
        try:
            status, _, body = await fetch(server, f"{BACKUPS}/{name}")
        except http.client.RemoteDisconnected:
            continue  # libwebsockets' own parser takes no such path, and says so by hanging up (L35)
        assert status in (400, 403, 404), (name, status)
        assert stolen.read_bytes().strip() not in body
    # Dots are taken out of a path before it is looked up: these are the two pages above.
    assert (await fetch(server, f"{BACKUPS}/.."))[::2] == (204, b"")
    assert (await fetch(server, f"{BACKUPS}/{file.name}%2f.."))[2] == (await fetch(server, BACKUPS))[2]
    told = json.loads((await fetch(server, BACKUPS))[2])["backups"]
    assert [one["name"] for one in told] == [file.name]


async def test_nobody_but_admins_gets_any(start):
    server = start(stats__metricsCredential=COLLECTOR)
    file = await back_up(server)
    for path in (BACKUPS, f"{BACKUPS}/{file.name}", FEEDBACK):
        for credential in (COLLECTOR, "guess-guess-guess-guess"):
            status, headers, body = await fetch(server, path, credential=credential)
            assert status == 403 and body == b"forbidden: credential\n"
        assert (await fetch(server, path, Origin="https://evil.example"))[0] == 403
        status, headers, _ = await fetch(server, path, method="POST")
        assert status == 405 and headers["allow"] == "GET, HEAD"


async def test_operators_with_a_listener_of_their_own_download_there_alone(start):
    server = start(stats__listener="127.0.0.1:0")
    await back_up(server)
    status, _, body = await fetch(server, BACKUPS)
    assert status == 403 and body == b"forbidden: listener\n"


async def test_over_tls_it_is_the_same(start, tmp_path):
    import ssl

    certificate = make_certificate(tmp_path)
    context = ssl.create_default_context(cafile=certificate["listen__tlsCertificate"])
    server = start(tls=context, **certificate, **UNBOUND)
    file = make_large(await back_up(server), 8)
    many = [fetch(server, f"{BACKUPS}/{file.name}", context=context) for _ in range(3)]
    for status, headers, body in await asyncio.gather(*many):
        assert status == 200 and body == file.read_bytes() and "strict-transport-security" in headers


# MARK: - Feedback


async def test_feedback_is_exported_page_by_page(start):
    server = start(feedback__perHour=1_000_000, connections__messagesPerSecond=1_000, connections__messagesBurst=10_000)
    ada = await Client.connect(server, "Ada")
    count = 230
    ids = []
    for number in range(count):
        said = {"category": "bug", "text": f"number {number} \u00e9 \"quoted\"\n" + "long " * 100, "rating": 3}
        ids.append((await ada.ask("sendFeedback", said))["feedback"])
    status, headers, body = await fetch(server, FEEDBACK)
    assert status == 200 and headers["transfer-encoding"] == "chunked"
    lines = [json.loads(line) for line in body.decode().splitlines()]
    assert [line["id"] for line in lines] == ids[::-1]
    assert lines[0]["text"].startswith(f"number {count - 1} \u00e9 \"quoted\"\n") and lines[0]["rating"] == 3
    status, headers, packed = await fetch(server, FEEDBACK, Accept_Encoding="br, gzip")
    assert headers["content-encoding"] == "gzip" and headers["vary"] == "Accept-Encoding"
    assert len(packed) < len(body) / 4 and gzip.decompress(packed) == body


async def test_feedback_of_nobody_is_no_line(server):
    assert (await fetch(server, FEEDBACK))[2] == b""


# MARK: - What downloads cost others


async def test_a_download_goes_at_the_pace_of_its_budget_and_leaves_room_for_pages(start):
    rate = 1_000_000
    server = start(pages__bytesPerSecondPerAddress=rate)
    file = make_large(await back_up(server), 5)
    began = time.monotonic()
    download = asyncio.create_task(fetch(server, f"{BACKUPS}/{file.name}"))
    pages = 0
    while not download.done():
        status, _, _ = await get(server.http + "/readyz?verbose")
        assert status == 200
        status, _, _ = await get(server.http + "/metrics")
        assert status == 200
        pages += 1
        await asyncio.wait([download], timeout=0.5)
    status, _, body = download.result()
    seconds = time.monotonic() - began
    assert status == 200 and body == file.read_bytes() and pages > 1
    # Half of what the budget holds, two seconds of its rate, goes at once.
    assert seconds > len(body) / rate - 2.5, f"{len(body)} bytes in {seconds} s"


@contextlib.contextmanager
def downloading(server, path, count):
    """Processes that download a file over and over, stopped until they are told to go: `tell(signal.SIGCONT)`."""
    script = f"""
import http.client
while True:
    connection = http.client.HTTPConnection({server.host!r}, {server.port})
    connection.request("GET", {path!r}, headers={{"Authorization": "Bearer {credential_of(server)}"}})
    answer = connection.getresponse()
    while answer.read(1 << 20): pass
    connection.close()
"""
    # Readers take processors, too. The server's are what is tried here, so it comes before them.
    command = ["nice", "-n", "19", sys.executable, "-c", script]
    processes = [subprocess.Popen(command, stderr=subprocess.DEVNULL) for _ in range(count)]

    def tell(which):
        for process in processes:
            process.send_signal(which)

    tell(signal.SIGSTOP)
    try:
        yield tell
    finally:
        for process in processes:
            process.kill()
            process.wait()


async def delays_of_events(ada, bob, instance, seconds, rate=300):
    """Seconds from an edit to its event at another client, for at most `rate` edits a second."""
    found, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.monotonic()
        instance = await ada.edit(instance, pose(*ada.spot, 1.0 + len(found) % 50), version=instance["version"])
        await bob.until(lambda: bob.sees(instance["id"], instance["version"]))
        found.append(time.monotonic() - began)
        await pause(began + 1 / rate - time.monotonic())
    return found, instance


@pytest.mark.alone
@pytest.mark.seconds(120)
async def test_events_do_not_wait_for_downloads(start, spot):
    more = {"placement__changesPerMinute": 1_000_000, "placement__changesPerDay": 10_000_000, "listen__loops": 1}
    server = start(
        connections__messagesPerSecond=100_000, connections__messagesBurst=100_000, **UNBOUND, **more)  # fmt: skip
    file = make_large(await back_up(server), 32)
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    ada.spot = spot
    cell = await ada.stand_at(*spot)
    await bob.stand_at(*spot)
    await bob.view(cell)
    instance = await ada.place(pose(*spot))
    _, instance = await delays_of_events(ada, bob, instance, SECONDS / 4)

    async def sent():
        return (await server.figures())["cairn_http_bulk_sent_bytes_total"]

    quiet, busy, turns = [], [], 0
    with downloading(server, f"{BACKUPS}/{file.name}", DOWNLOADS) as tell:
        # In turn, so that what else the machine does falls on both; until what goes out is a load.
        while turns < 4 or await sent() < BYTES_PER_SECOND * SECONDS:
            found, instance = await delays_of_events(ada, bob, instance, SECONDS / 4)
            quiet += found
            tell(signal.SIGCONT)
            found, instance = await delays_of_events(ada, bob, instance, SECONDS / 4)
            busy += found
            tell(signal.SIGSTOP)
            turns += 1
    megabytes = await sent() / 1e6
    words = " ".join(
        f"{name}: p50 {1e3 * percentile(these, 0.5):.1f} p99 {1e3 * percentile(these, 0.99):.1f} ms of {len(these)};"
        for name, these in (("alone", quiet), ("beside downloads", busy)))  # fmt: skip
    print(f"\n{words} {DOWNLOADS} downloads, {megabytes:.0f} MB")
    if IS_LONG:
        assert percentile(busy, 0.99) < 1.1 * percentile(quiet, 0.99), words
    else:  # too few events for the last hundredth of them
        assert percentile(busy, 0.9) < HELD_UP * percentile(quiet, 0.9), words
