"""What goes wrong on the way: a name that is refused, a tap too many, a network that is gone at the wrong moment, and
the browser's Back."""

import pytest

from cairn import Client, eventually, pose
from playing import PLACE, Player, address, browser, expect
from test_play_texts import LANGUAGES, TEXTS

#: Ground that is higher than any slider of the editor goes.
HIGH = 2240.0


async def test_whoHasNoHeight_placesBesideThingsOnHighGround(world):
    """A place from the map or of a fix without altitude: the height is unknown, not 0 (PLC-4)."""
    cem = await Client.connect(world, "cem")
    await cem.stand_at(*PLACE, HIGH)
    await cem.place(pose(*PLACE, HIGH))
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await expect(ada.page.locator(".mark-box[aria-label*='Heart']")).to_have_count(1)
        await ada.place("preset:heart")
        await expect(ada.page.locator(".mark-box[aria-label*='2 things']")).to_have_count(1)
        ada.check()


async def test_nameThatIsRefused_isSaid_andAnotherOneSignsIn(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        await ada.go("profile", "signin")
        name = ada.page.locator(".by-name input")
        await name.fill("a!")
        await ada.page.locator(".by-name button").click()
        await expect(ada.page.locator(".by-name .refusal")).to_have_attribute("data-code", "invalid_username")
        await expect(ada.page.locator(".toast")).to_have_count(0)
        await ada.live()
        await name.fill("ada")
        await ada.page.locator(".by-name button").click()
        await ada.page.wait_for_function("() => location.hash === '#/map'")
        assert await ada.read("app.client.welcome.name") == "ada"
        ada.check()


async def test_twoTapsOnPost_makeOnePost(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.page.locator("#add").click()
        await ada.page.get_by_role("button", name="Write a post here").click()
        await ada.page.locator("#sheet textarea").fill("Once")
        await ada.page.locator("#sheet button[type=submit]").evaluate("button => { button.click(); button.click(); }")
        await expect(ada.page.locator(".toast").filter(has_text="Posted.")).to_have_count(1)
        await ada.page.keyboard.press("l")
        await ada.page.locator("[data-tab=mine]").click()
        await expect(ada.page.locator("#list-body .line")).to_have_count(1)
        ada.check()


async def test_postThatIsClosed_isThereAgain_unlessItIsCancelled(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        text = ada.page.locator("#sheet textarea")

        async def begin():
            await ada.page.locator("#add").click()
            await ada.page.get_by_role("button", name="Write a post here").click()

        await begin()
        await text.fill("Half a thou")
        await text.press("Escape")
        await begin()
        await expect(text).to_have_value("Half a thou")
        await ada.page.locator("#sheet").get_by_role("button", name="Cancel").click()
        await begin()
        await expect(text).to_have_value("")
        ada.check()


@pytest.mark.seconds(120)
async def test_whatIsCancelledOnItsWay_isSaidToGoOn(start):
    world = start(accounts__open="true", accounts__signUpsPerHour=1000)
    folder, port = world.folder, world.port
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ada.expected += ["WebSocket connection", "ERR_CONNECTION_"]
        await ada.ready()
        await ada.page.locator("#add").click()
        await ada.page.locator("[data-object='preset:heart']").click()
        world.kill()
        await ada.page.locator(".editor button[type=submit]").click()
        await ada.page.locator(".editor").get_by_role("button", name="Cancel").click()
        await expect(ada.page.locator(".toast").filter(has_text="It is on its way")).to_be_visible()
        start(accounts__open="true", accounts__signUpsPerHour=1000, folder=folder, port=port)
        await expect(ada.page.locator(".mark-box[aria-label*='Heart']")).to_have_count(1)
        ada.check()


async def test_languageWhoseTextsDoNotArrive_leavesThePageAsItIs(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        ada.expected += ["Failed to load resource"]
        await ada.page.route("**/texts-fr.json", lambda route: route.abort())
        await ada.go("profile", "settings")
        await ada.page.get_by_label("Language", exact=True).select_option("fr")
        await eventually(lambda: ada.read("app.client.settings.get('accessibility.language') === 'fr'"), "no setting")
        await expect(ada.page.get_by_text("Failed to fetch")).to_have_count(0)
        await ada.page.reload()
        await ada.live()
        await expect(ada.page.get_by_label("Language", exact=True)).to_be_visible()
        ada.check()


async def test_back_leadsToNoTapThatIsOver_andNoQuestionThatIsLeft(world):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        await ada.go("profile")
        await ada.go("map", "choose")
        await ada.page.locator("#map").click(position={"x": 300, "y": 200})
        await ada.page.wait_for_function("() => location.hash === '#/map'")
        await ada.page.go_back()
        await ada.page.wait_for_function("() => location.hash === '#/profile'")
        # A question that one goes away from has no yes any more.
        await ada.page.evaluate(
            """() => part('components/dialog').then(({ confirmed }) => {
                window.answer = confirmed('Sure?', 'Yes');
            })""")
        await expect(ada.page.locator("dialog")).to_be_visible()
        await ada.go("tours")
        await expect(ada.page.locator("dialog")).to_have_count(0)
        assert await ada.page.evaluate("() => window.answer") is False
        ada.check()


async def test_noConnection_isSaidUntilThereIsOne(world):
    async with browser() as chromium:
        ada = await Player.open(chromium, world, at=None, path="#/profile")
        await ada.live()
        ada.expected += ["WebSocket connection", "ERR_CONNECTION_", "Failed to load resource"]
        await ada.page.add_init_script(
            """const Socket = WebSocket;
            window.WebSocket = class { constructor(...all) {
                if (window.isUp) return new Socket(...all);
                setTimeout(() => this.onclose?.({ code: 1006, reason: '' }));
            } };""")
        await ada.page.reload()
        await expect(ada.page.locator("#sheet h2")).to_have_text("No connection")
        await ada.page.evaluate("() => { window.isUp = true; }")
        await ada.live()
        await expect(ada.page.locator("#sheet")).to_be_hidden()
        ada.check()


async def test_browserThatKeepsNothing_opensThePage(world):
    refuse = """for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });"""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, script=refuse)).by_name("ada")
        await ada.ready()
        await expect(ada.page.locator("#opening")).to_have_count(0)
        ada.check()


#: A page that is cut off, without WebGL, and whose camera is refused, each by a word in the address of the page.
MISHAPS = """const has = word => location.search.includes(word);
if (has('cut')) window.WebSocket = class { constructor() {
    setTimeout(() => this.onclose?.({ code: 1006, reason: '' })); } };
if (has('flat')) {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function(kind, ...rest) {
        return kind.startsWith('webgl') ? null : getContext.call(this, kind, ...rest); };
}
navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));"""


@pytest.mark.seconds(240)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_whatGoesWrong_isOneSentenceWithOneWayOn(start, language):
    """An old link, a refused camera, no WebGL, and a server that takes nobody in, in the five languages."""
    world = start(accounts__open="true", guests__look="true")
    texts = {key: text for folder in TEXTS[language].values() for key, text in folder.items()}
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world, language=language, script=MISHAPS)).live()
        ada.expected += ["Failed to load resource", "WebGL", "THREE"]
        page, sheet = ada.page.locator("#page"), ada.page.locator("#sheet")
        await ada.go("tours", "code", "NEVERWAS")
        await expect(page.locator(".card p").first).to_have_text(texts["tours.code.none"])
        await expect(page.locator(".card .button")).to_have_attribute("href", "#/tours")
        await ada.go("realm")
        await expect(ada.page.locator("#realm .scene")).to_be_visible()
        await ada.page.evaluate("() => part('realm/realm').then(({ changeWay }) => changeWay('camera'))")
        await expect(ada.page.locator(".toast.bad > span")).to_have_text(texts["camera.denied"])
        await expect(ada.page.locator("#realm .scene")).to_be_visible()

        async def opened(word):
            await ada.page.goto(f"{address(world)}?at={PLACE[0]},{PLACE[1]}&{word}#/realm")

        await opened("flat")
        await expect(ada.page.locator("#realm p").first).to_have_text(texts["realm.noWebGL"])
        await expect(ada.page.locator("#realm button.accent")).to_have_text(texts["list"])
        await opened("cut")
        await expect(sheet.locator("h2")).to_have_text(texts["offline"])
        await expect(sheet.locator(".sheet-body p")).to_have_text(texts["offline.full"])
        await expect(ada.page.locator(".toast")).to_have_count(0)
        ada.check()


async def test_whatIsNotStored_whatWaits_andWhatIsBroken_areSaidInASentenceEach(world):
    """The client's events `kept` and `error`, and changes that wait for the server."""
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).by_name("ada")
        await ada.ready()
        ada.expected.append("broken on purpose")
        await ada.page.evaluate(
            """() => part('core/app').then(({ client }) => {
                const { store } = client, { putRequest } = store;
                store.putRequest = async () => { throw new DOMException('full', 'QuotaExceededError'); };
                window.mend = () => { store.putRequest = putRequest; };
                // Nobody answers it, so that it waits.
                client.disconnect();
                client.request('createPost', { text: 'a' }).catch(() => {});
            })""")
        await expect(ada.page.locator(".toast.bad")).to_contain_text("cannot store what you do")
        await expect(ada.page.locator("#pill")).to_contain_text("No connection · 1 waiting")
        await ada.page.evaluate("() => window.mend()")
        await expect(ada.page.locator(".toast")).to_have_count(1)
        await expect(ada.page.locator(".toast")).to_contain_text("stores what you do again")
        await ada.page.evaluate("() => part('core/app').then(({ client }) => client.connect())")
        await expect(ada.page.locator("#pill")).not_to_contain_text("waiting")
        for _ in range(2):
            await ada.page.evaluate(
                """() => part('core/app').then(({ client }) => {
                    const end = client.on('followed', () => { throw new TypeError('broken on purpose'); });
                    client.emit('followed', {});
                    end();
                })""")
        await expect(ada.page.locator(".toast.bad")).to_contain_text("did not work. Load it again")
        ada.check()


@pytest.mark.parametrize("server, words, way", [
    (2, "Load the page again: the server has a newer one.", "Load again"),
    (0, "The server is the older one", "Try again")])
async def test_aServerOfAnotherVersion_isSaidWithWhatToDo(world, server, words, way):
    async with browser() as chromium:
        ada = await (await Player.open(chromium, world)).live()
        await ada.page.evaluate(
            """version => part('core/app').then(({ client }) => {
                client.core.phase = 'greeting';
                client.take('refused', { code: 'unsupported_version', message: 'in words for developers',
                    details: { version } });
            })""", str(server))
        await expect(ada.page.locator(".toast.bad")).to_contain_text(words)
        await expect(ada.page.locator(".toast.bad")).not_to_contain_text("developers")
        await expect(ada.page.locator(".toast.bad button").first).to_have_text(way)
        ada.check()
