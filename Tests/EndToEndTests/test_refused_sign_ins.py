"""Sign-ins that are refused leave nothing behind (ACC-5)."""

from accounts import MANY, sign_in, sign_up
from cairn import eventually
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
