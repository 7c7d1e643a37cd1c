"""Whatever asks the server answers where it was touched: at once that it is under way, then what is done, or why not.
Each button of the scenes that axe sees is pressed while no answer comes, and is then refused."""

import pytest

from accounts import sign_up
from cairn import Client
from looks import Scene
from operators import Desk
from playing import Player, browser, expect
from test_organisations import accepted, ask
from test_play_axe import ADMIN, AROUND, HERE, LIST, found_realm, maker, settle_in, settled
from test_roles import admin
from test_runs import WALKING, tour_of
from test_tours import FACTS, draft

#: Presses the buttons and switches of a part of the page, from one on, while no answer comes. Gives where it has come
#: to when the part is another one afterwards, and what each has shown that asked for something. A press has a frame to
#: say that it is under way.
PRESS = """async ([root, from]) => {
    const { client } = await part('core/app');
    const frame = () => new Promise(then => requestAnimationFrame(() => setTimeout(then)));
    const area = document.querySelector(root), told = [];
    const all = () => [...area.querySelectorAll('button, input[type=checkbox], select:not(form select)')]
        .filter(one => one.checkVisibility() && !one.disabled && !one.closest('[role=menu]'));
    const entries = () => [...area.children].map(one => one.dataset?.key ?? one.tagName).join();
    const before = [location.hash, entries()].join(' ');
    for (let n = from; n < all().length; n++) {
        const button = all()[n], held = [], form = button.closest('form');
        const name = button.getAttribute('aria-label') || button.textContent || button.name || button.dataset.key;
        for (const input of form?.querySelectorAll('input, textarea, select') ?? []) {
            if (input.type === 'checkbox' || input.type === 'file' || input.value) continue;
            if (input.tagName === 'SELECT') input.selectedIndex = input.options.length - 1;
            else input.value = { email: 'a@example.org', password: 'Horse-Battery-7' }[input.type] ?? 'abc';
        }
        client.request = kind => new Promise((_, reject) => held.push({ kind, reject }));
        const holder = button.closest('form, li, .card, .details, .group, .entering') ?? area;
        if (button.tagName === 'SELECT') {
            button.selectedIndex = (button.selectedIndex + 1) % button.options.length;
            button.dispatchEvent(new Event('change'));
        } else button.click();
        await frame();
        const question = document.querySelector('dialog[open]');
        question?.querySelector('.row button:last-of-type').click();
        if (question) await frame();
        // What is saved as it is entered says so in a line below; what comes says so where it comes.
        const isBusy = Boolean(document.querySelector('[aria-busy=true], [data-standing=sending]'));
        delete client.request;
        for (const { reject } of held) reject({ code: 'held', message: 'Held back.' });
        for (let n = 0; n < 3; n++) await frame();
        const refusals = [...document.querySelectorAll('.refusal')]
            .filter(one => one.textContent.includes('Held back.'));
        const place = button.isConnected ? holder.parentElement ?? holder
            : before.startsWith(location.hash + ' ') ? document.querySelector(root) : document.getElementById('page');
        const isHere = refusals.some(one => place?.contains(one));
        if (held.length > 0) told.push({ name, kinds: held.map(({ kind }) => kind), isBusy, isHere,
            isStill: button.matches('[aria-busy]'),
            isElsewhere: document.querySelector('.toast')?.textContent.includes('Held back.') ?? false });
        for (const one of refusals) one.remove();
        if (!area.isConnected || [location.hash, entries()].join(' ') !== before || !area.checkVisibility()) {
            return [n + 1, told];
        }
    }
    return [-1, told];
}"""


#: What is asked for has come: its buttons are there.
HAS_COME = """root => document.querySelector(root)?.childElementCount > 0
    && !document.querySelector(`${root} [aria-busy=true]`)"""


def chosen(text):
    """The line of the list with this text is tapped."""
    async def tap(player):
        await player.page.locator("#list-body .line").filter(has_text=text).click()
    return tap


async def presses(player, scenes, root):
    """What each button of the scenes has shown that asked the server for something."""
    found = []
    for name, scene in scenes.items():
        n = 0
        while n >= 0:
            await scene.open(player)
            await player.page.wait_for_function(HAS_COME, arg=root)
            n, told = await player.page.evaluate(PRESS, [root, n])
            found += [{"scene": name, **one} for one in told]
    return found


def wrong(found):
    """Those without an answer. A setting counts at once, and is saved later (SYN-3)."""
    return [tuple(one.values()) for one in found if one["kinds"] != ["saveSettings"] and (
        not one["isBusy"] or not one["isHere"] or one["isStill"] or one["isElsewhere"])]


def kinds(found):
    return {kind for one in found for kind in one["kinds"]}


@pytest.mark.seconds(240)
async def test_eachButton_saysAtOnceThatItIsUnderWay_andWhyItIsRefused_whereItIs(start):
    world = start(**WALKING, accounts__signUpsPerHour=1000)
    ben = await Client.connect(world, token=(await sign_up(world, "ben")).welcome["token"], sharePosition=True)
    await ben.stand_at(*HERE)
    await ben.ask("createPost", {"text": "Tea"})
    friends = {name: await sign_up(world, name) for name in ("cem", "dan", "eve", "mia")}
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, at=HERE, reduced_motion="reduce")).sign_up("ada")
        await settle_in(ada)
        own = await ada.read("app.client.welcome.account")
        for name, body in (("cem", "requestFriend"), ("dan", "requestFriend")):
            await friends[name].ask(body, {"account": own})
        await ada.read("app.client.request('answerFriendRequest', "
                       f"{{ account: '{friends['dan'].welcome['account']}', accept: true }})")
        await ada.read(f"app.client.request('block', {{ account: '{friends['eve'].welcome['account']}' }})")
        scenes = {name: AROUND[name] for name in ("a person", "a thing", "a post", "add", "placing", "what is shown")}
        for text in ("Tea", "Free coffee"):
            scenes[text] = Scene("map", acts=[*LIST, "[data-tab=posts]", chosen(text)], shows=".votes")
        sheet = await presses(ada, scenes, "#sheet .sheet-body")
        assert wrong(sheet) == []
        assert kinds(sheet) >= {"requestFriend", "block", "react", "listReactions", "remove", "vote", "removePost",
                                "place", "selectRealm"}
        names = ("me", "friends", "realms", "feedback", "password", "email", "codes", "organisation", "delete",
                 "notifications", "people found", "a sub-realm")
        page = await presses(ada, {name: settled("")[name] for name in names}, "#page .page-body")
        assert wrong(page) == []
        assert kinds(page) >= {"editProfile", "answerFriendRequest", "unfriend", "block", "unblock", "createRealm",
                               "findRealms", "invite", "addMember", "leaveRealm", "deleteRealm", "editRealm",
                               "requestFriend", "sendFeedback", "changePassword", "changeEmail", "beginCodes",
                               "requestOrganisation", "findUsers", "selectRealm", "deleteAccount"}
        ada.check()


@pytest.mark.seconds(240)
async def test_eachButtonOfAWalkerAMakerAndAnAdmin_answersWhereItIs(start):
    world = start(**WALKING, tours__createdPerHour=1000, accounts__signUpsPerHour=1000)
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
    mia = await sign_up(world, "mia")
    await accepted(root, mia, name="Museum")
    await ask(await sign_up(world, "olga"), name="Harbour Society")
    empty = (await mia.ask("createTour", {"facts": FACTS}))["tour"]
    whole, free = await draft(mia, stops=2), await tour_of(mia, 20, 200, popups=[20])
    for name in ("wim", "abe"):
        await sign_up(world, name)
    async with browser() as chromium:
        wim = await (await Player.open(chromium, world, at=HERE, reduced_motion="reduce")).sign_in("wim")
        found = await presses(wim, {"a tour": Scene("tours", free, shows="#page .card button")}, "#page .page-body")
        await wim.page.get_by_role("button", name="Start the tour").click()
        await wim.page.wait_for_function("() => location.hash === '#/tours/run'")
        found += await presses(wim, {"a run": Scene("tours", "run", shows=".group button")}, "#page .page-body")
        found += await presses(wim, {"the bar": Scene("tours", "run", shows="#bar .touring")}, "#bar")
        assert wrong(found) == []
        assert kinds(found) >= {"startTour", "pauseRun", "leaveRun", "openGroup", "joinGroup"}
        mia = await (await Player.open(chromium, world, at=HERE, reduced_motion="reduce")).sign_in("mia")
        scenes = {name: maker(whole, empty, free)[name] for name in ("the preview of the own one", "organisation")}
        scenes["publishing"] = Scene("tours", "edit", free, shows="#page .card .row button")
        found = await presses(mia, scenes, "#page .page-body")
        assert wrong(found) == []
        assert kinds(found) >= {"deleteTour", "openGroup", "leaveOrganisation", "exportTour"}
        boss = await (await Player.open(chromium, world)).sign_in(root.name)
        found = await presses(boss, ADMIN, "#page .page-body")
        assert wrong(found) == []
        assert kinds(found) >= {"getOrganisationRequest", "acceptOrganisation", "denyOrganisation", "setRole",
                                "suspend", "listAccounts"}
        for one in (wim, mia, boss):
            one.check()


async def test_whatHasDoneItsWork_isNotLeftStanding(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        bob = await (await Player.open(chromium, world)).by_name("bob")
        await found_realm(bob)
        await bob.page.locator("input[name=open]").check()
        await bob.page.get_by_role("button", name="Save").click()
        await expect(bob.page.locator("#page form .done")).to_have_text("Saved.")
        await ada.go("profile", "realms")
        await expect(ada.page.locator("#page")).to_contain_text("whoever gives your name here is taken for you")
        await ada.page.locator("input[name=prefix]").fill("Gar")
        await ada.page.get_by_role("button", name="Find").click()
        await ada.page.get_by_role("button", name="Join").click()
        await expect(ada.page.locator(".person .done")).to_have_text("You are in “Garden” now.")
        await expect(ada.page.get_by_role("button", name="Join")).to_have_count(0)
        # What came of it is a tap away, and has the focus.
        await expect(ada.page.get_by_role("button", name="Show it")).to_be_focused()
        await ada.page.get_by_role("button", name="Show it").click()
        await expect(ada.page.locator("#pill")).to_contain_text("Garden")
        assert await ada.page.evaluate("location.hash") == "#/map"
        await ada.place("preset:heart")
        await ada.page.locator(".toast", has_text="Placed.").get_by_role("button", name="Show it").click()
        await expect(ada.page.locator(".details[data-item=thing]")).to_be_visible()
        await bob.go("profile", "friends")
        await bob.page.locator("input[name=prefix]").fill("ad")
        await bob.page.get_by_role("button", name="Find").click()
        await bob.page.get_by_role("button", name="Ask").click()
        await expect(ada.page.locator("#menu .badge")).to_have_count(1)
        await ada.go("profile", "notifications")
        await ada.page.get_by_role("button", name="Mark all as read").click()
        await expect(ada.page.locator("#page .done")).to_have_text("All are read.")
        await expect(ada.page.locator("#page .unread")).to_have_count(0)
        await expect(ada.page.locator("#menu .badge")).to_have_count(0)
        for one in (ada, bob):
            one.check()
