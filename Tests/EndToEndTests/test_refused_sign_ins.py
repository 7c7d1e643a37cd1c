"""Sign-ins that are refused leave nothing behind (ACC-5)."""

from accounts import MANY, sign_in, sign_up
from cairn import Client, eventually
from operators import Desk
from test_live_space import refused


async def test_a_sign_in_that_is_refused_leaves_no_device(start):
    server = start(accounts__open="false", connections__perAccountMax=2, **MANY)
    ada = await sign_up(server, "ada")
    await sign_in(server, "ada", deviceName="second")
    for _ in range(3):
        await refused("too_many_connections", sign_in(server, "ada", deviceName="third"))

    async def are_two():
        return len((await ada.ask("listDevices"))["devices"]) == 2

    await eventually(are_two, "the list of two devices")


async def test_a_sign_in_that_is_refused_leaves_its_device_as_it_was(start):
    """ACC-5: the token that it would have replaced is good, and its device is in the list."""
    server = start(accounts__open="false", connections__perAccountMax=2, **MANY)
    ada = await sign_up(server, "ada")
    device = {"deviceKey": ada.welcome["deviceKey"], "deviceName": "first"}
    await ada.close()
    others = [await sign_in(server, "ada", deviceName=name) for name in ("second", "third")]
    await refused("too_many_connections", sign_in(server, "ada", **device))

    async def are_three():
        return len((await others[0].ask("listDevices"))["devices"]) == 3

    await eventually(are_three, "the list of three devices")
    async with await Desk.open(server) as desk:
        await desk.ask("ban ada")
        await refused("account_suspended", sign_in(server, "ada", **device))
        await desk.ask("unban ada")
    assert (await Client.connect(server, token=ada.welcome["token"])).welcome["role"] == "general"
    # One that is admitted replaces it.
    again = await sign_in(server, "ada", **device)
    assert len((await again.ask("listDevices"))["devices"]) == 3
    assert (await Client.connect(server, token=ada.welcome["token"])).welcome["role"] == "guest"
