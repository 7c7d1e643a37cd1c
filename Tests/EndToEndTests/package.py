"""The package: built from the binary under test, and installed on a machine."""

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
    if is_debug():
        return "a package is made of a release build (make release)"
    return machine.missing()


def make(folder, *arguments):
    """The paths of the .deb and of the .tar.gz."""
    made = subprocess.run(
        [ROOT / "scripts/package", "--to", folder, *arguments], capture_output=True, text=True, timeout=120,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "CAIRN_BIN": str(binary())})
    assert made.returncode == 0, made.stderr
    return made.stdout.split()


def boot_with(deb, folder, name="debian"):
    """A machine on which the package is installed and, by that, the service runs."""
    one = Machine.boot(folder, name)
    try:
        one.copy(deb, "/srv/cairn.deb")
        one.run("apt-get install --yes ./cairn.deb", seconds=120)
    except BaseException:
        one.stop()
        raise
    return one
