"""`cairn serve --lan`: a certificate of its own, sign-up for the network, and the address to point a phone at."""

import pathlib
import re
import ssl
import stat
import subprocess

import pytest

from accounts import sign_up
from cairn import Client, eventually
from machine import Host
from server import Server, get, run, serve_command

WALKERS = 20
PARK = (45.5048, -73.5872)


def certificate(folder):
    """The file of certificate and key: beside the key of the world in that folder."""
    return pathlib.Path(f"{folder}.key.lan.pem")


def trusting(folder):
    """An SSL context that trusts the certificate of that folder's world, and looks at its names."""
    return ssl.create_default_context(cafile=certificate(folder))


@pytest.fixture
def lan(tmp_path):
    """Starts servers with `--lan` on this machine's loopback, which no other machine can reach."""
    running = []

    def start(*arguments, **settings):
        server = Server.start(tmp_path / "data", "--lan", "--address", "127.0.0.1", *arguments, **settings)
        running.append(server)
        server.tls = trusting(tmp_path / "data")
        return server

    yield start
    for server in running:
        server.kill()


async def test_it_serves_over_tls_with_a_certificate_that_only_its_owner_can_read(lan):
    server = lan()
    assert server.url == f"wss://127.0.0.1:{server.port}/v1"
    assert (await get(f"{server.http}/readyz", context=server.tls))[0] == 200
    assert (await get(f"https://localhost:{server.port}/readyz", context=server.tls))[0] == 200
    kept = certificate(server.folder)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert not kept.with_name(kept.name + ".part").exists() and not (server.folder / "lan.pem").exists()


async def test_names_alone_sign_in_nobody_and_anybody_can_make_an_account(lan):
    server = lan()
    assert (await Client.connect(server, "Ada")).welcome["role"] == "guest"
    ada = await sign_up(server, "Ada")
    assert ada.welcome["name"] == "Ada" and ada.welcome["role"] != "guest"


def test_it_says_who_is_let_in_where_to_go_and_why_the_browser_warns(lan):
    greeting = "\n".join(lan().greeting)
    assert "anybody on it can make an account" in greeting and "any name, no password" not in greeting
    assert "The browser will warn, because this server vouches for itself" in greeting
    code = [line[4:] for line in greeting.splitlines() if re.match(r"    [█▀▄ ]+$", line)]
    # As wide as a square of that many half-lines, give or take the last one.
    assert len(code) > 10 and {len(line) for line in code} <= {2 * len(code), 2 * len(code) - 1}, greeting


def test_the_certificate_stays_until_it_is_damaged(lan):
    server = lan()
    kept = certificate(server.folder)
    first = kept.read_bytes()
    assert server.stop() == 0
    server = lan()
    assert kept.read_bytes() == first, "a phone that has accepted it is not asked again"
    assert server.stop() == 0
    kept.write_bytes(first[:100])
    lan()
    assert kept.read_bytes() not in (first, first[:100])


def test_an_operators_own_certificate_stays(lan, tmp_path):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=own", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "own.key", "-out", "own.pem"],
        cwd=tmp_path, check=True, capture_output=True)
    server = lan(listen__tlsCertificate=tmp_path / "own.pem", listen__tlsKey=tmp_path / "own.key")
    shown = ssl.get_server_certificate((server.host, server.port))
    assert shown.strip() == (tmp_path / "own.pem").read_text().strip()


async def test_the_demo_walks_on_it_too(lan):
    server = lan("--demo")
    guest = await sign_up(server, "Eve")
    await guest.stand_at(*PARK)

    async def all_walk():
        return sum(len(people) for people in guest.people.values()) >= WALKERS

    await eventually(all_walk, lambda: f"who walks: {guest.people}\n{server.log()[-500:]}", 60)
    assert certificate(server.folder).exists(), "the next demo shows phones the same certificate"


@pytest.fixture
def network():
    """A network of its own, with a card in it, and a way to give the card another address."""
    host = Host.boot()

    def card(*words):
        subprocess.run(["nsenter", "--target", str(host.pid), "--net", "ip", *words], check=True)

    try:
        yield host, card
    finally:
        host.stop()


@pytest.mark.machine
async def test_it_takes_the_address_of_the_network_and_another_certificate_with_another_address(network, tmp_path):
    host, card = network
    card("link", "add", "lan0", "type", "veth", "peer", "name", "lan1")
    with host.network():
        refused = run(*serve_command(tmp_path / "data", "--lan")[1:])
        assert refused.returncode == 78 and "this machine is in no network" in refused.stderr
        kept = []
        for address in ("192.168.77.20", "192.168.77.21"):
            card("address", "flush", "dev", "lan0")
            card("address", "add", f"{address}/24", "dev", "lan0")
            for end in ("lan0", "lan1"):
                card("link", "set", end, "up")
            with Server.start(tmp_path / "data", "--lan") as server:
                server.tls = trusting(tmp_path / "data")
                assert server.host == address
                assert f"    https://{address}:{server.port}/" in "\n".join(server.greeting)
                # The client looks for the address in the certificate.
                assert (await Client.connect(server)).welcome["role"] == "guest"
                assert server.stop() == 0
            kept.append(certificate(tmp_path / "data").read_bytes())
    assert kept[0] != kept[1]
