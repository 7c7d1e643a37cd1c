"""The package: built from the binary under test, and installed on a machine."""

import fcntl
import pathlib
import re
import subprocess
import types

import machine
from machine import Machine
from server import ROOT, binary, is_debug

# The service as the package sets it up, for `Client.connect`, from within its machine.
SERVICE = types.SimpleNamespace(url="ws://127.0.0.1:8080/v1", http="http://127.0.0.1:8080", tls=None)


def needed(program):
    """The libraries that a program needs, and the paths in which it searches for them."""
    said = subprocess.run(["readelf", "--dynamic", program], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", said), re.findall(r"\(R(?:UN)?PATH\).*\[(.+)\]", said)


def impossible():
    """Why a package can be neither built nor tested here; None where it can. `conftest.py` leaves out the tests."""
    try:
        return "a package is made of a release build (make release)" if is_debug() else machine.missing()
    except FileNotFoundError as error:
        return str(error)


def make(folder, *arguments, light=True):
    """Makes the package; the paths of the .deb and of the .tar.gz. What is shipped is not `light`: it takes a minute of
    processor time."""
    made = subprocess.run(
        [ROOT / "scripts/package", "--to", folder, *(["--light"] if light else []), *arguments], capture_output=True,
        text=True, timeout=600, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "CAIRN_BIN": str(binary())})
    assert made.returncode == 0, made.stderr
    return [pathlib.Path(path) for path in made.stdout.split()]


def made_once(folder):
    """The paths as of `make`; of several processes that name one folder the first makes the package."""
    folder.mkdir(exist_ok=True)
    paths = folder / "paths"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not paths.exists():
            paths.write_text("\n".join(map(str, make(folder))))
    return [pathlib.Path(path) for path in paths.read_text().splitlines()]


def boot_with(deb, folder, name="debian"):
    """A machine on which the package is installed and, by that, the service runs."""
    one = Machine.boot(folder, name)
    try:
        one.copy(deb, "/srv/cairn.deb")
        one.run("apt-get install --yes ./cairn.deb", seconds=600)
    except BaseException:
        one.stop()
        raise
    return one
