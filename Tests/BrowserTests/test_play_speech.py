"""The history of a stop that has no recording: the browser reads it out, after a tap (TRT-9)."""

import pytest

from playing import browser, expect
from test_play_groups import arrive, people, stand, start_tour, world  # noqa: F401

#: A browser that speaks: what it was asked to say, and in which language; and what plays.
SPOKEN = """
    window.spoken = [];
    window.played = 0;
    speechSynthesis.speak = speech => { spoken.push([speech.text, speech.lang]); window.speech = speech; };
    speechSynthesis.cancel = () => { spoken.push('quiet'); };
    HTMLMediaElement.prototype.play = async () => { window.played += 1; };
"""


@pytest.mark.seconds(120)
async def test_historyWithoutARecording_isReadByTheBrowser_afterATapAlone(world):  # noqa: F811
    tour = await people(world, "bob")
    async with browser() as chromium:
        bob = await arrive(chromium, world, "bob", script=SPOKEN)
        await start_tour(bob, tour)
        await stand(bob, 100)
        # The text is there to be read, and nothing speaks by itself.
        await expect(bob.page.locator("#page")).to_contain_text("History 0")
        listen = bob.page.locator("#page section.card .row button").first
        await expect(listen).to_have_text("Listen")
        spoken = "() => spoken.filter(one => one !== 'quiet')"
        assert await bob.page.evaluate(spoken) == []
        await listen.press("Enter")
        await expect(listen).to_have_text("Stop listening")
        assert await bob.page.evaluate(spoken) == [["History 0", "en"]]
        # It ends by itself, or by another tap.
        await bob.page.evaluate("() => window.speech.dispatchEvent(new Event('end'))")
        await expect(listen).to_have_text("Listen")
        await listen.press("Enter")
        await bob.page.evaluate("() => { spoken.length = 0; }")
        await listen.press("Enter")
        await expect(listen).to_have_text("Listen")
        assert await bob.page.evaluate("() => spoken") == ["quiet"]
        assert await bob.page.evaluate("() => window.played") == 0
        bob.check()
