"""People near each other send their positions at the same moments, because the server asks them to (SES-8).

By the clock of the test, which sends the positions as well: it needs no more than some milliseconds of precision.
That nobody is asked for more than half of the time between two positions is shown where that time is exact
(PosePhaseTests): what the server measures of a test that a busy machine holds up is not the test's period.
"""

import asyncio
import itertools
import time

from cairn import Client, eventually

SPOT = (45.5017, -73.5673)
PERIOD = 0.1
# What asyncio on a busy machine may be late by, twice.
NEAR = 0.02


class Walker:
    """Walks and sends a position every tenth of a second, first at `offset` of it."""

    def __init__(self, client, offset):
        self.client = client
        self.shifts = []
        start = time.monotonic()
        self.due = start - start % PERIOD + PERIOD + offset
        client.witness = self.hear
        self.task = asyncio.create_task(self.walk())

    def hear(self, item):
        if "shiftPositions" in item:
            self.shifts.append(item["shiftPositions"]["milliseconds"] / 1000)
            self.due += self.shifts[-1]

    async def walk(self):
        for number in itertools.count():
            while (pause := self.due - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            await self.client.send({"position": {"lat": SPOT[0] + number % 7 * 1e-6, "lon": SPOT[1], "accuracy": 3}})
            self.due += PERIOD

    async def stop(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def people(server, *names, **hello):
    clients = [await Client.connect(server, name, sharePosition=True, shareAccuracy=0, **hello) for name in names]
    for client in clients:
        await client.stand_at(*SPOT)
    return clients


def apart(one, other):
    """How far the moments of two walkers are from each other."""
    difference = abs(one.due - other.due) % PERIOD
    return min(difference, PERIOD - difference)


async def test_people_who_can_shift_their_positions_send_them_together(start):
    server = start()
    walkers = [
        Walker(client, number * PERIOD / 3)
        for number, client in enumerate(await people(server, "Ada", "Ben", "Cleo", shiftsPositions=True))
    ]
    assert min(apart(a, b) for a, b in itertools.combinations(walkers, 2)) > NEAR

    async def are_together():
        return max(apart(a, b) for a, b in itertools.combinations(walkers, 2)) < NEAR

    await eventually(are_together, lambda: f"the same moments: {[walker.shifts for walker in walkers]}")
    for walker in walkers:
        await walker.stop()
    await server.until_figure("cairn_positions_shifted_total", sum(len(walker.shifts) for walker in walkers))


async def test_a_client_that_cannot_shift_its_positions_is_not_asked_to(start):
    server = start()
    clients = await people(server, "Dan", "Eve")
    clients += await people(server, "Fay", "Gil", shiftsPositions=True)
    walkers = [Walker(client, number % 2 * PERIOD / 2) for number, client in enumerate(clients)]

    async def have_walked():
        return (await server.figures()).get("cairn_poses_on_time_total", 0) > 30

    await eventually(have_walked, "poses on time")
    for walker in walkers:
        await walker.stop()
    # The server's moment is not at the beginning of a period and in its middle: one of two has to shift.
    assert walkers[2].shifts or walkers[3].shifts
    assert not walkers[0].shifts and not walkers[1].shifts
