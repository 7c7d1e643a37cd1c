"""The page in a crowd: frames, memory, and thousands of people."""

import pytest

from crowds import FRAMES, FULL, leave_things, walking
from playing import Player, browser



async def surrounded(player, things, people):
    """Waits until so many things and people are in view."""
    await player.holds(
        """([things, people]) => import('/play/js/view.js').then(view =>
            view.items().length >= things && view.people().length >= people)""", [things, people], 60)
    await player.page.wait_for_function("() => document.getElementById('realm').scene?.plane")


@pytest.mark.seconds(180)
async def test_aThousandThingsAndFiveHundredPeople_areDrawn(start):
    """Beside a busy machine frames are few, so what is asked for here is little; docs/play.md has what was measured."""
    world = start(accounts__open="true", **FULL)
    await leave_things(world, 1000)
    async with browser("--ignore-gpu-blocklist") as chromium, walking(world, 500):
        ada = await (await Player.open(chromium, world, size=(600, 300))).by_name("ada")
        await ada.ready()
        await ada.go("realm")
        await surrounded(ada, 900, 400)
        found = await ada.page.evaluate(FRAMES, 5)
        print(found)
        assert found["perSecond"] > 2
        ada.check()
