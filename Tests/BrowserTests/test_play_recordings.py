"""Recordings of a stop's history: uploaded in the editor, heard there and by who walks, and removed (TRM-5)."""

import base64
import pathlib
import re

import pytest

from accounts import MANY, sign_up
from playing import Player, browser, expect
from test_play_tours import sign_in
from test_tours import makers, published

FRAGMENTS = pathlib.Path(__file__).resolve().parents[1] / "EndToEndTests/recording-fragments.m4a"
RECORDING = pathlib.Path(__file__).resolve().parents[2] / "config/demo/tree-en.opus"
IS_HEARD = "() => { const one = document.querySelector('.recording audio'); return one && one.currentTime > 0; }"
#: Notes the milliseconds from the start of a recording to its end.
RECORDED = """
    const { start } = MediaRecorder.prototype;
    MediaRecorder.prototype.start = function (...rest) {
        const began = performance.now();
        this.addEventListener('stop', () => { window.recorded = performance.now() - began; });
        return start.apply(this, rest);
    };
"""
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
    stop = player.page.locator("li details").first
    await expect(stop).to_be_attached()
    # One that was open when the editor was left is open again.
    if await stop.get_attribute("open") is None:
        await stop.locator("summary").press("Enter")
    return stop


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
        await expect(stop.get_by_text("Uploaded.", exact=True)).to_be_visible()
        await stop.get_by_role("button", name="Listen").press("Enter")
        await mia.page.wait_for_function(IS_HEARD)
        assert await mia.violations() == []
        # The text is required with it, too.
        await stop.locator("textarea[name=history]").fill("")
        await stop.get_by_role("button", name="Save").press("Enter")
        await expect(stop.locator(".refusal")).to_contain_text("Please fill in: Its history.")
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
    """A walker who has not uploaded the recording listens to it at the stop."""
    ada = await sign_in(await Player.open(chromium, world, script=PLAYED), "ada")
    await ada.go("tours", tour)
    await ada.page.get_by_role("button", name="Start the tour").click()
    await expect(ada.page.locator(".run-state")).to_contain_text("On tour")
    listen = ada.page.get_by_role("button", name="Listen")
    while not await listen.count():
        await ada.page.evaluate(
            """async () => {
                const { client } = await part('core/app');
                const { setPlace } = await part('core/place');
                // At its last stop the run ends.
                const { target } = await client.request('getRun').catch(() => ({}));
                if (target) setPlace(target.pose.geopose.position);
            }""")
        await ada.page.wait_for_timeout(700)
    await listen.press("Enter")
    await ada.page.wait_for_function("() => window.heard?.currentTime > 0")
    ada.check()


@pytest.mark.seconds(120)
async def test_recording_isMadeByTheMicrophone(world):
    """A recording of Chromium in WebM reaches the server in Ogg; a refused microphone is reported on the page."""
    _, maker = await makers(world, "mia")
    tour = await published(maker, price=0)
    sound = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    async with browser("--autoplay-policy=no-user-gesture-required", *sound) as chromium:
        mia = await sign_in(await Player.open(chromium, world, permissions=["microphone"], script=RECORDED),
                            "mia")
        stop = await open_stop(mia, tour)
        await stop.locator("textarea[name=history]").fill("A tree, and what it heard.")
        await stop.get_by_role("button", name="Record", exact=True).press("Enter")
        end = stop.get_by_role("button", name="Stop recording")
        await expect(end).to_be_visible()
        assert await mia.violations() == []
        await expect(stop.locator(".recording [role=status]")).to_have_text(re.compile(r"^([3-9]|\d\d+) s$"))
        await end.press("Enter")
        await expect(stop.get_by_text("Uploaded.", exact=True)).to_be_visible()
        await save(mia, stop)
        stop = await open_stop(mia, tour)
        await stop.get_by_role("button", name="Listen").press("Enter")
        await mia.page.wait_for_function(IS_HEARD)
        kind, part = await mia.page.evaluate(
            """async () => {
                const audio = document.querySelector('.recording audio');
                const type = (await fetch(audio.src)).headers.get('Content-Type');
                while (!Number.isFinite(audio.duration)) await new Promise(requestAnimationFrame);
                return [type, audio.duration * 1000 / window.recorded];
            }""")
        # It is as long as it took, but for the moment in which the microphone begins.
        assert kind == "audio/ogg" and 0.6 < part < 1.1, (kind, part)
        # The editor is left while it records: the microphone is let go, and nothing is uploaded.
        await mia.page.evaluate(
            """() => {
                const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
                navigator.mediaDevices.getUserMedia = async wanted => (window.taken = await ask(wanted));
            }""")
        await stop.get_by_role("button", name="Record", exact=True).press("Enter")
        await expect(stop.get_by_role("button", name="Stop recording")).to_be_visible()
        await mia.go("tours")
        await mia.page.wait_for_function("() => taken.getTracks().every(track => track.readyState === 'ended')")
        await mia.page.evaluate(
            """() => { navigator.mediaDevices.getUserMedia = () =>
                Promise.reject(new DOMException('no', 'NotAllowedError')); }""")
        stop = await open_stop(mia, tour)
        await stop.get_by_role("button", name="Record", exact=True).press("Enter")
        await expect(stop.get_by_text("does not allow the microphone")).to_be_visible()
        await expect(stop.get_by_role("button", name="Record", exact=True)).to_be_visible()
        mia.check()


# What a browser has that records MP4 alone: its recorder gives, of whatever it hears, the file that is in `recorded`.
MP4_ALONE = """
    window.asked = [];
    window.MediaRecorder = class extends EventTarget {
        static isTypeSupported(name) { return /^audio\\/mp4(;codecs=mp4a\\.40\\.2)?$/.test(name); }
        constructor(stream, { mimeType }) {
            super();
            this.state = 'inactive';
            window.asked.push(mimeType);
        }
        start() { this.state = 'recording'; }
        stop() {
            this.state = 'inactive';
            const bytes = Uint8Array.from(atob(window.recorded), one => one.charCodeAt(0));
            this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob([bytes]) }));
            this.dispatchEvent(new Event('stop'));
        }
    };
"""


@pytest.mark.seconds(120)
async def test_recordingOfABrowserWithMP4Alone_isTaken(world):
    """Safari records AAC in MP4, in fragments: the server makes one piece of it."""
    _, maker = await makers(world, "mia")
    tour = await published(maker, price=0)
    sound = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    recorded = base64.b64encode(FRAGMENTS.read_bytes()).decode()
    script = MP4_ALONE + f"window.recorded = '{recorded}';"
    async with browser("--autoplay-policy=no-user-gesture-required", *sound) as chromium:
        mia = await sign_in(await Player.open(chromium, world, permissions=["microphone"], script=script), "mia")
        stop = await open_stop(mia, tour)
        await stop.locator("textarea[name=history]").fill("A tree, and what it heard.")
        await stop.get_by_role("button", name="Record", exact=True).press("Enter")
        await stop.get_by_role("button", name="Stop recording").press("Enter")
        await expect(stop.get_by_text("Uploaded.", exact=True)).to_be_visible()
        assert await mia.page.evaluate("() => window.asked") == ["audio/mp4;codecs=mp4a.40.2"]
        await save(mia, stop)
        stop = await open_stop(mia, tour)
        await stop.get_by_role("button", name="Listen").press("Enter")
        await mia.page.wait_for_function(IS_HEARD)
        kind, seconds = await mia.page.evaluate(
            """async () => {
                const audio = document.querySelector('.recording audio');
                return [(await fetch(audio.src)).headers.get('Content-Type'), audio.duration];
            }""")
        assert kind == "audio/mp4" and 0.9 < seconds < 1.2, (kind, seconds)
        mia.check()
