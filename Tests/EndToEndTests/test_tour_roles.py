"""Roles and tours: general users walk tours, users of an organisation make theirs (ROL-2, ROL-3).

Over real sockets; that an organisation does what general users do on the ground is in test_roles.py.
"""

import contextlib
import sqlite3

from accounts import sign_up
from cairn import Client, Refused, eventually, pose
from operators import Desk
from test_groups import on_tour
from test_live_space import refused
from test_notifications import notified
from test_organisations import accepted
from test_runs import events, settings, stand, tour_of, walker, world  # noqa: F401
from test_tours import FACTS, NOWHERE, draft, makers, point


async def answer(client, kind, body):
    """The result of a request, or the code and details of its refusal."""
    try:
        return await client.ask(kind, body)
    except Refused as refusal:
        return refusal.code, refusal.details


async def two_organisations(world):
    """An admin, a user of each of two organisations, and a general user, all at the start of tours."""
    root, ada = await makers(world, "ada")
    _, bea = await makers(world, "bea", organisation="Harbour Society", root=root)
    eve = await walker(world)
    for one in (ada, bea):
        await stand(one, 0)
    return root, ada, bea, eve


async def test_another_organisations_tours_are_to_its_users_as_to_general_users(world):  # noqa: F811
    """ROL-3: lists, codes, previews, exports and files, of a published tour with a draft beside it, and of a draft."""
    _, ada, bea, eve = await two_organisations(world)
    tour, hidden = await tour_of(ada, 100), await draft(ada)
    code = (await ada.ask("getTour", {"tour": tour}))["tour"]["code"]
    organisation = (await ada.ask("getTour", {"tour": tour}))["tour"]["organisation"]
    ours = await ada.ask("getTour", {"tour": tour, "draft": True})
    facts = {**ours["content"]["facts"], "seconds": 4321}
    version = next(part["version"] for part in ours["parts"] if part["part"] == "facts")
    await ada.ask("setTourFacts", {"tour": tour, "version": version, "facts": facts})
    asks = [("listTours", {}), ("listTours", {"organisation": organisation}), ("listTours", {"near": point(0)}),
            ("findTour", {"code": code}), ("getRun", {})]
    for name in (tour, hidden, NOWHERE):
        asks += [("getTour", {"tour": name}), ("exportTour", {"tour": name})]
    for kind, body in asks:
        seen = await answer(eve, kind, body)
        assert await answer(bea, kind, body) == seen, (kind, body)
        assert "4321" not in str(seen) and hidden not in str(seen), (kind, seen)
    # A draft is none of theirs, and they learn no more of it than of one that never was.
    for name in (tour, hidden, NOWHERE):
        for kind in ("getTour", "exportTour"):
            assert (await answer(bea, kind, {"tour": name, "draft": True}))[0] == "not_found", (kind, name)
    # What they see is another organisation's, and they change nothing of it (TRM-1).
    for name, code in ((tour, "forbidden"), (hidden, "not_found"), (NOWHERE, "not_found")):
        await refused(code, bea.ask("discardTourDraft", {"tour": name}))
    assert [one["id"] for one in (await bea.ask("listTours"))["tours"]] == [tour]
    assert (await bea.ask("listOwnTours")) == {}


async def test_tours_are_taken_by_general_users_alone(world):  # noqa: F811
    """ROL-2, ROL-3: neither by those who make them, nor by other organisations, nor by admins; they place all the
    same. Who leaves the organisation takes them, and who joins one takes no other."""
    root, ada, bea, eve = await two_organisations(world)
    tour = await tour_of(ada, 100)
    await eve.ask("startTour", {"tour": tour})
    group = await eve.ask("openGroup")
    for maker in (ada, bea):
        await refused("forbidden", maker.ask("startTour", {"tour": tour}))
        await refused("forbidden", maker.ask("joinGroup", {"code": group["code"]}))
        await refused("forbidden", maker.ask("buyTour", {"tour": tour, "price": 0, "method": "card"}, key="one"))
        placed = await maker.place(pose(**point(1)))
        await maker.edit(placed, pose(**point(2)))
    await refused("forbidden", root.ask("startTour", {"tour": tour}))
    # Guiding one's own tour is not taking it; another's is unknown.
    await refused("not_found", bea.ask("openGroup", {"tour": tour}))
    await ada.ask("openGroup", {"tour": tour})
    await ada.ask("leaveGroup")
    dan = await sign_up(world, "dan")
    for kind in ("createTour", "listOwnTours"):
        await refused("forbidden", dan.ask(kind))
    await bea.ask("leaveOrganisation")
    await stand(bea, 0)
    assert (await bea.ask("startTour", {"tour": tour}))["tour"] == tour
    await refused("forbidden", bea.ask("createTour"))


async def run_is_over(client):
    """Waits until the client is told that its run has ended, and is on none."""

    async def told():
        return [one for one in notified(client) if one["kind"] == "tour_ended"]

    await eventually(told, lambda: f"the end of the run: {notified(client)}")
    await refused("not_found", client.ask("getRun"))


async def test_another_role_ends_the_run(world):  # noqa: F811
    """ROL-2, ROL-3, TRT-1: of an organisation's user, of an admin, and of a walker who is away meanwhile."""
    root, ada = await makers(world, "ada")
    tour = await tour_of(ada, 100)
    walkers = [await walker(world, name) for name in ("eve", "bob", "cat")]
    for one in walkers:
        await one.ask("startTour", {"tour": tour})
    eve, bob, cat = walkers
    await accepted(root, eve, name="Harbour Society")
    await run_is_over(eve)
    assert (await eve.ask("createTour", {"facts": FACTS}))["tour"]
    async with await Desk.open(world) as desk:
        await desk.ask("role bob admin")
        await cat.close()
        await desk.ask("role cat admin")
    await world.until_figure("cairn_people_in_spaces", 0)
    back = await Client.connect(world, token=cat.welcome["token"])
    for one in (bob, back):

        async def is_gone():
            return (await answer(one, "getRun", {}))[0] in ("not_found", "forbidden")

        await eventually(is_gone, "the run")

    # An admin is refused at once, which says nothing of the row.
    async def has_no_row():
        return rows(world, "tour_runs") == 0

    await eventually(has_no_row, "the rows of the runs")


async def test_who_is_put_out_of_the_organisation_guides_no_more(world):  # noqa: F811
    """ROL-3, TRM-11: the group ends at once for all its members."""
    ada, tour, eve = await on_tour(world, "eve")
    group = await ada.ask("openGroup", {"tour": tour})
    await eve.ask("joinGroup", {"code": group["code"]})
    async with await Desk.open(world) as desk:
        await desk.ask("role ada general")

    async def ended():
        return [one["group"] for one in events(eve, "groupEnded")] == [group["id"]]

    await eventually(ended, "the end of the group")
    await refused("not_found", ada.ask("setGroupTarget", {"stop": ""}))
    assert (await ada.ask("startTour", {"tour": tour}))["tour"] == tour


def rows(server, table):
    with contextlib.closing(sqlite3.connect(f"file:{server.folder}/cairn.sqlite?mode=ro", uri=True)) as database:
        return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
