"""Two clients on two hosts meet on a third, over TLS, signed in by an app's own backend; one is a page of that app."""

import base64
import hashlib
import ssl
import subprocess
import types

import pytest
from playwright.async_api import async_playwright

import package
from browser import launched
from cairn import PATIENCE, Client, eventually, pose
from machine import Host, wire

pytestmark = pytest.mark.machine

APP = "https://app.example"
PORT = 8443
HERE = (45.5, -73.57)
# One cable to each client, so that neither is on the other's network.
CABLES = (("10.77.0.1", "10.77.0.2"), ("10.78.0.1", "10.78.0.2"))
SETTINGS = f"""
listen:
  address: 0.0.0.0
  port: {PORT}
  tlsCertificate: /etc/cairn/server.pem
  tlsKey: /etc/cairn/server.key
  originsAllowed: [{APP}]
"""
# An app's page as a client of the protocol: it keeps received items, and resolves requests by their answers.
PAGE = """<!doctype html><title>app</title><script>
window.items = []; window.ended = null; let asked = new Map(), last = 0;
function open(url) {
    return new Promise((done, fail) => {
        window.socket = new WebSocket(url, 'cairn.v1.json');
        socket.onopen = () => done(true);
        socket.onerror = () => fail(new Error('no connection'));
        socket.onclose = event => window.ended = [event.code, event.reason];
        socket.onmessage = event => {
            for (const item of JSON.parse(event.data).items) {
                items.push(item);
                if (item.reply) asked.get(item.reply.id)?.(item.reply);
            }
        };
    });
}
function ask(kind, body, key) {
    const id = ++last;
    const answer = new Promise(done => asked.set(id, done));
    socket.send(JSON.stringify({id, [kind]: body, ...(key ? {key} : {})}));
    return answer;
}
</script>"""


@pytest.fixture
def hosts(tmp_path, made):
    """The server, installed from the package, with the settings of an app; and two hosts that reach only the server."""
    machine = package.boot_with(made[0], tmp_path, "server")
    clients = [Host.boot(), Host.boot()]
    try:
        for client, addresses in zip(clients, CABLES):
            wire(machine, client, addresses=addresses)
        names = ",".join(f"IP:{ours}" for ours, _ in CABLES)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
             "2", "-subj", "/CN=server", "-addext", f"subjectAltName={names}", "-keyout", "server.key", "-out",
             "server.pem"],
            cwd=tmp_path, check=True, capture_output=True)
        for name in ("server.key", "server.pem"):
            machine.copy(tmp_path / name, f"/etc/cairn/{name}")
        machine.run("chown cairn /etc/cairn/server.key && chmod 600 /etc/cairn/server.key")
        yield machine, clients, tmp_path / "server.pem"
    finally:
        for one in (machine, *clients):
            one.stop()


def sign_in(machine, *names):
    """Tokens for people, signed by the app's backend; the server gets the public key."""
    tokens, lines = [], ""
    for name in names:
        made = subprocess.run(
            machine.command("cairn", "admin", "token", name, user="cairn"), capture_output=True, text=True,
            timeout=PATIENCE)
        assert made.returncode == 0, made.stderr
        tokens.append(made.stdout.strip())
        lines = lines or made.stderr.split("\n", 1)[1]
    with open(machine.path("/etc/cairn/cairn.yaml"), "a") as settings:
        settings.write(SETTINGS + lines)
    machine.run("cairn config check && systemctl restart cairn")
    return tokens


def pinned(certificate):
    """Makes Chromium trust one key and no other."""
    public = subprocess.run(
        f"openssl x509 -in {certificate} -pubkey -noout | openssl pkey -pubin -outform der", shell=True, check=True,
        capture_output=True).stdout
    return "--ignore-certificate-errors-spki-list=" + base64.b64encode(hashlib.sha256(public).digest()).decode()


@pytest.mark.seconds(120)
async def test_a_page_and_an_app_on_two_hosts_see_each_others_stickers(hosts):
    machine, (page_host, app_host), certificate = hosts
    adas, bobs = sign_in(machine, "Ada", "Bob")
    server = types.SimpleNamespace(
        url=f"wss://{CABLES[1][0]}:{PORT}/v1", tls=ssl.create_default_context(cafile=certificate))
    with app_host.network():
        bob = await Client.connect(server, token=bobs)
    assert bob.welcome["name"] == "Bob" and bob.welcome["role"] != "guest"
    cell = await bob.stand_at(*HERE)
    await bob.view(cell)

    # Processes started in this context run on that host: the browser with all of its processes.
    with page_host.network():
        playwright = await async_playwright().start()
        # The server has a private address, for which Chromium would otherwise ask its user.
        local = ["LocalNetworkAccessChecks", "PrivateNetworkAccessSendPreflights"]
        browser = await launched(playwright, pinned(certificate), without=local)
    try:
        page = await browser.new_page()
        await page.route(f"{APP}/**", lambda route: route.fulfill(content_type="text/html", body=PAGE))
        await page.goto(APP + "/")
        await page.evaluate("url => open(url)", f"wss://{CABLES[0][0]}:{PORT}/v1")
        hello = {"version": 1, "frontEnd": "realm", "token": adas}
        welcome = (await page.evaluate("hello => ask('hello', hello)", hello))["welcome"]
        assert welcome["name"] == "Ada"
        await page.evaluate("at => ask('position', at)", {"lat": HERE[0], "lon": HERE[1], "h": 30})
        sticker = {"object": "preset:star", "pose": pose(*HERE)}
        placed = (await page.evaluate("it => ask('place', it, 'a star')", sticker))["placed"]["instance"]
        await bob.until(lambda: bob.sees(placed), "the sticker that the page placed")

        heart = await bob.place(pose(*HERE))
        seen = "id => items.some(item => item.event?.entered?.instance.id === id)"
        await eventually(lambda: page.evaluate(seen, heart["id"]), "the sticker that the other host placed")

        # A page of any other origin is refused.
        await page.route("https://other.example/**", lambda route: route.fulfill(content_type="text/html", body=PAGE))
        await page.goto("https://other.example/")
        assert not await page.evaluate("url => open(url).catch(() => false)", f"wss://{CABLES[0][0]}:{PORT}/v1")
    finally:
        await browser.close()
        await playwright.stop()
    await bob.close()
