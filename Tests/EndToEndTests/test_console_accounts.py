"""Accounts, their roles and the services in the console (ROL-4, ROL-5, STA-6), checked with axe."""

from browser import console, expect
from cairn import Client
from operators import Desk


def card(one, name):
    return one.page.get_by_role("region", name=name, exact=True)


async def role(desk, account):
    listed = (await desk.ask("accounts"))["accounts"]
    return next(row["role"] for row in listed if row["account"] == account)


async def test_a_role_is_changed_listed_and_signed_out(start):
    server = start()
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    account = ada.welcome["account"]
    async with console(server) as one, await Desk.open(server) as desk:
        accounts, dialog = card(one, "Accounts"), one.page.get_by_role("dialog")
        await expect(accounts).to_contain_text("Nobody is an admin or belongs to an organisation.")
        await accounts.get_by_label("Find").fill("ad")
        await accounts.get_by_role("button", name="Find").click()
        row = accounts.get_by_role("row", name=account)
        await expect(row).to_contain_text("general")
        await expect(accounts).not_to_contain_text(bob.welcome["account"])

        await row.get_by_role("button", name=f"Organisation {account}").click()
        await dialog.get_by_label("Organisation").fill("The museum")
        await dialog.get_by_role("button", name="Cancel").click()
        assert await role(desk, account) == "general"
        await row.get_by_role("button", name=f"Role {account}").click()
        await dialog.get_by_label("Role").fill("king")
        await dialog.get_by_role("button", name="Change").click()
        await expect(one.page.locator("#said")).to_contain_text("wants an account and general or admin")
        await row.get_by_role("button", name=f"Organisation {account}").click()
        await dialog.get_by_label("Organisation").fill("The museum")
        await dialog.get_by_role("button", name="Add").click()
        await expect(row).to_contain_text("organisation")
        await expect(one.page.get_by_role("heading", name="Accounts", exact=True)).to_be_focused()
        assert await role(desk, account) == "organisation"
        assert (await desk.ask("organisations"))["organisations"][0]["name"] == "The museum"

        # Without a name those with a role are listed.
        await accounts.get_by_label("Find").fill("")
        await accounts.get_by_role("button", name="Find").click()
        await expect(accounts.get_by_role("row", name=account)).to_contain_text("Ada")
        await row.get_by_role("button", name=f"Sign out {account}").click()
        await dialog.get_by_role("button", name="Sign out").click()
        await ada.until(lambda: any("signedOut" in item for item in ada.items), "the sign-out")
        assert await one.violations() == []


async def test_requests_are_accepted_and_denied_and_organisations_suspended(start):
    """ORG-2, ORG-3."""
    server = start()
    ada, bob = await Client.connect(server, "Ada"), await Client.connect(server, "Bob")
    async with console(server) as one, await Desk.open(server) as desk:
        organisations, dialog = card(one, "Organisations"), one.page.get_by_role("dialog")
        await expect(organisations).to_contain_text("Nobody asks for an account.")
        for client in (ada, bob):
            await client.ask("requestOrganisation", {"name": "The <b>museum", "justification": "We show the walls."})
        await one.page.reload()
        row = organisations.get_by_role("row", name=ada.welcome["account"])
        await expect(row).to_contain_text("The <b>museum")
        await expect(row).to_contain_text("We show the walls.")
        assert await one.violations() == []
        await row.get_by_role("button", name="Accept").click()
        await dialog.get_by_role("button", name="Accept").click()
        await expect(organisations).to_contain_text("1 request for an account.")
        await organisations.get_by_role("button", name="Deny").click()
        await dialog.get_by_label("Reason").fill("Nobody knows you")
        await dialog.get_by_role("button", name="Deny").click()
        await expect(organisations).to_contain_text("Nobody asks for an account.")
        await expect(one.page.get_by_role("heading", name="Organisations", exact=True)).to_be_focused()
        await organisations.get_by_role("button", name="Suspend").click()
        await dialog.get_by_role("button", name="Suspend").click()
        await organisations.get_by_role("button", name="Reinstate").click()
        await dialog.get_by_role("button", name="Reinstate").click()
        await expect(organisations.get_by_role("button", name="Suspend")).to_be_visible()
        assert [entry["what"] for entry in (await desk.ask("audit"))["audit"]] == [
            "organisation_reinstate", "organisation_suspend", "organisation_deny", "organisation_accept"
        ]  # fmt: skip
        await expect(dialog).to_be_hidden()
        assert await one.violations() == []


async def test_services_are_shown(server):
    async with console(server) as one:
        services = card(one, "Services")
        await expect(services).to_contain_text("Mails waiting")
        await expect(services).to_contain_text("Every adaptor is up")
        await services.get_by_text("What these words mean").press("Enter")
        await expect(services.get_by_text("A program of yours beside the server")).to_be_visible()
