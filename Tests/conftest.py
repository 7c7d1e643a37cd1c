"""What the end-to-end tests and the tests in a browser share, so that one run has both: a loop, servers, workers."""

import asyncio
import inspect
import pathlib
import subprocess
import sys

import pytest

# The modules of the end-to-end tests, for the tests in a browser, too.
sys.path.insert(0, str(pathlib.Path(__file__).parent / "EndToEndTests"))

import browser  # noqa: E402
import leftovers  # noqa: E402
import package  # noqa: E402
import pool  # noqa: E402
import setups  # noqa: E402
from cairn import Client  # noqa: E402
from server import QUICK_PASSWORDS, Server  # noqa: E402

# The deadline of a test. It is for hangs: on a busy machine a test takes several times as long as on a quiet one.
TEST_SECONDS = 300


def pytest_addoption(parser):
    pool.add_options(parser)


def pytest_configure(config):
    config.addinivalue_line("markers", f"seconds(n): a long test, whose deadline is n s beyond {TEST_SECONDS} s")
    config.addinivalue_line("markers", "machine: needs the package and machines to try it on (package.py, machine.py)")
    config.addinivalue_line("markers", "alone: measures times or memory; `make test` runs it when no other test runs")
    config.addinivalue_line("markers", "soak: takes minutes; runs only when it is asked for with -m soak")
    pool.register(config)
    config.pluginmanager.register(setups)
    if not hasattr(config, "workerinput"):
        build_page()


def build_page():
    """Builds /play anew when a source of it has changed since (scripts/play-bundle)."""
    root = pathlib.Path(__file__).resolve().parents[1]
    for folder in root.glob(".build/*/share/cairn/play"):
        subprocess.run([root / "scripts/play-bundle", folder], check=True)


def pytest_unconfigure():
    browser.SHARED.close()


# MARK: - Tests that are coroutines


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs a test that is a coroutine, with a deadline; then ends its connections. The messages that they received must
    keep the rules."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    marker = pyfuncitem.get_closest_marker("seconds")
    run = browser.SHARED.run if browser.is_used_in(pyfuncitem.module) else asyncio.run
    run(_with_clients_closed(pyfuncitem.obj(**arguments), TEST_SECONDS + (marker.args[0] if marker else 0)))
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


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    leftovers.note(item)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item):
    folder = (item.funcargs or {}).get("tmp_path")
    result = yield
    if folder is not None:
        leftovers.check(item, folder)
    return result


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


# MARK: - Servers


@pytest.fixture(scope="module")
def module_servers():
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
        settings = passwords(request) | getattr(request.module, "SETTINGS", {})
        module_servers.append(Server.start(tmp_path_factory.mktemp("world"), **settings))
    yield module_servers[-1]
    assert module_servers[-1].is_running, f"the server is gone: {module_servers[-1].log()[-4000:]}"


def passwords(request):
    """Settings by which passwords cost little, unless the test measures something."""
    return {} if request.node.get_closest_marker("alone") else QUICK_PASSWORDS


@pytest.fixture
def start(request, tmp_path):
    """Starts servers that end with the test: start(placement__areaQuota=3). All of them use one folder, unless `folder`
    names another."""
    servers = []

    def start(*arguments, folder=None, **settings):
        if "program" not in settings:
            settings = passwords(request) | settings
        servers.append(Server.start(folder or tmp_path / "data", *arguments, **settings))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()
