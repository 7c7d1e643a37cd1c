"""Clients that jump, or bring too many cells into view, see little of the world. Default settings."""

import asyncio

from cairn import Client, away
from server import ANYWHERE

SHIPPED = dict.fromkeys(ANYWHERE)
BURST, A_SECOND = 200, 20


def cells_heard(client):
    """All cells of which the client has ever received a snapshot, including those that it no longer follows."""
    return {item["snapshot"]["cursor"]["topic"] for item in client.items if "snapshot" in item}


async def test_one_account_sees_its_budget_of_new_cells_and_no_more(start, spot):
    server = start(**SHIPPED | {"travel__speedMetresPerSecond": 0})
    clock = asyncio.get_running_loop().time
    began = clock()
    ada = await Client.connect(server, "Ada")
    devices = [ada, *[await Client.connect(server, token=ada.welcome["token"]) for _ in range(3)]]
    for step in range(20):
        for number, one in enumerate(devices):
            await one.stand_at(*away(*spot, north=2_000.0 * step, east=5_000.0 * number))
    heard = set().union(*(cells_heard(one) for one in devices))
    held_back = (await server.figures())["cairn_travel_held_back_total"]
    assert BURST / 2 <= len(heard) <= BURST + A_SECOND * (clock() - began), len(heard)
    assert held_back > 0 and held_back + len(heard) > 2 * BURST, "operators see who looks at too much"
    # Only this client is affected, and its place finally comes into view without a further position.
    eve = await Client.connect(server, "Eve")
    cell = await eve.stand_at(*spot)
    await eve.until(lambda: eve.holds(cell), "what is where Eve is")
    cell = await ada.stand_at(*away(*spot, east=400.0))
    await ada.until(lambda: ada.holds(cell), "what is where Ada is")


async def test_who_jumps_sees_nothing_new_for_ten_seconds_whoever_connects_anew(start, spot):
    server = start(**SHIPPED)
    clock = asyncio.get_running_loop().time
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    await ada.until(lambda: ada.holds(cell), "the first place, which is no jump")
    cell = await ada.stand_at(*away(*spot, north=10_000.0))
    await ada.until(lambda: ada.holds(cell), "its correction, for a first fix that was far off")
    before, jumped = cells_heard(ada), clock()
    far = away(*spot, north=20_000.0)
    cell = await ada.stand_at(*far)
    again = await Client.connect(server, token=ada.welcome["token"])
    assert await again.stand_at(*far) == cell
    await ada.until(lambda: ada.holds(cell), "the place that she jumped to")
    assert clock() - jumped > 9.5
    await again.until(lambda: again.holds(cell), "the same, on her other device")
    assert before.isdisjoint(cells_heard(again))
