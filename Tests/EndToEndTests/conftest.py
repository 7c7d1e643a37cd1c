"""The fixtures of end-to-end tests: a server for the test or for its module, a separate place, a running loop."""

import asyncio
import inspect
import itertools
import json
import os
import pathlib
import shutil

import pytest

import frail_disk
import package
import s2
from cairn import Client
from server import Server

TEST_SECONDS = 60


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


# MARK: - Tests that are coroutines


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs a test that is a coroutine, with a deadline; then ends its connections. The messages that they received must
    keep the rules."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    marker = pyfuncitem.get_closest_marker("seconds")
    asyncio.run(_with_clients_closed(pyfuncitem.obj(**arguments), marker.args[0] if marker else TEST_SECONDS))
    return True


async def _with_clients_closed(test, seconds):
    Client.opened.clear()
    try:
        await asyncio.wait_for(test, seconds)
    except BaseException:
        await asyncio.gather(*(client.close() for client in Client.opened), return_exceptions=True)
        raise
    for client in Client.opened:
        await client.close()


def pytest_configure(config):
    config.addinivalue_line("markers", f"seconds(n): deadline of a test that takes longer than {TEST_SECONDS} s")
    config.addinivalue_line("markers", "machine: needs the package and machines to try it on (package.py, machine.py)")
    config.addinivalue_line("markers", "alone: measures times or memory; `make test` runs it when no other test runs")
    config.addinivalue_line("markers", "soak: takes minutes; runs only when it is asked for with -m soak")


def pytest_collection_modifyitems(config, items):
    """Leaves out tests that take minutes, unless their mark is named on the command line."""
    if "soak" not in config.option.markexpr:
        left_out = [item for item in items if item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    if package.impossible():
        left_out = [item for item in items if item.get_closest_marker("machine")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_report_header():
    """Prints which tests are left out, and why. As root `make test` runs all of them."""
    reason = package.impossible()
    return f"without the tests of the package: {reason}" if reason else None


# MARK: - Servers and places


@pytest.fixture(scope="module")
def module_servers(request, tmp_path_factory):
    """The module's servers, the newest last: one, unless a test ends it."""
    servers = []
    yield servers
    for server in servers:
        assert server.stop() == 0 or server is not servers[-1], server.log()


@pytest.fixture
def server(request, tmp_path_factory, module_servers):
    """The module's server, with the settings that the module names in SETTINGS; it must still be running after every
    test."""
    if not module_servers or not module_servers[-1].is_running:
        settings = getattr(request.module, "SETTINGS", {})
        module_servers.append(Server.start(tmp_path_factory.mktemp("world"), **settings))
    yield module_servers[-1]
    assert module_servers[-1].is_running, f"the server is gone: {module_servers[-1].log()[-4000:]}"


@pytest.fixture
def start(tmp_path):
    """Starts servers that end with the test: start(placement__areaQuota=3). All of them use one folder, unless `folder`
    names another."""
    servers = []

    def start(*arguments, folder=None, **settings):
        servers.append(Server.start(folder or tmp_path / "data", *arguments, **settings))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


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


_places = itertools.count()


@pytest.fixture
def spot():
    """A place, latitude and longitude, kilometres from that of any other test, and some 50 m from the next cell."""
    number = next(_places)
    return s2.middle(45.5 + 0.1 * (number // 100), -73.57 + 0.1 * (number % 100))
