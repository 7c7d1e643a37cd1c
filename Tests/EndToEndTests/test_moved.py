"""An instance that moved to another cell is found through the old one, even when that cell no longer remembers it
(PLC-10)."""

from cairn import Client, away, pose
from test_live_space import border_walk, refused


async def test_an_instance_that_moved_before_a_restart_is_not_taken_for_removed_by_its_old_cell(start):
    (lat, lon), _ = border_walk()
    server = start()
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(lat, lon)
    placed = await ada.place(pose(*away(lat, lon, east=-10)))
    moved = await ada.edit(placed, pose(*away(lat, lon, east=10)))
    server.stop()
    server = start()
    # The old cell no longer remembers the move: only the disk has the new cell.
    ada, eve = await Client.connect(server, "Ada"), await Client.connect(server, "Eve")
    for client in (ada, eve):
        await client.stand_at(lat, lon)
    refusal = await refused("not_found", ada.remove(placed))
    assert refusal.details["cell"] == moved["cell"]
    assert (await ada.select(moved))["instance"] == moved
    # Only the owner learns the new cell.
    await eve.remove(placed)
    assert (await ada.select(moved))["instance"] == moved
    await ada.remove(moved)
    await ada.remove(placed)
    await ada.remove(moved)
