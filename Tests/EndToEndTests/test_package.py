"""The package on a clean machine: installed, used, upgraded and removed. The world must survive each step."""

import asyncio
import re
import subprocess

import pytest

import package
from accounts import sign_up
from cairn import Client, pose
from package import SERVICE
from paces import HELD_UP

pytestmark = pytest.mark.machine

# Limits in megabytes: size of the download, compressed lightly and as it is shipped, and size when installed. A jump in
# any of them needs an explanation. Of the tests' build, which is not optimized: 110.4 MB with guests who look.
LIGHT_DEB_MB_MAX = 45
DEB_MB_MAX = 30
INSTALLED_MB_MAX = 115
HERE = (45.5, -73.57)


@pytest.fixture
def deb(made):
    return made[0]


@pytest.fixture
def machine(tmp_path, deb):
    one = package.boot_with(deb, tmp_path)
    yield one
    one.stop()


def field(deb, name):
    return subprocess.run(["dpkg-deb", "--field", deb, name], check=True, capture_output=True, text=True).stdout.strip()


async def visit(machine, token=None):
    """Connects from within the machine, with a new account or a token, and stands at the place of the instances."""
    with machine.network():
        client = await (Client.connect(SERVICE, token=token) if token else sign_up(SERVICE, "Ada"))
    cell = await client.stand_at(*HERE)
    await client.view(cell)
    return client


def test_the_binary_asks_for_nothing_that_debian_does_not_have(deb, tmp_path):
    subprocess.run(["dpkg-deb", "--extract", deb, tmp_path], check=True)
    libraries, paths = package.needed(tmp_path / "usr/bin/cairn")
    assert not paths, "whoever can write there runs code"
    assert not [name for name in libraries if re.match(r"lib(swift|Foundation|dispatch|_|curl)", name)], libraries
    depends = field(deb, "Depends")
    libraries = ("libwebsockets17", "libwebsockets-evlib-uv", "libuv1", "libsqlite3-0", "libs2-0", "libicu72")
    for name in (*libraries, "libstdc++6"):
        assert name in depends, depends
    assert deb.stat().st_size < LIGHT_DEB_MB_MAX * 1e6 and int(field(deb, "Installed-Size")) < INSTALLED_MB_MAX * 1_000


def test_two_packages_of_one_build_are_the_same(made, tmp_path):
    for first, second in zip(made, package.make(tmp_path)):
        assert first.read_bytes() == second.read_bytes(), first.name


@pytest.mark.soak
def test_the_package_that_is_shipped_is_small_and_has_the_same_files(made, tmp_path):
    """The other tests are of a package that is compressed in less time."""
    shipped = package.make(tmp_path, light=False)
    assert shipped[0].stat().st_size < DEB_MB_MAX * 1e6
    for light, small in zip(made, shipped):
        assert small.stat().st_size < light.stat().st_size
    for part in ("--fsys-tarfile", "--ctrl-tarfile"):
        light, small = (
            subprocess.run(["dpkg-deb", part, one[0]], check=True, capture_output=True).stdout
            for one in (made, shipped))
        assert light == small, part
    light, small = (
        subprocess.run(["gzip", "-dc", one[1]], check=True, capture_output=True).stdout for one in (made, shipped))
    assert light == small


def test_the_sums_are_those_of_the_files(made):
    subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=made[0].parent, check=True)
    assert {line.split()[1] for line in (made[0].parent / "SHA256SUMS").read_text().splitlines()} == {
        path.name for path in made}


def test_the_archive_names_what_it_needs(made, deb, tmp_path):
    subprocess.run(["tar", "--extract", "--strip-components=1", f"--file={made[1]}", f"--directory={tmp_path}"],
                   check=True)
    named = (tmp_path / "dependencies.txt").read_text().splitlines()
    for name in field(deb, "Depends").split(", "):
        assert name in named or name == "adduser", name
    for path in ("usr/bin/cairn", "lib/systemd/system/cairn.service", "etc/cairn/cairn.yaml"):
        assert (tmp_path / path).is_file(), path


def test_the_manual_page_is_good_and_names_every_command(deb, tmp_path):
    subprocess.run(["dpkg-deb", "--extract", deb, tmp_path], check=True)
    page = tmp_path / "usr/share/man/man1/cairn.1.gz"
    text = subprocess.run(["gzip", "--decompress", "--stdout", page], check=True, capture_output=True).stdout
    said = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-cbou"], input=text, capture_output=True, check=True)
    assert said.stderr == b""
    for command in ("serve", "config check", "check", "top", "stats", "backup", "restore", "verify", "rotate-key"):
        assert f"   cairn {command}\n".encode() in said.stdout, command


@pytest.mark.seconds(180)
async def test_installed_upgraded_removed_and_purged_the_world_is_still_there(machine, deb, start, tmp_path):
    run = machine.run
    # The user and its folders; the service runs as this user only.
    assert re.match(r"cairn:x:\d+:\d+:[^:]*:/var/lib/cairn:/usr/sbin/nologin", run("getent passwd cairn"))
    for path, mode in (("/var/lib/cairn", "700"), ("/var/lib/cairn-key", "700"), ("/etc/cairn/cairn.yaml", "644"),
                       ("/var/lib/cairn/cairn.sqlite", "600"), ("/var/lib/cairn-key/cairn.key", "600")):
        owner = "root" if path.startswith("/etc") else "cairn"
        assert run(f"stat -c '%a %U' {path}") == f"{mode} {owner}\n", path
    assert run("stat -c %U /proc/$(cat /run/cairn.pid)") == "cairn\n"
    assert "swift" not in run("cat /proc/$(cat /run/cairn.pid)/maps")
    # The service starts as quickly as the program does outside.
    inside, outside = (
        int(re.search(r"ready in (\d+) ms", text)[1]) for text in (run("journalctl -u cairn"), *start().greeting[-1:]))
    assert inside < HELD_UP * outside, (inside, outside)

    ada = await visit(machine)
    heart = await ada.place(pose(*HERE))
    token = ada.welcome["token"]
    await ada.close()

    # An upgrade restarts the service and leaves what the operator has changed.
    run("echo 'placement: {areaQuota: 41}' >> /etc/cairn/cairn.yaml")
    before = run("cat /run/cairn.pid")
    machine.copy(await asyncio.to_thread(newer, tmp_path), "/srv/newer.deb")
    run("apt-get install --yes ./newer.deb", seconds=600)
    assert run("dpkg-query -W -f='${Version}' cairn") == "9.9.9" and run("cat /run/cairn.pid") != before
    ada = await visit(machine, token=token)
    assert ada.sees(heart) and ada.welcome["limits"]["areaQuota"] == 41
    await ada.close()

    run("apt-get remove --yes cairn")
    run("systemctl is-active cairn; test ! -e /usr/bin/cairn")
    run("test -s /var/lib/cairn/cairn.sqlite && test -s /var/lib/cairn-key/cairn.key && test -s /etc/cairn/cairn.yaml")
    assert "/var/lib/cairn /var/lib/cairn-key" in run("apt-get purge --yes cairn")
    run("test -s /var/lib/cairn/cairn.sqlite && test -s /var/lib/cairn-key/cairn.key")
    run("test ! -e /etc/cairn/cairn.yaml")

    run("apt-get install --yes ./cairn.deb", seconds=600)
    ada = await visit(machine, token=token)
    assert ada.sees(heart)
    await ada.close()


def newer(folder):
    return package.make(folder / "newer", "--version", "9.9.9")[0]


def test_completions_are_what_the_shell_takes(machine):
    said = machine.run("source /usr/share/bash-completion/completions/cairn && complete -p cairn")
    assert "cairn" in said
    for path in ("/usr/share/zsh/vendor-completions/_cairn", "/usr/share/fish/vendor_completions.d/cairn.fish"):
        assert "rotate-key" in machine.run(f"cat {path}"), path
