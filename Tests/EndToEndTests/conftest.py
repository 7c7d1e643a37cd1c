"""The fixtures of end-to-end tests alone: a separate place, an old world, the package. See also Tests/conftest.py."""

import itertools
import json
import os
import pathlib
import shutil

import pytest

import frail_disk
import package
import s2


def pytest_addoption(parser):
    parser.addoption(
        "--url",
        default=os.environ.get("CAIRN_ECHO_URL"),
        help="WebSocket echo path of a running server, e.g. ws://127.0.0.1:8080/echo (default: $CAIRN_ECHO_URL)",
    )


@pytest.fixture(scope="session")
def url(request):
    value = request.config.getoption("--url")
    if not value:
        pytest.fail("no server to test: give --url ws://HOST:PORT/ECHO-PATH or set CAIRN_ECHO_URL", pytrace=False)
    return value


@pytest.fixture
def old_world(tmp_path):
    """A copy of the world of the server of e58221d, and the messages that its clients received."""
    worlds = pathlib.Path(__file__).parent / "worlds"
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    shutil.copyfile(worlds / "e58221d.db", folder / "cairn.sqlite")
    shutil.copyfile(worlds / "e58221d.key", f"{folder}.key")
    pathlib.Path(f"{folder}.key").chmod(0o600)
    return folder, json.loads((worlds / "e58221d.json").read_text())


@pytest.fixture(scope="session")
def frail_library(tmp_path_factory):
    """The library that makes a server's disk forget and fail; for `FrailDisk`."""
    return frail_disk.build(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The package: the paths of the .deb and of the .tar.gz. One build serves all processes of a run."""
    folder = tmp_path_factory.getbasetemp()
    return package.made_once((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "package")


_places = itertools.count()


@pytest.fixture
def spot():
    """A place, latitude and longitude, kilometres from that of any other test, and some 50 m from the next cell."""
    number = next(_places)
    return s2.middle(45.5 + 0.1 * (number // 100), -73.57 + 0.1 * (number % 100))
