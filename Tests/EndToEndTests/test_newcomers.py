"""First steps of a developer: pages of another origin, an app's own name (SES-1, SES-2)."""

import re

import pytest
import websockets

from cairn import Client, Refused, eventually
from server import get


async def test_a_page_of_another_origin_is_told_which_setting_lets_it_in(start):
    server = start()
    with pytest.raises(websockets.InvalidStatus) as caught:
        await websockets.connect(server.url, subprotocols=["cairn.v1.json"], origin="https://app.example")
    assert caught.value.response.status_code == 403
    assert b"listen.originsAllowed" in caught.value.response.body
    server.logged("listen.originsAllowed", "https://app.example")
    for _ in range(20):
        with pytest.raises(websockets.InvalidStatus):
            await websockets.connect(server.url, subprotocols=["cairn.v1.json"], origin="https://app.example")
    assert server.log().count("listen.originsAllowed") == 1
    _, _, figures = await get(f"{server.http}/metrics")
    assert 'cairn_door_refusals_total{reason="origin"} 21' in figures


async def test_an_app_has_a_name_of_its_own_and_cannot_fill_the_figures(start):
    server = start(stats__frontEnds="realm,museum-guide")
    for number, name in enumerate(["museum-guide", "my.app_2", "zzz", "a" * 32, "realm"]):
        welcome = (await Client.connect(server, f"Person{number}", frontEnd=name)).welcome
        assert welcome["role"] == "general"
    for name in ["", "a" * 33, "Museum", "caf\u00e9", "a b"]:
        with pytest.raises(Refused) as caught:
            await Client.connect(server, "Somebody", frontEnd=name)
        assert caught.value.code == "invalid_field" and caught.value.details == {"field": "frontEnd"}

    async def shown():
        _, _, figures = await get(f"{server.http}/metrics")
        found = re.findall(r'cairn_front_end_connections\{front_end="([^"]*)"\} (\d+)', figures)
        return dict(found) == {"realm": "1", "museum-guide": "1", "other": "3"}

    await eventually(shown, "the figures by front end are others")
