"""The container image, built by scripts/image, and containers of it without a program that runs containers.

    image = Image.build(folder, deb)
    with Container.start(image, folder / "volume", CAIRN_LISTEN_ADDRESS="127.0.0.1") as container:
        container.run("cairn", "check")

A container has what the image says (user, variables, command, volume) and what docs/operations.md adds: a root that is
read-only, no capability, no new privileges. Its processes, mounts and network are its own and end with it.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading

from cairn import PATIENCE
from machine import CLEAN_ROOT, Machine
from server import ROOT

#: What a container has of the machine's devices.
DEVICES = ("null", "zero", "full", "random", "urandom")
# Runs in new namespaces: mounts what the image does not have, and becomes the container's first process.
INIT = """
set -e
root=$1 volume=$2 files=$3
shift 3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"
for one in %s; do touch "$root/dev/$one" && mount --bind "/dev/$one" "$root/dev/$one"; done
ln -s /proc/self/fd "$root/dev/fd"
mount --bind "$volume" "$root/var/lib/cairn"
mount --bind "$files" "$root/srv" && mount -o remount,bind,ro "$root/srv"
mount -o remount,bind,ro "$root"
ip link set lo up
echo up
exec chroot "$root" "$@"
""" % " ".join(DEVICES)


def missing():
    """Why no image can be built here; None where it can."""
    return None if shutil.which("buildah") else "there is no buildah: run scripts/bootstrap"


class Image:
    """An image in a store of its own, unpacked. `config` has what it says of itself, in Docker's words."""

    def __init__(self, environment, name, archive):
        self._environment = environment
        self.name, self.archive = name, pathlib.Path(archive)
        said = json.loads(self._buildah("inspect", "--type", "image", name))
        self.config = said["Docker"]["config"]
        self._container = self._buildah("from", "--pull-never", name).strip()
        self.root = pathlib.Path(self._buildah("mount", self._container).strip())

    @classmethod
    def build(cls, folder, deb):
        """Builds the image of a package from the clean root, without a network."""
        store, package = folder / "store", folder / "package"
        for one in (store, package):
            one.mkdir(parents=True)
        (package / deb.name).symlink_to(deb)
        # Needs nothing of the machine's own kernel but mounts (docs/operations.md, "In a container").
        (store / "storage.conf").write_text(
            f'[storage]\ndriver = "vfs"\ngraphroot = "{store}/images"\nrunroot = "{store}/run"\n')
        environment = os.environ | {
            "CONTAINERS_STORAGE_CONF": str(store / "storage.conf"), "BUILDAH_ISOLATION": "chroot"}
        made = subprocess.run(
            ["unshare", "--net", ROOT / "scripts/image", "--from", package, "--root", CLEAN_ROOT], text=True,
            stdin=subprocess.DEVNULL, capture_output=True, timeout=600, env=environment)
        assert made.returncode == 0, made.stdout + made.stderr
        return cls(environment, *made.stdout.split()[-2:])

    def _buildah(self, *words):
        return subprocess.run(
            ["buildah", *words], check=True, capture_output=True, text=True, timeout=PATIENCE, env=self._environment
        ).stdout

    def unpacked_bytes(self):
        """The size of all files that it has."""
        return sum(path.lstat().st_size for path in self.root.rglob("*") if path.is_file() and not path.is_symlink())

    def close(self):
        self._buildah("rm", self._container)


class Container:
    """A running container. `log` has what it has printed so far."""

    network = Machine.network

    def __init__(self, image, init, variables):
        self.image, self._init, self._variables = image, init, variables
        self.log = ""
        children = pathlib.Path(f"/proc/{init.pid}/task/{init.pid}/children").read_text().split()
        self.pid = int(children[0])
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @classmethod
    def start(cls, image, volume, files=None, **variables):
        """Starts a container with a folder as its volume, and a folder of files that it can read, at /srv. A fresh
        volume belongs to the image's user, as Docker makes it."""
        config = image.config
        user, group = map(int, config["User"].split(":"))
        if not volume.exists():
            volume.mkdir(mode=0o700, parents=True)
            os.chown(volume, user, group)
        variables = [*config["Env"], *(f"{name}={value}" for name, value in variables.items())]
        command = [*cls._inside(config, variables), *config["Entrypoint"], *config["Cmd"]]
        init = subprocess.Popen(
            ["unshare", "--mount", "--uts", "--net", "--ipc", "--pid", "--fork", "--kill-child", "--propagation",
             "private", "bash", "-c", INIT, "init", image.root, volume, files or volume, *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip
        assert init.stdout.readline() == "up\n", "the container does not start"
        return cls(image, init, variables)

    @staticmethod
    def _inside(config, variables):
        """What makes a process of the container one of its user's, with its variables, in its folder."""
        user, group = config["User"].split(":")
        return ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs",
                "--inh-caps=-all", "--bounding-set=-all", "env", "--ignore-environment",
                f"--chdir={config['WorkingDir']}", *variables]  # fmt: skip

    def _read(self):
        for line in self._init.stdout:
            self.log += line

    def run(self, *words, code=0):
        """Runs a command inside as `docker exec` does; returns what it prints."""
        result = self._ran(*words)
        assert result.returncode == code, (words, result.returncode, result.stdout)
        return result.stdout

    def refuses(self, *words):
        """Whether a command fails inside."""
        return self._ran(*words).returncode != 0

    def health(self):
        """The exit code of the image's own health check, and what it says."""
        kind, *words = self.image.config["Healthcheck"]["Test"]
        assert kind == "CMD"
        result = self._ran(*words)
        return result.returncode, result.stdout

    def _ran(self, *words):
        entering = ["nsenter", "--target", str(self.pid), "--mount", "--uts", "--net", "--ipc", "--pid", "--root"]
        return subprocess.run(
            [*entering, "--wd", *self._inside(self.image.config, self._variables), *words], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)

    def stop(self):
        """Sends the image's signal, and returns the exit code of the server."""
        os.kill(self.pid, signal.Signals[self.image.config["StopSignal"]])
        return self.ended()

    def ended(self):
        """Waits for the end; the exit code."""
        code = self._init.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # By its own number: a process that has become another user does not die with unshare (PR_SET_PDEATHSIG).
        if self._init.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
        self._init.wait()
        self._reader.join(PATIENCE)
        self._init.stdout.close()
