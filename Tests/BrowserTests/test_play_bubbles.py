"""How large a post is drawn (PST-2, RCT-4)."""

import pytest

from cairn import Client, eventually
from playing import PLACE, Player, browser


@pytest.mark.seconds(120)
async def test_bubbles_areSizedByScore_onTheMapAndInTheRealm(start):
    """As the server says the size: what many have voted up is larger than what nobody has, in the same place."""
    world = start(accounts__open="true")
    width = "element => element.getBoundingClientRect().width"

    async def rest(player):
        """Waits until what is new has floated."""
        await player.page.evaluate(
            "() => Promise.all(document.getAnimations().map(one => one.finished)).then(() => null)")

    async def larger(bubble, than):
        async def is_larger():
            return await bubble.evaluate(width) > than * 1.05

        await eventually(is_larger, "the bubble has not grown")

    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        # The eye of the Realm looks north: what is looked at stands there.
        south = (PLACE[0] - 0.00009, PLACE[1])
        ben = await (await Player.open(chromium, world, at=south)).by_name("ben")
        await ada.ready(), await ben.ready()
        await ada.read("app.client.createPost('Liked')")
        mark = ben.page.locator(".mark-box[aria-label*='Liked'] .mark")
        await mark.wait_for()
        await ben.go("realm")
        label = ben.page.locator(".label").filter(has_text="Liked")
        await label.wait_for()
        await rest(ben)
        before = await label.evaluate(width)
        await ben.go("map")
        await rest(ben)
        small = await mark.evaluate(width)
        size = "view.items().find(({ instance }) => instance.text === 'Liked').instance.post.size ?? 1"
        assert await ben.read(size) == 1
        for number in range(12):
            voter = await Client.connect(world, f"voter{number}")
            await voter.stand_at(*PLACE)
            post = (await ben.read("view.items()[0].instance"))
            await voter.ask("vote", {"post": post["id"], "cell": post["cell"], "vote": 1})
        await ben.holds(f"() => part('core/view').then(view => ({size}) > 1)")
        await larger(mark, small)
        await ben.go("realm")
        await larger(label, before)
        ada.check(), ben.check()
