"""Late answers do not take a person away from the page that they have opened meanwhile."""

import pytest

from playing import Player, browser, expect
from test_play_circles import make_realm
from test_play_tours import maker, sign_in, world  # noqa: F401

# Holds back the next request of a kind, or the answer to it, until `window.release()`.
HOLD = """async ([kind, isSent]) => {
    const { client } = await part('core/app');
    const { request } = client;
    const released = new Promise(done => { window.release = done; });
    client.request = async (...asked) => {
        if (asked[0] !== kind) return request.apply(client, asked);
        client.request = request;
        const answer = isSent && await request.apply(client, asked);
        window.isHeld = true;
        await released;
        return answer || request.apply(client, asked);
    };
}"""


async def hold(one, kind, *, is_sent=True):
    await one.page.evaluate("() => { window.isHeld = false; }")
    await one.page.evaluate(HOLD, [kind, is_sent])


async def release(one):
    """Lets the answer through, and whatever follows from it."""
    await one.page.wait_for_function("() => window.isHeld")
    await one.page.evaluate("() => { window.release(); return new Promise(done => setTimeout(done, 300)); }")


async def hash_of(one):
    return await one.page.evaluate("() => location.hash")


async def fill_in_realm(one, name, *, is_sent=True):
    await one.go("profile", "realms")
    await one.page.locator("input[name=name]").fill(name)
    await hold(one, "createRealm", is_sent=is_sent)
    await one.page.get_by_role("button", name="Create").click()


@pytest.mark.seconds(120)
async def test_aNewSubRealm_isGoneToUnlessItsMakerIsElsewhere(world):  # noqa: F811
    async with browser() as chromium:
        await maker(world)
        mia = await sign_in(await Player.open(chromium, world), "mia")
        await make_realm(mia, "Attic")
        assert (await hash_of(mia)).startswith("#/profile/realms/")
        await fill_in_realm(mia, "Cellar")
        await mia.go("tours")
        await release(mia)
        assert await hash_of(mia) == "#/tours"
        # Also whoever has come back to the list, which was drawn before the sub-realm was there.
        await fill_in_realm(mia, "Garden", is_sent=False)
        await mia.go("tours")
        await mia.go("profile", "realms")
        await expect(mia.page.get_by_text("Cellar")).to_be_visible()
        await release(mia)
        assert await hash_of(mia) == "#/profile/realms"
        for name in ("Attic", "Cellar", "Garden"):
            await expect(mia.page.get_by_text(name)).to_be_visible()
        mia.check()


@pytest.mark.seconds(120)
async def test_aDraft_isGoneToUnlessItsMakerIsElsewhere_andDrawingIsLeftByGoingElsewhere(world):  # noqa: F811
    async with browser() as chromium:
        await maker(world)
        mia = await sign_in(await Player.open(chromium, world), "mia")
        for isElsewhere in (True, False):
            await mia.go("tours", "edit", "new")
            form = mia.page.locator("form", has=mia.page.locator("[name=description]"))
            await hold(mia, "createTour")
            await form.locator("[name=name]").fill("The walls")
            await form.locator("[name=description]").fill("As they stood.")
            await form.get_by_role("button", name="Save").click()
            if isElsewhere:
                await mia.go("profile")
            await release(mia)
            assert (await hash_of(mia)).startswith("#/profile" if isElsewhere else "#/tours/edit/")
        await mia.page.wait_for_function("() => !location.hash.endsWith('/new')")
        # Who leaves the map while drawing is where they went, and has drawn nothing.
        for away in ("profile", "tours"):
            back = await hash_of(mia)
            await mia.page.get_by_role("button", name="Area: tap its corners").click()
            await expect(mia.page.locator("#sheet[data-kind=drawing]")).to_be_visible()
            await mia.go(away)
            await expect(mia.page.locator("#sheet")).to_be_hidden()
            await mia.page.wait_for_timeout(300)
            assert await hash_of(mia) == f"#/{away}"
            await mia.page.evaluate("hash => { location.hash = hash; }", back)
        # Who cancels is back in the editor.
        await mia.page.get_by_role("button", name="Area: tap its corners").click()
        await mia.page.locator("#sheet").get_by_role("button", name="Cancel").click()
        await mia.page.wait_for_function("hash => location.hash === hash", arg=back)
        mia.check()
