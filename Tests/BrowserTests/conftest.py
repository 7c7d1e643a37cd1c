"""Tests of the page /play in a browser: the fixtures of the end-to-end tests, and people who hold a page."""

import importlib.util
import pathlib
import sys

import pytest

END_TO_END = pathlib.Path(__file__).resolve().parents[1] / "EndToEndTests"
sys.path.insert(0, str(END_TO_END))

_spec = importlib.util.spec_from_file_location("end_to_end_fixtures", END_TO_END / "conftest.py")
_fixtures = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_fixtures)

# The hooks that run coroutines, and the fixtures that start servers.
pytest_pyfunc_call = _fixtures.pytest_pyfunc_call
pytest_configure = _fixtures.pytest_configure
pytest_collection_modifyitems = _fixtures.pytest_collection_modifyitems
start = _fixtures.start


@pytest.fixture
def world(start):
    """A server whose people sign up, and where a name alone signs in, too."""
    return start(accounts__open="true", accounts__signUpsPerHour=1000)
