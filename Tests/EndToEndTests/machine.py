"""Machines for the tests of the package: a clean Debian root without Swift, in separate namespaces, and a network.

    with Machine.boot(folder) as machine:
        machine.copy(deb, "/srv/cairn.deb")
        machine.run("apt-get install --yes ./cairn.deb")

A machine has its own processes, mounts, host name and network, which end with it. It has no systemd: `debian/systemctl`
stands in for it. `wire` joins two machines as a cable does.
"""

import contextlib
import ctypes
import os
import pathlib
import shutil
import subprocess

from server import ROOT

CLEAN_ROOT = ROOT / ".build/debian-root/root.tar"
STAND_INS = pathlib.Path(__file__).parent / "debian"
# A path without directories of the machine that runs the tests.
ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive", "TERM": "xterm",
}  # fmt: skip
# Adopts and reaps orphaned processes, as an init does.
INIT = """
set -e
mount --bind "$1" "$1"
mount -t proc proc "$1/proc"
mount -t tmpfs tmpfs "$1/run"
mount --rbind /dev "$1/dev"
mkdir -p "$1/run/systemd/system"
hostname "$2"
ip link set lo up
echo up
exec chroot "$1" /bin/bash -c 'while :; do sleep 3600 & wait -n; done'
"""


def missing():
    """Why machines cannot run here; None where they can."""
    if os.geteuid() != 0:
        return "needs root, for namespaces and a user of the package's own"
    if not CLEAN_ROOT.exists():
        return f"there is no {CLEAN_ROOT}: run scripts/bootstrap"
    return None


class Machine:
    """A running machine. Made by `boot`."""

    def __init__(self, root, init, name):
        self.root = root
        self.name = name
        self._init = init
        # The namespaces are those of unshare's child.
        children = pathlib.Path(f"/proc/{init.pid}/task/{init.pid}/children").read_text().split()
        self.pid = int(children[0])

    @classmethod
    def boot(cls, folder, name="debian"):
        """Unpacks the clean root into that folder and starts it."""
        root = pathlib.Path(folder) / name
        root.mkdir(parents=True)
        subprocess.run(["tar", "--extract", f"--file={CLEAN_ROOT}", f"--directory={root}"], check=True, timeout=120)
        for program in STAND_INS.iterdir():
            shutil.copy(program, root / "usr/bin" / program.name)
        init = subprocess.Popen(
            ["unshare", "--mount", "--uts", "--net", "--ipc", "--pid", "--fork", "--kill-child", "--propagation",
             "private", "bash", "-c", INIT, "init", str(root), name],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)  # fmt: skip
        assert init.stdout.readline() == b"up\n", f"{name} does not start"
        return cls(root, init, name)

    def command(self, *words, user=None):
        """The words of a command that runs inside, for subprocess."""
        inside = ["nsenter", "--target", str(self.pid), "--mount", "--uts", "--net", "--ipc", "--pid", "--root", "--wd"]
        taking = ["runuser", "-u", user, "--"] if user else []
        variables = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
        return [*inside, "env", "--ignore-environment", *variables, *taking, *map(str, words)]

    def run(self, script, *, user=None, code=0, seconds=60, folder="/srv"):
        """Runs lines as an interactive shell does; returns what they print."""
        result = subprocess.run(
            self.command("bash", "-c", f"cd {folder}\n{script}", user=user), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=seconds)
        # The first line of a failure is what is known of it when the machine of CI is gone.
        last = result.stdout.strip().rpartition("\n")[2]
        assert result.returncode == code, f"{script!r}: exit {result.returncode}, not {code}: {last}\n{result.stdout}"
        return result.stdout

    def copy(self, source, target):
        """Copies a file into the machine."""
        shutil.copy(source, self.root / target.lstrip("/"))

    def path(self, inside):
        """The path of a machine's file outside the machine."""
        return self.root / inside.lstrip("/")

    @contextlib.contextmanager
    def network(self):
        """Connections that this thread opens in this context come from this machine, and stay there."""
        with open("/proc/self/ns/net") as own, open(f"/proc/{self.pid}/ns/net") as its:
            _enter(its.fileno())
            try:
                yield
            finally:
                _enter(own.fileno())

    def stop(self):
        self._init.kill()
        self._init.wait()
        self._init.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Host:
    """A separate network only: processes in it have the files of the machine that runs the tests."""

    network = Machine.network

    def __init__(self, process):
        self.process = process
        self.pid = process.pid

    @classmethod
    def boot(cls):
        # unshare execs the shell, and the shell execs the waiting program: one process, whose id is known.
        process = subprocess.Popen(
            ["unshare", "--net", "bash", "-c", "ip link set lo up && echo up && exec sleep infinity"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"up\n", "no network"
        return cls(process)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def _enter(namespace):
    """setns(2), which Python has from 3.12 on."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.setns(namespace, 0x4000_0000) != 0:  # CLONE_NEWNET
        raise OSError(ctypes.get_errno(), "setns")


def wire(one, other, *, addresses=("10.77.0.1", "10.77.0.2")):
    """A cable between two machines, an address at each end."""
    # The first machine may have several cables, the second has this one only.
    ends = (f"a{other.pid}", f"b{other.pid}")
    subprocess.run(["ip", "link", "add", ends[0], "type", "veth", "peer", "name", ends[1]], check=True)
    for machine, end, address in zip((one, other), ends, addresses):
        subprocess.run(["ip", "link", "set", end, "netns", str(machine.pid)], check=True)
        network = ["nsenter", "--target", str(machine.pid), "--net"]
        subprocess.run([*network, "ip", "address", "add", f"{address}/24", "dev", end], check=True)
        subprocess.run([*network, "ip", "link", "set", end, "up"], check=True)
