"""People with accounts: the fields of a sign-up, signing up and in, and the mails of the server."""

import email.parser
import email.policy
import re

from cairn import Client, eventually

PASSWORD = "Correct-Horse-7"

#: Enough sign-ups and recoveries for a test, whose clients all come from one address.
MANY = {
    "accounts__signUpsPerHour": 1000, "accounts__recoveriesPerHour": 1000,
    "accounts__mailPauseSeconds": 0, "accounts__mailsPerDay": 1000, "accounts__renamesPerDay": 1000,
}  # fmt: skip


def person(name, **more):
    """The fields of a sign-up."""
    return {
        "email": f"{name}@example.org", "username": name, "password": PASSWORD, "consent": "1", **more
    }  # fmt: skip


async def guest(server, front_end="realm", **more):
    client = await Client.connect(server, frontEnd=front_end, **more)
    assert client.welcome["role"] == "guest"
    return client


async def sign_up(server, name, *, front_end="realm", language="en", **more):
    """A new account's connection; its `welcome` is that of the sign-up."""
    client = await guest(server, front_end, language=language)
    client.name = name
    client.welcome = await client.ask("signUp", person(name, **more))
    return client


async def sign_in(server, login, password=PASSWORD, **more):
    """A connection that a password has signed in."""
    client = await guest(server)
    client.name = login
    client.welcome = await client.ask("signIn", {"login": login, "password": password, **more})
    return client


class Mailbox:
    """The folder in which the stand-in leaves mails."""

    def __init__(self, folder):
        self.folder = folder

    @property
    def settings(self):
        return {"adaptors__mail": "builtin", "adaptors__mailFolder": str(self.folder)}

    def mails(self, to=None):
        """Mails to an address, oldest first."""
        parser = email.parser.BytesParser(policy=email.policy.default)
        paths = sorted(self.folder.glob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
        found = [parser.parsebytes(path.read_bytes()) for path in paths]
        return [mail for mail in found if to is None or mail["To"] == to]

    async def wait(self, to, count=1):
        """The newest of at least so many mails to an address."""

        async def is_there():
            return len(self.mails(to)) >= count

        await eventually(is_there, f"mail {count} to {to}")
        return self.mails(to)[-1]

    async def code(self, to, purpose, count=1):
        """The code of the link in the newest mail to an address."""
        text = (await self.wait(to, count)).get_content()
        return re.search(rf"/account#{purpose}=([\w-]+)", text)[1]
