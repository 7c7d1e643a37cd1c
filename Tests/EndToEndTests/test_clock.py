"""A wall clock that is wrong at the start and corrected later: nothing expires because of it (pitfalls B22)."""

import pathlib
import subprocess
import time

import pytest

from accounts import MANY, PASSWORD, Mailbox, sign_in, sign_up
from cairn import PATIENCE, Client, pose
from swarm import pause
from test_recovery import verified
from test_runs import WALKING, tour_of, walker
from test_settings import settings
from test_tours import makers

DAY = 86_400


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The library that makes a server's wall clock wrong."""
    source, made = pathlib.Path(__file__).with_name("set_clock.c"), tmp_path_factory.mktemp("clock") / "set_clock.so"
    flags = ["-Wall", "-Wextra", "-Werror", "-O2", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", made, source, "-ldl"], check=True, timeout=PATIENCE)
    return made


class WrongClock:
    """The wall clock of a server to be started with `environment`."""

    def __init__(self, library, folder):
        self.file = folder / "seconds"
        self.environment = {"LD_PRELOAD": str(library), "WRONG_CLOCK": str(self.file)}
        self.set(0)

    def set(self, seconds):
        """Sets the clock ahead of ours by this many seconds."""
        self.file.write_text(f"{seconds}\n")


@pytest.fixture
def clock(library, tmp_path):
    return WrongClock(library, tmp_path)


async def told_time(server, *name, **more):
    """A client, and by how many seconds the server's clock is ahead of ours by its welcome, at least and at most."""
    began = time.time()
    client = await Client.connect(server, *name, **more)
    now = int(client.welcome["serverTime"]) / 1_000
    # A second more each way: the server follows its clock.
    return client, (now - time.time() - 1, now - began + 1)


@pytest.mark.parametrize("wrong", [2 * DAY, -2 * DAY], ids=["ahead", "behind"])
async def test_a_key_is_known_whatever_the_clock_said_at_a_start_between(start, clock, spot, wrong):
    placed, keys, token = {}, [], None
    # The clock is right, wrong, and right again; each time all earlier placements are sent once more.
    for seconds in (0, wrong, 0):
        clock.set(seconds)
        server = start(env=clock.environment)
        ada, (least, most) = await told_time(server, "" if token else "Ada", token=token or "")
        assert least < seconds < most, "the clock was not wrong"
        assert ada.welcome["name"] == "Ada", "the token has ended"
        token = ada.welcome["token"]
        await ada.stand_at(*spot)
        for key in [*keys, f"key-{len(keys)}"]:
            thing = await ada.place(pose(*spot), key=key)
            assert placed.setdefault(key, thing["id"]) == thing["id"], f"{key} was placed twice"
        keys = list(placed)
        assert server.stop() == 0


async def test_a_start_a_year_ahead_ends_no_token(start, clock, spot):
    server = start(env=clock.environment)
    ada = await Client.connect(server, "Ada")
    token = ada.welcome["token"]
    await ada.stand_at(*spot)
    await ada.place(pose(*spot))
    server.stop()
    for seconds in (365 * DAY, 0):
        clock.set(seconds)
        server = start(env=clock.environment)
        again = await Client.connect(server, token=token)
        assert again.welcome["name"] == "Ada", "a wrong clock has ended a token"
        assert server.stop() == 0


async def test_a_clock_that_is_put_right_is_followed_without_a_restart(start, clock, spot):
    clock.set(-2 * DAY)
    server = start(env=clock.environment)
    ada, (least, most) = await told_time(server, "Ada")
    assert least < -2 * DAY < most, "the clock was not wrong"
    await ada.stand_at(*spot)
    await ada.place(pose(*spot), key="before")
    clock.set(0)
    await server.until_figure("cairn_clock_steps_total", 1)
    _, (least, most) = await told_time(server, "Eve")
    assert least < 0 < most
    server.logged("the wall clock was set")
    # The earlier use of the quota and the earlier key are still in effect.
    await ada.place(pose(*spot), key="before")
    with_both = await Client.connect(server, token=ada.welcome["token"])
    assert with_both.welcome["name"] == "Ada"


async def test_a_setting_of_a_clock_that_was_ahead_is_in_nobodys_way(start, clock):
    """PRF-9, VIS-9: what is saved by the right clock counts."""
    clock.set(30 * DAY)
    server = start(env=clock.environment)
    ada = await Client.connect(server, "Ada")
    token = ada.welcome["token"]
    await ada.ask("saveSettings", settings(privacy__sharePosition="on"))
    server.stop()
    clock.set(0)
    ada = await Client.connect(start(env=clock.environment), token=token)
    saved = await ada.ask("saveSettings", settings(privacy__sharePosition="off"))
    assert [one["value"] for one in saved["settings"] if one["key"] == "privacy.sharePosition"] == ["off"]


async def test_an_outage_or_a_clock_that_is_ahead_ends_no_run_and_no_group(start, clock):
    """TRT-11, TRM-11: people are silent while a server listens, and not while it is away."""
    environment, choices = clock.environment, {**WALKING, **MANY, "accounts__open": "false"}
    server = start(env=environment, **choices)
    _, ada = await makers(server, "ada")
    tour = await tour_of(ada, 100, 200)
    eve = await walker(server)
    await eve.ask("startTour", {"tour": tour})
    group = await ada.ask("openGroup", {"tour": tour})
    await eve.ask("joinGroup", {"code": group["code"]})
    # 18 hours that nobody can tell from an outage, then the right time, then more than a week.
    for seconds in (DAY * 3 // 4, 0, 9 * DAY):
        assert server.stop() == 0
        clock.set(seconds)
        server = start(env=environment, **choices)
        # What is due by then is done at once.
        await pause(2)
        eve = await Client.connect(server, token=eve.welcome["token"])
        assert (await eve.ask("getRun"))["tour"] == tour, f"the run has ended with the clock {seconds} s ahead"
        assert (await eve.ask("getGroup"))["id"] == group["id"], f"the group has ended, {seconds} s ahead"


async def test_an_email_that_its_holder_never_proved_is_free_to_an_account_that_is_there(start, clock, tmp_path):
    """ACC-1: as to a sign-up, by each way to an email."""
    mailbox = Mailbox(tmp_path / "mail")
    options = {"accounts__verifyHours": 1, **mailbox.settings, **MANY}
    server = start(env=clock.environment, folder=tmp_path / "world", **options)
    for name in ("first", "second"):
        await sign_up(server, f"squatter-{name}", email=f"{name}@example.org")
    server.stop()
    clock.set(3 * 3_600)
    server = start(env=clock.environment, folder=tmp_path / "world", **options)
    ada = await verified(server, mailbox, "ada")
    await ada.ask("changeEmail", {"email": "first@example.org", "password": PASSWORD})
    # The holder keeps it until it is proved by the other.
    assert (await sign_in(server, "first@example.org")).welcome["name"] == "squatter-first"
    await ada.ask("verifyEmail", {"code": await mailbox.code("first@example.org", "verify", 2)})
    assert (await sign_in(server, "first@example.org")).welcome["account"] == ada.welcome["account"]
    eve = await Client.connect(server, "Eve")
    await eve.ask("addPassword", {"email": "second@example.org", "password": PASSWORD})
    assert (await sign_in(server, "second@example.org")).welcome["account"] == eve.welcome["account"]
    assert "email" not in await (await sign_in(server, "squatter-second")).ask("getProfile")
