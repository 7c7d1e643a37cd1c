"""Files with secrets: their permissions, and no writes through links (SES-1, DAT-7)."""

import os
import sqlite3

import pytest

from backend import Backend
from cairn import Client
from server import run
from test_tls import make_certificate

CREDENTIAL = "kept-between-us-" + "x" * 27


def check(*settings, config=None):
    command = ["config", "check", *(["--config", config] if config else [])]
    told = run(*command, *[word for setting in settings for word in ("--set", setting)])
    return told.returncode, told.stderr


@pytest.fixture
def pair(tmp_path):
    return make_certificate(tmp_path, "one")


def told_of(pair):
    return [f"listen.tlsCertificate={pair['listen__tlsCertificate']}", f"listen.tlsKey={pair['listen__tlsKey']}"]


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o602])
def test_a_tls_key_for_everybody_is_complained_about(tmp_path, start, pair, mode):
    key = pair["listen__tlsKey"]
    assert check(f"storage.path={tmp_path}/w", *told_of(pair))[0] == 0
    key.chmod(mode)
    code, said = check(f"storage.path={tmp_path}/w", *told_of(pair))
    assert code == 78 and f"listen.tlsKey: others than its owner can read {key}" in said
    start(**pair).logged(f"listen.tlsKey: others than its owner can read {key}")


def test_a_tls_key_for_the_servers_own_group_is_good_and_for_another_is_not(tmp_path, pair):
    key = pair["listen__tlsKey"]
    key.chmod(0o640)
    os.chown(key, -1, os.getegid())
    assert check(f"storage.path={tmp_path}/w", *told_of(pair))[0] == 0
    if os.geteuid() == 0:
        os.chown(key, 0, 4_711)
        code, said = check(f"storage.path={tmp_path}/w", *told_of(pair))
        assert code == 78 and "listen.tlsKey" in said


def test_settings_that_others_can_read_are_complained_about_when_a_secret_is_in_them(tmp_path, start):
    settings = tmp_path / "cairn.yaml"
    settings.write_text(f"storage: {{ path: {tmp_path}/w }}\n")
    settings.chmod(0o644)
    assert check(config=settings)[0] == 0
    settings.write_text(f"stats: {{ credential: {CREDENTIAL} }}\n")
    code, said = check(f"storage.path={tmp_path}/w", config=settings)
    assert code == 78 and "stats.credential" in said and str(settings) in said and CREDENTIAL not in said
    start("--config", str(settings)).logged("stats.credential: it is a secret")
    settings.chmod(0o600)
    assert check(f"storage.path={tmp_path}/w", config=settings)[0] == 0


@pytest.mark.parametrize("content", ["not json", '{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"}]}', '{"keys":[]}'])
def test_config_check_reads_the_keys_of_app_tokens_as_a_start_does(tmp_path, content):
    keys = tmp_path / "keys.json"
    keys.write_text(content)
    settings = [f"storage.path={tmp_path}/w", "appTokens.issuers=https://id.example", "appTokens.audiences=cairn"]
    code, said = check(*settings, f"appTokens.jwksFiles={keys}")
    assert code == 78 and f"appTokens.jwksFiles: {keys}: " in said
    backend = Backend(tmp_path)
    assert check(*settings, f"appTokens.keyFiles={backend.public}")[0] == 0
    code, said = check(*settings, f"appTokens.keyFiles={backend.key}")
    assert code == 78 and "it holds a private key" in said


DRAFTS = ["data.key.operator.part", "data/cairn.sqlite.part", "data.key.part", "data.key.worlds.part"]


async def test_nothing_is_written_through_a_link_where_drafts_are_made(tmp_path, start):
    victim, nowhere = tmp_path / "victim", tmp_path / "nowhere"
    victim.write_text("untouched")
    victim.chmod(0o644)
    (tmp_path / "data").mkdir(mode=0o700)
    for number, name in enumerate(DRAFTS):
        (tmp_path / name).symlink_to(nowhere if number % 2 else victim)
    server = start()
    await Client.connect(server, "Ada")
    server.stop()
    for number, name in enumerate(DRAFTS):
        (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / name).symlink_to(victim if number % 2 else nowhere)
    (tmp_path / "data.key.operator").unlink()
    world = ["--set", f"storage.path={tmp_path}/data", "--set", f"storage.keyFile={tmp_path}/data.key"]
    copy = tmp_path / "copy.sqlite"
    (tmp_path / "copy.sqlite.part").symlink_to(victim)
    for command in (["rotate-key"], ["backup", "--to", copy]):
        told = run(*command, *world)
        assert told.returncode == 0, told.stderr
    server = start()
    await Client.connect(server, "Ada")
    server.stop()
    assert victim.read_text() == "untouched" and victim.stat().st_mode & 0o777 == 0o644
    assert not nowhere.exists()
    assert not copy.is_symlink() and sqlite3.connect(copy).execute("SELECT count(*) FROM accounts").fetchone() == (1,)


def test_a_link_where_the_lock_is_held_is_not_written_through(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data/cairn.sqlite.lock").symlink_to(victim)
    told = run("serve", "--port", 0, "--data", tmp_path / "data", "--set", f"storage.keyFile={tmp_path}/data.key")
    assert told.returncode != 0 and "cairn.sqlite.lock" in told.stderr
    assert victim.read_text() == "untouched"


def test_a_link_where_the_key_for_trials_is_made_is_not_written_through(tmp_path):
    victim = tmp_path / "victim"
    (tmp_path / "trial-sign-in.pem").symlink_to(victim)
    told = run("admin", "token", "Ada", "--set", f"storage.keyFile={tmp_path}/data.key")
    assert told.returncode != 0 and "trial-sign-in.pem" in told.stderr
    assert not victim.exists()
