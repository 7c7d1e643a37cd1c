"""Charges that the death of the server has interrupted (TRT-5): what the same request is answered afterwards."""

import asyncio
import contextlib

from accounts import sign_up
from cairn import Client, Ended, Refused, eventually
from payments import Payments
from purchases import PLAIN, buy
from swarm import pause
from test_purchases import payments_begun
from test_tours import makers, published


async def test_the_key_of_a_charge_that_came_to_nothing_buys(tmp_path, start):
    """SYN-2: the server dies before the provider has charged, and is not told for a while what became of that. The same
    request is made anew then, and not refused as another."""
    payments = Payments(tmp_path)
    more = {**PLAIN, **payments.settings, "adaptors__timeoutSeconds": 1}
    world = start(**more)
    _, maker = await makers(world, "ada")
    tour = await published(maker)
    bob = await sign_up(world, "bob")
    payments.hold()
    payments.mute()
    begun = asyncio.create_task(buy(bob, tour, key="one"))
    await eventually(lambda: payments_begun(world), "the charge")
    world.kill()
    with contextlib.suppress(Ended, Refused):
        await begun
    world = start(folder=world.folder, **more)
    again = await Client.connect(world, token=bob.welcome["token"])

    async def told():
        try:
            return await buy(again, tour, key="one")
        except Refused as refusal:
            assert refusal.code in ("try_again", "provider_unavailable"), refusal
            return refusal

    while (await told()).code != "provider_unavailable":
        await pause(0.2)
    payments.mute(False)
    while isinstance(bought := await told(), Refused):
        # The service that is gone charges nothing: its charge is closed.
        if "closed" in payments.states().values() and (payments.folder / ".hold").exists():
            payments.hold(False)
        await pause(0.2)
    assert bought["tour"] == tour and bought == await buy(again, tour, key="one")
    assert len(payments.charged) == 1
