"""What a thief with the password can do to the changes of an account, and to what waits (ACC-13)."""

import re

import pytest

from accounts import MANY, Mailbox, guest, sign_in, sign_up
from cairn import Refused, eventually
from operators import Desk
from test_access import mail_about
from test_adaptors import script
from test_live_space import refused
from test_providers import Provider
from test_recovery import verified

PACE = {"connections__messagesPerSecond": 1000, "connections__messagesBurst": 1000}


@pytest.fixture
def mailbox(tmp_path):
    return Mailbox(tmp_path / "mail")


async def test_many_changes_push_no_link_out(start, mailbox, tmp_path):
    """A hundred changes pushed the first one out of the history, and its link undid nothing."""

    def world():
        return start(folder=tmp_path / "world", accounts__open="false", **mailbox.settings, **MANY, **PACE)

    server = world()
    ada = await verified(server, mailbox, "ada")
    await ada.ask("changeEmail", {"email": "thief@example.org"})
    mail = await mail_about(mailbox, "ada@example.org", "waits to be confirmed")
    code = re.search(r"/account#undo=([\w-]+)", mail.get_content())[1]
    for number in range(59):
        await ada.ask("changeEmail", {"email": f"thief-{number}@example.org"})
    # What counts by the hour is in memory.
    server.stop()
    server = world()
    ada = await sign_in(server, "ada")
    for number in range(40):
        await ada.ask("changeEmail", {"email": f"later-{number}@example.org"})
    refusal = await refused("too_many_attempts", ada.ask("changeEmail", {"email": "last@example.org"}))
    assert refusal.retry_after > 86_400_000
    await (await guest(server)).ask("undoChange", {"code": code})
    ada = await sign_in(server, "ada")
    assert not (await ada.ask("getProfile")).get("pendingEmail")
    await ada.ask("changeEmail", {"email": "countess@example.org"})


#: Says that it was asked, and vouches for whoever it is when it is let go.
SLOW = """
import threading
call = json.loads(sys.stdin.readline())
open({asked!r}, "w").close()
while not os.path.exists({go!r}):
    threading.Event().wait(0.02)
print(json.dumps({{"id": call["id"], "done": {{"subject": "f-1"}}}}), flush=True)
sys.stdin.read()
"""


async def test_a_change_that_waits_ends_with_the_sign_in_that_asked_for_it(start, tmp_path):
    """The provider answered after the sign-out, and the thief's account there signed in."""
    asked, go = tmp_path / "asked", tmp_path / "go"
    server = start(
        **Provider(tmp_path).settings, adaptors__timeoutSeconds=60,
        adaptors__identity=script(tmp_path, SLOW.format(asked=str(asked), go=str(go))))
    thief = await sign_up(server, "ada")
    answer = await thief.post("linkProvider", {"provider": "facebook", "accessToken": "thief"})

    async def is_asked():
        return asked.exists()

    await eventually(is_asked, "a call of the adaptor")
    desk = await Desk.open(server)
    await desk.ask(f"sign-out {thief.welcome['account']} stolen")
    go.touch()
    with pytest.raises(Refused) as caught:
        await answer
    assert caught.value.code in {"try_again", "not_signed_in"}
    assert not (await (await sign_in(server, "ada")).ask("getProfile")).get("providers")
