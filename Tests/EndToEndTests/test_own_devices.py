"""Only the devices of a person, and all of them, know the person's own instances (design.md)."""

from cairn import Client, away, pose
from test_live_space import border_walk


def owned(client):
    """Id and creation of all instances that the server has named to the client as its own."""
    return {name: created for topic in client.own.values() for name, created in topic.items()}


async def test_another_device_of_the_placer_is_told_at_once_that_a_thing_is_its_own(start, spot):
    server = start(listen__loops=4)
    ada = await Client.connect(server, "Ada")
    device = await Client.connect(server, token=ada.welcome["token"])
    bob = await Client.connect(server, "Bob")
    for client in (ada, device, bob):
        await client.view(await client.stand_at(*spot))
    assert not owned(device)
    thing = (await ada.ask("place", {"object": "preset:heart", "pose": pose(*spot)}))["instance"]
    await device.until(lambda: thing["id"] in owned(device), "the own thing")
    assert owned(device)[thing["id"]] == int(thing["created"])
    await bob.until(lambda: bob.sees(thing), "the thing")
    await bob.select(thing)  # all earlier messages have arrived by now
    assert not owned(bob) and not [item for item in bob.items if "own" in item]


async def test_own_thing_that_another_device_moves_into_a_cell_is_own_there_too(start):
    (lat, lon), _ = border_walk()
    server = start(listen__loops=4)
    ada = await Client.connect(server, "Ada")
    device = await Client.connect(server, token=ada.welcome["token"])
    for client in (ada, device):
        await client.stand_at(lat, lon)
    thing = await ada.place(pose(*away(lat, lon, east=-10)))
    moved = await ada.edit(thing, pose(*away(lat, lon, east=10)))
    assert moved["cell"] != thing["cell"]
    await device.until(lambda: moved["id"] in device.own.get(moved["cell"], {}), "the own thing in its new cell")


async def test_device_that_was_cut_learns_of_what_another_has_placed_meanwhile(start, spot):
    server = start()
    ada = await Client.connect(server, "Ada")
    device = await Client.connect(server, token=ada.welcome["token"])
    for client in (ada, device):
        await client.view(await client.stand_at(*spot))
    await device.drop()
    thing = await ada.place(pose(*spot))
    back = await Client.connect(server, hello=False)
    back.topics = device.topics
    cursors = [topic.cursor for topic in device.topics.values()]
    hello = {"version": 1, "frontEnd": "bot", "token": ada.welcome["token"], "cursors": cursors}
    await back.ask("hello", hello)
    await back.stand_at(*spot)
    await back.until(lambda: thing["id"] in owned(back), "the own thing")
    # It has no state of cells that had not answered when it was cut.
    held = {cursor["topic"] for cursor in cursors}
    again = [item for item in back.items if "snapshot" in item and item["snapshot"]["cursor"]["topic"] in held]
    assert held and not again, "it got what it missed, not everything again"
