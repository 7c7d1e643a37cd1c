"""The help of the server, as an answer and as a page, to guests too (PRF-10, ACS-1)."""

import asyncio
import json
import signal

import pytest
from axe_playwright_python.async_playwright import Axe

from accounts import MANY, guest, sign_up
from browser import AXE, expect, quiet_page
from cairn import PATIENCE, eventually
from server import run

SETTINGS = {"help__phone": "+41 44 123 45 67", "help__formAddress": "support@example.org"}
ENGLISH = {
    "questions": [{"question": "Where is it?", "answer": "Here.\nOr there."}, {"question": "Why?", "answer": "<b>&"}],
    "further": "Ask us.", "form": "Tell us about you.", "labels": {"organisation": "Name", "web": "Website"},
}  # fmt: skip
FORM = [
    {"name": "organisation", "kind": "text", "required": True}, {"name": "web", "kind": "address", "required": False}
]  # fmt: skip


@pytest.fixture
def world(start):
    return start(accounts__open="false", **SETTINGS, **MANY)


def file(folder, form=FORM, **languages):
    path = folder / "help.json"
    path.write_text(json.dumps({"form": form, "languages": {"en": ENGLISH} | languages}))
    return path


async def test_PRF_10_guests_and_users_get_the_help_in_their_language(world):
    expected = {"en": "How do I change the language?", "fr": "Comment changer la langue ?", "zh": "如何更改语言？"}
    for language, question in expected.items():
        help = await (await guest(world, language=language)).ask("getHelp")
        assert help["language"] == language
        assert question in [item["question"] for item in help["questions"]]
        assert len(help["questions"]) == 7 and all(item["answer"] for item in help["questions"])
        assert help["further"] and help["form"]["text"]
        assert (help["phone"], help["form"]["address"]) == ("+41 44 123 45 67", "support@example.org")
        fields = [(field["name"], field["kind"], field.get("required", False)) for field in help["form"]["fields"]]
        assert fields[0] == ("organisation", "text", True) and ("website", "address", False) in fields
        assert all(field["label"] for field in help["form"]["fields"])
    ada = await sign_up(world, "ada", language="es")
    assert (await ada.ask("getHelp"))["further"].startswith("¿No ha encontrado la respuesta?")
    assert (await (await guest(world, language="tlh")).ask("getHelp"))["language"] == "en"


async def test_PRF_10_without_a_phone_none_is_told(start):
    help = await (await guest(start(accounts__open="false"))).ask("getHelp")
    assert "phone" not in help and "address" not in help["form"]


async def test_PRF_10_the_texts_come_from_a_file_and_english_stands_in(start, tmp_path):
    path = file(tmp_path, fr={"further": "Demandez-nous.", "labels": {"organisation": "Nom"}})
    server = start(accounts__open="false", help__file=path)
    french = await (await guest(server, language="fr")).ask("getHelp")
    assert french == {
        "language": "fr", "questions": ENGLISH["questions"], "further": "Demandez-nous.",
        "form": {
            "text": "Tell us about you.",
            "fields": [
                {"name": "organisation", "label": "Nom", "kind": "text", "required": True},
                {"name": "web", "label": "Website", "kind": "address"},
            ],
        },
    }  # fmt: skip


DAMAGED = {
    "no JSON": ("{", "it is no JSON"),
    "no form": ('{"languages": {}}', "form: is missing"),
    "no English": (json.dumps({"form": [], "languages": {"fr": ENGLISH | {"labels": {}}}}), "languages.en: is missing"),
    "half of English": (json.dumps({"form": [], "languages": {"en": {"further": ""}}}), "languages.en.questions"),
    "a number for a text": (json.dumps({"form": [], "languages": {"en": {"further": 7}}}), "languages.en.further"),
    "a kind that there is not": (
        json.dumps({"form": [FORM[0] | {"kind": "colour"}], "languages": {"en": ENGLISH}}), "colour"),
    "a field twice": (json.dumps({"form": [FORM[0]] * 2, "languages": {"en": ENGLISH}}), "twice"),
    "a field without a label": (
        json.dumps({"form": [FORM[0] | {"name": "more"}], "languages": {"en": ENGLISH | {"labels": {}}}}),
        "languages.en.labels.more: is missing"),
    "a label without a field": (json.dumps({"form": [], "languages": {"en": ENGLISH}}), "has no such field"),
    "too long an answer": (
        json.dumps(
            {"form": [], "languages": {"en": ENGLISH | {
                "labels": {}, "questions": [{"question": "Why?", "answer": "x" * 2_001}]}}}),
        "questions.0.answer: more than 2000 characters"),
    "too many questions": (
        json.dumps({"form": [], "languages": {"en": ENGLISH | {
            "labels": {}, "questions": [{"question": "Why?", "answer": "So."}] * 101}}}),
        "languages.en.questions: more than 100"),
    "too much in all": (
        json.dumps({"form": [], "languages": {"en": ENGLISH | {
            "labels": {}, "questions": [{"question": "Why?", "answer": "x" * 2_000}] * 30}}}),
        "bytes of text"),
    "too large a file": (" " * 262_145, "more than 262144 bytes"),
}  # fmt: skip


@pytest.mark.parametrize("text, word", DAMAGED.values(), ids=DAMAGED)
def test_PRF_10_a_damaged_file_ends_the_start_and_is_named(tmp_path, text, word):
    path = tmp_path / "help.json"
    path.write_text(text)
    result = run("serve", "--port", 0, "--data", tmp_path / "data", "--set", f"help.file={path}")
    assert result.returncode == 78, result
    assert "help.file" in result.stderr and str(path) in result.stderr and word in result.stderr, result.stderr
    checked = run("config", "check", "--set", f"help.file={path}")
    assert checked.returncode == 78 and "help.file" in checked.stderr + checked.stdout


@pytest.mark.parametrize("key, value", [("phone", "call me"), ("phone", "-"), ("formAddress", "nobody"), ("file", "/")])
def test_PRF_10_a_setting_that_nobody_could_use_is_refused(tmp_path, key, value):
    result = run("serve", "--port", 0, "--data", tmp_path, "--set", f"help.{key}={value}")
    assert result.returncode == 78 and f"help.{key}" in result.stderr


async def test_PRF_10_the_file_is_read_again_and_a_damaged_one_leaves_the_old_texts(start, tmp_path):
    path = file(tmp_path)
    server = start(accounts__open="false", help__file=path)
    client = await guest(server)
    assert (await client.ask("getHelp"))["further"] == "Ask us."
    file(tmp_path, en=ENGLISH | {"further": "Ask them."})
    server.process.send_signal(signal.SIGHUP)

    async def is_new():
        return (await client.ask("getHelp"))["further"] == "Ask them."

    await eventually(is_new, "the new text")
    path.write_text("{")
    server.process.send_signal(signal.SIGHUP)
    server.logged("the help cannot be read again; the old texts stay in force: configuration: help.file")
    assert (await client.ask("getHelp"))["further"] == "Ask them."


# MARK: - The page


@pytest.mark.parametrize("scheme, width", [("light", 390), ("dark", 1200)])
async def test_PRF_10_the_page_shows_the_help_and_everybody_can_use_it(world, tmp_path, scheme, width):
    async with quiet_page(color_scheme=scheme, viewport={"width": width, "height": 900}, locale="fr-CA") as page:
        response = await page.goto(world.http + "/help")
        assert "default-src 'none'" in response.headers["content-security-policy"]
        await expect(page.get_by_role("heading", level=1)).to_have_text("Aide")
        assert await page.title() == "Aide" and await page.locator("html").get_attribute("lang") == "fr"
        question = page.get_by_text("Comment changer la langue ?")
        await expect(question).to_be_visible()
        answer = page.get_by_text("Dans les réglages, sous accessibilité.")
        await expect(answer).to_be_hidden()
        await question.focus()
        await page.keyboard.press("Enter")
        await expect(answer).to_be_visible()
        await expect(page.get_by_role("link", name="+41 44 123 45 67")).to_have_attribute("href", "tel:+41441234567")
        await expect(page.get_by_role("link", name="support@example.org")).to_have_attribute(
            "href", "mailto:support@example.org")
        await expect(page.get_by_role("listitem").first).to_have_text("Nom de l'organisation (obligatoire)")
        assert (await Axe().run(page, options=AXE)).response["violations"] == []
        await page.screenshot(path=str(tmp_path / f"help-{scheme}.png"), full_page=True)
        # Nothing is wider than the window.
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    "locale, title", [("en", "Help"), ("es", "Ayuda"), ("hi", "सहायता"), ("zh-CN", "帮助"), ("tlh", "Help")]
)
async def test_PRF_10_the_page_speaks_the_language_of_the_browser_and_the_chosen_one(world, locale, title):
    async with quiet_page(locale=locale) as page:
        await page.goto(world.http + "/help")
        await expect(page.get_by_role("heading", level=1)).to_have_text(title)
        await page.locator("#language").select_option("hi")
        await expect(page.get_by_role("heading", level=1)).to_have_text("सहायता")
        await expect(page.get_by_text("मैं भाषा कैसे बदलूँ?")).to_be_visible()
        assert await page.locator("html").get_attribute("lang") == "hi"


async def test_PRF_10_an_answer_that_is_overtaken_by_another_language_shows_nothing(world):
    sockets, answers, is_there, is_read = [], [], asyncio.Event(), asyncio.Event()

    def relay(socket):
        server = socket.connect_to_server()
        sockets.append(socket)
        if len(sockets) > 1:
            return

        def pass_on(message):
            if '"questions"' in message:
                answers.append(message)
                is_there.set()
            else:
                socket.send(message)

        server.on_message(pass_on)
        # The page ends the connection when it has read the answer.
        socket.on_close(lambda *_: is_read.set())

    async with quiet_page(locale="zh-CN") as page:
        await page.route_web_socket(lambda url: True, relay)
        await page.goto(world.http + "/help")
        await asyncio.wait_for(is_there.wait(), PATIENCE)
        await page.locator("#language").select_option("hi")
        await expect(page.get_by_text("मैं भाषा कैसे बदलूँ?")).to_be_visible()
        sockets[0].send(answers[0])
        await asyncio.wait_for(is_read.wait(), PATIENCE)
        await expect(page.get_by_text("मैं भाषा कैसे बदलूँ?")).to_be_visible()
        await expect(page.get_by_text("如何更改语言？")).to_have_count(0)


async def test_PRF_10_the_page_shows_texts_as_they_are_and_hides_what_there_is_not(start, tmp_path):
    path = file(tmp_path, form=[], en=ENGLISH | {"labels": {}})
    server = start(accounts__open="false", accounts__languages="en", help__file=path)
    async with quiet_page(locale="fr") as page:
        await page.goto(server.http + "/help")
        await page.get_by_text("Why?").click()
        await expect(page.get_by_text("<b>&", exact=True)).to_be_visible()
        for absent in ("#form", "#phone", "#address", "#choice"):
            await expect(page.locator(absent)).to_be_hidden()
        await page.get_by_text("Where is it?").click()
        await expect(page.locator("details").first.locator("p")).to_have_count(2)
