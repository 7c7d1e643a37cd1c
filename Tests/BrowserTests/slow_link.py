"""A relay to a server that is as slow as a network: a rate for all connections together, and a time for the way.

    async with SlowLink.to(server, bytes_per_second=51_200, round_trip=0.15) as link:
        await page.goto(link.http + "/play")
"""

import asyncio
import contextlib

#: Bytes of a packet: what is sent of one connection before it is the turn of the next.
PACKET = 1460


class Direction:
    """One way of the link. All connections share its rate, packet by packet."""

    def __init__(self, bytes_per_second, seconds):
        self.rate, self.seconds = bytes_per_second, seconds
        self._free_at = 0.0
        self.byte_count = 0

    async def carry(self, source, target, after=0.0):
        """Carries what comes from the source, beginning after so many seconds."""
        loop = asyncio.get_running_loop()
        await self._passed(loop.time() + after)
        with contextlib.suppress(ConnectionError):
            while data := await source.read(PACKET):
                self.byte_count += len(data)
                self._free_at = max(loop.time(), self._free_at) + len(data) / self.rate
                await self._passed(self._free_at)
                loop.call_later(self.seconds, self._arrive, target, data)
        loop.call_later(self.seconds, target.close)

    @staticmethod
    async def _passed(moment):
        """Resolves at a moment of the loop's clock."""
        loop = asyncio.get_running_loop()
        has_passed = asyncio.Event()
        loop.call_at(moment, has_passed.set)
        await has_passed.wait()

    @staticmethod
    def _arrive(target, data):
        if not target.is_closing():
            target.write(data)


class SlowLink:
    """The link. `down` has the bytes that came to the client."""

    def __init__(self, server, bytes_per_second, round_trip):
        self.server, self.round_trip = server, round_trip
        self.down, self.up = (Direction(bytes_per_second, round_trip / 2) for _ in range(2))
        self.http = None

    @classmethod
    @contextlib.asynccontextmanager
    async def to(cls, server, *, bytes_per_second, round_trip):
        link = cls(server, bytes_per_second, round_trip)
        async with await asyncio.start_server(link._relay, server.host, 0) as listening:
            link.http = f"http://{server.host}:{listening.sockets[0].getsockname()[1]}"
            yield link

    async def _relay(self, reader, writer):
        # With the test ends what is under way; asyncio would print it as a fault.
        with contextlib.suppress(asyncio.CancelledError):
            there, here = await asyncio.open_connection(self.server.host, self.server.port)
            # The browser is connected at once. Over a network it would have waited for one round trip before it asks.
            await asyncio.gather(self.up.carry(reader, here, self.round_trip), self.down.carry(there, writer))
