"""TLS: accepted and refused certificates, keys and handshakes (SES-1; pitfalls B27, B28)."""

import asyncio
import contextlib
import json
import re
import signal
import socket
import ssl
import subprocess
import time

import pytest

from cairn import PATIENCE, Client, bits, eventually, pose
from rfc6455_frames import frame
from server import get, run, serve_command


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=30)


def make_certificate(folder, name="server"):
    """A self-signed certificate for 127.0.0.1; returns its settings."""
    openssl(
        folder, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
        "-keyout", f"{name}.key", "-out", f"{name}.pem",
    )  # fmt: skip
    return {"listen__tlsCertificate": folder / f"{name}.pem", "listen__tlsKey": folder / f"{name}.key"}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return make_certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def trusting(certificate):
    """An SSL context that trusts it."""

    def context(**limits):
        made = ssl.create_default_context(cafile=certificate["listen__tlsCertificate"])
        for name, value in limits.items():
            setattr(made, name, value)
        return made

    return context


async def test_with_a_certificate_it_serves_wss(start, certificate, trusting, spot):
    server = start(tls=trusting(), **certificate)
    assert server.url == f"wss://127.0.0.1:{server.port}/v1"
    assert f"https://127.0.0.1:{server.port}/readyz" in "\n".join(server.greeting)
    ada = await Client.connect(server, "Ada")
    bob = await Client.connect(server, "Bob")
    cell = await ada.stand_at(*spot)
    await bob.stand_at(*spot)
    await bob.view(cell)
    for number in range(8):
        sent = pose(*spot, 30.0 + number, anchor={"provider": "p", "data": "A" * 4096})
        placed = await ada.place(sent)
        assert bits((await bob.until(lambda: bob.sees(placed), "what Ada placed"))["pose"]) == bits(sent)
    assert ada.socket.transport.get_extra_info("ssl_object").version() in ("TLSv1.2", "TLSv1.3")
    status, _, text = await get(f"{server.http}/readyz", context=trusting())
    assert (status, text) == (200, "ok\n")
    server.terminate()
    assert (await ada.until_ended())[0] == 1012
    assert await asyncio.to_thread(server.wait) == 0


async def test_a_hello_with_much_behind_it_in_one_record_holds_up_nobody(start, certificate, trusting):
    """Reading stops during a sign-in, within bytes that are decrypted already (L18)."""
    server = start(tls=trusting(), listen__loops=1, **certificate)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=trusting())
    writer.write(
        b"GET /v1 HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        b"Sec-WebSocket-Protocol: cairn.v1.json\r\n\r\n"
    )
    assert b" 101 " in await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
    hello = json.dumps({"id": 1, "hello": {"version": 1, "frontEnd": "bot", "name": "Ada"}}).encode()
    wishes = [json.dumps({"id": number, "share": {"position": True}}).encode() for number in range(100, 160)]
    writer.write(b"".join(frame(1, message) for message in [hello, *wishes]))
    bob = await Client.connect(server, "Bob")
    assert bob.welcome["role"]
    came = b""
    while b'"id":159' not in came:
        came += await asyncio.wait_for(reader.read(65_536), PATIENCE)
    assert b"welcome" in came and all(b'"id":%d' % number in came for number in range(100, 160))
    writer.close()


def tls_version(server, context):
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw:
        with context.wrap_socket(raw, server_hostname="127.0.0.1") as secured:
            return secured.version(), secured.selected_alpn_protocol()


def returns(server, context, session=None):
    """A request by a client that may have been here before: whether it was resumed, and what it may return with."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as raw:
        with context.wrap_socket(raw, server_hostname="127.0.0.1", session=session) as secured:
            secured.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert secured.recv(4096).startswith(b"HTTP/1.1 200")
            return secured.session_reused, secured.session


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_whoever_returns_is_resumed_on_any_loop(start, certificate, trusting, version):
    server = start(tls=trusting(), listen__loops=2, **certificate)
    context = trusting(maximum_version=version, minimum_version=version)
    was_resumed, session = returns(server, context)
    assert not was_resumed
    # The kernel gives each of them to either loop.
    for _ in range(20):
        was_resumed, session = returns(server, context, session)
        assert was_resumed


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1:DeprecationWarning")
def test_tls_older_than_1_2_is_refused(start, certificate, trusting):
    server = start(tls=trusting(), **certificate)
    old = trusting(maximum_version=ssl.TLSVersion.TLSv1_1, minimum_version=ssl.TLSVersion.TLSv1)
    # OpenSSL offers it only if configured; with 1.2 allowed as well the same client connects.
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.raises((ssl.SSLError, ConnectionError)):
        tls_version(server, old)
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    assert tls_version(server, old)[0] == "TLSv1.2"
    assert tls_version(server, trusting())[0] == "TLSv1.3"


def test_tls_offers_no_http_2(start, certificate, trusting):
    server = start(tls=trusting(), **certificate)
    context = trusting()
    context.set_alpn_protocols(["h2", "http/1.1"])
    assert tls_version(server, context)[1] in (None, "http/1.1")
    context.set_alpn_protocols(["h2"])
    with contextlib.suppress(ssl.SSLError, ConnectionError):
        assert tls_version(server, context)[1] is None


def test_plain_http_on_the_tls_port_gives_no_upgrade(start, certificate, trusting):
    server = start(tls=trusting(), **certificate)
    request = (
        "GET /v1 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        "Sec-WebSocket-Protocol: cairn.v1.json\r\n\r\n"
    )
    for text in (request, request.replace("/v1", "/livez").replace("Upgrade: websocket\r\n", "")):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as plain:
            plain.sendall(text.encode())
            answer = b""
            with contextlib.suppress(ConnectionError):
                while chunk := plain.recv(4096):
                    answer += chunk
        assert b"101" not in answer and b"ok\n" not in answer and b"Upgrade" not in answer, answer
    assert tls_version(server, trusting())[0] == "TLSv1.3"


def test_a_key_that_does_not_belong_to_the_certificate_is_refused(tmp_path, certificate):
    other = make_certificate(tmp_path, "other")
    pair = {"listen.tlsCertificate": certificate["listen__tlsCertificate"], "listen.tlsKey": other["listen__tlsKey"]}
    settings = [argument for key, path in pair.items() for argument in ("--set", f"{key}={path}")]
    result = run(*serve_command(tmp_path / "data")[1:], *settings)
    assert result.returncode not in (0, None) and "listen.tls" in result.stderr, result


def test_an_expired_certificate_is_refused(tmp_path):
    (tmp_path / "ca.conf").write_text(
        "[ca]\ndefault_ca = own\n[own]\ndatabase = index\nnew_certs_dir = .\nserial = serial\ndefault_md = sha256\n"
        "policy = any\nx509_extensions = none\n[any]\ncommonName = supplied\n[none]\n"
    )
    (tmp_path / "index").touch()
    (tmp_path / "serial").write_text("01\n")
    openssl(
        tmp_path, "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj", "/CN=localhost", "-keyout", "old.key", "-out", "old.csr",
    )  # fmt: skip
    openssl(
        tmp_path, "ca", "-batch", "-config", "ca.conf", "-selfsign", "-keyfile", "old.key", "-in", "old.csr",
        "-startdate", "20200101000000Z", "-enddate", "20200102000000Z", "-notext", "-out", "old.pem",
    )  # fmt: skip
    pair = {"listen.tlsCertificate": tmp_path / "old.pem", "listen.tlsKey": tmp_path / "old.key"}
    settings = [argument for key, path in pair.items() for argument in ("--set", f"{key}={path}")]
    result = run(*serve_command(tmp_path / "data")[1:], *settings)
    assert result.returncode not in (0, None) and "has expired" in result.stderr, result


async def test_whoever_came_by_tls_is_told_to_stay_with_it(start, tmp_path, certificate, trusting):
    server = start(tls=trusting(), **certificate)
    _, headers, _ = await get(f"https://127.0.0.1:{server.port}/readyz", context=trusting())
    assert headers["Strict-Transport-Security"] == "max-age=31536000"
    server = start(folder=tmp_path / "plain")
    assert "Strict-Transport-Security" not in (await get(f"{server.http}/readyz"))[1]


def test_with_a_certificate_it_may_serve_others(start, certificate, trusting):
    server = start("--address", "0.0.0.0", tls=trusting(), opens=False, **certificate)
    assert server.url.startswith("wss://localhost:"), "an address that a client can go to"
    assert "open: any name" not in "\n".join(server.greeting), "accounts are not open to others"
    assert tls_version(server, trusting())[0] == "TLSv1.3"


async def test_sighup_takes_a_new_certificate_for_the_next_handshake(start, tmp_path):
    settings = make_certificate(tmp_path)
    server = start(tls=ssl.create_default_context(cafile=settings["listen__tlsCertificate"]), **settings)
    ada = await Client.connect(server, "Ada")
    with pytest.raises(ssl.SSLError):
        make_certificate(tmp_path, "other")
        tls_version(server, ssl.create_default_context(cafile=tmp_path / "other.pem"))
    make_certificate(tmp_path)
    renewed = ssl.create_default_context(cafile=settings["listen__tlsCertificate"])
    server.process.send_signal(signal.SIGHUP)

    async def is_new():
        with contextlib.suppress(ssl.SSLError):
            return await asyncio.to_thread(tls_version, server, renewed)

    await eventually(is_new, server.log)
    await ada.ask("share", {"position": True})


def test_tls_1_2_offers_no_suite_without_authenticated_encryption(start, certificate, trusting):
    server = start(tls=trusting(), **certificate)

    def suite(ciphers):
        context = trusting(maximum_version=ssl.TLSVersion.TLSv1_2)
        context.set_ciphers(f"{ciphers}:@SECLEVEL=0")
        with socket.create_connection((server.host, server.port), timeout=PATIENCE) as plain:
            with context.wrap_socket(plain, server_hostname=server.host) as protected:
                return protected.cipher()[0]

    assert suite("ECDHE-ECDSA-AES128-GCM-SHA256") == "ECDHE-ECDSA-AES128-GCM-SHA256"
    for weak in ("ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384"):
        with pytest.raises((ssl.SSLError, ConnectionResetError)):
            suite(weak)


async def test_handshakes_of_one_address_have_a_budget_and_those_within_it_go_on(start, certificate, trusting):
    server = start(tls=trusting(), listen__tlsHandshakesPerSecondPerAddress=1, **certificate)
    began = time.monotonic()
    ada = await Client.connect(server, "Ada")
    taken = refused = 0
    while refused < 4:
        try:
            assert tls_version(server, trusting())[0]
            taken += 1
        except (ssl.SSLError, ConnectionError):
            refused += 1
    # A burst of five, of which Ada used one, and one more for each second of this test.
    assert 4 <= taken <= 5 + (time.monotonic() - began)
    assert await ada.ask("share", {"position": True}) is not None

    async def is_counted():
        # This request also uses TLS: it is refused and counted until a second has passed.
        with contextlib.suppress(OSError):
            page = (await get(f"{server.http}/metrics", context=trusting()))[2]
            found = re.search(r'^cairn_transport_rejections_total\{.*"tlsHandshakes".*\} (\d+)', page, re.MULTILINE)
            return int(found[1]) >= refused
        return False

    await eventually(is_counted, "the refused handshakes in /metrics")
