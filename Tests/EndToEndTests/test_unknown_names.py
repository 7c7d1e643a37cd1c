"""Unknown names in JSON: ignored in accepted requests, named in the refusal of others."""

import pytest

from cairn import Client, Refused, pose


async def refused(asking):
    with pytest.raises(Refused) as caught:
        await asking
    return caught.value


async def test_a_refusal_names_the_unknown_name_at_any_level_and_the_nearest_one(server, spot):
    ada = await Client.connect(server, "Ada")
    cell = await ada.stand_at(*spot)
    right = pose(*spot)
    # A change that its cell refuses, one that the session refuses, a question, and messages of the session itself.
    geopose = right["geopose"]
    wrong = {**right, "geopose": {"positon": geopose["position"], "quaternion": geopose["quaternion"]}}
    cases = [
        ("place", {"object": "preset:heart", "pose": wrong}, "place.pose.geopose.positon", "position"),
        ("place", {"objct": "preset:heart", "pose": right}, "place.objct", "object"),
        ("select", {"instanse": "06aa9qg015nm7", "cell": cell}, "select.instanse", "instance"),
        ("position", {"lat": spot[0], "lonn": spot[1]}, "position.lonn", "lon"),
        ("teleport", {"lat": 1}, "teleport", None),
    ]
    for kind, body, name, nearest in cases:
        refusal = await refused(ada.ask(kind, body))
        details = refusal.details
        assert details["name"] == name, (kind, refusal, details)
        assert nearest is None or details["nearest"] == nearest, details
        assert details["line"] == "1" and int(details["column"]) > 1, details
        assert name in refusal.message, refusal


async def test_an_unknown_name_at_any_level_is_ignored_when_nothing_else_is_wrong(server, spot):
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot, altitudeOfTheMoon=3)
    newer = {**pose(*spot), "tint": {"red": 1}, "layers": [{}, {"a": 1}]}
    answer = await ada.ask("place", {"object": "preset:heart", "pose": newer, "glow": True})
    assert answer["instance"]["object"] == "preset:heart"


async def test_a_refusal_that_asks_for_patience_tells_no_name(start, spot):
    server = start(placement__perMinute=1)
    ada = await Client.connect(server, "Ada")
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))
    refusal = await refused(ada.ask("place", {"object": "preset:heart", "pose": pose(*spot), "glow": True}))
    assert refusal.retry_after and "name" not in refusal.details
