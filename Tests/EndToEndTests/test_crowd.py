"""cairn-crowd against an existing server: over TLS, over IPv6, and with a world that is unchanged afterwards."""

import json
import os
import ssl
import subprocess

import pytest

from cairn import Client
from server import binary, environment
from test_tls import make_certificate

# All pauses are short, and all people place.
SHORT = ("walk", "--people", "6", "--for", "2s", "--with", "warmUpSeconds=0", "--with", "placeEvery=0.5",
         "--with", "reactEvery=0.5", "--cells", "1")
# The existing server needs the settings that the plan would set on a throw-away server.
SETTINGS = {"placement__perMinute": 500, "placement__perDay": 5000, "connections__messagesBurst": 500}


def crowd(*arguments, code=0, seconds=300):
    """Runs it to its end; returns the last line of its report and its other output."""
    program = os.environ.get("CAIRN_CROWD_BIN") or binary().with_name("cairn-crowd")
    command = [program, *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment())
    assert ended.returncode == code, ended.stdout[-2000:] + ended.stderr
    return ended


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return make_certificate(tmp_path_factory.mktemp("tls"))


async def test_a_crowd_over_tls_takes_away_what_it_has_placed(start, certificate, spot):
    server = start(**certificate, **SETTINGS)
    authority = certificate["listen__tlsCertificate"]
    at = f"{spot[0]},{spot[1]}"
    ended = crowd(*SHORT, "--url", server.url, "--ca", authority, "--at", at)
    assert "is kept: 6 accounts" in ended.stderr.splitlines()[0]
    report = json.loads(ended.stdout.splitlines()[-1])
    assert report["rules_broken"] == 0 and report["placed"] > 0 and report["left_behind"] == 0
    assert report["plan"]["at"] == at and "Linux" in report["made"]["machine"]
    server.tls = ssl.create_default_context(cafile=authority)
    ada = await Client.connect(server, "Ada")
    await ada.view(await ada.stand_at(*spot))
    assert not ada.everything()


def test_a_certificate_that_nobody_vouches_for_is_refused(start, certificate):
    server = start(**certificate, **SETTINGS)
    assert "certificate is not good" in crowd(*SHORT, "--url", server.url, code=1).stdout
    server.kill()
    # Good for 127.0.0.1, and for no other address.
    other = start("--address", "::1", **certificate, **SETTINGS)
    said = crowd(*SHORT, "--url", other.url, "--ca", certificate["listen__tlsCertificate"], code=1).stdout
    assert "not good for ::1" in said


async def test_a_crowd_comes_over_ipv6(start):
    server = start("--address", "::1", **SETTINGS)
    report = json.loads(crowd(*SHORT, "--url", server.url).stdout.splitlines()[-1])
    assert report["rules_broken"] == 0 and report["plan"]["url"].startswith("ws://[::1]:")


async def test_a_crowd_signs_in_with_tokens(start, tmp_path):
    server = start(**SETTINGS)
    clients = [await Client.connect(server, f"Person-{number}") for number in range(6)]
    tokens = tmp_path / "tokens"
    tokens.write_text("# of the server\n" + "\n".join(client.welcome["token"] for client in clients) + "\n")
    for client in clients:
        await client.close()
    ended = crowd(*SHORT, "--url", server.url, "--token-file", tokens)
    assert "no account is made" in ended.stderr
    report = json.loads(ended.stdout.splitlines()[-1])
    assert report["rules_broken"] == 0 and report["poses_delivered"] > 0
    too_few = crowd(*SHORT, "--url", server.url, "--token-file", tokens, "--people", "7", code=1)
    assert "got 6 tokens, wants one for each of 7 people" in too_few.stderr


def test_circles_come_and_go_in_a_kept_world_and_leave_nothing(start):
    """Friends, sub-realms and what is shared in them, with links that break (ENG-3, SUB-9)."""
    server = start(**SETTINGS)
    lively = (f"--with={key}" for key in (
        "realms=4", "realmEvery=0.5", "selectEvery=1", "friendEvery=0.5", "placeEvery=1", "reactEvery=1",
        "cutEvery=3", "warmUpSeconds=1"))  # fmt: skip
    ended = crowd("circles", "--people", "16", "--cells", "1", "--for", "6s", *lively, "--url", server.url)
    report = json.loads(ended.stdout.splitlines()[-1])
    assert report["rules_broken"] == 0, report["broken_examples"]
    assert report["left_behind"] == 0
    assert min(report[count] for count in ("founded", "accepted", "selected", "befriended", "placed")) > 0


def test_people_walk_tours_while_new_versions_are_published():
    """TRT-9, TRT-10, TRT-12, TRM-9, SES-13: stops, totals, versions and what is in a space, by the oracle (ENG-3).

    More by hand: CAIRN_TOUR_WALKERS=2000 CAIRN_TOUR_SECONDS=120 (issue 14, point 2).
    """
    people, seconds = int(os.environ.get("CAIRN_TOUR_WALKERS", "40")), int(os.environ.get("CAIRN_TOUR_SECONDS", "15"))
    lively = (f"--with={key}" for key in (
        "tours=5", "legMetres=150", "cutEvery=5", "changeEvery=8", "publishEvery=1", "jumpShare=0.3"))  # fmt: skip
    ended = crowd("tour", "--people", people, "--for", f"{seconds}s", *lively, seconds=seconds + 300)
    report = json.loads(ended.stdout.splitlines()[-1])
    assert report["rules_broken"] == 0, report["broken_examples"]
    counts = ("runs_completed", "stops_reached", "jumps", "device_changes", "versions_published", "cuts")
    assert min(report[count] for count in counts) > 0
    print(f"\n  {people} walkers:", {count: report[count] for count in counts}, report["latency_ms"])


def test_a_file_that_cannot_be_written_ends_the_run_before_it_begins(tmp_path):
    ended = crowd(*SHORT, "--html", tmp_path / "none" / "page", code=1)
    assert "No such file or directory" in ended.stderr and not ended.stdout


def test_the_page_gets_its_ending_and_piped_text_is_text(tmp_path):
    ended = crowd(*SHORT, "--text", "--html", tmp_path / "report")
    page = (tmp_path / "report.html").read_text()
    assert "<svg" in page and not (tmp_path / "report").exists()
    assert ended.stdout.startswith("walk: 6 people") and "Rules     0 broken" in ended.stdout
