"""Nothing flashes (WCAG 2.3.1): a recorded session, and the measure itself."""

import pytest

from cairn import eventually
from flashes import COLUMNS, LEAST, ROWS, flashing_area, luminances, recording
from playing import Player, browser, expect


def test_theMeasure_findsWhatFlashes():
    times = [n / 10 for n in range(30)]
    still = [[0.5] * (COLUMNS * ROWS) for _ in times]
    assert flashing_area(still, times) == 0
    flashing = [[0.9 * (n % 2)] * (COLUMNS * ROWS) for n in range(30)]
    assert flashing_area(flashing, times) == 1
    half = [[0.9 * (n % 2)] * (COLUMNS * ROWS // 2) + [0.5] * (COLUMNS * ROWS // 2) for n in range(30)]
    assert flashing_area(half, times) == 0.5
    faint = [[0.5 + LEAST / 2 * (n % 2)] * (COLUMNS * ROWS) for n in range(30)]
    assert flashing_area(faint, times) == 0


@pytest.mark.seconds(120)
async def test_aSession_doesNotFlash(world):
    """Places, list, reactions, the Realm turned around, refusals: no more than a quarter of the page changes its
    luminance more than three times a second."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        async with recording(ada.page) as frames:
            for object in ("preset:heart", "preset:star", "preset:balloon"):
                await ada.place(object, text="here")
            await ada.page.keyboard.press("l")
            await ada.page.locator("#list-body .line").first.click()
            await ada.page.locator("[data-reaction=wow]").click()
            await expect(ada.page.locator("[data-reaction=wow]")).to_have_attribute("aria-pressed", "true")
            await ada.page.keyboard.press("Escape")
            for key in ("1", "2", "3", "4", "1"):
                await ada.page.keyboard.press(key)
                await ada.page.wait_for_timeout(400)
            await ada.page.locator("#realm").focus()
            for _ in range(20):
                seen = len(frames)

                async def is_seen(seen=seen):
                    return len(frames) > seen

                await ada.page.keyboard.press("ArrowRight")
                await eventually(is_seen, "a picture of the Realm that is turned")
        pictures, times = await luminances(chromium, frames), [time for time, _ in frames]
        assert len(frames) > 15
        assert flashing_area(pictures, times) <= 0.25
        ada.check()
