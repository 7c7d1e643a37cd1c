"""A person's settings: saved whole, live on all devices, the latest edit wins (PRF-6, PRF-7, PRF-9, SYN-3)."""

import time

import pytest

from accounts import MANY, PASSWORD, Mailbox, guest, sign_in, sign_up
from backend import Backend
from cairn import Client, pose
from test_live_space import refused


@pytest.fixture
def world(start):
    return start(accounts__open="false", **MANY)


def settings(**values):
    return {"settings": [{"key": key.replace("__", "."), "value": value} for key, value in values.items()]}


def values(answer):
    return {setting["key"]: setting.get("value", "") for setting in answer.get("settings", [])}


async def test_settings_are_saved_whole_and_come_with_every_welcome(start):
    server = start(accounts__open="false", **MANY)
    ada = await sign_up(server, "ada")
    saved = settings(display__theme="dark", accessibility__fontScale="1.5", display__inventoryBackground="#0b5c4a")
    wanted = values(saved)
    assert values(await ada.ask("saveSettings", saved)) == wanted
    for wrong in (
        {"display__theme": "blue"}, {"display__thema": "dark"}, {"accessibility__fontScale": "nan"},
        {"accessibility__fontScale": "4"}, {"accessibility__fontScale": "0x1p+1"}, {"accessibility__fontScale": "+1"},
        {"display__inventoryBackground": "#0B5C4"}, {"x" * 1024: "on"},
    ):  # fmt: skip
        both = {"settings": settings(accessibility__contrast="high")["settings"] + settings(**wrong)["settings"]}
        refusal = await refused("invalid_setting", ada.ask("saveSettings", both))
        assert refusal.details["key"] in {key.replace("__", ".")[:64] for key in wrong}
    await refused("missing_field", ada.ask("saveSettings", {"settings": []}))
    await refused("not_signed_in", (await guest(server)).ask("getSettings"))
    assert values(await ada.ask("getSettings")) == wanted
    server.kill()
    server = start(accounts__open="false", **MANY)
    by_token = await Client.connect(server, token=ada.welcome["token"])
    by_password = await sign_in(server, "ada")
    assert values(by_token.welcome) == values(by_password.welcome) == wanted


async def test_open_names_and_apps_tokens_get_their_settings_too(start, tmp_path):
    server = start(**MANY)
    ada = await Client.connect(server, "Ada")
    await ada.ask("saveSettings", settings(display__theme="dark"))
    assert values((await Client.connect(server, "ada")).welcome) == {"display.theme": "dark"}
    server.stop()
    backend = Backend(tmp_path)
    server = start(**backend.settings)
    bob = await Client.connect(server, token=backend.token("u-1", "Bob"))
    await bob.ask("saveSettings", settings(display__theme="light"))
    again = await Client.connect(server, token=backend.token("u-1", "Bob"))
    assert values(again.welcome) == {"display.theme": "light"}


async def test_the_latest_edit_of_a_key_wins_in_whatever_order_they_come(world):
    ada = await sign_up(world, "ada")
    now = int(time.time() * 1000)

    def edit(value, edited):
        return {"settings": [{"key": "display.theme", "value": value, "edited": str(edited)}]}

    await ada.ask("saveSettings", edit("dark", now - 60_000))
    # An older one, queued on another device, loses, and its sender learns what applies.
    assert values(await ada.ask("saveSettings", edit("light", now - 120_000))) == {"display.theme": "dark"}
    # A clock that is ahead wins now and not for ever.
    answer = await ada.ask("saveSettings", edit("system", now + 86_400_000))
    assert int(answer["settings"][0]["edited"]) <= now + 60_000
    assert values(await ada.ask("saveSettings", settings(display__theme="light"))) == {"display.theme": "light"}
    # Of a batch that waited for a network what is refused stops nothing else, and is not in the answer (SYN-3).
    batch = [
        {"key": key, "value": value, "edited": str(now)}
        for key, value in [
            ("display.thema", "dark"), ("accessibility.contrast", "high"), ("display.brightness", "bright"),
            ("display.objects", "off"),
        ]
    ]  # fmt: skip
    assert values(await ada.ask("saveSettings", {"settings": batch})) == {
        "accessibility.contrast": "high", "display.objects": "off",
    }  # fmt: skip
    await refused("invalid_setting", ada.ask("saveSettings", {"settings": [batch[0], batch[2]]}))


async def test_other_devices_learn_of_settings_at_once(world):
    phone, glasses = await sign_up(world, "ada"), await sign_in(world, "ada")
    bob = await sign_up(world, "bob")
    await phone.ask("saveSettings", settings(display__theme="dark", display__objects="off"))
    told = await glasses.until(
        lambda: [item["settings"] for item in glasses.items if "settings" in item], "the settings")
    assert values(told[0]) == {"display.theme": "dark", "display.objects": "off"}
    # What does not change is told to nobody, and nothing to those who save it or to others.
    await phone.ask("saveSettings", {"settings": [{"key": "display.theme", "value": "light", "edited": "1"}]})
    await phone.ask("saveSettings", settings(display__brightness="0.5"))
    await glasses.until(lambda: any("display.brightness" in str(item) for item in glasses.items), "the next")
    assert len([item for item in glasses.items if "settings" in item]) == 2
    assert not any("settings" in item for client in (phone, bob) for item in client.items)


async def test_mails_are_in_the_language_of_the_setting(start, tmp_path):
    mailbox = Mailbox(tmp_path / "mail")
    server = start(accounts__open="false", **mailbox.settings, **MANY)
    ada = await sign_up(server, "ada")
    await ada.ask("verifyEmail", {"code": await mailbox.code("ada@example.org", "verify")})
    await ada.ask("saveSettings", settings(accessibility__language="es"))
    await (await guest(server, language="fr")).ask("recover", {"email": "ada@example.org"})
    assert (await mailbox.wait("ada@example.org", 2))["Subject"] == "Elija una contraseña nueva"
    await ada.ask("changePassword", {"current": PASSWORD, "password": "New-Horse-7777"})
    assert (await mailbox.wait("ada@example.org", 3))["Subject"] == (
        "Ha cambiado la forma de iniciar sesión: se ha cambiado la contraseña")


async def test_without_objects_the_live_view_has_the_people_alone(start):
    """PRF-7."""
    world = start()
    spot = (48.8584, 2.2945)
    ada, bob = [await Client.connect(world, name, sharePosition=True) for name in ("Ada", "Bob")]
    tablet = await Client.connect(world, called="Ada", token=ada.welcome["token"])
    for client in (ada, bob, tablet):
        await client.view(await client.stand_at(*spot))
    first = await bob.place(pose(*spot))
    for client in (ada, tablet):
        await client.until(lambda: client.sees(first))
    await tablet.ask("saveSettings", {"settings": [{"key": "display.objects", "value": "off"}]})
    for client in (ada, tablet):
        await client.until(lambda: not client.sees(first))
        await client.until(lambda: client.person("Bob"), "the people")
    marks = {client: len(client.items) for client in (ada, tablet)}
    second = await bob.place(pose(*spot))
    for client in (ada, tablet):
        # A sub-realm's things neither.
        await client.ask("selectRealm", {"realm": ""})
        assert not [item for item in client.items[marks[client]:] if second["id"] in str(item)]
    again = await Client.connect(world, called="Ada", token=ada.welcome["token"])
    await again.view(f"{await again.stand_at(*spot)}/n0000000000000")
    await again.until(lambda: again.person("Bob"))
    assert not again.sees(first) and not again.sees(second)
    await again.ask("saveSettings", {"settings": [{"key": "display.objects", "value": "on"}]})
    for client in (ada, tablet, again):
        await client.until(lambda: client.sees(first) and client.sees(second), "everything again")
