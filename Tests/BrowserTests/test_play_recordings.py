"""Recordings of a stop's history: uploaded in the editor, heard there and by who walks, and removed (TRM-5)."""

import pathlib

import pytest

from accounts import MANY, sign_up
from playing import Player, browser, expect
from test_play_tours import sign_in
from test_tours import makers, published

RECORDING = pathlib.Path(__file__).resolve().parents[2] / "config/demo/tree-en.opus"
IS_HEARD = "() => { const one = document.querySelector('.recording audio'); return one && one.currentTime > 0; }"
#: Keeps what the page plays by itself, to be looked at.
PLAYED = """
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () { window.heard = this; return play.call(this); };
"""


@pytest.fixture
def world(start):
    return start(accounts__open="false", **MANY)


async def open_stop(player, tour):
    await player.go("tours")
    await player.go("tours", "edit", tour)
    await player.page.locator("li details summary").first.press("Enter")
    return player.page.locator("li details").first


async def save(player, stop):
    await stop.get_by_role("button", name="Save").press("Enter")
    await expect(player.page.locator("li details[open]")).to_have_count(0)


@pytest.mark.seconds(180)
async def test_recording_isUploaded_heardAndRemoved(world):
    _, maker = await makers(world, "mia")
    tour = await published(maker, price=0)
    await sign_up(world, "ada")
    async with browser("--autoplay-policy=no-user-gesture-required") as chromium:
        mia = await sign_in(await Player.open(chromium, world), "mia")
        stop = await open_stop(mia, tour)
        chooser = stop.get_by_label("Recording of the history")
        await chooser.set_input_files({"name": "no.mp3", "mimeType": "audio/mpeg", "buffer": b"no sound" * 99})
        await expect(stop.locator(".refusal")).to_be_visible()
        await expect(stop.get_by_role("button", name="Listen")).to_have_count(0)
        # What is typed meanwhile stays.
        await stop.locator("textarea[name=history]").fill("A tree, and what it saw.")
        await chooser.set_input_files(RECORDING)
        await expect(stop.get_by_text("Uploaded. Save the stop to keep it.")).to_be_visible()
        await stop.get_by_role("button", name="Listen").press("Enter")
        await mia.page.wait_for_function(IS_HEARD)
        assert await mia.violations() == []
        # The text is required with it, too.
        await stop.locator("textarea[name=history]").fill("")
        await stop.get_by_role("button", name="Save").press("Enter")
        await expect(stop.locator(".refusal[data-code=text_empty]")).to_be_visible()
        await stop.locator("textarea[name=history]").fill("A tree, and what it saw.")
        await save(mia, stop)
        # Saving the words alone keeps it.
        stop = await open_stop(mia, tour)
        await stop.locator("textarea[name=history]").fill("A tree.")
        await save(mia, stop)
        stop = await open_stop(mia, tour)
        await stop.get_by_role("button", name="Listen").press("Enter")
        await mia.page.wait_for_function(IS_HEARD)
        await maker.ask("publishTour", {"tour": tour})
        await walks_and_hears(chromium, world, tour)
        await stop.get_by_role("button", name="Remove the recording").press("Enter")
        await expect(stop.get_by_text("Taken away.")).to_be_visible()
        await save(mia, stop)
        stop = await open_stop(mia, tour)
        await expect(stop.get_by_label("Recording of the history")).to_be_visible()
        await expect(stop.get_by_role("button", name="Listen")).to_have_count(0)
        mia.check()


async def walks_and_hears(chromium, world, tour):
    """Somebody else, who has not uploaded it, stands at the stop and listens."""
    ada = await sign_in(await Player.open(chromium, world, script=PLAYED), "ada")
    await ada.go("tours", tour)
    await ada.page.get_by_role("button", name="Start the tour").click()
    await expect(ada.page.locator(".run-state")).to_contain_text("On tour")
    for _ in range(12):
        await ada.page.evaluate(
            """async () => {
                const { client } = await import('/play/js/app.js');
                const { setPlace } = await import('/play/js/place.js');
                const { target } = await client.request('getRun');
                if (target) setPlace(target.pose.geopose.position);
            }""")
        await ada.page.wait_for_timeout(700)
        if await ada.page.get_by_role("button", name="Listen").count():
            break
    await ada.page.get_by_role("button", name="Listen").press("Enter")
    await ada.page.wait_for_function("() => window.heard?.currentTime > 0")
    ada.check()
