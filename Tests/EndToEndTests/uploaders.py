"""Many clients that upload over links that are cut all the time; a process of its own, for `test_asset_load.py`.

    python uploaders.py URL CLIENTS MEGABYTES SECONDS_TO_A_CUT

It writes a line when it is ready, one for each asset that has arrived and is the same when it is downloaded, and ends.
"""

import asyncio
import hashlib
import random
import sys

import websockets

import pictures
from protobuf import ID, first, message, parsed

HELLO, BEGIN, CHUNK, GET = 10, 84, 85, 86
WELCOME, STATE, ADDRESS, REFUSAL = 10, 84, 86, 2


class Uploader:
    def __init__(self, url, name, data, seconds):
        self.url, self.name, self.data, self.seconds = url, name, data, seconds
        self.token = b""
        self.cuts = 0

    async def ask(self, socket, kind, fields, result):
        await socket.send(message([(ID, 1), (kind, fields)]))
        while True:
            for number, item in parsed(await socket.recv()):
                reply = first(parsed(item), 1) if number == 1 else None
                if reply is None:
                    continue
                refusal = first(parsed(reply), REFUSAL)
                if refusal is not None and first(parsed(refusal), 1) in (b"try_again", b"not_found"):
                    raise TimeoutError  # the last chunk of the connection before is being looked at, or just was
                if refusal is not None:
                    raise RuntimeError(f"{self.name}: {parsed(refusal)}")
                return parsed(first(parsed(reply), result))

    async def connected(self, work):
        """Does the work on a connection of its own, which ends after its time like a broken link."""
        socket = await websockets.connect(
            self.url, subprotocols=["cairn.v1.proto"], compression=None, ping_interval=None, open_timeout=60
        )
        try:
            who = [(5, self.token)] if self.token else [(6, self.name)]
            welcome = await self.ask(socket, HELLO, [(1, 1), (2, "bot"), *who], WELCOME)
            self.token = first(welcome, 5)
            return await asyncio.wait_for(work(socket), self.seconds)
        except (TimeoutError, websockets.ConnectionClosed):
            self.cuts += 1
            return None
        finally:
            socket.transport.abort()

    async def upload(self, socket):
        digest = hashlib.sha256(self.data).digest()
        state = await self.ask(socket, BEGIN, [(1, digest), (2, len(self.data))], STATE)
        while not (asset := first(state, 4)):
            start = first(state, 2, 0)
            part = self.data[start : start + first(state, 3)]
            state = await self.ask(socket, CHUNK, [(1, first(state, 1)), (2, start), (3, part)], STATE)
        return asset

    async def run(self):
        asset = None
        while asset is None:
            asset = await self.connected(self.upload)
        path = None
        while path is None:
            path = await self.connected(lambda socket: self.ask(socket, GET, [(1, asset)], ADDRESS))
        return first(path, 1).decode()


class Door:
    """The parts of a server that `pictures.fetch` uses."""

    def __init__(self, url):
        self.host, self.port = url.split("/")[2].split(":")


async def main(url, count, megabytes, seconds):
    height = (megabytes << 20) // 3_001
    noise = random.Random(1).randbytes(3_000 * height)
    rows = b"".join(b"\0" + noise[at : at + 3_000] for at in range(0, len(noise), 3_000))

    def picture(number):
        own = b"\0" + random.Random(number).randbytes(3_000)
        return pictures.png(1_000, height, rows=own + rows[3_001:])

    uploaders = [Uploader(url, f"uploader{number}", picture(number), seconds) for number in range(count)]
    print("ready", flush=True)

    async def run(uploader):
        path = await uploader.run()
        status, _, body = await asyncio.to_thread(lambda: pictures.fetch(Door(url), path))
        assert status == 200 and body == uploader.data, uploader.name
        print(f"{uploader.name} {uploader.cuts}", flush=True)

    await asyncio.gather(*(run(uploader) for uploader in uploaders))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])))
