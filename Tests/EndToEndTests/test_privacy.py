"""The privacy policy, the data region and consent (CMP-1, CMP-7)."""

import json

import pytest
from axe_playwright_python.async_playwright import Axe

from accounts import MANY, guest, person, sign_up
from browser import AXE, expect, quiet_page
from cairn import Client
from pictures import fetch
from server import get, run
from test_live_space import refused
from test_serve_refusals import refuses


@pytest.fixture
def world(start):
    return start(accounts__open="false", **MANY)


# MARK: - Region (CMP-7)


@pytest.mark.parametrize("region", ["DE", "FR-PAR", "US-HI", "US-PR", "CA-XX", "CAN", "ca", "CA-", "North America"])
def test_a_region_that_is_not_in_north_america_keeps_the_server_from_starting(tmp_path, region):
    for command in (["serve", "--port", 0, "--data", tmp_path], ["config", "check"]):
        result = run(*command, "--set", f"storage.region={region}")
        refuses(result, "storage.region", region, "North America", code=78)
    assert not (tmp_path / "cairn.sqlite").exists()


@pytest.mark.parametrize("region", ["US", "CA-ON", "MX-JAL"])
async def test_operators_and_people_are_told_the_region(start, region):
    server = start(storage__region=region)
    assert f'cairn_data_region{{region="{region}"}} 1\n' in (await get(f"{server.http}/metrics"))[2]
    assert any(f"in region {region}" in line for line in server.greeting)
    client = await guest(server)
    policy = await client.ask("getPolicy")
    assert policy["region"] == region and region in policy["text"]


# MARK: - The policy (CMP-1)

TITLES = {
    "en": "Privacy policy of Cairn",
    "fr": "Politique de confidentialité de Cairn",
    "es": "Política de privacidad de Cairn",
    "zh": "Cairn 隐私政策",
    "hi": "Cairn की गोपनीयता नीति",
}


async def test_a_guest_is_served_the_policy_with_its_purposes_in_five_languages(world):
    client = await guest(world, language="fr-CA")
    assert (await client.ask("getPolicy"))["title"] == TITLES["fr"]
    for language, title in TITLES.items():
        policy = await client.ask("getPolicy", {"language": f"{language}-XX"})
        assert (policy["language"], policy["title"], policy["version"]) == (language, title, "1")
        assert len(policy["text"].split("\n\n")) == 17 and "{" not in policy["text"]
    assert (await client.ask("getPolicy", {"language": "tlh"}))["language"] == "en"
    assert "# What we keep, and for what" in (await client.ask("getPolicy", {"language": "en"}))["text"]


async def test_operators_give_a_policy_of_their_own(start, tmp_path):
    folder = tmp_path / "policy"
    folder.mkdir()
    (folder / "en.txt").write_text("Our rules\n\nWe, {service}, keep it in {region}.\n")
    (folder / "fr.txt").write_text("Nos règles\n\nVersion {version}.\n")
    server = start(accounts__policyFolder=str(folder), accounts__policyVersion="7", accounts__serviceName="Hill")
    client = await guest(server)
    policy = await client.ask("getPolicy", {"language": "hi"})
    assert (policy["language"], policy["title"], policy["text"]) == ("en", "Our rules", "We, Hill, keep it in CA.")
    assert (await client.ask("getPolicy", {"language": "fr"}))["text"] == "Version 7."
    (folder / "fr.txt").unlink()
    (folder / "en.txt").write_bytes(b"\xff\xfe")
    result = run("config", "check", "--set", f"accounts.policyFolder={folder}")
    refuses(result, "accounts.policyFolder", "en.txt")


async def test_an_agreement_is_kept_with_version_and_time(start):
    settings = {"accounts__open": "false", **MANY}
    server = start(**settings)
    ada = await sign_up(server, "ada")
    profile = await ada.ask("getProfile")
    assert profile["policyVersion"] == "1"
    first = int(profile["policyAgreed"])
    await refused("consent_required", ada.ask("agreePolicy", {"version": "2"}))
    await ada.ask("agreePolicy", {"version": "1"})
    assert int((await ada.ask("getProfile"))["policyAgreed"]) == first
    server.stop()
    server = start(accounts__policyVersion="2", **settings)
    ada = await Client.connect(server, token=ada.welcome["token"])
    assert ada.welcome["limits"]["policyVersion"] == "2"
    assert (await ada.ask("getProfile"))["policyVersion"] == "1"
    await ada.ask("agreePolicy", {"version": "2"})
    profile = await ada.ask("getProfile")
    assert profile["policyVersion"] == "2" and int(profile["policyAgreed"]) > first
    await refused("not_signed_in", (await guest(server)).ask("agreePolicy", {"version": "2"}))
    await refused("consent_required", (await guest(server)).ask("signUp", person("bob")))


async def test_an_open_account_has_no_consent_here(start):
    ada = await Client.connect(start(), "Ada")
    await refused("forbidden", ada.ask("agreePolicy", {"version": "1"}))


# MARK: - The page


async def test_the_page_shows_the_policy_and_everybody_can_read_it(world):
    async with quiet_page(locale="en-CA", color_scheme="light", viewport={"width": 390, "height": 700}) as page:
        await page.goto(world.http + "/privacy")
        await expect(page.get_by_role("heading", level=1)).to_have_text(TITLES["en"])
        await expect(page.get_by_role("heading", level=2)).to_have_count(5)
        await expect(page.get_by_role("heading", name="Your rights")).to_be_visible()
        found = await Axe().run(page, options=AXE)
        assert found.response["violations"] == []


@pytest.mark.parametrize("language", ["fr-CA", "hi", "zh-CN", "es-MX"])
async def test_the_page_speaks_the_language_of_the_browser(world, language):
    async with quiet_page(locale=language) as page:
        await page.goto(world.http + "/privacy")
        await expect(page.get_by_role("heading", level=1)).to_have_text(TITLES[language[:2]])
        assert await page.evaluate("document.documentElement.lang") == language[:2]


def test_the_pages_policy_takes_any_languages_and_runs_nothing(world):
    for languages in ("tlh,fr", "fr", "%00", "x" * 3000, "..%5c..", ",,,"):
        status, headers, body = fetch(world, f"/privacy/policy/{languages}")
        if status == 200:
            assert json.loads(body)["language"] == ("fr" if "fr" in languages else "en")
            assert "default-src 'none'" in headers["content-security-policy"]
        else:
            assert status in (400, 404, 414), (languages, status)
    assert world.is_running
