"""The container image: run as docs/operations.md says, with a read-only root, as a user who may do nothing else."""

import asyncio
import json
import os
import pathlib
import re
import ssl
import subprocess
import types

import pytest

import container
from accounts import sign_up
from cairn import PATIENCE, Client, eventually, pose
from container import Container, Image
from machine import Host, wire
from server import ROOT, is_optimized
from test_tls import make_certificate

pytestmark = [pytest.mark.machine, pytest.mark.soak]

#: Limits in megabytes: of the archive, of all files of the image. A jump needs an explanation.
ARCHIVE_MB_MAX, UNPACKED_MB_MAX = (90, 220) if is_optimized() else (100, 260)
HERE = (45.5, -73.57)
CADDY = ROOT / ".venv/caddy/usr/bin/caddy"


@pytest.fixture(scope="module")
def image(tmp_path_factory, made):
    assert not container.missing(), container.missing()
    one = Image.build(tmp_path_factory.mktemp("image"), made[0])
    yield one
    one.close()


@pytest.fixture
def secrets(tmp_path):
    """A folder with a certificate and its key, as a container gets them; and the variables that name them."""
    folder = tmp_path / "secrets"
    folder.mkdir()
    make_certificate(folder)
    os.chown(folder / "server.key", 10001, 10001)
    folder.chmod(0o755)
    return types.SimpleNamespace(
        folder=folder, variables={"CAIRN_LISTEN_TLS_CERTIFICATE": "/srv/server.pem",
                                  "CAIRN_LISTEN_TLS_KEY": "/srv/server.key"},
        server=types.SimpleNamespace(
            url="wss://127.0.0.1:8080/v1", http="https://127.0.0.1:8080",
            tls=ssl.create_default_context(cafile=folder / "server.pem")))


async def healthy(one):
    said = None

    async def is_healthy():
        nonlocal said
        said = await asyncio.to_thread(one.health)
        return said[0] == 0

    await eventually(is_healthy, lambda: f"{said}\n{one.log}")


async def visit(one, server, token=None):
    with one.network():
        client = await (Client.connect(server, token=token) if token else sign_up(server, "Ada"))
    await client.view(await client.stand_at(*HERE))
    return client


async def test_a_container_writes_to_its_volume_alone_and_the_next_one_has_its_world(image, secrets, tmp_path):
    volume = tmp_path / "volume"
    with Container.start(image, volume, secrets.folder, **secrets.variables) as one:
        await healthy(one)
        status = pathlib.Path(f"/proc/{one.pid}/status").read_text()
        assert re.search(r"^NSpid:.*\t1$", status, re.MULTILINE), "another process is in front of the server"
        assert re.search(r"^Uid:\t10001\t10001", status, re.MULTILINE)
        assert set(re.findall(r"^Cap\w+:\t(\w+)$", status, re.MULTILINE)) == {"0" * 16}
        for path in ("/etc/cairn/x", "/tmp/x", "/run/x", "/usr/x", "/srv/x"):
            assert one.refuses("touch", path), path
        ada = await visit(one, secrets.server)
        heart = await ada.place(pose(*HERE))
        token = ada.welcome["token"]

        async def is_counted():
            return json.loads(await asyncio.to_thread(one.run, "cairn", "stats", "people"))["people"] == 1

        await eventually(is_counted, "nobody is there")
        one.run("cairn", "stats", "backup")
        # Clients are told, and what was acknowledged is there.
        assert one.stop() == 0, one.log
        assert (await ada.until_ended())[0] in (1001, 1012)
    files = [path for path in volume.rglob("*") if path.is_file()]
    assert {"cairn.sqlite", "cairn.key"} <= {path.name for path in files}
    assert list((volume / "backups").glob("*Z.sqlite"))
    exposed = [path for path in [volume, *volume.rglob("*")] if path.lstat().st_mode & 0o077 and not path.is_socket()]
    assert exposed == []
    # An upgrade: another container of the volume.
    with Container.start(image, volume, secrets.folder, **secrets.variables) as one:
        await healthy(one)
        ada = await visit(one, secrets.server, token=token)
        assert ada.sees(heart)
        await ada.close()
        assert one.stop() == 0, one.log


async def test_a_world_of_a_killed_container_is_served_by_the_next(image, secrets, tmp_path):
    """The stats socket and the locks of the dead one are in the volume."""
    volume = tmp_path / "volume"
    with Container.start(image, volume, secrets.folder, **secrets.variables) as one:
        await healthy(one)
        os.kill(one.pid, 9)
        assert one.ended() != 0
    with Container.start(image, volume, secrets.folder, **secrets.variables) as one:
        await healthy(one)
        assert one.stop() == 0, one.log


async def test_without_tls_and_without_a_proxy_it_ends_and_says_what_to_set(image, tmp_path):
    with Container.start(image, tmp_path / "volume") as one:
        assert await asyncio.to_thread(one.ended) == 78
        assert "listen.tlsCertificate" in one.log and "listen.behindProxy" in one.log


def compose():
    """What the example for Docker Compose gives the server, and the addresses of proxy and server."""
    text = (ROOT / "packaging/compose.yaml").read_text().replace("${CAIRN_NAME:?}", "localhost")
    variables = dict(re.findall(r'^      (CAIRN_\w+): "?(.*?)"?$', text.split("  proxy:")[0], re.MULTILINE))
    server, proxy = re.findall(r"ipv4_address: ([\d.]+)", text)
    return variables, proxy, server


async def test_behind_caddy_as_in_the_example(image, tmp_path):
    variables, proxy_address, address = compose()
    host = Host.boot()
    try:
        with Container.start(image, tmp_path / "volume", **variables) as one:
            wire(host, one, addresses=(proxy_address, address))
            await healthy(one)
            # Without the example's name of the server, a certificate of Caddy's own, and no trust beyond this test.
            config = (ROOT / "packaging/Caddyfile").read_text().replace("cairn:8080", f"{address}:8080")
            (tmp_path / "Caddyfile").write_text("{\nskip_install_trust\nadmin off\n}\n" + config)
            caddy = subprocess.Popen(
                ["nsenter", "--target", str(host.pid), "--net", CADDY, "run", "--config", tmp_path / "Caddyfile"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(tmp_path / "caddy.log", "w"),
                env={"CAIRN_NAME": "localhost", "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "trust")})
            try:
                authority = tmp_path / "trust/caddy/pki/authorities/local/root.crt"

                async def is_there():
                    return authority.exists()

                await eventually(is_there, lambda: (tmp_path / "caddy.log").read_text())
                server = types.SimpleNamespace(
                    url="wss://localhost/v1", tls=ssl.create_default_context(cafile=authority))
                ada = await eventually(lambda: tried(host, server), lambda: (tmp_path / "caddy.log").read_text())
                await ada.view(await ada.stand_at(*HERE))
                assert ada.sees(await ada.place(pose(*HERE)))
                await ada.close()
            finally:
                caddy.terminate()
                caddy.wait(PATIENCE)
            # Whoever comes past the proxy, from another address, gets nothing.
            inside = ["nsenter", "--target", str(host.pid), "--net"]
            subprocess.run([*inside, "ip", "address", "add", "172.30.41.9/24", "dev", f"a{one.pid}"], check=True)
            past = subprocess.run(
                [*inside, "curl", "--interface", "172.30.41.9", "-s", "-o", "/dev/null", "-w", "%{http_code}",
                 f"http://{address}:8080/play"], capture_output=True, text=True, timeout=PATIENCE)
            assert past.stdout == "403"
            assert one.stop() == 0, one.log
    finally:
        host.stop()


async def tried(host, server):
    try:
        with host.network():
            return await sign_up(server, "Ada")
    except OSError:
        return None


def test_the_image_is_small(image):
    archive, unpacked = image.archive.stat().st_size / 1e6, image.unpacked_bytes() / 1e6
    print(f"\n{archive:.0f} MB to load, {unpacked:.0f} MB unpacked")
    assert archive < ARCHIVE_MB_MAX and unpacked < UNPACKED_MB_MAX
