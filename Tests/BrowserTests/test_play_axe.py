"""axe finds nothing (ACS-2): every place and every section of the page, and what they open, in ten looks. Six people
see different pages: a guest, somebody among things and posts, a walker who guides a group, somebody in their profile,
a maker of tours, and an admin. Each is a person of their own: a language counts on all devices of a person at once."""

import asyncio
import time

import pytest

from accounts import PASSWORD, sign_up
from cairn import Client
from looks import SAVE, Scene, violations
from operators import Desk
from playing import Player, browser, expect
from test_organisations import accepted, ask
from test_play_groups import stand
from test_play_providers import google  # noqa: F401
from test_roles import admin
from test_runs import WALKING, tour_of
from test_tours import FACTS, draft, point, popup, published

HERE = (point(0)["lat"], point(0)["lon"])

#: Sections of the profile of somebody who is signed in.
SECTIONS = ["", "me", "friends", "realms", "settings", "notifications", "help", "feedback", "policy", "devices",
            "password", "email", "codes", "providers", "organisation", "purchases", "export", "delete"]

LIST = ("key:l", "[data-tab=all]")
STAR = ("#add", "[data-object='preset:star']")
PROVE = (("#page input[name=password]", PASSWORD), "#page button[type=submit]")


async def far_away(player):
    await player.page.evaluate("() => part('core/draft').then(({ putAt }) => putAt(150, 90))")


async def align(player):
    await player.page.evaluate("() => part('realm/align').then(({ openAlign }) => openAlign())")


async def unfold(player):
    await expect(player.page.locator("#page details").first).to_be_visible()
    await player.page.evaluate("() => document.querySelectorAll('#page details').forEach(one => { one.open = true; })")


GUEST = {
    **{one or "profile": Scene("profile", one) for one in ("", "signin", "signup", "recover", "settings", "help",
                                                           "policy")},
    "a sign-up that is refused": Scene("profile", "signup", acts=["#page button[type=submit]"], shows=".refusal"),
    "the map": Scene("map"),
    "add": Scene("map", acts=["#add"], shows="#sheet"),
    "tours": Scene("tours"),
}


#: Somebody among things, posts and people.
AROUND = {
    "the map": Scene("map", shows=".mark-box"),
    "the list": Scene("map", acts=LIST, shows="#list-body .line"),
    "trending posts": Scene("map", acts=[*LIST, "[data-tab=trending]"], shows="#list-body .line"),
    "own posts": Scene("map", acts=[*LIST, "[data-tab=mine]"], shows="#list-body .line"),
    "a person": Scene("map", acts=[*LIST, "[data-tab=people]", "#list-body .line"], shows=".details button"),
    "a thing": Scene("map", acts=[*LIST, "[data-tab=things]", "#list-body .line"], shows=".reactions"),
    "who reacted": Scene("map", acts=[*LIST, "[data-tab=things]", "#list-body .line",
                                      ".details > .row > button:last-of-type"], shows=".reactors"),
    "removing a thing": Scene("map", acts=[*LIST, "[data-tab=things]", "#list-body .line",
                                           ".details .quiet-danger"], shows="dialog[open]"),
    "a post": Scene("map", acts=[*LIST, "[data-tab=posts]", "#list-body .line"], shows=".votes"),
    "editing a post": Scene("map", acts=[*LIST, "[data-tab=posts]", "#list-body .line",
                                         ".details > .row > button"], shows="#sheet textarea"),
    "a post that is refused": Scene("map", acts=["#add", "#sheet button.wide", "#sheet button[type=submit]"],
                                    shows=".refusal"),
    "add": Scene("map", acts=["#add"], shows="#sheet fieldset"),
    "placing": Scene("map", acts=STAR, shows=".editor"),
    "placing too far away": Scene("map", acts=[*STAR, far_away, ".editor button[type=submit]"],
                                  shows=".refusal"),
    "what is shown": Scene("map", acts=["#pill"], shows="[data-realm]"),
    "the Realm": Scene("realm", shows=".label"),
    "placing in the Realm": Scene("realm", acts=STAR, shows=".editor"),
    "aligning": Scene("realm", acts=[align], shows="#sheet input[type=range]"),
    "ways of seeing": Scene("realm", acts=["#pill"], shows="#sheet .row .accent"),
    "the list beside the Realm": Scene("realm", acts=LIST, shows="#list-body .line"),
}


def settled(priced):
    """A person on the page Profile; `priced` is a tour that is for sale."""
    profile = {
        **{one or "profile": Scene("profile", one) for one in SECTIONS},
        "a sub-realm": Scene("profile", "realms", acts=["#page a[href^='#/profile/realms/']"],
                             shows="[data-account]"),
        "people found": Scene("profile", "friends", acts=[("#page input[name=prefix]", "mi"),
                                                          "#page button[type=submit]"], shows=".person button"),
        "one-time codes with their picture": Scene("profile", "codes", acts=PROVE, shows="img.qr"),
        "deleting the account": Scene("profile", "delete", acts=PROVE, shows="dialog[open]"),
        "a password that is refused": Scene("profile", "password", acts=["#page button[type=submit]"],
                                            shows=".refusal"),
    }
    method, buy = "#page input[name=method]", "#page form button[type=submit]"
    tours = {
        "tours": Scene("tours", shows="#page .tour-card"),
        "buying": Scene("tours", priced, shows=method),
        "buying, asked": Scene("tours", priced, acts=[(method, "card"), buy], shows="dialog[open]"),
        "buying, refused": Scene("tours", priced, acts=[(method, "standin-refused"), buy, "dialog .danger"],
                                 shows=".refusal"),
    }
    return {**profile, **tours}


WALKER = {
    "a run with its group": Scene("tours", "run", shows=".group-code"),
    "leaving a run": Scene("tours", "run", acts=["#page .card .row .quiet-danger"], shows="dialog[open]"),
    "ending a group": Scene("tours", "run", acts=[".group .quiet-danger"], shows="dialog[open]"),
    "a run on the map": Scene("tours", "run", acts=["#page .card .row button.accent"], shows=".mark.stop"),
    "a run in the Realm": Scene("realm", shows=".aim"),
    "the list beside it": Scene("realm", acts=LIST, shows="#list-body .line"),
    "tours during a run": Scene("tours", shows="#bar .touring"),
}


def maker(tour, empty, shown):
    """A user of an organisation: a whole draft, an empty one, and a tour that is published."""
    return {
        "own tours": Scene("tours", acts=["[data-tab=own]"], shows="#page .tour-card"),
        "a new tour": Scene("tours", "edit", "new", shows="[name=price]"),
        "the editor": Scene("tours", "edit", tour, acts=[unfold], shows="li details textarea"),
        **{f"drawing {what}": Scene("tours", "edit", tour, acts=[f"[data-draw={what}]"],
                                    shows="#sheet[data-kind=drawing]")
           for what in ("area", "route", "stops", "popups")},
        "discarding": Scene("tours", "edit", shown, acts=["#page .card .row button:nth-of-type(2)"],
                            shows="dialog[open]"),
        "deleting": Scene("tours", "edit", tour, acts=["#page .card .row .quiet-danger"], shows="dialog[open]"),
        "what is missing": Scene("tours", "edit", empty, acts=["#page .card .row button.accent"],
                                 shows=".lacks button"),
        "the preview of the own one": Scene("tours", shown, shows="#page .group"),
        "organisation": Scene("profile", "organisation"),
    }


ADMIN = {
    "requests": Scene("profile", "admin", shows="#page li button"),
    "a request": Scene("profile", "admin", acts=["#page li button"], shows="#page input[name=reason]"),
    "accounts": Scene("profile", "admin", acts=[("#page input[name=prefix]", "a"), "#page form [type=submit]", unfold],
                      shows="#page details select"),
}


async def found_realm(player):
    await player.ready()
    await player.go("profile", "realms")
    await player.page.locator("input[name=name]").fill("Garden")
    await player.page.get_by_role("button", name="Create").click()
    await expect(player.page.get_by_role("heading", name="Garden")).to_be_visible()


async def settle_in(ada):
    """Ada has left a heart and a post, reacts, and has a sub-realm."""
    await ada.ready()
    await ada.place("preset:heart", text="Bonjour")
    await ada.read("app.client.createPost('Free coffee')")
    await ada.read("app.client.react(view.items().find(({ kind }) => kind === 'thing').instance, 'love')")
    await found_realm(ada)


async def set_out(wim, tour):
    """Wim walks a tour to its first stop, past a popup, and guides a group."""
    await wim.go("tours", tour)
    await wim.page.get_by_role("button", name="Start the tour").click()
    await stand(wim, 20)
    await expect(wim.page.locator("#page")).to_contain_text("History 0")
    await wim.page.get_by_role("button", name="Open a group").click()
    await expect(wim.page.locator(".group-code")).to_be_visible()


@pytest.mark.seconds(400)
async def test_axe_findsNothing_anywhere_inAnyLook(start, google):  # noqa: F811
    world = start(**google.settings, **WALKING, tours__createdPerHour=1000)
    async with await Desk.open(world) as desk:
        root = await admin(world, desk)
    mia = await sign_up(world, "mia")
    await accepted(root, mia, name="Museum")
    await ask(await sign_up(world, "olga"), name="Harbour Society")
    token = (await sign_up(world, "ben")).welcome["token"]
    ben = await Client.connect(world, token=token, sharePosition=True)
    await ben.stand_at(*HERE)
    whole = await draft(mia, stops=2)
    await mia.ask("setTourPopup", {"tour": whole, "popup": popup()})
    empty = (await mia.ask("createTour", {"facts": FACTS}))["tour"]
    priced, free = await published(mia), await tour_of(mia, 20, 200, popups=[20])
    # Its draft differs: there is something to discard.
    await mia.ask("setTourFacts", {"tour": priced, "version": 1, "facts": {**FACTS, "seconds": 600}})
    for name in ("ada", "wim", "abe"):
        await sign_up(world, name)
    async with browser() as chromium:
        people = [await Player.open(chromium, world, at=HERE, size=(390, 760), reduced_motion="reduce")
                  for _ in range(6)]
        guest, ada, wim, abe, *_ = people
        await guest.live()
        for one, name in zip(people[1:], ("ada", "wim", "abe", "mia", "root")):
            await one.sign_in(name)
        await asyncio.gather(settle_in(ada), set_out(wim, free), found_realm(abe))
        scenes = (GUEST, AROUND, WALKER, settled(priced), maker(whole, empty, priced), ADMIN)
        began = time.monotonic()
        found = await asyncio.gather(*(violations(*one) for one in zip(people, scenes)))
        print(f"{sum(map(len, scenes))} scenes in ten looks: {time.monotonic() - began:.1f} s")
        assert sum(found, []) == []
        for one in people:
            one.check()


@pytest.mark.seconds(120)
@pytest.mark.parametrize("wishes", [
    {"accessibility.contrast": "high", "accessibility.textSize": "largest"},
    {"accessibility.colourTheme": "deuteranopia", "accessibility.objectNames": "off"}])
async def test_axe_findsNothing_inTheLooksOfAFew(world, wishes):
    """High contrast with the largest text, and colours that more people tell apart, in both themes."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=(390, 760), reduced_motion="reduce")).sign_up("ada")
        await settle_in(ada)
        for key, value in wishes.items():
            await ada.page.evaluate(SAVE, [key, value])
        names = (
            "the map", "the list", "a thing", "a post", "add", "placing too far away", "what is shown", "the Realm")
        scenes = {name: AROUND[name] for name in names}
        scenes |= {one: Scene("profile", one) for one in ("me", "settings", "delete")}
        assert await violations(ada, scenes, languages=("en",)) == []
        ada.check()
