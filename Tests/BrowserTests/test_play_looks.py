"""What a device and a person's wishes change of the page: weak devices, motion, names, brightness, colours, a screen
that stays awake, sensors that are asked for by a tap; and a sign-in that was ended elsewhere."""

import pytest

from playing import Player, browser, expect
from test_play_session import emptied

CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")

#: A device with so many cores and so much memory, in gigabytes.
DEVICE = """
    Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', {{ get: () => {} }});
    Object.defineProperty(Navigator.prototype, 'deviceMemory', {{ configurable: true, get: () => {} }});"""

#: A device that draws ten pictures in a second.
SLOW = """
    const soon = window.requestAnimationFrame;
    window.requestAnimationFrame = then => setTimeout(() => soon(then), 90);"""

#: Hello, as the page says it.
HELLOS = """
    window.hellos = [];
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
        import('/play/cairn/codec.js').then(({ decode }) => {
            const { hello } = decode('ClientMessage', new Uint8Array(data));
            if (hello) window.hellos.push(hello);
        });
        return send.call(this, data);
    };"""

#: A screen lock that the test looks at, and sensors that have to be asked for as on an iPhone.
PHONE = """
    window.locks = 0;
    Object.defineProperty(Navigator.prototype, 'wakeLock', { configurable: true, value: { request: async () => {
        window.locks += 1;
        return { release: async () => { window.locks -= 1; } };
    } } });
    window.motion = 'granted';
    window.asked = [];
    DeviceOrientationEvent.requestPermission = async () => {
        window.asked.push(navigator.userActivation.isActive);
        return window.motion;
    };"""


@pytest.mark.parametrize("cores, memory, kind, samples", [
    (2, 8, "DEVICE_CLASS_LOW", False), (8, 2, "DEVICE_CLASS_LOW", False), (8, 8, "DEVICE_CLASS_NORMAL", True)])
async def test_aWeakDevice_saysSo_andDrawsWithoutSmoothing(world, cores, memory, kind, samples):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, script=DEVICE.format(cores, memory) + HELLOS)).by_name("ada")
        await ada.ready()
        assert {one["deviceClass"] for one in await ada.page.evaluate("() => window.hellos")} == {kind}
        await ada.go("realm")
        await ada.page.wait_for_function("() => document.getElementById('realm').scene?.plane")
        assert samples == await ada.page.evaluate(
            "() => document.getElementById('realm').scene.renderer.getContext().getContextAttributes().antialias")
        ada.check()


async def test_aDeviceWhosePicturesAreSlow_getsACoarserOne(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, script=SLOW)).by_name("ada")
        await ada.ready()
        await ada.go("realm")
        await ada.page.wait_for_function("() => document.getElementById('realm').scene?.plane")
        ratio = "document.getElementById('realm').scene.renderer.getPixelRatio()"
        first = await ada.page.evaluate(f"() => {ratio}")
        await ada.page.wait_for_function(f"first => {ratio} < first", arg=first)
        # It is as large on the screen as before.
        size = "() => { const { width, height } = document.querySelector('#realm canvas').getBoundingClientRect();"
        frame = await ada.page.locator("#realm").bounding_box()
        assert await ada.page.evaluate(size + " return [width, height]; }") == [frame["width"], frame["height"]]
        ada.check()


async def test_wishes_countOnTheWholePage(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, reduced_motion="reduce")).sign_up("ada")
        await ada.ready()
        root = ada.page.locator("html")
        await expect(root).to_have_attribute("data-motion", "still")
        await ada.place("preset:heart")
        await ada.go("realm")
        await expect(ada.page.locator(".label.bare")).to_have_text(["Heart"])
        await ada.go("profile", "settings")
        for key, value in (("accessibility.objectNames", "off"), ("accessibility.colourTheme", "tritanopia")):
            await ada.page.locator(f"select[data-key='{key}']").select_option(value)
        await expect(root).to_have_attribute("data-colours", "tritanopia")
        await ada.page.evaluate(
            """() => part('core/app').then(({ client }) =>
                client.saveSettings({ 'display.brightness': '0.5' }))""")
        await ada.page.wait_for_function("() => getComputedStyle(document.body).filter === 'brightness(0.7)'")
        await ada.go("realm")
        await expect(ada.page.locator(".label")).to_have_count(0)
        # Motion is the person's own wish, too.
        await ada.page.emulate_media(reduced_motion="no-preference")
        await ada.go("profile", "settings")
        await ada.page.locator("select[data-key='accessibility.reducedMotion']").select_option("on")
        await expect(root).to_have_attribute("data-motion", "still")
        ada.check()


async def test_theCamera_asksForSensorsByATap_keepsTheScreenAwake_andIsTurnedUntilItFits(world):
    async with browser(*CAMERA) as chromium:
        ada = await (await Player.open(chromium, world, script=PHONE, permissions=["camera"])).by_name("ada")
        await ada.ready()
        await ada.go("realm")
        await ada.page.locator("#pill").click()
        await ada.page.evaluate("() => { window.motion = 'denied'; }")
        await ada.page.get_by_role("button", name="With the camera").click()
        await expect(ada.page.locator(".toast.bad, #sheet [role=alert]").first).to_be_visible()
        assert await ada.page.locator("video.camera").count() == 0
        await ada.page.evaluate("() => { window.motion = 'granted'; }")
        if not await ada.page.get_by_role("button", name="With the camera").is_visible():
            await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="With the camera").click()
        await expect(ada.page.locator("video.camera")).to_be_visible()
        assert await ada.page.evaluate("() => window.asked") == [True, True]
        await ada.page.wait_for_function("() => window.locks === 1")
        # The browser has ended it, because the page was hidden; the page is back.
        await ada.page.evaluate("() => { window.locks = 0; document.dispatchEvent(new Event('visibilitychange')); }")
        await ada.page.wait_for_function("() => window.locks === 1")
        # The compass is wrong by some degrees: the picture is dragged until it fits.
        heading = """async () => {
            const realm = await part('realm/realm'), { frames } = realm;
            while (realm.frames < frames + 2) {
                dispatchEvent(new DeviceOrientationEvent('deviceorientationabsolute',
                    { absolute: true, alpha: 0, beta: 90, gamma: 0 }));
                await new Promise(requestAnimationFrame);
            }
            const e = document.getElementById('realm').scene.camera.matrixWorld.elements;
            return Math.atan2(-e[8], e[10]) * 180 / Math.PI;
        }"""
        assert abs(await ada.page.evaluate(heading)) < 0.1
        if await ada.page.locator("#sheet").is_visible():
            await ada.page.keyboard.press("Escape")
        await ada.page.mouse.move(300, 300)
        await ada.page.mouse.down()
        await ada.page.mouse.move(400, 300, steps=5)
        await ada.page.mouse.up()
        fov, height = await ada.page.evaluate(
            "() => (({ scene, clientHeight }) => [scene.camera.fov, clientHeight])(document.getElementById('realm'))")
        assert abs(await ada.page.evaluate(heading) + 100 * fov / height) < 0.5
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="3D view").click()
        await ada.page.wait_for_function("() => window.locks === 0")
        ada.check()


async def test_theScreen_maySleepAgain_whereTheCameraIsLeftBeforeItIsHeldAwake(world):
    late = PHONE + """
        const { request } = navigator.wakeLock;
        Object.defineProperty(Navigator.prototype, 'wakeLock', { configurable: true, value: { request: async () => {
            window.isAsked = true;
            await new Promise(then => { window.grant = then; });
            return request();
        } } });"""
    async with browser(*CAMERA) as chromium:
        ada = await (await Player.open(chromium, world, script=late, permissions=["camera"])).by_name("ada")
        await ada.ready()
        await ada.go("realm")
        await ada.page.locator("#pill").click()
        await ada.page.get_by_role("button", name="With the camera").click()
        await ada.page.wait_for_function("() => window.isAsked")
        await ada.go("map")
        await expect(ada.page.locator("video.camera")).to_have_count(0)
        await ada.page.evaluate("() => window.grant()")
        await ada.page.wait_for_timeout(200)
        assert await ada.page.evaluate("() => window.locks") == 0
        ada.check()


async def test_aSignInThatIsEndedElsewhere_emptiesTheStorage(world):
    async with browser() as chromium:
        laptop = await (await Player.open(chromium, world)).sign_up("ada")
        phone = await (await Player.open(chromium, world)).sign_in("ada")
        await phone.ready()
        token = await phone.read("app.client.core.profile.token")
        await laptop.go("profile", "devices")
        await laptop.page.get_by_role("button", name="Sign out all other devices").click()
        await emptied(phone, token)
        assert await laptop.read("app.isSignedIn()")
        laptop.check(), phone.check()


async def test_textSizeBrightnessAndBackground_areChosenOnThePage_forEveryDevice(world):
    """By keyboard on the sliders; text of twice the size, and a brightness at which all can still be read."""
    async with browser() as chromium:
        laptop = await (await Player.open(chromium, world)).sign_up("ada")
        phone = await (await Player.open(chromium, world, size=(390, 760))).sign_in("ada")
        await laptop.go("profile", "settings")
        size = "() => parseFloat(getComputedStyle(document.querySelector('#menu a span')).fontSize)"
        before = {one: await one.page.evaluate(size) for one in (laptop, phone)}
        scale = laptop.page.locator("input[data-key='accessibility.fontScale']")
        await scale.focus()
        for _ in range(10):
            await laptop.page.keyboard.press("ArrowRight")
        assert await scale.input_value() == "2"
        for one in (laptop, phone):
            await one.page.wait_for_function(f"least => ({size})() >= least", arg=1.95 * before[one])
        await laptop.page.locator("input[data-key='display.brightness']").focus()
        await laptop.page.keyboard.press("Home")
        for one in (laptop, phone):
            await one.page.wait_for_function("() => getComputedStyle(document.body).filter === 'brightness(0.4)'")
        await laptop.page.locator("input[data-key='display.inventoryBackground']").fill("#204060")
        await phone.holds(
            """() => part('core/app').then(({ client }) =>
                client.settings.get('display.inventoryBackground') === '#204060')""")
        assert await phone.page.evaluate(
            "() => ['page', 'menu'].every(id => (({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth + 1)"
            "(document.getElementById(id)))")
        # The field by which the text changes stays where it is on the screen.
        await phone.go("profile", "settings")
        field = phone.page.locator("[data-key='accessibility.textSize']")
        await field.evaluate("field => field.scrollIntoView({ block: 'center' })")
        top = "field => field.getBoundingClientRect().top"
        before = await field.evaluate(top)
        for chosen in ("largest", "small"):
            await field.select_option(chosen)
            await expect(phone.page.locator("html")).to_have_attribute("data-size", chosen)
            assert abs(await field.evaluate(top) - before) <= 2, chosen
        laptop.check(), phone.check()


async def test_theMapsScale_standsAboveTheSheet_andTimesAreOfTheBrowsersRegion(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=(390, 700))).by_name("ada")
        await ada.ready()
        await ada.page.keyboard.press("l")
        await expect(ada.page.locator("#list-body")).to_be_visible()
        await ada.holds("""() => document.querySelector('.leaflet-control-scale').getBoundingClientRect().bottom
            <= document.getElementById('sheet').getBoundingClientRect().top""")
        written = await ada.page.evaluate(
            """() => part('core/texts')
                .then(({ moment }) => moment(new Date(2020, 10, 28, 17, 33).getTime()))""")
        assert written == "28 Nov 2020, 17:33"
        ada.check()


#: What of the lines of settings, and of the sliders of placing, cannot be read: words that are broken into letters, and
#: parts of a line that lie over one another or beyond it.
UNREADABLE = """selector => [...document.querySelectorAll(selector)].flatMap(line => {
    const found = [], box = line.getBoundingClientRect(), parts = [...line.children].filter(one => one.offsetHeight);
    const boxes = parts.map(one => one.getBoundingClientRect());
    boxes.forEach((one, n) => {
        if (one.left < box.left - 1 || one.right > box.right + 1) found.push(['beyond', parts[n].textContent]);
        if (boxes.slice(n + 1).some(other => one.left < other.right - 1 && other.left < one.right - 1
            && one.top < other.bottom - 1 && other.top < one.bottom - 1)) found.push(['over', parts[n].textContent]);
    });
    for (const name of line.querySelectorAll('label, output')) {
        const text = name.firstChild, range = document.createRange();
        for (const { index, 0: word } of text?.data?.matchAll(/\\S+/g) ?? []) {
            range.setStart(text, index), range.setEnd(text, index + word.length);
            if (range.getClientRects().length > Math.ceil(word.length / 8)) found.push(['broken', word]);
        }
    }
    return found;
})"""


@pytest.mark.parametrize("width", [390, 320])
async def test_largeText_leavesTheLinesOfSettingsAndOfPlacingReadable(world, width):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, size=(width, 760))).by_name("ada")
        await ada.ready()
        for size, scale in (("largest", 1), ("medium", 2), ("largest", 3), ("small", 0.5)):
            await ada.page.evaluate(
                """async values => {
                    const { save } = await part('core/settings');
                    for (const one of values) await save(...one);
                }""",
                [["accessibility.textSize", size], ["accessibility.fontScale", str(scale)]])
            await ada.go("profile", "settings")
            await expect(ada.page.locator(".field.inline select").first).to_be_visible()
            assert await ada.page.evaluate(UNREADABLE, ".field.inline") == [], (size, scale)
            # Nothing that scrolls passes under the pill.
            assert await ada.page.evaluate("""() => {
                const [pill, page] = ['pill', 'page'].map(id => document.getElementById(id).getBoundingClientRect());
                return pill.height > 0 && pill.bottom <= page.top;
            }"""), (size, scale)
            await ada.go("map")
            await ada.page.locator("#add").click()
            await ada.page.locator("[data-object]").first.click()
            await expect(ada.page.locator(".slider").first).to_be_visible()
            assert await ada.page.evaluate(UNREADABLE, ".slider") == [], (size, scale)
            assert await ada.page.evaluate(
                "() => ['sheet', 'menu'].every(id => (({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth + 1)"
                "(document.getElementById(id)))"), (size, scale)
            await ada.page.keyboard.press("Escape")
        ada.check()
