"""How much guests who look without an account may see and ask (SES-14): by address and in all."""

import base64
import signal
import time

import pytest

from accounts import guest
from cairn import Client, Refused, away, eventually, pose
from test_errors import refused
from test_guests import GUESTS, figure, onlooker


async def test_guests_have_budgets_by_address_and_in_all(start, spot):
    server = start(guests__look="true", guests__viewsPerAddress=2, guests__viewsMax=100)
    eyes = [(await onlooker(server, spot))[0] for _ in range(2)]
    third = await guest(server, language="fr")
    refusal = await refused("try_again", third.stand_at(*spot))
    assert refusal.component == "guests" and refusal.details == {"limit": "2"} and refusal.retry_after == 30_000
    assert refusal.message == "2 invités de cette adresse regardent déjà autour d'eux"
    # A position without an id is refused as well.
    await third.send({"position": {"lat": spot[0], "lon": spot[1]}})
    assert (await third.refusal()).code == "try_again"
    # Whoever has an account takes no guest's place, and no guest theirs.
    ada = await Client.connect(server, "Ada")
    await ada.view(await ada.stand_at(*spot))
    await eventually(lambda: figure(server, 'cairn_guests_refused_total{reason="address"}', 2), "the count")
    assert await figure(server, "cairn_guests_looking", 2)
    await eyes[0].close()

    async def has_room():
        try:
            return await third.stand_at(*spot)
        except Refused as refusal:
            assert refusal.code == "try_again"
            return None

    await eventually(has_room, "room")


async def test_guests_in_all_are_bounded(start, spot):
    server = start(guests__look="true", guests__viewsMax=1)
    await onlooker(server, spot)
    refusal = await refused("try_again", (await guest(server)).stand_at(*spot))
    assert refusal.details == {"limit": "1"} and refusal.message == "1 guests look around already"


async def test_new_ground_comes_to_guests_within_a_budget(start, spot):
    server = start(guests__look="true", guests__cellsPerMinutePerAddress=12)
    eye, cell = await onlooker(server, spot)
    held = set(eye.topics)
    for step in range(1, 6):
        far = away(*spot, north=2_000 * step)
        try:
            await eye.stand_at(*far)
        except Refused as refusal:
            assert refusal.code == "try_again" and refusal.retry_after >= 1_000
            break
    else:
        pytest.fail("the budget has no end")
    # The view that there was stays, and signed-in people have budgets of their own.
    await eye.until(lambda: eye.topics, "the view that there was")
    ada = await Client.connect(server, "Ada")
    await ada.view(await ada.stand_at(*away(*spot, north=50_000)))
    assert len(held) <= 12


async def test_questions_of_guests_have_a_budget(start, spot):
    server = start(guests__look="true", guests__questionsPerMinutePerAddress=3, guests__questionsPerMinute=1_000)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    heart = await ada.place(pose(*spot))
    eye, _ = await onlooker(server, spot)
    await eye.ask("listTours")
    await eye.select(heart)
    await refused("not_found", eye.ask("getAsset", {"asset": heart["id"], "tour": heart["id"]}))
    refusal = await refused("rate_limited", eye.select(heart))
    assert refusal.component == "guests" and refusal.retry_after > 1_000
    # Of another connection of the address as well, and nobody with an account waits for it.
    await refused("rate_limited", (await guest(server)).ask("listTours"))
    for _ in range(5):
        await ada.ask("listTours")
    await eventually(lambda: figure(server, 'cairn_guests_refused_total{reason="questions"}', 2), "the count")


async def test_a_guest_who_has_read_much_waits_with_the_view_that_it_has(start, spot):
    server = start(
        guests__look="true", guests__megabytesPerMinute=1, placement__perMinute=1_000, placement__perDay=1_000,
        placement__areaQuota=100)  # fmt: skip
    ada = await Client.connect(server, "Ada")
    far = away(*spot, north=3_000)
    await ada.stand_at(*spot)
    data = base64.b64encode(bytes(2_048)).decode()
    for _ in range(60):
        await ada.place(pose(*spot), data=data)
    # In JSON they are some 180,000 bytes.
    eyes = []
    with pytest.raises(Refused, match="try_again"):
        for _ in range(20):
            eyes.append((await onlooker(server, spot))[0])
    assert len(eyes) >= 5
    refusal = await refused("try_again", eyes[0].stand_at(*far))
    assert refusal.component == "guests" and refusal.retry_after >= 1_000
    assert any(topic.is_complete for topic in eyes[0].topics.values())
    await ada.view(await ada.stand_at(*far))


async def test_the_time_of_the_first_byte_does_not_say_whether_a_cell_sleeps(start, spot):
    """A cell that is awake and one that sleeps: both are told after a pause in which a cell wakes."""
    server = start(guests__look="true")
    ada = await Client.connect(server, "Ada")
    await ada.view(await ada.stand_at(*spot))
    for place in (spot, away(*spot, north=30_000)):
        eye = await guest(server)
        began = time.monotonic()
        cell = await eye.stand_at(*place)
        await eye.view(cell + GUESTS)
        assert time.monotonic() - began >= 0.1


async def test_a_question_does_not_get_round_that_pause(start, spot):
    """Right behind the first position nothing is there, whether the cell is awake or sleeps."""
    server = start(guests__look="true")
    ada = await Client.connect(server, "Ada")
    await ada.view(await ada.stand_at(*spot))
    thing = await ada.place(pose(*spot))
    eye = await guest(server)
    standing = await eye.post("position", {"lat": spot[0], "lon": spot[1], "h": 30.0})
    asking = await eye.post("select", {"instance": thing["id"], "cell": thing["cell"]})
    cell = (await standing)["cell"]
    await refused("not_found", asking)
    await eye.view(cell + GUESTS)
    await eye.select(thing)


async def test_guests_take_nobodys_place(start, spot):
    """The last tenth of the connections is not theirs (QOS-5)."""
    server = start(guests__look="true", listen__connectionsMax=20)
    eye, _ = await onlooker(server, spot)
    people = [await Client.connect(server, f"person-{number}") for number in range(17)]
    code, _ = await eye.until_ended()
    assert code == 1013 and eye.closing["reconnectAfter"] >= 2_000
    late = await guest(server)
    assert (await refused("overloaded", late.stand_at(*spot))).component == "guests"
    await people[0].stand_at(*spot)
    await eventually(lambda: figure(server, 'cairn_guests_refused_total{reason="overload"}', 2), "the count")
    # Who waits to look holds room as well. Who only has not signed in yet stays.
    assert (await late.until_ended())[0] == 1013
    calm = await guest(server)
    await Client.connect(server, "one-more")
    assert (await calm.ask("getHelp")) is not None


async def test_guests_lose_their_views_when_the_operator_says_so(start, spot, tmp_path):
    """ENG-4: `guests.look` is live."""
    file = tmp_path / "cairn.yaml"
    file.write_text("guests: { look: true }\n")
    server = start("--config", str(file), guests__look=None)
    eye, cell = await onlooker(server, spot)
    file.write_text("guests: { look: false }\n")
    server.process.send_signal(signal.SIGHUP)
    await eye.until(lambda: not eye.topics, "the end of the view", 10)
    await refused("not_signed_in", eye.stand_at(*spot))
