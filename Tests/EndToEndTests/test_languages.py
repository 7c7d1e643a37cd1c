"""Every text that the server writes for people, in the language of the person (ACS-1)."""

import signal

import pytest

from accounts import MANY, PASSWORD, guest, sign_up
from cairn import Client, eventually
from server import run
from test_live_space import refused
from test_settings import settings

SENTENCES = {
    "en": "Sign in first.",
    "es": "Primero inicie sesión.",
    "fr": "Connectez-vous d'abord.",
    "hi": "पहले साइन इन करें।",
    "zh": "请先登录。",
}

NOBODY = "There is no such person."


@pytest.fixture
def world(start):
    return start(accounts__open="false", **MANY)


async def speak(client, language):
    await client.ask("saveSettings", settings(accessibility__language=language))


async def test_ACS_1_the_same_refusal_comes_in_each_language_with_the_same_code(world):
    seen = {}
    for language, sentence in SENTENCES.items():
        client = await guest(world, language=language)
        refusal = await refused("not_signed_in", client.ask("getProfile"))
        assert refusal.message == sentence
        seen[language] = (refusal.code, refusal.component, refusal.details, refusal.retry_after)
    assert len(set(map(str, seen.values()))) == 1, seen


@pytest.mark.parametrize(
    "tag, sentence",
    [("fr-CA", "fr"), ("ZH-Hans-CN", "zh"), ("es_MX", "es"), ("tlh", "en"), ("", "en"), ("x" * 40, "en")],
)
async def test_ACS_1_a_language_is_chosen_by_its_primary_tag_and_english_stands_in(world, tag, sentence):
    client = await guest(world, language=tag)
    assert (await refused("not_signed_in", client.ask("getProfile"))).message == SENTENCES[sentence]


async def test_ACS_1_the_setting_goes_before_hello_changes_live_and_ends_with_the_sign_in(world):
    ada = await sign_up(world, "ada", language="fr")
    phone = await guest(world, language="hi")
    await phone.ask("signIn", {"login": "ada", "password": PASSWORD})

    async def said(client):
        return (await refused("forbidden", client.ask("signIn", {"login": "a", "password": "b"}))).message

    assert await said(ada) == "cette connexion est authentifiée : déconnectez-vous d'abord"
    assert await said(phone) == "यह कनेक्शन साइन इन है: पहले साइन आउट करें"
    await speak(ada, "es")
    # Both of the person's devices, at once.
    for client in (ada, phone):
        assert await said(client) == "esta conexión tiene la sesión iniciada: ciérrela primero"
    later = await guest(world, language="zh")
    await later.ask("signIn", {"login": "ada", "password": PASSWORD})
    assert await said(later) == "esta conexión tiene la sesión iniciada: ciérrela primero"
    await speak(later, "")
    assert await said(later) == "此连接已登录，请先退出登录"
    assert await said(ada) == "cette connexion est authentifiée : déconnectez-vous d'abord"
    await speak(ada, "en")
    await later.ask("signOut")
    assert (await refused("not_signed_in", later.ask("getProfile"))).message == SENTENCES["zh"]


async def test_ACS_1_a_sentence_has_its_figures_in_each_language(start, spot):
    server = start(posts__charactersMax=20)
    words = {
        "en": "25 characters, the limit is 20", "es": "25 caracteres; el límite es 20",
        "fr": "25 caractères ; la limite est 20", "hi": "25 अक्षर, सीमा 20 है", "zh": "25 个字符，上限为 20",
    }  # fmt: skip
    for language, sentence in words.items():
        client = await Client.connect(server, "Ada", language=language)
        await client.stand_at(*spot)
        refusal = await refused("text_too_long", client.make_post("x" * 25))
        assert refusal.message == sentence
        assert refusal.details == {"field": "text", "count": "25", "limit": "20"}


async def test_ACS_1_words_in_a_quotas_refusal_are_translated_with_it(start, spot):
    server = start(posts__perDay=1, posts__perMinute=1)
    client = await Client.connect(server, "Ada", language="fr")
    await client.stand_at(*spot)
    await client.make_post("one")
    refusal = await refused("quota_period", client.make_post("two"))
    assert refusal.message == "1 publications (période : jour) ; la limite est 1"
    assert refusal.details["period"] == "day"


async def test_ACS_1_what_is_wrong_with_a_message_stands_in_english_behind_the_sentence(world):
    client = await guest(world, language="fr")
    refusal = await refused("unknown_type", client.ask("getHelq"))
    assert refusal.message.startswith("Ce serveur ne connaît pas ce type de message. (there is no \"getHelq\"")
    assert refusal.details["nearest"] == "getHelp"


async def test_ACS_1_a_closure_says_why_in_the_language(world):
    client = await guest(world, language="es")
    world.process.send_signal(signal.SIGTERM)

    async def is_told():
        return client.closing

    closing = await eventually(is_told, "the closure")
    assert closing["message"] == "El servidor se está reiniciando." and closing["code"] == "server_shutdown"


async def test_ACS_1_languages_that_are_not_chosen_are_english(start):
    server = start(accounts__open="false", accounts__languages="en,es", **MANY)
    for language, sentence in [("fr", "en"), ("es", "es")]:
        client = await guest(server, language=language)
        assert (await refused("not_signed_in", client.ask("getProfile"))).message == SENTENCES[sentence]
    ada = await sign_up(server, "ada", language="es")
    await speak(ada, "hi")
    assert (await refused("user_not_found", ada.ask("readProfile", {"account": "0" * 13}))).message == NOBODY


def test_ACS_1_an_unknown_language_is_refused_at_the_start(tmp_path):
    result = run("serve", "--port", 0, "--data", tmp_path, "--set", "accounts.languages=en,tlh")
    assert result.returncode == 78 and "accounts.languages" in result.stderr and "tlh" in result.stderr
