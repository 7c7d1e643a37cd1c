"""Changing how one gets in (ACC-13): what proof a change needs, who is told, and what undoes it; and attacks with a
stolen session. docs/security.md has the table that `CHANGES` walks."""

import re
import time

import pytest

from accounts import MANY, PASSWORD, Mailbox, guest, sign_in, sign_up
from backend import Backend
from cairn import Client, Refused, eventually
from operators import Desk
from swarm import pause
from test_accounts import one_time_code
from test_live_space import refused
from test_notifications import notified
from test_providers import Provider, by_token, nonce
from test_recovery import verified

NEW = "New-Horse-7777"


@pytest.fixture
def provider(tmp_path):
    return Provider(tmp_path)


@pytest.fixture
def mailbox(tmp_path):
    return Mailbox(tmp_path / "mail")


@pytest.fixture
def world(start, provider, mailbox):
    return start(**provider.settings, **mailbox.settings)


async def with_token(server, welcome):
    """A session of a token alone: another device of the person, or a thief's."""
    return await Client.connect(server, token=welcome["token"])


async def refusal_of(request):
    with pytest.raises(Refused) as caught:
        await request
    return caught.value


async def linked(client, provider, subject="g-1"):
    await client.ask("linkProvider", {
        "provider": "google", "idToken": provider.token(await nonce(client), subject)})


async def codes_on(client):
    secret = (await client.ask("beginCodes", {"password": PASSWORD}))["secret"]
    return (await client.ask("confirmCodes", {"password": PASSWORD, "code": one_time_code(secret)}))["codes"]


async def mail_about(mailbox, address, words):
    """The newest mail to an address with these words in its subject."""
    async def is_there():
        return [mail for mail in mailbox.mails(address) if words in mail["Subject"]]

    return (await eventually(is_there, f"the mail about {words}"))[-1]


async def undo(server, mailbox, address, words):
    """Follows the link of the newest mail about a change. An earlier mail may have the same words in its subject."""
    async def is_there():
        mails = [mail.get_content() for mail in mailbox.mails(address) if words in mail["Subject"]]
        return [code for text in mails for code in re.findall(r"/account#undo=([\w-]+)", text)]

    code = (await eventually(is_there, f"the mail about {words}"))[-1]
    client = await guest(server)
    await client.ask("undoChange", {"code": code})
    await refused("link_invalid", client.ask("undoChange", {"code": code}))


# MARK: The table


async def change_password(client, provider, state):
    await client.ask("changePassword", {"current": PASSWORD, "password": NEW})


async def change_email(client, provider, state):
    await client.ask("changeEmail", {"email": "new@example.org", "password": PASSWORD})


async def link(client, provider, state):
    await linked(client, provider)


async def unlink(client, provider, state):
    await client.ask("unlinkProvider", {"provider": "google"})


async def rename(client, provider, state):
    await client.ask("editProfile", {"username": "countess"})


async def begin_codes(client, provider, state):
    state["codes"] = await codes_on(client)


async def end_codes(client, provider, state):
    await client.ask("endCodes", {"password": PASSWORD, "code": state["codes"][0]})


#: The change, what comes before it, the kind that others are told, words of its mail, and what a token alone gets.
CHANGES = {
    "password": (None, change_password, "password_changed", "password", ("changePassword", {"password": NEW})),
    "email": (None, change_email, "email_asked", "email", ("changeEmail", {"email": "new@example.org"})),
    "link": (None, link, "provider_linked", "was linked", None),
    "unlink": (link, unlink, "provider_unlinked", "was unlinked", ("unlinkProvider", {"provider": "google"})),
    "name": (None, rename, "name_changed", "name was changed", ("editProfile", {"username": "mallory"})),
    "codes on": (None, begin_codes, "codes_on", "turned on", ("beginCodes", {})),
    "codes off": (begin_codes, end_codes, "codes_off", "turned off", ("endCodes", {})),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_a_change_needs_a_proof_is_told_and_can_be_undone(world, mailbox, provider, name):
    before, change, kind, words, alone = CHANGES[name]
    ada, state = await verified(world, mailbox, "ada"), {}
    if before:
        await before(ada, provider, state)
    first = await ada.ask("getProfile")
    other = await with_token(world, ada.welcome)
    if alone:
        assert (await refusal_of(other.ask(*alone))).code in {"proof_required", "invalid_credentials"}
    else:
        assert (await refusal_of(linked(other, provider))).code == "proof_required"
    # Told whatever the device is: the one that asks may be a thief's.
    await change(ada, provider, state)
    if name == "password":
        await other.until(lambda: [item for item in other.items if "signedOut" in item], "the end of other sign-ins")
    else:
        await other.until(
            lambda: [one for one in notified(other) if one.get("label") == kind], f"the notification of {kind}")
    await undo(world, mailbox, "ada@example.org", words)
    await refused("not_signed_in", ada.ask("listDevices"))
    if name == "password":
        # Neither the new password nor the old one: a link to the proved address sets another.
        for password in (NEW, PASSWORD):
            await refused("invalid_credentials", (await guest(world)).ask(
                "signIn", {"login": "ada", "password": password}))
        client = await guest(world)
        code = await mailbox.code("ada@example.org", "reset", 3)
        await client.ask("resetPassword", {"code": code, "password": PASSWORD})
    more = {"code": state["codes"][1]} if name == "codes off" else {}
    again = await sign_in(world, "ada", **more)
    last = await again.ask("getProfile")
    # A reset sets the time of the password, and the code of the sign-in is used up.
    ignored = {"passwordChanged", "recoveryCodes"}
    assert {key: value for key, value in last.items() if key not in ignored} == {
        key: value for key, value in first.items() if key not in ignored}


async def test_a_proof_is_the_password_a_code_or_a_linked_provider(world, mailbox, provider):
    ada = await verified(world, mailbox, "ada")
    await linked(ada, provider)
    codes = await codes_on(ada)

    async def session():
        client = await with_token(world, ada.welcome)
        refusal = await refused("proof_required", client.ask("prove", {}))
        assert refusal.details["proofs"] == "password,code,provider:google"
        return client

    for body in ({"password": PASSWORD}, {"code": codes[0]}):
        client = await session()
        await client.ask("prove", body)
        await client.ask("prove", {})
    client = await session()
    for body, code in (({"password": "wrong"}, "invalid_credentials"), ({"code": codes[0]}, "mfa_invalid")):
        await refused(code, client.ask("prove", body))
    strange = {"provider": "google", "idToken": provider.token(await nonce(client), "g-2")}
    await refused("invalid_credentials", client.ask("prove", strange))
    await refused("proof_required", client.ask("prove", {}))
    await client.ask("prove", {"provider": "google", "idToken": provider.token(await nonce(client))})
    await client.ask("unlinkProvider", {"provider": "google"})


@pytest.mark.alone
async def test_a_proof_ends(start, provider):
    server = start(**provider.settings, accounts__proofSeconds=30)
    ada = await sign_up(server, "ada")
    await ada.ask("prove", {})
    await pause(31)
    refusal = await refused("proof_required", ada.ask("prove", {}))
    assert refusal.details["seconds"] == "30"
    await ada.ask("prove", {"password": PASSWORD})
    await linked(ada, provider)


# MARK: Attacks


async def test_a_stolen_session_of_a_providers_account_does_not_become_the_thiefs(world, mailbox, provider):
    """A3: a password with the thief's address, then no provider any more: the account was the thief's for good."""
    owner = await guest(world)
    owner.welcome = await by_token(owner, provider)
    thief = await with_token(world, owner.welcome)
    mail = {"email": "thief@example.org", "password": PASSWORD}
    refusal = await refused("proof_required", thief.ask("addPassword", mail))
    assert refusal.details["proofs"] == "provider:google"
    await refused("proof_required", thief.ask("unlinkProvider", {"provider": "google"}))
    await refused("proof_required", linked(thief, provider, "thief"))
    # What the owner does goes on, is mailed to the proved address, and is undone from there.
    await owner.ask("addPassword", {"email": "g-1@gmail.example", "password": PASSWORD})
    await owner.ask("unlinkProvider", {"provider": "google"})
    assert not (await owner.ask("getProfile")).get("providers")
    await undo(world, mailbox, "g-1@gmail.example", "password was added")
    again = await guest(world)
    welcome = await by_token(again, provider)
    assert welcome["account"] == owner.welcome["account"]
    profile = await again.ask("getProfile")
    assert profile["providers"] == ["google"] and not profile.get("hasPassword")


async def test_who_signs_up_with_the_old_address_does_not_keep_it_from_its_owner(world, mailbox):
    """The address was free after the change, and the undo failed with email_taken."""
    ada = await verified(world, mailbox, "ada")
    await ada.ask("changeEmail", {"email": "thief@example.org", "password": PASSWORD})
    await ada.ask("verifyEmail", {"code": await mailbox.code("thief@example.org", "verify")})
    await mailbox.wait("ada@example.org", 3)
    squatter = await sign_up(world, "squatter", email="ada@example.org")
    await undo(world, mailbox, "ada@example.org", "address was changed")
    assert (await (await sign_in(world, "ada")).ask("getProfile"))["email"] == "ada@example.org"
    assert not (await squatter.ask("getProfile")).get("email")


async def test_an_unlinked_identity_leads_back_to_its_account(world, provider):
    owner = await guest(world)
    owner.welcome = await by_token(owner, provider)
    await owner.ask("addPassword", {"email": "g-1@gmail.example", "password": PASSWORD})
    await owner.ask("unlinkProvider", {"provider": "google"})
    back = await by_token(await guest(world), provider)
    assert back["account"] == owner.welcome["account"]
    await owner.until(
        lambda: [one for one in notified(owner) if one.get("label") == "provider_linked"], "the notification")
    # Once more: that it has led back does not make it one that was added lately.
    await owner.ask("unlinkProvider", {"provider": "google"})
    back = await by_token(await guest(world), provider)
    assert back["account"] == owner.welcome["account"]


async def test_a_sign_out_by_operators_leaves_an_identity_that_led_back(world, provider):
    owner = await guest(world)
    owner.welcome = await by_token(owner, provider)
    await owner.ask("addPassword", {"email": "g-1@gmail.example", "password": PASSWORD})
    await owner.ask("unlinkProvider", {"provider": "google"})
    await by_token(await guest(world), provider)
    desk = await Desk.open(world)
    await desk.ask(f"sign-out {owner.welcome['account']} stolen")
    again = await guest(world)
    assert (await by_token(again, provider))["account"] == owner.welcome["account"]
    assert (await again.ask("getProfile"))["providers"] == ["google"]


async def test_an_identity_that_led_back_and_was_undone_stays_away(world, mailbox, provider):
    owner = await guest(world)
    owner.welcome = await by_token(owner, provider)
    await owner.ask("addPassword", {"email": "g-1@gmail.example", "password": PASSWORD})
    await owner.ask("unlinkProvider", {"provider": "google"})
    await by_token(await guest(world), provider)
    await undo(world, mailbox, "g-1@gmail.example", "was linked")
    refusal = await refusal_of(by_token(await guest(world), provider))
    assert (refusal.code, refusal.details["reason"]) == ("forbidden", "unlinked")
    assert (await sign_in(world, "g-1@gmail.example")).welcome["account"] == owner.welcome["account"]


async def test_an_identity_that_was_linked_for_a_short_time_does_not_come_back(world, provider):
    """A stranger's that the person has got rid of."""
    ada = await sign_up(world, "ada")
    await linked(ada, provider, "stranger")
    await ada.ask("unlinkProvider", {"provider": "google"})
    with pytest.raises(Refused) as caught:
        await by_token(await guest(world), provider, "stranger")
    assert (caught.value.code, caught.value.details["reason"]) == ("forbidden", "unlinked")


async def test_a_reset_ends_what_was_added_and_says_so(world, mailbox, provider):
    """A2: the linked identity survived every sign-out and reset."""
    ada = await verified(world, mailbox, "ada")
    await linked(ada, provider, "thief")
    client = await guest(world)
    await client.ask("recover", {"email": "ada@example.org"})
    await client.ask("resetPassword", {
        "code": await mailbox.code("ada@example.org", "reset", 3), "password": NEW})
    again = await sign_in(world, "ada", NEW)
    assert not (await again.ask("getProfile")).get("providers")
    await mailbox.wait("ada@example.org", 5)
    ended = [mail for mail in mailbox.mails("ada@example.org") if "ended" in mail["Subject"]]
    assert len(ended) == 1 and "google" in ended[0].get_content()
    # No second account of an owner who had linked it: they link it again.
    refusal = await refusal_of(by_token(await guest(world), provider, "thief"))
    assert (refusal.code, refusal.details["reason"]) == ("forbidden", "unlinked")
    await linked(again, provider, "thief")
    assert (await by_token(await guest(world), provider, "thief"))["account"] == ada.welcome["account"]


async def test_the_operators_sign_out_ends_what_was_added(world, mailbox, provider):
    ada = await verified(world, mailbox, "ada")
    await linked(ada, provider, "thief")
    desk = await Desk.open(world)
    await desk.ask(f"sign-out {ada.welcome['account']} stolen")
    again = await sign_in(world, "ada")
    assert not (await again.ask("getProfile")).get("providers")
    await mailbox.wait("ada@example.org", 3)
    assert [mail for mail in mailbox.mails("ada@example.org") if "ended" in mail["Subject"]]


async def test_the_operators_sign_out_takes_the_email_back_that_came_with_a_password(world, mailbox, provider):
    """It stayed the thief's, a recovery set a password again, and the list went to the thief alone."""
    owner = await guest(world)
    owner.welcome = await by_token(owner, provider)
    await owner.ask("addPassword", {"email": "thief@example.org", "password": PASSWORD})
    await owner.ask("verifyEmail", {"code": await mailbox.code("thief@example.org", "verify")})
    assert (await owner.ask("getProfile"))["email"] == "thief@example.org"
    desk = await Desk.open(world)
    await desk.ask(f"sign-out {owner.welcome['account']} stolen")
    again = await guest(world)
    assert (await by_token(again, provider))["account"] == owner.welcome["account"]
    profile = await again.ask("getProfile")
    assert profile["email"] == "g-1@gmail.example" and not profile.get("hasPassword")
    # Told at both addresses: that of before the change, and that of the change.
    for address in ("g-1@gmail.example", "thief@example.org"):
        await mail_about(mailbox, address, "ended")
    client = await guest(world)
    await client.ask("recover", {"email": "thief@example.org"})
    await client.ask("recover", {"email": "g-1@gmail.example"})
    await mail_about(mailbox, "g-1@gmail.example", "new password")
    assert not [mail for mail in mailbox.mails("thief@example.org") if "new password" in mail["Subject"]]


async def test_a_link_proves_the_address_that_it_was_mailed_to(world, mailbox):
    """ACC-10: an address that was never proved gets the mail as well."""
    await sign_up(world, "eve")
    client = await guest(world)
    await client.ask("recover", {"email": "eve@example.org"})
    await client.ask("resetPassword", {"code": await mailbox.code("eve@example.org", "reset", 2), "password": NEW})
    assert (await (await sign_in(world, "eve", NEW)).ask("getProfile"))["emailVerified"]


# MARK: Accounts of an app's backend (H5, A16)


@pytest.fixture
def backend(tmp_path):
    return Backend(tmp_path)


async def test_an_app_token_alone_adds_no_way_in(start, backend):
    server = start(**backend.settings, **MANY)
    thief = await Client.connect(server, token=backend.token("u-1", "Ada", seconds=20))
    body = {"email": "thief@example.org", "password": PASSWORD}
    refusal = await refused("proof_required", thief.ask("addPassword", body))
    assert (refusal.details["reason"], refusal.details["proofs"]) == ("app_account", "")
    # Signing the other devices out gives no token of the server's own.
    assert await thief.ask("endDevice", {"others": True}) == {}
    assert (await thief.ask("listDevices")).get("devices", []) == []


async def test_the_servers_own_tokens_do_not_outlive_a_revocation(start, backend):
    server = start(**backend.settings, **MANY, accounts__appAccountsAddWays="true")
    now = time.time()
    app = await Client.connect(server, token=backend.token("u-1", "Ada", issued=now - 100))
    await app.ask("addPassword", {"email": "ada@example.org", "password": PASSWORD})
    own = await sign_in(server, "ada@example.org")
    assert own.welcome["account"] == app.welcome["account"]
    await Client.connect(server, token=backend.token("u-1", "Ada", revoked_before=now - 50))
    await own.until(lambda: any("signedOut" in item for item in own.items), "the end of the server's own sign-in")
    assert (await Client.connect(server, token=own.welcome["token"])).welcome["role"] == "guest"


async def test_an_older_app_token_does_not_take_name_and_role_back(start, backend):
    server = start(**backend.settings)
    now = time.time()
    old = backend.token("u-1", "Curator", issued=now - 100, org="Museum")
    assert (await Client.connect(server, token=old)).welcome["role"] == "organisation"
    newer = await Client.connect(server, token=backend.token("u-1", "Ada", issued=now - 50))
    assert newer.welcome["role"] == "general"
    again = (await Client.connect(server, token=old)).welcome
    assert (again["role"], again["name"]) == ("general", "Ada")


async def test_a_newer_app_token_that_changes_nothing_is_the_newest_all_the_same(start, backend):
    server = start(**backend.settings)
    now = time.time()
    tokens = [backend.token("u-1", "Ada", issued=now - age) for age in (100, 50)]
    older = backend.token("u-1", "Curator", issued=now - 70, org="Museum")
    for token in tokens:
        assert (await Client.connect(server, token=token)).welcome["name"] == "Ada"
    welcome = (await Client.connect(server, token=older)).welcome
    assert (welcome["role"], welcome["name"]) == ("general", "Ada")
